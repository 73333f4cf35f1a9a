/* SPDX-License-Identifier: Apache-2.0 */
/*
 * btrace_describe: the arguments and parts of one event, from its bytes and the known names.
 *
 *  One interpreter reads the field lists of the tables. The fields of the data are followed by
 * those of the record header that have information: a context that is not a thread, the program
 * counter.
 */
#include <string.h>

#include "format/btrace/btrace_internal.h"
#include "tracetui/object_kind.h"
#include "tracetui/text.h"

struct describer {
    const struct tt_capture *capture;
    struct btrace_decoder *decoder;
    struct btrace_record record;
    struct tt_bytes payload; /* with all parts joined */
    uint64_t at;             /* position of the next field in the payload */
    uint64_t whole_length;   /* of the payload, including what `payload` has no space for */
    bool unfinished;
    enum { DECIMALS_UNDECIDED, DECIMALS_TEXT, DECIMALS_WORDS } decimals;
    struct tt_args *args;
};

/* ---- parts ------------------------------------------------------------------------------ */

enum {
    FIRST_SKIP = 4, /* N */
    PART_SKIP = 8,  /* N and the offset */
    /* Joined data leave space for a few labels. */
    SCRATCH_SPARE = 128,
};

static bool read_first(const struct tt_capture *c, const struct tt_event *event, uint64_t limit,
                       struct btrace_record *record)
{
    struct tt_bytes bytes = tt_bytes_of(c->bytes.data, limit);
    return btrace_record_read(bytes, event->pos, record) == BTRACE_READ_OK;
}

static struct tt_part part_of(const struct btrace_record *r, uint32_t skip)
{
    uint32_t header = r->header + (r->length < skip ? r->length : skip);
    struct tt_part part = {r->pos, r->size, header};
    return part;
}

uint32_t btrace_parts(const struct tt_capture *c, const struct tt_event *event, uint64_t limit,
                      struct tt_part *parts, uint32_t max)
{
    struct btrace_record first, next;
    if (!read_first(c, event, limit, &first)) {
        return 0;
    }
    uint32_t count = 1;
    if (max > 0) {
        parts[0] = part_of(&first, first.part == BTRACE_FIRST ? FIRST_SKIP : 0);
    }
    if (first.part == BTRACE_FIRST) {
        struct btrace_decoder *decoder = c->decoder;
        struct btrace_gather gather;
        btrace_gather_start(&gather, tt_bytes_of(c->bytes.data, limit), &decoder->jumps, &first);
        while (btrace_gather_next(&gather, &next)) {
            if (count < max) {
                parts[count] = part_of(&next, PART_SKIP);
            }
            count++;
        }
    }
    return count;
}

/* Concatenates the parts of a multipart trace, as far as the scratch space allows. */
static void join_parts(struct describer *d, uint64_t limit)
{
    const struct btrace_record *first = &d->record;
    struct btrace_record part;
    struct btrace_gather gather;
    uint32_t total = btrace_record_word(first, 0);
    uint64_t most = TT_ARGS_SCRATCH - SCRATCH_SPARE;
    uint64_t want = (uint64_t)total + 4;
    d->payload = btrace_payload(first);
    d->whole_length = d->payload.size;
    char *joined = tt_args_scratch(d->args, (uint32_t)(want < most ? want : most));
    uint64_t room = joined ? (want < most ? want : most) : 0;
    uint64_t used = d->payload.size < room ? d->payload.size : room;
    if (joined) {
        memcpy(joined, d->payload.data, (size_t)used);
    }
    btrace_gather_start(&gather, tt_bytes_of(d->capture->bytes.data, limit), &d->decoder->jumps,
                        first);
    bool can_be = !gather.over;
    while (btrace_gather_next(&gather, &part)) {
        uint64_t bytes = btrace_part_bytes(&part);
        uint64_t fits = bytes < room - used ? bytes : room - used;
        if (fits > 0) {
            memcpy(joined + used, part.data + PART_SKIP, (size_t)fits);
            used += fits;
        }
        d->whole_length += bytes;
    }
    d->unfinished = !gather.whole;
    d->args->is_partial = can_be && !gather.whole;
    if (joined) {
        d->payload = tt_bytes_of(joined, used);
    }
    if (d->whole_length > d->payload.size) {
        d->args->cut = true;
    }
}

/* ---- labels ----------------------------------------------------------------------------- */

static void label_text(const struct describer *d, struct tt_arg *arg, tt_string string)
{
    size_t length;
    const char *text = tt_capture_text(d->capture, string, &length);
    if (string != BTRACE_NO_NAME && length > 0) {
        tt_arg_label(arg, text, (uint32_t)length);
    }
}

static uint32_t lookup(const struct describer *d, enum btrace_object object, uint32_t address)
{
    /* One byte further, so that an object created here already has its name. */
    return btrace_names_lookup(&d->decoder->names, object, address, d->record.pos + 1, false);
}

static void label_lane(const struct describer *d, struct tt_arg *arg, uint32_t lane)
{
    if (lane < tt_thread_count(d->capture)) {
        label_text(d, arg, tt_thread_at(d->capture, lane)->name);
    }
}

static void label_process(const struct describer *d, struct tt_arg *arg, uint32_t process)
{
    if (process < tt_process_count(d->capture)) {
        label_text(d, arg, tt_process_at(d->capture, process)->name);
    }
}

static void label_object(const struct describer *d, struct tt_arg *arg, uint8_t type,
                         uint32_t address)
{
    static const uint8_t objects[] = {
        [BF_CHUNK] = BTRACE_OBJECT_CHUNK,         [BF_CODE_SEG] = BTRACE_OBJECT_CODE_SEG,
        [BF_SERVER] = BTRACE_OBJECT_SERVER,       [BF_FAST_MUTEX] = BTRACE_OBJECT_FAST_MUTEX,
        [BF_SEMAPHORE] = BTRACE_OBJECT_SEMAPHORE, [BF_MUTEX] = BTRACE_OBJECT_MUTEX,
        [BF_CONDVAR] = BTRACE_OBJECT_CONDVAR,
    };
    uint32_t server;
    switch (type) {
    case BF_THREAD:
        label_lane(d, arg, lookup(d, BTRACE_OBJECT_THREAD, address));
        break;
    case BF_RTHREAD:
        label_lane(d, arg, lookup(d, BTRACE_OBJECT_RTHREAD, address));
        break;
    case BF_PROCESS:
    case BF_OWNER:
        label_process(d, arg, lookup(d, BTRACE_OBJECT_PROCESS, address));
        break;
    case BF_SESSION:
        server = lookup(d, BTRACE_OBJECT_SESSION, address);
        if (server != BTRACE_NO_NAME) {
            label_text(d, arg, lookup(d, BTRACE_OBJECT_SERVER, server));
        }
        break;
    default:
        label_text(d, arg, lookup(d, (enum btrace_object)objects[type], address));
        break;
    }
}

static void label_period(struct describer *d, struct tt_arg *arg, uint32_t period)
{
    enum { ROOM = 40 };
    char *scratch = tt_args_scratch(d->args, ROOM);
    if (scratch) {
        struct tt_text text = tt_text_of(scratch, ROOM);
        btrace_period_text(&text, period);
        tt_arg_label(arg, scratch, (uint32_t)text.used);
    }
}

static void label_category(struct tt_arg *arg, uint8_t number)
{
    const struct btrace_category *category = btrace_category_of(number);
    if (category) {
        tt_arg_label(arg, category->name, (uint32_t)strlen(category->name));
    }
}

/* ---- fields ----------------------------------------------------------------------------- */

static uint64_t left(const struct describer *d)
{
    return d->payload.size - d->at;
}

/* Adds an argument for the next `length` bytes of the payload, which must exist. */
static struct tt_arg *add(struct describer *d, const char *name, uint8_t type, uint64_t length)
{
    struct tt_arg *arg = tt_args_add(d->args, name);
    if (arg) {
        arg->type = type;
        arg->raw_offset = (uint32_t)d->at;
        arg->raw_length = (uint32_t)length;
        if (type == TT_ARG_STRING || type == TT_ARG_BYTES) {
            arg->value.s.data = (const char *)d->payload.data + d->at;
            arg->value.s.length = (uint32_t)length;
        }
    }
    d->at += length;
    return arg;
}

static uint32_t number_at(const struct describer *d, uint64_t at, unsigned bytes)
{
    uint32_t number = 0;
    for (unsigned i = bytes; i-- > 0;) {
        number = number << 8 | d->payload.data[at + i];
    }
    return number;
}

static uint8_t shown_as(uint8_t type)
{
    switch (type) {
    case BF_I32:
    case BF_DECIMAL:
        return TT_ARG_I64;
    case BF_HEX:
    case BF_PERIOD:
        return TT_ARG_HEX;
    case BF_U8:
    case BF_U16:
    case BF_U32:
    case BF_CATEGORY:
    case BF_RTHREAD:
        return TT_ARG_U64;
    case BF_SPARE8:
    case BF_SPARE16:
    case BF_SPARE24:
    case BF_SPARE32:
    case BF_SPARE_DECIMAL:
        return TT_ARG_HEX;
    default:
        return TT_ARG_POINTER;
    }
}

static bool is_spare(uint8_t type)
{
    return (type >= BF_SPARE8 && type <= BF_SPARE32) || type == BF_SPARE_DECIMAL ||
           type == BF_SPARE_BYTES;
}

static struct tt_arg *add_number(struct describer *d, const struct btrace_field *field)
{
    unsigned bytes = btrace_field_bytes(field->type);
    uint32_t number = number_at(d, d->at, bytes);
    struct tt_arg *arg = add(d, field->name, shown_as(field->type), bytes);
    if (!arg) {
        return NULL;
    }
    if (arg->type == TT_ARG_I64) {
        arg->value.i = (int32_t)number;
    } else {
        arg->value.u = number;
        arg->digits = arg->type == TT_ARG_POINTER ? 8 : 0;
    }
    if (field->type >= BF_THREAD && field->type <= BF_RTHREAD) {
        label_object(d, arg, field->type, number);
    } else if (field->type == BF_PERIOD) {
        label_period(d, arg, number);
    } else if (field->type == BF_CATEGORY) {
        label_category(arg, (uint8_t)number);
    }
    arg->hidden = is_spare(field->type);
    return arg;
}

/* Returns whether the data after two words of EIic is decimal text: it has only the characters of
 * such text. */
static bool is_decimal_text(struct tt_bytes bytes)
{
    bool digits = false;
    for (uint64_t i = 0; i < bytes.size; i++) {
        uint8_t c = bytes.data[i];
        bool digit = c >= '0' && c <= '9';
        if (!digit && c != '-' && c != ' ') {
            return false;
        }
        digits |= digit;
    }
    return digits;
}

/* Adds a decimal number and skips the blanks around it; returns false if there is none, or it
 * exceeds 32 bits. */
static bool add_decimal_text(struct describer *d, const struct btrace_field *field)
{
    const uint8_t *text = d->payload.data + d->at;
    uint64_t room = left(d), at = 0;
    int64_t value = 0;
    while (at < room && text[at] == ' ') {
        at++;
    }
    bool negative = at < room && text[at] == '-';
    uint64_t first = at += negative;
    for (; at < room && text[at] >= '0' && text[at] <= '9'; at++) {
        value = value * 10 + (text[at] - '0');
        if (value > UINT32_MAX) {
            return false;
        }
    }
    if (at == first) {
        return false;
    }
    while (at < room && text[at] == ' ') {
        at++;
    }
    struct tt_arg *arg = add(d, field->name, TT_ARG_I64, at);
    if (arg) {
        arg->value.i = negative ? -value : value;
        arg->hidden = is_spare(field->type);
    }
    return true;
}

static bool add_decimal(struct describer *d, const struct btrace_field *field)
{
    if (d->decimals == DECIMALS_UNDECIDED) {
        bool text = is_decimal_text(tt_bytes_slice(d->payload, d->at, left(d)));
        d->decimals = text ? DECIMALS_TEXT : DECIMALS_WORDS;
    }
    if (d->decimals == DECIMALS_TEXT) {
        return add_decimal_text(d, field);
    }
    if (left(d) < btrace_field_bytes(field->type)) {
        return false;
    }
    add_number(d, field);
    return true;
}

static uint64_t until_nul(const struct describer *d)
{
    const uint8_t *text = d->payload.data + d->at;
    const uint8_t *nul = left(d) > 0 ? memchr(text, 0, (size_t)left(d)) : NULL;
    return nul ? (uint64_t)(nul - text) : left(d);
}

static void add_spare_bytes(struct describer *d, const struct btrace_field *field)
{
    struct tt_arg *arg = left(d) > 0 ? add(d, field->name, TT_ARG_BYTES, left(d)) : NULL;
    if (arg) {
        arg->hidden = true;
    }
}

/*
 * Adds a text with its length in a word before it. It is not documented whether the next length
 * follows directly or word-aligned: where the direct bytes cannot be a length, the aligned ones are
 * used.
 */
static bool add_name(struct describer *d, const struct btrace_field *field)
{
    uint64_t aligned = (d->at + 3) & ~UINT64_C(3);
    uint64_t places[2] = {d->at, aligned};
    for (unsigned i = 0; i < 2; i++) {
        uint64_t at = places[i];
        if (!tt_bytes_has(d->payload, at, 4)) {
            continue;
        }
        uint32_t length = number_at(d, at, 4);
        if (tt_bytes_has(d->payload, at + 4, length)) {
            d->at = at + 4;
            add(d, field->name, TT_ARG_STRING, length);
            return true;
        }
    }
    return false;
}

static void add_words(struct describer *d, const struct btrace_field *field)
{
    while (left(d) >= 4 && !d->args->cut) {
        uint32_t number = number_at(d, d->at, 4);
        struct tt_arg *arg = add(d, field->name, TT_ARG_POINTER, 4);
        if (arg) {
            arg->value.u = number;
            arg->digits = 8;
        }
    }
}

/* Returns false if the data end here or are invalid for this field. */
static bool add_field(struct describer *d, const struct btrace_field *field)
{
    switch (field->type) {
    case BF_TEXT:
        add(d, field->name, TT_ARG_STRING, left(d));
        return true;
    case BF_TEXT_NUL:
        add(d, field->name, TT_ARG_STRING, until_nul(d));
        return true;
    case BF_SPARE_BYTES:
        add_spare_bytes(d, field);
        return true;
    case BF_DECIMAL:
    case BF_SPARE_DECIMAL:
        return add_decimal(d, field);
    case BF_WORDS:
        add_words(d, field);
        return true;
    case BF_NAME:
        return add_name(d, field);
    default:
        if (left(d) < btrace_field_bytes(field->type)) {
            return false;
        }
        add_number(d, field);
        return true;
    }
}

static bool is_text(struct tt_bytes bytes)
{
    for (uint64_t i = 0; i < bytes.size; i++) {
        uint8_t c = bytes.data[i];
        if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c >= 0x7f) {
            return false;
        }
    }
    return bytes.size > 0;
}

/*
 * Adds data without a layout: raw, or as text if all of it is ASCII, possibly after a first word (a
 * length or UID, as in most traces of extensions).
 */
static void add_unknown(struct describer *d)
{
    enum { LEAST_TEXT = 4 };
    struct tt_bytes rest = tt_bytes_slice(d->payload, d->at, left(d));
    if (rest.size >= LEAST_TEXT && is_text(rest)) {
        add(d, "text", TT_ARG_STRING, rest.size);
        return;
    }
    if (d->at == 0 && rest.size >= 4 + LEAST_TEXT && is_text(tt_bytes_slice(rest, 4, rest.size))) {
        struct btrace_field word = {"word", BF_HEX};
        add_number(d, &word);
        add(d, "text", TT_ARG_STRING, left(d));
        return;
    }
    if (rest.size > 0) {
        add(d, "data", TT_ARG_BYTES, rest.size);
    }
}

/* ---- words of the header ---------------------------------------------------------------- */

static void add_constant(struct describer *d, const char *name, const char *text)
{
    struct tt_arg *arg = tt_args_add(d->args, name);
    if (arg) {
        arg->type = TT_ARG_STRING;
        arg->value.s.data = text;
        arg->value.s.length = (uint32_t)strlen(text);
    }
}

static struct tt_arg *add_word(struct describer *d, const char *name, uint8_t type, uint32_t word)
{
    struct tt_arg *arg = tt_args_add(d->args, name);
    if (arg) {
        arg->type = type;
        arg->value.u = word;
        arg->digits = type == TT_ARG_U64 ? 0 : 8;
    }
    return arg;
}

static void add_hidden_word(struct describer *d, uint8_t flag, const char *name, uint32_t word)
{
    if (d->record.flags & flag) {
        struct tt_arg *arg = add_word(d, name, TT_ARG_HEX, word);
        if (arg) {
            arg->hidden = true;
        }
    }
}

static void add_header(struct describer *d)
{
    static const char *const contexts[] = {NULL, "FIQ", "IRQ", "IDFC"};
    const struct btrace_record *r = &d->record;
    if ((r->flags & BTRACE_HAS_CONTEXT) && contexts[r->context & 3u]) {
        add_constant(d, "context", contexts[r->context & 3u]);
    }
    if (r->flags & BTRACE_HAS_PC) {
        add_word(d, "pc", TT_ARG_POINTER, r->pc);
    }
    uint64_t announced = (uint64_t)btrace_record_word(r, 0) + 4;
    if (d->unfinished && announced > d->whole_length) {
        add_word(d, "missing_bytes", TT_ARG_U64, (uint32_t)(announced - d->whole_length));
    }
    if (r->flags & BTRACE_TRUNCATED) {
        add_constant(d, "record", "truncated");
    }
    if (r->flags & BTRACE_MISSING) {
        add_constant(d, "before", "records missing");
    }
    add_hidden_word(d, BTRACE_HAS_HEADER2, "header2", r->header2);
    add_hidden_word(d, BTRACE_HAS_TIMESTAMP, "timestamp", r->timestamp);
    add_hidden_word(d, BTRACE_HAS_TIMESTAMP2, "timestamp2", r->timestamp2);
    add_hidden_word(d, BTRACE_HAS_CONTEXT, "context_id", r->context);
    add_hidden_word(d, BTRACE_HAS_EXTRA, "extra", r->extra);
}

/* ---- extensions ------------------------------------------------------------------------- */

static bool is_fshell(uint8_t category)
{
    return category >= BTRACE_FSHELL_FIRST && category <= BTRACE_FSHELL_LAST;
}

static bool is_utf(uint8_t category)
{
    return category >= BTRACE_EXTENSION_FIRST && category <= BTRACE_UTF_LAST &&
           !is_fshell(category);
}

/* Adds the words of a trace whose layout is not known, in front of bytes that fill no word. */
static void add_raw_words(struct describer *d)
{
    static const struct btrace_field word = {"word", BF_HEX};
    while (left(d) >= 4 && !d->args->cut && !is_text(tt_bytes_slice(d->payload, d->at, left(d)))) {
        add_number(d, &word);
    }
}

static void label_format(struct tt_arg *arg, uint32_t format)
{
    static const char *const names[] = {"printf ASCII", "printf Unicode"};
    if (arg && format < sizeof names / sizeof *names) {
        tt_arg_label(arg, names[format], (uint32_t)strlen(names[format]));
    }
}

enum { PRINTF_ASCII };

/* Adds the format id: the second word with sub-category 0, else the sub-category itself. */
static void add_format(struct describer *d)
{
    uint32_t format = d->record.sub;
    if (format != 0) {
        label_format(add_word(d, "format", TT_ARG_U64, format), format);
    } else if (left(d) >= 4) {
        struct btrace_field field = {"format", BF_U32};
        format = number_at(d, d->at, 4);
        label_format(add_number(d, &field), format);
    } else {
        return;
    }
    if (format == PRINTF_ASCII && is_text(tt_bytes_slice(d->payload, d->at, left(d)))) {
        add(d, "text", TT_ARG_STRING, left(d));
    }
}

/*
 * Adds a UTF trace: the UID of its module, the format id, the rest. Older communications tools used
 * the same categories: their first word is the length of the text after it, which is never a UID.
 */
static void add_utf(struct describer *d)
{
    if (left(d) < 4) {
        return;
    }
    uint32_t first = number_at(d, d->at, 4);
    if (first > 0 && tt_bytes_has(d->payload, d->at + 4, first) &&
        is_text(tt_bytes_slice(d->payload, d->at + 4, first))) {
        struct btrace_field length = {"length", BF_U32};
        add_number(d, &length);
        add(d, "text", TT_ARG_STRING, first);
        return;
    }
    struct btrace_field uid = {"uid", BF_HEX};
    add_number(d, &uid);
    add_format(d);
}

/* ---- single event ----------------------------------------------------------------------- */

bool btrace_describe(const struct tt_capture *c, const struct tt_event *event, uint64_t limit,
                     struct tt_args *args)
{
    struct describer d = {.capture = c, .decoder = c->decoder, .args = args};
    tt_args_clear(args);
    if (!read_first(c, event, limit, &d.record)) {
        return false;
    }
    if (d.record.part == BTRACE_FIRST) {
        join_parts(&d, limit);
    } else {
        d.payload = btrace_payload(&d.record);
        d.whole_length = d.payload.size;
    }
    const struct btrace_sub *layout = d.record.layout;
    if (layout) {
        const struct btrace_field *field =
            btrace_fields_of(layout, d.record.category, d.payload, d.whole_length);
        while (field->type != BF_END && add_field(&d, field)) {
            field++;
        }
    } else if (is_utf(d.record.category)) {
        add_utf(&d);
    } else if (is_fshell(d.record.category)) {
        add_raw_words(&d);
    }
    add_unknown(&d);
    const struct btrace_sub *other = btrace_stands_for(layout, d.record.category, d.payload);
    if (other) {
        add_constant(&d, "stands_for", other->name);
    }
    add_header(&d);
    return true;
}

/* ---- objects ------------------------------------------------------------------------------ */

/* Returns the last name of the object, since addresses are reused. */
const char *btrace_object_name(const struct tt_capture *c, unsigned kind, uint64_t id,
                               size_t *length)
{
    static const uint8_t objects[TT_OBJECT_KINDS] = {
        [TT_OBJECT_FAST_MUTEX] = BTRACE_OBJECT_FAST_MUTEX,
        [TT_OBJECT_MUTEX] = BTRACE_OBJECT_MUTEX,
        [TT_OBJECT_SEMAPHORE] = BTRACE_OBJECT_SEMAPHORE,
        [TT_OBJECT_CONDVAR] = BTRACE_OBJECT_CONDVAR,
    };
    struct btrace_decoder *d = c->decoder;
    tt_string name =
        kind < TT_OBJECT_KINDS && objects[kind] != 0
            ? btrace_names_lookup(&d->names, objects[kind], (uint32_t)id, UINT64_MAX - 1, false)
            : BTRACE_NO_NAME;
    return name != BTRACE_NO_NAME && name != 0 ? tt_capture_text(c, name, length) : NULL;
}

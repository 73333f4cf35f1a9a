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

static bool read_first(const struct tt_capture *capture, const struct tt_event *event,
                       uint64_t limit, struct btrace_record *record)
{
    struct tt_bytes bytes = tt_bytes_of(capture->bytes.data, limit);
    return btrace_record_read(bytes, event->pos, record) == BTRACE_READ_OK;
}

static struct tt_part btrace_describe_part_of(const struct btrace_record *record, uint32_t skip)
{
    uint32_t header = record->header + (record->length < skip ? record->length : skip);
    struct tt_part part = {record->pos, record->size, header};
    return part;
}

uint32_t btrace_parts(const struct tt_capture *capture, const struct tt_event *event,
                      uint64_t limit, struct tt_part *parts, uint32_t max)
{
    struct btrace_record first, next;
    if (!read_first(capture, event, limit, &first)) {
        return 0;
    }
    uint32_t count = 1;
    if (max > 0) {
        parts[0] = btrace_describe_part_of(&first, first.part == BTRACE_FIRST ? FIRST_SKIP : 0);
    }
    if (first.part == BTRACE_FIRST) {
        struct btrace_decoder *decoder = capture->decoder;
        struct btrace_gather gather;
        btrace_gather_start(&gather, tt_bytes_of(capture->bytes.data, limit), &decoder->jumps,
                            &first);
        while (btrace_gather_next(&gather, &next)) {
            if (count < max) {
                parts[count] = btrace_describe_part_of(&next, PART_SKIP);
            }
            count++;
        }
    }
    return count;
}

/* Concatenates the parts of a multipart trace, as far as the scratch space allows. */
static void join_parts(struct describer *describer, uint64_t limit)
{
    const struct btrace_record *first = &describer->record;
    struct btrace_record part;
    struct btrace_gather gather;
    uint32_t total = btrace_record_word(first, 0);
    uint64_t most = TT_ARGS_SCRATCH - SCRATCH_SPARE;
    uint64_t want = (uint64_t)total + 4;
    describer->payload = btrace_payload(first);
    describer->whole_length = describer->payload.size;
    char *joined = tt_args_scratch(describer->args, (uint32_t)(want < most ? want : most));
    uint64_t room = joined ? (want < most ? want : most) : 0;
    uint64_t used = describer->payload.size < room ? describer->payload.size : room;
    if (joined) {
        memcpy(joined, describer->payload.data, (size_t)used);
    }
    btrace_gather_start(&gather, tt_bytes_of(describer->capture->bytes.data, limit),
                        &describer->decoder->jumps, first);
    bool can_be = !gather.over;
    while (btrace_gather_next(&gather, &part)) {
        uint64_t bytes = btrace_part_bytes(&part);
        uint64_t fits = bytes < room - used ? bytes : room - used;
        if (fits > 0) {
            memcpy(joined + used, part.data + PART_SKIP, (size_t)fits);
            used += fits;
        }
        describer->whole_length += bytes;
    }
    describer->unfinished = !gather.whole;
    describer->args->is_partial = can_be && !gather.whole;
    if (joined) {
        describer->payload = tt_bytes_of(joined, used);
    }
    if (describer->whole_length > describer->payload.size) {
        describer->args->cut = true;
    }
}

/* ---- labels ----------------------------------------------------------------------------- */

static void btrace_describe_label_text(const struct describer *describer, struct tt_arg *arg,
                                       tt_string string)
{
    size_t length;
    const char *text = tt_capture_text(describer->capture, string, &length);
    if (string != BTRACE_NO_NAME && length > 0) {
        tt_arg_label(arg, text, (uint32_t)length);
    }
}

static uint32_t lookup(const struct describer *describer, enum btrace_object object,
                       uint32_t address)
{
    /* One byte further, so that an object created here already has its name. */
    return btrace_names_lookup(&describer->decoder->names, object, address,
                               describer->record.pos + 1, false);
}

static void label_lane(const struct describer *describer, struct tt_arg *arg, uint32_t lane)
{
    if (lane < tt_thread_count(describer->capture)) {
        btrace_describe_label_text(describer, arg, tt_thread_at(describer->capture, lane)->name);
    }
}

static void label_process(const struct describer *describer, struct tt_arg *arg, uint32_t process)
{
    if (process < tt_process_count(describer->capture)) {
        btrace_describe_label_text(describer, arg,
                                   tt_process_at(describer->capture, process)->name);
    }
}

static void btrace_describe_label_object(const struct describer *describer, struct tt_arg *arg,
                                         uint8_t type, uint32_t address)
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
        label_lane(describer, arg, lookup(describer, BTRACE_OBJECT_THREAD, address));
        break;
    case BF_RTHREAD:
        label_lane(describer, arg, lookup(describer, BTRACE_OBJECT_RTHREAD, address));
        break;
    case BF_PROCESS:
    case BF_OWNER:
        label_process(describer, arg, lookup(describer, BTRACE_OBJECT_PROCESS, address));
        break;
    case BF_SESSION:
        server = lookup(describer, BTRACE_OBJECT_SESSION, address);
        if (server != BTRACE_NO_NAME) {
            btrace_describe_label_text(describer, arg,
                                       lookup(describer, BTRACE_OBJECT_SERVER, server));
        }
        break;
    default:
        btrace_describe_label_text(describer, arg,
                                   lookup(describer, (enum btrace_object)objects[type], address));
        break;
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

static uint64_t btrace_describe_left(const struct describer *describer)
{
    return describer->payload.size - describer->at;
}

/* Adds an argument for the next `length` bytes of the payload, which must exist. */
static struct tt_arg *btrace_describe_add(struct describer *describer, const char *name,
                                          uint8_t type, uint64_t length)
{
    struct tt_arg *arg = tt_args_add(describer->args, name);
    if (arg) {
        arg->type = type;
        arg->raw_offset = (uint32_t)describer->at;
        arg->raw_length = (uint32_t)length;
        if (type == TT_ARG_STRING || type == TT_ARG_BYTES) {
            arg->value.s.data = (const char *)describer->payload.data + describer->at;
            arg->value.s.length = (uint32_t)length;
        }
    }
    describer->at += length;
    return arg;
}

static uint32_t btrace_describe_number_at(const struct describer *describer, uint64_t at,
                                          unsigned bytes)
{
    uint32_t number = 0;
    for (unsigned i = bytes; i-- > 0;) {
        number = number << 8 | describer->payload.data[at + i];
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

static struct tt_arg *btrace_describe_add_number(struct describer *describer,
                                                 const struct btrace_field *field)
{
    unsigned bytes = btrace_field_bytes(field->type);
    uint32_t number = btrace_describe_number_at(describer, describer->at, bytes);
    struct tt_arg *arg = btrace_describe_add(describer, field->name, shown_as(field->type), bytes);
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
        btrace_describe_label_object(describer, arg, field->type, number);
    } else if (field->type == BF_PERIOD) {
        enum { ROOM = 40 };
        char *scratch = tt_args_scratch(describer->args, ROOM);
        if (scratch) {
            struct tt_text text = tt_text_of(scratch, ROOM);
            btrace_period_text(&text, number);
            tt_arg_label(arg, scratch, (uint32_t)text.used);
        }
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

static bool add_decimal(struct describer *describer, const struct btrace_field *field)
{
    if (describer->decimals == DECIMALS_UNDECIDED) {
        bool text = is_decimal_text(
            tt_bytes_slice(describer->payload, describer->at, btrace_describe_left(describer)));
        describer->decimals = text ? DECIMALS_TEXT : DECIMALS_WORDS;
    }
    if (describer->decimals == DECIMALS_TEXT) {
        /* Adds a decimal number and skips the blanks around it. */
        const uint8_t *text = describer->payload.data + describer->at;
        uint64_t room = btrace_describe_left(describer), at = 0;
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
        struct tt_arg *arg = btrace_describe_add(describer, field->name, TT_ARG_I64, at);
        if (arg) {
            arg->value.i = negative ? -value : value;
            arg->hidden = is_spare(field->type);
        }
        return true;
    }
    if (btrace_describe_left(describer) < btrace_field_bytes(field->type)) {
        return false;
    }
    btrace_describe_add_number(describer, field);
    return true;
}

static uint64_t until_nul(const struct describer *describer)
{
    const uint8_t *text = describer->payload.data + describer->at;
    const uint8_t *nul = btrace_describe_left(describer) > 0
                             ? memchr(text, 0, (size_t)btrace_describe_left(describer))
                             : NULL;
    return nul ? (uint64_t)(nul - text) : btrace_describe_left(describer);
}

static void add_spare_bytes(struct describer *describer, const struct btrace_field *field)
{
    struct tt_arg *arg = btrace_describe_left(describer) > 0
                             ? btrace_describe_add(describer, field->name, TT_ARG_BYTES,
                                                   btrace_describe_left(describer))
                             : NULL;
    if (arg) {
        arg->hidden = true;
    }
}

/*
 * Adds a text with its length in a word before it. It is not documented whether the next length
 * follows directly or word-aligned: where the direct bytes cannot be a length, the aligned ones are
 * used.
 */
static bool btrace_describe_add_name(struct describer *describer, const struct btrace_field *field)
{
    uint64_t aligned = (describer->at + 3) & ~UINT64_C(3);
    uint64_t places[2] = {describer->at, aligned};
    for (unsigned i = 0; i < 2; i++) {
        uint64_t at = places[i];
        if (!tt_bytes_has(describer->payload, at, 4)) {
            continue;
        }
        uint32_t length = btrace_describe_number_at(describer, at, 4);
        if (tt_bytes_has(describer->payload, at + 4, length)) {
            describer->at = at + 4;
            btrace_describe_add(describer, field->name, TT_ARG_STRING, length);
            return true;
        }
    }
    return false;
}

static void btrace_describe_add_words(struct describer *describer, const struct btrace_field *field)
{
    while (btrace_describe_left(describer) >= 4 && !describer->args->cut) {
        uint32_t number = btrace_describe_number_at(describer, describer->at, 4);
        struct tt_arg *arg = btrace_describe_add(describer, field->name, TT_ARG_POINTER, 4);
        if (arg) {
            arg->value.u = number;
            arg->digits = 8;
        }
    }
}

/* Returns false if the data end here or are invalid for this field. */
static bool add_field(struct describer *describer, const struct btrace_field *field)
{
    switch (field->type) {
    case BF_TEXT:
        btrace_describe_add(describer, field->name, TT_ARG_STRING, btrace_describe_left(describer));
        return true;
    case BF_TEXT_NUL:
        btrace_describe_add(describer, field->name, TT_ARG_STRING, until_nul(describer));
        return true;
    case BF_SPARE_BYTES:
        add_spare_bytes(describer, field);
        return true;
    case BF_DECIMAL:
    case BF_SPARE_DECIMAL:
        return add_decimal(describer, field);
    case BF_WORDS:
        btrace_describe_add_words(describer, field);
        return true;
    case BF_NAME:
        return btrace_describe_add_name(describer, field);
    default:
        if (btrace_describe_left(describer) < btrace_field_bytes(field->type)) {
            return false;
        }
        btrace_describe_add_number(describer, field);
        return true;
    }
}

static bool btrace_describe_is_text(struct tt_bytes bytes)
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
static void add_unknown(struct describer *describer)
{
    enum { LEAST_TEXT = 4 };
    struct tt_bytes rest =
        tt_bytes_slice(describer->payload, describer->at, btrace_describe_left(describer));
    if (rest.size >= LEAST_TEXT && btrace_describe_is_text(rest)) {
        btrace_describe_add(describer, "text", TT_ARG_STRING, rest.size);
        return;
    }
    if (describer->at == 0 && rest.size >= 4 + LEAST_TEXT &&
        btrace_describe_is_text(tt_bytes_slice(rest, 4, rest.size))) {
        struct btrace_field word = {"word", BF_HEX};
        btrace_describe_add_number(describer, &word);
        btrace_describe_add(describer, "text", TT_ARG_STRING, btrace_describe_left(describer));
        return;
    }
    if (rest.size > 0) {
        btrace_describe_add(describer, "data", TT_ARG_BYTES, rest.size);
    }
}

/* ---- words of the header ---------------------------------------------------------------- */

static void add_constant(struct describer *describer, const char *name, const char *text)
{
    struct tt_arg *arg = tt_args_add(describer->args, name);
    if (arg) {
        arg->type = TT_ARG_STRING;
        arg->value.s.data = text;
        arg->value.s.length = (uint32_t)strlen(text);
    }
}

static struct tt_arg *btrace_describe_add_word(struct describer *describer, const char *name,
                                               uint8_t type, uint32_t word)
{
    struct tt_arg *arg = tt_args_add(describer->args, name);
    if (arg) {
        arg->type = type;
        arg->value.u = word;
        arg->digits = type == TT_ARG_U64 ? 0 : 8;
    }
    return arg;
}

static void add_hidden_word(struct describer *describer, uint8_t flag, const char *name,
                            uint32_t word)
{
    if (describer->record.flags & flag) {
        struct tt_arg *arg = btrace_describe_add_word(describer, name, TT_ARG_HEX, word);
        if (arg) {
            arg->hidden = true;
        }
    }
}

static void add_header(struct describer *describer)
{
    static const char *const contexts[] = {NULL, "FIQ", "IRQ", "IDFC"};
    const struct btrace_record *record = &describer->record;
    if ((record->flags & BTRACE_HAS_CONTEXT) && contexts[record->context & 3u]) {
        add_constant(describer, "context", contexts[record->context & 3u]);
    }
    if (record->flags & BTRACE_HAS_PC) {
        btrace_describe_add_word(describer, "pc", TT_ARG_POINTER, record->pc);
    }
    uint64_t announced = (uint64_t)btrace_record_word(record, 0) + 4;
    if (describer->unfinished && announced > describer->whole_length) {
        btrace_describe_add_word(describer, "missing_bytes", TT_ARG_U64,
                                 (uint32_t)(announced - describer->whole_length));
    }
    if (record->flags & BTRACE_TRUNCATED) {
        add_constant(describer, "record", "truncated");
    }
    if (record->flags & BTRACE_MISSING) {
        add_constant(describer, "before", "records missing");
    }
    add_hidden_word(describer, BTRACE_HAS_HEADER2, "header2", record->header2);
    add_hidden_word(describer, BTRACE_HAS_TIMESTAMP, "timestamp", record->timestamp);
    add_hidden_word(describer, BTRACE_HAS_TIMESTAMP2, "timestamp2", record->timestamp2);
    add_hidden_word(describer, BTRACE_HAS_CONTEXT, "context_id", record->context);
    add_hidden_word(describer, BTRACE_HAS_EXTRA, "extra", record->extra);
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
static void add_raw_words(struct describer *describer)
{
    static const struct btrace_field word = {"word", BF_HEX};
    while (btrace_describe_left(describer) >= 4 && !describer->args->cut &&
           !btrace_describe_is_text(tt_bytes_slice(describer->payload, describer->at,
                                                   btrace_describe_left(describer)))) {
        btrace_describe_add_number(describer, &word);
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

/*
 * Adds a UTF trace: the UID of its module, the format id, the rest. Older communications tools used
 * the same categories: their first word is the length of the text after it, which is never a UID.
 */
static void add_utf(struct describer *describer)
{
    if (btrace_describe_left(describer) < 4) {
        return;
    }
    uint32_t first = btrace_describe_number_at(describer, describer->at, 4);
    if (first > 0 && tt_bytes_has(describer->payload, describer->at + 4, first) &&
        btrace_describe_is_text(tt_bytes_slice(describer->payload, describer->at + 4, first))) {
        struct btrace_field length = {"length", BF_U32};
        btrace_describe_add_number(describer, &length);
        btrace_describe_add(describer, "text", TT_ARG_STRING, first);
        return;
    }
    struct btrace_field uid = {"uid", BF_HEX};
    btrace_describe_add_number(describer, &uid);

    /* Adds the format id: the second word with sub-category 0, else the sub-category itself. */
    uint32_t format = describer->record.sub;
    if (format != 0) {
        label_format(btrace_describe_add_word(describer, "format", TT_ARG_U64, format), format);
    } else if (btrace_describe_left(describer) >= 4) {
        struct btrace_field field = {"format", BF_U32};
        format = btrace_describe_number_at(describer, describer->at, 4);
        label_format(btrace_describe_add_number(describer, &field), format);
    } else {
        return;
    }
    if (format == PRINTF_ASCII &&
        btrace_describe_is_text(
            tt_bytes_slice(describer->payload, describer->at, btrace_describe_left(describer)))) {
        btrace_describe_add(describer, "text", TT_ARG_STRING, btrace_describe_left(describer));
    }
}

/* ---- single event ----------------------------------------------------------------------- */

bool btrace_describe(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
                     struct tt_args *args)
{
    struct describer d = {.capture = capture, .decoder = capture->decoder, .args = args};
    tt_args_clear(args);
    if (!read_first(capture, event, limit, &d.record)) {
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
const char *btrace_object_name(const struct tt_capture *capture, unsigned kind, uint64_t id,
                               size_t *length)
{
    static const uint8_t objects[TT_OBJECT_KINDS] = {
        [TT_OBJECT_FAST_MUTEX] = BTRACE_OBJECT_FAST_MUTEX,
        [TT_OBJECT_MUTEX] = BTRACE_OBJECT_MUTEX,
        [TT_OBJECT_SEMAPHORE] = BTRACE_OBJECT_SEMAPHORE,
        [TT_OBJECT_CONDVAR] = BTRACE_OBJECT_CONDVAR,
    };
    struct btrace_decoder *decoder = capture->decoder;
    tt_string name = kind < TT_OBJECT_KINDS && objects[kind] != 0
                         ? btrace_names_lookup(&decoder->names, objects[kind], (uint32_t)id,
                                               UINT64_MAX - 1, false)
                         : BTRACE_NO_NAME;
    return name != BTRACE_NO_NAME && name != 0 ? tt_capture_text(capture, name, length) : NULL;
}

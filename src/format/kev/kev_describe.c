/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_describe: the interpreter of the event tables, and the arguments of an event.
 *
 * List of a payload (appendix B of the "System Analysis Toolkit User's Guide"): two words have the
 * fast list if the event has one; more words have the wide list, read until the payload ends. A
 * payload has an even number of words, so a list may end one word before it.
 */
#include <string.h>

#include "base/scan_number.h"
#include "format/kev/kev_internal.h"
#include "tracetui/text.h"

#define PAYLOAD_MAX TT_ARGS_SCRATCH /* payload bytes used for arguments */

/* ---- lists -------------------------------------------------------------------------------- */

static const struct kev_field *variant_fields(uint32_t code, uint32_t words)
{
    for (const struct kev_variant *variant = kev_call_variants; variant->fields; variant++) {
        if ((KEV_CLASS_CALL << 10 | variant->event) == code && variant->words == words) {
            return variant->fields;
        }
    }
    return NULL;
}

const struct kev_field *kev_fields(const struct kev_decoder *decoder, uint32_t code,
                                   const struct kev_payload *payload, unsigned *mode)
{
    const struct kev_layout *layout = decoder->layouts[code];
    *mode = KEV_WIDE;
    if (!layout || !layout->fields) {
        return NULL;
    }
    if (kev_is_short(payload)) {
        for (const struct kev_field *field = layout->fields; field->name; field++) {
            if (field->modes & KEV_FAST) {
                *mode = KEV_FAST;
                break;
            }
        }
        return layout->fields;
    }
    const struct kev_field *variant =
        kev_class_of(code) == KEV_CLASS_CALL && decoder->release >= KEV_7
            ? variant_fields(code, payload->words)
            : NULL;
    return variant ? variant : layout->fields;
}

static bool may_fail(uint32_t code)
{
    uint32_t number = code & KEV_EVENT_MASK & ~KEV_64_BIT;
    return kev_class_of(code) == KEV_CLASS_CALL && number >= KEV_EXIT && number < KEV_BROKEN_OFF;
}

bool kev_call_failed(uint32_t code, const struct kev_payload *payload)
{
    if (!may_fail(code) || !kev_is_short(payload) || kev_word(payload, 0) != UINT32_MAX) {
        return false;
    }
    /* A 64-bit result of -1 fills both words; no error number is that large. */
    return !((code & KEV_64_BIT) && kev_word(payload, 1) == UINT32_MAX);
}

/* Returns the length of the text in a user event's payload, or 0 if it is not text. */
static uint32_t kev_text_length(const struct kev_payload *payload)
{
    const char *text = (const char *)payload->bytes;
    size_t size = 4 * (size_t)payload->words;
    const char *end = memchr(text, '\0', size);
    if (!end || end == text) {
        return 0;
    }
    for (const char *rest = end; rest < text + size; rest++) {
        if (*rest != '\0') {
            return 0;
        }
    }
    size_t length = (size_t)(end - text);
    for (size_t i = 0; i < length;) {
        uint32_t code_point = 0;
        unsigned bytes = tt_utf8_decode(text + i, length - i, &code_point);
        bool space = text[i] == '\n' || text[i] == '\t' || text[i] == '\r';
        if (bytes == 0 || (!space && !tt_code_point_is_plain(code_point))) {
            return 0;
        }
        i += bytes;
    }
    return (uint32_t)length;
}

/* ---- struct sigevent ---------------------------------------------------------------------- */

/*
 * The words of a 32-bit target's struct sigevent are notify, signo or coid, value, and two shorts:
 * code, which is first in memory, and priority. The numbers are those of <sys/siginfo.h>.
 */
enum sigevent_form {
    SIGEVENT_PLAIN,
    SIGEVENT_SIGNAL, /* signo */
    SIGEVENT_CODE,   /* signo code:value */
    SIGEVENT_PULSE,  /* coid:priority code:value */
    SIGEVENT_THREAD, /* code:value */
};

static const struct sigevent_kind {
    const char *name;
    enum sigevent_form form;
} sigevent_kinds[] = {
    {"NONE", SIGEVENT_PLAIN},         {"SIGNAL", SIGEVENT_SIGNAL}, {"SIGNAL_CODE", SIGEVENT_CODE},
    {"SIGNAL_THREAD", SIGEVENT_CODE}, {"PULSE", SIGEVENT_PULSE},   {"UNBLOCK", SIGEVENT_PLAIN},
    {"INTR", SIGEVENT_PLAIN},         {"THREAD", SIGEVENT_THREAD},
};

#define SIGEVENT_KIND_MASK 0xffu
#define SIGEVENT_CRITICAL  0x100u

/* Writes like %#x: no prefix before a zero. */
static void put_alternate_hex(struct tt_text *text, uint32_t value)
{
    tt_text_str(text, value != 0 ? "0x" : "");
    tt_text_hex(text, value, 1);
}

/* Reads code and priority with sign extension, as they are printed. */
static void split_shorts(const struct kev_payload *payload, uint32_t word, uint32_t *code,
                         int32_t *priority)
{
    uint32_t first = payload->big ? word >> 16 : word & 0xffff;
    uint32_t second = payload->big ? word & 0xffff : word >> 16;
    *code = (uint32_t)(int32_t)(int16_t)first;
    *priority = (int16_t)second;
}

static void put_sigevent(struct tt_text *text, enum sigevent_form form, const uint32_t *w,
                         uint32_t code, int32_t priority)
{
    if (form == SIGEVENT_PLAIN) {
        return;
    }
    tt_text_char(text, ' ');
    if (form == SIGEVENT_THREAD) {
        tt_text_hex(text, code, 1);
        tt_text_char(text, ':');
        tt_text_hex(text, w[2], 1);
        return;
    }
    if (form == SIGEVENT_PULSE) {
        put_alternate_hex(text, w[1]);
        tt_text_char(text, ':');
        tt_text_i64(text, priority);
    } else {
        tt_text_u64(text, w[1]);
    }
    if (form != SIGEVENT_SIGNAL) {
        tt_text_char(text, ' ');
        put_alternate_hex(text, code);
        tt_text_char(text, ':');
        put_alternate_hex(text, w[2]);
    }
}

void kev_sigevent_text(const struct kev_payload *payload, uint32_t word, struct tt_text *text)
{
    uint32_t w[4] = {0};
    for (uint32_t i = 0; i < 4 && word + i < payload->words; i++) {
        w[i] = kev_word(payload, word + i);
    }
    uint32_t kind = w[0] & SIGEVENT_KIND_MASK;
    if (kind < sizeof sigevent_kinds / sizeof sigevent_kinds[0]) {
        uint32_t code;
        int32_t priority;
        split_shorts(payload, w[3], &code, &priority);
        tt_text_str(text, sigevent_kinds[kind].name);
        put_sigevent(text, sigevent_kinds[kind].form, w, code, priority);
    } else {
        tt_text_str(text, "UNKNOWN(");
        put_alternate_hex(text, kind);
        tt_text_char(text, ')');
    }
    if (w[0] & SIGEVENT_CRITICAL) {
        tt_text_str(text, " CRITICAL");
    }
}

/* Reads digits, hexadecimal if `hex` or after 0x. Returns false if there are none. */
static bool read_sigevent_number(struct tt_bytes text, uint64_t *at, bool hex, uint32_t *value)
{
    const uint8_t *p = text.data + *at, *end = text.data + text.size;
    const bool negative = !hex && p < end && *p == '-';
    uint64_t number;
    p += negative;
    if (end - p > 2 && p[0] == '0' && p[1] == 'x') {
        p += 2;
        hex = true;
    }
    if (!(hex ? tt_scan_hex(&p, end, &number) : tt_scan_decimal(&p, end, &number))) {
        return false;
    }
    *value = negative ? 0u - (uint32_t)number : (uint32_t)number;
    *at = (uint64_t)(p - text.data);
    return true;
}

uint64_t kev_sigevent_words(struct tt_bytes text, bool big, uint32_t *w)
{
    /* The places of the numbers in the words by form, as put_sigevent() writes them; code and priority are shorts. */
    enum { CODE = 4, PRIORITY = 5 };
    static const uint8_t places[][4] = {
        [SIGEVENT_PLAIN] = {0},         [SIGEVENT_SIGNAL] = {1},
        [SIGEVENT_CODE] = {1, CODE, 2}, [SIGEVENT_PULSE] = {1, PRIORITY, CODE, 2},
        [SIGEVENT_THREAD] = {CODE, 2},
    };
    uint32_t values[6] = {0};
    uint64_t at = 0;
    while (at < text.size &&
           ((text.data[at] >= 'A' && text.data[at] <= 'Z') || text.data[at] == '_')) {
        at++;
    }
    uint32_t kind = 0;
    const uint32_t kinds = sizeof sigevent_kinds / sizeof sigevent_kinds[0];
    while (kind < kinds && (strlen(sigevent_kinds[kind].name) != at ||
                            memcmp(sigevent_kinds[kind].name, text.data, (size_t)at) != 0)) {
        kind++;
    }
    if (kind == kinds) {
        return 0;
    }
    const enum sigevent_form form = sigevent_kinds[kind].form;
    for (unsigned i = 0; i < 4 && places[form][i] != 0; i++) {
        at++; /* a blank or a colon */
        if (at >= text.size ||
            !read_sigevent_number(text, &at, form == SIGEVENT_THREAD, &values[places[form][i]])) {
            return 0;
        }
    }
    static const char critical[] = " CRITICAL";
    const bool is_critical = tt_bytes_has(text, at, sizeof critical - 1) &&
                             memcmp(text.data + at, critical, sizeof critical - 1) == 0;
    at += is_critical ? sizeof critical - 1 : 0;
    const uint32_t first = values[CODE] & 0xffff, second = values[PRIORITY] & 0xffff;
    w[0] = kind | (is_critical ? SIGEVENT_CRITICAL : 0);
    w[1] = values[1];
    w[2] = values[2];
    w[3] = big ? first << 16 | second : second << 16 | first;
    return at;
}

/* ---- labels ------------------------------------------------------------------------------- */

/* Lengths first: most names differ in them. */
static inline bool name_is(const struct kev_field *field, const char *name, size_t length)
{
    return field->length == length && memcmp(field->name, name, length) == 0;
}
#define FIELD_IS(field, name) name_is(field, name, sizeof name - 1)

/* A name of a value. */
struct kev_label {
    uint32_t value;
    uint32_t length;
    const char *text; /* NULL ends a list */
};

#define LABEL(value, text)                                                                         \
    {                                                                                              \
        value, sizeof text - 1, text                                                               \
    }

/* Scheduling policies of <sched.h>. */
static const struct kev_label policy_labels[] = {
    LABEL(1, "FIFO"), LABEL(2, "RR"), LABEL(3, "OTHER"), LABEL(4, "SPORADIC"), {0, 0, NULL}};
static const struct kev_label path_status_labels[] = {
    LABEL(0, "OK"), LABEL(1, "NO_RULE"), LABEL(2, "CONFLICT"), LABEL(3, "BAD_OP"), {0, 0, NULL}};
static const struct kev_label connect_status_labels[] = {
    LABEL(0, "OK"), LABEL(1, "SERVER_FAILED"), LABEL(2, "CLIENT_FAILED"), {0, 0, NULL}};
static const struct kev_label able_bits[] = {
    LABEL(1, "ALLOW"), LABEL(2, "IS_ROOT"), LABEL(4, "UNCREATED"), {0, 0, NULL}};
static const struct kev_label runstate_bits[] = {LABEL(1, "ONLINE"),
                                                 LABEL(2, "MANUAL"),
                                                 LABEL(4, "DYNAMIC_OFFLINE"),
                                                 LABEL(8, "BURST"),
                                                 {0, 0, NULL}};
static const struct kev_label power_bits[] = {LABEL(0x00010000, "IDLE"),
                                              LABEL(0x00020000, "START"),
                                              LABEL(0x00040000, "IDLE_REACHED/VFS_OVERDRIVE"),
                                              LABEL(0x00080000, "VFS_DYNAMIC"),
                                              LABEL(0x00100000, "VFS_STEP_UP"),
                                              {0, 0, NULL}};

/* Names of field values. code 0: any event with a field of that name. */
static const struct label_rule {
    uint16_t code;
    bool bits; /* every bit that is set has a text */
    const char *field;
    uint8_t length; /* of its name */
    const struct kev_label *values;
} label_rules[] = {
    {0, false, "policy", 6, policy_labels},
    {KEV_CLASS_SEC << 10 | 2, false, "status", 6, path_status_labels},
    {KEV_CLASS_SEC << 10 | 3, false, "status", 6, connect_status_labels},
    {KEV_CLASS_SEC << 10 | 0, true, "flags", 5, able_bits},
    {KEV_CLASS_SYSTEM << 10 | 14, true, "bitset", 6, runstate_bits},
    {KEV_CLASS_SYSTEM << 10 | 15, true, "bitset", 6, power_bits},
};

#define LETTER(c) (UINT32_C(1) << ((c)&0x1f))
/* First letters of the fields in label_rules. */
#define RULE_LETTERS (LETTER('p') | LETTER('s') | LETTER('f') | LETTER('b'))

/* Compares the first letter first: most names differ there, and every argument is compared. */
static inline bool same_name(const char *a, const char *b)
{
    return a[0] == b[0] && strcmp(a, b) == 0;
}

static void label_bits(struct tt_args *args, struct tt_arg *arg, const struct kev_label *values)
{
    char buffer[96];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    for (; values->text; values++) {
        if (arg->value.u & values->value) {
            if (text.used > 0) {
                tt_text_char(&text, '|');
            }
            tt_text_bytes(&text, values->text, values->length);
        }
    }
    char *kept = text.used > 0 ? tt_args_scratch(args, (uint32_t)text.used) : NULL;
    if (kept) {
        memcpy(kept, buffer, text.used);
        tt_arg_label(arg, kept, (uint32_t)text.used);
    }
}

static void label_by_rule(struct tt_args *args, struct tt_arg *arg, uint32_t code,
                          const struct kev_value *value)
{
    if (value->field->length < 5 || value->field->length > 6 ||
        !(RULE_LETTERS >> (value->field->name[0] & 0x1f) & 1)) {
        return; /* no rule is for it */
    }
    for (size_t i = 0; i < sizeof label_rules / sizeof label_rules[0]; i++) {
        const struct label_rule *rule = &label_rules[i];
        if ((rule->code != 0 && rule->code != code) ||
            !name_is(value->field, rule->field, rule->length)) {
            continue;
        }
        if (rule->bits) {
            label_bits(args, arg, rule->values);
            return;
        }
        for (const struct kev_label *label = rule->values; label->text; label++) {
            if (label->value == value->bits) {
                tt_arg_label(arg, label->text, label->length);
                return;
            }
        }
        return;
    }
}

/* Returns whether the field is an interrupt vector. */
static bool is_vector(uint32_t code, const struct kev_field *field)
{
    return kev_class_of(code) == KEV_CLASS_INTERRUPT &&
           (same_name(field->name, "vector") || same_name(field->name, "intr_id"));
}

/* ---- arguments ---------------------------------------------------------------------------- */

struct describing {
    const struct kev_decoder *d;
    struct tt_args *args;
    struct kev_payload payload;
    uint32_t code;
};

static bool is_filler(const struct kev_field *field)
{
    return field->type == KEV_PAD || FIELD_IS(field, "empty") || FIELD_IS(field, "param.empty");
}

static void kev_describe_add_word(struct describing *to, const char *name, uint32_t word)
{
    struct tt_arg *arg = tt_args_add(to->args, name);
    if (arg) {
        arg->type = TT_ARG_HEX;
        arg->digits = 8;
        arg->value.u = kev_word(&to->payload, word);
        arg->raw_offset = 4 * word;
        arg->raw_length = 4;
    }
}

static const char *word_name(uint32_t word)
{
    static const char names[TT_ARGS_MAX][4] = {
        "d0",  "d1",  "d2",  "d3",  "d4",  "d5",  "d6",  "d7",  "d8",  "d9",  "d10", "d11", "d12",
        "d13", "d14", "d15", "d16", "d17", "d18", "d19", "d20", "d21", "d22", "d23", "d24", "d25",
        "d26", "d27", "d28", "d29", "d30", "d31", "d32", "d33", "d34", "d35", "d36", "d37", "d38",
        "d39", "d40", "d41", "d42", "d43", "d44", "d45", "d46", "d47", "d48", "d49", "d50", "d51",
        "d52", "d53", "d54", "d55", "d56", "d57", "d58", "d59", "d60", "d61", "d62", "d63"};
    return names[word];
}

/* Adds words without a list, named by position. */
static void kev_describe_add_words(struct describing *to, uint32_t from, bool hidden)
{
    for (uint32_t word = from; word < to->payload.words; word++) {
        if (word >= TT_ARGS_MAX) {
            to->args->cut = true;
            return;
        }
        unsigned before = to->args->count;
        kev_describe_add_word(to, word_name(word), word);
        if (hidden && to->args->count > before) {
            to->args->v[before].hidden = true;
        }
    }
}

static void add_string(struct describing *to, const char *name, uint32_t word, const char *text,
                       uint32_t length)
{
    struct tt_arg *arg = tt_args_add(to->args, name);
    char *kept = arg ? tt_args_scratch(to->args, length) : NULL;
    if (!arg) {
        return;
    }
    arg->type = TT_ARG_STRING;
    arg->raw_offset = 4 * word;
    arg->raw_length = 4 * (to->payload.words - word);
    if (kept) {
        memcpy(kept, text, length);
        arg->value.s.data = kept;
        arg->value.s.length = length;
    } else {
        arg->value.s.data = "";
    }
}

static void add_sigevent(struct describing *to, const struct kev_value *value)
{
    char buffer[80];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    kev_sigevent_text(&to->payload, value->word, &text);
    struct tt_arg *arg = tt_args_add_constant(to->args, value->field->name, value->field->length);
    char *kept = arg ? tt_args_scratch(to->args, (uint32_t)text.used) : NULL;
    if (arg) {
        arg->type = TT_ARG_STRING;
        arg->raw_offset = 4 * value->word;
        arg->raw_length = 4 * value->words;
        arg->value.s.data = "";
    }
    if (kept) {
        memcpy(kept, buffer, text.used);
        arg->value.s.data = kept;
        arg->value.s.length = (uint32_t)text.used;
    }
}

/* Labels the first of adjacent text words with their text, if printable. */
static void kev_describe_label_text(struct describing *to, struct tt_arg *arg,
                                    const struct kev_walk *walk, const struct kev_value *value)
{
    uint32_t words = 1;
    const char *name = value->field->name;
    size_t length = value->field->length;
    if (length >= 3 && memcmp(name + length - 3, "[0]", 3) != 0) {
        return; /* the first one carries it */
    }
    for (const struct kev_field *field = walk->next; field && field->type == KEV_TEXT; field++) {
        if ((field->modes & walk->mode) && value->word + words < to->payload.words) {
            words++;
        }
    }
    const uint8_t *bytes = to->payload.bytes + 4 * (uint64_t)value->word;
    for (uint32_t i = 0; i < 4 * words; i++) {
        if (bytes[i] < ' ' || bytes[i] > '~') {
            return;
        }
    }
    char *kept = tt_args_scratch(to->args, 4 * words);
    if (kept) {
        memcpy(kept, bytes, 4 * (size_t)words);
        tt_arg_label(arg, kept, 4 * words);
    }
}

static void set_number(struct tt_arg *arg, const struct kev_value *value)
{
    switch (value->field->type) {
    case KEV_D32:
        arg->type = TT_ARG_I64;
        arg->value.i = (int32_t)(uint32_t)value->bits;
        return;
    case KEV_D64:
        arg->type = TT_ARG_I64;
        arg->value.i = value->words == 2 ? (int64_t)value->bits : (int32_t)(uint32_t)value->bits;
        return;
    case KEV_P32:
    case KEV_P64:
        arg->type = TT_ARG_POINTER;
        break;
    default:
        arg->type = TT_ARG_HEX;
        arg->digits = value->field->type == KEV_H64 ? 1 : 8;
        break;
    }
    arg->value.u = value->bits;
}

static void add_failure(struct describing *to)
{
    kev_describe_add_word(to, "ret_val", 0);
    kev_describe_add_word(to, "errno", 1);
    if (to->args->count < 2) {
        return;
    }
    struct tt_arg *result = &to->args->v[0];
    struct tt_arg *error = &to->args->v[1];
    result->type = TT_ARG_I64;
    result->value.i = -1;
    uint32_t number = kev_word(&to->payload, 1);
    error->type = TT_ARG_I64;
    error->value.i = (int32_t)number;
    const char *name = kev_errno_name(number);
    if (name) {
        tt_arg_label(error, name, (uint32_t)strlen(name));
    }
}

static bool is_broken_off(uint32_t code)
{
    uint32_t number = code & KEV_EVENT_MASK & ~KEV_64_BIT;
    return kev_class_of(code) == KEV_CLASS_CALL && number >= KEV_BROKEN_OFF &&
           number < KEV_BROKEN_OFF + KEV_EXIT;
}

#define SHORT_TEXT_LEAST 4u /* fewer characters may as well be a number */

/* Labels two words with the text of up to seven characters that they may contain. */
static void label_short_text(struct describing *to)
{
    uint32_t length = kev_text_length(&to->payload);
    char *kept = length >= SHORT_TEXT_LEAST ? tt_args_scratch(to->args, length) : NULL;
    if (kept) {
        memcpy(kept, to->payload.bytes, length);
        tt_arg_label(&to->args->v[0], kept, length);
    }
}

/* Adds the payload of a user event: two words, more words, or text; the slots do not specify. */
static void add_user(struct describing *to)
{
    uint32_t length = kev_is_short(&to->payload) ? 0 : kev_text_length(&to->payload);
    if (length > 0) {
        add_string(to, "text", 0, (const char *)to->payload.bytes, length);
        return;
    }
    kev_describe_add_words(to, 0, false);
    if (kev_is_short(&to->payload)) {
        label_short_text(to);
    }
}

static void add_listed(struct describing *to, const struct kev_field *fields, unsigned mode)
{
    struct kev_walk walk = {to->payload, fields, mode, 0};
    struct kev_value value = {0};
    while (kev_walk_next(&walk, &value)) {
        if (value.field->type == KEV_STRING) {
            add_string(to, value.field->name, value.word, value.text, value.text_length);
            continue;
        }
        if (value.field->type == KEV_SIGEVENT) {
            add_sigevent(to, &value);
            continue;
        }
        struct tt_arg *arg = tt_args_add_constant(to->args, value.field->name, value.field->length);
        if (!arg) {
            continue;
        }
        arg->raw_offset = 4 * value.word;
        arg->raw_length = 4 * value.words;
        set_number(arg, &value);
        arg->hidden = is_filler(value.field);
        if (value.field->type == KEV_TEXT) {
            kev_describe_label_text(to, arg, &walk, &value);
            continue;
        }
        label_by_rule(to->args, arg, to->code, &value);

        const struct kev_decoder *decoder = to->d;
        if (is_vector(to->code, value.field)) {
            const char *name = kev_names_vector(decoder->names, (uint32_t)value.bits);
            if (name) {
                tt_arg_label(arg, name, (uint32_t)strlen(name));
            }
        }
    }
    if (walk.word >= to->payload.words) {
        return;
    }
    /* Words after the list: one or two zero words are padding of the slot. */
    bool zero = true;
    for (uint32_t word = walk.word; word < to->payload.words; word++) {
        zero = zero && kev_word(&to->payload, word) == 0;
    }
    kev_describe_add_words(to, walk.word, zero && to->payload.words - walk.word <= 2);
}

bool kev_describe(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
                  struct tt_args *args)
{
    const struct kev_decoder *decoder = capture->decoder;
    const uint8_t *slot = capture->bytes.data + event->pos;
    uint8_t bytes[PAYLOAD_MAX];
    struct kev_event whole = {.words = 2, .finished = true};
    tt_args_clear(args);
    if (!decoder->source) {
        if (limit < KEV_SLOT || event->pos > limit - KEV_SLOT) {
            return false;
        }
        whole.header = tt_load_u32(slot, decoder->big);
    }
    const bool is_simple =
        !decoder->source && kev_structure(whole.header) == KEV_SIMPLE && !decoder->by_words;
    if (!is_simple &&
        !kev_gather(capture, event->pos, limit, &whole, bytes, sizeof bytes, NULL, 0)) {
        return false;
    }
    args->is_partial = !whole.finished && (limit - event->pos) / KEV_SLOT <= KEV_REACH;
    if (whole.words > PAYLOAD_MAX / 4) {
        whole.words = PAYLOAD_MAX / 4;
        args->cut = true;
    }
    struct describing to = {
        decoder, args, kev_payload_of(decoder, &whole, is_simple ? slot + KEV_SLOT_HEAD : bytes),
        kev_code(whole.header)};
    unsigned mode;
    const struct kev_field *fields = kev_fields(decoder, to.code, &to.payload, &mode);
    if (kev_call_failed(to.code, &to.payload)) {
        add_failure(&to);
    } else if (kev_class_of(to.code) == KEV_CLASS_USER) {
        add_user(&to);
    } else if (fields) {
        add_listed(&to, fields, mode);
    } else {
        kev_describe_add_words(&to, 0, is_broken_off(to.code));
    }
    for (unsigned i = 0; decoder->source && i < args->count; i++) {
        args->v[i].raw_offset = 0; /* the record has no payload */
        args->v[i].raw_length = 0;
    }
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * traceprinter_line: formats one event like traceprinter. Two payload words are printed as
 * "name:value" on the event's line, more with each argument on its own line. Source: the listings
 * of the "System Analysis Toolkit User's Guide", chapters 6 and 7 (6.4's form) and its description
 * of -p (7.x's form); the form of events that are new in 8.0 is from users' listings only.
 *
 * One difference is intended: after a failed call 6.4's printer omits the line end.
 */
#include "style/traceprinter.h"

#include <string.h>

struct line {
    struct tt_text *text;
    const struct kev_decoder *d;
    enum kev_form form;
    struct kev_payload payload;
    uint32_t code;
};

/* ---- pieces ------------------------------------------------------------------------------- */

static void put(const struct line *l, const char *text)
{
    tt_text_str(l->text, text);
}

#define PUT(line, literal) tt_text_bytes((line)->text, literal, sizeof literal - 1)

static void put_hex(const struct line *l, uint64_t value, unsigned digits)
{
    PUT(l, "0x");
    tt_text_hex(l->text, value, digits);
}

static void put_left(const struct line *l, const char *text, size_t width)
{
    size_t length = strlen(text);
    put(l, text);
    tt_text_fill(l->text, ' ', length < width ? width - length : 0);
}

/* Writes class and event with the padding of the form. 6.4 pads the class to 8. */
static void put_head(const struct line *l, const char *class_name, const char *event, size_t width)
{
    bool is_6 = l->form == KEV_FORM_6;
    put_left(l, class_name, is_6 ? 8 : 16);
    PUT(l, ":");
    put_left(l, event, is_6 ? width : 18);
}

/* Buffer for a name that ends in a number. */
struct name {
    char bytes[64];
    struct tt_text text;
};

static const char *numbered(struct name *name, const char *prefix, uint32_t number, unsigned digits)
{
    name->text = tt_text_of(name->bytes, sizeof name->bytes);
    tt_text_str(&name->text, prefix);
    tt_text_u64_width(&name->text, number, digits, '0');
    return tt_text_cstr(&name->text);
}

static uint32_t word(const struct line *l, uint32_t n)
{
    return n < l->payload.words ? kev_word(&l->payload, n) : 0;
}

/* ---- argument lists ----------------------------------------------------------------------- */

static bool is_printable(uint8_t byte)
{
    return (byte >= ' ' && byte <= '~') || byte == '\n';
}

/* Writes a text; 6.4's printer omits one with an unprintable byte. */
static void put_string(const struct line *l, const char *text, size_t length)
{
    bool printable = true;
    for (size_t i = 0; i < length; i++) {
        printable = printable && is_printable((uint8_t)text[i]);
    }
    if (printable || l->form != KEV_FORM_6) {
        tt_text_escaped(l->text, text, length);
    }
}

/* Returns how many of four characters to print: up to a NUL, 0 if one before is unprintable. */
static size_t chunk_length(const uint8_t *bytes)
{
    for (size_t i = 0; i < 4; i++) {
        if (bytes[i] == '\0') {
            return i;
        }
        if (!is_printable(bytes[i])) {
            return 0;
        }
    }
    return 4;
}

/* The text ends with the first chunk that is not full. */
static void put_chunks(const struct line *l, const uint8_t *bytes, uint32_t count)
{
    size_t length = 4;
    for (uint32_t i = 0; i < count && length == 4; i++) {
        length = chunk_length(bytes + 4 * (size_t)i);
        tt_text_escaped(l->text, (const char *)bytes + 4 * (size_t)i, length);
    }
}

/* Writes adjacent text words as one argument; *next is the first value after them. */
static bool put_text_words(const struct line *l, struct kev_walk *walk, struct kev_value *next)
{
    uint32_t first = next->word;
    uint32_t count = 0;
    bool more = true;
    while (more && next->field->type == KEV_TEXT) {
        count++;
        more = kev_walk_next(walk, next);
    }
    PUT(l, "\"");
    put_chunks(l, l->payload.bytes + 4 * (uint64_t)first, count);
    PUT(l, "\" (");
    for (uint32_t i = 0; i < count; i++) {
        put(l, i > 0 ? " " : "");
        put_hex(l, word(l, first + i), 8);
    }
    PUT(l, ")");
    return more;
}

static void put_value(const struct line *l, const struct kev_value *value)
{
    switch (value->field->type) {
    case KEV_D32:
        tt_text_i64(l->text, (int32_t)(uint32_t)value->bits);
        break;
    case KEV_D64:
        tt_text_i64(l->text, (int64_t)value->bits);
        break;
    case KEV_P32:
    case KEV_P64:
        tt_text_hex(l->text, value->bits, 1); /* %p of QNX's library: no 0x */
        break;
    case KEV_H64:
        put_hex(l, value->bits, 1);
        break;
    case KEV_STRING:
        put_string(l, value->text, value->text_length);
        break;
    case KEV_SIGEVENT:
        kev_sigevent_text(&l->payload, value->word, l->text);
        break;
    default:
        put_hex(l, value->bits, 8);
        break;
    }
}

/* 6.4 names the text words after the message: "msg", 7.x after the first word: "msg[0]". */
static size_t name_length(const struct line *l, const struct kev_field *field)
{
    size_t length = field->length;
    return field->type == KEV_TEXT && l->form == KEV_FORM_6 && length > 3 ? length - 3 : length;
}

static void put_name(const struct line *l, const struct kev_field *field, bool on_line)
{
    size_t length = name_length(l, field);
    if (on_line) {
        PUT(l, " ");
    } else {
        PUT(l, "\n");
        tt_text_fill(l->text, ' ', length < 26 ? 26 - length : 0);
    }
    tt_text_escaped(l->text, field->name, length);
    PUT(l, ":");
}

static void put_list(const struct line *l, const struct kev_field *fields, unsigned mode,
                     bool on_line)
{
    struct kev_walk walk = {l->payload, fields, mode, 0};
    struct kev_value value;
    bool more = kev_walk_next(&walk, &value);
    while (more) {
        if (value.field->type == KEV_PAD) {
            more = kev_walk_next(&walk, &value);
            continue;
        }
        put_name(l, value.field, on_line);
        if (value.field->type == KEV_TEXT) {
            more = put_text_words(l, &walk, &value);
        } else {
            put_value(l, &value);
            more = kev_walk_next(&walk, &value);
        }
    }
}

static void put_words(const struct line *l, bool on_line)
{
    for (uint32_t i = 0; i < l->payload.words; i++) {
        struct name name;
        const char *text = numbered(&name, "d", i, 1);
        struct kev_field field = {text, (uint8_t)name.text.used, KEV_H32, KEV_BOTH};
        put_name(l, &field, on_line);
        put_hex(l, word(l, i), 8);
    }
}

/* Writes the arguments by the table, or as words. */
static void put_arguments(const struct line *l)
{
    unsigned mode;
    const struct kev_field *fields = kev_fields(l->d, l->code, &l->payload, &mode);
    const struct kev_field *own = l->form == KEV_FORM_6 ? kev_print_fields_6(l->code) : NULL;
    bool on_line = kev_is_short(&l->payload);
    if (fields) {
        put_list(l, own ? own : fields, mode, on_line);
    } else {
        put_words(l, on_line);
    }
}

/* ---- classes ------------------------------------------------------------------------------ */

static void put_control(const struct line *l)
{
    bool is_6 = l->form == KEV_FORM_6;
    switch (l->code & KEV_EVENT_MASK) {
    case 1:
        put_head(l, "CONTROL", "TIME", 0);
        PUT(l, " msb:");
        put_hex(l, word(l, 0), 8);
        PUT(l, " lsb(offset):");
        put_hex(l, word(l, 1), 8);
        break;
    case 2:
        if (is_6) {
            PUT(l, "CONTROL: BUFFER");
        } else {
            put_head(l, "CONTROL", "BUFFER", 0);
        }
        PUT(l, " sequence = ");
        tt_text_u64(l->text, word(l, 0) & 0x7ffu);
        PUT(l, ", num_events = ");
        tt_text_i64(l->text, (int32_t)word(l, 1));
        put(l, is_6 ? "" : "\n");
        break;
    case 4:
        put_head(l, "CONTROL", "BUFFER_END", 13);
        PUT(l, " cookie1 = ");
        tt_text_hex(l->text, word(l, 0), 8);
        PUT(l, ", cookie2 = ");
        tt_text_hex(l->text, word(l, 1), 8);
        break;
    case 8:
        put_head(l, "CONTROL", "DROPPED", 13);
        put_arguments(l);
        break;
    default: {
        struct name name;
        put_head(l, "CONTROL", numbered(&name, "EVENT_", l->code & KEV_EVENT_MASK, 1), 13);
        put_arguments(l);
        break;
    }
    }
}

static void put_call(const struct line *l)
{
    uint32_t number = l->code & KEV_EVENT_MASK & ~KEV_64_BIT;
    uint32_t call = number & (KEV_EXIT - 1);
    bool broken_off = number >= KEV_BROKEN_OFF;
    uint32_t named = broken_off ? KEV_CLASS_CALL << 10 | call : l->code;
    const struct kev_layout *layout = l->d->layouts[named];
    const char *name = layout ? layout->name : "?";
    if (number == 83 + KEV_EXIT) {
        name = "SYNC_CONDVAR_SIG"; /* the printer's own label for this exit */
    }
    char bytes[64];
    struct tt_text event = tt_text_of(bytes, sizeof bytes);
    bool plain = !broken_off || number >= KEV_BROKEN_OFF + KEV_EXIT;
    tt_text_str(&event, plain ? "" : "KER_");
    tt_text_str(&event, name);
    tt_text_char(&event, '/');
    tt_text_u64_width(&event, call, plain ? 2 : 1, '0');
    put_head(l, kev_class_name(l->d->release, l->code), tt_text_cstr(&event), 0);
    if (!plain) {
        return;
    }
    if (kev_call_failed(l->code, &l->payload)) {
        PUT(l, " ret_val:-1, errno:");
        tt_text_i64(l->text, (int32_t)word(l, 1));
        return;
    }
    put_arguments(l);
}

/* "0x00000025 (37)": a vector or an id. */
static void put_vector(const struct line *l, const char *label, uint32_t vector)
{
    char bytes[32];
    struct tt_text number = tt_text_of(bytes, sizeof bytes);
    tt_text_str(&number, "0x");
    tt_text_hex(&number, vector, 8);
    tt_text_str(&number, " (");
    tt_text_i64(&number, (int32_t)vector);
    tt_text_char(&number, ')');
    put_head(l, label, tt_text_cstr(&number), 0);
}

static void put_address(const struct line *l, const char *name, uint32_t at, bool wide)
{
    put(l, name);
    bool there = at + 1 < l->payload.words;
    uint64_t value = wide && there
                         ? tt_load_u64(l->payload.bytes + 4 * (uint64_t)at, l->payload.big)
                         : word(l, at);
    put_hex(l, value, 8);
}

static void put_handler_entry(const struct line *l, bool wide)
{
    put_vector(l, "INT_HANDLER_ENTR", word(l, 1));
    PUT(l, "       PID:");
    tt_text_i64(l->text, (int32_t)word(l, 0));
    put_address(l, " IP:", 2, wide);
    put_address(l, " AREA:", wide ? 4 : 3, wide);
}

static void put_interrupt(const struct line *l)
{
    uint32_t event = l->code & KEV_EVENT_MASK;
    switch (event) {
    case 1:
    case 5:
        put_vector(l, "INT_ENTR", word(l, 0));
        put_address(l, "       IP:", event == 5 ? 2 : 1, event == 5);
        break;
    case 2:
        put_vector(l, "INT_EXIT", word(l, 0));
        put_address(l, " inkernel:", 1, false);
        break;
    case 3:
    case 6:
        put_handler_entry(l, event == 6);
        break;
    case 4:
        put_vector(l, "INT_HANDLER_EXIT", word(l, 0));
        PUT(l, " SIGEVENT:");
        kev_sigevent_text(&l->payload, 1, l->text);
        break;
    case 7:
        put_head(l, "INTERRUPT", "INT_DELIVER", 13);
        put(l, l->form == KEV_FORM_6 ? " intr_id:" : "intr_id:");
        put_hex(l, word(l, 0), 1);
        PUT(l, "(");
        tt_text_i64(l->text, (int32_t)word(l, 0));
        PUT(l, ")");
        break;
    default: {
        struct name name;
        put_head(l, "INTERRUPT", numbered(&name, "EVENT_", event, 1), 13);
        put_arguments(l);
        break;
    }
    }
}

/* A virtual thread's states have the labels of a thread's in 6.4's form: THDEAD, not VTHDEAD. */
static const char *thread_label(const struct line *l, const char *class_name, const char *name)
{
    uint32_t event = l->code & KEV_EVENT_MASK;
    bool state_of_virtual = strcmp(class_name, "VTHREAD") == 0 && event != 50 && event != 51;
    return l->form == KEV_FORM_6 && state_of_virtual ? name + 1 : name;
}

/* Thread states stay on their line in the wide form too. */
static void put_thread(const struct line *l)
{
    uint32_t event = l->code & KEV_EVENT_MASK;
    const struct kev_layout *layout = l->d->layouts[l->code];
    const char *class_name = kev_class_name(l->d->release, l->code);
    struct name name;
    put_head(l, class_name,
             layout ? thread_label(l, class_name, layout->name)
                    : numbered(&name, "STATE_", event, 1),
             13);
    if (event >= KEV_STATE_EVENTS || !layout) {
        put_arguments(l);
        return;
    }
    unsigned mode;
    const struct kev_field *fields = kev_fields(l->d, l->code, &l->payload, &mode);
    put_list(l, fields, mode, true);
    bool is_state = strcmp(class_name, "THREAD") == 0 && event != 24 && event != 25;
    if (is_state && kev_is_short(&l->payload) && l->form == KEV_FORM_6) {
        PUT(l, " ");
    }
}

static void put_user(const struct line *l)
{
    struct name name;
    put_head(l, "USREVENT", numbered(&name, "EVENT:", l->code & KEV_EVENT_MASK, 1), 0);
    if (kev_is_short(&l->payload)) {
        put(l, l->form == KEV_FORM_6 ? ", d0:" : " d0:");
        put_hex(l, word(l, 0), 8);
        PUT(l, " d1:");
        put_hex(l, word(l, 1), 8);
        return;
    }
    const char *text = (const char *)l->payload.bytes;
    size_t size = 4 * (size_t)l->payload.words;
    const char *end = memchr(text, '\0', size);
    PUT(l, " STR:\"");
    put_string(l, text, end ? (size_t)(end - text) : size);
    PUT(l, "\"");
    if (l->form == KEV_FORM_7) {
        PUT(l, ",");
        put_words(l, true);
    }
}

static void put_other(const struct line *l)
{
    uint32_t event = l->code & KEV_EVENT_MASK;
    const struct kev_layout *layout = l->d->layouts[l->code];
    const char *class_name = kev_class_name(l->d->release, l->code);
    struct name class_number;
    struct name name;
    size_t width = 13;
    if (class_name && strcmp(class_name, "SYSTEM") == 0) {
        uint32_t number = event & ~KEV_64_BIT;
        width = number >= 9 && number <= 12 ? 0 : 15;
    } else if (l->code == (KEV_CLASS_COMM << 10 | 11)) {
        width = 0; /* MSG_ERROR */
    }
    put_head(l,
             class_name ? class_name : numbered(&class_number, "CLASS_", kev_class_of(l->code), 1),
             layout ? layout->name : numbered(&name, "EVENT_", event, 1), width);
    put_arguments(l);
}

void kev_print_event(struct tt_text *text, const struct kev_decoder *d, enum kev_form form,
                     uint64_t ticks, const struct kev_event *whole, const uint8_t *payload)
{
    struct line l = {text, d, form, kev_payload_of(d, whole, payload), kev_code(whole->header)};
    PUT(&l, "t:");
    put_hex(&l, form == KEV_FORM_6 ? whole->stamp : ticks, 8);
    PUT(&l, " CPU:");
    tt_text_u64_width(text, kev_cpu(whole->header), 2, '0');
    tt_text_char(text, ' ');
    switch (kev_class_of(l.code)) {
    case KEV_CLASS_CONTROL:
        put_control(&l);
        break;
    case KEV_CLASS_CALL:
        put_call(&l);
        break;
    case KEV_CLASS_INTERRUPT:
        put_interrupt(&l);
        break;
    case KEV_CLASS_THREAD:
        put_thread(&l);
        break;
    case KEV_CLASS_USER:
        put_user(&l);
        break;
    default:
        put_other(&l);
        break;
    }
    tt_text_char(text, '\n');
}

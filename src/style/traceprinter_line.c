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

static void printed_put(const struct line *line, const char *text)
{
    tt_text_str(line->text, text);
}

#define PUT(line, literal) tt_text_bytes((line)->text, literal, sizeof literal - 1)

static void printed_put_hex(const struct line *line, uint64_t value, unsigned digits)
{
    PUT(line, "0x");
    tt_text_hex(line->text, value, digits);
}

static void put_left(const struct line *line, const char *text, size_t width)
{
    size_t length = strlen(text);
    printed_put(line, text);
    tt_text_fill(line->text, ' ', length < width ? width - length : 0);
}

/* Writes class and event with the padding of the form. 6.4 pads the class to 8. */
static void printed_put_head(const struct line *line, const char *class_name, const char *event,
                             size_t width)
{
    bool is_6 = line->form == KEV_FORM_6;
    put_left(line, class_name, is_6 ? 8 : 16);
    PUT(line, ":");
    put_left(line, event, is_6 ? width : 18);
}

/* Buffer for a name that ends in a number. */
struct name {
    char bytes[64];
    struct tt_text text;
};

static const char *printed_numbered(struct name *name, const char *prefix, uint32_t number,
                                    unsigned digits)
{
    name->text = tt_text_of(name->bytes, sizeof name->bytes);
    tt_text_str(&name->text, prefix);
    tt_text_u64_width(&name->text, number, digits, '0');
    return tt_text_cstr(&name->text);
}

static uint32_t printed_word(const struct line *line, uint32_t n)
{
    return n < line->payload.words ? kev_word(&line->payload, n) : 0;
}

/* ---- argument lists ----------------------------------------------------------------------- */

static bool is_printable(uint8_t byte)
{
    return (byte >= ' ' && byte <= '~') || byte == '\n';
}

/* Writes a text; 6.4's printer omits one with an unprintable byte. */
static void put_string(const struct line *line, const char *text, size_t length)
{
    bool printable = true;
    for (size_t i = 0; i < length; i++) {
        printable = printable && is_printable((uint8_t)text[i]);
    }
    if (printable || line->form != KEV_FORM_6) {
        tt_text_escaped(line->text, text, length);
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

/* Writes adjacent text words as one argument; *next is the first value after them. */
static bool put_text_words(const struct line *line, struct kev_walk *walk, struct kev_value *next)
{
    uint32_t first = next->word;
    uint32_t count = 0;
    bool more = true;
    while (more && next->field->type == KEV_TEXT) {
        count++;
        more = kev_walk_next(walk, next);
    }
    PUT(line, "\"");

    /* The text ends with the first chunk that is not full. */
    const uint8_t *bytes = line->payload.bytes + 4 * (uint64_t)first;
    size_t length = 4;
    for (uint32_t i = 0; i < count && length == 4; i++) {
        length = chunk_length(bytes + 4 * (size_t)i);
        tt_text_escaped(line->text, (const char *)bytes + 4 * (size_t)i, length);
    }

    PUT(line, "\" (");
    for (uint32_t i = 0; i < count; i++) {
        printed_put(line, i > 0 ? " " : "");
        printed_put_hex(line, printed_word(line, first + i), 8);
    }
    PUT(line, ")");
    return more;
}

/* 6.4 names the text words after the message: "msg", 7.x after the first word: "msg[0]". */
static size_t printed_name_length(const struct line *line, const struct kev_field *field)
{
    size_t length = field->length;
    return field->type == KEV_TEXT && line->form == KEV_FORM_6 && length > 3 ? length - 3 : length;
}

static void printed_put_name(const struct line *line, const struct kev_field *field, bool on_line)
{
    size_t length = printed_name_length(line, field);
    if (on_line) {
        PUT(line, " ");
    } else {
        PUT(line, "\n");
        tt_text_fill(line->text, ' ', length < 26 ? 26 - length : 0);
    }
    tt_text_escaped(line->text, field->name, length);
    PUT(line, ":");
}

static void printed_put_list(const struct line *line, const struct kev_field *fields, unsigned mode,
                             bool on_line)
{
    struct kev_walk walk = {line->payload, fields, mode, 0};
    struct kev_value value;
    bool more = kev_walk_next(&walk, &value);
    while (more) {
        if (value.field->type == KEV_PAD) {
            more = kev_walk_next(&walk, &value);
            continue;
        }
        printed_put_name(line, value.field, on_line);
        if (value.field->type == KEV_TEXT) {
            more = put_text_words(line, &walk, &value);
        } else {
            switch (value.field->type) {
            case KEV_D32:
                tt_text_i64(line->text, (int32_t)(uint32_t)value.bits);
                break;
            case KEV_D64:
                tt_text_i64(line->text, (int64_t)value.bits);
                break;
            case KEV_P32:
            case KEV_P64:
                tt_text_hex(line->text, value.bits, 1); /* %p of QNX's library: no 0x */
                break;
            case KEV_H64:
                printed_put_hex(line, value.bits, 1);
                break;
            case KEV_STRING:
                put_string(line, value.text, value.text_length);
                break;
            case KEV_SIGEVENT:
                kev_sigevent_text(&line->payload, value.word, line->text);
                break;
            default:
                printed_put_hex(line, value.bits, 8);
                break;
            }

            more = kev_walk_next(&walk, &value);
        }
    }
}

static void put_words(const struct line *line, bool on_line)
{
    for (uint32_t i = 0; i < line->payload.words; i++) {
        struct name name;
        const char *text = printed_numbered(&name, "d", i, 1);
        struct kev_field field = {text, (uint8_t)name.text.used, KEV_H32, KEV_BOTH};
        printed_put_name(line, &field, on_line);
        printed_put_hex(line, printed_word(line, i), 8);
    }
}

/* Writes the arguments by the table, or as words. */
static void printed_put_arguments(const struct line *line)
{
    unsigned mode;
    const struct kev_field *fields = kev_fields(line->d, line->code, &line->payload, &mode);
    const struct kev_field *own = line->form == KEV_FORM_6 ? kev_print_fields_6(line->code) : NULL;
    bool on_line = kev_is_short(&line->payload);
    if (fields) {
        printed_put_list(line, own ? own : fields, mode, on_line);
    } else {
        put_words(line, on_line);
    }
}

/* ---- classes ------------------------------------------------------------------------------ */

static void put_control(const struct line *line)
{
    bool is_6 = line->form == KEV_FORM_6;
    switch (line->code & KEV_EVENT_MASK) {
    case 1:
        printed_put_head(line, "CONTROL", "TIME", 0);
        PUT(line, " msb:");
        printed_put_hex(line, printed_word(line, 0), 8);
        PUT(line, " lsb(offset):");
        printed_put_hex(line, printed_word(line, 1), 8);
        break;
    case 2:
        if (is_6) {
            PUT(line, "CONTROL: BUFFER");
        } else {
            printed_put_head(line, "CONTROL", "BUFFER", 0);
        }
        PUT(line, " sequence = ");
        tt_text_u64(line->text, printed_word(line, 0) & 0x7ffu);
        PUT(line, ", num_events = ");
        tt_text_i64(line->text, (int32_t)printed_word(line, 1));
        printed_put(line, is_6 ? "" : "\n");
        break;
    case 4:
        printed_put_head(line, "CONTROL", "BUFFER_END", 13);
        PUT(line, " cookie1 = ");
        tt_text_hex(line->text, printed_word(line, 0), 8);
        PUT(line, ", cookie2 = ");
        tt_text_hex(line->text, printed_word(line, 1), 8);
        break;
    case 8:
        printed_put_head(line, "CONTROL", "DROPPED", 13);
        printed_put_arguments(line);
        break;
    default: {
        struct name name;
        printed_put_head(line, "CONTROL",
                         printed_numbered(&name, "EVENT_", line->code & KEV_EVENT_MASK, 1), 13);
        printed_put_arguments(line);
        break;
    }
    }
}

static void printed_put_call(const struct line *line)
{
    uint32_t number = line->code & KEV_EVENT_MASK & ~KEV_64_BIT;
    uint32_t call = number & (KEV_EXIT - 1);
    bool broken_off = number >= KEV_BROKEN_OFF;
    uint32_t named = broken_off ? KEV_CLASS_CALL << 10 | call : line->code;
    const struct kev_layout *layout = line->d->layouts[named];
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
    printed_put_head(line, kev_class_name(line->d->release, line->code), tt_text_cstr(&event), 0);
    if (!plain) {
        return;
    }
    if (kev_call_failed(line->code, &line->payload)) {
        PUT(line, " ret_val:-1, errno:");
        tt_text_i64(line->text, (int32_t)printed_word(line, 1));
        return;
    }
    printed_put_arguments(line);
}

/* "0x00000025 (37)": a vector or an id. */
static void put_vector(const struct line *line, const char *label, uint32_t vector)
{
    char bytes[32];
    struct tt_text number = tt_text_of(bytes, sizeof bytes);
    tt_text_str(&number, "0x");
    tt_text_hex(&number, vector, 8);
    tt_text_str(&number, " (");
    tt_text_i64(&number, (int32_t)vector);
    tt_text_char(&number, ')');
    printed_put_head(line, label, tt_text_cstr(&number), 0);
}

static void printed_put_address(const struct line *line, const char *name, uint32_t at, bool wide)
{
    printed_put(line, name);
    bool there = at + 1 < line->payload.words;
    uint64_t value = wide && there
                         ? tt_load_u64(line->payload.bytes + 4 * (uint64_t)at, line->payload.big)
                         : printed_word(line, at);
    printed_put_hex(line, value, 8);
}

static void put_handler_entry(const struct line *line, bool wide)
{
    put_vector(line, "INT_HANDLER_ENTR", printed_word(line, 1));
    PUT(line, "       PID:");
    tt_text_i64(line->text, (int32_t)printed_word(line, 0));
    printed_put_address(line, " IP:", 2, wide);
    printed_put_address(line, " AREA:", wide ? 4 : 3, wide);
}

static void printed_put_interrupt(const struct line *line)
{
    uint32_t event = line->code & KEV_EVENT_MASK;
    switch (event) {
    case 1:
    case 5:
        put_vector(line, "INT_ENTR", printed_word(line, 0));
        printed_put_address(line, "       IP:", event == 5 ? 2 : 1, event == 5);
        break;
    case 2:
        put_vector(line, "INT_EXIT", printed_word(line, 0));
        printed_put_address(line, " inkernel:", 1, false);
        break;
    case 3:
    case 6:
        put_handler_entry(line, event == 6);
        break;
    case 4:
        put_vector(line, "INT_HANDLER_EXIT", printed_word(line, 0));
        PUT(line, " SIGEVENT:");
        kev_sigevent_text(&line->payload, 1, line->text);
        break;
    case 7:
        printed_put_head(line, "INTERRUPT", "INT_DELIVER", 13);
        printed_put(line, line->form == KEV_FORM_6 ? " intr_id:" : "intr_id:");
        printed_put_hex(line, printed_word(line, 0), 1);
        PUT(line, "(");
        tt_text_i64(line->text, (int32_t)printed_word(line, 0));
        PUT(line, ")");
        break;
    default: {
        struct name name;
        printed_put_head(line, "INTERRUPT", printed_numbered(&name, "EVENT_", event, 1), 13);
        printed_put_arguments(line);
        break;
    }
    }
}

/* A virtual thread's states have the labels of a thread's in 6.4's form: THDEAD, not VTHDEAD. */
static const char *thread_label(const struct line *line, const char *class_name, const char *name)
{
    uint32_t event = line->code & KEV_EVENT_MASK;
    bool state_of_virtual = strcmp(class_name, "VTHREAD") == 0 && event != 50 && event != 51;
    return line->form == KEV_FORM_6 && state_of_virtual ? name + 1 : name;
}

/* Thread states stay on their line in the wide form too. */
static void printed_put_thread(const struct line *line)
{
    uint32_t event = line->code & KEV_EVENT_MASK;
    const struct kev_layout *layout = line->d->layouts[line->code];
    const char *class_name = kev_class_name(line->d->release, line->code);
    struct name name;
    printed_put_head(line, class_name,
                     layout ? thread_label(line, class_name, layout->name)
                            : printed_numbered(&name, "STATE_", event, 1),
                     13);
    if (event >= KEV_STATE_EVENTS || !layout) {
        printed_put_arguments(line);
        return;
    }
    unsigned mode;
    const struct kev_field *fields = kev_fields(line->d, line->code, &line->payload, &mode);
    printed_put_list(line, fields, mode, true);
    bool is_state = strcmp(class_name, "THREAD") == 0 && event != 24 && event != 25;
    if (is_state && kev_is_short(&line->payload) && line->form == KEV_FORM_6) {
        PUT(line, " ");
    }
}

static void put_user(const struct line *line)
{
    struct name name;
    printed_put_head(line, "USREVENT",
                     printed_numbered(&name, "EVENT:", line->code & KEV_EVENT_MASK, 1), 0);
    if (kev_is_short(&line->payload)) {
        printed_put(line, line->form == KEV_FORM_6 ? ", d0:" : " d0:");
        printed_put_hex(line, printed_word(line, 0), 8);
        PUT(line, " d1:");
        printed_put_hex(line, printed_word(line, 1), 8);
        return;
    }
    const char *text = (const char *)line->payload.bytes;
    size_t size = 4 * (size_t)line->payload.words;
    const char *end = memchr(text, '\0', size);
    PUT(line, " STR:\"");
    put_string(line, text, end ? (size_t)(end - text) : size);
    PUT(line, "\"");
    if (line->form == KEV_FORM_7) {
        PUT(line, ",");
        put_words(line, true);
    }
}

static void put_other(const struct line *line)
{
    uint32_t event = line->code & KEV_EVENT_MASK;
    const struct kev_layout *layout = line->d->layouts[line->code];
    const char *class_name = kev_class_name(line->d->release, line->code);
    struct name class_number;
    struct name name;
    size_t width = 13;
    if (class_name && strcmp(class_name, "SYSTEM") == 0) {
        uint32_t number = event & ~KEV_64_BIT;
        width = number >= 9 && number <= 12 ? 0 : 15;
    } else if (line->code == (KEV_CLASS_COMM << 10 | 11)) {
        width = 0; /* MSG_ERROR */
    }
    printed_put_head(line,
                     class_name
                         ? class_name
                         : printed_numbered(&class_number, "CLASS_", kev_class_of(line->code), 1),
                     layout ? layout->name : printed_numbered(&name, "EVENT_", event, 1), width);
    printed_put_arguments(line);
}

void kev_print_event(struct tt_text *text, const struct kev_decoder *decoder, enum kev_form form,
                     uint64_t ticks, const struct kev_event *whole, const uint8_t *payload)
{
    struct line l = {text, decoder, form, kev_payload_of(decoder, whole, payload),
                     kev_code(whole->header)};
    PUT(&l, "t:");
    printed_put_hex(&l, form == KEV_FORM_6 ? whole->stamp : ticks, 8);
    PUT(&l, " CPU:");
    tt_text_u64_width(text, kev_cpu(whole->header), 2, '0');
    tt_text_char(text, ' ');
    switch (kev_class_of(l.code)) {
    case KEV_CLASS_CONTROL:
        put_control(&l);
        break;
    case KEV_CLASS_CALL:
        printed_put_call(&l);
        break;
    case KEV_CLASS_INTERRUPT:
        printed_put_interrupt(&l);
        break;
    case KEV_CLASS_THREAD:
        printed_put_thread(&l);
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

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tpt_record: one record of the text. An event whose first line ends with its label has its arguments on the
 * next lines, which begin with blanks; of any other one, the first line is all. A text argument may contain line
 * ends: its event continues up to the closing quote.
 */
#include "base/scan_number.h"
#include "format/tpt/tpt_internal.h"

#define CLASS_REACH     256u /* the class begins within this many bytes of the line */
#define ARGUMENT_COLUMN 26   /* of the colon */
#define QUOTE_REACH                                                                                \
    256u /* bytes up to the closing quote of a text, which has at most 16 characters */

/* ---- the head ------------------------------------------------------------------------------- */

static bool is_name_char(uint8_t ch)
{
    return (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') || ch == '_';
}

/* Reads a class and its colon from span.at on; blanks may be between them. */
static bool read_class(struct tpt_span line, struct tpt_head *head)
{
    const uint8_t *p = line.at;
    while (p < line.end && is_name_char(*p)) {
        p++;
    }
    const size_t length = (size_t)(p - line.at);
    while (p < line.end && *p == ' ') {
        p++;
    }
    if (length == 0 || p == line.end || *p != ':') {
        return false;
    }
    head->after = p + 1;
    head->class_ = tpt_class_find(line.at, length);
    return head->class_ != NULL;
}

/* t:0x4f81e320 CPU:00 */
static bool read_usual(struct tpt_span line, struct tpt_head *head)
{
    static const char time[] = "t:0x", cpu[] = " CPU:";
    const size_t least = sizeof time + sizeof cpu + 4;
    if ((size_t)(line.end - line.at) < least || memcmp(line.at, time, sizeof time - 1) != 0) {
        return false;
    }
    const uint8_t *p = line.at + sizeof time - 1, *from = p;
    uint64_t number;
    if (!tt_scan_hex(&p, line.end, &head->time) || (size_t)(line.end - p) < sizeof cpu ||
        memcmp(p, cpu, sizeof cpu - 1) != 0) {
        return false;
    }
    head->whole = p - from > 8;
    head->is_time = false;
    p += sizeof cpu - 1;
    if (!tt_scan_decimal(&p, line.end, &number) || number >= KEV_CPUS || p == line.end ||
        *p != ' ') {
        return false;
    }
    head->cpu = (uint32_t)number;
    return read_class((struct tpt_span){p + 1, line.end}, head);
}

/* Reads seconds, milliseconds and microseconds: 0.000.016us. */
static bool read_microseconds(const uint8_t **at, const uint8_t *end, uint64_t *time)
{
    const uint8_t *p = *at;
    uint64_t part[3];
    for (unsigned i = 0; i < 3; i++) {
        if (!tt_scan_decimal(&p, end, &part[i]) || (i > 0 && part[i] > 999) ||
            part[i] > UINT64_MAX / 1000000 - 1000) {
            return false;
        }
        if (i < 2 && (p == end || *p++ != '.')) {
            return false;
        }
    }
    if (end - p < 2 || p[0] != 'u' || p[1] != 's') {
        return false;
    }
    *at = p + 2;
    *time = (part[0] * 1000 + part[1]) * 1000 + part[2];
    return true;
}

/*
 * Reads heads of other forms (-p), also after the words of a script: words before a class, among them CPU:
 * with a number and a time, in cycles (0x..., c:..., t:...) or microseconds. Cycles are preferred.
 */
static bool read_free(struct tpt_span line, struct tpt_head *head)
{
    bool has_cycles = false, has_time = false, has_cpu = false;
    const uint8_t *p = line.at;
    const uint8_t *most = line.end - line.at > CLASS_REACH ? line.at + CLASS_REACH : line.end;
    uint64_t time = 0;
    while (p < most) {
        if (has_cpu && (has_cycles || has_time) && is_name_char(*p) &&
            read_class((struct tpt_span){p, line.end}, head)) {
            head->is_time = !has_cycles;
            head->time = has_cycles ? head->time : time;
            return true;
        }
        const bool cycles_key = most - p > 2 && (*p == 'c' || *p == 't') && p[1] == ':';
        if (most - p > 4 && memcmp(p, "CPU:", 4) == 0) {
            uint64_t number;
            p += 4;
            has_cpu = tt_scan_decimal(&p, most, &number) && number < KEV_CPUS;
            head->cpu = has_cpu ? (uint32_t)number : 0;
        } else if (cycles_key || (most - p > 2 && p[0] == '0' && p[1] == 'x')) {
            const uint8_t *from = p + 2;
            const bool prefixed = cycles_key && most - from > 2 && from[0] == '0' && from[1] == 'x';
            from += prefixed ? 2 : 0;
            p = from;
            if (cycles_key && !prefixed && read_microseconds(&p, most, &time)) {
                has_time = true;
            } else if (tt_scan_hex(&p, most, &head->time)) {
                has_cycles = true;
                head->whole = p - from > 8;
            }
        }
        while (p < most && *p != ' ') {
            p++;
        }
        while (p < most && *p == ' ') {
            p++;
        }
    }
    return false;
}

bool tpt_head_read(struct tpt_span line, struct tpt_head *head)
{
    return read_usual(line, head) || read_free(line, head);
}

/* ---- where a record ends -------------------------------------------------------------------- */

static bool is_empty(struct tpt_span line)
{
    while (line.at < line.end && (*line.at == ' ' || *line.at == '\r' || *line.at == '\t')) {
        line.at++;
    }
    return line.at == line.end;
}

/* Returns the end of the label: blanks, the line's end or, of a vector, the class's own form follow it. */
static const uint8_t *label_end(const uint8_t *at, const uint8_t *end)
{
    while (at < end && *at != ' ' && *at != '\r' && *at != '\t') {
        at++;
    }
    return at;
}

/* Returns the last text that begins in the line, if it does not end there; else NULL. */
static const uint8_t *open_quote(struct tpt_span line)
{
    const uint8_t *quote = NULL;
    for (const uint8_t *p = line.at; (p = memchr(p, '"', (size_t)(line.end - p))) != NULL; p++) {
        if (p > line.at && p[-1] == ':' && !quote) {
            quote = p;
        } else if (quote && line.end - p > 1 && (p[1] == ' ' || p[1] == ',' || p[1] == '\r')) {
            quote = NULL;
        } else if (quote && line.end - p == 1) {
            quote = NULL;
        }
    }
    return quote;
}

/* The lines of a record from its first one on. */
struct extent {
    const uint8_t *end;  /* after its line end */
    const uint8_t *stop; /* before it */
    uint32_t lines;
    bool complete;
};

/* Appends the next line; returns false if there is none, or its end may still come. */
static bool add_line(struct extent *extent, const uint8_t *limit, bool final)
{
    const uint8_t *from = extent->end;
    const uint8_t *end = from < limit ? memchr(from, '\n', (size_t)(limit - from)) : NULL;
    if (from == limit || (!end && !final)) {
        extent->complete = final;
        return false;
    }
    extent->stop = end ? end : limit;
    extent->end = end ? end + 1 : limit;
    extent->lines++;
    return true;
}

/* Adds the lines of a text argument up to its closing quote, if it is near. */
static void add_quoted(struct extent *extent, const uint8_t *quote, const uint8_t *limit,
                       bool final)
{
    const uint8_t *most = limit - quote > QUOTE_REACH ? quote + QUOTE_REACH : limit;
    const uint8_t *close = NULL;
    for (const uint8_t *p = quote + 1; p < most && !close; p++) {
        const uint8_t *found = memchr(p, '"', (size_t)(most - p));
        p = found ? found : most - 1;
        close = found && most - found > 2 && found[1] == ' ' && found[2] == '(' ? found : NULL;
    }
    if (!close) {
        extent->complete = extent->complete && (final || most < limit);
        return;
    }
    while (extent->stop <= close && add_line(extent, limit, final)) {
    }
}

/* Returns whether a line that does not begin with blanks is an argument: names are aligned at this column. */
static bool is_long_name(struct tpt_span line)
{
    const uint8_t *p = line.at;
    while (p<line.end && * p> ' ' && *p != ':') {
        p++;
    }
    return p < line.end && *p == ':' && p - line.at >= ARGUMENT_COLUMN;
}

/* Adds the lines of the arguments of an event. */
static void add_arguments(struct extent *extent, const uint8_t *limit, bool final)
{
    for (;;) {
        const uint8_t *next = extent->end;
        if (next == limit) {
            extent->complete = final;
            return;
        }
        const struct extent before = *extent;
        const bool is_plain = *next == 't'; /* the usual head */
        if (is_plain || !add_line(extent, limit, final)) {
            return;
        }
        const struct tpt_span line = {next, extent->stop};
        const bool is_argument =
            *next == ' ' || *next == '\t' ? !tpt_header_has(line) : is_long_name(line);
        if (!is_argument) {
            *extent = before;
            return;
        }
        const uint8_t *quote = open_quote(line);
        if (quote) {
            add_quoted(extent, quote, limit, final);
        }
    }
}

/* ---- the event ------------------------------------------------------------------------------ */

static bool read_call(const struct tpt_decoder *decoder, const struct tpt_class *class_,
                      struct tpt_span label, struct tpt_codes *codes)
{
    const uint8_t *slash = label.end;
    while (slash > label.at && slash[-1] != '/') {
        slash--;
    }
    uint64_t number;
    if (slash == label.at || !tt_scan_decimal(&slash, label.end, &number) || number >= KEV_EXIT) {
        return false;
    }
    const uint32_t code = KEV_CLASS_CALL << 10 | (uint32_t)(number + class_->event);
    codes->codes[codes->count++] = code;
    if (decoder->kev.release >= KEV_7 && class_->event != KEV_BROKEN_OFF) {
        codes->codes[codes->count++] = code | KEV_64_BIT;
    }
    return true;
}

/* Finds the codes of a label. One that the release does not have is the last event of its class. */
static void find_codes(const struct tpt_decoder *decoder, const struct tpt_class *class_,
                       struct tpt_span label, struct tpt_codes *codes)
{
    const size_t length = (size_t)(label.end - label.at);
    const struct tpt_label *found = tpt_label_find(decoder, class_->class_, label.at, length);
    uint8_t name[32] = {'V'};
    if (class_->name[0] == 'V' && length > 0 && label.at[0] != 'V' && length < sizeof name) {
        memcpy(name + 1, label.at,
               length); /* 6.4 names the states of virtual threads as a thread's */
        found = tpt_label_find(decoder, class_->class_, name, length + 1);
    }
    for (uint32_t i = 0; found && i < found->count; i++) {
        codes->codes[codes->count++] = found->codes[i];
    }
    if (found) {
        return;
    }
    const bool is_state = class_->class_ == KEV_CLASS_THREAD && class_->name[0] != 'P';
    uint64_t number = is_state ? KEV_STATE_EVENTS - 1 : KEV_EVENT_MASK;
    const uint8_t *digits = label.end;
    while (digits > label.at && (uint32_t)(digits[-1] - '0') <= 9) {
        digits--;
    }
    const uint32_t most = (uint32_t)number;
    if (digits > label.at && (digits[-1] == '_' || digits[-1] == ':')) {
        tt_scan_decimal(&digits, label.end, &number);
    }
    codes->codes[codes->count++] =
        (uint32_t)class_->class_ << 10 | (number < most ? (uint32_t)number : most);
}

/* -1 and the error number; returns the place after it. 6.4 writes no line end there. */
static const uint8_t *read_failure(struct tpt_span text, struct tpt_payload *payload)
{
    static const char failure[] = "ret_val:-1, errno:";
    while (text.at < text.end && *text.at == ' ') {
        text.at++;
    }
    uint64_t number;
    if ((size_t)(text.end - text.at) < sizeof failure ||
        memcmp(text.at, failure, sizeof failure - 1) != 0) {
        return NULL;
    }
    text.at += sizeof failure - 1;
    if (!tt_scan_decimal(&text.at, text.end, &number) || number > UINT32_MAX) {
        return NULL;
    }
    tpt_put_word(payload, UINT32_MAX);
    tpt_put_word(payload, (uint32_t)number);
    return text.at;
}

/* Reads label and arguments. *end is moved back if the next event begins on the same line. */
static bool read_event(const struct tpt_decoder *decoder, struct tpt_span label,
                       const uint8_t *stop, struct tpt_record *record, const uint8_t **end,
                       struct tpt_payload *payload)
{
    const struct tpt_class *class_ = record->head.class_;
    const struct tpt_span text = {label.end, stop};
    struct tpt_codes codes = {.count = 0};
    switch (class_->form) {
    case TPT_VECTOR:
        return tpt_args_of_vector(decoder, class_->event, (struct tpt_span){label.at, stop},
                                  &record->code, payload);
    case TPT_CALLS:
        if (!read_call(decoder, class_, label, &codes)) {
            record->code = KEV_CLASS_CALL << 10 | KEV_EVENT_MASK;
            return false;
        }
        break;
    default:
        if (label.end > label.at && label.end[-1] == ',') {
            label.end--;
        }
        find_codes(decoder, class_, label, &codes);
        break;
    }
    record->code = codes.codes[0];
    if (class_->form == TPT_NUMBERS) {
        return tpt_args_of_user(text, payload);
    }
    const uint32_t number = record->code & KEV_EVENT_MASK;
    if (class_->form == TPT_CONTROL_FORM && (number == 2 || number == 4)) {
        return tpt_args_of_buffer(text, number == 4, payload);
    }
    const uint8_t *after = class_->event == KEV_EXIT ? read_failure(text, payload) : NULL;
    if (after) {
        const bool is_glued = after < stop && *after == 't';
        *end = is_glued ? after : *end;
        return true;
    }
    return tpt_args_read(decoder, &codes, text, &record->code, payload);
}

void tpt_record_read(const struct tpt_decoder *decoder, struct tt_bytes bytes, uint64_t pos,
                     bool final, struct tpt_record *record, struct tpt_payload *payload)
{
    const uint8_t *from = bytes.data + pos, *limit = bytes.data + bytes.size;
    struct extent extent = {.end = from, .complete = true};
    record->sort = TPT_CUT;
    record->end = pos;
    record->lines = 0;
    payload->words = 0;
    if (pos >= bytes.size || !add_line(&extent, limit, final)) {
        return;
    }
    const struct tpt_span line = {from, extent.stop};
    if (!tpt_head_read(line, &record->head)) {
        record->sort = tpt_header_has(line) ? TPT_HEADER : TPT_OTHER;
        record->end = (uint64_t)(extent.end - bytes.data);
        record->lines = 1;
        return;
    }
    struct tpt_span label = {record->head.after, line.end};
    while (label.at < label.end && *label.at == ' ') {
        label.at++;
    }
    label.end = label_end(label.at, line.end);
    if (is_empty((struct tpt_span){label.end, line.end})) {
        add_arguments(&extent, limit, final);
    } else if (memchr(label.end, '"', (size_t)(line.end - label.end))) {
        const uint8_t *quote = open_quote((struct tpt_span){label.end, line.end});
        if (quote) {
            add_quoted(&extent, quote, limit, final);
        }
    }
    if (!extent.complete) {
        return;
    }
    const bool read = read_event(decoder, label, extent.stop, record, &extent.end, payload);
    record->sort = read ? TPT_EVENT : TPT_DOUBTFUL;
    record->end = (uint64_t)(extent.end - bytes.data);
    record->lines = extent.lines;
    if (extent.end <= extent.stop && extent.lines > 0) {
        record->lines--; /* the next event begins on this line */
    }
}

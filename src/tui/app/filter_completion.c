/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter_completion: offers fields, operators and values of the capture at the caret of a filter.
 *
 *      thread = "io-blk/2 serve" and cpu in (0, 2)
 *      field  op value           join field op value
 */
#include <string.h>

#include "trace/arg_names.h"
#include "tracetui/event_line.h"
#include "tracetui/format.h"
#include "tui/app/app.h"

#define VALUE_BYTES 512

enum place { AT_TERM, AT_OP, AT_VALUE, AT_JOIN, AT_NOTHING };

struct reading {
    const char *text;
    size_t end; /* the caret */
    size_t at;
    size_t start; /* of the word at or before the caret */
    enum place place;
    const char *field;
    size_t field_length;
    bool list; /* in a list of values in parentheses */
    bool in;   /* the operator takes a list */
};

/* ---- where the caret is ------------------------------------------------------------------- */

static bool completion_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool ends_word(const struct reading *reading, char c)
{
    return completion_is_blank(c) || c == '(' || c == ')' || c == ',' ||
           (reading->place == AT_TERM && strchr("=!<>~", c));
}

/* Skips past the closing `quote`; returns false if the caret comes first. */
static bool skip_quoted(struct reading *reading, char quote)
{
    for (reading->at++; reading->at < reading->end; reading->at++) {
        if (reading->text[reading->at] == '\\') {
            reading->at++;
        } else if (reading->text[reading->at] == quote) {
            reading->at++;
            return true;
        }
    }
    return false;
}

static void skip_word(struct reading *reading)
{
    while (reading->at < reading->end && !ends_word(reading, reading->text[reading->at])) {
        if (reading->text[reading->at] == '"' && !skip_quoted(reading, '"')) {
            return;
        }
        reading->at +=
            reading->at < reading->end && !ends_word(reading, reading->text[reading->at]);
    }
}

static bool completion_is_word(const struct reading *reading, const char *word)
{
    size_t length = strlen(word);
    return reading->at - reading->start == length &&
           strncmp(reading->text + reading->start, word, length) == 0;
}

static void read_term(struct reading *reading)
{
    if (reading->text[reading->at] == '(') {
        reading->at++;
    } else if (reading->text[reading->at] == '/') {
        reading->place = skip_quoted(reading, '/') ? AT_JOIN : AT_NOTHING;
    } else {
        skip_word(reading);
        if (reading->at == reading->start) {
            reading->place = AT_NOTHING; /* not the beginning of a term */
        } else if (reading->at < reading->end && !completion_is_word(reading, "not")) {
            reading->field = reading->text + reading->start;
            reading->field_length = reading->at - reading->start;
            reading->place = AT_OP;
        }
    }
}

static void read_op(struct reading *reading)
{
    while (reading->at < reading->end && strchr("=!<>~", reading->text[reading->at])) {
        reading->at++;
    }
    if (reading->at > reading->start) {
        reading->in = false;
        reading->place = AT_VALUE;
        return;
    }
    skip_word(reading);
    if (reading->at < reading->end || reading->at == reading->start) {
        reading->in = completion_is_word(reading, "in");
        reading->place = reading->in ? AT_VALUE : AT_NOTHING;
    }
}

static void completion_read_value(struct reading *reading)
{
    char c = reading->text[reading->at];
    if (c == '(' && reading->in && !reading->list) {
        reading->list = true;
        reading->at++;
        return;
    }
    if (c == '/') {
        reading->place = skip_quoted(reading, '/') ? AT_JOIN : AT_NOTHING;
        return;
    }
    skip_word(reading);
    if (reading->at == reading->start) {
        reading->place = AT_NOTHING;
    } else if (reading->at < reading->end) {
        reading->place = AT_JOIN;
    }
}

static void read_join(struct reading *reading)
{
    char c = reading->text[reading->at];
    if (c == ')') {
        reading->at++;
        reading->list = false;
    } else if (c == ',' && reading->list) {
        reading->at++;
        reading->place = AT_VALUE;
    } else {
        skip_word(reading);
        if (reading->at == reading->start) {
            reading->place = AT_NOTHING;
        } else if (reading->at < reading->end) {
            reading->place = completion_is_word(reading, "and") || completion_is_word(reading, "or")
                                 ? AT_TERM
                                 : AT_NOTHING;
        }
    }
}

static struct reading read_up_to(const char *text, size_t caret)
{
    struct reading r = {.text = text, .end = caret};
    while (r.place != AT_NOTHING) {
        while (r.at < r.end && completion_is_blank(text[r.at])) {
            r.at++;
        }
        r.start = r.at;
        if (r.at >= r.end) {
            break;
        }
        switch (r.place) {
        case AT_TERM:
            read_term(&r);
            break;
        case AT_OP:
            read_op(&r);
            break;
        case AT_VALUE:
            completion_read_value(&r);
            break;
        default:
            read_join(&r);
            break;
        }
        if (r.at >= r.end && r.place != AT_NOTHING) {
            bool closed = strchr("(),=!<>~", text[r.end - 1]) != NULL;
            r.start = closed ? r.end : r.start;
            break; /* the caret is at the end of this word */
        }
    }
    return r;
}

/* ---- offers ------------------------------------------------------------------------------- */

static void offer_fields(struct tt_completion *completion)
{
    const struct tt_filter_field *field;
    for (unsigned i = 0; (field = tt_filter_field_at(i)); i++) {
        char insert[32];
        struct tt_text text = tt_text_of(insert, sizeof insert);
        bool named = strchr(field->name, '.') != NULL; /* arg.NAME: the name follows */
        tt_text_bytes(&text, field->name, named ? 4 : strlen(field->name));
        tt_text_str(&text, named ? "" : " ");
        tt_completion_offer(completion, tt_text_cstr(&text), field->name, field->help);
    }
    tt_completion_offer(completion, "not ", "not", "negates the next term");
}

/* Offers the argument names of the event at the cursor. */
static void offer_arguments(struct tt_app *app, struct tt_completion *out)
{
    struct tt_args args;
    if (!app->ws.nav.cursor.valid ||
        !tt_events_describe(app->ws.opened.events, &app->ws.nav.cursor.event, &args)) {
        return;
    }
    for (unsigned i = 0; i < args.count; i++) {
        char insert[VALUE_BYTES];
        struct tt_text text = tt_text_of(insert, sizeof insert);
        tt_text_str(&text, "arg.");
        tt_text_escaped(&text, args.v[i].name.data, args.v[i].name.length);
        tt_text_char(&text, ' ');
        if (!text.truncated && !args.v[i].hidden) {
            tt_completion_offer(out, tt_text_cstr(&text), NULL, "of the event at the cursor");
        }
    }
}

static const struct tt_filter_field *completion_field_of(const struct reading *reading)
{
    const struct tt_filter_field *field;
    for (unsigned i = 0; (field = tt_filter_field_at(i)); i++) {
        bool named = strchr(field->name, '.') != NULL;
        size_t length = named ? 4 : strlen(field->name);
        if ((named ? reading->field_length > length : reading->field_length == length) &&
            strncmp(reading->field, field->name, length) == 0) {
            return field;
        }
    }
    return NULL;
}

static void offer_operators(const struct reading *reading, struct tt_completion *out)
{
    const struct tt_filter_field *field = completion_field_of(reading);
    const char *at = field ? field->operators : "";
    while (*at) {
        char insert[8];
        size_t length = strcspn(at, " ");
        struct tt_text text = tt_text_of(insert, sizeof insert);
        tt_text_bytes(&text, at, length);
        tt_text_char(&text, ' ');
        tt_completion_offer(out, tt_text_cstr(&text), NULL, NULL);
        at += length + (at[length] == ' ');
    }
}

/* Offers a value once, quoted if necessary. */
static void offer_value(struct tt_completion *completion, const char *value, const char *help)
{
    char insert[VALUE_BYTES];
    struct tt_text text = tt_text_of(insert, sizeof insert);
    bool quotes = value[0] == '\0' || strpbrk(value, " \t()\",\\/=!<>~") != NULL;
    tt_text_str(&text, quotes ? "\"" : "");
    for (const char *c = value; *c; c++) {
        if (*c == '"' || *c == '\\') {
            tt_text_char(&text, '\\');
        }
        tt_text_char(&text, *c);
    }
    tt_text_str(&text, quotes ? "\"" : "");
    if (text.truncated) {
        return;
    }
    const char *whole = tt_text_cstr(&text);
    for (unsigned i = 0; i < completion->count; i++) {
        if (strcmp(tt_completion_insert(completion, i), whole) == 0) {
            return;
        }
    }
    tt_completion_offer_quoted(completion, whole, value, help);
}

static void offer_threads(const struct tt_capture *capture, struct tt_completion *out)
{
    uint32_t count = tt_thread_count(capture);
    for (uint32_t thread = 0; thread < count && out->more == 0; thread++) {
        char value[VALUE_BYTES];
        struct tt_text text = tt_text_of(value, sizeof value);
        tt_line_thread(&text, capture, thread);
        offer_value(out, tt_text_cstr(&text), NULL);
    }
}

/* Offers the names of processes, or their base names. */
static void offer_processes(const struct tt_capture *capture, bool bases, struct tt_completion *out)
{
    uint32_t count = tt_process_count(capture);
    for (uint32_t i = 0; i < count && out->more == 0; i++) {
        char value[VALUE_BYTES];
        size_t length;
        const struct tt_process *process = tt_process_at(capture, i);
        const char *name = bases ? tt_process_base_name(capture, process, &length)
                                 : tt_capture_text(capture, process->name, &length);
        struct tt_text text = tt_text_of(value, sizeof value);
        tt_text_escaped(&text, name, length);
        if (length > 0) {
            offer_value(out, tt_text_cstr(&text), NULL);
        }
    }
}

static void offer_types(struct tt_app *app, bool classes, struct tt_completion *out)
{
    const struct tt_capture *capture = app->ws.opened.capture;
    uint32_t count = tt_types_count(capture);
    for (uint32_t type = 0; type < count && out->more == 0; type++) {
        const struct tt_event_type *event_type = tt_types_at(capture, type);
        if (tt_trace_type_events(app->ws.opened.trace, type) > 0) {
            offer_value(out, classes ? event_type->class_name : event_type->name,
                        classes ? NULL : event_type->class_name);
        }
    }
}

static void offer_values(struct tt_app *app, const struct reading *reading,
                         struct tt_completion *out)
{
    const struct tt_filter_field *field = completion_field_of(reading);
    const struct tt_capture *capture = app->ws.opened.capture;
    const char *name = field ? field->name : "";
    if (strncmp(name, "arg.", 4) == 0) {
        /* Offers the names of what an argument refers to. */
        const char *arg = reading->field + 4;
        size_t length = reading->field_length - 4;
        const struct tt_format *format = capture->format;
        bool peer = tt_arg_may_mean(format, arg, length, TT_ARG_PEER);
        if (peer || tt_arg_may_mean(format, arg, length, TT_ARG_PROCESS) ||
            tt_arg_may_mean(format, arg, length, TT_ARG_OWN_PROCESS)) {
            offer_processes(capture, true, out);
        }
        if (peer || tt_arg_may_mean(format, arg, length, TT_ARG_THREAD) ||
            tt_arg_may_mean(format, arg, length, TT_ARG_OWNER)) {
            offer_threads(capture, out);
        }
    } else if (strcmp(name, "thread") == 0) {
        offer_threads(capture, out);
    } else if (strcmp(name, "process") == 0) {
        offer_processes(capture, false, out);
    } else if (strcmp(name, "class") == 0 || strcmp(name, "event") == 0) {
        offer_types(app, name[0] == 'c', out);
    } else if (strcmp(name, "state") == 0) {
        for (uint32_t state = 0; state < capture->format->state_count; state++) {
            const struct tt_state_info *info = &capture->format->states[state];
            offer_value(out, info->name, tt_class_name(info->class_));
        }
        for (unsigned class_ = 0; class_ < TT_CLASS_COUNT; class_++) {
            offer_value(out, tt_class_name(class_), "a class of states");
        }
    } else if (strcmp(name, "cpu") == 0) {
        for (uint32_t cpu = 0; cpu < capture->cpu_count; cpu++) {
            char value[16];
            struct tt_text text = tt_text_of(value, sizeof value);
            tt_text_u64(&text, cpu);
            offer_value(out, tt_text_cstr(&text), NULL);
        }
    } else if (strcmp(name, "kind") == 0) {
        for (unsigned kind = 0; kind < TT_KIND_COUNT; kind++) {
            offer_value(out, tt_kind_name(kind), NULL);
        }
    } else if (field && strcmp(field->operators, "= !=") == 0) {
        offer_value(out, "yes", field->help);
        offer_value(out, "no", NULL);
    }
}

void tt_find_complete(void *arg, const char *text, size_t caret, struct tt_completion *out)
{
    struct tt_app *app = arg;
    struct reading r = read_up_to(text, caret);
    tt_completion_begin(out, text, r.start, caret);
    switch (r.place) {
    case AT_TERM:
        offer_fields(out);
        offer_arguments(app, out);
        break;
    case AT_OP:
        offer_operators(&r, out);
        break;
    case AT_VALUE:
        offer_values(app, &r, out);
        break;
    case AT_JOIN:
        tt_completion_offer(out, "and ", "and", NULL);
        tt_completion_offer(out, "or ", "or", NULL);
        break;
    default:
        break;
    }
}

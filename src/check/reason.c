/* SPDX-License-Identifier: Apache-2.0 */
/* reason: why a rule failed, in five lines, and the command that opens the capture there. */
#include <string.h>

#include "check/judge.h"
#include "tracetui/event_line.h"
#include "tracetui/line_parts.h"
#include "tracetui/why_text.h"

#define PIECES_MOST 4096u

static void add_line(struct tt_check *k, struct tt_check_result *r, struct tt_text *text)
{
    size_t blanks = 0;
    while (blanks < text->used && text->buffer[blanks] == ' ') {
        blanks++;
    }
    struct tt_text line = tt_text_of(text->buffer + blanks, text->used - blanks);
    line.used = text->used - blanks;
    if (r->why_count < TT_CHECK_WHY && line.used > 0) {
        r->why[r->why_count++] = tt_check_text(k, &line);
    }
}

/* Adds the line of an event, as `dump` prints it. */
static void add_event(struct tt_check *k, struct tt_check_result *r, uint64_t row)
{
    char buffer[TT_WHY_LINE];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    struct tt_event event;
    struct tt_args args;
    if (row == UINT64_MAX || tt_events_read(k->events, row, 1, &event) != 1 ||
        !tt_events_describe(k->events, &event, &args)) {
        return;
    }
    tt_line_event(&text, k->capture, &event, &args, k->first_ticks);
    add_line(k, r, &text);
}

/* Adds the interval and the pieces of its explanation, the longest first. */
static bool add_explanation(struct tt_check *k, struct tt_check_result *r,
                            const struct tt_finding *f)
{
    char buffer[TT_WHY_LINE];
    struct tt_explanation e = {0};
    struct tt_explain_request request = {
        .thread = f->thread, .from = f->from, .to = f->to, .piece_limit = PIECES_MOST};
    struct tt_why_scene scene = {
        .capture = k->capture, .timelines = k->t, .first_ticks = k->first_ticks};
    if (!k->wakes) {
        k->wakes = tt_wakes_new(k->request.trace);
    }
    bool ok = k->wakes && tt_explain(k->wakes, &request, &e);
    if (ok) {
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        tt_why_head(&text, &scene, &tt_why_shape_text, &e, f->kind);
        add_line(k, r, &text);
    }
    for (size_t i = 0; ok && i < e.late_count && r->why_count < TT_CHECK_WHY; i++) {
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        tt_why_late(&text, &scene, &tt_why_shape_text, &e, &e.late[i]);
        add_line(k, r, &text);
    }
    tt_explanation_free(&e);
    return ok;
}

/* Appends a word of a shell command in quotes. The path is escaped, so it cannot drive a terminal. */
static void put_quoted(struct tt_text *text, const char *word)
{
    char buffer[4096];
    struct tt_text shown = tt_text_of(buffer, sizeof buffer);
    tt_text_escaped(&shown, word, strlen(word));
    tt_text_char(text, '\'');
    for (size_t i = 0; i < shown.used; i++) {
        if (buffer[i] == '\'') {
            tt_text_str(text, "'\\''");
        } else {
            tt_text_char(text, buffer[i]);
        }
    }
    tt_text_char(text, '\'');
}

static void set_command(struct tt_check *k, struct tt_check_result *r, const struct tt_finding *f)
{
    char buffer[8192];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_str(&text, "tracetui ");
    if (f->at != TT_NO_AT) {
        tt_text_str(&text, "--keys ':goto ");
        tt_check_place(k, &text, f->at);
        tt_text_str(&text, "<Enter>' ");
    }
    put_quoted(&text, k->request.path);
    r->command = tt_check_text(k, &text);
}

struct tt_status tt_check_explain(struct tt_check *k, size_t rule, const struct tt_finding *f)
{
    struct tt_check_result *r = &k->results[rule];
    add_event(k, r, f->row);
    bool ok = true;
    if (f->thread < tt_thread_count(k->capture) && f->from < f->to) {
        ok = add_explanation(k, r, f);
        if (f->where[0] == '\0') {
            char buffer[1024];
            struct tt_text text = tt_text_of(buffer, sizeof buffer);
            tt_line_thread(&text, k->capture, f->thread);
            r->where = tt_check_text(k, &text);
        }
    }
    set_command(k, r, f);
    return ok ? tt_ok() : tt_error_memory();
}

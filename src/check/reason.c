/* SPDX-License-Identifier: Apache-2.0 */
/* reason: why a rule failed, in five lines, and the command that opens the capture there. */
#include <string.h>

#include "analysis/causes/why_text.h"
#include "check/judge.h"
#include "trace/line_parts.h"
#include "tracetui/event_line.h"

#define PIECES_MOST 4096u

static void reason_add_line(struct tt_check *check, struct tt_check_result *result,
                            struct tt_text *text)
{
    size_t blanks = 0;
    while (blanks < text->used && text->buffer[blanks] == ' ') {
        blanks++;
    }
    struct tt_text line = tt_text_of(text->buffer + blanks, text->used - blanks);
    line.used = text->used - blanks;
    if (result->why_count < TT_CHECK_WHY && line.used > 0) {
        result->why[result->why_count++] = tt_check_text(check, &line);
    }
}

/* Adds the line of an event, as `dump` prints it. */
static void reason_add_event(struct tt_check *check, struct tt_check_result *result, uint64_t row)
{
    char buffer[TT_WHY_LINE];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    struct tt_event event;
    struct tt_args args;
    if (row == UINT64_MAX || tt_events_read(check->events, row, 1, &event) != 1 ||
        !tt_events_describe(check->events, &event, &args)) {
        return;
    }
    tt_line_event(&text, check->capture, &event, &args, check->first_ticks);
    reason_add_line(check, result, &text);
}

/* Adds the interval and the pieces of its explanation, the longest first. */
static bool add_explanation(struct tt_check *check, struct tt_check_result *result,
                            const struct tt_finding *finding)
{
    char buffer[TT_WHY_LINE];
    struct tt_explanation e = {0};
    struct tt_explain_request request = {.thread = finding->thread,
                                         .from = finding->from,
                                         .to = finding->to,
                                         .piece_limit = PIECES_MOST};
    struct tt_why_scene scene = {
        .capture = check->capture, .timelines = check->t, .first_ticks = check->first_ticks};
    if (!check->wakes) {
        check->wakes = tt_wakes_new(check->request.trace);
    }
    bool ok = check->wakes && tt_explain(check->wakes, &request, &e);
    if (ok) {
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        tt_why_head(&text, &scene, &tt_why_shape_text, &e, finding->kind);
        reason_add_line(check, result, &text);
    }
    for (size_t i = 0; ok && i < e.late_count && result->why_count < TT_CHECK_WHY; i++) {
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        tt_why_late(&text, &scene, &tt_why_shape_text, &e, &e.late[i]);
        reason_add_line(check, result, &text);
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

struct tt_status tt_check_explain(struct tt_check *check, size_t rule,
                                  const struct tt_finding *finding)
{
    struct tt_check_result *result = &check->results[rule];
    reason_add_event(check, result, finding->row);
    bool ok = true;
    if (finding->thread < tt_thread_count(check->capture) && finding->from < finding->to) {
        ok = add_explanation(check, result, finding);
        if (finding->where[0] == '\0') {
            char buffer[1024];
            struct tt_text text = tt_text_of(buffer, sizeof buffer);
            tt_line_thread(&text, check->capture, finding->thread);
            result->where = tt_check_text(check, &text);
        }
    }

    char buffer[8192];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_str(&text, "tracetui ");
    if (finding->at != TT_NO_AT) {
        tt_text_str(&text, "--keys ':goto ");
        tt_check_place(check, &text, finding->at);
        tt_text_str(&text, "<Enter>' ");
    }
    put_quoted(&text, check->request.path);
    result->command = tt_check_text(check, &text);

    return ok ? tt_ok() : tt_error_memory();
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check: the Check pane: the rules of a file with their verdicts on the capture, the worst first, and
 * below them the reason of the selected one; or the errors of the file.
 *
 *       check: qnx.check                            11 passed  1 failed  1 undecided
 *       verdict    rule                          value  limit       place
 *      ▌FAILED     sensor is regular         203.4 us  < 50 us     0.028 116 204  sensor/1
 *       passed     nothing lost                     0  = 0
 *      ─ qnx.check:18 ───────────────────
 *       jitter of job sensor/1 < 50us
 *
 * It covers the view below it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tracetui/line_parts.h"
#include "tui/app/view.h"
#include "tui/draw/units.h"
#include "tui/list/list.h"

#define VERDICT_WIDTH 9
#define VALUE_WIDTH   13
#define LIMIT_WIDTH   11
#define TIME_WIDTH    15
#define NAME_MOST     48 /* columns of the name of a rule */
#define NAME_LEAST    12
#define LIST_LEAST    3 /* lines of the list that the details leave */
#define LINE_BYTES    2048

struct pane {
    struct tt_list list;
    int details; /* line above the details; 0: there is no room */
};

#define LIST 2

static void *pane_open(void)
{
    return calloc(1, sizeof(struct pane));
}

static void pane_close(void *state)
{
    free(state);
}

/* Returns the number of lines of the list: verdicts, or errors of the rules. */
static size_t count_of(const struct tt_workspace *ws)
{
    const struct tt_checking *c = &ws->checking;
    size_t errors = tt_checking_errors(c);
    return errors > 0 ? errors : c->judged.check ? c->judged.count : 0;
}

/* Returns the selected result; NULL if there is none. */
static const struct tt_check_result *selected(const struct tt_workspace *ws, const struct pane *p)
{
    const struct tt_checking *c = &ws->checking;
    return c->judged.check && p->list.at < c->judged.count ? tt_checking_result(c, p->list.at)
                                                           : NULL;
}

/* ---- details ------------------------------------------------------------------------------ */

/* Writes a line of the details of a result; returns false after the last one. */
static bool detail_line(const struct tt_check_result *r, unsigned line, struct tt_text *text)
{
    if (line == 0) {
        tt_report_text(text, r->rule->text);
        return true;
    }
    line--;
    if (r->reason[0] && line-- == 0) {
        tt_text_str(text, r->reason);
        return true;
    }
    if (r->warning[0] && line-- == 0) {
        tt_text_str(text, r->warning);
        return true;
    }
    if (line < r->why_count) {
        tt_text_str(text, r->why[line]);
        return true;
    }
    return false;
}

static int detail_lines(const struct tt_check_result *r)
{
    return r ? 1 + (r->reason[0] != '\0') + (r->warning[0] != '\0') + (int)r->why_count : 0;
}

/* ---- layout ------------------------------------------------------------------------------- */

/* Selects the rule that was added. */
static void go_to_wanted(struct tt_workspace *ws, struct pane *p)
{
    struct tt_checking *c = &ws->checking;
    for (size_t i = 0; c->judged.check && c->wanted != SIZE_MAX && i < c->judged.count; i++) {
        if (c->order[i] == c->wanted) {
            p->list.at = i;
            c->wanted = SIZE_MAX;
        }
    }
}

static void pane_layout(struct tt_workspace *ws, void *state, struct tt_area area)
{
    struct pane *p = state;
    tt_checking_work(ws, tt_now_ns()); /* a step, so that small captures need no second frame */
    size_t count = count_of(ws);
    go_to_wanted(ws, p);
    /* The most lines that a rule may need: the list does not move while the cursor does. */
    int most = 0;
    for (size_t i = 0; ws->checking.judged.check && i < ws->checking.judged.count; i++) {
        int lines = detail_lines(&ws->checking.judged.results[i]);
        most = lines > most ? lines : most;
    }
    int room = area.height - LIST - 1 - LIST_LEAST;
    most = most > room ? room : most;
    p->details = most > 0 ? area.height - most - 1 : 0;
    int end = p->details > 0 ? p->details : area.height;
    tt_list_layout(&p->list, count, LIST, end - LIST);
}

static bool pane_work(struct tt_workspace *ws, void *state, uint64_t budget_ns)
{
    (void)state;
    return tt_checking_work(ws, tt_now_ns() + budget_ns);
}

static bool pane_settled(const struct tt_workspace *ws, const void *state)
{
    const struct tt_checking *c = &ws->checking;
    (void)state;
    return !c->rules || tt_checking_errors(c) > 0 || c->judged.check || tt_failed(&c->status);
}

/* ---- drawing ------------------------------------------------------------------------------ */

static const struct {
    const char *word;
    enum tt_role role;
} verdicts[] = {
    [TT_VERDICT_PASSED] = {"passed", TT_ROLE_RUNNING},
    [TT_VERDICT_UNDECIDED] = {"UNDECIDED", TT_ROLE_WARNING},
    [TT_VERDICT_FAILED] = {"FAILED", TT_ROLE_ERROR},
};

/* Draws a number of verdicts with its word, right-aligned before column `x`; returns its column. */
static int draw_sum(struct tt_area area, int x, size_t count, const char *word, enum tt_role role)
{
    char buffer[64];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_grouped(&text, count);
    tt_text_char(&text, ' ');
    tt_text_str(&text, word);
    x -= (int)text.used;
    tt_draw_text(area, x, 0, (int)text.used, count > 0 ? role : TT_ROLE_DIM, buffer, text.used);
    return x - 2;
}

/* Draws the state of the check at the right of the title; returns the column before it. */
static int draw_state(const struct tt_workspace *ws, struct tt_area area)
{
    const struct tt_checking *c = &ws->checking;
    char buffer[64];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    int x = area.width - 1;
    if (c->judged.check) {
        x = draw_sum(area, x, c->judged.undecided, "undecided", TT_ROLE_WARNING);
        x = draw_sum(area, x, c->judged.failed, "failed", TT_ROLE_ERROR);
        return draw_sum(area, x, c->judged.passed, "passed", TT_ROLE_TEXT);
    }
    size_t errors = tt_checking_errors(c);
    if (errors > 0) {
        return draw_sum(area, x, errors, errors == 1 ? "error" : "errors", TT_ROLE_ERROR);
    }
    if (!tt_failed(&c->status)) {
        tt_text_str(&text, ws->index.progress.finished ? "judging " : "waits for the index");
        if (ws->index.progress.finished) {
            tt_text_u64(&text, c->check ? tt_check_percent(c->check) : 0);
            tt_text_str(&text, " %");
        }
    }
    x -= (int)text.used;
    tt_draw_text(area, x, 0, (int)text.used, TT_ROLE_PROGRESS, buffer, text.used);
    return x - 2;
}

static void draw_title(const struct tt_workspace *ws, struct tt_area area)
{
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    int end = draw_state(ws, area);
    tt_text_str(&text, "check: ");
    tt_text_escaped(&text, ws->checking.path, strlen(ws->checking.path));
    tt_draw_text(area, 1, 0, end > 1 ? end - 1 : 0, TT_ROLE_TITLE, buffer, text.used);
}

/* The columns of the list: the name takes what the others leave. */
struct columns {
    int name, name_width, value, limit, time, where;
};

static struct columns columns_of(struct tt_area area)
{
    struct columns c = {.name = 1 + VERDICT_WIDTH + 2};
    int others = VALUE_WIDTH + LIMIT_WIDTH + TIME_WIDTH + 4;
    c.name_width = area.width - c.name - others - 1;
    c.name_width = c.name_width > NAME_MOST    ? NAME_MOST
                   : c.name_width < NAME_LEAST ? NAME_LEAST
                                               : c.name_width;
    c.value = c.name + c.name_width + 1;
    c.limit = c.value + VALUE_WIDTH + 2;
    c.time = c.limit + LIMIT_WIDTH + 1;
    c.where = c.time + TIME_WIDTH + 2;
    return c;
}

static void draw_heads(struct tt_area area, const struct columns *c)
{
    tt_draw(area, 1, 1, VERDICT_WIDTH, TT_ROLE_COLUMNS, "verdict");
    tt_draw(area, c->name, 1, c->name_width, TT_ROLE_COLUMNS, "rule");
    tt_draw_right(area, c->value, 1, VALUE_WIDTH, TT_ROLE_COLUMNS, "value");
    tt_draw(area, c->limit, 1, LIMIT_WIDTH, TT_ROLE_COLUMNS, "limit");
    tt_draw(area, c->time, 1, TIME_WIDTH, TT_ROLE_COLUMNS, "at");
    if (c->where < area.width - 1) {
        tt_draw(area, c->where, 1, area.width - c->where - 1, TT_ROLE_COLUMNS, "of");
    }
}

/* Draws a value with its unit as on the rest of the screen. */
static void draw_value(const struct tt_workspace *ws, struct tt_area area, int x, int y, int width,
                       bool right, const char *value)
{
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_str(&text, value);
    tt_units_adopt(&text, tt_term_glyph(&ws->term, TT_GLYPH_MICRO));
    if (right) {
        tt_draw_right(area, x, y, width, TT_ROLE_TEXT, tt_text_cstr(&text));
    } else {
        tt_draw_text(area, x, y, width, TT_ROLE_TEXT, buffer, text.used);
    }
}

static void draw_result(const struct tt_workspace *ws, struct tt_area area, int y,
                        const struct columns *c, const struct tt_check_result *r)
{
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_draw(area, 1, y, VERDICT_WIDTH, verdicts[r->verdict].role, verdicts[r->verdict].word);
    tt_report_text(&text, r->rule->name);
    tt_draw_text(area, c->name, y, c->name_width, TT_ROLE_TEXT, buffer, text.used);
    draw_value(ws, area, c->value, y, VALUE_WIDTH, true, r->value_text);
    draw_value(ws, area, c->limit, y, LIMIT_WIDTH, false, r->limit_text);
    if (r->at != UINT64_MAX) {
        text = tt_text_of(buffer, sizeof buffer);
        tt_time_label_moment(ws, &text, r->at);
        tt_draw_text(area, c->time, y, TIME_WIDTH, TT_ROLE_TIME, buffer, text.used);
    }
    if (c->where < area.width - 1) {
        tt_draw(area, c->where, y, area.width - c->where - 1, TT_ROLE_THREAD, r->where);
    }
}

static void draw_error(struct tt_area area, int y, struct tt_rules_error error)
{
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_report_text(&text, error.place);
    tt_text_str(&text, ": ");
    tt_report_text(&text, error.text);
    tt_draw_text(area, 1, y, area.width - 2, TT_ROLE_TEXT, buffer, text.used);
}

static void draw_list(const struct tt_workspace *ws, const struct pane *p, struct tt_area area)
{
    const struct tt_checking *check = &ws->checking;
    struct columns c = columns_of(area);
    bool errors = tt_checking_errors(check) > 0;
    if (errors) {
        tt_draw(area, 1, 1, area.width - 2, TT_ROLE_COLUMNS,
                "nothing is judged: correct these lines, then :check FILE");
    } else {
        draw_heads(area, &c);
    }
    if (tt_failed(&check->status)) {
        tt_draw(area, 1, LIST, area.width - 2, TT_ROLE_ERROR, check->status.text);
    }
    for (int i = 0; tt_list_row(&p->list, i) < p->list.count; i++) {
        size_t line = tt_list_row(&p->list, i);
        if (errors) {
            draw_error(area, LIST + i, tt_rules_error_at(check->rules, line));
        } else {
            draw_result(ws, area, LIST + i, &c, tt_checking_result(check, line));
        }
    }
    tt_list_draw_cursor(&p->list, &ws->term, area);
}

/* Draws the selected rule in full, and why it failed or is undecided. */
static void draw_details(const struct tt_workspace *ws, const struct pane *p, struct tt_area area)
{
    const struct tt_check_result *r = selected(ws, p);
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    if (!r || p->details == 0) {
        return;
    }
    tt_draw_fill(area, 0, p->details, area.width, TT_ROLE_LINE,
                 tt_term_glyph(&ws->term, TT_GLYPH_LINE));
    tt_text_char(&text, ' ');
    tt_report_text(&text, r->rule->file);
    tt_text_char(&text, ':');
    tt_text_u64(&text, r->rule->line);
    tt_text_char(&text, ' ');
    tt_draw_text(area, 1, p->details, area.width - 2, TT_ROLE_TITLE, buffer, text.used);
    for (unsigned i = 0; p->details + 1 + (int)i < area.height; i++) {
        text = tt_text_of(buffer, sizeof buffer);
        if (!detail_line(r, i, &text)) {
            break;
        }
        if (i > 0) { /* the first is the text of the rule */
            tt_units_adopt(&text, tt_term_glyph(&ws->term, TT_GLYPH_MICRO));
        }
        tt_draw_text(area, 1, p->details + 1 + (int)i, area.width - 2, TT_ROLE_TEXT, buffer,
                     text.used);
    }
}

static void pane_draw(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    const struct pane *p = state;
    draw_title(ws, area);
    draw_list(ws, p, area);
    draw_details(ws, p, area);
}

/* ---- writing ------------------------------------------------------------------------------ */

static bool write_lines(void *arg, const char *bytes, size_t length)
{
    return fwrite(bytes, 1, length, arg) == length;
}

static bool ends_with(const char *path, const char *suffix)
{
    size_t length = strlen(path), end = strlen(suffix);
    return length >= end && strcmp(path + length - end, suffix) == 0;
}

static tt_check_reporter *reporter_of(const char *path)
{
    static const struct {
        const char *suffix;
        tt_check_reporter *report;
    } reporters[] = {
        {".xml", tt_report_junit}, {".tap", tt_report_tap}, {".jsonl", tt_report_jsonl}};
    for (size_t i = 0; i < sizeof reporters / sizeof *reporters; i++) {
        if (ends_with(path, reporters[i].suffix)) {
            return reporters[i].report;
        }
    }
    return tt_report_table;
}

static struct tt_status pane_write(struct tt_workspace *ws, void *state, FILE *file,
                                   const char *path, struct tt_text *what)
{
    const struct tt_checking *c = &ws->checking;
    struct tt_check_report report = {
        .files = &c->judged, .count = 1, .write = write_lines, .arg = file};
    (void)state;
    if (!c->judged.check) {
        return tt_error(TT_ERR_USAGE, "not written: the capture is not judged yet");
    }
    reporter_of(path)(&report);
    struct tt_status status = tt_report_end(&report);
    tt_text_grouped(what, c->judged.count);
    tt_text_str(what, c->judged.count == 1 ? " rule" : " rules");
    return tt_failed(&status) ? status : ferror(file) ? tt_error_errno(errno, "write") : tt_ok();
}

static void pane_copy(struct tt_workspace *ws, void *state, bool all, struct tt_text *text)
{
    const struct tt_check_result *r = selected(ws, state);
    (void)all;
    if (!r) {
        return;
    }
    tt_text_str(text, verdicts[r->verdict].word);
    tt_text_str(text, "  ");
    tt_report_text(text, r->rule->name);
    tt_text_str(text, "  ");
    tt_text_str(text, r->value_text);
    tt_text_str(text, "  ");
    tt_text_str(text, r->limit_text);
    tt_text_str(text, r->where[0] ? "  " : "");
    tt_text_str(text, r->where);
}

/* ---- keys --------------------------------------------------------------------------------- */

static bool has_interval(const struct tt_workspace *ws, const struct tt_check_result *r)
{
    return r->thread < tt_thread_count(ws->opened.capture) && r->from < r->to;
}

static void go(struct tt_workspace *ws, const struct tt_check_result *r)
{
    if (!has_interval(ws, r) && r->at == UINT64_MAX) {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "this value has no place in the capture");
        return;
    }
    ws->nav.overlay = TT_OVERLAY_NONE;
    if (has_interval(ws, r)) {
        tt_jobs_show_interval(ws, r->thread, r->from, r->to, r->from);
    } else {
        tt_nav_show(&ws->nav, TT_VIEW_EVENTS);
        tt_nav_jump(ws, r->at, 0);
    }
    tt_message_set(&ws->message, TT_ROLE_STATUS, "the worst place of: %.120s; :check returns",
                   r->rule->name);
}

static void explain(struct tt_workspace *ws, const struct tt_check_result *r)
{
    if (has_interval(ws, r)) {
        tt_why_open_range(ws, r->thread, r->from, r->to, r->kind);
    } else {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "no interval of a thread to explain");
    }
}

static struct tt_list *pane_list(void *state)
{
    return &((struct pane *)state)->list;
}

static bool pane_act(struct tt_workspace *ws, void *state, enum tt_do action)
{
    struct pane *p = state;
    const struct tt_check_result *r = selected(ws, p);
    switch (action) {
    case TT_DO_GO:
        if (r) {
            go(ws, r);
        }
        return true;
    case TT_DO_WHY:
        if (r) {
            explain(ws, r);
        }
        return true;
    default:
        return false;
    }
}

static bool pane_dismiss(struct tt_workspace *ws, void *state)
{
    (void)state;
    ws->nav.overlay = TT_OVERLAY_NONE;
    return true;
}

static void pane_renew(void *state)
{
    *(struct pane *)state = (struct pane){0};
}

/* ---- places of the history ------------------------------------------------------------------ */

static void pane_leave(const struct tt_workspace *ws, const void *state, struct tt_spot *spot)
{
    const struct pane *p = state;
    (void)ws;
    spot->numbers[0] = p->list.at;
    spot->numbers[1] = p->list.top;
}

static void pane_resume(struct tt_workspace *ws, void *state, const struct tt_spot *spot)
{
    struct pane *p = state;
    (void)ws;
    tt_list_return(&p->list, spot->numbers[0], spot->numbers[1]);
}

static const enum tt_do offers[] = {
    TT_DO_GO, TT_DO_WHY, TT_DO_WRITE, TT_DO_COPY, TT_DO_HELP, TT_DO_CANCEL, TT_DO_NOTHING,
};

static const char *const about[] = {
    "The rules of a file and their verdicts on this capture, the worst first; `tracetui check` "
    "prints the same. Below them: the selected rule and why it failed.",
    ":check judges again, :check add in Summary, Messages, Measure or Why adds a rule for the "
    "selected number.",
    NULL,
};

static const struct tt_verb verbs[] = {
    {TT_DO_GO, "go", "to the worst place of this rule; :check returns"},
    {TT_DO_WHY, "why", "explain the worst interval of this rule"},
    {TT_DO_WRITE, "report", "write the report to a file: .xml, .tap, .jsonl or as text"},
    {TT_DO_NOTHING, NULL, NULL},
};

const struct tt_view tt_overlay_check = {
    .about = about,
    .open = pane_open,
    .close = pane_close,
    .leave = pane_leave,
    .resume = pane_resume,
    .layout = pane_layout,
    .draw = pane_draw,
    .list = pane_list,
    .act = pane_act,
    .copy = pane_copy,
    .dismiss = pane_dismiss,
    .renew = pane_renew,
    .work = pane_work,
    .settled = pane_settled,
    .write = pane_write,
    .footer = offers,
    .verbs = verbs,
    .file = "check.xml",
    .covers = true,
};

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check: the Check pane: the rules of a file with their verdicts on the capture, the worst first, and
 * below them the reason of the selected one; or the errors of the file.
 *
 *       check: qnx.check                            11 passed  1 failed  1 undecided
 *       verdict   rule                           value  limit       at             of
 *      ▌FAILED    sensor is regular         203.4 us  < 50 us     0.028 116 204  sensor/1
 *       passed    nothing lost                     0  = 0         -
 *       verdict: Whether the capture keeps the rule: passed, FAILED or UNDECIDED.
 *      ─ qnx.check:18 ───────────────────
 *       jitter of job sensor/1 < 50us
 *
 * It covers the view below it.
 */
#include "tui/panes/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "table/columns.h"
#include "trace/line_parts.h"
#include "tracetui/timeline.h"
#include "tui/draw/units.h"
#include "tui/panes/pane.h"

#define LIST       2 /* first line of the list */
#define LIST_LEAST 4 /* lines of the list that the details leave */

static const struct {
    const char *word;
    enum tt_role role;
} verdicts[] = {
    [TT_VERDICT_PASSED] = {"passed", TT_ROLE_RUNNING},
    [TT_VERDICT_UNDECIDED] = {"UNDECIDED", TT_ROLE_WARNING},
    [TT_VERDICT_FAILED] = {"FAILED", TT_ROLE_ERROR},
};

/* Returns the number of wrong lines of the rules. */
static size_t error_count(const struct tt_check_pane *pane)
{
    return pane->rules ? tt_rules_error_count(pane->rules) : 0;
}

/* Returns the result on a line of the list; NULL if there is none. */
static const struct tt_check_result *result_at(const struct tt_check_pane *pane, size_t line)
{
    const size_t at = tt_rows_at(&pane->rows, line);
    return pane->judged.check && at < pane->judged.count ? &pane->judged.results[pane->order[at]]
                                                         : NULL;
}

/* ---- rows --------------------------------------------------------------------------------- */

struct verdict_row {
    const struct tt_check_result *result;
    uint64_t at;
    const char *verdict, *rule, *where;
};

static TT_CELL_FUNCTION(put_value)
{
    const struct tt_check_result *result = ((const struct verdict_row *)row)->result;
    (void)run;
    (void)column;
    if (result->has_value) {
        cell->kind = TT_CELL_DECIMAL;
        cell->number = result->value.number;
        cell->decimals = result->value.decimals;
    }
    tt_text_str(&cell->text, result->value_text);
}

static TT_CELL_FUNCTION(put_limit)
{
    (void)run;
    (void)column;
    cell->kind = TT_CELL_TEXT;
    tt_text_str(&cell->text, ((const struct verdict_row *)row)->result->limit_text);
}

static TT_CELL_FUNCTION(put_where)
{
    (void)run;
    (void)column;
    cell->kind = TT_CELL_TEXT;
    tt_text_str(&cell->text, ((const struct verdict_row *)row)->result->where);
}

#define ROW struct verdict_row

/* clang-format off */
static const struct tt_table_column columns[] = {
    COLUMN("verdict", "verdict", TEXT, verdict, WIDE(10, "verdict", 1, 1), "Whether the capture keeps the rule: passed, FAILED or UNDECIDED."),
    COLUMN("rule", "rule", TEXT, rule, SCREEN("", "rule", 0, 2), "Name of the rule, or the rule itself."),
    MADE("value", "value", REAL, put_value, WIDE(13, "value", 2, 3), "Value of the capture that the rule judges."),
    MADE("limit", "limit", NAME, put_limit, WIDE(11, "limit", 3, 4), "Limit of the rule."),
    COLUMN("at", "at", AT, at, WIDE(15, "at", 4, 5), "When the value was measured, or the largest one."),
    MADE("of", "of", NAME, put_where, WIDE(24, "of", 5, 6), "Thread, or the row of the table, that has the value."),
};
/* clang-format on */

static const struct tt_table table_verdicts = {
    NAMES("verdict", "Verdicts", "A rule and its verdict on the capture.", "[rule]"),
    COLUMNS(columns),
    .row_size = sizeof(struct verdict_row),
    .is_overall = true,
};

static void check_make(const struct tt_workspace *ws, const void *state, size_t index,
                       struct tt_table_row *row)
{
    const struct tt_check_pane *pane = state;
    const struct tt_check_result *result = &pane->judged.results[pane->order[index]];
    (void)ws;
    *(struct verdict_row *)(void *)row =
        (struct verdict_row){.result = result,
                             .at = result->at,
                             .verdict = verdicts[result->verdict].word,
                             .rule = result->rule->name};
}

static enum tt_role check_role(const struct tt_table_column *column, const struct tt_table_row *row)
{
    const struct verdict_row *of = (const void *)row;
    return column == columns            ? verdicts[of->result->verdict].role
           : column->unit == TT_UNIT_AT ? TT_ROLE_TIME
           : column->cell == put_where  ? TT_ROLE_THREAD
                                        : TT_ROLE_TEXT;
}

static bool check_has_rows(const void *state)
{
    return error_count(state) == 0;
}

static const struct tt_rows_of rows_of_verdicts = {
    .table = &table_verdicts, .make = check_make, .role = check_role, .shown = check_has_rows};

/* ---- rules and verdicts ------------------------------------------------------------------- */

static void drop_verdicts(struct tt_check_pane *pane)
{
    tt_check_free(pane->check);
    tt_check_free(pane->judged.check);
    free(pane->order);
    pane->check = NULL;
    pane->judged = (struct tt_check_file){0};
    pane->order = NULL;
    pane->status = tt_ok();
}

static void check_drop(struct tt_workspace *ws, void *state)
{
    (void)ws;
    drop_verdicts(state);
}

static void check_close(void *state)
{
    struct tt_check_pane *pane = state;
    drop_verdicts(pane);
    tt_rules_free(pane->rules);
    tt_rows_free(&pane->rows);
}

/*
 * Reads a rules file, by which the capture is judged from now on. A file that cannot be read is an error,
 * and the previous rules stay. Wrong lines are no error: nothing is judged.
 */
static struct tt_status read_rules(struct tt_check_pane *pane, const char *path)
{
    struct tt_rules *rules;
    if (strlen(path) >= sizeof pane->path) {
        return tt_error(TT_ERR_USAGE, "the path is too long");
    }
    struct tt_status status = tt_rules_new(&rules);
    if (!tt_failed(&status)) {
        status = tt_rules_read_file(rules, path);
    }
    if (!tt_failed(&status) && tt_rules_count(rules) == 0 && tt_rules_error_count(rules) == 0) {
        status = tt_error(TT_ERR_USAGE, "%.200s: there is no rule", path);
    }
    if (tt_failed(&status)) {
        tt_rules_free(rules);
        return status;
    }
    check_close(pane);
    *pane = (struct tt_check_pane){.rules = rules, .wanted = SIZE_MAX, .status = tt_ok()};
    memcpy(pane->path, path, strlen(path) + 1);
    return tt_ok();
}

/* Checks that a line is one rule without errors. */
static struct tt_status try_rule(const char *rule)
{
    struct tt_rules *rules;
    struct tt_status status = tt_rules_new(&rules);
    if (!tt_failed(&status)) {
        status = tt_rules_read_text(rules, "", rule);
    }
    if (!tt_failed(&status) && (tt_rules_error_count(rules) > 0 || tt_rules_count(rules) != 1)) {
        status =
            tt_error(TT_ERR_USAGE, "no rule has this form: %.200s",
                     tt_rules_error_count(rules) > 0 ? tt_rules_error_at(rules, 0).text : rule);
    }
    tt_rules_free(rules);
    return status;
}

/*
 * Appends the rule of the selected number to a file, after the end of a last line that has none, and reads
 * the file: the given one, or the one that is open, or TT_CHECK_FILE, which is created.
 */
static struct tt_status check_add_rule(struct tt_workspace *ws, struct tt_check_pane *pane,
                                       const char *path)
{
    char name[TT_CHECK_PATH], line[TT_PANE_LINE];
    struct tt_text rule = tt_text_of(line, sizeof line);
    if (strlen(path) >= sizeof name) {
        return tt_error(TT_ERR_USAGE, "the path is too long");
    }
    snprintf(name, sizeof name, "%s", path[0] ? path : pane->path[0] ? pane->path : TT_CHECK_FILE);
    struct tt_status status = ws->host.rule(ws->host.app, &rule);
    if (!tt_failed(&status)) {
        status = try_rule(tt_text_cstr(&rule));
    }
    if (tt_failed(&status)) {
        return status;
    }
    FILE *file = fopen(name, "a+");
    if (!file) {
        return tt_status_context(tt_error_errno(errno, "open"), name);
    }
    bool ends = fseek(file, -1, SEEK_END) != 0 || fgetc(file) == '\n';
    bool written =
        fseek(file, 0, SEEK_END) == 0 && fprintf(file, "%s%s\n", ends ? "" : "\n", line) > 0;
    int error = written ? 0 : errno;
    if (fclose(file) != 0 && !error) {
        error = errno;
    }
    status =
        error ? tt_status_context(tt_error_errno(error, "write"), name) : read_rules(pane, name);
    if (!tt_failed(&status)) {
        pane->wanted = tt_rules_count(pane->rules) - 1;
        tt_message_set(&ws->message, TT_ROLE_STATUS, "added to %.60s: %.200s", name, line);
    }
    return status;
}

/* Begins :check [add] [FILE]; without an argument it judges again if the capture has grown. */
static struct tt_status check_begin(struct tt_workspace *ws, void *state, const char *text,
                                    const char **result)
{
    struct tt_check_pane *pane = state;
    bool adds = strncmp(text, "add", 3) == 0 && (text[3] == ' ' || text[3] == '\0');
    if (!text[0] && !pane->path[0]) {
        return tt_error(TT_ERR_USAGE, "no rules: :check FILE");
    }
    struct tt_status status = adds      ? check_add_rule(ws, pane, text + 3 + strspn(text + 3, " "))
                              : text[0] ? read_rules(pane, text)
                                        : tt_ok();
    if (!tt_failed(&status) && pane->events != ws->index.rows) {
        drop_verdicts(pane);
    }
    *result = text[0] ? pane->path : NULL;
    return status;
}

static uint32_t timelines_number(const struct tt_workspace *ws)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    return timelines ? tt_timelines_number(timelines) : 0;
}

static struct tt_status begin_check(struct tt_workspace *ws, struct tt_check_pane *pane)
{
    tt_jobs_refresh(ws);
    struct tt_check_request request = {.rules = pane->rules,
                                       .trace = ws->opened.trace,
                                       .path = tt_trace_path(ws->opened.trace),
                                       .job_ends = ws->jobs.job_ends,
                                       .deadlines = ws->jobs.limits.ticks,
                                       .deadline_limit = ws->jobs.limits.count,
                                       .growing = ws->index.following.live.follows};
    pane->events = ws->index.rows;
    pane->timelines = timelines_number(ws);
    pane->threads = tt_thread_count(ws->opened.capture);
    pane->deadlines = ws->jobs.limits.ticks;
    return tt_check_begin(&request, &pane->check);
}

/* Keeps the verdicts of a complete check, and orders them: the worst first, else as in the file. */
static struct tt_status keep_verdicts(struct tt_workspace *ws, struct tt_check_pane *pane)
{
    const struct tt_capture *capture = ws->opened.capture;
    static const enum tt_verdict worst_first[] = {TT_VERDICT_FAILED, TT_VERDICT_UNDECIDED,
                                                  TT_VERDICT_PASSED};
    size_t used = 0;
    pane->version++;
    pane->order = calloc(tt_rules_count(pane->rules) + 1, sizeof *pane->order);
    if (!pane->order) {
        return tt_error_memory();
    }
    pane->judged = (struct tt_check_file){.path = tt_trace_path(ws->opened.trace),
                                          .status = tt_ok(),
                                          .damage = tt_ok(),
                                          .ticks = capture->clock_hz == 0,
                                          .hz = capture->clock_hz};
    tt_check_file_replace(&pane->judged, pane->check);
    pane->check = NULL;
    for (int v = 0; v < 3; v++) {
        for (size_t i = 0; i < pane->judged.count; i++) {
            if (pane->judged.results[i].verdict == worst_first[v]) {
                pane->rows.list.at = i == pane->wanted ? used : pane->rows.list.at;
                pane->order[used++] = i;
            }
        }
    }
    pane->wanted = SIZE_MAX;
    return tt_ok();
}

/* Continues until `deadline_ns` (tt_now_ns); returns true when nothing is left to do. */
static bool check_judge(struct tt_workspace *ws, struct tt_check_pane *pane, uint64_t deadline_ns)
{
    if (!pane->rules || error_count(pane) > 0 || pane->judged.check || tt_failed(&pane->status) ||
        !ws->opened.trace || !ws->index.progress.finished) {
        return true; /* while it is indexed, rows may still move */
    }
    if (pane->check && (pane->timelines != timelines_number(ws) ||
                        pane->threads != tt_thread_count(ws->opened.capture) ||
                        pane->deadlines != ws->jobs.limits.ticks)) {
        tt_check_free(pane->check);
        pane->check = NULL;
    }
    struct tt_status status = pane->check ? tt_ok() : begin_check(ws, pane);
    bool complete = false;
    if (!tt_failed(&status)) {
        status = tt_check_step(pane->check, deadline_ns, &complete);
    }
    if (!tt_failed(&status) && complete) {
        status = keep_verdicts(ws, pane);
    }
    if (tt_failed(&status)) {
        drop_verdicts(pane);
        pane->status = status;
    }
    return complete || tt_failed(&status);
}

static bool check_work(struct tt_workspace *ws, void *state, uint64_t budget_ns)
{
    const struct tt_check_pane *pane = state;
    return check_judge(ws, state, tt_now_ns() + budget_ns) && (budget_ns > 0 || pane->laid_out);
}

static bool check_settled(const struct tt_workspace *ws, const void *state)
{
    const struct tt_check_pane *pane = state;
    (void)ws;
    return !pane->rules || error_count(pane) > 0 || pane->judged.check || tt_failed(&pane->status);
}

/* ---- layout ------------------------------------------------------------------------------- */

static int detail_lines(const struct tt_check_result *result)
{
    return 1 + (result->reason[0] != '\0') + (result->warning[0] != '\0') + (int)result->why_count;
}

static void check_layout(struct tt_workspace *ws, void *state, struct tt_area area)
{
    struct tt_check_pane *pane = state;
    pane->laid_out = check_judge(ws, pane, tt_now_ns()); /* small captures need no second frame */
    size_t errors = error_count(pane);
    /* The most lines that a rule may need: the list does not move while the cursor does. */
    int most = 0;
    for (size_t i = 0; pane->judged.check && i < pane->judged.count; i++) {
        int lines = detail_lines(&pane->judged.results[i]);
        most = lines > most ? lines : most;
    }
    int room = area.height - LIST - 1 - LIST_LEAST;
    most = most > room ? room : most;
    pane->details = most > 0 ? area.height - most - 1 : 0;
    int end = pane->details > 0 ? pane->details : area.height;
    if (errors > 0) {
        tt_list_layout(&pane->rows.list, errors, LIST, end - LIST);
    } else {
        tt_rows_layout(ws, &pane->rows, &rows_of_verdicts,
                       pane->judged.check ? pane->judged.count : 0, pane->version, true, LIST - 1,
                       end - LIST + 1);
    }
}

/* ---- drawing ------------------------------------------------------------------------------ */

static void draw_check_title(const struct tt_workspace *ws, const struct tt_check_pane *pane,
                             struct tt_area area)
{
    char left[TT_PANE_LINE], buffer[64];
    struct tt_text title = tt_text_of(left, sizeof left);
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    const struct {
        size_t count;
        const char *word;
        enum tt_role role;
    } sums[] = {{pane->judged.undecided, " undecided", TT_ROLE_WARNING},
                {pane->judged.failed, " failed", TT_ROLE_ERROR},
                {pane->judged.passed, " passed", TT_ROLE_TEXT},
                {error_count(pane), error_count(pane) == 1 ? " error" : " errors", TT_ROLE_ERROR}};
    tt_text_str(&title, "check: ");
    tt_text_escaped(&title, pane->path, strlen(pane->path));
    int x = area.width - 1;
    for (int i = pane->judged.check ? 0 : 3; i < (pane->judged.check ? 3 : 3 + (sums[3].count > 0));
         i++) {
        text = tt_text_of(buffer, sizeof buffer);
        tt_text_put(&text, "%'ju%s", sums[i].count, sums[i].word);
        x -= (int)text.used;
        tt_draw_text(area, x, 0, (int)text.used, sums[i].count > 0 ? sums[i].role : TT_ROLE_DIM,
                     buffer, text.used);
        x -= 2;
    }
    text = tt_text_of(buffer, sizeof buffer);
    if (x == area.width - 1 && !tt_failed(&pane->status)) {
        tt_text_str(&text, ws->index.progress.finished ? "judging " : "waits for the index");
        if (ws->index.progress.finished) {
            tt_text_put(&text, "%u %%", pane->check ? tt_check_percent(pane->check) : 0);
        }
    }
    tt_pane_title(tt_area_part(area, 0, 0, text.used > 0 ? area.width : x + 2, 1), &title, &text,
                  TT_ROLE_PROGRESS);
}

static void draw_check_list(const struct tt_workspace *ws, const struct tt_check_pane *pane,
                            struct tt_area area)
{
    if (tt_failed(&pane->status)) {
        tt_draw(area, 1, LIST, area.width - 2, TT_ROLE_ERROR, pane->status.text);
    }
    if (error_count(pane) == 0) {
        tt_rows_draw(ws, &pane->rows, &rows_of_verdicts, area);
        return;
    }
    tt_draw(area, 1, 1, area.width - 2, TT_ROLE_COLUMNS,
            "nothing is judged: correct these lines, then :check FILE");
    for (int i = 0; tt_list_row(&pane->rows.list, i) < pane->rows.list.count; i++) {
        const struct tt_rules_error error =
            tt_rules_error_at(pane->rules, tt_list_row(&pane->rows.list, i));
        tt_draw_put(area, 1, LIST + i, area.width - 2, TT_ROLE_TEXT, "%s: %s", error.place,
                    error.text);
    }
    tt_list_draw_cursor(&pane->rows.list, &ws->term, area);
}

/* Draws the selected rule in full, and why it failed or is undecided. */
static void draw_details(const struct tt_workspace *ws, const struct tt_check_pane *pane,
                         struct tt_area area)
{
    const struct tt_check_result *result = result_at(pane, pane->rows.list.at);
    char buffer[TT_PANE_LINE];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    if (!result || pane->details == 0) {
        return;
    }
    tt_text_char(&text, ' ');
    tt_report_text(&text, result->rule->file);
    tt_text_put(&text, ":%u ", result->rule->line);
    tt_pane_rule(ws, area, pane->details, tt_text_cstr(&text));
    /* The text of the rule, its reason and warning if it has them, and the explanation. */
    const char *const first[] = {result->rule->text, result->reason, result->warning};
    int y = pane->details + 1;
    for (unsigned i = 0; i < 3 + result->why_count && y < area.height; i++) {
        const char *line = i < 3 ? first[i] : result->why[i - 3];
        text = tt_text_of(buffer, sizeof buffer);
        if (i == 0) {
            tt_report_text(&text, line);
        } else if (i >= 3 || line[0]) {
            tt_text_str(&text, line);
            tt_units_adopt(&text, tt_term_glyph(&ws->term, TT_GLYPH_MICRO));
        } else {
            continue;
        }
        tt_draw_text(area, 1, y++, area.width - 2, TT_ROLE_TEXT, buffer, text.used);
    }
}

static void check_draw(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    draw_check_title(ws, state, area);
    draw_check_list(ws, state, area);
    draw_details(ws, state, area);
}

/* ---- writing ------------------------------------------------------------------------------ */

static struct tt_status check_write(struct tt_workspace *ws, void *state, FILE *file,
                                    const char *path, struct tt_text *what)
{
    const struct tt_check_pane *pane = state;
    struct tt_check_report report = {
        .files = &pane->judged, .count = 1, .sink = tt_sink_of_file(file)};
    (void)ws;
    if (!pane->judged.check) {
        return tt_error(TT_ERR_USAGE, "not written: the capture is not judged yet");
    }
    tt_check_reporter *reporter = tt_pane_has_end(path, ".xml")     ? tt_report_junit
                                  : tt_pane_has_end(path, ".tap")   ? tt_report_tap
                                  : tt_pane_has_end(path, ".jsonl") ? tt_report_jsonl
                                                                    : tt_report_table;
    reporter(&report);
    struct tt_status status = tt_report_end(&report);
    tt_text_put(what, "%'ju%s", pane->judged.count, pane->judged.count == 1 ? " rule" : " rules");
    return tt_failed(&status) ? status : ferror(file) ? tt_error_errno(errno, "write") : tt_ok();
}

/* ---- keys --------------------------------------------------------------------------------- */

static bool check_act(struct tt_workspace *ws, void *state, enum tt_do action)
{
    const struct tt_check_pane *pane = state;
    const struct tt_check_result *result = result_at(pane, pane->rows.list.at);
    if (action != TT_DO_GO && action != TT_DO_WHY) {
        return false;
    }
    if (result && action == TT_DO_WHY) {
        tt_pane_explain(ws, result->thread, result->from, result->to, result->kind);
    } else if (result && result->at == UINT64_MAX &&
               (result->thread >= tt_thread_count(ws->opened.capture) ||
                result->from >= result->to)) {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "this value has no place in the capture");
    } else if (result) {
        tt_pane_go(ws, result->thread, result->from, result->to, result->at);
        tt_message_set(&ws->message, TT_ROLE_STATUS, "the worst place of: %.120s; :check returns",
                       result->rule->name);
    }
    return true;
}

static const struct tt_member saved[] = {
    TT_MEMBER(struct tt_check_pane, rows.chosen),
    TT_MEMBER(struct tt_check_pane, rows.sorted),
    TT_MEMBER(struct tt_check_pane, rows.upwards),
    {0, 0},
};

static const enum tt_do offers[] = {
    TT_DO_GO,   TT_DO_WHY,  TT_DO_WRITE,  TT_DO_COLUMN_RIGHT, TT_DO_SORT,
    TT_DO_COPY, TT_DO_HELP, TT_DO_CANCEL, TT_DO_NOTHING,
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
    .footer = offers,
    .verbs = verbs,
    .covers = true,
    .state_size = sizeof(struct tt_check_pane),
    .close = check_close,
    .begin = check_begin,
    .drop = check_drop,
    .list = tt_pane_list,
    .layout = check_layout,
    .work = check_work,
    .settled = check_settled,
    .draw = check_draw,
    .act = check_act,
    .dismiss = tt_pane_dismiss,
    .rows = &rows_of_verdicts,
    .file = "check.xml",
    .write = check_write,
    .saved = saved,
};

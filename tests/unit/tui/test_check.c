/* SPDX-License-Identifier: Apache-2.0 */
/* The Check pane: verdicts in steps, the places of the worst, errors of the rules. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/check.h"
#include "open_app.h"
#include "tui/app/event_loop.h"
#include "tui/panes/check.h"

#define DEMO  "samples/demo.kev"
#define RULES "tests/screens/demo.check"
#define ALL   "samples/checks/qnx.check"

static const struct tt_check_pane *pane_of(const struct tt_app *app)
{
    return app->overlay_states[TT_OVERLAY_CHECK];
}

static struct tt_rules *rules_of(const char *text)
{
    struct tt_rules *rules;
    struct tt_status status = tt_rules_new(&rules);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    status = tt_rules_read_text(rules, "test", text);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    cr_assert_eq(tt_rules_error_count(rules), 0);
    return rules;
}

/* Writes a file that is deleted by the caller. */
static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
}

/* Every kind of rule, with windows. */
static const char *const every_kind =
    "delay p99 of thread ~ /^sensor/ < 200us\n"
    "delay max of thread ~ /^sensor/ < 1us within 10ms..20ms\n"
    "response max of job fusion/1 < 1ms\n"
    "busy of cpu 0 < 20% during {event = MSG_SENDV and kind = enter}\n"
    "inversions of thread fusion/1 = 0\n"
    "lost = 0\n"
    "count of {event = MSG_SENDV} = 0\n"
    "rate of {thread ~ /^sensor/} < 1/s\n"
    "never {event = THDESTROY}\n"
    "max time from {event = THREADY} to {event = THRUNNING} same thread < 1us\n"
    "every {event = MSG_SENDV} is followed by {event = MSG_REPLYV} within 1ms\n"
    "{event = MSG_SENDV} then {event = MSG_REPLYV} within 1ms\n"
    "no {event = THREADY} between {event = INT_ENTR} and {event = INT_EXIT} same cpu\n"
    "reaction max of thread sensor/2 to interrupt 35 < 1us\n"
    "reaction max of thread absent to interrupt 35 < 1us\n"
    "delay max of thread absent < 1us\n";

/* Judges rules at once and in steps, and compares the results. Returns the number of steps. */
static unsigned judge_in_steps(const char *text)
{
    struct tt_app *app = open_app(DEMO);
    struct tt_rules *rules = rules_of(text);
    struct tt_check_request request = {.rules = rules, .trace = app->ws.opened.trace, .path = DEMO};
    struct tt_check *whole, *parts;
    struct tt_status status = tt_check_run(&request, &whole);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    status = tt_check_begin(&request, &parts);
    cr_assert_not(tt_failed(&status));
    bool complete = false;
    unsigned steps = 0, percent = 0;
    for (; !complete; steps++) {
        cr_assert_leq(percent, tt_check_percent(parts), "the progress goes back");
        percent = tt_check_percent(parts);
        status = tt_check_step(parts, 0, &complete);
        cr_assert_not(tt_failed(&status));
    }
    cr_assert_eq(tt_check_percent(parts), 100);
    size_t count, same;
    const struct tt_check_result *a = tt_check_results(whole, &count);
    const struct tt_check_result *b = tt_check_results(parts, &same);
    cr_assert_eq(count, same);
    for (size_t i = 0; i < count; i++) {
        cr_assert_eq(a[i].verdict, b[i].verdict, "%s", a[i].rule->text);
        cr_assert_str_eq(a[i].value_text, b[i].value_text, "%s", a[i].rule->text);
        cr_assert_str_eq(a[i].where, b[i].where, "%s", a[i].rule->text);
        cr_assert_str_eq(a[i].reason, b[i].reason, "%s", a[i].rule->text);
        cr_assert_eq(a[i].at, b[i].at, "%s", a[i].rule->text);
        cr_assert_eq(a[i].matches, b[i].matches, "%s", a[i].rule->text);
    }
    tt_check_free(whole);
    tt_check_free(parts);
    tt_rules_free(rules);
    close_app(app);
    return steps;
}

Test(tui_check, a_check_in_steps_has_the_results_of_one_at_once)
{
    cr_assert_gt(judge_in_steps(every_kind), 50);
}

Test(tui_check, the_rules_of_a_table_are_judged_in_steps)
{
    static const char rule[] = "total of blame * by * < 1us\ninversions of thread * = 0\n";
    static char text[64 * sizeof rule];
    const unsigned one = judge_in_steps(rule);
    for (size_t i = 0; i < 64; i++) {
        memcpy(text + i * (sizeof rule - 1), rule, sizeof rule);
    }
    /* Each pair of rules takes eight steps beside those for the rows. */
    cr_assert_gt(judge_in_steps(text), one + 63 * 8 + 20);
}

Test(tui_check, a_check_may_be_freed_after_any_step)
{
    struct tt_app *app = open_app(DEMO);
    struct tt_rules *rules = rules_of(every_kind);
    struct tt_check_request request = {.rules = rules, .trace = app->ws.opened.trace, .path = DEMO};
    bool complete = false;
    for (unsigned steps = 0; !complete; steps += 7) {
        struct tt_check *check;
        struct tt_status status = tt_check_begin(&request, &check);
        for (unsigned i = 0; i < steps && !complete && !tt_failed(&status); i++) {
            status = tt_check_step(check, 0, &complete);
        }
        cr_assert_not(tt_failed(&status));
        tt_check_free(check);
    }
    tt_rules_free(rules);
    close_app(app);
}

Test(tui_check, verdicts_are_listed_and_their_places_shown)
{
    struct tt_app *app = open_app(DEMO);
    type_settled(app, ":check " RULES "<Enter>");
    cr_assert_eq(app->ws.nav.overlay, TT_OVERLAY_CHECK);
    const struct tt_check_pane *c = pane_of(app);
    cr_assert_eq(c->judged.failed, 4);
    cr_assert_eq(c->judged.undecided, 1);
    cr_assert_eq(c->judged.passed, 2);
    const struct tt_check_result *r = &c->judged.results[c->order[0]];
    cr_assert_eq(r->verdict, TT_VERDICT_FAILED);
    cr_assert(screen_shows(app, "2 passed  4 failed  1 undecided"));
    cr_assert(screen_shows(app, ">FAILED     fusion answers"));
    uint64_t from = r->from, to = r->to;
    uint32_t thread = r->thread;
    type_settled(app, "<Enter>");
    cr_assert_eq(app->ws.nav.overlay, TT_OVERLAY_NONE);
    cr_assert_eq(app->ws.nav.view, TT_VIEW_THREADS);
    cr_assert_eq(app->ws.nav.lane.thread, thread);
    cr_assert_eq(app->ws.nav.viewport.anchor, from);
    cr_assert_eq(app->ws.nav.viewport.other, to);

    type_settled(app, ":check<Enter>jb");
    cr_assert_eq(app->ws.nav.overlay, TT_OVERLAY_WHY, "b explains the interval");
    type_settled(app, "<Esc>");
    type_settled(app, ":check<Enter>G");
    cr_assert(screen_shows(app, ">passed     nothing lost"), "the last one");
    type_settled(app, "gjj<Enter>");
    cr_assert_eq(app->ws.nav.overlay, TT_OVERLAY_CHECK);
    cr_assert(screen_shows(app, "this value has no place in the capture"));
    type_settled(app, "b");
    cr_assert(screen_shows(app, "no interval of a thread to explain"));
    type_settled(app, "j<Enter>");
    cr_assert_eq(app->ws.nav.view, TT_VIEW_EVENTS, "an event without an interval");
    type_settled(app, ":check<Enter>gjjjj");
    cr_assert(screen_shows(app, "no thread matches 'sensr/1'"), "the reason of an undecided rule");
    type_settled(app, "w");
    cr_assert(screen_shows(app, ":write demo-check.xml"));
    type_settled(app, "<Esc><Esc>");
    cr_assert_eq(app->ws.nav.overlay, TT_OVERLAY_NONE);
    close_app(app);
}

Test(tui_check, errors_of_the_rules_have_their_line_and_column)
{
    char path[] = "build/check-XXXXXX";
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    close(fd);
    write_file(path, "lost = 0\n\ndely max of thread sensor/1 < 1ms\nnever {evnt = X}\n");
    struct tt_app *app = open_app(DEMO);
    char keys[128];
    snprintf(keys, sizeof keys, ":check %s<Enter>", path);
    type_settled(app, keys);
    cr_assert(screen_shows(app, "2 errors"));
    cr_assert(screen_shows(app, ":3:1: no measure 'dely' of thread"));
    cr_assert(screen_shows(app, ":4:8: unknown field evnt"));
    cr_assert_null(pane_of(app)->judged.check);
    type_settled(app, "jk<Enter>b"); /* no place */
    cr_assert_eq(app->ws.nav.overlay, TT_OVERLAY_CHECK);
    write_file(path, "# nothing\n");
    type_settled(app, "<Esc>");
    type_settled(app, keys);
    cr_assert(screen_shows(app, "there is no rule"));
    cr_assert_eq(app->ws.nav.overlay, TT_OVERLAY_NONE, "the pane stays closed");
    unlink(path);
    type_settled(app, keys);
    cr_assert(screen_shows(app, "No such file"));
    close_app(app);
}

/* Returns the last line of a file, without its newline. */
static const char *last_line(const char *path, char *buffer, size_t size)
{
    FILE *file = fopen(path, "r");
    buffer[0] = '\0';
    while (file && fgets(buffer, (int)size, file)) {
    }
    if (file) {
        fclose(file);
    }
    buffer[strcspn(buffer, "\n")] = '\0';
    return buffer;
}

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

Test(tui_check, a_rule_is_added_from_the_selected_number)
{
    char path[] = "build/added-XXXXXX", line[512];
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    close(fd);
    write_file(path, "# no newline at the end: lost = 0\nlost = 0");
    struct tt_app *app = open_app(DEMO);
    char keys[128];
    snprintf(keys, sizeof keys, ":check add %s<Enter>", path);
    const struct tt_check_pane *c = pane_of(app);

    type_settled(app, "1");
    type_settled(app, keys);
    cr_assert(screen_shows(app, "no number is selected here"));
    cr_assert_eq(app->ws.nav.overlay, TT_OVERLAY_NONE);
    type_settled(app, "4");
    type_settled(app, keys);
    cr_assert_str_eq(last_line(path, line, sizeof line), "run of thread sh/4 <= 22.474003ms");
    cr_assert_eq(app->ws.nav.overlay, TT_OVERLAY_CHECK);
    cr_assert_eq(c->judged.passed, 2);
    cr_assert(screen_shows(app, ">passed     run of thread sh/4"), "the new rule is selected");
    type_settled(app, "<Esc><Left>:check add<Enter>");
    cr_assert(screen_shows(app, "priority of thread sh/4 <= 7"), "into the open file");
    type_settled(app, "<Esc><Left><Left>:check add<Enter>");
    cr_assert(screen_shows(app, "is no measure; choose a column such as"));
    cr_assert_eq(c->judged.count, 3);

    type_settled(app,
                 ":measure event = INT_ENTR -> event = INT_EXIT --same cpu --pair first<Enter>");
    type_settled(app, ":check add<Enter>");
    cr_assert(begins(last_line(path, line, sizeof line),
                     "max time from {event = INT_ENTR} to {event = INT_EXIT} same cpu pair "
                     "first <= "),
              "%s", line);
    cr_assert_eq(c->judged.passed, 4);
    type_settled(app, "<Esc>:measure --interrupt 35 --thread sensor/2<Enter>:check add<Enter>");
    cr_assert(begins(last_line(path, line, sizeof line),
                     "reaction max of thread \"sensor/2\" to interrupt 35 <= "),
              "%s", line);
    cr_assert_eq(c->judged.passed, 5);
    const struct tt_check_result r = c->judged.results[4];
    type_settled(app, "<Esc>2");
    cr_assert(tt_why_open_range(&app->ws, r.thread, r.from, r.to, "delay"));
    type_settled(app, ":check add<Enter>");
    cr_assert(begins(last_line(path, line, sizeof line), "delay max of thread "), "%s", line);
    cr_assert_eq(c->judged.count, 6);
    tt_why_open_range(&app->ws, r.thread, r.from, r.to, "range");
    type_settled(app, ":check add<Enter>");
    cr_assert(screen_shows(app, "a range is no measure"));
    cr_assert(app->ws.why.open, "an error leaves it open");
    type_settled(app, ":goto 50%<Enter>");
    cr_assert_not(app->ws.why.open);
    cr_assert_eq(app->ws.nav.overlay, TT_OVERLAY_NONE, "another command closes it");
    type_settled(app, "<Esc><Esc>4<Right><Right>:check add build/none/x.check<Enter>");
    cr_assert(screen_shows(app, "No such file"));
    unlink(path);
    close_app(app);
}

Test(tui_check, verdicts_are_dropped_with_their_capture)
{
    struct tt_app *app = open_app(DEMO);
    type_settled(app, ":check<Enter>");
    cr_assert(screen_shows(app, "no rules: :check FILE"));
    type_settled(app, ":check " ALL "<Enter>");
    cr_assert_eq(pane_of(app)->judged.failed, 0);
    cr_assert_gt(pane_of(app)->judged.passed, 10);
    type_settled(app, "<Esc>:open samples/demo.trx<Enter>");
    cr_assert_null(pane_of(app)->judged.check);
    type_settled(app, ":check<Enter>");
    cr_assert_gt(pane_of(app)->judged.undecided, 0, "the threads are not there");
    close_app(app);
}

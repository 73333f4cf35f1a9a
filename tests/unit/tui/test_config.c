/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration file: settings, error messages, and the dump of the current values. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alone.h"
#include "tracetui/text.h"
#include "tui/app/app.h"
#include "tui/app/config.h"
#include "tui/term/keys.h"

static struct tt_app *app;

static void setup(void)
{
    app = calloc(1, sizeof *app);
    tt_keymap_default(&app->ws.term.keymap);
    tt_theme_default(&app->ws.term.theme);
    app->ws.term.mouse_on = true;
    app->keeps_session = true;
    unsetenv("XDG_CONFIG_HOME");
    setenv("HOME", "/nowhere", 1);
}

static void teardown(void)
{
    free(app);
}

TestSuite(tui_config, .init = setup, .fini = teardown, ALONE);

static struct tt_status apply(const char *text)
{
    return tt_config_apply(app, "conf", text, strlen(text));
}

static void good(const char *text)
{
    struct tt_status status = apply(text);
    cr_assert_not(tt_failed(&status), "%s", status.text);
}

static void bad(const char *text, const char *expected)
{
    struct tt_status status = apply(text);
    cr_assert(tt_failed(&status), "%s", text);
    cr_assert_not_null(strstr(status.text, expected), "\"%s\" says: %s", text, status.text);
}

static enum tt_do does(uint32_t key, unsigned context)
{
    const unsigned contexts[] = {context, TT_IN_VIEWS, 0};
    return tt_keymap_find(&app->ws.term.keymap, key, contexts);
}

static enum tt_do in_pane(uint32_t key, unsigned context)
{
    const unsigned contexts[] = {context, 0};
    return tt_keymap_find(&app->ws.term.keymap, key, contexts);
}

Test(tui_config, settings_and_keys_are_applied)
{
    good("# mine\n[settings]\ntime = ticks\n  mouse=off\n\n; another\n[keys]\n"
         "move.down = n <C-e>\nquit = Q\n");
    cr_assert_eq(app->ws.nav.times, TT_TIMES_TICKS);
    cr_assert_not(app->ws.term.mouse_on);
    cr_assert_eq(does('n', TT_IN_EVENTS), TT_DO_DOWN);
    cr_assert_eq(does(5, TT_IN_EVENTS), TT_DO_DOWN);
    cr_assert_eq(does('j', TT_IN_EVENTS), TT_DO_NOTHING);
    cr_assert_eq(does('Q', TT_IN_EVENTS), TT_DO_QUIT);
    cr_assert_eq(does('q', TT_IN_EVENTS), TT_DO_NOTHING);
}

Test(tui_config, a_bound_key_is_removed_from_its_action_in_the_same_context)
{
    good("[keys]\ncopy = j\n");
    cr_assert_eq(does('j', TT_IN_EVENTS), TT_DO_COPY);
    cr_assert_eq(does('j', TT_IN_HELP), TT_DO_DOWN, "it works on where the other does not");
    good("[keys]\ncpu.next = j\n");
    cr_assert_eq(does('j', TT_IN_EVENTS), TT_DO_CPU_NEXT);
    cr_assert_eq(does('j', TT_IN_HELP), TT_DO_DOWN, "it works on where the other does not");
    cr_assert_eq(does('L', TT_IN_EVENTS), TT_DO_NOTHING);
}

Test(tui_config, an_action_may_have_no_key)
{
    good("[keys]\ncopy =\n");
    cr_assert_eq(does('y', TT_IN_EVENTS), TT_DO_NOTHING);
}

Test(tui_config, special_characters_have_names)
{
    good("[keys]\ncopy = <semi> <lt> = : #\n");
    static const char signs[] = ";<=:#";
    for (const char *sign = signs; *sign; sign++) {
        cr_assert_eq(does((uint32_t)*sign, TT_IN_VIEWS), TT_DO_COPY, "%c", *sign);
    }
}

Test(tui_config, errors_have_their_line_and_the_expected_form)
{
    bad("[settings]\ntime = backwards\n", "conf:2: time: \"backwards\" is not one of: relative");
    bad("[settings]\n\n\ncolour = red\n", "conf:4: no setting \"colour\"; there are: theme");
    bad("[keys]\nmove.sideways = x\n", "conf:2: \"move.sideways\" is not an action");
    bad("[keys]\ncopy = ab\n", "conf:2: expected keys with blanks between");
    bad("[keys]\ncopy = <Nope>\n", "conf:2: expected keys");
    bad("[keys]\ncopy = x\nhelp = x\n", "conf:3: x is already bound to copy");
    bad("time = ticks\n", "conf:1: expected [settings], [keys], [sql], [lanes] or [logs] above it");
    bad("[colours]\na = b\n", "conf:2: expected [settings], [keys], [sql], [lanes] or [logs]");
    bad("[settings]\nnonsense\n",
        "conf:2: expected [settings], [keys], [sql], [lanes], [logs], or NAME = VALUE");
    bad("[settings\n", "conf:1: expected");
    char line[400] = "[settings]\ntheme = ";
    memset(line + strlen(line), 'x', 300);
    bad(line, "conf:2: line too long");
}

Test(tui_config, valid_lines_beside_an_invalid_one_apply)
{
    bad("[settings]\ntime = nothing\nmouse = off\n[keys]\ncopy = ab\nhelp = h\n", "conf:2:");
    cr_assert_not(app->ws.term.mouse_on);
    cr_assert_eq(does('h', TT_IN_VIEWS), TT_DO_HELP);
    cr_assert_eq(does('y', TT_IN_VIEWS), TT_DO_COPY, "a bad line leaves the keys as they were");
}

Test(tui_config, the_dump_has_the_current_values)
{
    static char dump[32768];
    struct tt_text text = tt_text_of(dump, sizeof dump);
    tt_config_dump(&text);
    cr_assert_not(text.truncated);
    struct tt_keymap before = app->ws.term.keymap;
    good(tt_text_cstr(&text));
    cr_assert_eq(app->ws.term.keymap.count, before.count);
    for (unsigned i = 0; i < before.count; i++) {
        unsigned found = 0;
        for (unsigned j = 0; j < before.count; j++) {
            const struct tt_binding *a = &before.bindings[i], *b = &app->ws.term.keymap.bindings[j];
            found += a->key == b->key && a->action == b->action && a->contexts == b->contexts;
        }
        cr_assert_eq(found, 1, "%s", tt_do_at(before.bindings[i].action)->name);
    }
}

Test(tui_config, random_bytes_do_no_harm)
{
    unsigned seed = 1;
    for (int round = 0; round < 3000; round++) {
        char text[300];
        static const char alphabet[] = "[]=;#: \n\n\tsettingskeys<>jC-\xff\0time";
        for (size_t i = 0; i < sizeof text; i++) {
            seed = seed * 1103515245 + 12345;
            text[i] = alphabet[(seed >> 16) % (sizeof alphabet - 1)];
        }
        tt_config_apply(app, "conf", text, sizeof text);
    }
    cr_assert_leq(app->ws.term.keymap.count, TT_BINDINGS);
}

/* The earlier names of the verbs stand for them where they did. */
Test(tui_config, earlier_names_are_those_of_the_verbs)
{
    static const struct {
        const char *verb, *names;
    } verbs[] = {
        {"go", " mark.jump history.go result.go jump lane.event snapshot.lane maximum why.go "
               "interval.go check.go diff.go align.go sql.go "},
        {"why", " interval.why check.why why.close "},
        {"write", " why.write interval.write check.write sql.write "},
        {"sort", " events.sort lanes.sort snapshot.sort summary.sort misses.sort align.order "},
        {"reverse", " sort.reverse lanes.sort.reverse snapshot.sort.reverse summary.sort.reverse "},
        {"plot", " spread "},
    };
    const struct tt_do_alias *alias;
    size_t known = 0, count = 0;
    for (unsigned i = 0; (alias = tt_do_alias_at(i)) != NULL; i++, count++) {
        unsigned contexts, own;
        char name[40], line[80];
        cr_expect_eq(tt_do_find(alias->name, strlen(alias->name), &contexts), alias->action);
        cr_expect_eq(contexts, alias->contexts, "%s", alias->name);
        snprintf(name, sizeof name, " %s ", alias->name);
        for (size_t v = 0; v < sizeof verbs / sizeof *verbs; v++) {
            enum tt_do verb = tt_do_find(verbs[v].verb, strlen(verbs[v].verb), &own);
            cr_assert_neq(verb, TT_DO_NOTHING, "%s", verbs[v].verb);
            known += alias->action == verb && strstr(verbs[v].names, name);
        }
        /* A key for the name is the verb's in these contexts, and nowhere else. */
        tt_keymap_default(&app->ws.term.keymap);
        snprintf(line, sizeof line, "[keys]\n%s = <F9>\n", alias->name);
        good(line);
        for (unsigned context = 1; context; context <<= 1) {
            cr_expect_eq(does(TT_KEY_F9, context),
                         alias->contexts & context ? alias->action : TT_DO_NOTHING, "%s in %x",
                         alias->name, context);
        }
    }
    cr_expect_eq(known, count);
    cr_expect_eq(count, 31);
}

/* A line for all places leaves the keys that a line for one of them sets, in either order. */
Test(tui_config, a_name_for_all_places_and_one_for_one_of_them)
{
    static const char *const lines[] = {"[keys]\nwrite = W\nwhy.write = e\n",
                                        "[keys]\nwhy.write = e\nwrite = W\n"};
    for (int i = 0; i < 2; i++) {
        tt_keymap_default(&app->ws.term.keymap);
        good(lines[i]);
        cr_expect_eq(in_pane('W', TT_IN_CHECK), TT_DO_WRITE);
        cr_expect_eq(in_pane('e', TT_IN_WHY), TT_DO_WRITE);
        cr_expect_eq(in_pane('W', TT_IN_WHY), TT_DO_NOTHING);
        cr_expect_eq(in_pane('w', TT_IN_WHY), TT_DO_NOTHING);
        cr_expect_eq(in_pane('e', TT_IN_CHECK), TT_DO_NOTHING);
    }
}

static const char *map(const char *text)
{
    app->ws.message.text[0] = '\0';
    struct tt_status status = tt_config_map(app, text);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    return app->ws.message.text;
}

Test(tui_config, a_mapped_key_reports_what_it_did_before)
{
    cr_expect_str_eq(map("j zoom.in"), "j: zoom.in in Threads, CPUs, Snapshot, Why, Align; before: "
                                       "move.down (one line down)");
    cr_expect_eq(does('j', TT_IN_THREADS), TT_DO_ZOOM_IN);
    cr_expect_eq(does('j', TT_IN_EVENTS), TT_DO_DOWN);
    cr_expect_str_eq(map("j zoom.in"), "j: zoom.in in Threads, CPUs, Snapshot, Why, Align");
    cr_expect_str_eq(map("<F5> filter"), "F5: filter");
    cr_expect_not_null(strstr(map("<Enter> zoom.out"), "; before: go (go to what"));
    cr_expect_not_null(strstr(map("n goto"), "; before: search.next, list.next, why.next, "));
}

Test(tui_config, a_key_alone_tells_what_it_does)
{
    cr_expect_str_eq(map("n"), "n: search.next; list.next in lists; mark.note in list of marks; "
                               "why.next in Why; align.next in Align; help.find.next in help");
    cr_expect_str_eq(map("<F9>"), "F9: nothing");
}

/* An action of all views takes the key from each of them. */
Test(tui_config, a_key_of_all_views_is_that_of_each)
{
    static const unsigned views[] = {
#define X(id, name, key, title, tab, by_time) TT_IN_##id,
        TT_VIEW_INFO(X)
#undef X
    };
    map("o mouse");
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        cr_expect_eq(does('o', views[i]), TT_DO_MOUSE, "%zu", i);
    }
    good("[keys]\nmessages = o\n");
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        cr_expect_eq(does('o', views[i]), TT_DO_MESSAGES, "%zu", i);
    }
    cr_expect_eq(does('o', TT_IN_DIFF), TT_DO_DIFF_LIST);
}

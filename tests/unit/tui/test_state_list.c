/* SPDX-License-Identifier: Apache-2.0 */
/* The states around the cursor, whose causes and events are written in steps. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "open_app.h"
#include "tui/app/event_loop.h"
#include "tui/lanes/status.h"
#include "tui/views/cpus/view.h"
#include "tui/views/threads/view.h"

#define DEMO  "samples/demo.kev"
#define LINES 7

static struct tt_app *open_large(const char *view)
{
    struct tt_app *app = open_app_in(DEMO, view);
    cr_assert(tt_grid_resize(&app->ws.term.grid, 200, 60));
    type_settled(app, "/crunch1<Enter>:30%<Enter>+++");
    return app;
}

static unsigned count_texts(const struct tt_app *app, const struct tt_state_list *list)
{
    unsigned count = 0;
    for (int i = 0; i < list->count; i++) {
        count += tt_state_list_text(&app->ws, list, &list->rows[i]) != NULL;
    }
    return count;
}

Test(tui_state_list, texts_are_those_of_the_states)
{
    struct tt_app *app = open_large("threads");
    const struct tt_threads_view *v = app->view_states[TT_VIEW_THREADS];
    const struct tt_state_list *list = &v->states;
    struct tt_args *args = calloc(1, sizeof *args);
    unsigned written = 0;
    cr_assert_not_null(args);
    cr_assert_eq(list->count, LINES);
    for (int i = 0; i < list->count; i++) {
        char buffer[TT_STATE_LIST_BYTES];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        const struct tt_state_text *there = tt_state_list_text(&app->ws, list, &list->rows[i]);
        cr_assert_not_null(there, "row %d", i);
        tt_lanes_status_event(&app->ws, &list->rows[i], args, &text);
        cr_expect_eq(there->length, text.used, "row %d", i);
        cr_expect_eq(memcmp(there->bytes, buffer, text.used), 0, "row %d", i);
        written += text.used > 0;
    }
    cr_expect_gt(written, 3u);
    cr_expect(list->rows[list->cursor].start <= app->ws.nav.viewport.at);
    cr_expect(list->rows[list->cursor].end > app->ws.nav.viewport.at);
    free(args);
    close_app(app);
}

Test(tui_state_list, a_step_without_time_writes_the_text_at_the_cursor)
{
    struct tt_app *app = open_large("threads");
    struct tt_threads_view *v = app->view_states[TT_VIEW_THREADS];
    struct tt_state_list *list = &v->states;
    list->index_rows--; /* other events: all texts are stale */
    cr_assert_not(tt_state_list_work(&app->ws, list, v->args, 0));
    cr_expect_eq(count_texts(app, list), 1);
    cr_expect_not_null(tt_state_list_text(&app->ws, list, &list->rows[list->cursor]));
    cr_assert_not(tt_state_list_work(&app->ws, list, v->args, 0));
    cr_expect_eq(count_texts(app, list), 2);
    cr_assert(tt_state_list_work(&app->ws, list, v->args, UINT64_MAX));
    cr_expect_eq(count_texts(app, list), LINES);
    close_app(app);
}

/* Returns the glyphs of the lanes of all CPUs. */
static uint64_t hash_lanes(const struct tt_app *app)
{
    const struct tt_cpus_view *v = app->view_states[TT_VIEW_CPUS];
    const struct tt_lanes_layout *l = &v->lanes.layout;
    uint64_t hash = 1;
    for (int y = 0; y < l->lanes_height; y++) {
        for (int x = l->gutter; x < l->gutter + l->columns; x++) {
            const struct tt_cell *cell =
                tt_grid_at(&app->ws.term.grid, x, app->ws.term.body.y + l->lanes + y);
            hash = hash * UINT64_C(1099511628211) + cell->ch;
        }
    }
    return hash;
}

/* After each key the lanes equal those of a fresh computation. */
Test(tui_state_list, lanes_of_cpus_follow_the_events_of_the_axis)
{
    static const char *const keys[] = {"x",           "l", "l", ">", "<lt>", "h", "x", "0", "x",
                                       ":90%<Enter>", "l", "x", "x", "+",    "-", "j", "x"};
    struct tt_app *app = open_large("cpus");
    struct tt_cpus_view *v = app->view_states[TT_VIEW_CPUS];
    uint64_t last = hash_lanes(app);
    unsigned changes = 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        type_settled(app, keys[i]);
        uint64_t shown = hash_lanes(app);
        changes += shown != last;
        last = shown;
        v->lanes_known = 0;
        tt_event_loop_settle(app);
        tt_app_draw(app);
        cr_expect_eq(hash_lanes(app), shown, "key %zu: %s", i, keys[i]);
    }
    cr_expect_gt(changes, 7u);
    close_app(app);
}

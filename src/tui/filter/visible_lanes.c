/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/filter/visible_lanes.h"

#include <string.h>

#include "tui/app/app.h"

#define BUDGET_NS   UINT64_C(3000000)
#define ROWS_A_STEP 8192u /* between two looks at the clock */

void tt_visible_lanes_drop(struct tt_app *app)
{
    struct tt_visible_lanes *o = &app->owners;
    unsigned version = o->version + 1;
    tt_events_free(o->events);
    tt_row_owners_free(&o->answer);
    tt_row_owners_free(&o->looking);
    *o = (struct tt_visible_lanes){.version = version};
}

/* True when all rows that are known to be shown were looked at. */
static bool step(struct tt_app *app, struct tt_row_owners *owners)
{
    uint64_t until = tt_monotonic_ns() + BUDGET_NS;
    bool all;
    do {
        all = tt_row_owners_step(owners, app->owners.events, app->filters.shown, 0, UINT64_MAX,
                                 ROWS_A_STEP);
    } while (!all && tt_monotonic_ns() < until);
    return all;
}

/* Nothing is filtered out. */
static bool forget(struct tt_visible_lanes *o)
{
    bool had = o->holds;
    tt_row_owners_free(&o->answer);
    tt_row_owners_free(&o->looking);
    o->holds = o->looks = false;
    o->version += had;
    return had;
}

static bool look(struct tt_app *app, struct tt_visible_lanes *o, bool *news)
{
    const struct tt_filter_stack *f = &app->filters;
    if (!o->looks || o->looking_at != f->shown_version) {
        tt_row_owners_free(&o->looking);
        o->looks = true;
        o->looking_at = f->shown_version;
    }
    if (!step(app, &o->looking)) {
        return true;
    }
    if (!tt_row_set_whole(f->shown) && tt_filter_stack_busy(f)) {
        return false; /* whoever finds more will say so */
    }
    tt_row_owners_free(&o->answer);
    o->answer = o->looking;
    o->answers = o->looking_at;
    o->looking = (struct tt_row_owners){0};
    o->holds = true;
    o->looks = false;
    o->version++;
    *news = true;
    return false;
}

/* The same filters, but more of the capture. */
static bool look_further(struct tt_app *app, struct tt_visible_lanes *o, bool *news)
{
    uint32_t before = tt_row_owners_threads(&o->answer);
    bool all = step(app, &o->answer);
    if (tt_row_owners_threads(&o->answer) != before) {
        o->version++;
        *news = true;
    }
    return !all;
}

bool tt_visible_lanes_update(struct tt_app *app, bool *news)
{
    struct tt_visible_lanes *o = &app->owners;
    if (!app->filters.shown) {
        *news |= forget(o);
        return false;
    }
    if (!o->events) {
        o->events = tt_events_new(app->opened.trace);
    }
    if (!o->events) {
        return false;
    }
    return o->holds && o->answers == app->filters.shown_version ? look_further(app, o, news)
                                                                : look(app, o, news);
}

static bool tells(const struct tt_app *app)
{
    return app->owners.holds && !app->owners.answer.failed && !app->filters.peek;
}

bool tt_visible_thread(const struct tt_app *app, uint32_t thread)
{
    return !tells(app) || tt_row_owners_thread(&app->owners.answer, thread);
}

bool tt_visible_cpu(const struct tt_app *app, uint32_t cpu)
{
    return !tells(app) || tt_row_owners_cpu(&app->owners.answer, cpu);
}

unsigned tt_visible_lanes_version(const struct tt_app *app)
{
    return app->owners.version * 2u + app->filters.peek;
}

void tt_visible_lanes_text(const struct tt_app *app, struct tt_text *text)
{
    if (tells(app)) {
        tt_text_grouped(text, tt_row_owners_threads(&app->owners.answer));
        tt_text_str(text, " of ");
        tt_text_grouped(text, tt_thread_count(app->opened.capture));
        tt_text_str(text, " threads");
    }
}

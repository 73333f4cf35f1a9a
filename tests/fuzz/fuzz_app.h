/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_app: the program without a terminal, with a small capture open. One thread. */
#ifndef TT_TESTS_FUZZ_APP_H
#define TT_TESTS_FUZZ_APP_H

#include "fuzz.h"
#include "tui/app/app.h"
#include "tui/app/config.h"
#include "tui/app/event_loop.h"

/* The program reads and writes no files of the user. */
static inline struct tt_app *fuzz_app_open(void)
{
    static const char *const path = "tests/filter/small.btrace";
    static struct tt_tui_options options;
    options.paths = &path;
    options.path_count = 1;
    options.view = "events";
    struct tt_app *app = malloc(sizeof *app);
    require(app != NULL);
    struct tt_status status = tt_app_open(app, &options, true, NULL);
    require(!tt_failed(&status) && tt_grid_resize(&app->ws.term.grid, 80, 24));
    tt_app_update(app);
    tt_event_loop_settle(app);
    return app;
}

static inline void fuzz_app_close(struct tt_app *app)
{
    tt_app_close(app);
    free(app);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "open_app.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tui/app/event_loop.h"
#include "tui/app/filter_prompt.h"
#include "tui/term/keys.h"

struct tt_app *open_app_in(const char *path, const char *view)
{
    static const char *paths[1];
    static struct tt_tui_options options;
    paths[0] = path;
    options = (struct tt_tui_options){.paths = paths, .path_count = 1, .view = view};
    struct tt_app *app = malloc(sizeof *app);
    cr_assert_not_null(app);
    struct tt_status status = tt_app_open(app, &options, true, NULL);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    cr_assert(tt_grid_resize(&app->ws.term.grid, 80, 24));
    tt_app_update(app);
    return app;
}

struct tt_app *open_app(const char *path)
{
    struct tt_app *app = open_app_in(path, "events");
    tt_event_loop_settle(app);
    return app;
}

void close_app(struct tt_app *app)
{
    tt_app_close(app);
    free(app);
}

void type_keys(struct tt_app *app, const char *keys)
{
    for (size_t left = strlen(keys), used = 1; left > 0; left -= used) {
        uint32_t key;
        used = tt_key_parse(keys, left, &key);
        cr_assert_gt(used, 0);
        tt_app_key(app, key);
        keys += used;
    }
    tt_find_settle(app);
}

void type_settled(struct tt_app *app, const char *keys)
{
    tt_event_loop_type(app, keys);
    tt_event_loop_settle(app);
    tt_app_draw(app);
}

int screen_line(const struct tt_app *app, const char *words)
{
    char buffer[2048];
    for (int y = 0; y < app->ws.term.grid.height; y++) {
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        tt_grid_line(&app->ws.term.grid, y, &text);
        if (strstr(tt_text_cstr(&text), words)) {
            return y;
        }
    }
    return -1;
}

bool screen_shows(struct tt_app *app, const char *words)
{
    tt_app_draw(app);
    return screen_line(app, words) >= 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/panes/pane.h"

#include <string.h>

#include "trace/line_parts.h"
#include "tracetui/trace.h"

#define X(id, name, action, title) extern const struct tt_view tt_overlay_##name;
TT_OVERLAY_INFO(X)
#undef X

const struct tt_view *const tt_overlays[TT_OVERLAY_COUNT] = {
#define X(id, name, action, title) [TT_OVERLAY_##id] = &tt_overlay_##name,
    TT_OVERLAY_INFO(X)
#undef X
};

struct tt_list *tt_pane_list(void *state)
{
    return state;
}

bool tt_pane_dismiss(struct tt_workspace *ws, void *state)
{
    (void)state;
    ws->nav.overlay = TT_OVERLAY_NONE;
    return true;
}

/* ---- drawing ------------------------------------------------------------------------------ */

void tt_pane_title(struct tt_area area, const struct tt_text *title, const struct tt_text *state,
                   enum tt_role role)
{
    int width = tt_grid_columns(area.grid, state->buffer, state->used);
    tt_draw_text(area, area.width - 1 - width, 0, width, role, state->buffer, state->used);
    int room = area.width - width - (width > 0 ? 4 : 3);
    tt_draw_text(area, 1, 0, room > 0 ? room : 0, TT_ROLE_TITLE, title->buffer, title->used);
}

void tt_pane_rule(const struct tt_workspace *ws, struct tt_area area, int y, const char *title)
{
    tt_draw_fill(area, 0, y, area.width, TT_ROLE_LINE, tt_term_glyph(&ws->term, TT_GLYPH_LINE));
    tt_draw(area, 1, y, area.width - 2, TT_ROLE_TITLE, title);
}

void tt_pane_box(const struct tt_workspace *ws, struct tt_area box, const char *title, bool closed)
{
    const uint32_t line = tt_term_glyph(&ws->term, TT_GLYPH_LINE);
    tt_draw_blank(box, 0, 0, box.width, box.height);
    tt_draw_fill(box, 0, 0, box.width, TT_ROLE_LINE, line);
    tt_draw(box, 2, 0, box.width - 2, TT_ROLE_TITLE, title);
    if (closed) {
        tt_draw_fill(box, 0, box.height - 1, box.width, TT_ROLE_LINE, line);
    }
}

const char *tt_pane_micro(const struct tt_workspace *ws)
{
    return ws->term.grid.ascii ? " us" : " µs";
}

const char *tt_pane_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool tt_pane_has_end(const char *path, const char *end)
{
    size_t length = strlen(path), most = strlen(end);
    return length > most && strcmp(path + length - most, end) == 0;
}

/* ---- going -------------------------------------------------------------------------------- */

static bool is_interval(const struct tt_workspace *ws, uint32_t thread, uint64_t from, uint64_t to)
{
    return thread < tt_thread_count(ws->opened.capture) && from < to;
}

void tt_pane_go(struct tt_workspace *ws, uint32_t thread, uint64_t from, uint64_t to, uint64_t at)
{
    ws->nav.overlay = TT_OVERLAY_NONE;
    if (is_interval(ws, thread, from, to)) {
        tt_jobs_show_interval(ws, thread, from, to, from);
    } else {
        tt_nav_show(&ws->nav, TT_VIEW_EVENTS);
        tt_nav_jump(ws, at, 0);
    }
}

void tt_pane_explain(struct tt_workspace *ws, uint32_t thread, uint64_t from, uint64_t to,
                     const char *what)
{
    if (is_interval(ws, thread, from, to)) {
        tt_why_open_range(ws, thread, from, to, what);
    } else {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "no interval of a thread to explain");
    }
}

static void no_notice(void *arg)
{
    (void)arg;
}

struct tt_status tt_pane_open_trace(struct tt_workspace *ws, const char *path,
                                    struct tt_trace **trace)
{
    struct tt_trace_options options = {
        .capture = {.clock_hz = ws->opened.capture->clock_hz},
    };
    tt_remote_files_use(&ws->remote, &options.map);
    *trace = NULL;
    struct tt_status status = tt_trace_open(path, &options, trace);
    if (!tt_failed(&status)) {
        status = tt_trace_index_start(*trace, no_notice, NULL);
    }
    if (tt_failed(&status)) {
        tt_trace_close(*trace);
        *trace = NULL;
    }
    return status;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* export: writes the current view to a file. */
#include "tui/app/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "excerpt/excerpt.h"
#include "export/export.h"
#include "trace/line_parts.h"
#include "tracetui/event_line.h"
#include "tui/app/app.h"
#include "tui/app/live.h"
#include "tui/model/visible_rows.h"
#include "tui/term/ansi.h"

#define PATH_BYTES 512 /* of the offered file name */
#define LINE_BYTES 65536
#define ROWS       256u

static bool is_capture(const struct tt_app *app, const char *path)
{
    struct stat there, capture;
    if (stat(path, &there) != 0) {
        return false;
    }
    for (size_t i = 0; i < app->files.path_count; i++) {
        if (stat(app->files.paths[i], &capture) == 0 && capture.st_dev == there.st_dev &&
            capture.st_ino == there.st_ino) {
            return true;
        }
    }
    return false;
}

/* Returns whether the list of events is what the screen shows. */
static bool shows_events(const struct tt_app *app)
{
    void *state;
    return tt_view_shown(app, &state) == tt_views[TT_VIEW_EVENTS];
}

static bool has_suffix(const char *path, const char *suffix)
{
    size_t length = strlen(path), of = strlen(suffix);
    return length > of && strcmp(path + length - of, suffix) == 0;
}

static bool is_csv(const char *path)
{
    return has_suffix(path, ".csv");
}

/* ---- events --------------------------------------------------------------------------------- */

/* Appends an event as a row of CSV; NULL: the header. */
static void export_put_event(struct tt_text *text, const struct tt_app *app,
                             const struct tt_event *event, const struct tt_args *args)
{
    const struct tt_capture *capture = app->ws.opened.capture;
    const struct tt_event none = {.thread = TT_NO_THREAD};
    const struct tt_event_type *type = event ? tt_types_at(capture, event->type) : NULL;
    struct tt_fields fields = tt_fields_begin(text, event ? TT_FIELDS_CSV : TT_FIELDS_HEADER);
    event = event ? event : &none;
    if (tt_field_key(&fields, capture->clock_hz ? "time_s" : "ticks")) {
        tt_line_time(text, capture,
                     tt_relative_ticks(capture, event->ticks, app->ws.index.progress.first_ticks));
    }
    tt_field_number(&fields, "cpu", event->cpu != TT_NO_CPU, event->cpu);
    tt_field_thread(&fields, capture, "thread", event->thread);
    tt_field_text(&fields, "class", type ? type->class_name : NULL);
    tt_field_text(&fields, "event", type ? type->name : NULL);
    size_t start = tt_field_open_text(&fields, "arguments");
    if (type) {
        tt_line_args(text, args);
    }
    tt_field_close_text(&fields, start);
    tt_fields_end(&fields);
}

static bool write_event(struct tt_app *app, const struct tt_event *event, struct tt_args *args,
                        char *line)
{
    struct tt_export *export = &app->writing;
    struct tt_text text = tt_text_of(line, LINE_BYTES);
    tt_events_describe(export->events, event, args);
    if (export->csv) {
        export_put_event(&text, app, event, args);
    } else {
        tt_line_event(&text, app->ws.opened.capture, event, args,
                      app->ws.index.progress.first_ticks);
        tt_text_char(&text, '\n');
    }
    return fwrite(line, 1, text.used, export->save.file) == text.used;
}

/* Begins to write rows in steps; `first` to `end` are for the progress. */
static void export_begin_rows(struct tt_app *app, uint64_t first, uint64_t end)
{
    struct tt_export *export = &app->writing;
    export->first = export->at = first;
    export->end = end;
    export->version = app->ws.filters.stack.shown_version;
    export->active = true;
}

static struct tt_status start_events(struct tt_app *app, const char *path)
{
    struct tt_export *export = &app->writing;
    export->csv = is_csv(path);
    export->events = tt_events_new(app->ws.opened.trace);
    if (!export->events) {
        tt_save_abandon(&export->save);
        return tt_error_memory();
    }
    export_begin_rows(app, 0, tt_visible_count(&app->ws));
    if (export->csv) {
        char line[LINE_BYTES];
        struct tt_text text = tt_text_of(line, sizeof line);
        export_put_event(&text, app, NULL, NULL);
        fwrite(line, 1, text.used, export->save.file);
    }
    return tt_ok();
}

/* Ends the writing of rows: the file appears, or a message says why not. Returns whether it appeared. */
static bool end_rows(struct tt_app *app, uint64_t written, struct tt_status status)
{
    struct tt_export *export = &app->writing;
    export->active = false;
    export->written = written;
    if (!tt_failed(&status) && ferror(export->save.file)) {
        status = tt_error_errno(errno, export->save.path);
    }
    if (tt_failed(&status)) {
        tt_save_abandon(&export->save);
    } else {
        status = tt_save_commit(&export->save);
    }
    if (tt_failed(&status)) {
        tt_message_set(&app->ws.message, TT_ROLE_ERROR, "not written: %.150s", status.text);
    } else {
        const char *what = export->table ? export->written == 1 ? "row" : "rows" : "events";
        tt_message_set(&app->ws.message, TT_ROLE_STATUS, "%llu %s written to %.140s",
                       (unsigned long long)export->written, what, export->save.path);
    }
    return !tt_failed(&status);
}

/* Writes some events; returns false when all are written or on error. */
static bool write_some(struct tt_app *app, struct tt_args *args, char *line,
                       struct tt_status *status)
{
    struct tt_export *export = &app->writing;
    for (unsigned i = 0; i < ROWS && export->at < export->end; i++, export->at++) {
        struct tt_event event;
        if (tt_events_read(export->events, tt_visible_row(&app->ws, export->at), 1, &event) != 1) {
            continue;
        }
        if (!write_event(app, &event, args, line)) {
            *status = tt_error_errno(errno, export->save.path);
            return false;
        }
    }
    return export->at < export->end;
}

static bool export_step_events(struct tt_app *app, uint64_t until)
{
    struct tt_status status = tt_ok();
    struct tt_args *args = malloc(sizeof *args);
    char *line = malloc(LINE_BYTES);
    bool going = args && line;
    if (!going) {
        status = tt_error_memory();
    }
    while (going && tt_now_ns() < until) {
        going = write_some(app, args, line, &status);
    }
    free(args);
    free(line);
    if (!going) {
        tt_events_free(app->writing.events);
        app->writing.events = NULL;
        end_rows(app, app->writing.end, status);
    }
    return !going;
}

/* ---- FXT ------------------------------------------------------------------------------------ */

static bool export_is_shown(void *arg, uint64_t row)
{
    return tt_visible_has(arg, row);
}

static struct tt_export_request fxt_request(struct tt_app *app)
{
    struct tt_workspace *ws = &app->ws;
    struct tt_events *events = ws->opened.events;
    struct tt_export_request request = {.trace = ws->opened.trace,
                                        .end_row = tt_events_rows(events),
                                        .to = UINT64_MAX,
                                        .sink = tt_sink_of_file(app->writing.save.file)};
    uint64_t from, to;
    if (tt_viewport_selection(&ws->nav.viewport, &from, &to)) {
        request.from = from;
        request.to = to;
        request.first_row = tt_events_row_at_time(events, from);
        request.end_row = tt_events_row_at_time(events, to);
    }
    if (!tt_filter_stack_all_shown(&ws->filters.stack)) {
        request.subset.wanted = export_is_shown;
        request.subset.wanted_arg = ws;
    }
    return request;
}

static struct tt_status begin_fxt(struct tt_app *app)
{
    struct tt_export *export = &app->writing;
    struct tt_export_request request = fxt_request(app);
    struct tt_status status = tt_fxt_export_begin(&request, &export->fxt);
    if (tt_failed(&status)) {
        tt_save_abandon(&export->save);
        return status;
    }
    export_begin_rows(app, request.first_row, request.end_row);
    return status;
}

static bool step_fxt(struct tt_app *app, uint64_t until)
{
    struct tt_export *export = &app->writing;
    struct tt_export_counts counts;
    while (tt_fxt_export_step(export->fxt)) {
        export->at = tt_fxt_export_row(export->fxt);
        if (tt_now_ns() >= until) {
            return false;
        }
    }
    struct tt_status status = tt_fxt_export_end(export->fxt, &counts);
    export->fxt = NULL;
    end_rows(app, counts.events, status);
    return true;
}

static struct tt_status open_session(struct tt_export *export, bool overwrite)
{
    char path[TT_SAVE_PATH];
    struct tt_text text = tt_text_of(path, sizeof path);
    tt_text_put(&text, "%s%s", export->save.path, TT_SESSION_BESIDE);
    return text.truncated
               ? tt_error(TT_ERR_USAGE, "%.100s: the name is too long", export->save.path)
               : tt_save_open(&export->session, tt_text_cstr(&text),
                              TT_ATOMIC_SYNC | (overwrite ? TT_ATOMIC_REPLACE : 0));
}

static struct tt_status write_session(struct tt_app *app, const struct tt_excerpt_counts *counts)
{
    struct tt_export *export = &app->writing;
    char *buffer = malloc(TT_EXCERPT_SESSION);
    if (!buffer) {
        tt_save_abandon(&export->session);
        return tt_error_memory();
    }
    struct tt_text text = tt_text_of(buffer, TT_EXCERPT_SESSION);
    tt_excerpt_session(app->ws.opened.capture, export->marks, export->mark_count, counts, &text);
    fwrite(text.buffer, 1, text.used, export->session.file);
    free(buffer);
    return tt_save_commit(&export->session);
}

static struct tt_status begin_excerpt(struct tt_app *app)
{
    struct tt_export *export = &app->writing;

    /*
     * ---- a part of the capture
     * --------------------------------------------------------------------
     */
    struct tt_export_request of = fxt_request(app);
    struct tt_excerpt_request request = {.trace = of.trace,
                                         .first_row = of.first_row,
                                         .end_row = of.end_row,
                                         .subset = of.subset,
                                         .sink = of.sink};

    request.marks = export->marks;
    request.mark_count = export->mark_count;
    struct tt_status status = tt_excerpt_begin(&request, &export->excerpt);
    if (tt_failed(&status)) {
        tt_save_abandon(&export->save);
        tt_save_abandon(&export->session);
        return status;
    }
    export_begin_rows(app, 0, 100); /* percent */
    return status;
}

static bool step_excerpt(struct tt_app *app, uint64_t until)
{
    struct tt_export *export = &app->writing;
    while (tt_excerpt_step(export->excerpt)) {
        export->at = tt_excerpt_percent(export->excerpt);
        if (tt_now_ns() >= until) {
            return false;
        }
    }

    struct tt_excerpt_counts counts;
    struct tt_status status = tt_excerpt_end(export->excerpt, &counts);
    export->excerpt = NULL;
    bool with_session = export->session.file != NULL;
    if (!tt_failed(&status) && with_session && !ferror(export->save.file)) {
        status = write_session(app, &counts);
    }
    tt_save_abandon(&export->session);
    if (end_rows(app, counts.events, status) && with_session) {
        unsigned saved = tt_excerpt_marks_saved(export->marks, export->mark_count);

        /* Adds the number of marks to the message. */
        unsigned left = export->mark_count - saved;
        char last[64] = "";
        if (left > 0) {
            snprintf(last, sizeof last, "; %u outside", left);
        }
        tt_message_set(&app->ws.message, left > 0 ? TT_ROLE_WARNING : TT_ROLE_STATUS,
                       "%llu events and %u %s%s written to %.140s",
                       (unsigned long long)app->writing.written, saved,
                       saved == 1 ? "mark" : "marks", last, app->writing.save.path);
    }

    return true;
}

/* ---- the report ----------------------------------------------------------------------------- */

static struct tt_time_spec spec_of_ticks(const struct tt_app *app, uint64_t ticks)
{
    const struct tt_relative since =
        tt_relative_ticks(app->ws.opened.capture, ticks, app->ws.index.progress.first_ticks);
    return (struct tt_time_spec){TT_TIME_SPEC_TICKS,
                                 (int64_t)(since.before ? 0 - since.ticks : since.ticks)};
}

static struct tt_status begin_report(struct tt_app *app)
{
    struct tt_export *export = &app->writing;
    struct tt_workspace *ws = &app->ws;
    char ends[TT_JOBS_TEXT];
    uint64_t from, to;
    struct tt_tui_report_request request = {
        .trace = ws->opened.trace,
        .path = tt_trace_path(ws->opened.trace),
        .deadlines = ws->jobs.deadlines[0] ? ws->jobs.deadlines : NULL,
        .job_ends = tt_jobs_ends_of(&ws->jobs, ws->opened.capture->format, ends) ? ends : NULL};
    if (tt_viewport_selection(&ws->nav.viewport, &from, &to)) {
        request.from = spec_of_ticks(app, from);
        request.to = spec_of_ticks(app, to);
    }
    struct tt_status status =
        app->options->reporter
            ? app->options->reporter->begin(app->options->reporter->arg, &request, &export->report)
            : tt_error(TT_ERR_USAGE, "not written: this program has no report");
    if (tt_failed(&status)) {
        tt_save_abandon(&export->save);
        return status;
    }
    export_begin_rows(app, 0, 100); /* percent */
    return status;
}

/* Adds one section: they take from a millisecond to seconds. */
static bool step_report(struct tt_app *app)
{
    struct tt_export *export = &app->writing;
    struct tt_sink sink = tt_sink_of_file(export->save.file);
    unsigned percent;
    const bool more = app->options->reporter->step(export->report, &percent);
    export->at = percent;
    if (more) {
        return false;
    }
    struct tt_status status = app->options->reporter->end(export->report, &sink);
    export->report = NULL;
    if (end_rows(app, 1, status)) {
        tt_message_set(&app->ws.message, TT_ROLE_STATUS, "the report written to %.140s",
                       export->save.path);
    }
    return true;
}

/* ---- large tables --------------------------------------------------------------------------- */

static bool step_table(struct tt_app *app, uint64_t until)
{
    struct tt_export *export = &app->writing;
    struct tt_write_part part = {export->at, export->end, export->table_version};
    struct tt_status status = export->table->write_part(
        &app->ws, export->table_state, export->save.file, export->save.path, &part, until);
    export->at = part.at;
    export->end = part.end;
    export->table_version = part.version;
    if (!tt_failed(&status) && export->at < export->end) {
        return false;
    }
    end_rows(app, export->end, status);
    export->table = NULL;
    return true;
}

/* ---- all ------------------------------------------------------------------------------------ */

bool tt_export_step(struct tt_app *app, uint64_t budget_ns)
{
    uint64_t until = tt_now_ns() + budget_ns;
    if (app->writing.version != app->ws.filters.stack.shown_version) {
        tt_export_stop(app);
        tt_message_set(&app->ws.message, TT_ROLE_WARNING,
                       "stopped: the filters changed; nothing was written");
        return true;
    }
    return app->writing.fxt       ? step_fxt(app, until)
           : app->writing.excerpt ? step_excerpt(app, until)
           : app->writing.report  ? step_report(app)
           : app->writing.table   ? step_table(app, until)
                                  : export_step_events(app, until);
}

void tt_export_stop(struct tt_app *app)
{
    struct tt_export *export = &app->writing;
    struct tt_export_counts counts;
    struct tt_excerpt_counts excerpt_counts;
    if (!export->active) {
        return;
    }
    export->active = false;
    export->table = NULL;
    if (export->excerpt) {
        tt_excerpt_end(export->excerpt, &excerpt_counts);
        export->excerpt = NULL;
    }
    if (export->fxt) {
        tt_fxt_export_end(export->fxt, &counts);
        export->fxt = NULL;
    }
    if (export->report) {
        app->options->reporter->end(export->report, NULL);
        export->report = NULL;
    }
    tt_events_free(export->events);
    export->events = NULL;
    tt_save_abandon(&export->save);
    tt_save_abandon(&export->session);
}

void tt_export_progress(const struct tt_app *app, struct tt_text *text)
{
    const struct tt_export *export = &app->writing;
    tt_text_str(text, "writing ");
    uint64_t rows = export->end - export->first;
    tt_text_put(text, "%ju %%, Esc stops",
                rows ? (uint64_t)((double)(export->at - export->first) * 100 / (double)rows) : 100);
}

/* ---- pictures ------------------------------------------------------------------------------- */

struct tt_status tt_export_frame(const struct tt_app *app, enum tt_picture kind, int colors,
                                 struct tt_sink *sink)
{
    const struct tt_grid *grid = &app->ws.term.grid;
    if (kind != TT_PICTURE_NONE) {
        return tt_picture_write(kind, grid, &app->ws.term.theme, colors, sink);
    }
    size_t capacity = tt_ansi_line_size(grid->width) + 1;
    char *line = malloc(capacity);
    if (!line) {
        return tt_error_memory();
    }
    for (int y = 0; y < grid->height && !sink->stopped; y++) {
        struct tt_text text = tt_text_of(line, capacity);
        tt_ansi_line(&text, grid, &app->ws.term.theme, colors, y);
        tt_text_char(&text, '\n');
        tt_sink_flush(sink, &text);
    }
    free(line);
    return tt_ok();
}

/* Writes the frame to the open file. */
static struct tt_status write_picture(struct tt_app *app, enum tt_picture kind, int colors)
{
    struct tt_save *save = &app->writing.save;
    tt_app_draw(app); /* without the prompt of the command */
    struct tt_sink sink = tt_sink_of_file(save->file);
    struct tt_status status = tt_export_frame(app, kind, colors, &sink);
    if (tt_failed(&status)) {
        tt_save_abandon(save);
        return status;
    }
    return tt_save_commit(save);
}

static void tell_written(struct tt_app *app)
{
    tt_message_set(&app->ws.message, TT_ROLE_STATUS, "the screen written to %.140s",
                   app->writing.save.path);
}

/* ---- the rest ------------------------------------------------------------------------------- */

/* Writes the frame line by line. */
static struct tt_status write_screen(struct tt_app *app, FILE *file)
{
    size_t capacity = (size_t)app->ws.term.grid.width * 8 + 1;
    char *line = malloc(capacity);
    if (!line) {
        return tt_error_memory();
    }
    tt_app_draw(app); /* without the prompt of the command */
    if (app->ws.term.body.height == 0) {
        free(line);
        return tt_error(TT_ERR_USAGE, "not written: the terminal is too small");
    }
    int end = app->ws.term.body.y + app->ws.term.body.height;
    for (int y = app->ws.term.body.y; y < end; y++) {
        struct tt_text text = tt_text_of(line, capacity);
        tt_grid_line(&app->ws.term.grid, y, &text);
        tt_text_char(&text, '\n');
        fwrite(line, 1, text.used, file);
    }
    free(line);
    return ferror(file) ? tt_error_errno(errno, "write") : tt_ok();
}

static bool has_lanes(const struct tt_view *view)
{
    return view == tt_views[TT_VIEW_THREADS] || view == tt_views[TT_VIEW_CPUS];
}

static struct tt_status begin_table(struct tt_app *app, const struct tt_view *view, void *state)
{
    app->writing.table = view;
    app->writing.table_state = state;
    export_begin_rows(app, 0, 0);
    return tt_ok();
}

static struct tt_status write_at_once(struct tt_app *app)
{
    struct tt_save *save = &app->writing.save;
    void *state;
    const struct tt_view *view = tt_view_shown(app, &state);
    char what[64];
    struct tt_text text = tt_text_of(what, sizeof what);
    struct tt_status status;
    if (is_csv(save->path) && has_lanes(view)) {
        status = tt_export_lanes(app, save->file, &text);
    } else if (view->write) {
        status = view->write(&app->ws, state, save->file, save->path, &text);
    } else if (tt_view_rows(view, state)) {
        status = tt_rows_write(&app->ws, state, view->rows, save->file, save->path, &text);
    } else {
        tt_text_str(&text, "the screen");
        status = write_screen(app, save->file);
    }
    if (tt_failed(&status)) {
        tt_save_abandon(save);
        return status;
    }
    status = tt_save_commit(save);
    if (!tt_failed(&status)) {
        tt_message_set(&app->ws.message, TT_ROLE_STATUS, "%s written to %.140s",
                       tt_text_cstr(&text), save->path);
    }
    return status;
}

/* Returns whether a view has values for a .csv file. */
static bool can_be_csv(const struct tt_view *view)
{
    return view == tt_views[TT_VIEW_EVENTS] || has_lanes(view) || view->write || view->write_part ||
           view->rows;
}

/* Fails while rows are not known yet: they would be missing in the file without notice. */
static struct tt_status check_known(const struct tt_app *app)
{
    const struct tt_progress *progress = &app->ws.index.progress;
    if (!tt_live_is_read(app) && progress->bytes_total > 0) {
        return tt_error(
            TT_ERR_USAGE, "not written: only %u %% are indexed",
            (unsigned)((double)progress->bytes_done * 100.0 / (double)progress->bytes_total));
    }
    if (!tt_filter_stack_all_shown(&app->ws.filters.stack) &&
        (tt_filter_stack_busy(&app->ws.filters.stack) || app->ws.filters.find.more)) {
        return tt_error(TT_ERR_USAGE, "not written: only %u %% are filtered",
                        tt_filter_stack_percent(&app->ws.filters.stack));
    }
    return tt_ok();
}

/* Fails for a .csv file if the view is not a table: its columns are not values. */
static struct tt_status check_kind(const struct tt_app *app, const char *path)
{
    void *state;
    const struct tt_view *view = tt_view_shown(app, &state);
    if (is_csv(path) && view == tt_overlays[TT_OVERLAY_WHY]) {
        return tt_error(TT_ERR_USAGE, "not written: an explanation is no table; name a .txt or "
                                      ".jsonl file");
    }
    if (is_csv(path) && view == tt_overlays[TT_OVERLAY_CHECK]) {
        return tt_error(TT_ERR_USAGE,
                        "not written: a report is no table; name a .xml, .tap, .jsonl "
                        "or .txt file");
    }
    if (is_csv(path) && !can_be_csv(view)) {
        return tt_error(TT_ERR_USAGE, "not written: %s is not a table; FILE.txt gets the frame",
                        tt_view_names(app->ws.nav.view)->title);
    }
    return tt_ok();
}

/* Opens the file to be written, with the flags of base/atomic_file.h. */
static struct tt_status open_file(struct tt_app *app, const char *path, unsigned flags)
{
    struct tt_save *save = &app->writing.save;
    if (strcmp(path, "-") == 0) {
        return tt_error(TT_ERR_USAGE, "not written: standard output is the screen; name a file");
    }
    struct tt_status status = tt_save_open(save, path, flags);
    if (!tt_failed(&status) && is_capture(app, save->path)) {
        tt_save_abandon(save);
        return tt_error(TT_ERR_USAGE, "not written: the output file is the capture");
    }
    return status;
}

static unsigned flags_of(bool overwrite)
{
    return TT_ATOMIC_SYNC | (overwrite ? TT_ATOMIC_REPLACE : 0);
}

/* Fails while another file is written, or with `known` while rows are not known yet. */
static struct tt_status check_idle(const struct tt_app *app, bool known)
{
    return app->writing.active ? tt_error(TT_ERR_USAGE, "a write is in progress; Esc stops it")
           : known             ? check_known(app)
                               : tt_ok();
}

/* Opens the file for a capture, once everything of the present one is known. */
static struct tt_status export_open_capture(struct tt_app *app, const char *path, bool overwrite)
{
    struct tt_status status = check_idle(app, true);
    if (!tt_failed(&status) && app->ws.index.following.live.follows) {
        status = tt_error(TT_ERR_USAGE, "not written: the capture is still followed");
    }
    return tt_failed(&status) ? status : open_file(app, path, flags_of(overwrite));
}

struct tt_status tt_export_start_fxt(struct tt_app *app, const char *path, bool overwrite)
{
    struct tt_status status = export_open_capture(app, path, overwrite);
    return tt_failed(&status) ? status : begin_fxt(app);
}

struct tt_status tt_export_start_report(struct tt_app *app, const char *path, bool overwrite)
{
    struct tt_status status = export_open_capture(app, path, overwrite);
    return tt_failed(&status) ? status : begin_report(app);
}

bool tt_export_is_excerpt(const struct tt_app *app, const char *path)
{
    const char *dot = strrchr(path, '.');
    const struct tt_capture *capture = app->ws.opened.capture;
    return dot && capture && strcmp(dot + 1, capture->format->name) == 0 &&
           strcmp(dot, ".fxt") != 0;
}

struct tt_status tt_export_start_excerpt(struct tt_app *app, const char *path, bool overwrite,
                                         bool with_marks)
{
    struct tt_export *export = &app->writing;
    struct tt_status status = export_open_capture(app, path, overwrite);
    if (tt_failed(&status)) {
        return status;
    }
    export->mark_count = 0;
    if (with_marks) {
        /* Takes the marks of the program for the session beside the part. */

        export->mark_count = 0;
        for (int i = 0; i < TT_BOOKMARKS; i++) {
            const struct tt_bookmark *bookmark = &app->ws.nav.marks[i];
            if (bookmark->set) {
                export->marks[export->mark_count++] =
                    (struct tt_excerpt_mark){.ticks = bookmark->ticks,
                                             .pos = bookmark->pos,
                                             .note = bookmark->note,
                                             .set = bookmark->set,
                                             .letter = (char)('a' + i)};
            }
        }

        status = open_session(export, overwrite);
    }
    if (tt_failed(&status)) {
        tt_save_abandon(&export->save);
        return status;
    }
    return begin_excerpt(app);
}

struct tt_status tt_export_start(struct tt_app *app, const char *path, bool overwrite)
{
    if (has_suffix(path, ".fxt")) {
        return tt_export_start_fxt(app, path, overwrite);
    }
    if (has_suffix(path, ".html")) {
        return tt_export_start_report(app, path, overwrite);
    }
    enum tt_picture picture = tt_picture_of_path(path);
    struct tt_status status = check_idle(app, shows_events(app) && picture == TT_PICTURE_NONE);
    if (!tt_failed(&status)) {
        status = check_kind(app, path);
    }
    if (!tt_failed(&status)) {
        status = open_file(app, path, flags_of(overwrite));
    }
    if (tt_failed(&status)) {
        return status;
    }
    if (picture != TT_PICTURE_NONE) {
        status = write_picture(app, picture, 256);
        if (!tt_failed(&status)) {
            tell_written(app);
        }
        return status;
    }
    void *state;
    const struct tt_view *view = tt_view_shown(app, &state);
    return shows_events(app)  ? start_events(app, app->writing.save.path)
           : view->write_part ? begin_table(app, view, state)
                              : write_at_once(app);
}

struct tt_status tt_export_picture(struct tt_app *app, const char *path, bool overwrite)
{
    int colors = has_suffix(path, ".ansi") ? app->options->most_colors : 0;
    enum tt_picture kind = tt_picture_of_path(path);
    struct tt_status status = check_idle(app, false);
    if (!tt_failed(&status)) {
        /* A script writes many of them, and can draw them again: none waits for the disk. */
        status = open_file(app, path, overwrite ? TT_ATOMIC_REPLACE : 0);
    }
    if (!tt_failed(&status)) {
        status = write_picture(app, kind, kind == TT_PICTURE_NONE ? colors : 256);
    }
    if (!tt_failed(&status) && app->ws.index.notify) {
        tell_written(app); /* the next picture of a script would show it */
    }
    return status;
}

/* ---- the prompt ----------------------------------------------------------------------------- */

void tt_export_prompt(struct tt_app *app)
{
    void *state;
    const struct tt_view *view = tt_view_shown(app, &state);
    const char *path = tt_trace_path(app->ws.opened.trace);
    const char *slash = strrchr(path, '/');
    const char *name = slash && slash[1] ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    char buffer[PATH_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    if (strcmp(path, "-") == 0) {
        tt_text_str(&text, "capture");
    } else {
        tt_text_escaped(&text, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
    }
    tt_text_char(&text, '-');
    if (view->name_file) {
        view->name_file(state, &text);
    } else if (view->file) {
        tt_text_str(&text, view->file);
    } else {
        tt_text_put(&text, "%s%s", tt_view_names(app->ws.nav.view)->name,
                    can_be_csv(view) ? ".csv" : ".txt");
    }
    tt_prompt_offer(app, TT_PROMPT_COMMAND, "write ", tt_text_cstr(&text));
}

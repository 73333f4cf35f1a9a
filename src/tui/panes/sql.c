/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sql: the SQL pane: the rows of a query, as `tracetui sql` prints them.
 *
 *       sql: select thread, run_ns from threads                    32 rows, 3 ms
 *       thread            run_ns ↓
 *      ▌sh/3 crunch1      17054815
 *
 * Rows appear while the query runs. It covers the view below it.
 */
#define _POSIX_C_SOURCE 200809L
#include "tui/panes/sql.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "print/record/fields.h"
#include "tui/panes/pane.h"

#define LIST       2        /* first line of the list */
#define WIDTH_MOST 40       /* of a column; the last one may be wider */
#define SAMPLES    200u     /* first rows that the widths of columns depend on */
#define WRITE_ROWS 16u      /* between two looks at the clock */
#define FIRST_NS   8000000u /* a query that is faster needs no second frame */
#define PAUSE_NS   1000000

/* Frees what belongs to a query: its rows, and the columns on the screen. */
static void sql_drop(struct tt_workspace *ws, void *state)
{
    struct tt_sql_pane *pane = state;
    (void)ws;
    tt_querying_drop(&pane->query);
    pane->run = NULL; /* the columns are freed when the next query has some */
}

static void sql_close(void *state)
{
    struct tt_sql_pane *pane = state;
    tt_querying_free(&pane->query);
    free(pane->columns);
}

static struct tt_status sql_begin(struct tt_workspace *ws, void *state, const char *text,
                                  const char **result)
{
    struct tt_sql_pane *pane = state;
    *result = text[0] ? text : NULL;
    if (!tt_sql_is_built_in()) {
        return tt_error(TT_ERR_USAGE, "this program was built without SQL");
    }
    if (!ws->opened.trace || (!text[0] && !pane->query.text)) {
        return tt_error(TT_ERR_USAGE,
                        ws->opened.trace ? "no query: :sql select ..." : "no capture is open");
    }
    return text[0] ? tt_querying_begin(&pane->query, text) : tt_ok();
}

static bool pane_sql_work(struct tt_workspace *ws, struct tt_sql_pane *pane)
{
    bool ready = ws->opened.trace && ws->index.progress.finished;
    return tt_querying_work(&pane->query, ready ? ws->opened.trace : NULL,
                            ready ? tt_trace_path(ws->opened.trace) : "", &ws->query_definitions);
}

/* Waits for the worker thread until `deadline_ns` at most; returns whether nothing is left to do. */
static bool work_until(struct tt_workspace *ws, struct tt_sql_pane *pane, uint64_t deadline_ns)
{
    bool done = pane_sql_work(ws, pane);
    while (!done && pane->query.run && tt_now_ns() + PAUSE_NS < deadline_ns) {
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
        done = pane_sql_work(ws, pane);
    }
    return done;
}

/* ---- values ------------------------------------------------------------------------------- */

static void sql_put_hex(struct tt_text *text, const struct tt_query_cell *cell)
{
    tt_text_str(text, "x'");
    for (uint64_t i = 0; i < cell->value.length && !text->truncated; i++) {
        tt_text_hex(text, (uint8_t)cell->text[i], 2);
    }
    tt_text_char(text, '\'');
}

/* Appends a value for a table, escaped. */
static void sql_put_value(struct tt_text *text, const struct tt_query_cell *cell)
{
    switch ((enum tt_sql_type)cell->type) {
    case TT_SQL_NULL:
        break;
    case TT_SQL_INTEGER:
        tt_text_i64(text, cell->value.integer);
        break;
    case TT_SQL_REAL:
        tt_text_double(text, cell->value.real);
        break;
    case TT_SQL_TEXT:
        tt_text_escaped(text, cell->text, cell->value.length);
        break;
    case TT_SQL_BLOB:
        sql_put_hex(text, cell);
        break;
    }
}

/* ---- layout ------------------------------------------------------------------------------- */

static int columns_of_text(const struct tt_workspace *ws, const struct tt_text *text)
{
    return tt_grid_columns(&ws->term.grid, text->buffer, text->used);
}

/* Widens the columns for a row. */
static void sample(const struct tt_workspace *ws, struct tt_sql_pane *pane,
                   const struct tt_query_row *row)
{
    char buffer[TT_PANE_LINE];
    for (unsigned i = 0; i < pane->column_count; i++) {
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        sql_put_value(&text, &row->cells[i]);
        int width = columns_of_text(ws, &text);
        pane->columns[i].width = width > pane->columns[i].width ? width : pane->columns[i].width;
        pane->columns[i].is_text |=
            row->cells[i].type == TT_SQL_TEXT || row->cells[i].type == TT_SQL_BLOB;
    }
}

/* Begins the columns of a new query. */
static void begin_columns(const struct tt_workspace *ws, struct tt_sql_pane *pane)
{
    const struct tt_querying *querying = &pane->query;
    if (pane->run != querying->run) {
        free(pane->columns);
        pane->columns = NULL;
        pane->column_count = 0;
        pane->sampled = 0;
        if (!pane->list.returns) { /* to a place in this query */
            pane->list = (struct tt_list){0};
            pane->column = pane->first = 0;
        }
        pane->run = querying->run;
    }
    unsigned count = tt_querying_columns(querying);
    if (pane->column_count < count) {
        pane->columns = calloc(count, sizeof *pane->columns);
        pane->column_count = pane->columns ? count : 0;
        for (unsigned i = 0; i < pane->column_count; i++) {
            char buffer[TT_PANE_LINE];
            struct tt_text text = tt_text_of(buffer, sizeof buffer);
            const char *name = tt_querying_column(querying, i);
            tt_text_escaped(&text, name, strlen(name));
            pane->columns[i].width = columns_of_text(ws, &text) + 2; /* and the mark of the order */
        }
    }
}

static int shown_width(const struct tt_sql_pane *pane, unsigned column)
{
    bool last = column + 1 == pane->column_count;
    int width = pane->columns[column].width;
    return width > WIDTH_MOST && !last ? WIDTH_MOST : width;
}

static void sql_layout(struct tt_workspace *ws, void *state, struct tt_area area)
{
    struct tt_sql_pane *pane = state;
    const struct tt_querying *querying = &pane->query;
    pane->laid_out = work_until(
        ws, pane,
        querying->run && pane->run == querying->run ? tt_now_ns() : tt_now_ns() + FIRST_NS);
    begin_columns(ws, pane);
    uint64_t count = pane->column_count > 0 ? tt_querying_count(querying) : 0;
    tt_list_layout(&pane->list, (size_t)count, LIST, area.height - LIST);
    for (; pane->sampled < count && pane->sampled < SAMPLES; pane->sampled++) {
        sample(ws, pane, tt_querying_row(querying, pane->sampled));
    }
    for (int i = 0; tt_list_row(&pane->list, i) < count; i++) {
        sample(ws, pane, tt_querying_row(querying, tt_list_row(&pane->list, i)));
    }

    /* Scrolls the columns so that the selected one is shown. */
    int width = area.width;
    pane->column = pane->column < pane->column_count || pane->column_count == 0 ? pane->column : 0;
    pane->first = pane->first < pane->column ? pane->first : pane->column;
    for (;;) {
        int used = 1;
        for (unsigned i = pane->first; i <= pane->column && i < pane->column_count; i++) {
            used += shown_width(pane, i) + 2;
        }
        if (used - 2 <= width || pane->first >= pane->column) {
            return;
        }
        pane->first++;
    }
}

/* ---- drawing ------------------------------------------------------------------------------ */

static void draw_sql_title(const struct tt_workspace *ws, const struct tt_sql_pane *pane,
                           struct tt_area area)
{
    const struct tt_querying *querying = &pane->query;
    char left[TT_PANE_LINE], right[128];
    struct tt_text title = tt_text_of(left, sizeof left), text = tt_text_of(right, sizeof right);
    const bool runs = tt_querying_runs(querying), sorts = tt_querying_sorts(querying);
    const uint64_t count = tt_querying_count(querying), ms = tt_querying_ms(querying);
    struct tt_status status = tt_querying_status(querying);
    if (!querying->run) {
        tt_text_str(&text, ws->index.progress.finished ? "" : "waits for the index");
    } else if (!tt_failed(&status)) {
        const bool stopped = tt_querying_is_stopped(querying);
        tt_text_put(&text, "%s%'ju%s%'ju%s",
                    runs                           ? stopped ? "stopping, " : "Esc stops, "
                    : sorts                        ? "sorting, "
                    : tt_querying_is_cut(querying) ? "the first "
                    : stopped                      ? "stopped, "
                                                   : "",
                    count, count == 1 ? " row, " : " rows, ", ms >= 10000 ? ms / 1000 : ms,
                    ms >= 10000 ? " s" : " ms");
    }
    tt_text_str(&title, "sql: ");
    if (querying->text) {
        tt_text_escaped(&title, querying->text, strlen(querying->text));
    }
    tt_pane_title(area, &title, &text,
                  querying->run && !runs && !sorts ? TT_ROLE_TEXT : TT_ROLE_PROGRESS);
}

/* Draws a text in a column, numbers at its right. */
static void draw_cell(struct tt_area area, const struct tt_sql_column *column, int x, int y,
                      int width, unsigned role, struct tt_text *text)
{
    if (column->is_text) {
        tt_draw_text(area, x, y, width, role, text->buffer, text->used);
    } else {
        tt_draw_right(area, x, y, width, role, tt_text_cstr(text));
    }
}

/* Draws the headings, or with a row its values. */
static void draw_line(const struct tt_workspace *ws, const struct tt_sql_pane *pane,
                      struct tt_area area, int y, const struct tt_query_row *row)
{
    char buffer[TT_PANE_LINE];
    /* A query that has begun since the layout has no columns yet. */
    const unsigned known = tt_querying_columns(&pane->query);
    const unsigned count = known < pane->column_count ? known : pane->column_count;
    int x = 1;
    for (unsigned i = pane->first; i < count && x < area.width - 1; i++) {
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        int width = shown_width(pane, i), room = area.width - x;
        if (width > room && !pane->columns[i].is_text && i > pane->first) {
            tt_draw_fill(area, area.width - 1, y, 1, TT_ROLE_DIM, area.grid->ellipsis);
            return; /* a part of a number is another number */
        }
        width = width < room ? width : room;
        if (!row) {
            const struct tt_querying *querying = &pane->query;
            const char *name = tt_querying_column(querying, i);
            char glyph[4];
            tt_text_escaped(&text, name, strlen(name));
            if (querying->order.column == i) {
                enum tt_glyph mark = querying->order.descending ? TT_GLYPH_DOWN : TT_GLYPH_UP;
                size_t length = tt_utf8_encode(tt_term_glyph(&ws->term, mark), glyph);
                tt_text_char(&text, ' ');
                tt_text_bytes(&text, glyph, length);
            }

            draw_cell(area, &pane->columns[i], x, y, width, TT_ROLE_COLUMNS, &text);
            if (i == pane->column) {
                tt_draw_over(area, x, y, width, TT_ROLE_FIELD);
            }
        } else if (row->cells[i].type == TT_SQL_NULL) {
            tt_text_char(&text, '-');
            draw_cell(area, &pane->columns[i], x, y, width, TT_ROLE_DIM, &text);
        } else {
            sql_put_value(&text, &row->cells[i]);
            draw_cell(area, &pane->columns[i], x, y, width, TT_ROLE_TEXT, &text);
        }
        x += width + 2;
    }
}

/* Draws an error on several lines if it is long. */
static void draw_error(struct tt_area area, const char *message)
{
    char buffer[TT_PANE_LINE];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_printable(&text, message, strlen(message));
    size_t from = 0;
    for (int y = LIST; y < area.height && from < text.used && area.width > 2; y++) {
        size_t length = tt_grid_fitting(area.grid, buffer + from, text.used - from, area.width - 2);
        tt_draw_text(area, 1, y, area.width - 2, TT_ROLE_ERROR, buffer + from, length);
        from += length > 0 ? length : text.used;
    }
}

static void sql_draw(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    const struct tt_sql_pane *pane = state;
    const struct tt_querying *querying = &pane->query;
    struct tt_status status = tt_querying_status(querying);
    draw_sql_title(ws, pane, area);
    if (tt_failed(&status)) {
        draw_error(area, status.text);
        return;
    }
    draw_line(ws, pane, area, 1, NULL);
    uint64_t count = pane->column_count > 0 ? tt_querying_count(querying) : 0;
    for (int i = 0; tt_list_row(&pane->list, i) < count; i++) {
        draw_line(ws, pane, area, LIST + i, tt_querying_row(querying, tt_list_row(&pane->list, i)));
    }
    tt_list_draw_cursor(&pane->list, &ws->term, area);
    if (count == 0 && pane->column_count > 0 && !tt_querying_runs(querying)) {
        tt_draw(area, 1, LIST, area.width - 2, TT_ROLE_DIM, "no rows");
    }
}

/* ---- keys --------------------------------------------------------------------------------- */

/* Returns the selected row; NULL if there is none. */
static const struct tt_query_row *selected(const struct tt_sql_pane *pane)
{
    bool any = pane->column_count > 0 && pane->list.at < tt_querying_count(&pane->query);
    return any ? tt_querying_row(&pane->query, pane->list.at) : NULL;
}

static void sql_go(struct tt_workspace *ws, const struct tt_query_row *row)
{
    if (!row->has_time) {
        tt_message_set(&ws->message, TT_ROLE_WARNING,
                       "this row has no time: select a column such as ts_ns, at_ns or from_ns");
        return;
    }
    tt_nav_show_place(ws);
    tt_nav_jump(ws, row->ticks, 0);
    tt_message_set(&ws->message, TT_ROLE_STATUS, "the time of the row; :sql returns");
}

static bool sql_act(struct tt_workspace *ws, void *state, enum tt_do action)
{
    struct tt_sql_pane *pane = state;
    const struct tt_query_row *row = selected(pane);
    switch (action) {
    case TT_DO_GO:
        if (row) {
            sql_go(ws, row);
        }
        return true;
    case TT_DO_SQL_EDIT: {
        const char *text = pane->query.text ? pane->query.text : "";
        size_t capacity = strlen(text) + 5;
        char *line = malloc(capacity);
        if (line) {
            snprintf(line, capacity, "sql %s", text);
            ws->host.prompt(ws->host.app, TT_PROMPT_COMMAND, line);
        }
        free(line);
        return true;
    }
    case TT_DO_COLUMN_LEFT:
        pane->column -= pane->column > 0;
        return true;
    case TT_DO_COLUMN_RIGHT:
        pane->column += pane->column + 1 < pane->column_count;
        return true;
    case TT_DO_SORT:
    case TT_DO_REVERSE:
        if (pane->column_count > 0) {
            /*
             * Sorts by the selected column: again as the query has the rows, or with `reverse` the
             * other way.
             */
            bool reverse = action == TT_DO_REVERSE;
            struct tt_query_order *order = &pane->query.order;
            if (reverse && order->column == pane->column) {
                order->descending = !order->descending;
            } else if (!reverse && order->column == pane->column) {
                *order = (struct tt_query_order){.column = UINT_MAX};
            } else {
                *order =
                    (struct tt_query_order){pane->column, !pane->columns[pane->column].is_text};
            }
            pane->list = (struct tt_list){0};
        }
        return true;
    default:
        return false;
    }
}

static void sql_click(struct tt_workspace *ws, void *state, int x, int y)
{
    struct tt_sql_pane *pane = state;
    (void)ws;
    int from = 1;
    for (unsigned i = pane->first; i < pane->column_count && y >= 1; i++) {
        pane->column = x >= from - 1 ? i : pane->column;
        from += shown_width(pane, i) + 2;
    }
}

/* Appends the values of the row, separated by tabs; `all`: as NAME=VALUE. */
static void sql_copy(struct tt_workspace *ws, void *state, bool all, struct tt_text *text)
{
    const struct tt_sql_pane *pane = state;
    (void)ws;
    const struct tt_query_row *row = selected(pane);
    for (unsigned i = 0; row && i < pane->column_count; i++) {
        const char *name = tt_querying_column(&pane->query, i);
        tt_text_str(text, i > 0 ? "\t" : "");
        if (all) {
            tt_text_escaped(text, name, strlen(name));
            tt_text_char(text, '=');
        }
        sql_put_value(text, &row->cells[i]);
    }
}

/* Writes a row to a file with a buffer that grows as the row needs it. */
static bool sql_write_row(const struct tt_querying *querying, const struct tt_query_row *row,
                          enum tt_fields_form form, char **buffer, size_t *capacity, FILE *file)
{
    for (;;) {
        struct tt_text text = tt_text_of(*buffer, *capacity);

        /* Appends a row for a file; NULL: the header of CSV. */
        struct tt_fields fields = tt_fields_begin(&text, form);
        for (unsigned i = 0; i < tt_querying_columns(querying); i++) {
            struct tt_sql_value value = {.type = TT_SQL_NULL};
            if (row) {
                const struct tt_query_cell *cell = &row->cells[i];
                value = (struct tt_sql_value){.type = (enum tt_sql_type)cell->type,
                                              .text = cell->text,
                                              .integer = cell->value.integer,
                                              .real = cell->value.real,
                                              .length = cell->value.length};
            }
            tt_sql_put_field(&fields, tt_querying_column(querying, i), &value);
        }
        tt_fields_end(&fields);

        if (*buffer && !text.truncated) {
            return fwrite(*buffer, 1, text.used, file) == text.used;
        }
        size_t larger = *capacity > 0 ? 2 * *capacity : TT_PANE_LINE;
        char *moved = realloc(*buffer, larger);
        if (!moved) {
            errno = ENOMEM;
            return false;
        }
        *buffer = moved;
        *capacity = larger;
    }
}

/* Writes some rows in the order that is shown; the buffer of a row is freed with each part. */
static struct tt_status sql_write(struct tt_workspace *ws, void *state, FILE *file,
                                  const char *path, struct tt_write_part *part, uint64_t until_ns)
{
    const struct tt_querying *querying = &((struct tt_sql_pane *)state)->query;
    size_t capacity = 0;
    bool ok = true;
    enum tt_fields_form form = tt_pane_has_end(path, ".jsonl") ? TT_FIELDS_JSON : TT_FIELDS_CSV;
    (void)ws;
    char *buffer = NULL;
    if (part->at > 0 && part->version != querying->version) {
        return tt_error(TT_ERR_USAGE, "the rows changed");
    }
    if (tt_querying_columns(querying) == 0) {
        return tt_error(TT_ERR_USAGE, "there are no rows to write");
    }
    if (part->at == 0) {
        part->end = tt_querying_count(querying);
        part->version = querying->version;
        ok = form == TT_FIELDS_JSON ||
             sql_write_row(querying, NULL, TT_FIELDS_HEADER, &buffer, &capacity, file);
    }
    for (unsigned i = 0; part->at < part->end && ok; i++) {
        if (i % WRITE_ROWS == WRITE_ROWS - 1 && tt_now_ns() >= until_ns) {
            break;
        }
        ok = sql_write_row(querying, tt_querying_row(querying, part->at), form, &buffer, &capacity,
                           file);
        part->at++;
    }
    struct tt_status status = ok ? tt_ok() : tt_error_errno(errno, "write");
    free(buffer);
    return status;
}

/* Stops a running query, or else closes the pane. */
static bool sql_dismiss(struct tt_workspace *ws, void *state)
{
    struct tt_sql_pane *pane = state;
    if (!tt_querying_is_stopped(&pane->query) && tt_querying_stop(&pane->query)) {
        tt_message_set(&ws->message, TT_ROLE_STATUS, "the query is stopped");
        return true;
    }
    ws->nav.overlay = TT_OVERLAY_NONE;
    return true;
}

/* Without a budget: whether the frame that is drawn was laid out with all of it. */
static bool sql_work(struct tt_workspace *ws, void *state, uint64_t budget_ns)
{
    const struct tt_sql_pane *pane = state;
    return work_until(ws, state, tt_now_ns() + budget_ns) && (budget_ns > 0 || pane->laid_out);
}

static bool sql_settled(const struct tt_workspace *ws, const void *state)
{
    const struct tt_sql_pane *pane = state;
    const struct tt_querying *querying = &pane->query;
    (void)ws;
    return !querying->text || (querying->run && pane->run == querying->run &&
                               !tt_querying_runs(querying) && !tt_querying_sorts(querying));
}

/* ---- places of the history ------------------------------------------------------------------ */

static const struct tt_member saved[] = {
    TT_MEMBER(struct tt_sql_pane, column),
    TT_MEMBER(struct tt_sql_pane, first),
    {0, 0},
};

/* Completes the query at the prompt of :sql. */
static void sql_complete(const struct tt_workspace *ws, const char *text, size_t from, size_t caret,
                         struct tt_completion *out)
{
    tt_query_complete(&ws->query_definitions, text, from, caret, out);
}

static const enum tt_do offers[] = {
    TT_DO_GO,   TT_DO_SQL_EDIT, TT_DO_COLUMN_RIGHT, TT_DO_SORT,    TT_DO_WRITE,
    TT_DO_COPY, TT_DO_HELP,     TT_DO_CANCEL,       TT_DO_NOTHING,
};

static const char *const about[] = {
    "The rows of a query in SQL over the capture; `tracetui sql` prints the same. Tables, columns "
    "and functions: docs/sql.md, and Tab at the prompt. Esc stops a query that runs.",
    NULL,
};

static const struct tt_verb verbs[] = {
    {TT_DO_GO, "go", "to the time of this row; :sql returns"},
    {TT_DO_WRITE, "csv", "write the rows to a file: .csv, or .jsonl"},
    {TT_DO_SORT, "sort", "sort by the selected column; again: as the query has them"},
    {TT_DO_NOTHING, NULL, NULL},
};

const struct tt_view tt_overlay_sql = {
    .about = about,
    .footer = offers,
    .verbs = verbs,
    .covers = true,
    .state_size = sizeof(struct tt_sql_pane),
    .close = sql_close,
    .begin = sql_begin,
    .drop = sql_drop,
    .complete = sql_complete,
    .list = tt_pane_list,
    .layout = sql_layout,
    .work = sql_work,
    .settled = sql_settled,
    .draw = sql_draw,
    .act = sql_act,
    .click = sql_click,
    .dismiss = sql_dismiss,
    .copy = sql_copy,
    .file = "query.csv",
    .write_part = sql_write,
    .saved = saved,
};

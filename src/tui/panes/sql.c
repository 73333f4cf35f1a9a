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
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "tui/app/view.h"
#include "tui/list/list.h"

#define LIST       2        /* first line of the list */
#define WIDTH_MOST 40       /* of a column; the last one may be wider */
#define SAMPLES    200u     /* first rows that the widths of columns depend on */
#define CELL_BYTES 4096     /* of a value on the screen */
#define WRITE_ROWS 16u      /* between two looks at the clock */
#define FIRST_NS   8000000u /* a query that is faster needs no second frame */
#define PAUSE_NS   1000000

struct column {
    int width;
    bool is_text;
};

struct pane {
    struct tt_list list;
    unsigned column;  /* the selected one */
    unsigned first;   /* leftmost shown one */
    const void *run;  /* the query of `columns` */
    uint64_t sampled; /* rows that `columns` are based on */
    struct column *columns;
    unsigned column_count;
};

static void *pane_open(void)
{
    return calloc(1, sizeof(struct pane));
}

static void pane_close(void *state)
{
    struct pane *p = state;
    if (p) {
        free(p->columns);
    }
    free(p);
}

static void pane_renew(void *state)
{
    struct pane *p = state;
    free(p->columns);
    *p = (struct pane){0};
}

static bool work(struct tt_workspace *ws)
{
    bool ready = ws->opened.trace && ws->index.progress.finished;
    return tt_querying_work(&ws->querying, ready ? ws->opened.trace : NULL,
                            ready ? tt_trace_path(ws->opened.trace) : "", &ws->query_definitions);
}

/* Waits for the worker thread until `deadline_ns` at most; returns whether nothing is left to do. */
static bool work_until(struct tt_workspace *ws, uint64_t deadline_ns)
{
    bool done = work(ws);
    while (!done && ws->querying.run && tt_now_ns() + PAUSE_NS < deadline_ns) {
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
        done = work(ws);
    }
    return done;
}

/* ---- layout ------------------------------------------------------------------------------- */

static int columns_of_text(const struct tt_workspace *ws, const struct tt_text *text)
{
    return tt_grid_columns(&ws->term.grid, text->buffer, text->used);
}

static int heading_width(const struct tt_workspace *ws, unsigned column)
{
    char buffer[CELL_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    const char *name = tt_querying_column(&ws->querying, column);
    tt_text_escaped(&text, name, strlen(name));
    return columns_of_text(ws, &text) + 2; /* and the mark of the order */
}

/* Widens the columns for a row. */
static void sample(const struct tt_workspace *ws, struct pane *p, const struct tt_query_row *row)
{
    char buffer[CELL_BYTES];
    for (unsigned i = 0; i < p->column_count; i++) {
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        tt_query_put(&text, &row->cells[i]);
        int width = columns_of_text(ws, &text);
        p->columns[i].width = width > p->columns[i].width ? width : p->columns[i].width;
        p->columns[i].is_text |=
            row->cells[i].type == TT_SQL_TEXT || row->cells[i].type == TT_SQL_BLOB;
    }
}

/* Begins the columns of a new query. */
static void begin_columns(const struct tt_workspace *ws, struct pane *p)
{
    const struct tt_querying *q = &ws->querying;
    if (p->run != q->run) {
        const struct pane old = *p;
        pane_renew(p);
        if (old.list.returns) { /* to a place in this query */
            p->list = old.list;
            p->column = old.column;
            p->first = old.first;
        }
        p->run = q->run;
    }
    unsigned count = tt_querying_columns(q);
    if (p->column_count < count) {
        p->columns = calloc(count, sizeof *p->columns);
        p->column_count = p->columns ? count : 0;
        for (unsigned i = 0; i < p->column_count; i++) {
            p->columns[i].width = heading_width(ws, i);
        }
    }
}

static int shown_width(const struct pane *p, unsigned column)
{
    bool last = column + 1 == p->column_count;
    int width = p->columns[column].width;
    return width > WIDTH_MOST && !last ? WIDTH_MOST : width;
}

/* Scrolls the columns so that the selected one is shown. */
static void show_column(struct pane *p, int width)
{
    p->column = p->column < p->column_count || p->column_count == 0 ? p->column : 0;
    p->first = p->first < p->column ? p->first : p->column;
    for (;;) {
        int used = 1;
        for (unsigned i = p->first; i <= p->column && i < p->column_count; i++) {
            used += shown_width(p, i) + 2;
        }
        if (used - 2 <= width || p->first >= p->column) {
            return;
        }
        p->first++;
    }
}

static void pane_layout(struct tt_workspace *ws, void *state, struct tt_area area)
{
    struct pane *p = state;
    const struct tt_querying *q = &ws->querying;
    work_until(ws, q->run && p->run == q->run ? tt_now_ns() : tt_now_ns() + FIRST_NS);
    begin_columns(ws, p);
    uint64_t count = p->column_count > 0 ? tt_querying_count(q) : 0;
    tt_list_layout(&p->list, (size_t)count, LIST, area.height - LIST);
    for (; p->sampled < count && p->sampled < SAMPLES; p->sampled++) {
        sample(ws, p, tt_querying_row(q, p->sampled));
    }
    for (int i = 0; tt_list_row(&p->list, i) < count; i++) {
        sample(ws, p, tt_querying_row(q, tt_list_row(&p->list, i)));
    }
    show_column(p, area.width);
}

/* ---- drawing ------------------------------------------------------------------------------ */

/* Writes the state of the query, at the right of the title. */
static void put_state(const struct tt_workspace *ws, struct tt_text *text)
{
    const struct tt_querying *q = &ws->querying;
    uint64_t count = tt_querying_count(q);
    if (!q->run) {
        tt_text_str(text, ws->index.progress.finished ? "" : "waits for the index");
        return;
    }
    if (tt_querying_runs(q)) {
        tt_text_str(text, tt_querying_is_stopped(q) ? "stopping, " : "Esc stops, ");
    } else if (tt_querying_sorts(q)) {
        tt_text_str(text, "sorting, ");
    } else if (tt_querying_is_cut(q)) {
        tt_text_str(text, "the first ");
    } else if (tt_querying_is_stopped(q)) {
        tt_text_str(text, "stopped, ");
    }
    tt_text_grouped(text, count);
    tt_text_str(text, count == 1 ? " row, " : " rows, ");
    uint64_t ms = tt_querying_ms(q);
    tt_text_grouped(text, ms >= 10000 ? ms / 1000 : ms);
    tt_text_str(text, ms >= 10000 ? " s" : " ms");
}

static void draw_title(const struct tt_workspace *ws, struct tt_area area)
{
    const struct tt_querying *q = &ws->querying;
    char buffer[CELL_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    bool ended = q->run && !tt_querying_runs(q) && !tt_querying_sorts(q);
    put_state(ws, &text);
    int x = area.width - 1 - (int)text.used;
    struct tt_status status = tt_querying_status(q);
    if (!tt_failed(&status)) {
        tt_draw_text(area, x, 0, (int)text.used, ended ? TT_ROLE_TEXT : TT_ROLE_PROGRESS, buffer,
                     text.used);
    }
    text = tt_text_of(buffer, sizeof buffer);
    tt_text_str(&text, "sql: ");
    if (q->text) {
        tt_text_escaped(&text, q->text, strlen(q->text));
    }
    tt_draw_text(area, 1, 0, x > 4 ? x - 3 : 0, TT_ROLE_TITLE, buffer, text.used);
}

/* Draws a text in a column, numbers at its right. */
static void draw_cell(struct tt_area area, const struct column *column, int x, int y, int width,
                      unsigned role, struct tt_text *text)
{
    if (column->is_text) {
        tt_draw_text(area, x, y, width, role, text->buffer, text->used);
    } else {
        tt_draw_right(area, x, y, width, role, tt_text_cstr(text));
    }
}

static void put_heading(const struct tt_workspace *ws, unsigned column, struct tt_text *text)
{
    const struct tt_querying *q = &ws->querying;
    const char *name = tt_querying_column(q, column);
    char glyph[4];
    tt_text_escaped(text, name, strlen(name));
    if (q->order.column == column) {
        enum tt_glyph mark = q->order.descending ? TT_GLYPH_DOWN : TT_GLYPH_UP;
        size_t length = tt_utf8_encode(tt_term_glyph(&ws->term, mark), glyph);
        tt_text_char(text, ' ');
        tt_text_bytes(text, glyph, length);
    }
}

/* Draws the headings, or with a row its values. */
static void draw_line(const struct tt_workspace *ws, const struct pane *p, struct tt_area area,
                      int y, const struct tt_query_row *row)
{
    char buffer[CELL_BYTES];
    int x = 1;
    for (unsigned i = p->first; i < p->column_count && x < area.width - 1; i++) {
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        int width = shown_width(p, i), room = area.width - x;
        if (width > room && !p->columns[i].is_text && i > p->first) {
            tt_draw_fill(area, area.width - 1, y, 1, TT_ROLE_DIM, area.grid->ellipsis);
            return; /* a part of a number is another number */
        }
        width = width < room ? width : room;
        if (!row) {
            put_heading(ws, i, &text);
            draw_cell(area, &p->columns[i], x, y, width, TT_ROLE_COLUMNS, &text);
            if (i == p->column) {
                tt_draw_over(area, x, y, width, TT_ROLE_FIELD);
            }
        } else if (row->cells[i].type == TT_SQL_NULL) {
            tt_text_char(&text, '-');
            draw_cell(area, &p->columns[i], x, y, width, TT_ROLE_DIM, &text);
        } else {
            tt_query_put(&text, &row->cells[i]);
            draw_cell(area, &p->columns[i], x, y, width, TT_ROLE_TEXT, &text);
        }
        x += width + 2;
    }
}

/* Draws an error on several lines if it is long. */
static void draw_error(struct tt_area area, const char *message)
{
    char buffer[CELL_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_printable(&text, message, strlen(message));
    size_t from = 0;
    for (int y = LIST; y < area.height && from < text.used && area.width > 2; y++) {
        size_t length = tt_grid_fitting(area.grid, buffer + from, text.used - from, area.width - 2);
        tt_draw_text(area, 1, y, area.width - 2, TT_ROLE_ERROR, buffer + from, length);
        from += length > 0 ? length : text.used;
    }
}

static void pane_draw(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    const struct pane *p = state;
    const struct tt_querying *q = &ws->querying;
    struct tt_status status = tt_querying_status(q);
    draw_title(ws, area);
    if (tt_failed(&status)) {
        draw_error(area, status.text);
        return;
    }
    draw_line(ws, p, area, 1, NULL);
    uint64_t count = p->column_count > 0 ? tt_querying_count(q) : 0;
    for (int i = 0; tt_list_row(&p->list, i) < count; i++) {
        draw_line(ws, p, area, LIST + i, tt_querying_row(q, tt_list_row(&p->list, i)));
    }
    tt_list_draw_cursor(&p->list, &ws->term, area);
    if (count == 0 && p->column_count > 0 && !tt_querying_runs(q)) {
        tt_draw(area, 1, LIST, area.width - 2, TT_ROLE_DIM, "no rows");
    }
}

/* ---- keys --------------------------------------------------------------------------------- */

/* Returns the selected row; NULL if there is none. */
static const struct tt_query_row *selected(const struct tt_workspace *ws, const struct pane *p)
{
    bool any = p->column_count > 0 && p->list.at < tt_querying_count(&ws->querying);
    return any ? tt_querying_row(&ws->querying, p->list.at) : NULL;
}

static void go(struct tt_workspace *ws, const struct tt_query_row *row)
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

static void sort(struct tt_workspace *ws, struct pane *p, bool reverse)
{
    struct tt_query_order order = ws->querying.order;
    if (reverse && order.column == p->column) {
        order.descending = !order.descending;
    } else if (!reverse && order.column == p->column) {
        order = (struct tt_query_order){.column = UINT_MAX};
    } else {
        order = (struct tt_query_order){p->column, !p->columns[p->column].is_text};
    }
    p->list = (struct tt_list){0};
    tt_querying_sort(&ws->querying, order);
}

static void edit(struct tt_workspace *ws)
{
    const char *text = ws->querying.text ? ws->querying.text : "";
    size_t capacity = strlen(text) + 5;
    char *line = malloc(capacity);
    if (line) {
        memcpy(line, "sql ", 4);
        memcpy(line + 4, text, capacity - 4);
        ws->host.prompt(ws->host.app, TT_PROMPT_COMMAND, line);
    }
    free(line);
}

static struct tt_list *pane_list(void *state)
{
    return &((struct pane *)state)->list;
}

static bool pane_act(struct tt_workspace *ws, void *state, enum tt_do action)
{
    struct pane *p = state;
    const struct tt_query_row *row = selected(ws, p);
    switch (action) {
    case TT_DO_GO:
        if (row) {
            go(ws, row);
        }
        return true;
    case TT_DO_SQL_EDIT:
        edit(ws);
        return true;
    case TT_DO_COLUMN_LEFT:
        p->column -= p->column > 0;
        return true;
    case TT_DO_COLUMN_RIGHT:
        p->column += p->column + 1 < p->column_count;
        return true;
    case TT_DO_SORT:
    case TT_DO_REVERSE:
        if (p->column_count > 0) {
            sort(ws, p, action == TT_DO_REVERSE);
        }
        return true;
    default:
        return false;
    }
}

static void pane_click(struct tt_workspace *ws, void *state, int x, int y)
{
    struct pane *p = state;
    (void)ws;
    int from = 1;
    for (unsigned i = p->first; i < p->column_count && y >= 1; i++) {
        p->column = x >= from - 1 ? i : p->column;
        from += shown_width(p, i) + 2;
    }
}

/* Appends the values of the row, separated by tabs; `all`: as NAME=VALUE. */
static void pane_copy(struct tt_workspace *ws, void *state, bool all, struct tt_text *text)
{
    const struct pane *p = state;
    const struct tt_query_row *row = selected(ws, p);
    for (unsigned i = 0; row && i < p->column_count; i++) {
        const char *name = tt_querying_column(&ws->querying, i);
        tt_text_str(text, i > 0 ? "\t" : "");
        if (all) {
            tt_text_escaped(text, name, strlen(name));
            tt_text_char(text, '=');
        }
        tt_query_put(text, &row->cells[i]);
    }
}

/* Writes a row to a file with a buffer that grows as the row needs it. */
static bool write_row(const struct tt_querying *q, const struct tt_query_row *row, bool json,
                      char **buffer, size_t *capacity, FILE *file)
{
    for (;;) {
        struct tt_text text = tt_text_of(*buffer, *capacity);
        if (json) {
            tt_query_put_json(&text, q, row);
        } else {
            tt_query_put_csv(&text, q, row);
        }
        if (*buffer && !text.truncated) {
            return fwrite(*buffer, 1, text.used, file) == text.used;
        }
        size_t larger = *capacity > 0 ? 2 * *capacity : CELL_BYTES;
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
static struct tt_status pane_write(struct tt_workspace *ws, FILE *file, const char *path,
                                   struct tt_write_part *part, uint64_t until_ns)
{
    const struct tt_querying *q = &ws->querying;
    size_t length = strlen(path), capacity = 0;
    bool json = length > 6 && strcmp(path + length - 6, ".jsonl") == 0, ok = true;
    char *buffer = NULL;
    if (part->at > 0 && part->version != q->version) {
        return tt_error(TT_ERR_USAGE, "the rows changed");
    }
    if (tt_querying_columns(q) == 0) {
        return tt_error(TT_ERR_USAGE, "there are no rows to write");
    }
    if (part->at == 0) {
        part->end = tt_querying_count(q);
        part->version = q->version;
        ok = json || write_row(q, NULL, false, &buffer, &capacity, file);
    }
    for (unsigned i = 0; part->at < part->end && ok; i++) {
        if (i % WRITE_ROWS == WRITE_ROWS - 1 && tt_now_ns() >= until_ns) {
            break;
        }
        ok = write_row(q, tt_querying_row(q, part->at), json, &buffer, &capacity, file);
        part->at++;
    }
    struct tt_status status = ok ? tt_ok() : tt_error_errno(errno, "write");
    free(buffer);
    return status;
}

/* Stops a running query, or else closes the pane. */
static bool pane_dismiss(struct tt_workspace *ws, void *state)
{
    (void)state;
    if (!tt_querying_is_stopped(&ws->querying) && tt_querying_stop(&ws->querying)) {
        tt_message_set(&ws->message, TT_ROLE_STATUS, "the query is stopped");
        return true;
    }
    ws->nav.overlay = TT_OVERLAY_NONE;
    return true;
}

static bool pane_work(struct tt_workspace *ws, void *state, uint64_t budget_ns)
{
    (void)state;
    return work_until(ws, tt_now_ns() + budget_ns);
}

static bool pane_settled(const struct tt_workspace *ws, const void *state)
{
    const struct tt_querying *q = &ws->querying;
    const struct pane *p = state;
    return !q->text ||
           (q->run && p->run == q->run && !tt_querying_runs(q) && !tt_querying_sorts(q));
}

/* ---- places of the history ------------------------------------------------------------------ */

static void pane_leave(const struct tt_workspace *ws, const void *state, struct tt_spot *spot)
{
    const struct pane *p = state;
    (void)ws;
    spot->numbers[0] = p->list.at;
    spot->numbers[1] = p->list.top;
    spot->numbers[2] = p->column;
    spot->numbers[3] = p->first;
}

static void pane_resume(struct tt_workspace *ws, void *state, const struct tt_spot *spot)
{
    struct pane *p = state;
    (void)ws;
    tt_list_return(&p->list, spot->numbers[0], spot->numbers[1]);
    p->column = (unsigned)spot->numbers[2];
    p->first = (unsigned)spot->numbers[3];
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
    .open = pane_open,
    .close = pane_close,
    .leave = pane_leave,
    .resume = pane_resume,
    .layout = pane_layout,
    .draw = pane_draw,
    .list = pane_list,
    .act = pane_act,
    .click = pane_click,
    .copy = pane_copy,
    .dismiss = pane_dismiss,
    .renew = pane_renew,
    .work = pane_work,
    .settled = pane_settled,
    .write_part = pane_write,
    .footer = offers,
    .verbs = verbs,
    .file = "query.csv",
    .covers = true,
};

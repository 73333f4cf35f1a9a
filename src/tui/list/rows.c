/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/list/rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/print.h"
#include "tui/draw/units.h"

#define COLUMNS    16u /* on the screen, at most */
#define NAME_LEAST 12
#define NAME_MOST  48
#define TEXT_KEY   40 /* bytes of a text that determine the order */

static struct tt_table_run run_of(const struct tt_workspace *ws, const struct tt_table *table)
{
    return (struct tt_table_run){.table = table,
                                 .capture = ws->opened.capture,
                                 .columns = table->columns,
                                 .column_count = table->column_count,
                                 .first_ticks = ws->index.progress.first_ticks};
}

/* ---- columns ------------------------------------------------------------------------------ */

/* Sets the numbers of the columns on the screen, from the left; returns how many. */
static unsigned columns_of(const struct tt_rows *rows, const struct tt_rows_of *of,
                           unsigned char columns[COLUMNS])
{
    const struct tt_table *table = of->table;
    unsigned count = 0;
    for (size_t i = 0; i < table->column_count; i++) {
        const unsigned place = table->columns[i].screen.place;
        if (place == 0 || count == COLUMNS || (of->has && !of->has(rows, &table->columns[i]))) {
            continue;
        }
        unsigned at = count++;
        for (; at > 0 && table->columns[columns[at - 1]].screen.place > place; at--) {
            columns[at] = columns[at - 1];
        }
        columns[at] = (unsigned char)i;
    }
    return count;
}

static bool is_left(const struct tt_table_column *column)
{
    return tt_unit_is_name(column->unit) || column->unit == TT_UNIT_AT;
}

/* A column on the screen; its width is 0 if there is no room for it. */
struct place {
    const struct tt_table_column *column;
    int x, width;
};

/* Divides a line; returns the number of columns, also of those without room. */
static unsigned places_of(const struct tt_rows *rows, const struct tt_rows_of *of, int width,
                          struct place places[COLUMNS])
{
    const struct tt_table *table = of->table;
    unsigned char columns[COLUMNS];
    const unsigned count = columns_of(rows, of, columns);
    unsigned flexible = 0;
    int used = 1;
    for (unsigned i = 0; i < count; i++) {
        const struct tt_table_column *column = &table->columns[columns[i]];
        flexible = column->screen.rank == 0 ? i : flexible;
        places[i] = (struct place){column, 0,
                                   column->screen.rank == 0     ? NAME_LEAST
                                   : column->screen.width > 0   ? column->screen.width
                                   : column->unit == TT_UNIT_AT ? 17
                                                                : 10};
        used += places[i].width + 1;
    }
    while (used > width) { /* without the least important one */
        unsigned least = flexible;
        for (unsigned i = 0; i < count; i++) {
            const bool is_less = places[i].width > 0 &&
                                 places[i].column->screen.rank > places[least].column->screen.rank;
            least = is_less ? i : least;
        }
        if (least == flexible) {
            break;
        }
        used -= places[least].width + 1;
        places[least].width = 0;
    }
    const int room = NAME_LEAST + width - used - 1;
    places[flexible].width = room < NAME_LEAST                          ? NAME_LEAST
                             : room > NAME_MOST && flexible + 1 < count ? NAME_MOST
                                                                        : room;
    for (unsigned i = 0, x = 1; i < count; i++) {
        const bool apart = i > 0 && is_left(places[i].column) && !is_left(places[i - 1].column);
        places[i].x = (int)x + (apart && places[i].width > 0);
        x = (unsigned)(places[i].x + (places[i].width > 0 ? places[i].width + 1 : 0));
    }
    return count;
}

/* Moves the selection by `step` columns that have room; 0: only off one that has none. */
static void choose_column(struct tt_rows *rows, const struct tt_rows_of *of, int step)
{
    struct place places[COLUMNS];
    const int count = (int)places_of(rows, of, rows->width, places);
    int at = rows->chosen < count ? rows->chosen : count - 1, next = at + step;
    while (next >= 0 && next < count && places[next].width == 0) {
        next += step != 0 ? step : -1;
    }
    at = next >= 0 && next < count ? next : at;
    while (places[at].width == 0 && at + 1 < count) {
        at++;
    }
    rows->chosen = (uint8_t)at;
}

static const struct tt_table_column *chosen_column(const struct tt_rows *rows,
                                                   const struct tt_rows_of *of)
{
    struct place places[COLUMNS];
    const unsigned count = places_of(rows, of, rows->width, places);
    return places[rows->chosen < count ? rows->chosen : 0].column;
}

/* ---- cells -------------------------------------------------------------------------------- */

/* Appends a value as on the rest of the screen: durations with a unit of their own. */
static void put_cell(const struct tt_workspace *ws, const struct tt_table_run *run,
                     const struct tt_table_column *column, const struct tt_table_row *row,
                     struct tt_text *text)
{
    char buffer[TT_TABLE_CELL_BYTES];
    struct tt_table_cell cell = tt_table_cell_of(run, column, row, buffer, sizeof buffer);
    uint64_t ticks;
    if (cell.text.used > 0) {
        tt_units_adopt(&cell.text, tt_term_glyph(&ws->term, TT_GLYPH_MICRO));
        tt_text_bytes(text, cell.text.buffer, cell.text.used);
    } else if (cell.kind != TT_CELL_NONE && !column->cell && tt_unit_is_time(column->unit)) {
        memcpy(&ticks, (const char *)row + column->field, sizeof ticks);
        (column->unit == TT_UNIT_AT ? tt_time_label_moment : tt_time_label_duration)(ws, text,
                                                                                     ticks);
    } else {
        tt_table_put_cell(text, &cell);
    }
}

/* ---- order -------------------------------------------------------------------------------- */

struct key {
    uint64_t number;
    uint32_t row;
    bool down; /* the largest first */
    char text[TEXT_KEY];
};

static int compare_keys(const void *a, const void *b)
{
    const struct key *left = a, *right = b;
    int order = left->number != right->number ? (left->number < right->number ? -1 : 1)
                                              : memcmp(left->text, right->text, TEXT_KEY);
    order = left->down ? -order : order;
    return order != 0 ? order : left->row < right->row ? -1 : 1;
}

/* Sorts the rows; returns false if out of memory: they keep the order that they have. */
static bool rows_sort(const struct tt_workspace *ws, struct tt_rows *rows,
                      const struct tt_rows_of *of, size_t count)
{
    const struct tt_table_run run = run_of(ws, of->table);
    const struct tt_table_column *column = &of->table->columns[rows->sorted - 1];
    const size_t cursor = tt_rows_at(rows, rows->list.at);
    struct key *keys = malloc((count + 1) * sizeof *keys);
    uint32_t *order = malloc((count + 1) * sizeof *order);
    for (size_t i = 0; keys && order && i < count; i++) {
        char buffer[TT_TABLE_CELL_BYTES];
        struct tt_table_row row = {.of = {0}};
        of->make(ws, rows, i, &row);
        struct tt_table_cell cell = tt_table_cell_of(&run, column, &row, buffer, sizeof buffer);
        keys[i] = (struct key){
            cell.kind == TT_CELL_NONE ? 0 : cell.number, (uint32_t)i, !rows->upwards, {0}};
        memcpy(keys[i].text, cell.text.buffer,
               cell.kind != TT_CELL_TEXT   ? 0
               : cell.text.used < TEXT_KEY ? cell.text.used
                                           : TEXT_KEY);
    }
    if (keys && order) {
        qsort(keys, count, sizeof *keys, compare_keys);
        for (size_t i = 0; i < count; i++) {
            order[i] = keys[i].row;
        }
        /* The cursor stays on its row when another order is chosen. */
        const bool follows =
            rows->ordered > 0 && (rows->of != rows->sorted || rows->of_upwards != rows->upwards);
        for (size_t i = 0; follows && i < count; i++) {
            rows->list.at = order[i] == cursor ? i : rows->list.at;
        }
        free(rows->order);
        rows->order = order;
        rows->ordered = count;
        order = NULL;
    }
    const bool sorted = keys && !order;
    free(keys);
    free(order);
    return sorted;
}

void tt_rows_layout(const struct tt_workspace *ws, struct tt_rows *rows,
                    const struct tt_rows_of *of, size_t count, unsigned version, bool final, int y,
                    int lines)
{
    if (rows->sorted == 0 && of->table->order) {
        rows->sorted =
            (uint8_t)(1 + (tt_table_column_of(of->table, of->table->order) - of->table->columns));
    }
    const bool is_other =
        rows->of != rows->sorted || rows->of_upwards != rows->upwards || rows->version != version;
    const bool is_more = final ? rows->ordered != count : count >= 2 * rows->ordered + 1;
    if (rows->sorted > 0 && (is_other || is_more) && rows_sort(ws, rows, of, count)) {
        rows->of = rows->sorted;
        rows->of_upwards = rows->upwards;
        rows->version = version;
    }
    const size_t shown = rows->sorted > 0 && rows->ordered < count ? rows->ordered : count;
    rows->width = ws->term.body.width;
    choose_column(rows, of, 0);
    tt_list_layout(&rows->list, shown, y + 1, lines - 2);
}

void tt_rows_free(struct tt_rows *rows)
{
    free(rows->order);
    rows->order = NULL;
    rows->ordered = 0;
}

size_t tt_rows_at(const struct tt_rows *rows, size_t line)
{
    return line >= rows->list.count ? SIZE_MAX
           : rows->sorted > 0       ? line < rows->ordered ? rows->order[line] : SIZE_MAX
                                    : line;
}

/* ---- drawing ------------------------------------------------------------------------------ */

void tt_rows_describe(const struct tt_rows *rows, const struct tt_rows_of *of, struct tt_text *text)
{
    const struct tt_table_column *column = chosen_column(rows, of);
    tt_text_put(text, "%s: %s", column->screen.head, column->doc);
}

void tt_rows_draw(const struct tt_workspace *ws, const struct tt_rows *rows,
                  const struct tt_rows_of *of, struct tt_area area)
{
    const struct tt_table_run run = run_of(ws, of->table);
    const struct tt_list *list = &rows->list;
    struct place places[COLUMNS];
    const unsigned count = places_of(rows, of, area.width, places);
    const struct tt_area heads = tt_area_part(area, 0, list->y - 1, area.width, 1);
    char buffer[TT_TABLE_CELL_BYTES];
    for (unsigned i = 0; i < count; i++) {
        const struct place *place = &places[i];
        const struct tt_list_head head = {.x = place->x,
                                          .width = place->width,
                                          .right = !is_left(place->column),
                                          .sorted = rows->sorted ==
                                                    1 + place->column - of->table->columns,
                                          .down = !rows->upwards,
                                          .chosen = i == rows->chosen};
        if (place->width > 0) {
            tt_list_draw_head(&ws->term, heads, &head, place->column->screen.head);
        }
    }
    for (int line = 0; tt_list_row(list, line) < list->count; line++) {
        struct tt_table_row row = {.of = {0}};
        of->make(ws, rows, tt_rows_at(rows, tt_list_row(list, line)), &row);
        for (unsigned i = 0; i < count; i++) {
            const struct place *place = &places[i];
            const enum tt_role role = of->role ? of->role(place->column, &row) : TT_ROLE_TEXT;
            struct tt_text text = tt_text_of(buffer, sizeof buffer);
            if (place->width == 0) {
                continue;
            }
            put_cell(ws, &run, place->column, &row, &text);
            if (is_left(place->column)) {
                tt_draw_text(area, place->x, list->y + line, place->width, role, buffer, text.used);
            } else {
                tt_draw_right(area, place->x, list->y + line, place->width, role,
                              tt_text_cstr(&text));
            }
        }
    }
    tt_list_draw_cursor(list, &ws->term, area);
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_rows_describe(rows, of, &text);
    tt_draw_text(area, 1, list->y + list->lines, area.width - 2, TT_ROLE_STATUS, buffer, text.used);
}

/* ---- keys --------------------------------------------------------------------------------- */

/* Sorts by a column: the most first, but names and times from the first on. */
static void sort_by(struct tt_rows *rows, const struct tt_rows_of *of,
                    const struct tt_table_column *column)
{
    rows->sorted = (uint8_t)(1 + (column - of->table->columns));
    rows->upwards = is_left(column);
}

bool tt_rows_act(struct tt_rows *rows, const struct tt_rows_of *of, enum tt_do action)
{
    switch (action) {
    case TT_DO_COLUMN_LEFT:
    case TT_DO_COLUMN_RIGHT:
        choose_column(rows, of, action == TT_DO_COLUMN_RIGHT ? 1 : -1);
        return true;
    case TT_DO_SORT:
        sort_by(rows, of, chosen_column(rows, of));
        return true;
    case TT_DO_REVERSE:
        rows->upwards = !rows->upwards;
        return true;
    default:
        return false;
    }
}

bool tt_rows_click(struct tt_rows *rows, const struct tt_rows_of *of, int x, int y)
{
    struct place places[COLUMNS];
    const unsigned count = places_of(rows, of, rows->width, places);
    for (unsigned i = 0; y == rows->list.y - 1 && i < count; i++) {
        const struct place *place = &places[i];
        if (x >= place->x && x < place->x + place->width) {
            const bool again = rows->sorted == 1 + place->column - of->table->columns;
            rows->chosen = (uint8_t)i;
            tt_rows_act(rows, of, again ? TT_DO_REVERSE : TT_DO_SORT);
            return true;
        }
    }
    return false;
}

/* ---- writing ------------------------------------------------------------------------------ */

void tt_rows_copy_all(const struct tt_workspace *ws, const struct tt_rows *rows,
                      const struct tt_rows_of *of, struct tt_text *text)
{
    const struct tt_table_run run = run_of(ws, of->table);
    struct tt_table_row row = {.of = {0}};
    const size_t at = tt_rows_at(rows, rows->list.at);
    if (at != SIZE_MAX) {
        of->make(ws, rows, at, &row);
        tt_print_pairs(text, &run, &row, '\n');
        text->used -= text->used > 0;
    }
}

struct tt_status tt_rows_write(const struct tt_workspace *ws, const struct tt_rows *rows,
                               const struct tt_rows_of *of, FILE *file, const char *path,
                               struct tt_text *what)
{
    static const char json[] = ".jsonl";
    const struct tt_table_run run = run_of(ws, of->table);
    const size_t length = strlen(path), end = sizeof json - 1;
    const bool is_json = length > end && strcmp(path + length - end, json) == 0;
    const size_t capacity = (size_t)4 * TT_TABLE_CELL_BYTES;
    char *buffer = malloc(capacity);
    struct tt_print print;
    if (!buffer) {
        return tt_error_memory();
    }
    tt_print_begin(&print, &run, is_json ? TT_PRINT_JSON : TT_PRINT_CSV);
    bool ok = true;
    for (size_t i = is_json ? 1 : 0; i <= rows->list.count && ok; i++) {
        struct tt_text text = tt_text_of(buffer, capacity);
        struct tt_table_row row = {.of = {0}};
        if (i == 0) {
            tt_print_header(&print, &text);
        } else {
            of->make(ws, rows, tt_rows_at(rows, i - 1), &row);
            tt_print_row(&print, &text, &row);
        }
        ok = fwrite(buffer, 1, text.used, file) == text.used;
    }
    struct tt_status status = ok ? tt_ok() : tt_error_errno(errno, "write");
    free(buffer);
    tt_text_put(what, "%'zu%s", rows->list.count, rows->list.count == 1 ? " row" : " rows");
    if (of->note) {
        of->note(ws, rows, what);
    }
    return status;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The lists of panes whose rows are those of a table: sentences, order, files, headings, in each of them. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "open_app.h"
#include "tui/app/event_loop.h"
#include "tui/app/view.h"

#define BYTES 65536

static const struct {
    enum tt_overlay_id overlay;
    const char *keys;
} lists[] = {
    {TT_OVERLAY_MISSES, ":deadline /./=50us<Enter>:deadline<Enter>"},
    {TT_OVERLAY_MEASURE, ":measure class = COMM -> class = COMM<Enter>"},
    {TT_OVERLAY_MEASURE, ":measure --interrupt 35 --thread sensor/2<Enter>"},
    {TT_OVERLAY_CHECK, ":check samples/checks/qnx.check<Enter>"},
    {TT_OVERLAY_DIFF, ":diff samples/fast1.kev<Enter>o"},
};

#define LISTS (sizeof lists / sizeof *lists)

static struct tt_app *app;
static const struct tt_view *view;
static struct tt_rows *rows;

static void open_list(size_t list)
{
    app = open_app_in("samples/demo.kev", "threads");
    type_settled(app, lists[list].keys);
    cr_assert_eq(app->ws.nav.overlay, lists[list].overlay);
    view = tt_overlays[lists[list].overlay];
    rows = app->overlay_states[lists[list].overlay];
    cr_assert_not_null(tt_view_rows(view, rows));
    cr_assert_gt(rows->list.count, 3, "%s", lists[list].keys);
}

static const char *sentence(char buffer[512])
{
    struct tt_text text = tt_text_of(buffer, 512);
    tt_rows_describe(rows, view->rows, &text);
    return tt_text_cstr(&text);
}

Test(tui_rows, each_column_has_a_sentence_on_the_last_line_and_in_the_help)
{
    for (size_t i = 0; i < LISTS; i++) {
        char now[512], before[512] = "";
        unsigned columns = 0;
        open_list(i);
        for (; strcmp(sentence(now), before) != 0; columns++, type_settled(app, "l")) {
            cr_expect_eq(now[strlen(now) - 1], '.', "%s", now);
            cr_expect_eq(screen_line(app, now),
                         app->ws.term.body.y + rows->list.y + rows->list.lines, "%s", now);
            type_settled(app, "?");
            cr_expect_geq(screen_line(app, now), 0, "in the help: %s", now);
            type_settled(app, "?");
            memcpy(before, now, sizeof before);
        }
        cr_expect_geq(columns, 4, "%s", lists[i].keys);
        type_settled(app, "hhhhhhhh");
        cr_expect_eq(rows->chosen, 0);
        close_app(app);
    }
}

/* Writes the list; returns the lines. */
static unsigned write_to(const char *path, char bytes[BYTES])
{
    char what[128];
    struct tt_text text = tt_text_of(what, sizeof what);
    FILE *file = tmpfile();
    unsigned lines = 0;
    cr_assert_not_null(file);
    struct tt_status status = tt_rows_write(&app->ws, rows, view->rows, file, path, &text);
    cr_assert_not(tt_failed(&status));
    rewind(file);
    bytes[fread(bytes, 1, BYTES - 1, file)] = '\0';
    fclose(file);
    for (const char *at = bytes; (at = strchr(at, '\n')) != NULL; at++) {
        lines++;
    }
    return lines;
}

/* Checks that the header of CSV has the keys of the first line of JSON, and the rows their values. */
static void compare_line(const char *header, const char *csv, const char *json)
{
    while (*header != '\n' && *header) {
        const size_t key = strcspn(header, ",\n"), value = strcspn(csv, ",\n");
        char name[64], part[256];
        snprintf(name, sizeof name, "\"%.*s\":", (int)key, header);
        const char *found = strstr(json, name);
        cr_assert_not_null(found, "%s is not in %s", name, json);
        found += strlen(name) + (found[strlen(name)] == '"');
        snprintf(part, sizeof part, "%.*s", (int)value, value > 0 ? csv : "null");
        if (value == 0) {
            cr_expect(strncmp(found, "null", 4) == 0 || found[-1] == '"', "%s%s", name, found);
        } else {
            cr_expect_eq(strncmp(found, part, strlen(part)), 0, "%s%.40s, in CSV %s", name, found,
                         part);
        }
        header += key + (header[key] == ',');
        csv += value + (csv[value] == ',');
    }
}

Test(tui_rows, files_of_both_formats_have_the_same_values)
{
    char *csv = malloc(BYTES), *json = malloc(BYTES);
    cr_assert(csv && json);
    for (size_t i = 0; i < LISTS; i++) {
        open_list(i);
        cr_expect_eq(write_to("list.csv", csv), rows->list.count + 1, "%s", lists[i].keys);
        cr_expect_eq(write_to("list.jsonl", json), rows->list.count, "%s", lists[i].keys);
        const char *row = strchr(csv, '\n') + 1, *object = json;
        for (unsigned n = 0; n < 4; n++) {
            compare_line(csv, row, object);
            row = strchr(row, '\n') + 1;
            object = strchr(object, '\n') + 1;
        }
        close_app(app);
    }
    free(csv);
    free(json);
}

Test(tui_rows, a_heading_sorts_and_the_cursor_stays_on_its_row)
{
    for (size_t i = 0; i < LISTS; i++) {
        open_list(i);
        type_settled(app, "jj");
        const size_t row = tt_rows_at(rows, rows->list.at);
        const struct tt_mouse heading = {.kind = TT_MOUSE_PRESS,
                                         .x = app->ws.term.body.x + 4,
                                         .y = app->ws.term.body.y + rows->list.y - 1};
        const bool sorted = rows->sorted > 0;
        tt_app_mouse(app, &heading);
        type_settled(app, "");
        cr_expect_gt(rows->sorted, 0, "%s", lists[i].keys);
        cr_expect_eq(rows->ordered, rows->list.count);
        cr_expect(!sorted || rows->upwards, "again: the other way");
        cr_expect_eq(tt_rows_at(rows, rows->list.at), row, "%s", lists[i].keys);
        const bool upwards = rows->upwards;
        tt_app_mouse(app, &heading);
        type_settled(app, "");
        cr_expect_neq(rows->upwards, upwards);
        cr_expect_eq(tt_rows_at(rows, rows->list.at), row, "%s", lists[i].keys);
        close_app(app);
    }
}

Test(tui_rows, all_values_of_a_row_are_copied)
{
    char buffer[2048];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    open_list(0);
    tt_rows_copy_all(&app->ws, rows, view->rows, &text);
    cr_expect_not_null(strstr(tt_text_cstr(&text), "response_ns="));
    cr_expect_not_null(strstr(buffer, "\nover_ns="));
    cr_expect_neq(buffer[text.used - 1], '\n');
    close_app(app);
}

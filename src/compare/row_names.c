/* SPDX-License-Identifier: Apache-2.0 */
/* row_names: names of rows, and the keys by which the rows of two runs are paired. */
#include <stdlib.h>
#include <string.h>

#include "compare/baseline_internal.h"
#include "tracetui/event_line.h"
#include "tracetui/merge.h"
#include "tracetui/objects.h"

#define NAME_BYTES 1024u

/* ---- processes and threads ---------------------------------------------------------------- */

/* A process or thread that is sorted: equal names by their beginning. */
struct entry {
    const char *name;
    uint64_t begin;
    uint64_t id, sub; /* pid or tid; of a thread, both */
    uint32_t number;
};

static int compare_u64(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_entries(const void *x, const void *y)
{
    const struct entry *a = x, *b = y;
    int names = strcmp(a->name, b->name);
    int begin = compare_u64(a->begin, b->begin);
    int id = compare_u64(a->id, b->id);
    return names ? names : begin ? begin : id ? id : compare_u64(a->sub, b->sub);
}

/* Numbers the entries of each name and stores their keys; frees the entries. */
static bool number_entries(struct tt_baseline_names *names, struct entry *entries, uint32_t count,
                           const char **keys)
{
    char buffer[NAME_BYTES];
    bool ok = true;
    qsort(entries, count, sizeof *entries, compare_entries);
    for (uint32_t i = 0, same = 0; ok && i < count; i++) {
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        same = i > 0 && strcmp(entries[i].name, entries[i - 1].name) == 0 ? same + 1 : 0;
        tt_text_str(&text, entries[i].name);
        if (same > 0) {
            tt_text_char(&text, '#');
            tt_text_u64(&text, (uint64_t)same + 1);
        }
        keys[entries[i].number] = tt_arena_text(&names->texts, text.buffer, text.used);
        ok = keys[entries[i].number] != NULL;
    }
    free(entries);
    return ok;
}

static const char *keep(struct tt_baseline_names *names, const struct tt_text *text)
{
    return tt_arena_text(&names->texts, text->buffer, text->used);
}

static bool make_processes(struct tt_baseline_names *names, const struct tt_capture *c)
{
    char buffer[NAME_BYTES];
    uint32_t count = tt_process_count(c);
    struct entry *entries = calloc((size_t)count + 1, sizeof *entries);
    names->processes = calloc((size_t)count + 1, sizeof *names->processes);
    bool ok = entries && names->processes;
    for (uint32_t i = 0; ok && i < count; i++) {
        const struct tt_process *p = tt_process_at(c, i);
        struct tt_text text = tt_text_of(buffer, sizeof buffer - 32);
        size_t length;
        const char *name = tt_process_base_name(c, p, &length);
        if (length > 0) {
            tt_text_escaped(&text, name, length);
        } else {
            tt_text_str(&text, "pid ");
            tt_text_u64(&text, p->pid);
        }
        entries[i] = (struct entry){keep(names, &text), p->first_when, p->pid, 0, i};
        ok = entries[i].name != NULL;
    }
    names->process_count = count;
    if (!ok) {
        free(entries);
        return false;
    }
    return number_entries(names, entries, count, names->processes);
}

/* Returns the begin of a thread; 0 if it was there before the capture. */
static uint64_t begin_of(const struct tt_timelines *t, uint32_t thread)
{
    struct tt_interval_at at;
    if (!t || !tt_interval_first(t, thread, &at)) {
        return UINT64_MAX;
    }
    struct tt_interval first = tt_interval_get(t, at);
    return first.since_before ? 0 : first.start;
}

static bool make_threads(struct tt_baseline_names *names, const struct tt_capture *c,
                         const struct tt_timelines *t)
{
    char buffer[NAME_BYTES];
    uint32_t count = tt_thread_count(c);
    struct entry *entries = calloc((size_t)count + 1, sizeof *entries);
    names->threads = calloc((size_t)count + 1, sizeof *names->threads);
    bool ok = entries && names->threads;
    for (uint32_t i = 0; ok && i < count; i++) {
        const struct tt_thread *thread = tt_thread_at(c, i);
        struct tt_text text = tt_text_of(buffer, sizeof buffer - 32);
        size_t length;
        uint32_t process = thread->process;
        const char *name = tt_capture_text(c, thread->name, &length);
        tt_text_str(&text, process < names->process_count ? names->processes[process] : "-");
        tt_text_char(&text, '/');
        if (thread->idle) {
            tt_text_str(&text, "idle");
        } else if (length > 0) {
            tt_text_escaped(&text, name, length);
        } else {
            tt_text_str(&text, "tid ");
            tt_text_u64(&text, thread->tid);
        }
        entries[i] = (struct entry){keep(names, &text), begin_of(t, i), thread->tid, i, i};
        ok = entries[i].name != NULL;
    }
    names->thread_count = count;
    if (!ok) {
        free(entries);
        return false;
    }
    return number_entries(names, entries, count, names->threads);
}

bool tt_baseline_make_names(struct tt_baseline_names *names, const struct tt_capture *capture,
                            const struct tt_timelines *t)
{
    return make_processes(names, capture) && make_threads(names, capture, t);
}

void tt_baseline_free_names(struct tt_baseline_names *names)
{
    free(names->processes);
    free(names->threads);
    tt_hash_free(&names->by_key);
    tt_arena_free(&names->texts);
}

/* ---- keys --------------------------------------------------------------------------------- */

/* Appends a part of a key: the key of the thread or process that a cell is of, else its value. */
static void put_part(struct tt_text *text, const struct tt_baseline_names *names,
                     const struct tt_table_column *column, const struct tt_table_cell *cell)
{
    if (cell->thread != TT_NO_THREAD) {
        tt_text_str(text, cell->thread < names->thread_count ? names->threads[cell->thread]
                          : cell->thread == TT_OCCUPANT_IDLE ? "idle"
                                                             : "-");
    } else if (cell->process != TT_NO_THREAD) {
        tt_text_str(text,
                    cell->process < names->process_count ? names->processes[cell->process] : "-");
    } else if (cell->kind == TT_CELL_NUMBER) {
        tt_text_u64(text, cell->number);
    } else if (cell->kind == TT_CELL_TEXT) {
        tt_text_bytes(text, cell->text.buffer, cell->text.used);
    } else if (column->unit != TT_UNIT_TEXT) {
        tt_text_char(text, '-');
    }
}

/* Returns whether a column is a part of the key: of raw rows those that their name has. */
static bool is_key(const struct tt_table *table, const struct tt_table_column *column)
{
    bool named =
        column == tt_table_name_column(table, 0) || column == tt_table_name_column(table, 1);
    return table->next ? named : column->is_key;
}

void tt_baseline_put_key(struct tt_text *text, const struct tt_baseline_names *names,
                         const struct tt_table_run *run, const void *row)
{
    char buffer[TT_TABLE_CELL_BYTES];
    size_t start = text->used;
    bool first = true;
    for (size_t i = 0; i < run->column_count; i++) {
        const struct tt_table_column *column = &run->columns[i];
        if (!is_key(run->table, column)) {
            continue;
        }
        struct tt_table_cell cell = tt_table_cell_of(run, column, row, buffer, sizeof buffer);
        tt_text_str(text, first ? "" : TT_KEY_PART);
        put_part(text, names, column, &cell);
        first = false;
    }
    if (text->used == start) {
        tt_text_str(text, "total");
    }
}

/* ---- names -------------------------------------------------------------------------------- */

/* Keeps the text of the column that the row's name contains at `index`; "": it has fewer. */
static const char *keep_part(struct tt_baseline *b, const struct tt_table_run *run, const void *row,
                             unsigned index)
{
    char buffer[TT_TABLE_CELL_BYTES], part[NAME_BYTES];
    const struct tt_table_column *column = tt_table_name_column(run->table, index);
    struct tt_text text = tt_text_of(part, sizeof part);
    if (column) {
        struct tt_table_cell cell = tt_table_cell_of(run, column, row, buffer, sizeof buffer);
        if (cell.kind == TT_CELL_NUMBER) {
            tt_text_u64(&text, cell.number);
        } else if (cell.kind == TT_CELL_TEXT) {
            tt_text_bytes(&text, cell.text.buffer, cell.text.used);
        }
        tt_text_str(&text, text.used == 0 ? "-" : "");
    }
    return keep(b->names, &text);
}

bool tt_baseline_name_row(struct tt_baseline *b, struct tt_baseline_row *row,
                          const struct tt_table_run *run, const void *from)
{
    char buffer[TT_TABLE_CELL_BYTES], whole[3 * NAME_BYTES];
    const struct tt_table_column *subject = tt_table_name_column(run->table, 0);
    struct tt_text name = tt_text_of(whole, sizeof whole);
    tt_table_row_name(&name, run, from);
    row->thread =
        subject ? tt_table_cell_of(run, subject, from, buffer, sizeof buffer).thread : TT_NO_THREAD;
    row->name = keep(b->names, &name);
    row->first = keep_part(b, run, from, 0);
    row->second = keep_part(b, run, from, 1);
    return row->name && row->first && row->second;
}

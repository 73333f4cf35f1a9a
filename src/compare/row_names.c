/* SPDX-License-Identifier: Apache-2.0 */
/* row_names: names of rows, and the keys by which the rows of two runs are paired. */
#include <stdlib.h>
#include <string.h>

#include "compare/baseline_internal.h"
#include "tracetui/event_line.h"
#include "tracetui/timeline.h"

#define NAME_BYTES 1024u

/* ---- processes and threads ---------------------------------------------------------------- */

/* A process or thread that is sorted: equal names by their beginning. */
struct entry {
    const char *name;
    uint64_t begin;
    uint64_t id; /* pid or tid */
    uint32_t number;
};

static int compare_entries(const void *x, const void *y)
{
    const struct entry *left = x, *right = y;
    int names = strcmp(left->name, right->name);
    const uint64_t of_a[] = {left->begin, left->id, left->number},
                   of_b[] = {right->begin, right->id, right->number};
    for (unsigned i = 0; i < 3 && names == 0; i++) {
        names = of_a[i] < of_b[i] ? -1 : of_a[i] > of_b[i];
    }
    return names;
}

static const char *row_names_keep(struct tt_baseline_names *names, const struct tt_text *text)
{
    return tt_arena_text(&names->texts, text->buffer, text->used);
}

/* Returns the entry of a process: its name without numbers that differ from run to run. */
static struct entry process_entry(struct tt_baseline_names *names, const struct tt_capture *capture,
                                  uint32_t number)
{
    char buffer[NAME_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer - 32);
    const struct tt_process *process = tt_process_at(capture, number);
    size_t length;
    const char *name = tt_process_base_name(capture, process, &length);
    if (length > 0) {
        tt_text_escaped(&text, name, length);
    } else {
        tt_text_str(&text, "pid ");
        tt_line_id(&text, capture, number, process->pid);
    }
    return (struct entry){row_names_keep(names, &text), process->first_when, process->pid, number};
}

/* Returns the entry of a thread: the key of its process, and its name. */
static struct entry thread_entry(struct tt_baseline_names *names, const struct tt_capture *capture,
                                 const struct tt_timelines *timelines, uint32_t number)
{
    char buffer[NAME_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer - 32);
    const struct tt_thread *thread = tt_thread_at(capture, number);
    struct tt_interval_at at;
    uint64_t begin = UINT64_MAX;
    size_t length;
    const char *name = tt_capture_text(capture, thread->name, &length);
    tt_text_str(&text, tt_baseline_key_of(&names->processes, thread->process));
    tt_text_char(&text, '/');
    if (thread->idle) {
        tt_text_str(&text, "idle");
    } else if (length > 0) {
        tt_text_escaped(&text, name, length);
    } else {
        tt_text_str(&text, "tid ");
        tt_line_id(&text, capture, thread->process, thread->tid);
    }
    if (timelines && tt_interval_first(timelines, number, &at)) {
        struct tt_interval first = tt_interval_get(timelines, at);
        begin = first.since_before ? 0 : first.start; /* 0: it was there before the capture */
    }
    return (struct entry){row_names_keep(names, &text), begin, thread->tid, number};
}

/* Makes the keys of all processes, or of all threads: numbers the entries of each name. */
static bool make_keys(struct tt_baseline_names *names, const struct tt_capture *capture,
                      const struct tt_timelines *timelines, bool of_threads)
{
    char buffer[NAME_BYTES];
    struct tt_baseline_keys *keys = of_threads ? &names->threads : &names->processes;
    uint32_t count = of_threads ? tt_thread_count(capture) : tt_process_count(capture);
    struct entry *entries = calloc((size_t)count + 1, sizeof *entries);
    keys->of = calloc((size_t)count + 1, sizeof *keys->of);
    bool ok = entries && keys->of;
    for (uint32_t i = 0; ok && i < count; i++) {
        entries[i] = of_threads ? thread_entry(names, capture, timelines, i)
                                : process_entry(names, capture, i);
        ok = entries[i].name != NULL;
    }
    if (ok) {
        qsort(entries, count, sizeof *entries, compare_entries);
    }
    for (uint32_t i = 0, same = 0; ok && i < count; i++) {
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        same = i > 0 && strcmp(entries[i].name, entries[i - 1].name) == 0 ? same + 1 : 0;
        tt_text_str(&text, entries[i].name);
        if (same > 0) {
            tt_text_char(&text, '#');
            tt_text_u64(&text, (uint64_t)same + 1);
        }
        keys->of[entries[i].number] = row_names_keep(names, &text);
        ok = keys->of[entries[i].number] != NULL;
    }
    keys->count = count;
    free(entries);
    return ok;
}

bool tt_baseline_make_names(struct tt_baseline_names *names, const struct tt_capture *capture,
                            const struct tt_timelines *timelines)
{
    return make_keys(names, capture, timelines, false) &&
           make_keys(names, capture, timelines, true);
}

void tt_baseline_free_names(struct tt_baseline_names *names)
{
    free(names->processes.of);
    free(names->threads.of);
    tt_hash_free(&names->by_key);
    tt_arena_free(&names->texts);
}

const char *tt_baseline_key_of(const struct tt_baseline_keys *keys, uint32_t number)
{
    return number < keys->count ? keys->of[number] : "-";
}

/* ---- rows --------------------------------------------------------------------------------- */

void tt_baseline_put_key(struct tt_text *text, const struct tt_baseline_names *names,
                         const struct tt_table_run *run, const void *row)
{
    char buffer[TT_TABLE_CELL_BYTES];
    size_t start = text->used;
    bool first = true;
    for (size_t i = 0; i < run->column_count; i++) {
        const struct tt_table_column *column = &run->columns[i];
        /* Raw rows have the same key if they have the same name. */
        bool is_key = run->table->next ? column == tt_table_name_column(run->table, 0) ||
                                             column == tt_table_name_column(run->table, 1)
                                       : column->is_key;
        if (!is_key) {
            continue;
        }
        struct tt_table_cell cell = tt_table_cell_of(run, column, row, buffer, sizeof buffer);
        tt_text_str(text, first ? "" : TT_KEY_PART);
        if (cell.thread != TT_NO_THREAD) {
            tt_text_str(text, cell.thread == TT_OCCUPANT_IDLE
                                  ? "idle"
                                  : tt_baseline_key_of(&names->threads, cell.thread));
        } else if (cell.process != TT_NO_THREAD) {
            tt_text_str(text, tt_baseline_key_of(&names->processes, cell.process));
        } else if (cell.kind == TT_CELL_TEXT ? cell.text.used > 0 : column->unit != TT_UNIT_TEXT) {
            tt_table_put_cell(text, &cell);
        }
        first = false;
    }
    if (text->used == start) {
        tt_text_str(text, "total");
    }
}

bool tt_baseline_name_row(struct tt_baseline *baseline, struct tt_baseline_row *row,
                          const struct tt_table_run *run, const void *from)
{
    char buffer[TT_TABLE_CELL_BYTES], whole[3 * NAME_BYTES];
    const char **const parts[] = {&row->first, &row->second};
    struct tt_text name = tt_text_of(whole, sizeof whole);
    tt_table_row_name(&name, run, from);
    row->name = row_names_keep(baseline->names, &name);
    for (unsigned i = 0; i < 2; i++) {
        const struct tt_table_column *column = tt_table_name_column(run->table, i);
        struct tt_text part = tt_text_of(whole, NAME_BYTES);
        if (column) {
            struct tt_table_cell cell = tt_table_cell_of(run, column, from, buffer, sizeof buffer);
            row->thread = i == 0 ? cell.thread : row->thread;
            tt_table_put_cell(&part, &cell);
        }
        *parts[i] = row_names_keep(baseline->names, &part);
    }
    return row->name && row->first && row->second;
}

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

static void put_thread(struct tt_text *text, const struct tt_baseline_names *names, uint32_t thread)
{
    tt_text_str(text, thread < names->thread_count ? names->threads[thread]
                      : thread == TT_OCCUPANT_IDLE ? "idle"
                                                   : "-");
}

static void put_process(struct tt_text *text, const struct tt_baseline_names *names,
                        uint32_t process)
{
    tt_text_str(text, process < names->process_count ? names->processes[process] : "-");
}

/* Appends a client or server: a process, or a thread where there are no processes. */
static void put_partner(struct tt_text *text, const struct tt_baseline_names *names,
                        const struct tt_stat_sheet *sheet, uint32_t process, uint32_t thread)
{
    if (tt_merge_lacks_processes(sheet->capture, process, thread)) {
        put_thread(text, names, thread);
    } else {
        put_process(text, names, process);
    }
}

/* Appends the text of a column; returns whether there is one. */
static bool put_cell(struct tt_text *text, const struct tt_stat_sheet *sheet,
                     const struct tt_stat_row *row, const char *key)
{
    char buffer[TT_STAT_CELL_BYTES];
    for (size_t i = 0; i < sheet->column_count; i++) {
        if (strcmp(sheet->columns[i].key, key) != 0) {
            continue;
        }
        struct tt_stat_cell cell =
            tt_stat_cell_of(sheet, &sheet->columns[i], row, buffer, sizeof buffer);
        if (cell.kind == TT_CELL_NUMBER) {
            tt_text_u64(text, cell.number);
        } else if (cell.kind == TT_CELL_TEXT) {
            tt_text_bytes(text, cell.text.buffer, cell.text.used);
        }
        return cell.kind != TT_CELL_NONE;
    }
    return false;
}

void tt_baseline_put_key(struct tt_text *text, const struct tt_baseline_names *names,
                         const struct tt_stat_sheet *sheet, const struct tt_stat_row *row,
                         enum tt_stats_by by)
{
    switch (by) {
    case TT_STATS_BY_THREAD:
    case TT_STATS_BY_JOB:
        put_thread(text, names, row->thread);
        break;
    case TT_STATS_BY_PROCESS:
        put_process(text, names, row->process);
        break;
    case TT_STATS_BY_CPU:
        tt_text_u64(text, row->cpu);
        break;
    case TT_STATS_BY_PAIR:
        put_thread(text, names, row->from);
        tt_text_str(text, TT_KEY_PART);
        put_thread(text, names, row->to);
        break;
    case TT_STATS_BY_EVENT:
        put_cell(text, sheet, row, "class");
        tt_text_str(text, TT_KEY_PART);
        put_cell(text, sheet, row, "event");
        break;
    case TT_STATS_BY_INTERRUPT:
        put_cell(text, sheet, row, "event");
        tt_text_str(text, TT_KEY_PART);
        tt_text_u64(text, row->number);
        break;
    case TT_STATS_BY_PROCESSES:
        put_partner(text, names, sheet, row->peer, row->thread);
        tt_text_str(text, TT_KEY_PART);
        put_partner(text, names, sheet, row->process, row->to);
        tt_text_str(text, TT_KEY_PART);
        tt_text_str(text, row->m.kind);
        break;
    case TT_STATS_BY_SERVER:
        put_partner(text, names, sheet, row->process, row->to);
        break;
    case TT_STATS_BY_OBJECT:
        put_process(text, names, row->process);
        tt_text_str(text, TT_KEY_PART);
        put_cell(text, sheet, row, "kind");
        tt_text_str(text, TT_KEY_PART);
        put_cell(text, sheet, row, "object");
        break;
    case TT_STATS_BY_BLAME:
        put_thread(text, names, row->thread);
        tt_text_str(text, TT_KEY_PART);
        if (row->to < names->thread_count) {
            put_thread(text, names, row->to);
        } else {
            put_cell(text, sheet, row, "by");
        }
        tt_text_str(text, TT_KEY_PART);
        tt_text_str(text, row->b.cause);
        break;
    default:
        tt_text_str(text, "total");
    }
}

/* ---- names -------------------------------------------------------------------------------- */

/* The columns that name a row, and the text between and after them. */
static const struct naming {
    enum tt_stats_by by;
    const char *prefix, *first, *between, *second, *kind;
} namings[] = {
    {TT_STATS_BY_THREAD, "", "thread", "", "", ""},
    {TT_STATS_BY_JOB, "", "thread", "", "", ""},
    {TT_STATS_BY_PROCESS, "", "process", "", "", ""},
    {TT_STATS_BY_CPU, "CPU ", "cpu", "", "", ""},
    {TT_STATS_BY_PAIR, "", "from", " -> ", "to", ""},
    {TT_STATS_BY_EVENT, "", "event", "", "", "class"},
    {TT_STATS_BY_INTERRUPT, "interrupt ", "vector", "", "", ""},
    {TT_STATS_BY_PROCESSES, "", "client", " -> ", "server", "kind"},
    {TT_STATS_BY_SERVER, "", "server", "", "", ""},
    {TT_STATS_BY_OBJECT, "", "object", " of ", "process", ""},
    {TT_STATS_BY_BLAME, "", "thread", " by ", "by", "cause"},
};

static const struct naming *naming_of(enum tt_stats_by by)
{
    for (size_t i = 0; i < sizeof namings / sizeof *namings; i++) {
        if (namings[i].by == by) {
            return &namings[i];
        }
    }
    return NULL;
}

bool tt_baseline_name_row(struct tt_baseline *b, struct tt_baseline_row *row,
                          const struct tt_stat_sheet *sheet, const struct tt_stat_row *from)
{
    const struct naming *n = naming_of(b->by);
    char whole[3 * NAME_BYTES], first[NAME_BYTES], second[NAME_BYTES], kind[NAME_BYTES];
    struct tt_text name = tt_text_of(whole, sizeof whole);
    struct tt_text one = tt_text_of(first, sizeof first);
    struct tt_text two = tt_text_of(second, sizeof second);
    struct tt_text three = tt_text_of(kind, sizeof kind);
    if (!n) {
        tt_text_str(&name, "total");
    } else {
        put_cell(&one, sheet, from, n->first);
        if (n->second[0] && !put_cell(&two, sheet, from, n->second)) {
            tt_text_char(&two, '-');
        }
        put_cell(&three, sheet, from, n->kind);
        if (one.used == 0) {
            tt_text_char(&one, '-');
        }
        tt_text_str(&name, n->prefix);
        tt_text_bytes(&name, one.buffer, one.used);
        tt_text_str(&name, n->between);
        tt_text_bytes(&name, two.buffer, two.used);
        if (three.used > 0 && strcmp(tt_text_cstr(&three), tt_text_cstr(&two)) != 0) {
            tt_text_str(&name, " (");
            tt_text_bytes(&name, three.buffer, three.used);
            tt_text_char(&name, ')');
        }
    }
    row->thread = from->thread;
    row->name = keep(b->names, &name);
    row->first = keep(b->names, &one);
    row->second = keep(b->names, &two);
    return row->name && row->first && row->second;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* interrupts_results: the numbers of a walk over interrupts, and the lists of threads that they wake. */
#include <stdlib.h>
#include <string.h>

#include "analysis/interrupts_internal.h"
#include "tracetui/event_line.h"
#include "tracetui/merge.h"

#define NAMES_MOST  16u
#define NAMES_BYTES 1024u

unsigned tt_interrupt_stats_percent(const struct tt_interrupt_stats *stats)
{
    uint64_t whole =
        stats->window.end_row > stats->begin ? stats->window.end_row - stats->begin : 0;
    uint64_t done = stats->row - stats->begin;
    return whole > 0 && done < whole ? (unsigned)((double)done * 100.0 / (double)whole) : 99;
}

bool tt_interrupt_stats_truncated(const struct tt_interrupt_stats *stats)
{
    return stats->shrunk;
}

size_t tt_interrupt_stats_count(const struct tt_interrupt_stats *stats)
{
    return stats->row_count;
}

static struct tt_distribution interrupts_results_counted(const struct tt_samples *samples)
{
    return (struct tt_distribution){.count = samples->count,
                                    .sum = samples->sum,
                                    .max = samples->max,
                                    .max_at = samples->max_at};
}

struct tt_interrupt_numbers tt_interrupt_stats_counted(const struct tt_interrupt_stats *stats,
                                                       size_t index)
{
    const struct tt_interrupt_row *row = &stats->rows[index];
    bool has_wakes = !tt_format_has(tt_merge_system(stats->capture, row->key.system)->format,
                                    TT_FORMAT_NO_WAKERS);
    return (struct tt_interrupt_numbers){
        .key = row->key,
        .count = row->count,
        .period = interrupts_results_counted(&row->samples[TT_INTERRUPT_PERIODS]),
        .duration = interrupts_results_counted(&row->samples[TT_INTERRUPT_DURATIONS]),
        .handler = interrupts_results_counted(&row->samples[TT_INTERRUPT_HANDLERS]),
        .nested = row->nested,
        .depth = row->depth,
        .wakes = has_wakes ? row->wakes : TT_INTERRUPT_UNKNOWN,
        .threads = has_wakes ? row->threads : TT_INTERRUPT_UNKNOWN,
        .woken = row->woken,
    };
}

static int compare_woken(const void *x, const void *y)
{
    const struct tt_interrupt_woken *left = x, *right = y;
    if (left->row != right->row) {
        return left->row < right->row ? -1 : 1;
    }
    if (left->count != right->count) {
        return left->count > right->count ? -1 : 1;
    }
    return left->thread < right->thread ? -1 : left->thread > right->thread;
}

bool tt_interrupt_stats_name(struct tt_interrupt_stats *stats)
{
    struct tt_interrupt_woken *sorted = malloc((stats->woken_count + 1) * sizeof *sorted);
    bool ok = sorted != NULL;
    tt_arena_free(&stats->texts);
    if (ok && stats->woken_count > 0) {
        memcpy(sorted, stats->woken, stats->woken_count * sizeof *sorted);
        qsort(sorted, stats->woken_count, sizeof *sorted, compare_woken);
    }
    for (size_t i = 0; i < stats->row_count; i++) {
        stats->rows[i].woken = "";
    }
    for (size_t i = 0; ok && i < stats->woken_count;) {
        struct tt_interrupt_row *row = &stats->rows[sorted[i].row];

        /* Writes the threads of one row; the list is cut after NAMES_MOST of them. */
        const struct tt_interrupt_woken *list = &sorted[i];
        size_t count = row->threads;
        char buffer[NAMES_BYTES];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        size_t shown = 0;
        for (; shown < count && shown < NAMES_MOST; shown++) {
            size_t start = text.used;
            tt_text_str(&text, shown > 0 ? ", " : "");
            tt_line_thread(&text, stats->capture, list[shown].thread);
            tt_text_char(&text, ' ');
            tt_text_u64(&text, list[shown].count);
            if (text.used + sizeof ", ..." > sizeof buffer) {
                text.used = start;
                break;
            }
        }
        tt_text_str(&text, shown < count ? ", ..." : "");
        row->woken = tt_arena_text(&stats->texts, buffer, text.used);

        ok = row->woken != NULL;
        i += row->threads;
    }
    free(sorted);
    return ok;
}

bool tt_interrupt_stats_at_step(struct tt_interrupt_stats *stats, size_t index, uint64_t *work,
                                struct tt_interrupt_numbers *numbers)
{
    struct tt_distribution *const to[] = {&numbers->period, &numbers->duration, &numbers->handler};
    for (; stats->settled < TT_INTERRUPT_SAMPLES; stats->settled++) {
        if (!tt_samples_distribution_step(&stats->rows[index].samples[stats->settled],
                                          &stats->selection, work, to[stats->settled])) {
            return false;
        }
    }
    stats->settled = 0;
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* bins: the bins of a histogram, with round edges. */
#include "analysis/measure.h"
#include "trace/line_parts.h"

#define BINS_WANTED 25u
#define SKEWED      50u /* largest value in medians from which the scale is logarithmic */

static bool bins_add_edge(struct tt_bins *bins, uint64_t edge)
{
    if (bins->used == TT_BINS_MOST) {
        return false;
    }
    bins->edge[++bins->used] = edge;
    return true;
}

/* Chooses the smallest step of 1, 2 or 5 times a power of ten with which the bins suffice. */
static uint64_t step_of(uint64_t range)
{
    static const uint64_t digits[] = {1, 2, 5};
    for (uint64_t power = 1;; power *= 10) {
        for (unsigned i = 0; i < 3; i++) {
            if (power > UINT64_MAX / 10 || range / (power * digits[i]) < BINS_WANTED) {
                return power * digits[i];
            }
        }
    }
}

static void choose_logarithmic(struct tt_bins *bins, uint64_t min, uint64_t max)
{
    static const uint64_t coarse[] = {10, 20, 50}, fine[] = {10, 15, 20, 30, 50, 70};
    bool is_fine = max / (min > 0 ? min : 1) < 10000;
    const uint64_t *digits = is_fine ? fine : coarse;
    unsigned count = is_fine ? 6 : 3;
    bins->logarithmic = true;
    bins->edge[0] = 0;
    for (uint64_t power = 1; power <= UINT64_MAX / 100; power *= 10) {
        for (unsigned i = 0; i < count; i++) {
            uint64_t edge = digits[i] * power / 10;
            if (edge <= min) {
                bins->edge[0] = edge;
            } else if (edge > bins->edge[bins->used] && !bins_add_edge(bins, edge)) {
                return;
            }
            if (edge > max) {
                return;
            }
        }
    }
}

bool tt_bins_are_skewed(uint64_t median, uint64_t max)
{
    return max / SKEWED > median;
}

void tt_bins_choose(struct tt_bins *bins, uint64_t min, uint64_t median, uint64_t max)
{
    tt_bins_choose_scale(bins, min, max, tt_bins_are_skewed(median, max));
}

void tt_bins_choose_scale(struct tt_bins *bins, uint64_t min, uint64_t max, bool logarithmic)
{
    *bins = (struct tt_bins){0};
    if (logarithmic) {
        choose_logarithmic(bins, min, max);
    } else {
        uint64_t step = step_of(max - min), edge = min - min % step;
        bins->edge[0] = edge;
        do {
            edge = edge > UINT64_MAX - step ? UINT64_MAX : edge + step;
        } while (bins_add_edge(bins, edge) && edge <= max && edge < UINT64_MAX);
    }
    if (bins->used == 0) { /* all values are beyond the last round edge */
        bins->edge[++bins->used] = max < UINT64_MAX ? max + 1 : max;
    }
    if (bins->edge[bins->used] <= max) {
        bins->edge[bins->used] = max < UINT64_MAX ? max + 1 : max;
    }
}

void tt_bins_add(struct tt_bins *bins, uint64_t value, uint64_t times)
{
    unsigned low = 0, high = bins->used;
    while (high - low > 1) {
        unsigned middle = low + (high - low) / 2;
        if (bins->edge[middle] <= value) {
            low = middle;
        } else {
            high = middle;
        }
    }
    bins->count[low] += times;
}

void tt_bins_add_samples(struct tt_bins *bins, const struct tt_capture *capture,
                         const struct tt_samples *samples)
{
    uint64_t value, times;
    for (size_t next = 0; tt_samples_next(samples, &next, &value, &times);) {
        tt_bins_add(bins, tt_line_ns(capture, value), times);
    }
}

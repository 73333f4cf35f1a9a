/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/views/snapshot/runs.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

#define AT_ONCE 8u /* threads between two checks of the clock */

bool tt_run_times_begin(struct tt_run_times *r, uint32_t threads)
{
    if (threads > r->room || !r->known) {
        tt_run_times_free(r);
        r->ticks = malloc(((size_t)threads + 1) * sizeof *r->ticks);
        r->known = malloc((size_t)threads + 1);
        if (!r->ticks || !r->known) {
            tt_run_times_free(r);
            return false;
        }
        r->room = threads;
    }
    r->threads = threads;
    r->reached = 0;
    memset(r->known, 0, (size_t)threads + 1);
    return true;
}

void tt_run_times_free(struct tt_run_times *r)
{
    free(r->ticks);
    free(r->known);
    memset(r, 0, sizeof *r);
}

bool tt_run_times_has(const struct tt_run_times *r, uint32_t thread, unsigned window)
{
    return thread < r->threads && (r->known[thread] >> window & 1) != 0;
}

void tt_run_times_find(struct tt_run_times *r, const struct tt_snapshot_scene *scene,
                       uint32_t thread, unsigned window)
{
    if (thread < r->threads && !tt_run_times_has(r, thread, window)) {
        r->ticks[thread][window] = tt_snapshot_run(scene, thread, window);
        r->known[thread] |= (uint8_t)(1u << window);
    }
}

uint64_t tt_run_times_get(const struct tt_run_times *r, uint32_t thread, unsigned window)
{
    return tt_run_times_has(r, thread, window) ? r->ticks[thread][window] : UINT64_MAX;
}

bool tt_run_times_complete(const struct tt_run_times *r, unsigned window)
{
    return r->threads == 0 || (r->window == window && r->reached == r->threads);
}

bool tt_run_times_work(struct tt_run_times *r, const struct tt_snapshot_scene *scene,
                       unsigned window, uint64_t deadline)
{
    if (r->window != window) {
        r->window = window;
        r->reached = 0;
    }
    while (r->reached < r->threads && tt_now_ns() < deadline) {
        for (unsigned i = 0; i < AT_ONCE && r->reached < r->threads; i++) {
            tt_run_times_find(r, scene, r->reached++, window);
        }
    }
    return r->reached == r->threads;
}

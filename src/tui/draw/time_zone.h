/* SPDX-License-Identifier: Apache-2.0 */
/*
 * time_zone: the zone in which absolute times are shown: UTC, the local one, one by name, or a fixed
 * offset.
 *
 * A named zone is that of the C library: using it sets TZ for the process. Call from one thread.
 */
#ifndef TRACETUI_TUI_DRAW_TIME_ZONE_H
#define TRACETUI_TUI_DRAW_TIME_ZONE_H

#include <stdint.h>

#include "tracetui/status.h"

enum tt_time_zone_kind {
    TT_ZONE_UTC,
    TT_ZONE_OFFSET,
    TT_ZONE_LOCAL, /* that of TZ, or of the system */
    TT_ZONE_NAMED, /* TZ is set to it */
};

#define TT_ZONE_BYTES 48

/* Zero: UTC. Plain data. */
struct tt_time_zone {
    enum tt_time_zone_kind kind;
    int32_t offset;           /* of OFFSET: seconds east of Greenwich */
    char name[TT_ZONE_BYTES]; /* as it was given: "+02:00", "Europe/Berlin"; empty: UTC */
    /* Of a named zone: TZ as it was before the first one, which is restored for others. */
    char before[TT_ZONE_BYTES];
    bool had_before;
    bool changed; /* TZ is set */
};

/*
 * Changes a zone: "UTC", "local", "+02:00", "-0330", "+2", or a name of the zone database. Fails with
 * the zone unchanged if the name is unknown.
 */
struct tt_status tt_time_zone_set(struct tt_time_zone *zone, const char *name);

/* Returns the name as it was given. */
const char *tt_time_zone_name(const struct tt_time_zone *zone);

/* Returns the seconds that a zone is ahead of UTC at a time in seconds since 1970. */
int32_t tt_time_zone_ahead(const struct tt_time_zone *zone, int64_t seconds);

/* Writes the name for times near `seconds`: "UTC", "+02:00", or the zone's abbreviation "CEST". */
const char *tt_time_zone_label(const struct tt_time_zone *zone, int64_t seconds,
                               char out[TT_ZONE_BYTES]);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* time_zone: parses and applies zones. */
#define _XOPEN_SOURCE 700
#include "tui/draw/time_zone.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define HOUR_S 3600
#define MOST_S (18 * HOUR_S)
#define DAY_S  86400
#define ZONES  "/usr/share/zoneinfo"

/* Reads a number of at most `most` digits; returns false if there is none. */
static bool read_digits(const char **at, size_t most, unsigned *number)
{
    size_t count = strspn(*at, "0123456789");
    *number = 0;
    count = count < most ? count : most;
    for (size_t i = 0; i < count; i++) {
        *number = *number * 10 + (unsigned)((*at)[i] - '0');
    }
    *at += count;
    return count > 0;
}

/* Reads "+02:00", "+0200", "+2", "-3:30". */
static bool read_offset(const char *name, int32_t *offset)
{
    unsigned hours, minutes = 0;
    const char *at = name + 1;
    if ((name[0] != '+' && name[0] != '-') || !read_digits(&at, 2, &hours)) {
        return false;
    }
    at += *at == ':' ? 1 : 0;
    if ((*at || at[-1] == ':') && (strlen(at) != 2 || !read_digits(&at, 2, &minutes))) {
        return false;
    }
    int32_t seconds = (int32_t)(hours * HOUR_S + minutes * 60);
    *offset = name[0] == '-' ? -seconds : seconds;
    return !*at && minutes < 60 && seconds <= MOST_S;
}

/* Returns whether the zone database has a name; the C library reads an unknown one as UTC. */
static bool is_zone(const char *name)
{
    char path[256];
    const char *folder = getenv("TZDIR");
    struct stat file;
    int length = snprintf(path, sizeof path, "%s/%s", folder && *folder ? folder : ZONES, name);
    return name[0] != '/' && name[0] != '.' && !strstr(name, "..") && strlen(name) > 0 &&
           length > 0 && (size_t)length < sizeof path && stat(path, &file) == 0 &&
           S_ISREG(file.st_mode) && access(path, R_OK) == 0;
}

/* Sets TZ to a zone, or to the value that it had. */
static bool use(struct tt_time_zone *zone, const char *name)
{
    if (!zone->changed) {
        const char *before = getenv("TZ");
        zone->had_before = before && strlen(before) < sizeof zone->before;
        snprintf(zone->before, sizeof zone->before, "%s", zone->had_before ? before : "");
    }
    const char *value = name ? name : zone->had_before ? zone->before : NULL;
    if (name || zone->changed) {
        if (value ? setenv("TZ", value, 1) != 0 : unsetenv("TZ") != 0) {
            return false;
        }
        zone->changed = true;
    }
    tzset();
    return true;
}

struct tt_status tt_time_zone_set(struct tt_time_zone *zone, const char *name)
{
    enum tt_time_zone_kind kind = TT_ZONE_NAMED;
    int32_t offset = 0;
    if (strcasecmp(name, "UTC") == 0) {
        kind = TT_ZONE_UTC;
    } else if (strcasecmp(name, "local") == 0) {
        kind = TT_ZONE_LOCAL;
    } else if (read_offset(name, &offset)) {
        kind = TT_ZONE_OFFSET;
    } else if (strlen(name) >= sizeof zone->name || !is_zone(name)) {
        return tt_error(TT_ERR_USAGE,
                        "\"%.40s\" is no time zone: UTC, local, +02:00, or a name such as "
                        "Europe/Berlin",
                        name);
    }
    if (!use(zone, kind == TT_ZONE_NAMED ? name : NULL)) {
        return tt_error_memory();
    }
    zone->kind = kind;
    zone->offset = offset;
    snprintf(zone->name, sizeof zone->name, "%s",
             kind == TT_ZONE_UTC     ? "UTC"
             : kind == TT_ZONE_LOCAL ? "local"
                                     : name);
    return tt_ok();
}

const char *tt_time_zone_name(const struct tt_time_zone *zone)
{
    return zone->kind == TT_ZONE_UTC ? "UTC" : zone->name;
}

/* Returns the difference of two broken-down times less than two days apart, in seconds. */
static int32_t difference(const struct tm *local, const struct tm *utc)
{
    int days = local->tm_yday - utc->tm_yday;
    if (local->tm_year != utc->tm_year) {
        days = local->tm_year > utc->tm_year ? 1 : -1;
    }
    return days * DAY_S + (local->tm_hour - utc->tm_hour) * HOUR_S +
           (local->tm_min - utc->tm_min) * 60 + (local->tm_sec - utc->tm_sec);
}

int32_t tt_time_zone_ahead(const struct tt_time_zone *zone, int64_t seconds)
{
    time_t time = (time_t)seconds;
    struct tm local, utc;
    if (zone->kind == TT_ZONE_UTC || zone->kind == TT_ZONE_OFFSET) {
        return zone->offset;
    }
    return localtime_r(&time, &local) && gmtime_r(&time, &utc) ? difference(&local, &utc) : 0;
}

const char *tt_time_zone_label(const struct tt_time_zone *zone, int64_t seconds,
                               char out[TT_ZONE_BYTES])
{
    time_t time = (time_t)seconds;
    struct tm local;
    bool by_library = zone->kind == TT_ZONE_LOCAL || zone->kind == TT_ZONE_NAMED;
    if (!by_library || !localtime_r(&time, &local) ||
        strftime(out, TT_ZONE_BYTES, "%Z", &local) == 0) {
        snprintf(out, TT_ZONE_BYTES, "%s", tt_time_zone_name(zone));
    }
    return out;
}

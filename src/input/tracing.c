/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tracing: the descriptions of a running kernel as one file: the begin of a trace.dat of version 6, as trace-cmd writes
 * it before it records (trace-cmd.dat.v6(5)):
 *
 *      events/header_page, header_event | events/ftrace/EVENT/format | events/SYSTEM/EVENT/format
 *      kallsyms, if it is this machine's | printk_formats | saved_cmdlines | number of CPUs | options: trace_clock, uname
 *
 * It is for pages that trace-cmd has not joined yet, whose descriptions nothing else has.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/array.h"
#include "base/bits.h"
#include "base/file_read.h"
#include "input/map_internal.h"

#define TEXT_MOST    ((size_t)1 << 26) /* of a file; kallsyms of large kernels have 20 MB */
#define PATH_MOST    4096
#define OPTION_CLOCK 4u
#define OPTION_UNAME 5u

struct tracing {
    const char *folder;
    bool is_here; /* it is of the running kernel */
    char *bytes;
    size_t used, capacity;
    bool no_memory;
};

static void tracing_put(struct tracing *tracing, const void *bytes, size_t length)
{
    char *room = tracing->no_memory ? NULL
                                    : tt_array_reserve(tracing->bytes, tracing->used + length,
                                                       &tracing->capacity, 1);
    if (!room) {
        tracing->no_memory = true;
        return;
    }
    tracing->bytes = room;
    memcpy(room + tracing->used, bytes, length);
    tracing->used += length;
}

static void put_u32(struct tracing *tracing, uint32_t value)
{
    tracing_put(tracing, &value, sizeof value);
}

/*
 * Appends the size of a file below the folder, a number of `size_bytes`, and its text. Returns false, with the size 0,
 * if it cannot be read.
 */
static bool put_file(struct tracing *tracing, const char *path, unsigned size_bytes)
{
    char whole[PATH_MOST], *text = NULL;
    size_t length = 0;
    int used = snprintf(whole, sizeof whole, path[0] == '/' ? "%s%s" : "%s/%s",
                        path[0] == '/' ? "" : tracing->folder, path);
    bool good = used > 0 && used < PATH_MOST && tt_file_text(whole, TEXT_MOST, &text, &length) == 0;
    const uint64_t size = good ? length : 0;
    const uint32_t small = (uint32_t)size;
    tracing_put(tracing, size_bytes == 8 ? (const void *)&size : &small, size_bytes);
    if (good) {
        tracing_put(tracing, text, length);
    }
    free(text);
    return good;
}

/* Returns the names in a directory below the folder, as tt_map_list_folder does. */
static char **list_folder(struct tracing *tracing, const char *path, size_t *count)
{
    char whole[PATH_MOST];
    int used = snprintf(whole, sizeof whole, "%s/%s", tracing->folder, path);
    *count = 0;
    return used > 0 && used < PATH_MOST ? tt_map_list_folder(whole, count) : NULL;
}

/* Appends the formats of the events of a system, their number before them. Returns the number. */
static uint32_t put_system(struct tracing *tracing, const char *system)
{
    char path[PATH_MOST];
    const size_t count_at = tracing->used;
    uint32_t formats = 0;
    size_t count;
    put_u32(tracing, 0);
    snprintf(path, sizeof path, "events/%s", system);
    char **names = list_folder(tracing, path, &count);
    for (size_t i = 0; i < count; i++) {
        const size_t before = tracing->used;
        int used = snprintf(path, sizeof path, "events/%s/%s/format", system, names[i]);
        if (used > 0 && used < PATH_MOST && put_file(tracing, path, 8)) {
            formats++;
        } else {
            tracing->used = before;
        }
        free(names[i]);
    }
    free(names);
    if (!tracing->no_memory) {
        memcpy(tracing->bytes + count_at, &formats, sizeof formats);
    }
    return formats;
}

/* Appends the options: the clock, and what kernel it is. */
static void tracing_put_options(struct tracing *tracing)
{
    struct utsname name;
    char text[4 * sizeof name.release];
    uint16_t id = OPTION_CLOCK;
    tracing_put(tracing, "options  ", 10);
    tracing_put(tracing, &id, sizeof id);
    put_file(tracing, "trace_clock", 4);
    if (uname(&name) == 0) {
        int length = snprintf(text, sizeof text, "%s %s %s %s", name.sysname, name.nodename,
                              name.release, name.machine);
        id = OPTION_UNAME;
        tracing_put(tracing, &id, sizeof id);
        put_u32(tracing, (uint32_t)length + 1);
        tracing_put(tracing, text, (size_t)length + 1);
    }
    id = 0;
    tracing_put(tracing, &id, sizeof id);
}

/* Returns the size of a page of the ring buffer, by "field: char data; offset:16; size:4080;". */
static uint32_t page_size(const char *header_page)
{
    unsigned offset = 0, size = 0;
    const char *data = strstr(header_page, " data;");
    return data && sscanf(data, " data; offset:%u; size:%u;", &offset, &size) == 2
               ? (uint32_t)(offset + size)
               : (uint32_t)sysconf(_SC_PAGESIZE);
}

static struct tt_status tracing_put_all(struct tracing *tracing)
{
    const uint8_t order = tt_host_is_big(), size_of_long = sizeof(long);
    tracing_put(tracing, "\x17\x08\x44tracing6", 12);
    tracing_put(tracing, &order, 1);
    tracing_put(tracing, &size_of_long, 1);
    const size_t page_at = tracing->used;
    put_u32(tracing, 0);
    tracing_put(tracing, "header_page", 12);
    const size_t header_at = tracing->used + 8;
    if (!put_file(tracing, "events/header_page", 8)) {
        return tt_error(TT_ERR_IO, "%s: no descriptions of events can be read there (--metadata)",
                        tracing->folder);
    }
    tracing_put(tracing, "header_event", 13);
    if (!tracing->no_memory) {
        uint32_t size = page_size(tracing->bytes + header_at);
        memcpy(tracing->bytes + page_at, &size, sizeof size);
    }
    put_file(tracing, "events/header_event", 8);
    put_system(tracing, "ftrace");

    const size_t count_at = tracing->used;
    uint32_t systems = 0;
    size_t count;
    put_u32(tracing, 0);
    char **names = list_folder(tracing, "events", &count);
    for (size_t i = 0; i < count; i++) {
        const size_t before = tracing->used;
        tracing_put(tracing, names[i], strlen(names[i]) + 1);
        if (strcmp(names[i], "ftrace") != 0 && put_system(tracing, names[i]) > 0) {
            systems++;
        } else {
            tracing->used = before;
        }
        free(names[i]);
    }
    free(names);
    if (!tracing->no_memory) {
        memcpy(tracing->bytes + count_at, &systems, sizeof systems);
    }

    put_file(tracing, tracing->is_here ? "/proc/kallsyms" : "", 4);
    put_file(tracing, "printk_formats", 4);
    put_file(tracing, "saved_cmdlines", 8);
    put_u32(tracing, (uint32_t)sysconf(_SC_NPROCESSORS_CONF));
    tracing_put_options(tracing);
    return tracing->no_memory ? tt_error_memory() : tt_ok();
}

struct tt_status tt_map_tracing(const char *folder, struct tt_map **map)
{
    struct tracing t = {.folder = folder};
    if (!folder) {
        const bool is_old = access("/sys/kernel/tracing/events", F_OK) != 0;
        t.is_here = true;
        t.folder = is_old ? "/sys/kernel/debug/tracing" : "/sys/kernel/tracing";
    }
    struct tt_status status = tracing_put_all(&t);
    if (!tt_failed(&status)) {
        status = tt_map_of_own(0, map);
    }
    if (!tt_failed(&status)) {
        status = tt_map_append(*map, (const uint8_t *)t.bytes, t.used);
        if (tt_failed(&status)) {
            tt_map_close(*map);
        }
    }
    free(t.bytes);
    return status;
}

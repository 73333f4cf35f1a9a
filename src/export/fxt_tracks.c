/* SPDX-License-Identifier: Apache-2.0 */
#include "export/fxt_tracks.h"

#include <stdlib.h>
#include <string.h>

#include "tracetui/text.h"

#define KOID_LIMIT      (UINT64_C(1) << 32)
#define OBJECT_PROCESS  1u
#define OBJECT_THREAD   2u
#define REFS_MAX        255u
#define ADDED_PROCESSES 2u         /* of the CPUs, and of the capture's own track */
#define TID_DECIMAL_MAX UINT16_MAX /* larger tids are addresses */
#define NAME_BYTES      64u

/* ---- koids -------------------------------------------------------------------------------- */

static uint64_t tid_of(const struct tt_capture *capture, uint32_t thread)
{
    return tt_thread_at(capture, thread)->tid;
}

static uint64_t fxt_tracks_pid_of(const struct tt_capture *capture, uint32_t process)
{
    return tt_process_at(capture, process)->pid;
}

static int fxt_tracks_compare_ids(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Returns whether all ids are koids already: unique, below 2^32 and not 0; *last is the largest. */
static bool ids_are_koids(uint64_t *ids, size_t count, uint64_t *last)
{
    *last = 0;
    if (count == 0) {
        return true;
    }
    qsort(ids, count, sizeof *ids, fxt_tracks_compare_ids);
    for (size_t i = 1; i < count; i++) {
        if (ids[i] == ids[i - 1]) {
            return false;
        }
    }
    *last = ids[count - 1];
    return ids[0] != 0 && ids[count - 1] < KOID_LIMIT;
}

static bool pid_is_koid(const struct tt_capture *capture, uint32_t process)
{
    uint64_t pid = fxt_tracks_pid_of(capture, process);
    return pid != 0 && pid < KOID_LIMIT / 2 && !tt_process_at(capture, process)->shares_pid;
}

/* Returns the largest pid that is kept. */
static uint64_t last_kept_pid(const struct tt_fxt_tracks *tracks)
{
    uint64_t last = 0;
    for (uint32_t i = 0; i < tracks->processes; i++) {
        uint64_t pid = fxt_tracks_pid_of(tracks->capture, i);
        last = pid_is_koid(tracks->capture, i) && pid > last ? pid : last;
    }
    return last;
}

/* Sets the koids of processes and threads; returns the first koid that is free. */
static uint64_t number_koids(struct tt_fxt_tracks *tracks, uint64_t free)
{
    const struct tt_capture *capture = tracks->capture;
    for (uint32_t i = 0; i < tracks->processes; i++) {
        bool keep = tracks->kept || pid_is_koid(capture, i);
        tracks->process_koids[i] = (uint32_t)(keep ? fxt_tracks_pid_of(capture, i) : free++);
    }
    for (uint32_t i = 0; i < tracks->threads; i++) {
        tracks->koids[i] = (uint32_t)(tracks->kept ? tid_of(capture, i) : free++);
    }
    return free;
}

/* Returns the tracks that the export adds. */
static uint32_t added_tracks(const struct tt_fxt_tracks *tracks)
{
    return 2 * tracks->cpus + 1;
}

static struct tt_status set_koids(struct tt_fxt_tracks *tracks, uint64_t *ids)
{
    const struct tt_capture *capture = tracks->capture;
    size_t count = 0;
    uint64_t last;
    for (uint32_t i = 0; i < tracks->threads; i++) {
        ids[count++] = tid_of(capture, i);
    }
    for (uint32_t i = 0; i < tracks->processes; i++) {
        ids[count++] = fxt_tracks_pid_of(capture, i);
    }
    uint64_t room = count + added_tracks(tracks) + ADDED_PROCESSES;
    tracks->kept = ids_are_koids(ids, count, &last) && last + room < KOID_LIMIT;
    uint64_t free = (tracks->kept ? last : last_kept_pid(tracks)) + 1;
    if (free + room >= KOID_LIMIT) {
        return tt_error(TT_ERR_USAGE, "too many threads for ids of 32 bits");
    }
    free = number_koids(tracks, free);
    for (uint32_t i = 0; i < added_tracks(tracks); i++) {
        tracks->koids[tracks->threads + i] = (uint32_t)free++;
    }
    for (uint32_t i = 0; i < ADDED_PROCESSES; i++) {
        tracks->process_koids[tracks->processes + i] = (uint32_t)free++;
    }
    tracks->free_koid = (uint32_t)free;
    return tt_ok();
}

struct tt_status tt_fxt_tracks_make(struct tt_fxt_tracks *tracks, const struct tt_capture *capture,
                                    uint32_t cpus)
{
    memset(tracks, 0, sizeof *tracks);
    tracks->capture = capture;
    tracks->threads = tt_thread_count(capture);
    tracks->processes = tt_process_count(capture);
    tracks->cpus = cpus;
    size_t count = (size_t)tracks->threads + added_tracks(tracks);
    size_t processes = (size_t)tracks->processes + ADDED_PROCESSES;
    uint64_t *ids = calloc(count + processes, sizeof *ids);
    tracks->koids = calloc(count, sizeof *tracks->koids);
    tracks->process_koids = calloc(processes, sizeof *tracks->process_koids);
    tracks->refs = calloc(count, sizeof *tracks->refs);
    struct tt_status status = ids && tracks->koids && tracks->process_koids && tracks->refs
                                  ? set_koids(tracks, ids)
                                  : tt_error_memory();
    free(ids);
    if (tt_failed(&status)) {
        tt_fxt_tracks_free(tracks);
    }
    return status;
}

void tt_fxt_tracks_free(struct tt_fxt_tracks *tracks)
{
    free(tracks->koids);
    free(tracks->process_koids);
    free(tracks->refs);
    memset(tracks, 0, sizeof *tracks);
}

uint32_t tt_fxt_track_process(const struct tt_fxt_tracks *tracks, uint32_t track)
{
    if (track < tracks->threads) {
        uint32_t process = tt_thread_at(tracks->capture, track)->process;
        return tracks->process_koids[process < tracks->processes ? process : 0];
    }
    bool of_capture = track == tt_fxt_track_of_capture(tracks);
    return tracks->process_koids[tracks->processes + of_capture];
}

/* ---- records ------------------------------------------------------------------------------ */

static struct tt_fxt_text_ref fxt_tracks_text_of(struct tt_fxt_writer *writer,
                                                 const struct tt_capture *capture, tt_string name)
{
    size_t length;
    const char *bytes = tt_capture_text(capture, name, &length);
    return tt_fxt_writer_text(writer, bytes, length);
}

/*
 * Returns the name of a thread. One without a name whose tid is not kept is named after its tid, in
 * `buffer`, which the name may refer to.
 */
static struct tt_fxt_text_ref name_of_thread(const struct tt_fxt_tracks *tracks,
                                             struct tt_fxt_writer *writer, uint32_t thread,
                                             char buffer[NAME_BYTES])
{
    const struct tt_thread *t = tt_thread_at(tracks->capture, thread);
    struct tt_text text = tt_text_of(buffer, NAME_BYTES);
    if (t->name != 0 || tracks->kept) {
        return fxt_tracks_text_of(writer, tracks->capture, t->name);
    }
    if (t->tid <= TID_DECIMAL_MAX) {
        tt_text_str(&text, "thread ");
        tt_text_u64(&text, t->tid);
    } else {
        tt_text_str(&text, "thread 0x");
        tt_text_hex(&text, t->tid, 1);
    }
    return tt_fxt_writer_text(writer, buffer, text.used);
}

/* Returns the name of an added track; it may refer to `buffer`. */
static struct tt_fxt_text_ref name_of_track(struct tt_fxt_writer *writer, const char *what,
                                            uint32_t cpu, char buffer[NAME_BYTES])
{
    struct tt_text text = tt_text_of(buffer, NAME_BYTES);
    tt_text_str(&text, what);
    tt_text_u64(&text, cpu);
    return tt_fxt_writer_text(writer, buffer, text.used);
}

static struct tt_fxt_text_ref fxt_tracks_constant(struct tt_fxt_writer *writer, const char *text)
{
    return tt_fxt_writer_text(writer, text, strlen(text));
}

static bool has_idle_threads(const struct tt_fxt_tracks *tracks)
{
    for (uint32_t i = 0; i < tracks->threads; i++) {
        if (tt_thread_at(tracks->capture, i)->idle) {
            return true;
        }
    }
    return false;
}

void tt_fxt_tracks_write(const struct tt_fxt_tracks *tracks, struct tt_fxt_writer *writer)
{
    writer->process_text = fxt_tracks_constant(writer, "process");
    char buffer[NAME_BYTES];
    for (uint32_t i = 0; i < tracks->processes; i++) {
        tt_string name = tt_process_at(tracks->capture, i)->name;
        tt_fxt_writer_object(writer, (struct tt_fxt_ids){tracks->process_koids[i], 0},
                             fxt_tracks_text_of(writer, tracks->capture, name));
    }
    for (uint32_t i = 0; i < tracks->threads; i++) {
        tt_fxt_writer_object(writer, tt_fxt_track_ids(tracks, i),
                             name_of_thread(tracks, writer, i, buffer));
    }

    const uint32_t *added = tracks->process_koids + tracks->processes;
    bool has_idle = has_idle_threads(tracks);

    tt_fxt_writer_object(writer, (struct tt_fxt_ids){added[0], 0},
                         fxt_tracks_constant(writer, "CPUs"));
    tt_fxt_writer_object(writer, (struct tt_fxt_ids){added[1], 0},
                         fxt_tracks_constant(writer, "tracetui"));
    for (uint32_t cpu = 0; cpu < tracks->cpus; cpu++) {
        tt_fxt_writer_object(writer, tt_fxt_track_ids(tracks, tt_fxt_track_of_cpu(tracks, cpu)),
                             name_of_track(writer, "CPU ", cpu, buffer));
        if (!has_idle) {
            tt_fxt_writer_object(writer,
                                 tt_fxt_track_ids(tracks, tt_fxt_track_of_idle(tracks, cpu)),
                                 name_of_track(writer, "idle ", cpu, buffer));
        }
    }
    tt_fxt_writer_object(writer, tt_fxt_track_ids(tracks, tt_fxt_track_of_capture(tracks)),
                         fxt_tracks_constant(writer, "capture"));
}

uint8_t tt_fxt_track_ref(struct tt_fxt_tracks *tracks, struct tt_fxt_writer *writer, uint32_t track)
{
    if (tracks->refs[track] == 0 && tracks->refs_used < REFS_MAX) {
        tracks->refs[track] = (uint8_t)++tracks->refs_used;
        tt_fxt_writer_begin(writer, TT_FXT_RECORD_THREAD, (uint64_t)tracks->refs[track] << 16);
        tt_fxt_writer_word(writer, tt_fxt_track_process(tracks, track));
        tt_fxt_writer_word(writer, tracks->koids[track]);
        tt_fxt_writer_end(writer);
    }
    return tracks->refs[track];
}

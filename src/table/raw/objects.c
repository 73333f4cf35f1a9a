/* SPDX-License-Identifier: Apache-2.0 */
/* objects: objects that threads wait for, the waits, and the releases, object by object. */
#include "tracetui/objects.h"

#include "analysis/messages/message_walk.h"
#include "table/raw/bounds.h"
#include "tracetui/timeline.h"

struct object_rows {
    bool reads;
    uint64_t next, end;
    uint32_t object; /* the current one */
    struct tt_object_reader reader;
    struct tt_object_step step;
    uint64_t step_number; /* of the object */
};

static bool begin_objects(struct tt_table_run *run)
{
    struct object_rows *rows = run->state;
    uint64_t count = tt_object_count(run->timelines);
    bool one = run->bounds.object != UINT32_MAX;
    uint64_t last = one ? run->bounds.object : run->bounds.id_last;
    rows->next = one ? last : run->bounds.id_from;
    rows->end = count <= last ? count : last + 1;
    return true;
}

static bool next_of_objects(struct object_rows *rows)
{
    rows->object = (uint32_t)rows->next;
    return rows->next++ < rows->end;
}

/* ---- objects ------------------------------------------------------------------------------ */

struct object_row {
    struct tt_object object;
    uint64_t number; /* TT_TABLE_NONE: not recorded */
    const char *kind;
};

static enum tt_made next_object(struct tt_table_run *run, void *room)
{
    struct object_rows *rows = run->state;
    struct object_row *row = room;
    if (!next_of_objects(rows)) {
        return TT_MADE_ALL;
    }
    row->object = tt_object_at(run->timelines, rows->object);
    row->number = row->object.id != TT_NO_OBJECT_ID ? row->object.id : TT_TABLE_NONE;
    row->kind = tt_object_kind_name(row->object.kind);
    return TT_MADE_PART;
}

static uint64_t object_number(const struct tt_table_run *run)
{
    const struct object_rows *rows = run->state;
    return rows->object;
}

static TT_CELL_FUNCTION(object_name)
{
    size_t length;
    const char *name =
        tt_object_name(run->capture, &((const struct object_row *)row)->object, &length);
    (void)column;
    if (name) {
        cell->kind = TT_CELL_TEXT;
        tt_text_escaped(&cell->text, name, length);
    }
}

#define ROW struct object_row

/* clang-format off */
static const struct tt_table_column object_columns[] = {
    RAW_ID("object_id", "Key.", .bound = TT_BOUND_ID),
    RAW("kind", TEXT, kind, "`mutex`, `semaphore`, `queue`, ...", .is_lasting = true),
    RAW("number", COUNT, number, "Address or other number, or null.", .is_identity = true),
    RAW_MADE("name", NAME, object_name, "Its name, or null."),
    RAW("upid", KEY, object.process, "Process to which its number belongs, or null."),
};
/* clang-format on */

const struct tt_table tt_table_object_rows = {
    NAMES("objects", "Objects",
          "Locks, semaphores, queues and other objects that threads wait for.", "[kind] [number]"),
    COLUMNS(object_columns),
    .begin = begin_objects,
    .next = next_object,
    .number = object_number,
    OF_RAW_ROWS(struct object_row, struct object_rows),
};

/* ---- waits and releases ------------------------------------------------------------------- */

struct wait_row {
    uint64_t time;
    uint64_t end;    /* TT_TABLE_NONE: not recorded */
    uint64_t length; /* TT_TABLE_NONE: begin or end is not recorded */
    uint64_t since_before;
    const char *state;
    uint32_t object, thread;
};

/* Moves to the next step of an object: a release, or the begin of a wait. */
static bool next_step(const struct tt_table_run *run, bool release)
{
    struct object_rows *rows = run->state;
    for (;;) {
        while (rows->reads && tt_object_read(&rows->reader, &rows->step)) {
            rows->step_number++;
            if (rows->step.time > run->bounds.last) {
                break;
            }
            if (rows->step.is_release == release && tt_raw_wants_thread(run, rows->step.thread)) {
                return true;
            }
        }
        rows->reads = next_of_objects(rows);
        if (!rows->reads || tt_raw_is_stopped(run)) {
            return false;
        }
        tt_object_read_from(&rows->reader, run->timelines, rows->object, run->bounds.from);
        rows->step_number = tt_object_read_index(&rows->reader) - 1;
    }
}

static uint64_t step_number(const struct tt_table_run *run)
{
    const struct object_rows *rows = run->state;
    return tt_raw_number(rows->object, rows->step_number);
}

static enum tt_made next_wait(struct tt_table_run *run, void *room)
{
    const struct object_rows *rows = run->state;
    while (next_step(run, false)) {
        struct tt_interval wait = {.start = rows->step.time};
        bool ended = false;
        if (!tt_object_wait_of(run->timelines, &rows->step, &wait, &ended)) {
            continue;
        }
        bool known = ended && !wait.since_before;
        *(struct wait_row *)room =
            (struct wait_row){.time = rows->step.time,
                              .end = ended ? wait.end : TT_TABLE_NONE,
                              .length = known ? wait.end - wait.start : TT_TABLE_NONE,
                              .since_before = wait.since_before,
                              .state = tt_raw_state(run->capture, wait.state),
                              .object = rows->object,
                              .thread = rows->step.thread};
        return TT_MADE_PART;
    }
    return TT_MADE_ALL;
}

static enum tt_made next_release(struct tt_table_run *run, void *room)
{
    const struct object_rows *rows = run->state;
    if (!next_step(run, true)) {
        return TT_MADE_ALL;
    }
    *(struct wait_row *)room = (struct wait_row){
        .time = rows->step.time, .object = rows->object, .thread = rows->step.thread};
    return TT_MADE_PART;
}

#undef ROW
#define ROW struct wait_row

/* clang-format off */
static const struct tt_table_column wait_columns[] = {
    RAW("object_id", KEY, object, "Object: key of `objects`.", .bound = TT_BOUND_OBJECT),
    RAW("utid", KEY, thread, "Thread that waits: key of `threads`.", .bound = TT_BOUND_THREAD),
    RAW("ts", AT, time, "When it began.", .bound = TT_BOUND_TIME),
    RAW("end", AT, end, "When it ended; null: not recorded.", .is_ticks = true),
    RAW("dur", TIME_US, length, "Time from its begin to its end; null: one of them is not recorded."),
    RAW("state", TEXT, state, "The format's state: `MUTEX`.", .is_lasting = true),
    RAW("since_before", FLAG, since_before, "1: its true begin is not recorded."),
    RAW("thread", LANE_NAME, thread, "Process, number and name of the thread."),
};

static const struct tt_table_column release_columns[] = {
    RAW("object_id", KEY, object, "Object: key of `objects`.", .bound = TT_BOUND_OBJECT),
    RAW("utid", KEY, thread, "Thread that releases it.", .bound = TT_BOUND_THREAD),
    RAW("ts", AT, time, "When it is released.", .bound = TT_BOUND_TIME),
    RAW("thread", LANE_NAME, thread, "Process, number and name of the thread."),
};
/* clang-format on */

const struct tt_table tt_table_wait_rows = {
    NAMES("lock_waits", "Waits for objects",
          "Waits of threads for objects, object by object in order of time.", "[thread]"),
    COLUMNS(wait_columns),
    .begin = begin_objects,
    .next = next_wait,
    .number = step_number,
    OF_RAW_ROWS(struct wait_row, struct object_rows),
};

const struct tt_table tt_table_release_rows = {
    NAMES("lock_releases", "Releases of objects",
          "Releases of objects for which threads wait, object by object in order of time.",
          "[thread]"),
    COLUMNS(release_columns),
    .begin = begin_objects,
    .next = next_release,
    .number = step_number,
    OF_RAW_ROWS(struct wait_row, struct object_rows),
};

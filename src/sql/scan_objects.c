/* SPDX-License-Identifier: Apache-2.0 */
/* scan_objects: the tables objects, lock_waits and lock_releases. */
#include <string.h>

#include "sql/tables.h"
#include "tracetui/message_walk.h"
#include "tracetui/objects.h"

static void put_ticks(struct sql_value *v, uint64_t ticks)
{
    if (ticks != TT_NO_TIME) {
        sql_put_u64(v, ticks);
    }
}

static void put_length(struct sql_scan *scan, struct sql_value *v, uint64_t ticks)
{
    if (ticks != TT_NO_TIME) {
        sql_put_ns(scan, v, ticks);
    }
}

/* ---- objects -------------------------------------------------------------------------------- */

#define OBJECT_COLUMNS(X)                                                                          \
    X(OBJECT_ID, "object_id", SQL_KEY, SQL_BY_ID, "key")                                           \
    X(OBJECT_KIND, "kind", SQL_TEXT, SQL_UNBOUND, "`mutex`, `semaphore`, `queue`, ...")            \
    X(OBJECT_NUMBER, "number", SQL_NUMBER, SQL_UNBOUND, "address or other number, or null")        \
    X(OBJECT_NAME, "name", SQL_TEXT, SQL_UNBOUND, "its name, or null")                             \
    X(OBJECT_UPID, "upid", SQL_KEY, SQL_UNBOUND, "process to which its number belongs, or null")   \
    X(OBJECT_CAPTURE, "capture", SQL_TEXT, SQL_BY_CAPTURE, "name of the capture")

enum { OBJECT_COLUMNS(SQL_COLUMN_ENUM) OBJECT_COLUMN_COUNT };
static const struct sql_column object_columns[] = {OBJECT_COLUMNS(SQL_COLUMN_ROW)};

struct objects {
    uint64_t next, end;
    uint32_t object;
    bool reads;
    struct tt_object_reader reader;
    struct tt_object_step step;
    uint64_t step_number; /* of the object */
    struct tt_interval wait;
    bool ended;
};

static bool begin_objects(struct sql_scan *scan)
{
    struct objects *s = scan->state;
    uint64_t count = scan->c->timelines ? tt_object_count(scan->c->timelines) : 0;
    uint64_t last = scan->bounds.object != UINT32_MAX ? scan->bounds.object : scan->bounds.id_last;
    s->next = scan->bounds.object != UINT32_MAX ? last : scan->bounds.id_from;
    s->end = count <= last ? count : last + 1;
    return true;
}

static bool next_object(struct sql_scan *scan)
{
    struct objects *s = scan->state;
    s->object = (uint32_t)s->next;
    return s->next++ < s->end;
}

static uint64_t object_row(struct sql_scan *scan)
{
    const struct objects *s = scan->state;
    return s->object;
}

static void write_name(struct tt_text *text, const void *arg)
{
    const struct sql_label *label = arg;
    tt_text_escaped(text, label->text, label->length);
}

static void object_value(struct sql_scan *scan, unsigned column, struct sql_value *v)
{
    const struct objects *s = scan->state;
    struct tt_object object = tt_object_at(scan->c->timelines, s->object);
    struct sql_label name;
    switch (column) {
    case OBJECT_ID:
        sql_put_key(scan, v, s->object);
        break;
    case OBJECT_KIND:
        sql_put_cstr(v, tt_object_kind_name(object.kind));
        break;
    case OBJECT_NUMBER:
        if (object.id != TT_NO_OBJECT_ID) {
            sql_put_u64(v, object.id);
        }
        break;
    case OBJECT_NAME:
        name.text = tt_object_name(scan->c->capture, &object, &name.length);
        if (name.text) {
            sql_put_written(scan, v, write_name, &name);
        }
        break;
    case OBJECT_UPID:
        sql_put_key(scan, v, object.process);
        break;
    default:
        sql_put_capture(scan, v);
    }
}

const struct sql_table sql_table_objects = {
    .name = "objects",
    .group = "IPC and locks",
    .doc = "Locks, semaphores, queues and other objects that threads wait for.",
    .columns = object_columns,
    .column_count = OBJECT_COLUMN_COUNT,
    .state_size = sizeof(struct objects),
    .size = SQL_THREADS,
    .has_rows_by_id = true,
    .begin = begin_objects,
    .next = next_object,
    .row = object_row,
    .value = object_value,
};

/* Moves to the next step of an object: a release, or the begin of a wait. */
static bool next_step(struct sql_scan *scan, bool release)
{
    struct objects *s = scan->state;
    for (;;) {
        while (s->reads && tt_object_read(&s->reader, &s->step)) {
            s->step_number++;
            if (s->step.time > scan->bounds.last) {
                break;
            }
            if (s->step.is_release == release && sql_wants_thread(scan, s->step.thread)) {
                return true;
            }
        }
        s->reads = next_object(scan);
        if (!s->reads || !sql_check(scan)) {
            return false;
        }
        tt_object_read_from(&s->reader, scan->c->timelines, s->object, scan->bounds.from);
        s->step_number = tt_object_read_index(&s->reader) - 1;
    }
}

static uint64_t step_row(struct sql_scan *scan)
{
    const struct objects *s = scan->state;
    return sql_rows_before(scan, SQL_LANES_OBJECTS, s->object) + s->step_number;
}

/* ---- waits ---------------------------------------------------------------------------------- */

#define WAIT_COLUMNS(X)                                                                            \
    X(WAIT_OBJECT, "object_id", SQL_KEY, SQL_BY_OBJECT, "object: key of `objects`")                \
    X(WAIT_UTID, "utid", SQL_KEY, SQL_BY_THREAD, "thread that waits: key of `threads`")            \
    X(WAIT_NS, "ts_ns", SQL_NS, SQL_BY_NS, "begin")                                                \
    X(WAIT_TICKS, "ts_ticks", SQL_TICKS, SQL_BY_TICKS, "begin in ticks")                           \
    X(WAIT_END, "end_ticks", SQL_TICKS, SQL_UNBOUND, "end; null: not recorded")                    \
    X(WAIT_DUR_NS, "dur_ns", SQL_NS, SQL_UNBOUND, "length; null: begin or end is not recorded")    \
    X(WAIT_DUR, "dur_ticks", SQL_TICKS, SQL_UNBOUND, "the same in ticks")                          \
    X(WAIT_STATE, "state", SQL_TEXT, SQL_UNBOUND, "the format's state: `MUTEX`")                   \
    X(WAIT_BEFORE, "since_before", SQL_FLAG, SQL_UNBOUND, "1: its true begin is not recorded")     \
    X(WAIT_THREAD, "thread", SQL_TEXT, SQL_UNBOUND, "name of the thread")                          \
    X(WAIT_CAPTURE, "capture", SQL_TEXT, SQL_BY_CAPTURE, "name of the capture")

enum { WAIT_COLUMNS(SQL_COLUMN_ENUM) WAIT_COLUMN_COUNT };
static const struct sql_column wait_columns[] = {WAIT_COLUMNS(SQL_COLUMN_ROW)};

static bool next_wait(struct sql_scan *scan)
{
    struct objects *s = scan->state;
    while (next_step(scan, false)) {
        s->wait = (struct tt_interval){.start = s->step.time};
        s->ended = false;
        if (tt_object_wait_of(scan->c->timelines, &s->step, &s->wait, &s->ended)) {
            return true;
        }
    }
    return false;
}

static void wait_value(struct sql_scan *scan, unsigned column, struct sql_value *v)
{
    const struct objects *s = scan->state;
    bool known = s->ended && !s->wait.since_before;
    switch (column) {
    case WAIT_OBJECT:
        sql_put_key(scan, v, s->object);
        break;
    case WAIT_UTID:
        sql_put_key(scan, v, s->step.thread);
        break;
    case WAIT_NS:
        sql_put_ns(scan, v, s->step.time);
        break;
    case WAIT_TICKS:
        sql_put_u64(v, s->step.time);
        break;
    case WAIT_END:
        put_ticks(v, s->ended ? s->wait.end : TT_NO_TIME);
        break;
    case WAIT_DUR_NS:
        put_length(scan, v, known ? s->wait.end - s->wait.start : TT_NO_TIME);
        break;
    case WAIT_DUR:
        put_ticks(v, known ? s->wait.end - s->wait.start : TT_NO_TIME);
        break;
    case WAIT_STATE:
        sql_put_state(scan, v, s->wait.state);
        break;
    case WAIT_BEFORE:
        sql_put_u64(v, s->wait.since_before);
        break;
    case WAIT_THREAD:
        sql_put_thread_name(scan, v, s->step.thread);
        break;
    default:
        sql_put_capture(scan, v);
    }
}

const struct sql_table sql_table_lock_waits = {
    .name = "lock_waits",
    .group = "IPC and locks",
    .doc = "Waits of threads for objects, object by object in order of time.",
    .columns = wait_columns,
    .column_count = WAIT_COLUMN_COUNT,
    .state_size = sizeof(struct objects),
    .size = SQL_MANY,
    .begin = begin_objects,
    .next = next_wait,
    .row = step_row,
    .value = wait_value,
};

/* ---- releases ------------------------------------------------------------------------------- */

#define RELEASE_COLUMNS(X)                                                                         \
    X(RELEASE_OBJECT, "object_id", SQL_KEY, SQL_BY_OBJECT, "object: key of `objects`")             \
    X(RELEASE_UTID, "utid", SQL_KEY, SQL_BY_THREAD, "thread that releases it")                     \
    X(RELEASE_NS, "ts_ns", SQL_NS, SQL_BY_NS, "time")                                              \
    X(RELEASE_TICKS, "ts_ticks", SQL_TICKS, SQL_BY_TICKS, "the same time in ticks")                \
    X(RELEASE_THREAD, "thread", SQL_TEXT, SQL_UNBOUND, "name of the thread")                       \
    X(RELEASE_CAPTURE, "capture", SQL_TEXT, SQL_BY_CAPTURE, "name of the capture")

enum { RELEASE_COLUMNS(SQL_COLUMN_ENUM) RELEASE_COLUMN_COUNT };
static const struct sql_column release_columns[] = {RELEASE_COLUMNS(SQL_COLUMN_ROW)};

static bool next_release(struct sql_scan *scan)
{
    return next_step(scan, true);
}

static void release_value(struct sql_scan *scan, unsigned column, struct sql_value *v)
{
    static const unsigned same_as[] = {
        [RELEASE_OBJECT] = WAIT_OBJECT, [RELEASE_UTID] = WAIT_UTID,
        [RELEASE_NS] = WAIT_NS,         [RELEASE_TICKS] = WAIT_TICKS,
        [RELEASE_THREAD] = WAIT_THREAD, [RELEASE_CAPTURE] = WAIT_CAPTURE};
    wait_value(scan, same_as[column], v);
}

const struct sql_table sql_table_lock_releases = {
    .name = "lock_releases",
    .group = "IPC and locks",
    .doc = "Releases of objects for which threads wait, object by object in order of time.",
    .columns = release_columns,
    .column_count = RELEASE_COLUMN_COUNT,
    .state_size = sizeof(struct objects),
    .size = SQL_MANY,
    .begin = begin_objects,
    .next = next_release,
    .row = step_row,
    .value = release_value,
};

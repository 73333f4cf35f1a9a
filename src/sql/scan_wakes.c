/* SPDX-License-Identifier: Apache-2.0 */
/* scan_wakes: the table wakes. */
#include "sql/tables.h"
#include "tracetui/jobs.h"
#include "tracetui/messages.h"
#include "tracetui/wakes.h"

/* Returns the next thread that is counted and within the bounds. */
static uint32_t next_counted(const struct sql_scan *scan, uint32_t thread, uint32_t threads)
{
    do {
        thread = sql_next_thread(scan, thread + 1);
    } while (thread < threads && !tt_thread_is_counted(tt_thread_at(scan->c->capture, thread)));
    return thread;
}

/* ---- wakes ---------------------------------------------------------------------------------- */

#define WAKE_COLUMNS(X)                                                                            \
    X(WAKE_UTID, "utid", SQL_KEY, SQL_BY_THREAD, "thread that is made ready: key of `threads`")    \
    X(WAKE_NS, "ts_ns", SQL_NS, SQL_BY_NS, "time")                                                 \
    X(WAKE_TICKS, "ts_ticks", SQL_TICKS, SQL_BY_TICKS, "the same time in ticks")                   \
    X(WAKE_BY, "by", SQL_TEXT, SQL_UNBOUND, "`thread`, `interrupt` or `unknown`")                  \
    X(WAKE_WAKER, "waker_utid", SQL_KEY, SQL_UNBOUND, "waker: key of `threads`, or null")          \
    X(WAKE_KIND, "kind", SQL_TEXT, SQL_UNBOUND, "how: `reply`, `unlock`, `timer`, ...; or null")   \
    X(WAKE_VECTOR, "vector", SQL_NUMBER, SQL_UNBOUND, "number of the interrupt, or null")          \
    X(WAKE_OBJECT, "object", SQL_NUMBER, SQL_UNBOUND, "address or connection of the call")         \
    X(WAKE_CPU, "cpu", SQL_NUMBER, SQL_UNBOUND, "CPU on which it is recorded, or null")            \
    X(WAKE_STATE, "state", SQL_TEXT, SQL_UNBOUND, "state that it ends")                            \
    X(WAKE_BLOCKED_NS, "blocked_ns", SQL_NS, SQL_UNBOUND, "from the begin of that state")          \
    X(WAKE_BLOCKED, "blocked_ticks", SQL_TICKS, SQL_UNBOUND, "the same in ticks")                  \
    X(WAKE_CAPTURE, "capture", SQL_TEXT, SQL_BY_CAPTURE, "name of the capture")

enum { WAKE_COLUMNS(SQL_COLUMN_ENUM) WAKE_COLUMN_COUNT };
static const struct sql_column wake_columns[] = {WAKE_COLUMNS(SQL_COLUMN_ROW)};

struct wakes {
    uint32_t thread, threads;
    bool more;
    struct tt_interval_at at;
    struct tt_interval blocked;
    uint64_t at_ticks; /* of the wake */
    struct tt_wakes *wakes;
    struct tt_wake wake;
    bool found;
};

static bool begin_wakes(struct sql_scan *scan)
{
    struct wakes *s = scan->state;
    s->threads = scan->c->timelines ? tt_thread_count(scan->c->capture) : 0;
    s->thread = UINT32_MAX;
    s->wakes = s->threads > 0 ? sql_wakes(scan->c) : NULL;
    return s->threads == 0 || s->wakes || sql_fail(scan, tt_error_memory());
}

/* Returns the time of the wake: the end of the interval or, if it was a wait for it, the answer's. */
static uint64_t wake_time(const struct sql_scan *scan, const struct tt_interval *i)
{
    struct tt_message m;
    bool waits = tt_waits_for_answer(scan->c->timelines, scan->c->capture, i, &m);
    return waits && m.end != TT_NO_TIME ? m.end : i->end;
}

/* Returns whether the interval ends in a wake within the bounds; `next`: position of the one after it. */
static bool ends_in_wake(struct sql_scan *scan, const struct tt_interval *i,
                         struct tt_interval_at next)
{
    struct wakes *s = scan->state;
    unsigned class_ = i->open ? TT_CLASS_UNKNOWN : tt_interval_get(scan->c->timelines, next).class_;
    if ((class_ != TT_CLASS_READY && class_ != TT_CLASS_RUNNING) || i->end < scan->bounds.from ||
        !tt_ends_in_wake(scan->c->timelines, scan->c->capture, i)) {
        return false;
    }
    s->at_ticks = wake_time(scan, i);
    return s->at_ticks >= scan->bounds.from && s->at_ticks <= scan->bounds.last;
}

static bool next_wake(struct sql_scan *scan)
{
    struct wakes *s = scan->state;
    const struct tt_timelines *t = scan->c->timelines;
    for (;;) {
        while (s->more) {
            s->blocked = tt_interval_get(t, s->at);
            bool has_next = tt_interval_next(t, &s->at);
            s->more = has_next && s->blocked.start <= scan->bounds.last;
            if (has_next && ends_in_wake(scan, &s->blocked, s->at)) {
                s->found = false;
                return true;
            }
        }
        if (s->thread == s->threads || !sql_check(scan)) {
            return false;
        }
        s->thread = next_counted(scan, s->thread, s->threads);
        if (s->thread >= s->threads) {
            s->thread = s->threads;
            return false;
        }
        uint64_t from = scan->bounds.from > 0 ? scan->bounds.from - 1 : 0;
        s->more =
            tt_interval_find(t, s->thread, from, &s->at) || tt_interval_first(t, s->thread, &s->at);
    }
}

/* The number of the interval that begins with the wake, which exists. */
static uint64_t wake_row(struct sql_scan *scan)
{
    const struct wakes *s = scan->state;
    return sql_rows_before(scan, SQL_LANES_THREADS, s->thread) +
           tt_interval_index(scan->c->timelines, s->at);
}

static const struct tt_wake *wake_of(struct wakes *s)
{
    if (!s->found) {
        tt_wake_find(s->wakes, &s->blocked, &s->wake);
        s->found = true;
    }
    return &s->wake;
}

static void put_found(struct sql_scan *scan, unsigned column, struct sql_value *v)
{
    static const char *const words[] = {[TT_WAKER_UNKNOWN] = "unknown",
                                        [TT_WAKER_THREAD] = "thread",
                                        [TT_WAKER_INTERRUPT] = "interrupt"};
    const struct tt_wake *wake = wake_of(scan->state);
    switch (column) {
    case WAKE_BY:
        sql_put_cstr(v, words[wake->by]);
        break;
    case WAKE_WAKER:
        sql_put_key(scan, v, wake->waker);
        break;
    case WAKE_KIND:
        sql_put_cstr(v, wake->kind == TT_WAKE_UNKNOWN ? NULL : tt_wake_kind_name(wake->kind));
        break;
    case WAKE_VECTOR:
        if (wake->vector != TT_NO_VECTOR) {
            sql_put_u64(v, wake->vector);
        }
        break;
    case WAKE_OBJECT:
        if (wake->object != 0) {
            sql_put_u64(v, wake->object);
        }
        break;
    default:
        sql_put_cpu(v, wake->cpu);
    }
}

static void wake_value(struct sql_scan *scan, unsigned column, struct sql_value *v)
{
    const struct wakes *s = scan->state;
    const struct tt_interval *blocked = &s->blocked;
    switch (column) {
    case WAKE_UTID:
        sql_put_key(scan, v, blocked->thread);
        break;
    case WAKE_NS:
        sql_put_ns(scan, v, s->at_ticks);
        break;
    case WAKE_TICKS:
        sql_put_u64(v, s->at_ticks);
        break;
    case WAKE_STATE:
        sql_put_state(scan, v, blocked->state);
        break;
    case WAKE_BLOCKED_NS:
        sql_put_ns(scan, v, s->at_ticks - blocked->start);
        break;
    case WAKE_BLOCKED:
        sql_put_u64(v, s->at_ticks - blocked->start);
        break;
    case WAKE_CAPTURE:
        sql_put_capture(scan, v);
        break;
    default:
        put_found(scan, column, v);
    }
}

const struct sql_table sql_table_wakes = {
    .name = "wakes",
    .group = "Scheduling",
    .doc =
        "Wakes: instants at which a thread that was blocked becomes ready or runs, and what woke "
        "it ([causes](causes.md)), thread by thread. The waker of each row is searched when a "
        "column with it is read.",
    .columns = wake_columns,
    .column_count = WAKE_COLUMN_COUNT,
    .state_size = sizeof(struct wakes),
    .size = SQL_SEARCHED,
    .by_thread = true,
    .begin = begin_wakes,
    .next = next_wake,
    .row = wake_row,
    .value = wake_value,
};

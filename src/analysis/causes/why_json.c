/* SPDX-License-Identifier: Apache-2.0 */
/* why_json: explanations and wakes as lines of JSON. */
#include <string.h>

#include "tracetui/event_line.h"
#include "tracetui/json.h"
#include "tracetui/time.h"
#include "tracetui/why_text.h"

static uint64_t ns_of(const struct tt_capture *c, uint64_t ticks)
{
    int64_t ns;
    return c->clock_hz != 0 && tt_ticks_to_ns(ticks, c->clock_hz, &ns) ? (uint64_t)ns : ticks;
}

/* Appends a key with the unit of times. */
static void key_time(struct tt_text *text, const struct tt_capture *c, const char *key,
                     uint64_t ticks)
{
    char name[32];
    struct tt_text whole = tt_text_of(name, sizeof name);
    tt_text_str(&whole, key);
    tt_text_str(&whole, c->clock_hz ? "_ns" : "_ticks");
    tt_json_key(text, tt_text_cstr(&whole));
    tt_json_u64(text, ns_of(c, ticks));
}

static void key_text(struct tt_text *text, const char *key, const char *value)
{
    tt_json_key(text, key);
    if (value) {
        tt_text_json(text, value, strlen(value));
    } else {
        tt_text_str(text, "null");
    }
}

static void key_number(struct tt_text *text, const char *key, bool is, uint64_t value)
{
    tt_json_key(text, key);
    if (is) {
        tt_json_u64(text, value);
    } else {
        tt_text_str(text, "null");
    }
}

/* Appends pid, tid and name of a thread under three keys. */
static void key_thread(struct tt_text *text, const struct tt_capture *c, uint32_t thread,
                       const char *pid, const char *tid, const char *name)
{
    bool is = thread < tt_thread_count(c);
    const struct tt_thread *t = is ? tt_thread_at(c, thread) : NULL;
    key_number(text, pid, is, is ? tt_process_at(c, t->process)->pid : 0);
    key_number(text, tid, is, is ? t->tid : 0);
    if (name && is) {
        tt_json_key(text, name);
        tt_json_thread(text, c, thread);
    } else if (name) {
        key_text(text, name, NULL);
    }
}

/* Returns what a piece is charged to, if that is no thread. */
static const char *charged_to(unsigned cause)
{
    switch (cause) {
    case TT_CAUSE_INTERRUPT:
        return "interrupt";
    case TT_CAUSE_TIMER:
        return "timer";
    case TT_CAUSE_KERNEL:
    case TT_CAUSE_HANDOVER:
        return "kernel";
    case TT_CAUSE_IDLE:
        return "idle";
    default:
        return NULL;
    }
}

static void key_by(struct tt_text *text, const struct tt_capture *c, uint32_t by, unsigned cause)
{
    const char *other = by == TT_NO_THREAD ? charged_to(cause) : NULL;
    key_thread(text, c, by, "by_pid", "by_tid", other ? NULL : "by");
    if (other) {
        key_text(text, "by", other);
    }
}

static void json_piece(struct tt_text *text, const struct tt_capture *c, const struct tt_piece *p)
{
    tt_text_char(text, '{');
    key_time(text, c, "from", p->from);
    key_time(text, c, "to", p->to);
    key_number(text, "depth", true, p->depth);
    key_thread(text, c, p->thread, "pid", "tid", "thread");
    key_text(text, "state", tt_why_state_name(c, p->state));
    key_text(text, "cause", tt_cause_name(p->cause));
    key_by(text, c, p->by, p->cause);
    key_number(text, "cpu", p->cpu != TT_NO_CPU, p->cpu);
    key_number(text, "vector", p->vector != TT_NO_VECTOR, p->vector);
    key_text(text, "kind", p->kind == TT_WAKE_UNKNOWN ? NULL : tt_wake_kind_name(p->kind));
    tt_text_char(text, '}');
}

static void json_late(struct tt_text *text, const struct tt_capture *c,
                      const struct tt_late_by *late)
{
    const char *other = late->by == TT_NO_THREAD ? charged_to(late->cause) : NULL;
    tt_text_char(text, '{');
    key_thread(text, c, late->by, "pid", "tid", other ? NULL : "by");
    if (other) {
        key_text(text, "by", other);
    }
    key_text(text, "cause", tt_cause_name(late->cause));
    tt_json_key(text, c->clock_hz ? "ns" : "ticks");
    tt_json_u64(text, ns_of(c, late->ticks));
    tt_text_char(text, '}');
}

void tt_why_json(struct tt_text *text, const struct tt_why_scene *s, const struct tt_explanation *e,
                 const char *what)
{
    const struct tt_capture *c = s->capture;
    bool first = true;
    tt_text_char(text, '{');
    key_thread(text, c, e->thread, "pid", "tid", "thread");
    key_text(text, "what", what);
    key_time(text, c, "from", e->from);
    key_time(text, c, "to", e->to);
    key_time(text, c, "dur", e->to - e->from);
    tt_json_key(text, "pieces");
    tt_text_char(text, '[');
    for (size_t i = 0; i < e->count; i++) {
        if (!(e->pieces[i].flags & TT_PIECE_WAIT)) {
            tt_text_str(text, first ? "" : ",");
            json_piece(text, c, &e->pieces[i]);
            first = false;
        }
    }
    tt_text_str(text, "],\"late_by\":[");
    for (size_t i = 0; i < e->late_count; i++) {
        tt_text_str(text, i > 0 ? "," : "");
        json_late(text, c, &e->late[i]);
    }
    tt_text_str(text, "]}\n");
}

void tt_why_json_wake(struct tt_text *text, const struct tt_why_scene *s,
                      const struct tt_wake *wake)
{
    const struct tt_capture *c = s->capture;
    static const char *const by[] = {[TT_WAKER_UNKNOWN] = "unknown",
                                     [TT_WAKER_THREAD] = "thread",
                                     [TT_WAKER_INTERRUPT] = "interrupt"};
    tt_text_char(text, '{');
    key_time(text, c, "at", wake->at);
    key_thread(text, c, wake->thread, "pid", "tid", "thread");
    key_text(text, "state", tt_why_state_name(c, wake->state));
    key_text(text, "by", by[wake->by]);
    key_thread(text, c, wake->waker, "by_pid", "by_tid", NULL);
    key_number(text, "cpu", wake->cpu != TT_NO_CPU, wake->cpu);
    key_number(text, "vector", wake->vector != TT_NO_VECTOR, wake->vector);
    key_text(text, "kind", wake->kind == TT_WAKE_UNKNOWN ? NULL : tt_wake_kind_name(wake->kind));
    key_number(text, "object", wake->object != 0, wake->object);
    tt_text_str(text, "}\n");
}

/* SPDX-License-Identifier: Apache-2.0 */
/* why_json: explanations and wakes as lines of JSON. */
#include <string.h>

#include "tracetui/event_line.h"
#include "tracetui/json.h"
#include "tracetui/line_parts.h"
#include "tracetui/why_text.h"

/* Returns the word for the cause that a piece without a thread is charged to. */
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
    tt_json_lane(text, c, by, "by_pid", "by_tid", other ? NULL : "by");
    if (other) {
        tt_json_text(text, "by", other);
    }
}

static void json_piece(struct tt_text *text, const struct tt_capture *c, const struct tt_piece *p)
{
    tt_text_char(text, '{');
    tt_json_time(text, c, "from", p->from);
    tt_json_time(text, c, "to", p->to);
    tt_json_number(text, "depth", true, p->depth);
    tt_json_lane(text, c, p->thread, "pid", "tid", "thread");
    tt_json_text(text, "state", tt_line_state(c, p->state));
    tt_json_text(text, "cause", tt_cause_name(p->cause));
    key_by(text, c, p->by, p->cause);
    tt_json_number(text, "cpu", p->cpu != TT_NO_CPU, p->cpu);
    tt_json_number(text, "vector", p->vector != TT_NO_VECTOR, p->vector);
    tt_json_text(text, "kind", p->kind == TT_WAKE_UNKNOWN ? NULL : tt_wake_kind_name(p->kind));
    tt_json_text(text, "part", tt_piece_part(p));
    tt_text_char(text, '}');
}

static void json_late(struct tt_text *text, const struct tt_capture *c,
                      const struct tt_late_by *late)
{
    const char *other = late->charge.by == TT_NO_THREAD ? charged_to(late->charge.cause) : NULL;
    tt_text_char(text, '{');
    tt_json_lane(text, c, late->charge.by, "pid", "tid", other ? NULL : "by");
    if (other) {
        tt_json_text(text, "by", other);
    }
    tt_json_text(text, "cause", tt_cause_name(late->charge.cause));
    tt_json_key(text, c->clock_hz ? "ns" : "ticks");
    tt_json_u64(text, tt_line_ns(c, late->ticks));
    tt_text_char(text, '}');
}

void tt_why_json(struct tt_text *text, const struct tt_why_scene *s, const struct tt_explanation *e,
                 const char *what)
{
    const struct tt_capture *c = s->capture;
    bool first = true;
    tt_text_char(text, '{');
    tt_json_lane(text, c, e->thread, "pid", "tid", "thread");
    tt_json_text(text, "what", what);
    tt_json_time(text, c, "from", e->from);
    tt_json_time(text, c, "to", e->to);
    tt_json_time(text, c, "dur", e->to - e->from);
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
    tt_json_time(text, c, "at", wake->at);
    tt_json_lane(text, c, wake->thread, "pid", "tid", "thread");
    tt_json_text(text, "state", tt_line_state(c, wake->state));
    tt_json_text(text, "by", by[wake->by]);
    tt_json_lane(text, c, wake->waker, "by_pid", "by_tid", NULL);
    tt_json_number(text, "cpu", wake->cpu != TT_NO_CPU, wake->cpu);
    tt_json_number(text, "vector", wake->vector != TT_NO_VECTOR, wake->vector);
    tt_json_text(text, "kind",
                 wake->kind == TT_WAKE_UNKNOWN ? NULL : tt_wake_kind_name(wake->kind));
    tt_json_number(text, "object", wake->object != 0, wake->object);
    tt_text_str(text, "}\n");
}

/* SPDX-License-Identifier: Apache-2.0 */
/* why_json: explanations and wakes as lines of JSON. */
#include <string.h>

#include "analysis/causes/why_text.h"
#include "trace/line_parts.h"
#include "tracetui/event_line.h"

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

/* Appends the thread that a piece is charged to, or the word for its cause. */
static void put_by(struct tt_fields *fields, const struct tt_capture *capture, uint32_t by,
                   unsigned cause, const char *pid, const char *tid)
{
    const char *other = by == TT_NO_THREAD ? charged_to(cause) : NULL;
    tt_field_lane(fields, capture, by, pid, tid, other ? NULL : "by");
    if (other) {
        tt_field_text(fields, "by", other);
    }
}

/* Appends what the other CPUs did while the thread was ready. */
static void why_json_put_elsewhere(struct tt_fields *fields, const struct tt_why_scene *scene,
                                   const struct tt_explanation *explanation)
{
    const struct tt_capture *capture = scene->capture;
    struct tt_elsewheres all;
    tt_explanation_elsewhere(scene->timelines, capture, explanation, &all);
    tt_field_time(fields, capture, "ready", all.ready);
    tt_field_open(fields, "elsewhere", '[');
    for (unsigned i = 0; i < all.count; i++) {
        const struct tt_elsewhere *there = &all.cpus[i];
        tt_field_open(fields, NULL, '{');
        tt_field_u64(fields, "cpu", there->cpu);
        tt_field_time(fields, capture, "idle", there->idle);
        tt_field_time(fields, capture, "lower", there->lower);
        tt_field_lane(fields, capture, there->by, "by_pid", "by_tid", "by");
        if (there->by != TT_NO_THREAD) {
            tt_field_i64(fields, "priority", there->priority);
        }
        tt_field_flag(fields, "ran", there->used);
        tt_field_close(fields, '}');
    }
    tt_field_close(fields, ']');
}

void tt_why_json(struct tt_text *text, const struct tt_why_scene *scene,
                 const struct tt_explanation *explanation, const char *what)
{
    const struct tt_capture *capture = scene->capture;
    struct tt_fields fields = tt_fields_begin(text, TT_FIELDS_JSON);
    tt_field_lane(&fields, capture, explanation->thread, "pid", "tid", "thread");
    tt_field_text(&fields, "what", what);
    tt_field_time(&fields, capture, "from", explanation->from);
    tt_field_time(&fields, capture, "to", explanation->to);
    tt_field_time(&fields, capture, "dur", explanation->to - explanation->from);
    tt_field_open(&fields, "pieces", '[');
    for (size_t i = 0; i < explanation->count; i++) {
        if (!(explanation->pieces[i].flags & TT_PIECE_WAIT)) {
            const struct tt_piece *piece = &explanation->pieces[i];
            tt_field_open(&fields, NULL, '{');
            tt_field_time(&fields, capture, "from", piece->from);
            tt_field_time(&fields, capture, "to", piece->to);
            tt_field_u64(&fields, "depth", piece->depth);
            tt_field_lane(&fields, capture, piece->thread, "pid", "tid", "thread");
            tt_field_text(&fields, "state", tt_line_state(capture, piece->state));
            tt_field_text(&fields, "cause", tt_cause_name(piece->cause));
            put_by(&fields, capture, piece->by, piece->cause, "by_pid", "by_tid");
            tt_field_number(&fields, "cpu", piece->cpu != TT_NO_CPU, piece->cpu);
            tt_field_number(&fields, "vector", piece->vector != TT_NO_VECTOR, piece->vector);
            tt_field_text(&fields, "kind",
                          piece->kind == TT_WAKE_UNKNOWN ? NULL : tt_wake_kind_name(piece->kind));
            tt_field_text(&fields, "part", tt_piece_part(piece));
            tt_field_close(&fields, '}');
        }
    }
    tt_field_close(&fields, ']');
    tt_field_open(&fields, "late_by", '[');
    for (size_t i = 0; i < explanation->late_count; i++) {
        const struct tt_late_by *late = &explanation->late[i];
        tt_field_open(&fields, NULL, '{');
        put_by(&fields, capture, late->charge.by, late->charge.cause, "pid", "tid");
        tt_field_text(&fields, "cause", tt_cause_name(late->charge.cause));
        tt_field_u64(&fields, capture->clock_hz ? "ns" : "ticks", tt_line_ns(capture, late->ticks));
        tt_field_close(&fields, '}');
    }
    tt_field_close(&fields, ']');
    why_json_put_elsewhere(&fields, scene, explanation);
    tt_fields_end(&fields);
}

void tt_why_json_wake(struct tt_text *text, const struct tt_why_scene *scene,
                      const struct tt_wake *wake)
{
    const struct tt_capture *capture = scene->capture;
    static const char *const by[] = {[TT_WAKER_UNKNOWN] = "unknown",
                                     [TT_WAKER_THREAD] = "thread",
                                     [TT_WAKER_INTERRUPT] = "interrupt"};
    struct tt_fields fields = tt_fields_begin(text, TT_FIELDS_JSON);
    tt_field_time(&fields, capture, "at", wake->at);
    tt_field_lane(&fields, capture, wake->thread, "pid", "tid", "thread");
    tt_field_text(&fields, "state", tt_line_state(capture, wake->state));
    tt_field_text(&fields, "by", by[wake->by]);
    tt_field_lane(&fields, capture, wake->waker, "by_pid", "by_tid", NULL);
    tt_field_number(&fields, "cpu", wake->cpu != TT_NO_CPU, wake->cpu);
    tt_field_number(&fields, "vector", wake->vector != TT_NO_VECTOR, wake->vector);
    tt_field_text(&fields, "kind",
                  wake->kind == TT_WAKE_UNKNOWN ? NULL : tt_wake_kind_name(wake->kind));
    tt_field_number(&fields, "object", wake->object != 0, wake->object);
    tt_fields_end(&fields);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cli/writers.h"
#include "tracetui/event_line.h"
#include "tracetui/time.h"

const char tt_csv_header[] =
    "n,ticks,ns,cpu,pid,tid,thread,class,event,kind,args,offset,length,inferred,derived\n";

static void field_text(struct tt_text *text, const char *str)
{
    size_t start = text->used;
    tt_text_escaped(text, str, strlen(str));
    tt_csv_text_from(text, start);
    tt_text_char(text, ',');
}

static void fields_time(struct tt_text *text, const struct tt_capture *c, uint64_t ticks)
{
    int64_t ns;
    tt_text_u64(text, ticks);
    tt_text_char(text, ',');
    if (tt_ticks_to_ns(ticks, c->clock_hz, &ns)) {
        tt_text_i64(text, ns);
    }
    tt_text_char(text, ',');
}

static void fields_place(struct tt_text *text, const struct tt_capture *c,
                         const struct tt_event *event)
{
    if (event->cpu != TT_NO_CPU) {
        tt_text_u64(text, event->cpu);
    }
    if (event->thread == TT_NO_THREAD) {
        tt_text_str(text, ",,,,");
        return;
    }
    const struct tt_thread *t = tt_thread_at(c, event->thread);
    tt_text_char(text, ',');
    tt_text_u64(text, tt_process_at(c, t->process)->pid);
    tt_text_char(text, ',');
    tt_text_u64(text, t->tid);
    tt_text_char(text, ',');
    size_t start = text->used;
    tt_line_thread(text, c, event->thread);
    tt_csv_text_from(text, start);
    tt_text_char(text, ',');
}

void tt_export_csv(struct tt_text *text, const struct tt_record *r)
{
    const struct tt_event *event = r->event;
    const struct tt_event_type *type = tt_types_at(r->capture, event->type);
    bool derived = (event->flags & TT_EVENT_DERIVED) != 0;

    if (!(event->flags & TT_EVENT_UNNUMBERED)) {
        tt_text_u64(text, r->number);
    }
    tt_text_char(text, ',');
    fields_time(text, r->capture, event->ticks);
    fields_place(text, r->capture, event);
    field_text(text, type->class_name);
    field_text(text, type->name);
    field_text(text, tt_kind_name(event->kind));
    size_t start = text->used;
    tt_line_args(text, r->args);
    tt_csv_text_from(text, start);
    tt_text_char(text, ',');
    tt_text_u64(text, tt_capture_offset(r->capture, event->pos));
    tt_text_char(text, ',');
    tt_text_u64(text, event->length);
    tt_text_str(text, event->flags & TT_EVENT_INFERRED ? ",1" : ",0");
    tt_text_str(text, derived ? ",1\n" : ",0\n");
}

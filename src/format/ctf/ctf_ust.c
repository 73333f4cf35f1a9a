/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ctf_ust: what the events of programs mean that LTTng-UST records. There is no scheduling. The thread is that of the
 * context vtid, its process that of vpid; without them it is not known. Functions (lttng_ust_cyg_profile) and callbacks
 * (ros2) are slices of the thread, named by their address:
 *
 *      func_entry addr=0x40472b ... func_exit      slice "function" "0x40472b"
 *
 * The names are event types that no event has. They are found through a table that only the learning cursor adds to;
 * if it is full, the type of the event is the name.
 */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "format/address_types.h"
#include "format/ctf/ctf_internal.h"

#define SLICE_BEGIN 1u
#define SLICE_END   2u

enum { AT_TID, AT_PID, AT_COMM, AT_ADDRESS };

static const struct {
    const char *name, *class_name, *address;
    uint16_t meaning;
} slices[] = {
    {"lttng_ust_cyg_profile:func_entry", "function", "addr", SLICE_BEGIN},
    {"lttng_ust_cyg_profile:func_exit", "function", "addr", SLICE_END},
    {"lttng_ust_cyg_profile_fast:func_entry", "function", "addr", SLICE_BEGIN},
    {"lttng_ust_cyg_profile_fast:func_exit", "function", "addr", SLICE_END},
    {"ros2:callback_start", "callback", "callback", SLICE_BEGIN},
    {"ros2:callback_end", "callback", "callback", SLICE_END},
};

static bool ctf_ust_is_of(const struct ctf_trace *trace)
{
    return strcmp(ctf_env_text(trace, "domain"), "ust") == 0;
}

static bool ctf_ust_prepare(struct ctf_trace *trace)
{
    struct ctf *ctf = trace->decoder;
    return (ctf->own[trace->number] = ctf_new(ctf, sizeof(struct tt_address_types))) != NULL;
}

static void ctf_ust_mean(struct ctf_trace *trace, struct ctf_event *event)
{
    ctf_names_of(trace, event, '\0');
    event->at[AT_TID] = ctf_place_of(event, "vtid");
    event->at[AT_PID] = ctf_place_of(event, "vpid");
    event->at[AT_COMM] = ctf_place_of(event, "procname");
    for (unsigned i = 0; i < sizeof slices / sizeof slices[0]; i++) {
        if (strcmp(event->name, slices[i].name) == 0) {
            event->meaning = slices[i].meaning;
            event->number = i;
            event->kind = slices[i].meaning == SLICE_BEGIN ? TT_KIND_BEGIN : TT_KIND_END;
            event->at[AT_ADDRESS] = ctf_place_of(event, slices[i].address);
        }
    }
}

/* ---- names of slices ------------------------------------------------------------------------ */

void ctf_ust_restore(struct ctf *ctf)
{
    for (unsigned i = 0; i < ctf->trace_count; i++) {
        if (ctf->traces[i]->tracer == &ctf_ust) {
            tt_address_types_restore(ctf->capture, ctf->own[i], "function");
            tt_address_types_restore(ctf->capture, ctf->own[i], "callback");
        }
    }
}

/* ---- events --------------------------------------------------------------------------------- */

/* Returns the thread of an event, by its contexts. */
static uint32_t ctf_ust_thread_of(struct tt_cursor *cursor, const struct ctf_record *record,
                                  uint16_t cpu)
{
    const struct ctf_event *of = record->of;
    if (!of->at[AT_TID].type) {
        return TT_NO_THREAD;
    }
    int64_t tid = (int32_t)ctf_number(record, &of->at[AT_TID]);
    if (tid <= 0) {
        return TT_NO_THREAD;
    }
    struct linux_task *task = cursor->learn ? linux_task_add(&cursor->d->threads, tid) : NULL;
    if (task && of->at[AT_PID].type) {
        task->process = (uint32_t)ctf_number(record, &of->at[AT_PID]);
    }
    uint32_t lane = ctf_lane(cursor, tid, cpu);
    if (cursor->learn && of->at[AT_COMM].type) {
        ctf_name(cursor, tid, lane, ctf_string(record, &of->at[AT_COMM]));
    }
    return lane;
}

static void ctf_ust_act(struct tt_cursor *cursor, const struct ctf_record *record,
                        struct tt_event *event, struct tt_batch *batch)
{
    const struct ctf_event *of = record->of;
    event->thread = ctf_ust_thread_of(cursor, record, event->cpu);
    if (of->meaning == 0 || event->thread == TT_NO_THREAD) {
        return;
    }
    bool begins = of->meaning == SLICE_BEGIN;
    struct tt_action *action =
        ctf_act(batch, event, begins ? TT_ACTION_SLICE_BEGIN : TT_ACTION_SLICE_END, event->thread);
    if (action) {
        const uint64_t address = ctf_number(record, &of->at[AT_ADDRESS]);
        const struct tt_address slice = {slices[of->number].class_name, address, address};
        action->value = (uint64_t)slice.class_name[0];
        action->other =
            tt_address_type(cursor->d->capture, cursor->d->own[record->stream->trace->number],
                            cursor->learn, &slice, event->type);
        action->state = 0;
    }
}

static uint32_t ctf_ust_edges(const struct ctf_record *record, const struct tt_event *event,
                              struct tt_edge *edge)
{
    if (record->of->meaning == 0 || event->thread == TT_NO_THREAD) {
        return 0;
    }
    edge->key = tt_hash_of_pair(event->thread, (uint64_t)slices[record->of->number].class_name[0]);
    edge->side = event->kind == TT_KIND_BEGIN ? TT_EDGE_BEGIN : TT_EDGE_END;
    edge->thread = event->thread;
    edge->cpu = TT_NO_CPU;
    return 1;
}

const struct ctf_tracer ctf_ust = {.name = "LTTng-UST",
                                   .is_of = ctf_ust_is_of,
                                   .prepare = ctf_ust_prepare,
                                   .mean = ctf_ust_mean,
                                   .act = ctf_ust_act,
                                   .edges = ctf_ust_edges};

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
#include "format/ctf/ctf_internal.h"

#define NAMED       4096u
#define PROBES      32u
#define SLICE_BEGIN 1u
#define SLICE_END   2u

enum { AT_TID, AT_PID, AT_COMM, AT_ADDRESS };

struct ust {
    _Atomic uint32_t named[NAMED]; /* types + 1, by hash of class and address */
};

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
    return (ctf->own[trace->number] = ctf_new(ctf, sizeof(struct ust))) != NULL;
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

static uint64_t ctf_ust_hash_of(const char *class_name, uint64_t address)
{
    return tt_hash_of_pair(address, (uint64_t)class_name[0]);
}

static uint32_t ctf_ust_add_type(struct tt_capture *capture, const char *class_name,
                                 uint64_t address)
{
    char text[24];
    size_t length;
    struct tt_text name = tt_text_of(text, sizeof text);
    tt_text_str(&name, "0x");
    tt_text_hex(&name, address, 1);
    const char *copy =
        tt_capture_text(capture, tt_capture_intern(capture, text, name.used), &length);
    return tt_types_add(capture, class_name, copy, address, TT_KIND_EVENT);
}

/* Returns the type that names the slices of an address; `otherwise` if the table is full. */
static uint32_t ctf_ust_type_of(struct tt_cursor *cursor, struct ust *ust, const char *class_name,
                                uint64_t address, uint32_t otherwise)
{
    struct tt_capture *capture = cursor->d->capture;
    const uint64_t hash = ctf_ust_hash_of(class_name, address);
    for (unsigned i = 0; i < PROBES; i++) {
        _Atomic uint32_t *place = &ust->named[(hash + i) % NAMED];
        uint32_t type = atomic_load_explicit(place, memory_order_acquire);
        if (type == 0 && cursor->learn) {
            type = ctf_ust_add_type(capture, class_name, address) + 1;
            atomic_store_explicit(place, type, memory_order_release);
            return type - 1;
        }
        if (type == 0) {
            break;
        }
        const struct tt_event_type *known = tt_types_at(capture, type - 1);
        if (known->code == address && strcmp(known->class_name, class_name) == 0) {
            return type - 1;
        }
    }
    return otherwise;
}

void ctf_ust_restore(struct ctf *ctf)
{
    const uint32_t count = tt_types_count(ctf->capture);
    for (unsigned i = 0; i < ctf->trace_count; i++) {
        struct ust *ust = ctf->traces[i]->tracer == &ctf_ust ? ctf->own[i] : NULL;
        for (uint32_t type = 0; ust && type < count; type++) {
            const struct tt_event_type *known = tt_types_at(ctf->capture, type);
            const uint64_t hash = ctf_ust_hash_of(known->class_name, known->code);
            bool names = strcmp(known->class_name, "function") == 0 ||
                         strcmp(known->class_name, "callback") == 0;
            for (unsigned probe = 0; names && probe < PROBES; probe++) {
                _Atomic uint32_t *place = &ust->named[(hash + probe) % NAMED];
                if (atomic_load_explicit(place, memory_order_relaxed) == 0) {
                    atomic_store_explicit(place, type + 1, memory_order_release);
                    break;
                }
            }
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
        struct ust *ust = cursor->d->own[record->stream->trace->number];
        const char *class_name = slices[of->number].class_name;
        action->value = (uint64_t)class_name[0];
        action->other = ctf_ust_type_of(cursor, ust, class_name,
                                        ctf_number(record, &of->at[AT_ADDRESS]), event->type);
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

// SPDX-License-Identifier: Apache-2.0
//
// truth_causes: writes the waker of a thread, the thread that it waits for, and its priorities: the
// input of an explanation of a delay beside the intervals. The data come from the simulated kernel;
// `seen` and `unseen` mark whether the capture contains them.

#include "truth_lanes.h"

#include <string.h>

// Writes the ids of a thread by the format's numbering, without a lane: `prefix` is "" or "by_".
static void name_thread(const struct sim_truth *truth, struct json *json,
                        const struct sim_thread *thread, bool by)
{
    bool koids = truth_sees_koids(truth);
    uint64_t pid, tid;
    truth_ids(truth, thread, &pid, &tid);
    json_number(json, by ? "by_pid" : "pid", pid);
    json_number(json, by ? "by_tid" : "tid", tid);
    json_number(json, by ? "by_slot" : "slot", thread->index);
    if (!koids && !by && truth->uses[pid] != 0)
        json_number(json, "instance", truth->uses[pid]);
}

// Wakes ------------------------------------------------------------------------------------------

// Returns true if the capture does not contain the thread on the CPU, or the interrupt, at this
// instant.
static bool is_waker_unseen(const struct sim_truth *truth, const struct sim_event *event)
{
    const struct cpu_truth *cpu = &truth->cpu[event->cpu];
    if (event->wake.interrupt)
        return cpu->depth == 0 && !cpu->delivered;
    return cpu->occupant == NULL;
}

void truth_write_wake(struct sim_truth *truth, const struct sim_event *event, unsigned was)
{
    struct json *json = &truth->json;
    truth->wakes++;
    if (!truth_is_full(truth))
        return;
    json_begin(json, "wake");
    json_number(json, "at", event->time);
    name_thread(truth, json, event->thread, false);
    json_text(json, "state", truth_state_name(truth, was));
    json_number(json, "cpu", event->cpu);
    json_text(json, "by", event->wake.interrupt ? "interrupt" : "thread");
    if (event->wake.interrupt)
        json_number(json, "vector", event->wake.vector);
    else
        name_thread(truth, json, event->context, true);
    json_text(json, "kind", sim_wake_name(event->wake.kind));
    json_number(json, "object", event->wake.object);
    if (is_waker_unseen(truth, event))
        json_number(json, "unseen", 1);
    json_end(json);
}

// Causes of waits --------------------------------------------------------------------------------

static void write_wait(struct sim_truth *truth, const struct wait_truth *wait, uint64_t end,
                       bool unfinished)
{
    struct json *json = &truth->json;
    if (!truth_is_full(truth) || end < truth->first)
        return;
    json_begin(json, "blocked_on");
    json_number(json, "pid", wait->pid);
    json_number(json, "tid", wait->tid);
    json_number(json, "slot", wait->slot);
    json_text(json, "on", sim_wait_name(wait->kind));
    json_number(json, "by_pid", wait->by_pid);
    if (wait->by_tid != 0) {
        json_number(json, "by_tid", wait->by_tid);
        json_number(json, "by_slot", wait->by_slot);
    }
    json_number(json, "object", wait->object);
    json_number(json, "start", wait->since);
    json_number(json, "end", end);
    if (unfinished)
        json_number(json, "end_unknown", 1);
    json_end(json);
}

void truth_wait(struct sim_truth *truth, const struct sim_event *event)
{
    struct wait_truth *wait = &truth->waits[event->thread->index];
    if (wait->kind != SIM_WAIT_NONE && truth->started)
        write_wait(truth, wait, event->time, false);
    memset(wait, 0, sizeof *wait);
    wait->kind = (uint8_t)event->code;
    if (wait->kind == SIM_WAIT_NONE)
        return;
    wait->since = event->time;
    wait->object = event->value[0];
    wait->slot = event->thread->index;
    truth_ids(truth, event->thread, &wait->pid, &wait->tid);
    if (event->partner != NULL) {
        wait->by_slot = event->partner->index;
        truth_ids(truth, event->partner, &wait->by_pid, &wait->by_tid);
    } else {
        wait->by_pid =
            truth_sees_koids(truth) ? sim_process_koid(event->process) : event->process->pid;
    }
}

void truth_close_waits(struct sim_truth *truth)
{
    for (uint32_t i = 0; i < truth->slot_count; i++)
        if (truth->waits[i].kind != SIM_WAIT_NONE && truth->started)
            write_wait(truth, &truth->waits[i], truth->last, true);
}

// Priorities -------------------------------------------------------------------------------------

static void emit_priority(struct sim_truth *truth, const struct sim_thread *thread, uint64_t now,
                          bool seen)
{
    struct json *json = &truth->json;
    if (!truth_is_full(truth))
        return;
    json_begin(json, "priority");
    json_number(json, "at", now);
    name_thread(truth, json, thread, false);
    json_number(json, "priority", thread->priority);
    if (seen)
        json_number(json, "seen", 1);
    json_end(json);
}

void truth_priority(struct sim_truth *truth, const struct sim_event *event)
{
    emit_priority(truth, event->thread, event->time, false);
}

void truth_priority_seen(struct sim_truth *truth, struct lane *lane,
                         const struct sim_thread *thread, uint64_t now)
{
    if (!truth->sees_priorities || lane->priority == thread->priority + 1)
        return;
    lane->priority = (uint16_t)(thread->priority + 1);
    emit_priority(truth, thread, now, true);
}

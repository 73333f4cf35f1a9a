// SPDX-License-Identifier: Apache-2.0
//
// truth_pulses: writes each pulse: the sender, the receiver, and both times as far as the capture
// has them. They are paired by the kernel's number of the pulse, which no file contains. Writes
// entries of queues likewise; the kernel has the sender in the entry.

#include "truth_lanes.h"

#include <errno.h>
#include <stdlib.h>

// Writes a pulse; `receiver` NULL: it was not received. `lost` 0: no loss.
static void write_pulse(struct sim_truth *truth, const struct pulse_truth *pulse,
                        const struct sim_thread *receiver, uint64_t received, bool unseen,
                        uint64_t lost)
{
    struct json *json = &truth->json;
    if (!truth_is_full(truth))
        return;
    json_begin(json, "pulse");
    json_number(json, "id", pulse->id);
    json_number(json, "chid", pulse->chid);
    if (pulse->sent != 0) {
        json_number(json, "sent", pulse->sent);
        if (!pulse->of_kernel) {
            json_number(json, "pid", pulse->pid);
            json_number(json, "tid", pulse->tid);
        }
        if (pulse->unseen && !pulse->of_kernel)
            json_number(json, "client_unseen", 1);
    }
    json_number(json, "server_pid", pulse->server_pid);
    if (receiver != NULL) {
        uint64_t pid, tid;
        truth_ids(truth, receiver, &pid, &tid);
        json_number(json, "server_tid", tid);
        json_number(json, "received", received);
        if (unseen)
            json_number(json, "server_unseen", 1);
    }
    if (lost != 0)
        json_number(json, "lost", lost);
    json_end(json);
}

void truth_pulse_sent(struct sim_truth *truth, const struct sim_event *event, bool unseen)
{
    if (truth->open_count == truth->open_max) {
        uint32_t max = truth->open_max != 0 ? 2 * truth->open_max : 64;
        struct pulse_truth *grown = realloc(truth->open_pulses, max * sizeof *grown);
        if (grown == NULL) {
            truth->json.out->error = ENOMEM;
            return;
        }
        truth->open_pulses = grown;
        truth->open_max = max;
    }
    bool of_kernel = event->code != SIM_COMM_SPULSE;
    uint64_t pid = 0, tid = 0;
    if (!of_kernel)
        truth_ids(truth, event->context, &pid, &tid);
    truth->open_pulses[truth->open_count++] = (struct pulse_truth){.serial = event->value[3],
                                                                   .id = event->value[0],
                                                                   .sent = event->time,
                                                                   .pid = pid,
                                                                   .tid = tid,
                                                                   .server_pid = event->partner_pid,
                                                                   .chid = event->value[2],
                                                                   .of_kernel = of_kernel,
                                                                   .unseen = unseen};
}

void truth_pulse_received(struct sim_truth *truth, const struct sim_event *event, bool unseen)
{
    uint32_t i = 0;
    while (i < truth->open_count && truth->open_pulses[i].serial != event->value[3])
        i++;
    struct pulse_truth pulse = {
        .id = event->value[0], .server_pid = event->partner_pid, .chid = event->value[2]};
    if (i < truth->open_count) {
        pulse = truth->open_pulses[i];
        truth->open_pulses[i] = truth->open_pulses[--truth->open_count];
    }
    write_pulse(truth, &pulse, event->context, event->time, unseen, 0);
}

void truth_entry_taken(struct sim_truth *truth, const struct sim_event *event)
{
    struct json *json = &truth->json;
    if (!truth_is_full(truth))
        return;
    json_begin(json, "entry");
    json_number(json, "queue", event->value[0]);
    json_number(json, "slot", event->partner->index);
    json_number(json, "sent", event->value[1]);
    json_number(json, "server_slot", event->thread->index);
    json_number(json, "received", event->value[2]);
    json_end(json);
}

void truth_pulses_end(struct sim_truth *truth, uint64_t lost)
{
    for (uint32_t i = 0; i < truth->open_count; i++)
        write_pulse(truth, &truth->open_pulses[i], NULL, 0, false, lost);
    truth->open_count = 0;
}

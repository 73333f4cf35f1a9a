// SPDX-License-Identifier: Apache-2.0
//
// guest: see guest.h.

#include "guest.h"

#include "json.h"

#include <stdlib.h>
#include <string.h>

enum { SHORTEST = 12 }; // delays: a shorter stay in programs has no run of the guest

static void add_span(struct sim_guest *guest, struct sim_guest_spans *spans, uint64_t from,
                     uint64_t to)
{
    if (spans->count == spans->room) {
        size_t room = spans->room == 0 ? 1024 : 2 * spans->room;
        struct sim_guest_span *v = realloc(spans->v, room * sizeof *v);
        if (v == NULL) {
            guest->failed = true;
            return;
        }
        spans->v = v;
        spans->room = room;
    }
    spans->v[spans->count++] = (struct sim_guest_span){from, to};
}

// Writes a run that ends before `next`, an event of the vCPU's CPU.
static bool write_run(struct sim_guest *guest, const struct sim_event *next, sim_guest_write *write,
                      void *self)
{
    const uint64_t delay = guest->delay;
    struct sim_event event = {.cpu = next->cpu, .thread = next->context, .context = next->context};
    uint64_t entry = guest->since + 2 * delay, exit = next->time - 4 * delay;
    add_span(guest, &guest->runs, entry, exit);
    event.kind = SIM_GUEST_ENTER;
    event.time = guest->since + delay;
    event.value[0] = 0xffffff8000100000u + guest->runs.count % 4096 * 16;
    if (!write(self, &event))
        return false;
    event.kind = SIM_GUEST_CYCLES;
    event.time = next->time - 2 * delay;
    event.value[2] = entry + guest->offset;
    event.value[3] = exit + guest->offset;
    if (!write(self, &event))
        return false;
    event.kind = SIM_GUEST_EXIT;
    event.time = next->time - delay;
    event.value[1] = guest->offset;
    return write(self, &event);
}

bool sim_guest_hear(struct sim_guest *guest, const struct sim_event *event, sim_guest_write *write,
                    void *self)
{
    const struct sim_thread *vcpu = event->kind == SIM_RUN ? event->thread : event->context;
    bool on_vcpu = vcpu != NULL && vcpu->process != NULL &&
                   strcmp(vcpu->name, SIM_GUEST_THREAD) == 0 &&
                   strcmp(vcpu->process->name, SIM_GUEST_PROCESS) == 0;
    if ((event->flags & SIM_DUMP) != 0 || event->cpu != SIM_GUEST_CPU)
        return true;
    bool more = true;
    if (guest->since != 0 && event->time >= guest->since + SHORTEST * guest->delay)
        more = write_run(guest, event, write, self);
    bool is_own = event->thread != NULL && event->thread == vcpu;
    guest->depth += event->kind == SIM_IRQ_ENTER;
    guest->depth -= event->kind == SIM_IRQ_EXIT && guest->depth > 0;
    if (event->kind == SIM_CALL && is_own)
        guest->in_call = true;
    if ((event->kind == SIM_CALL_EXIT && is_own) || event->kind == SIM_RUN)
        guest->in_call = false;
    bool leaves =
        guest->running && ((event->kind == SIM_RUN && !on_vcpu) ||
                           (event->kind == SIM_STATE && event->thread->tid == guest->tid &&
                            event->thread->process->pid == guest->pid));
    if (leaves) {
        guest->running = false;
        guest->left = event->time;
    } else if (event->kind == SIM_RUN && on_vcpu && !guest->running) {
        if (guest->left != 0)
            add_span(guest, &guest->away, guest->left, event->time);
        guest->pid = vcpu->process->pid;
        guest->tid = vcpu->tid;
        guest->running = true;
        guest->left = 0;
    }
    bool computes = guest->running && on_vcpu && guest->depth == 0 && !guest->in_call;
    guest->since = computes ? event->time : 0;
    return more && !guest->failed;
}

bool sim_guest_clock(struct sim_guest *guest, uint64_t time, uint64_t *clock)
{
    if (guest->first == 0)
        guest->first = time;
    const struct sim_guest_spans *runs = &guest->runs;
    uint64_t passed = time - guest->first;
    while (guest->at < runs->count) {
        const struct sim_guest_span *run = &runs->v[guest->at];
        if (passed - guest->before < run->to - run->from) {
            *clock = run->from + (passed - guest->before) + guest->offset;
            return true;
        }
        guest->before += run->to - run->from;
        guest->at++;
    }
    return false;
}

static void write_spans(struct json *json, const char *kind, const struct sim_guest_spans *spans)
{
    for (size_t i = 0; i < spans->count; i++) {
        json_begin(json, kind);
        json_number(json, "from", spans->v[i].from);
        json_number(json, "to", spans->v[i].to);
        json_end(json);
    }
}

void sim_guest_truth(const struct sim_guest *guest, struct sim_out *out)
{
    struct json json = {.out = out};
    json_begin(&json, "guest");
    json_number(&json, "pid", guest->pid);
    json_number(&json, "tid", guest->tid);
    json_number(&json, "back", 0 - guest->offset);
    json_end(&json);
    write_spans(&json, "run", &guest->runs);
    write_spans(&json, "away", &guest->away);
}

void sim_guest_free(struct sim_guest *guest)
{
    free(guest->runs.v);
    free(guest->away.v);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "merge/guests.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/causes/guests.h"
#include "base/digits.h"
#include "tracetui/map.h"
#include "tracetui/time.h"

#define VMS_MOST     64u   /* guests of a host */
#define EXIT_REACH   4096u /* events after a run among which its GUEST_EXIT is searched */
#define EXIT_BATCH   256u
#define SAMPLED_MOST 512u /* events of a capture that are compared with the runs of a guest */

/* A process of a host that runs a guest. */
struct vm {
    uint32_t process;
    uint64_t offset;
    const char *problem; /* why `offset` is not known; constant, or NULL */
    unsigned count;
    uint32_t threads[TT_MERGE_VCPUS]; /* in the order of the guest's CPUs */
    uint64_t order[TT_MERGE_VCPUS];
};

struct vms {
    unsigned host; /* number of the capture */
    unsigned count;
    struct vm v[VMS_MOST];
};

/* ---- the runs of a host ------------------------------------------------------------------------ */

struct hosts_job {
    const struct tt_capture *capture;
    bool hosts;
};

static void hosts_guarded(void *arg)
{
    struct hosts_job *job = arg;
    job->hosts = job->capture->format->hosts(job->capture);
}

static bool is_host(const struct merge_capture *capture)
{
    struct hosts_job job = {.capture = tt_trace_capture(capture->trace)};
    return job.capture->format->hosts && tt_sigbus_guard(hosts_guarded, &job) && job.hosts;
}

/*
 * Returns what vCPU threads are sorted by: the number at the end of the name ("vcpu3"), or, without one, the tid after
 * all of these.
 */
static uint64_t order_of(const struct tt_capture *capture, uint32_t thread)
{
    const struct tt_thread *record = tt_thread_at(capture, thread);
    size_t length;
    uint64_t number;
    const char *name = tt_capture_text(capture, record->name, &length);
    size_t digits = 0;
    while (digits < length && name[length - digits - 1] >= '0' &&
           name[length - digits - 1] <= '9') {
        digits++;
    }
    bool has_number = digits > 0 && tt_digits_parse(name + length - digits, digits, &number) &&
                      number < UINT32_MAX;
    return has_number ? number : (UINT64_C(1) << 32) + record->tid;
}

/* Adds a vCPU thread to its process, in order. */
static void add_vcpu(const struct tt_capture *capture, struct vms *vms, uint32_t thread)
{
    const uint32_t process = tt_thread_at(capture, thread)->process;
    unsigned at = 0;
    while (at < vms->count && vms->v[at].process != process) {
        at++;
    }
    if (at == VMS_MOST) {
        return;
    }
    struct vm *vm = &vms->v[at];
    vms->count += at == vms->count;
    vm->process = process;
    if (vm->count < TT_MERGE_VCPUS) {
        const uint64_t order = order_of(capture, thread);
        unsigned place = vm->count++;
        for (; place > 0 && vm->order[place - 1] > order; place--) {
            vm->order[place] = vm->order[place - 1];
            vm->threads[place] = vm->threads[place - 1];
        }
        vm->order[place] = order;
        vm->threads[place] = thread;
    }
}

/* Reads clockcycles_offset of the first GUEST_EXIT of a thread from a time on. */
static bool read_offset(const struct merge_capture *host, uint32_t thread, uint64_t ticks,
                        uint64_t *offset)
{
    static const char name[] = "clockcycles_offset";
    const struct tt_capture *capture = tt_trace_capture(host->trace);
    struct tt_args *args = malloc(sizeof *args);
    struct tt_event batch[EXIT_BATCH];
    uint64_t row = tt_events_row_at_time(host->events, ticks);
    bool found = false, over = !args;
    for (unsigned read = 0; read < EXIT_REACH && !over; read += EXIT_BATCH) {
        const uint32_t count = tt_events_read(host->events, row + read, EXIT_BATCH, batch);
        over = count < EXIT_BATCH;
        for (uint32_t i = 0; i < count && !found; i++) {
            const struct tt_event *event = &batch[i];
            if (event->thread != thread ||
                strcmp(tt_types_at(capture, event->type)->name, "GUEST_EXIT") != 0) {
                continue;
            }
            over = true;
            tt_args_clear(args);
            bool good = tt_events_describe(host->events, event, args);
            for (unsigned arg = 0; good && arg < args->count; arg++) {
                const struct tt_arg *value = &args->v[arg];
                if (value->name.length == sizeof name - 1 &&
                    memcmp(value->name.data, name, sizeof name - 1) == 0) {
                    *offset = value->value.u;
                    found = true;
                }
            }
            break;
        }
    }
    free(args);
    return found;
}

/* Reads the offset of a guest after the first and the last run of each of its CPUs. */
static void find_offset(const struct merge_capture *host, struct vm *vm)
{
    const struct tt_timelines *timelines = tt_trace_timelines(host->trace);
    bool known = false;
    for (unsigned i = 0; i < vm->count; i++) {
        const struct tt_slice_row *row = tt_guest_row(timelines, vm->threads[i]);
        struct tt_slice_at at;
        for (unsigned last = 0; last < 2; last++) {
            uint64_t offset;
            if (!(last ? tt_slice_find(row, UINT64_MAX, &at)
                       : tt_slice_first(timelines, row, 0, UINT64_MAX, &at)) ||
                !read_offset(host, vm->threads[i], tt_slice_get(timelines, at).end, &offset)) {
                continue;
            }
            vm->problem = known && offset != vm->offset ? "clockcycles_offset of its host changes"
                                                        : vm->problem;
            vm->offset = offset;
            known = true;
        }
    }
    vm->problem = known ? vm->problem : "its host has GUEST_EXIT without clockcycles_offset";
}

static void find_vms(const struct merge_capture *host, unsigned number, struct vms *vms)
{
    const struct tt_capture *capture = tt_trace_capture(host->trace);
    const struct tt_timelines *timelines = tt_trace_timelines(host->trace);
    memset(vms, 0, sizeof *vms);
    vms->host = number;
    for (uint32_t thread = 0; thread < tt_thread_count(capture); thread++) {
        const struct tt_slice_row *row = tt_guest_row(timelines, thread);
        if (row && tt_slice_count(row) > 0) {
            add_vcpu(capture, vms, thread);
        }
    }
    for (unsigned i = 0; i < vms->count; i++) {
        find_offset(host, &vms->v[i]);
    }
}

/* ---- the capture of a guest -------------------------------------------------------------------- */

/* Returns the cycles of a capture's CPUs at a time; false if its ticks are none, or the time is before cycle 0. */
static bool cycles_at(const struct tt_capture *capture, uint64_t ticks, uint64_t *cycles)
{
    return capture->cycles.mult != 0 && ticks >= capture->cycles.offset &&
           tt_mul_div(ticks - capture->cycles.offset, UINT64_C(1) << capture->cycles.shift,
                      capture->cycles.mult, cycles);
}

static bool ticks_at(const struct tt_capture *capture, uint64_t cycles, uint64_t *ticks)
{
    return tt_mul_div(cycles, capture->cycles.mult, UINT64_C(1) << capture->cycles.shift, ticks) &&
           *ticks <= TT_TICKS_LAST - capture->cycles.offset &&
           (*ticks += capture->cycles.offset, true);
}

static bool runs_at(const struct tt_timelines *timelines, const struct vm *vm, uint64_t ticks)
{
    uint64_t until;
    bool runs = false;
    for (unsigned i = 0; i < vm->count && !runs; i++) {
        runs = tt_guest_runs_at(timelines, vm->threads[i], ticks, &until);
    }
    return runs;
}

/* Counts the events of a capture, or some of many, that are in runs of a guest. */
static void compare(const struct merge_capture *host, const struct merge_capture *capture,
                    const struct vm *vm, struct tt_merge_guest *guest)
{
    const struct tt_capture *opened = tt_trace_capture(capture->trace);
    const struct tt_progress progress = tt_trace_progress(capture->trace);
    const uint64_t rows = progress.events + progress.derived;
    const uint64_t step = rows / SAMPLED_MOST + 1;
    guest->events = guest->inside = 0;
    for (uint64_t row = 0; row < rows; row += step) {
        struct tt_event event;
        uint64_t cycles, ticks;
        if (tt_events_read(capture->events, row, 1, &event) != 1) {
            continue;
        }
        guest->events++;
        guest->inside += cycles_at(opened, event.ticks, &cycles) &&
                         ticks_at(tt_trace_capture(host->trace), cycles - vm->offset, &ticks) &&
                         runs_at(tt_trace_timelines(host->trace), vm, ticks);
    }
}

static void set_vcpus(const struct tt_capture *capture, const struct vm *vm,
                      struct tt_merge_guest *guest)
{
    guest->vcpu_count = vm->count;
    for (unsigned i = 0; i < vm->count; i++) {
        const struct tt_thread *thread = tt_thread_at(capture, vm->threads[i]);
        const struct tt_process *process = tt_process_at(capture, vm->process);
        guest->vcpus[i] = (struct tt_merge_vcpu){.pid = (uint32_t)process->pid,
                                                 .tid = (uint32_t)thread->tid,
                                                 .when = process->first_when};
    }
}

/* Finds the guest of a host that wrote a capture; `placed`: its place is in the request. */
static void find_guest(const struct merge_capture *captures, const struct vms *vms, unsigned number,
                       bool placed, struct tt_merge_source *source)
{
    const struct tt_capture *host = tt_trace_capture(captures[vms->host].trace);
    const struct tt_capture *own = tt_trace_capture(captures[number].trace);
    const bool same_rate = own->clock_hz == host->clock_hz || own->cycles.shift > 0;
    const struct vm *best = NULL;
    struct tt_merge_guest found = {0};
    source->problem = vms->count > 0 ? "none of its events is in a run of a guest" : NULL;
    for (unsigned i = 0; i < vms->count; i++) {
        const struct vm *vm = &vms->v[i];
        struct tt_merge_guest guest = {.host = vms->host + 1, .offset = vm->offset};
        if (!same_rate || vm->problem) {
            source->problem =
                vm->problem ? vm->problem : "its clock has another rate than its host's";
            continue;
        }
        compare(&captures[vms->host], &captures[number], vm, &guest);
        if (2 * (uint64_t)guest.inside > guest.events && guest.inside > found.inside) {
            found = guest;
            best = vm;
        } else if (guest.inside > 0) {
            source->problem = "most of its events are in no run of a guest";
        }
    }
    if (!best && placed && vms->count == 1) {
        best = &vms->v[0];
        found = (struct tt_merge_guest){.host = vms->host + 1};
    }
    if (best) {
        set_vcpus(host, best, &found);
        source->guest = found;
    }
    source->problem = best || placed ? NULL : source->problem;
}

struct tt_status merge_guests_find(struct merge_capture *captures, struct tt_merge_plan *plan,
                                   const bool *placed)
{
    bool hosts[TT_MERGE_MOST];
    struct tt_status status = tt_ok();
    struct vms *vms = malloc(sizeof *vms);
    if (!vms) {
        return tt_error_memory();
    }
    for (unsigned i = 0; i < plan->count; i++) {
        hosts[i] = is_host(&captures[i]);
    }
    for (unsigned host = 0; host < plan->count && !tt_failed(&status); host++) {
        if (!hosts[host]) {
            continue;
        }
        status = merge_capture_index(&captures[host]);
        if (!tt_failed(&status)) {
            find_vms(&captures[host], host, vms);
        }
        for (unsigned i = 0; i < plan->count && !tt_failed(&status); i++) {
            struct tt_merge_source *source = &plan->sources[i];
            bool counts = tt_trace_capture(captures[i].trace)->cycles.mult != 0 || placed[i];
            if (hosts[i] || !counts || source->guest.host != 0) {
                continue;
            }
            status = merge_capture_index(&captures[i]);
            if (!tt_failed(&status)) {
                find_guest(captures, vms, i, placed[i], source);
            }
        }
    }
    free(vms);
    return status;
}

/* ---- its place on the time line ---------------------------------------------------------------- */

/* Returns the number of the host that a capture's cycles are known on, and sets its offset; TT_MERGE_MOST: none. */
static unsigned host_of(const struct tt_merge_plan *plan, unsigned number, uint64_t *offset)
{
    const struct tt_merge_guest *guest = &plan->sources[number].guest;
    *offset = guest->offset;
    return guest->host == 0 ? number : guest->events > 0 ? guest->host - 1 : TT_MERGE_MOST;
}

unsigned merge_guests_pairs(const struct merge_capture *captures, const struct tt_merge_plan *plan,
                            unsigned number, struct tt_clock_pair pairs[2])
{
    const struct tt_capture *own = tt_trace_capture(captures[number].trace),
                            *reference = tt_trace_capture(captures[0].trace);
    uint64_t offset, to_offset, cycles;
    const unsigned host = host_of(plan, number, &offset);
    if (host == TT_MERGE_MOST || host != host_of(plan, 0, &to_offset)) {
        return 0;
    }
    const struct tt_progress progress = tt_trace_progress(captures[number].trace);
    const uint64_t ticks[] = {captures[number].first_ticks, progress.last_ticks};
    unsigned count = 0;
    for (unsigned i = 0; i < 2; i++) {
        struct tt_clock_pair *pair = &pairs[count];
        pair->from = ticks[i];
        count += cycles_at(own, ticks[i], &cycles) &&
                 ticks_at(reference, cycles - offset + to_offset, &pair->to);
    }
    bool alike = own->cycles.shift == reference->cycles.shift;
    return count == 2 && (alike || pairs[0].from == pairs[1].from) ? 1 : count;
}

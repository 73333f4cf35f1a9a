// SPDX-License-Identifier: Apache-2.0
//
// ttsim: simulates a real-time kernel and writes a kernel trace of it and the truth. Connects engine,
// writer and truth; sim.h describes the model.

#include "guest.h"
#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Passes an event to the writer, then to the truth.
struct session {
    const struct sim_options *options;
    const struct sim_writer *writer;
    void *file;
    struct sim_out *out;
    struct sim_truth *truth;   // NULL: not requested
    struct sim_losses *losses; // receives them; NULL: not requested
    uint64_t skip;             // engine events before the kept part of a ring
    uint64_t heard;
    uint64_t stop; // number of engine events after which the run ends; 0: as the options determine
    struct sim_guest *guest; // of the host's run, or the run is its own; NULL: neither
    bool is_guest;           // the run is its own
    uint64_t first_time;     // of the first event, for pacing
    uint64_t next_flush;     // ticks
};

static void keep_pace(struct session *session, uint64_t time)
{
    const struct sim_config *run = &session->options->run;
    if (session->first_time == 0)
        session->first_time = time;
    if (time < session->next_flush)
        return;
    double seconds = (double)(time - session->first_time) / (double)run->clock_hz;
    session->writer->flush(session->file);
    sim_out_wait_until(session->out, (uint64_t)(seconds / session->options->pace * 1e9));
    // Flushes about every 10 ms of real time, for readers that follow.
    session->next_flush =
        time + 1 + (uint64_t)((double)run->clock_hz / 100 * session->options->pace);
}

// Each file of a split Fuchsia trace defines the processes and threads: its recorder writes the definitions
// that its records refer to. The writer of Symbian traces selects the records itself.
static bool is_of_file(const struct session *session, const struct sim_event *event)
{
    const uint32_t only = session->options->only_cpu;
    bool defines = event->kind == SIM_PROC_CREATE || event->kind == SIM_THREAD_CREATE ||
                   event->kind == SIM_THREAD_NAME;
    return only == UINT32_MAX || event->cpu == only || session->writer == &sim_writer_btrace ||
           (defines && session->writer != &sim_writer_kev);
}

static bool hear(void *self, const struct sim_event *event);

// Writes a run of the guest: three events of the host that the engine does not know.
static bool write_guest(void *self, const struct sim_event *event)
{
    struct session *session = self;
    session->writer->event(session->file, event);
    return true;
}

// Hears an event of the guest's run, at its own clock.
static bool hear_guest(void *self, const struct sim_event *event)
{
    struct session *session = self;
    struct sim_event own = *event;
    return sim_guest_clock(session->guest, event->time, &own.time) && hear(session, &own);
}

static bool hear(void *self, const struct sim_event *event)
{
    struct session *session = self;
    if (event->kind == SIM_WAITS_FOR || event->kind == SIM_ENTRY_TAKEN) { // for the truth only
        if (session->truth != NULL)
            sim_truth_event(session->truth, event, SIM_WRITTEN_NONE);
        return true;
    }
    if (session->heard++ < session->skip) {
        if (session->writer->hears_all)
            session->writer->event(session->file, event);
        return true;
    }
    if (session->out->paced)
        keep_pace(session, event->time);
    if (session->guest != NULL && !session->is_guest &&
        !sim_guest_hear(session->guest, event, write_guest, session))
        return false;
    enum sim_written written = is_of_file(session, event)
                                   ? session->writer->event(session->file, event)
                                   : SIM_WRITTEN_NONE;
    if (session->truth != NULL)
        sim_truth_event(session->truth, event, written);
    if (session->losses != NULL)
        sim_losses_hear(session->losses, event, written);
    if (event->flags & SIM_DUMP)
        return true; // the list of existing objects is always complete
    if (session->stop != 0)
        return session->heard < session->stop;
    if (session->options->events != 0 &&
        session->writer->counts(session->file)->events >= session->options->events) {
        session->stop = session->heard;
        return false;
    }
    return session->out->error == 0;
}

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "ttsim: %s: %s\n", what, why);
    return 2;
}

// Runs the engine once. A dry run finds `skip`, `stop` and, if there is no truth, `losses` for the next one.
static int run_once(const struct sim_options *options, bool dry, struct sim_counts *counts,
                    uint64_t *stop, struct sim_losses *losses, struct sim_out *out,
                    struct sim_out *truth_out)
{
    const bool is_guest = options->guest != NULL && options->guest == options->output;
    const char *why = "";
    struct session session = {.options = options,
                              .writer = options->writer,
                              .out = out,
                              .losses = truth_out == NULL ? losses : NULL,
                              .skip = counts->skip,
                              .stop = *stop,
                              .guest = dry ? NULL : options->guest_run,
                              .is_guest = is_guest};
    struct sim_write_config write = options->write;
    struct sim *sim = sim_open(&options->run, &why);
    if (sim == NULL)
        return fail(options->run.scenario, why);
    struct sim_config run = options->run;
    sim_actual(sim, &run);
    if (options->only_cpu != UINT32_MAX && options->only_cpu >= run.cpus) {
        sim_close(sim);
        return fail(options->run.scenario, "--only-cpu: there are fewer CPUs");
    }
    write.run = &run;
    write.directory = options->output;
    write.only_cpu = options->only_cpu;
    write.dry = dry;
    write.overwritten = counts->skip > 0;
    write.thread_slots = sim_thread_slots(sim);
    session.file = session.writer->open(&write, out, &why);
    if (session.file == NULL) {
        sim_close(sim);
        return fail(session.writer->name, why);
    }
    if (truth_out != NULL)
        session.truth = sim_truth_open(&write, session.writer, options->truth, losses, truth_out,
                                       sim_thread_slots(sim));
    struct sim_sink sink = {&session, is_guest ? hear_guest : hear};
    bool started = sim_run(sim, &sink, 1);
    *stop = session.stop;
    session.writer->close(session.file, counts);
    if (session.truth != NULL)
        sim_truth_close(session.truth, counts);
    sim_close(sim);
    return started ? 0
                   : fail(options->run.scenario,
                          "the system does not start: interrupts take all its time; use a faster "
                          "--clock or a lower --rate");
}

// Finds the losses of a capture with a stream for each CPU.
static int find_losses(const struct sim_options *options, const struct sim_counts *counts,
                       uint64_t stop, struct sim_losses *losses, struct sim_out *out)
{
    struct sim_counts again = *counts;
    int status = run_once(options, true, &again, &stop, losses, out, NULL);
    sim_losses_sort(losses);
    return status != 0 || !losses->failed ? status : fail(options->output, "out of memory");
}

static int close_out(struct sim_out *out, const char *name)
{
    if (sim_out_close(out))
        return 0;
    return fail(name, strerror(out->error));
}

// Writes the guest's own capture, of a mixed run on one CPU as long as its vCPU lets it run, and the truth of both.
static int write_guest_files(const struct sim_options *host)
{
    struct sim_options options = *host;
    struct sim_counts counts = {0};
    struct sim_out out, truth;
    char name[4096];
    uint64_t stop = 0;
    const char *extension = strrchr(options.guest, '.');
    if (extension != NULL && strcmp(extension, ".dat") == 0)
        options.writer = &sim_writer_ftrace; // a guest with Linux
    options.output = options.guest;
    options.run.scenario = "mixed";
    options.run.cpus = 1;
    options.run.start_ticks /= 3;
    options.run.end_ticks = 0;
    options.events = 0;
    options.write.lose = 0;
    if (!sim_out_open(&out, options.output))
        return fail(options.output, strerror(out.error));
    int status = run_once(&options, false, &counts, &stop, NULL, &out, NULL);
    int closed = close_out(&out, options.output);
    snprintf(name, sizeof name, "%s.truth.jsonl", options.output);
    if (status != 0 || closed != 0 || options.truth == SIM_TRUTH_NONE)
        return status != 0 ? status : closed;
    if (!sim_out_open(&truth, name))
        return fail(name, strerror(truth.error));
    sim_guest_truth(options.guest_run, &truth);
    return close_out(&truth, name);
}

// Removes the streams of an earlier capture, which may have had more CPUs.
static void remove_streams(const char *directory)
{
    char path[4096];
    for (int cpu = 0; cpu < SIM_CPU_MAX; cpu++) {
        snprintf(path, sizeof path, "%s/channel0_%d", directory, cpu);
        unlink(path);
        snprintf(path, sizeof path, "%s/index/channel0_%d.idx", directory, cpu);
        unlink(path);
    }
}

// Opens the output, or the main file of a directory.
static bool open_output(const struct sim_options *options, struct sim_out *out)
{
    char path[4096];
    const char *main_file = options->writer->main_file;
    if (main_file == NULL)
        return sim_out_open(out, options->output);
    if (mkdir(options->output, 0777) < 0 && errno != EEXIST) {
        out->error = errno;
        return false;
    }
    remove_streams(options->output);
    snprintf(path, sizeof path, "%s/%s", options->output, main_file);
    return sim_out_open(out, path);
}

int main(int argc, char **argv)
{
    struct sim_options options;
    struct sim_out out, truth_out;
    struct sim_counts counts = {0};
    struct sim_losses losses = {0};
    char truth_name[4096];
    if (!sim_options_read(argc, argv, &options))
        return 2;
    if (options.help) {
        sim_options_help();
        return 0;
    }
    if (!open_output(&options, &out))
        return fail(options.output, strerror(out.error));
    if (options.pace > 0)
        sim_out_pace(&out, (size_t)options.piece, options.piece_random, options.run.seed);
    bool wants_truth = options.truth != SIM_TRUTH_NONE;
    if (options.truth_file == NULL) {
        snprintf(truth_name, sizeof truth_name, "%s.truth.jsonl", options.output);
        options.truth_file = truth_name;
    }
    if (wants_truth && !sim_out_open(&truth_out, options.truth_file))
        return fail(options.truth_file, strerror(truth_out.error));
    int status = 0;
    uint64_t stop = 0;
    // The start of a ring's kept part is known at the end only: a dry run finds it.
    if (options.write.ring || (options.writer->hears_all && wants_truth))
        status = run_once(&options, true, &counts, &stop, NULL, &out, NULL);
    bool cpu_streams = options.run.model == SIM_QNX80 || options.writer == &sim_writer_ftrace ||
                       options.writer->main_file != NULL;
    if (status == 0 && wants_truth && options.write.lose != 0 && cpu_streams)
        status = find_losses(&options, &counts, stop, &losses, &out);
    struct sim_guest guest = {.offset = 0 - options.guest_back,
                              .delay = 1 + options.run.clock_hz / 10000000};
    options.guest_run = options.guest != NULL ? &guest : NULL;
    if (status == 0)
        status = run_once(&options, false, &counts, &stop, &losses, &out,
                          wants_truth ? &truth_out : NULL);
    if (status == 0 && options.guest != NULL)
        status = write_guest_files(&options);
    sim_guest_free(&guest);
    sim_losses_free(&losses);
    int closed = close_out(&out, options.output);
    if (wants_truth) {
        int truth_closed = close_out(&truth_out, options.truth_file);
        closed = closed != 0 ? closed : truth_closed;
    }
    return status != 0 ? status : closed;
}

// SPDX-License-Identifier: Apache-2.0
//
// linux_recorder: the form in which the events of a Linux run are recorded. write_linux.c maps the run to
// events of the kernel; a form encodes them (trace.dat, LTTng). The fields of a record come in the order of
// ftrace_formats.c; a form that stores others reads them from the event of the engine.

#ifndef TTSIM_LINUX_RECORDER_H
#define TTSIM_LINUX_RECORDER_H

#include "ftrace_formats.h"
#include "writer.h"

struct linux_recorder;

struct linux_form {
    // Makes room for the records of one event of the engine, at most LINUX_GROUP bytes, in the buffer of a
    // CPU. Returns whether they are lost: the buffer will be.
    bool (*room)(struct linux_recorder *recorder, uint32_t cpu);
    // Begin, fill (fields in their order) and end a record. Events that the kernel lacks are skipped.
    void (*begin)(struct linux_recorder *recorder, enum ftrace_event event,
                  const struct sim_event *of, uint32_t pid, uint8_t flags);
    void (*number)(struct linux_recorder *recorder, uint64_t number);
    // The six arguments of a system call, one field.
    void (*numbers)(struct linux_recorder *recorder, const uint64_t *numbers);
    void (*string)(struct linux_recorder *recorder, const char *text);
    void (*end)(struct linux_recorder *recorder);
    // Records a thread that exists when the trace begins; NULL: there is no such record.
    void (*existing)(struct linux_recorder *recorder, const struct sim_event *of,
                     const char *command);
    // Writes what is complete (paced output); NULL: the file exists when the run is over.
    void (*flush)(struct linux_recorder *recorder);
    // Ends the capture. `commands`: lines "PID COMM".
    void (*finish)(struct linux_recorder *recorder, const struct ftrace_text *commands);
    void (*close)(struct linux_recorder *recorder); // frees the recorder
};

struct linux_recorder {
    const struct linux_form *form;
    const struct ftrace_kernel *kernel;
    const struct ftrace_machine *machine;
    bool is_dropped; // the last record is not in the file: a call that the form has no event for
};

enum { LINUX_GROUP = 640 };

static inline void linux_begin(struct linux_recorder *recorder, enum ftrace_event event,
                               const struct sim_event *of, uint32_t pid, uint8_t flags)
{
    recorder->form->begin(recorder, event, of, pid, flags);
}

static inline void linux_number(struct linux_recorder *recorder, uint64_t number)
{
    recorder->form->number(recorder, number);
}

static inline void linux_numbers(struct linux_recorder *recorder, const uint64_t *numbers)
{
    recorder->form->numbers(recorder, numbers);
}

static inline void linux_string(struct linux_recorder *recorder, const char *text)
{
    recorder->form->string(recorder, text);
}

static inline void linux_end(struct linux_recorder *recorder)
{
    recorder->form->end(recorder);
}

// Return NULL with the reason in *why. The counts belong to the caller.
struct linux_recorder *ftrace_recorder_open(const struct sim_write_config *config,
                                            struct sim_out *out, struct sim_counts *counts,
                                            const char **why);
struct linux_recorder *lttng_recorder_open(const struct sim_write_config *config,
                                           struct sim_out *out, struct sim_counts *counts,
                                           const char **why);

#endif

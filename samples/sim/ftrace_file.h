// SPDX-License-Identifier: Apache-2.0
//
// ftrace_file: a trace.dat file: pages of a ring buffer for each CPU, and the blocks and sections
// around them. Documents: trace-cmd.dat.v6.5.txt and v7.5.txt of trace-cmd, ring-buffer-design.rst
// of Linux.
//
// A record is built field by field and added to the page of its CPU. Full pages are kept in a
// temporary file for each CPU, as trace-cmd does; the file itself is written when the run is over,
// in one pass, so that it can be a pipe.

#ifndef TTSIM_FTRACE_FILE_H
#define TTSIM_FTRACE_FILE_H

#include "ftrace_formats.h"
#include "writer.h"

#include <stdio.h>

enum { FTRACE_RECORD_MAX = 512, FTRACE_GROUP = 640 };

struct ftrace_cpu {
    uint8_t *page;
    uint32_t used;    // bytes of the page, header included; 0: it has not begun
    uint64_t time;    // of its last record
    uint64_t pages;   // begun so far
    uint64_t records; // in the current page
    uint64_t missed;  // records lost since the last page that was kept
    uint64_t overrun; // records lost in all
    uint64_t kept;    // records in kept pages
    bool is_lost;     // the current page will be lost
    FILE *spool;      // kept pages
    uint64_t kept_pages;
    uint64_t offset, size; // of its data in the file
};

struct ftrace_file {
    struct sim_write_config config;
    struct ftrace_layout layout;
    struct sim_out *out;
    struct sim_counts *counts;
    struct ftrace_cpu cpu[SIM_CPU_MAX];
    uint32_t cpus, page_size, header; // header: bytes before the data of a page
    FILE *body;                       // compressed pages
    struct {
        enum ftrace_event event;
        uint32_t cpu, size, field;
        uint64_t time;
        uint8_t bytes[FTRACE_RECORD_MAX];
    } record;
    bool failed; // a temporary file, or memory
};

// Returns false with the reason in *why.
bool ftrace_file_open(struct ftrace_file *file, const struct sim_write_config *config,
                      struct sim_out *out, struct sim_counts *counts, const char **why);
void ftrace_file_close(struct ftrace_file *file);

// Makes room on the page of a CPU for the records of one event of the engine, at most FTRACE_GROUP bytes.
// Returns whether they are lost: the page will be.
bool ftrace_room(struct ftrace_file *file, uint32_t cpu);

// Begin, fill (fields in their order) and end a record. Events that the kernel lacks are skipped.
void ftrace_begin(struct ftrace_file *file, enum ftrace_event event, const struct sim_event *of,
                  uint32_t pid, uint8_t flags);
void ftrace_number(struct ftrace_file *file, uint64_t number);
// The six arguments of a system call, one field.
void ftrace_numbers(struct ftrace_file *file, const uint64_t *numbers);
void ftrace_string(struct ftrace_file *file, const char *text);
void ftrace_end(struct ftrace_file *file);

// Writes the file. `commands`: lines "PID COMM".
void ftrace_file_write(struct ftrace_file *file, const struct ftrace_text *commands);

#endif

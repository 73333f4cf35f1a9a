// SPDX-License-Identifier: Apache-2.0
//
// lttng_events: the events of an LTTng kernel trace: their fields, and their metadata in TSDL (CTF 1.8) or
// JSON (CTF 2). Documents: the Common Trace Format Specification 1.8.3, CTF2-SPEC-2.0, and the metadata of
// recorded traces.
//
//     number in the stream:  events of the kernel | state dump | entries of system calls | exits
//
// The tables are constant.

#ifndef TTSIM_LTTNG_EVENTS_H
#define TTSIM_LTTNG_EVENTS_H

#include "ftrace_formats.h"

enum { LTTNG_FIELDS = 14, LTTNG_CALLS = 16 };

enum lttng_dump {
    LTTNG_DUMP_START = FTRACE_EVENTS,
    LTTNG_DUMP_PROCESS,
    LTTNG_DUMP_END,
    LTTNG_ENTRY, // of the system call 0, which does not exist
    LTTNG_EXIT = LTTNG_ENTRY + LTTNG_CALLS,
    LTTNG_EVENTS = LTTNG_EXIT + LTTNG_CALLS
};

// Kinds of fields: c a text of 16 characters, i an integer of 32 bits with a sign, n the same for a
// priority, u one without, l a word of the machine with a sign, L one without, p an address, x 64 bits, s a
// string, t a text with its length before it, v a sequence of numbers of threads with its length before it.
struct lttng_field {
    char kind;
    const char *name;
    // A digit: the value of this number in the record. P, C: the process of the running thread, of the new
    // one. 0 without a digit's meaning is '-'.
    char from;
};

struct lttng_event {
    const char *name; // NULL: not in LTTng
    struct lttng_field fields[LTTNG_FIELDS];
};

struct lttng_kind {
    uint8_t size; // bytes of an integer, 0: a word of the machine
    bool is_signed, is_hexadecimal, is_text;
};

// A trace's form.
struct lttng_form {
    bool is64, big_endian, natural; // natural: fields are aligned to their size
    bool large, contexts;
    uint8_t uuid[16], clock_uuid[16];
    const char *kernel_release;
};

// Returns an event without a name where there is none.
const struct lttng_event *lttng_event_of(uint32_t number);
struct lttng_kind lttng_kind_of(char kind);

void lttng_metadata_tsdl(const struct lttng_form *form, struct ftrace_text *text);
void lttng_metadata_json(const struct lttng_form *form, struct ftrace_text *text);

#endif

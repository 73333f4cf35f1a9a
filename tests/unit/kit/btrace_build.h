/* SPDX-License-Identifier: Apache-2.0 */
/*
 * btrace_build: writes BTrace records byte by byte from the documents, independent of the decoder,
 * and decodes a stream through the format's table.
 */
#ifndef TRACETUI_TESTS_BTRACE_BUILD_H
#define TRACETUI_TESTS_BTRACE_BUILD_H

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdint.h>

#include "tracetui/event_line.h"
#include "tracetui/format.h"

extern const struct tt_format tt_format_btrace;

enum {
    H2 = 0x01,
    TS = 0x02,
    TS2 = 0x04,
    CTX = 0x08,
    PC = 0x10,
    EXTRA = 0x20,
    CUT = 0x40,
    LOSS = 0x80
};

struct rec {
    uint8_t flags;
    uint8_t category;
    uint8_t sub;
    uint32_t header2;
    uint32_t ts;
    uint32_t ts2;
    uint32_t context;
    uint32_t pc;
    uint32_t extra;
    const void *data;
    size_t length;
};

struct stream {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
};

void stream_bytes(struct stream *s, const void *bytes, size_t length);
/* Appends a record with its padding; returns its position. */
uint64_t stream_record(struct stream *s, const struct rec *r);
/* Appends a uniprocessor record with Timestamp and words as data. */
uint64_t stream_words(struct stream *s, uint8_t category, uint8_t sub, uint32_t ts,
                      const uint32_t *words, unsigned count);
/* Appends two words and a text, as in records of names. */
uint64_t stream_name(struct stream *s, uint8_t category, uint8_t sub, uint32_t ts, uint32_t a,
                     uint32_t b, const char *name);
/* Appends ENewThreadContext of a uniprocessor. */
uint64_t stream_switch(struct stream *s, uint32_t ts, uint32_t nthread);
/* Appends an SMP record of ECpuUsage: `nthread` for ENewThreadContext, a vector for EIrqStart, or
 * 0. */
uint64_t stream_smp(struct stream *s, uint16_t cpu, uint8_t sub, uint64_t ts, uint32_t word);
/*
 * Appends a whole multipart trace: A, then `length` bytes. Returns the position of the first part.
 */
uint64_t stream_parts(struct stream *s, uint8_t category, uint8_t sub, uint32_t ts, uint32_t id,
                      uint32_t a, const void *data, uint32_t length);
/* Appends one part: what = 1 first, 2 middle, 3 last. */
uint64_t stream_part(struct stream *s, unsigned what, uint8_t category, uint8_t sub, uint32_t ts,
                     uint32_t id, uint32_t n, uint32_t second, const void *data, size_t length);
void stream_free(struct stream *s);

struct reading {
    struct tt_capture *capture;
    struct tt_event *events;
    uint32_t count;
    struct tt_action *actions; /* without notes */
    uint32_t action_count;
    uint32_t event_room, action_room;
    uint64_t records;
};

/*
 * Opens and decodes the bytes, then decodes every block again with a second cursor from the saved
 * states and expects the same events.
 */
struct reading read_bytes(const void *bytes, size_t size);
struct reading read_stream(const struct stream *s);
void reading_free(struct reading *r);

const char *type_name(const struct reading *r, uint32_t event);
const char *class_name(const struct reading *r, uint32_t event);
const char *thread_name(const struct reading *r, uint32_t thread);
const char *process_name_of(const struct reading *r, uint32_t thread);
/* Returns the arguments of an event as a line, in a buffer that the next call reuses. */
const char *args_line(const struct reading *r, uint32_t event);
void describe(const struct reading *r, uint32_t event, struct tt_args *args);
/* Returns the number of actions of a kind. */
uint32_t action_total(const struct reading *r, enum tt_action_kind kind);
/* Returns the n-th action of a kind. */
const struct tt_action *action_at(const struct reading *r, enum tt_action_kind kind, uint32_t n);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_build: writes small QNX captures for tests, from the layout in the public headers rather than
 * the decoder's tables, and decodes captures through the format's functions.
 *
 *       struct kev_build b;
 *       kev_build_begin(&b, "7.1.0", false);
 *       kev_build_event(&b, 0, 4, 1, 1000, 2, 4099, 1);       CPU 0, THREAD, RUNNING
 *       struct kev_read r = kev_read_all(&b);
 *       ...
 *       kev_read_free(&r);
 *       kev_build_free(&b);
 *
 *  Every failure fails the test at once.
 */
#ifndef TESTS_KEV_BUILD_H
#define TESTS_KEV_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracetui/format.h"

enum { KB_SIMPLE, KB_BEGIN, KB_MIDDLE, KB_END };
enum { KB_CONTROL = 1, KB_CALL, KB_INT, KB_THREAD, KB_SYSTEM, KB_USER, KB_COMM, KB_QUIP, KB_SEC };

struct kev_build {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
    size_t slots; /* offset of the first slot */
    bool big;
};

/* Begins a header with the usual keys, 736629000 cycles per second, and no system page. */
void kev_build_begin(struct kev_build *b, const char *release, bool big);
/* Begins an empty file, for tests with headers of their own. */
void kev_build_empty(struct kev_build *b, bool big);
void kev_build_free(struct kev_build *b);

void kev_build_bytes(struct kev_build *b, const void *bytes, size_t size);
void kev_build_text(struct kev_build *b, const char *text);
/* Ends the header; slots follow. */
void kev_build_slots_begin(struct kev_build *b);

void kev_build_slot(struct kev_build *b, unsigned cpu, unsigned structure, unsigned class_,
                    unsigned event, uint32_t stamp, uint32_t first, uint32_t second);
/* Appends an event of `count` words, in as many slots as required. */
void kev_build_words(struct kev_build *b, unsigned cpu, unsigned class_, unsigned event,
                     uint32_t stamp, const uint32_t *words, size_t count);
void kev_build_event(struct kev_build *b, unsigned cpu, unsigned class_, unsigned event,
                     uint32_t stamp, size_t count, ...);
/* Appends two words and a text: a process or thread with its name. */
void kev_build_named(struct kev_build *b, unsigned cpu, unsigned event, uint32_t stamp,
                     uint32_t first, uint32_t second, const char *name);
/* Converts a NUL-terminated text to words; returns their number. */
size_t kev_build_text_words(const struct kev_build *b, const char *text, uint32_t *words,
                            size_t max);

void kev_build_time(struct kev_build *b, unsigned cpu, uint32_t stamp, uint32_t msb);
void kev_build_buffer(struct kev_build *b, unsigned cpu, uint32_t stamp, uint32_t sequence,
                      uint32_t slots);

/* ---- reading back ----------------------------------------------------------------------- */

struct kev_read {
    struct tt_capture *capture;
    struct tt_event *events; /* in file order */
    uint32_t event_count;
    struct tt_action *actions; /* without notes */
    uint32_t action_count;
    uint64_t records;
};

/* Opens and decodes the capture with a learning cursor. */
struct kev_read kev_read_all(const struct kev_build *b);
struct kev_read
kev_read_capture(struct tt_capture *capture); /* an opened one, which it then owns */
struct kev_read kev_read_bytes(const uint8_t *bytes, size_t size, const char *names_path);
void kev_read_free(struct kev_read *r);
/* Returns the status of opening it. */
struct tt_status kev_read_status(const struct kev_build *b);

const char *kev_read_name(const struct kev_read *r, uint32_t event);
const char *kev_read_class(const struct kev_read *r, uint32_t event);
/* Returns the arguments as a line, "pid=1 tid=2", hidden ones in brackets. */
const char *kev_read_args(const struct kev_read *r, uint32_t event);
/* Returns the n-th action of a kind, or NULL. */
const struct tt_action *kev_read_action(const struct kev_read *r, unsigned kind, unsigned n);
unsigned kev_read_action_count(const struct kev_read *r, unsigned kind);
/* Returns a lane as "4099/2", "-" for none. */
const char *kev_read_thread(const struct kev_read *r, uint32_t thread);
/* Returns the output of a style, to be freed. */
char *kev_read_style(const struct kev_read *r, const char *style);

#endif

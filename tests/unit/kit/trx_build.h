/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trx_build: ThreadX trace buffers for the tests: made word by word, turned into other layouts
 * and containers, and decoded whole. Memory is freed by trx_kit_close and trx_bytes_free; the
 * assertions of Criterion end a test at the first trouble.
 */
#ifndef TRACETUI_TESTS_TRX_BUILD_H
#define TRACETUI_TESTS_TRX_BUILD_H

#include "tracetui/format.h"

#define TRX_CAPTURES "../shared/captures/trx/"

/* Bytes that the test owns. */
struct trx_bytes {
    uint8_t *data;
    size_t size;
};

void trx_bytes_free(struct trx_bytes *bytes);
/* The file, or data NULL if it is not there. */
struct trx_bytes trx_bytes_read(const char *path);

/* ---- making a buffer ---------------------------------------------------------------------- */

struct trx_kit_object {
    uint8_t available;
    uint8_t type;
    uint8_t reserved[2];
    uint64_t address;
    uint64_t parameters[2];
    const char *name;
};

/* context, priority word, event word, time stamp, four information words */
struct trx_kit_entry {
    uint64_t words[8];
};

struct trx_kit_buffer {
    bool big;
    bool wide;
    uint64_t mask;
    uint32_t oldest;    /* index of the oldest entry */
    uint32_t name_size; /* 0: 32 */
    const struct trx_kit_object *objects;
    uint32_t object_count;
    const struct trx_kit_entry *entries; /* in the order of the ring */
    uint32_t entry_count;
};

#define TRX_KIT_BASE 0x20000000u

struct trx_bytes trx_kit_make(const struct trx_kit_buffer *buffer);
/* Writes header word `index` (0 id, 1 mask, 2 base, ... as ULONGs; sizes of names apart). */
void trx_kit_put_word(struct trx_bytes *bytes, bool wide, bool big, size_t offset, uint64_t value);

/* ---- the same capture in other clothes ---------------------------------------------------- */

/* From a 32-bit little-endian buffer. */
struct trx_bytes trx_as_layout(const struct trx_bytes *narrow, bool wide, bool big);
struct trx_bytes trx_as_intel_hex(const struct trx_bytes *bytes);
struct trx_bytes trx_as_s_record(const struct trx_bytes *bytes, unsigned address_bytes);
struct trx_bytes trx_as_hex_dump(const struct trx_bytes *bytes);

/* ---- decoding ----------------------------------------------------------------------------- */

struct trx_kit {
    struct tt_capture *capture;
    struct tt_event *events;
    uint32_t count;
    struct tt_action *actions; /* but for notes */
    uint32_t action_count;
    uint64_t records;
    struct trx_bytes owned; /* bytes of the capture that trx_kit_close frees */
};

/* Opens; the status says how it went. Nothing is decoded yet. */
struct tt_status trx_kit_open(struct trx_kit *kit, const struct trx_bytes *bytes,
                              const struct tt_capture_options *options);
/* Decodes all, `capacity` events at a time. False when the decoder ran out of memory. */
bool trx_kit_decode(struct trx_kit *kit, uint32_t capacity);
/* Both, and asserts that they go well. */
void trx_kit_load(struct trx_kit *kit, const struct trx_bytes *bytes);
/* The same of a buffer made here, which lives as long as the kit. */
void trx_kit_load_buffer(struct trx_kit *kit, const struct trx_kit_buffer *buffer);
void trx_kit_close(struct trx_kit *kit);

/* Describes event `index`; false if the decoder says that its bytes are gone. */
bool trx_kit_describe(const struct trx_kit *kit, uint32_t index, struct tt_args *args);
/* The argument with this name, or NULL. */
const struct tt_arg *trx_kit_arg(const struct tt_args *args, const char *name);
/* The argument that stands in entry word `word`, or NULL. */
const struct tt_arg *trx_kit_word(const struct trx_kit *kit, const struct tt_args *args,
                                  unsigned word);
/* Does the argument's label read so? */
bool trx_kit_labelled(const struct tt_arg *arg, const char *label);
/* Name of the event's thread, "" for none. */
const char *trx_kit_thread(const struct trx_kit *kit, uint32_t index);
/* Value of a fact, or NULL. */
const char *trx_kit_fact(const struct trx_kit *kit, const char *section, const char *key);
/* Describes all events, asks for their parts and offsets, and checks that all stays in bounds. */
void trx_kit_touch_all(const struct trx_kit *kit);

uint64_t trx_kit_random(uint64_t *state);

#endif

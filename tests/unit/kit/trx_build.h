/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trx_build: ThreadX trace buffers for tests: written word by word, converted to other layouts and
 * containers, and decoded. trx_kit_close and trx_bytes_free free the memory; Criterion's assertions
 * end a test at the first failure.
 */
#ifndef TRACETUI_TESTS_TRX_BUILD_H
#define TRACETUI_TESTS_TRX_BUILD_H

#include "tracetui/format.h"

#define TRX_CAPTURES "../shared/captures/trx/"

/* Bytes owned by the test. */
struct trx_bytes {
    uint8_t *data;
    size_t size;
};

void trx_bytes_free(struct trx_bytes *bytes);
/* Returns the file's bytes, or data NULL if it does not exist. */
struct trx_bytes trx_bytes_read(const char *path);

/* ---- making a buffer -------------------------------------------------------------------- */

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
    uint32_t oldest;    /* ring index of the oldest entry */
    uint32_t name_size; /* 0: 32 */
    const struct trx_kit_object *objects;
    uint32_t object_count;
    const struct trx_kit_entry *entries; /* in ring order */
    uint32_t entry_count;
};

#define TRX_KIT_BASE 0x20000000u

struct trx_bytes trx_kit_make(const struct trx_kit_buffer *buffer);
/* Writes header word `index` (0 id, 1 mask, 2 base, ... as ULONGs; sizes of names apart). */
void trx_kit_put_word(struct trx_bytes *bytes, bool wide, bool big, size_t offset, uint64_t value);

/* ---- other layouts of the same capture -------------------------------------------------- */

/* Converts a 32-bit little-endian buffer. */
struct trx_bytes trx_as_layout(const struct trx_bytes *narrow, bool wide, bool big);
struct trx_bytes trx_as_intel_hex(const struct trx_bytes *bytes);
struct trx_bytes trx_as_s_record(const struct trx_bytes *bytes, unsigned address_bytes);
struct trx_bytes trx_as_hex_dump(const struct trx_bytes *bytes);

/* ---- decoding --------------------------------------------------------------------------- */

struct trx_kit {
    struct tt_capture *capture;
    struct tt_event *events;
    size_t event_capacity;
    uint32_t count;
    struct tt_action *actions; /* without notes */
    size_t action_capacity;
    uint32_t action_count;
    uint64_t records;
    struct trx_bytes owned; /* capture bytes, freed by trx_kit_close */
};

/* Opens the bytes without decoding. */
struct tt_status trx_kit_open(struct trx_kit *kit, const struct trx_bytes *bytes,
                              const struct tt_capture_options *options);
/*
 * Decodes everything, `capacity` events at a time. Returns false when the decoder is out of memory.
 */
bool trx_kit_decode(struct trx_kit *kit, uint32_t capacity);
/* Opens and decodes; asserts success. */
void trx_kit_load(struct trx_kit *kit, const struct trx_bytes *bytes);
/* The same for a buffer built here, which lives as long as the kit. */
void trx_kit_load_buffer(struct trx_kit *kit, const struct trx_kit_buffer *buffer);
void trx_kit_close(struct trx_kit *kit);

/* Describes event `index`; returns false if its bytes are gone. */
bool trx_kit_describe(const struct trx_kit *kit, uint32_t index, struct tt_args *args);
/* Returns the argument with this name, or NULL. */
const struct tt_arg *trx_kit_arg(const struct tt_args *args, const char *name);
/* Returns the argument of entry word `word`, or NULL. */
const struct tt_arg *trx_kit_word(const struct trx_kit *kit, const struct tt_args *args,
                                  unsigned word);
/* Returns whether the argument has this label. */
bool trx_kit_labelled(const struct tt_arg *arg, const char *label);
/* Returns the name of the event's thread, "" for none. */
const char *trx_kit_thread(const struct trx_kit *kit, uint32_t index);
/* Returns the value of a fact, or NULL. */
const char *trx_kit_fact(const struct trx_kit *kit, const char *section, const char *key);
/* Describes all events with their parts and offsets, and checks the bounds. */
void trx_kit_touch_all(const struct trx_kit *kit);

uint64_t trx_kit_random(uint64_t *state);

#endif

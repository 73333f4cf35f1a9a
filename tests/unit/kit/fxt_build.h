/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fxt_build: writes Fuchsia trace records for tests and benchmarks, word by word from the format's
 * specification and independent of the decoder.
 *
 *       struct fxt_out out = {.big = false};
 *       fxt_magic(&out);
 *       size_t at = fxt_begin(&out, fxt_event(0, 1, 0, FXT_INLINE(3), FXT_INLINE(2)));
 *       fxt_word(&out, 17); ...
 *       fxt_end(&out, at);          sets the size of the record
 *
 *  The bytes belong to the caller: free(out.bytes). Out of memory ends the program.
 */
#ifndef TRACETUI_TESTS_FXT_BUILD_H
#define TRACETUI_TESTS_FXT_BUILD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct fxt_out {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
    bool big;
};

#define FXT_INLINE(length) (0x8000u | (unsigned)(length))

static inline void fxt_room(struct fxt_out *out, size_t more)
{
    if (out->size + more > out->capacity) {
        out->capacity = (out->size + more) * 2;
        out->bytes = realloc(out->bytes, out->capacity);
        if (!out->bytes) {
            abort();
        }
    }
}

static inline void fxt_put_word(uint8_t *bytes, uint64_t word, bool big)
{
    for (unsigned i = 0; i < 8; i++) {
        bytes[big ? 7 - i : i] = (uint8_t)(word >> (8 * i));
    }
}

static inline uint64_t fxt_get_word(const uint8_t *bytes, bool big)
{
    uint64_t word = 0;
    for (unsigned i = 0; i < 8; i++) {
        word |= (uint64_t)bytes[big ? 7 - i : i] << (8 * i);
    }
    return word;
}

static inline void fxt_word(struct fxt_out *out, uint64_t word)
{
    fxt_room(out, 8);
    fxt_put_word(out->bytes + out->size, word, out->big);
    out->size += 8;
}

/* Appends a stream: bytes, zero-padded to a word. */
static inline void fxt_stream(struct fxt_out *out, const void *bytes, size_t length)
{
    size_t padded = (length + 7) / 8 * 8;
    fxt_room(out, padded + 8);
    memset(out->bytes + out->size, 0, padded);
    if (length > 0) {
        memcpy(out->bytes + out->size, bytes, length);
    }
    out->size += padded;
}

static inline void fxt_text(struct fxt_out *out, const char *text)
{
    fxt_stream(out, text, strlen(text));
}

static inline size_t fxt_begin(struct fxt_out *out, uint64_t header)
{
    size_t at = out->size;
    fxt_word(out, header);
    return at;
}

/* Sets the size of the record that begins at `at`: 12 bits, 32 in a large one. */
static inline void fxt_end(struct fxt_out *out, size_t at)
{
    uint64_t header = fxt_get_word(out->bytes + at, out->big);
    fxt_put_word(out->bytes + at, header | (uint64_t)(out->size - at) / 8 << 4, out->big);
}

/* ---- definitions ------------------------------------------------------------------------ */

static inline void fxt_magic(struct fxt_out *out)
{
    fxt_word(out, UINT64_C(0x0016547846040010));
}

static inline void fxt_provider_info(struct fxt_out *out, uint64_t id, const char *name)
{
    size_t at = fxt_begin(out, 1 << 16 | id << 20 | (uint64_t)strlen(name) << 52);
    fxt_text(out, name);
    fxt_end(out, at);
}

static inline void fxt_section(struct fxt_out *out, uint64_t id)
{
    fxt_end(out, fxt_begin(out, 2 << 16 | id << 20));
}

static inline void fxt_provider_event(struct fxt_out *out, uint64_t id, uint64_t event)
{
    fxt_end(out, fxt_begin(out, 3 << 16 | id << 20 | event << 52));
}

static inline void fxt_init(struct fxt_out *out, uint64_t ticks_per_second)
{
    size_t at = fxt_begin(out, 1);
    fxt_word(out, ticks_per_second);
    fxt_end(out, at);
}

static inline void fxt_string_bytes(struct fxt_out *out, uint64_t index, const void *bytes,
                                    size_t length)
{
    size_t at = fxt_begin(out, 2 | index << 16 | (uint64_t)length << 32);
    fxt_stream(out, bytes, length);
    fxt_end(out, at);
}

static inline void fxt_string(struct fxt_out *out, uint64_t index, const char *text)
{
    fxt_string_bytes(out, index, text, strlen(text));
}

static inline void fxt_thread(struct fxt_out *out, uint64_t index, uint64_t pid, uint64_t tid)
{
    size_t at = fxt_begin(out, 3 | index << 16);
    fxt_word(out, pid);
    fxt_word(out, tid);
    fxt_end(out, at);
}

/* ---- headers of records with arguments -------------------------------------------------- */

static inline uint64_t fxt_event(uint64_t type, uint64_t args, uint64_t thread, uint64_t category,
                                 uint64_t name)
{
    return 4 | type << 16 | args << 20 | thread << 24 | category << 32 | name << 48;
}

static inline uint64_t fxt_kernel_object(uint64_t type, uint64_t name, uint64_t args)
{
    return 7 | type << 16 | name << 24 | args << 40;
}

static inline uint64_t fxt_switch(uint64_t cpu, uint64_t state, uint64_t args)
{
    return 8 | args << 16 | cpu << 20 | state << 36 | UINT64_C(1) << 60;
}

static inline uint64_t fxt_wakeup(uint64_t cpu, uint64_t args)
{
    return 8 | args << 16 | cpu << 20 | UINT64_C(2) << 60;
}

/* ---- arguments -------------------------------------------------------------------------- */

/* Begins an argument with an inline name. */
static inline size_t fxt_arg(struct fxt_out *out, uint64_t type, const char *name, uint64_t high)
{
    size_t at = fxt_begin(out, type | (uint64_t)FXT_INLINE(strlen(name)) << 16 | high << 32);
    fxt_text(out, name);
    return at;
}

static inline void fxt_arg_short(struct fxt_out *out, uint64_t type, const char *name,
                                 uint32_t value)
{
    fxt_end(out, fxt_arg(out, type, name, value));
}

static inline void fxt_arg_long(struct fxt_out *out, uint64_t type, const char *name,
                                uint64_t value)
{
    size_t at = fxt_arg(out, type, name, 0);
    fxt_word(out, value);
    fxt_end(out, at);
}

static inline void fxt_arg_text(struct fxt_out *out, const char *name, const char *text)
{
    size_t at = fxt_arg(out, 6, name, FXT_INLINE(strlen(text)));
    fxt_text(out, text);
    fxt_end(out, at);
}

/* ---- whole records ---------------------------------------------------------------------- */

/* Appends an event with inline thread, category and name, without arguments and tail. */
static inline void fxt_simple_event(struct fxt_out *out, uint64_t type, uint64_t ticks,
                                    uint64_t pid, uint64_t tid, const char *category,
                                    const char *name)
{
    size_t at = fxt_begin(
        out, fxt_event(type, 0, 0, FXT_INLINE(strlen(category)), FXT_INLINE(strlen(name))));
    fxt_word(out, ticks);
    fxt_word(out, pid);
    fxt_word(out, tid);
    fxt_text(out, category);
    fxt_text(out, name);
    fxt_end(out, at);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* section_file: writes a file of checksummed sections in pieces, reads it from a mapping. */
#include "base/section_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/array.h"
#include "base/platform.h"
#include "base/worker_thread.h"

#define PIECE         ((size_t)1 << 20) /* bytes per checksum and per write */
#define SECTION_ALIGN 64u
#define ORDER_MARK    UINT32_C(0x0a0b0c0d)

static const char MAGIC[8] = "ttkeep\r\n";

struct head {
    char magic[8];
    uint32_t layout;
    uint32_t order; /* ORDER_MARK in this machine's byte order */
    uint32_t word;  /* size of a pointer: mapped structs depend on it */
    uint32_t sections;
    uint64_t size;      /* of the file */
    uint64_t directory; /* its offset */
    uint64_t sum;       /* of the directory */
    uint64_t zero[2];
};

struct entry {
    uint32_t tag;
    uint32_t packed; /* 1: by zstd */
    uint64_t place;
    uint64_t size;
    uint64_t sum;
};

_Static_assert(sizeof(struct head) == SECTION_ALIGN, "the first section follows the head");

/*
 * The checksum of a section is the sum of the checksums of its pieces, each seeded with its number:
 * several threads can compute them in any order, and swapped pieces are detected.
 */
static uint64_t sum_of_piece(const uint8_t *piece, size_t length, uint64_t number)
{
    return XXH3_64bits_withSeed(piece, length, number + 1);
}

static uint64_t round_up(uint64_t n, uint64_t to)
{
    return (n + to - 1) / to * to;
}

/* ---- writing ------------------------------------------------------------------------------- */

struct tt_section_writer {
    int fd;
    const _Atomic bool *stop;
    struct tt_status status; /* the first error */
    uint64_t written;        /* bytes of the file without the buffer */
    uint8_t *buffer;         /* the current piece of PIECE bytes; or everything gathered */
    size_t used;
    size_t capacity; /* of the gathered data */
    bool gathers;
    bool in_section;
    bool counts_only;
    bool packs;        /* the current section */
    uint64_t unpacked; /* its size so far */
    ZSTD_CCtx *packer; /* created with the first packed section */
    uint32_t count;
    struct entry entries[TT_SECTION_TAGS]; /* the last one is the current section */
};

struct tt_section_writer *tt_section_writer_new(int fd, const _Atomic bool *stop)
{
    struct tt_section_writer *w = calloc(1, sizeof *w);
    uint8_t *buffer = malloc(PIECE);
    if (!w || !buffer) {
        free(w);
        free(buffer);
        return NULL;
    }
    w->fd = fd;
    w->stop = stop;
    w->status = tt_ok();
    w->buffer = buffer;
    const struct head none = {0};
    tt_section_put(w, &none, sizeof none);
    return w;
}

struct tt_section_writer *tt_section_writer_counting(void)
{
    struct tt_section_writer *w = calloc(1, sizeof *w);
    if (w) {
        w->status = tt_ok();
        w->counts_only = true;
        w->written = sizeof(struct head);
    }
    return w;
}

struct tt_section_writer *tt_section_writer_gathering(void)
{
    struct tt_section_writer *w = calloc(1, sizeof *w);
    if (w) {
        w->status = tt_ok();
        w->gathers = true;
    }
    return w;
}

struct tt_bytes tt_section_gathered(const struct tt_section_writer *w)
{
    return tt_bytes_of(w->buffer, w->used);
}

void tt_section_writer_free(struct tt_section_writer *w)
{
    if (w) {
        ZSTD_freeCCtx(w->packer);
        free(w->buffer);
        free(w);
    }
}

static void write_all(struct tt_section_writer *w, const uint8_t *bytes, size_t size)
{
    for (size_t done = 0; done < size && !tt_failed(&w->status);) {
        ssize_t n = write(w->fd, bytes + done, size - done);
        if (n > 0) {
            done += (size_t)n;
        } else if (n == 0) {
            w->status = tt_error(TT_ERR_IO, "write: no bytes written");
        } else if (errno != EINTR) {
            w->status = tt_error_errno(errno, "write");
        }
    }
    w->written += size;
}

static void flush(struct tt_section_writer *w)
{
    if (w->stop && atomic_load_explicit(w->stop, memory_order_relaxed) && !tt_failed(&w->status)) {
        w->status = tt_error(TT_ERR_CANCELLED, "stopped");
    }
    if (w->in_section && w->used > 0) {
        struct entry *current = &w->entries[w->count - 1];
        current->sum += sum_of_piece(w->buffer, w->used, current->size / PIECE);
        current->size += w->used;
    }
    write_all(w, w->buffer, w->used);
    w->used = 0;
}

/* Appends bytes as they are, to the buffer or only to the size. */
static void put_bytes(struct tt_section_writer *w, const uint8_t *from, size_t size)
{
    if (w->counts_only) {
        w->written += size;
        w->entries[w->count > 0 ? w->count - 1 : 0].size += w->in_section ? size : 0;
        return;
    }
    while (size > 0 && !tt_failed(&w->status)) {
        size_t part = size < PIECE - w->used ? size : PIECE - w->used;
        memcpy(w->buffer + w->used, from, part);
        w->used += part;
        from += part;
        size -= part;
        if (w->used == PIECE) {
            flush(w);
        }
    }
}

/* ---- packed sections ----------------------------------------------------------------------- */

#define PACK_LEVEL 3
#define PACK_MOST  (UINT64_C(1) << 15) /* no zstd frame is larger than this times its size */

/* Appends the output for some bytes, with the end of the frame if `mode` requires it. */
static void pack(struct tt_section_writer *w, const void *bytes, size_t size,
                 ZSTD_EndDirective mode)
{
    uint8_t out[4096];
    ZSTD_inBuffer from = {bytes, size, 0};
    for (size_t left = 1; (left > 0 || from.pos < size) && !tt_failed(&w->status);) {
        ZSTD_outBuffer to = {out, sizeof out, 0};
        left = ZSTD_compressStream2(w->packer, &to, &from, mode);
        if (ZSTD_isError(left)) {
            w->status = tt_error_memory(); /* the only cause: the input is valid */
            return;
        }
        put_bytes(w, out, to.pos);
        if (mode == ZSTD_e_continue && from.pos == size) {
            return;
        }
    }
}

static void end_packing(struct tt_section_writer *w)
{
    w->packs = false;
    if (!tt_failed(&w->status)) {
        pack(w, NULL, 0, ZSTD_e_end);
        tt_section_put_u64(w, w->unpacked);
    }
}

/* Ends the current section and pads the file to a multiple of `align`. */
static void end_section(struct tt_section_writer *w, uint64_t align)
{
    if (w->packs) {
        end_packing(w);
    }
    flush(w);
    w->in_section = false;
    static const uint8_t zeros[SECTION_ALIGN] = {0};
    tt_section_put(w, zeros, (size_t)(round_up(w->written, align) - w->written));
    flush(w);
}

void tt_section(struct tt_section_writer *w, enum tt_section_tag tag)
{
    end_section(w, SECTION_ALIGN);
    if (w->count == TT_SECTION_TAGS) {
        w->status = tt_error(TT_ERR_USAGE, "section begun twice");
        return;
    }
    w->entries[w->count++] = (struct entry){.tag = (uint32_t)tag, .place = w->written};
    w->in_section = true;
}

void tt_section_packed(struct tt_section_writer *w, enum tt_section_tag tag)
{
    tt_section(w, tag);
    if (!w->packer) {
        w->packer = ZSTD_createCCtx();
    }
    if (tt_failed(&w->status)) {
        return;
    }
    if (!w->packer || ZSTD_isError(ZSTD_CCtx_reset(w->packer, ZSTD_reset_session_only)) ||
        ZSTD_isError(ZSTD_CCtx_setParameter(w->packer, ZSTD_c_compressionLevel, PACK_LEVEL))) {
        w->status = tt_error_memory();
        return;
    }
    w->entries[w->count - 1].packed = 1;
    w->packs = true;
    w->unpacked = 0;
}

static void gather(struct tt_section_writer *w, const void *bytes, size_t size)
{
    uint8_t *buffer = size <= SIZE_MAX - w->used ? tt_array_reserve(w->buffer, w->used + size,
                                                                    &w->capacity, sizeof *buffer)
                                                 : NULL;
    if (!buffer) {
        w->status = tt_error_memory();
        return;
    }
    w->buffer = buffer;
    memcpy(w->buffer + w->used, bytes, size);
    w->used += size;
}

void tt_section_put(struct tt_section_writer *w, const void *bytes, size_t size)
{
    if (tt_failed(&w->status) || size == 0) {
        return;
    }
    if (w->gathers) {
        gather(w, bytes, size);
    } else if (w->packs) {
        w->unpacked += size;
        pack(w, bytes, size, ZSTD_e_continue);
    } else {
        put_bytes(w, bytes, size);
    }
}

void tt_section_put_u32(struct tt_section_writer *w, uint32_t number)
{
    tt_section_put(w, &number, sizeof number);
}

void tt_section_put_u64(struct tt_section_writer *w, uint64_t number)
{
    tt_section_put(w, &number, sizeof number);
}

void tt_section_put_text(struct tt_section_writer *w, const char *text)
{
    uint32_t length = text ? (uint32_t)strlen(text) : TT_SECTION_NO_TEXT;
    tt_section_put_u32(w, length);
    if (text) {
        tt_section_put(w, text, (size_t)length + 1);
    }
}

void tt_section_align(struct tt_section_writer *w)
{
    static const uint8_t zeros[8] = {0};
    tt_section_put(w, zeros, (size_t)(round_up(tt_section_at(w), 8) - tt_section_at(w)));
}

uint64_t tt_section_at(const struct tt_section_writer *w)
{
    if (w->gathers || w->packs) {
        return w->packs ? w->unpacked : w->used;
    }
    return w->in_section ? w->entries[w->count - 1].size + w->used : 0;
}

bool tt_section_failed(const struct tt_section_writer *w)
{
    return tt_failed(&w->status);
}

struct tt_status tt_section_file_finish(struct tt_section_writer *w)
{
    end_section(w, 8);
    size_t size = w->count * sizeof *w->entries;
    struct head head = {
        .layout = TT_SECTION_LAYOUT,
        .order = ORDER_MARK,
        .word = sizeof(void *),
        .sections = w->count,
        .size = w->written + size,
        .directory = w->written,
        .sum = sum_of_piece((const uint8_t *)w->entries, size, 0),
    };
    memcpy(head.magic, MAGIC, sizeof head.magic);
    tt_section_put(w, w->entries, size);
    flush(w);
    if (w->counts_only) {
        return w->status;
    }
    if (!tt_failed(&w->status) && lseek(w->fd, 0, SEEK_SET) != 0) {
        w->status = tt_error_errno(errno, "seek");
    }
    w->written -= sizeof head; /* its space is counted already */
    write_all(w, (const uint8_t *)&head, sizeof head);
    return w->status;
}

uint64_t tt_section_file_size(const struct tt_section_writer *w)
{
    return w->written;
}

/* ---- reading ------------------------------------------------------------------------------- */

/* Reads the head; returns false unless this program wrote it for a file of this size. */
static bool read_head(struct tt_bytes bytes, struct head *head)
{
    if (bytes.size < sizeof *head) {
        return false;
    }
    memcpy(head, bytes.data, sizeof *head);
    return memcmp(head->magic, MAGIC, sizeof head->magic) == 0 &&
           head->layout == TT_SECTION_LAYOUT && head->order == ORDER_MARK &&
           head->word == sizeof(void *) && head->size == bytes.size &&
           head->sections <= TT_SECTION_TAGS && head->zero[0] == 0 && head->zero[1] == 0 &&
           tt_bytes_has(bytes, head->directory, head->sections * sizeof(struct entry)) &&
           head->size - head->directory == head->sections * sizeof(struct entry);
}

bool tt_section_file_open(struct tt_bytes bytes, struct tt_section_file *file)
{
    memset(file, 0, sizeof *file);
    struct head head;
    if (!read_head(bytes, &head)) {
        return false;
    }
    struct entry entries[TT_SECTION_TAGS];
    size_t size = head.sections * sizeof *entries;
    memcpy(entries, bytes.data + head.directory, size);
    if (sum_of_piece((const uint8_t *)entries, size, 0) != head.sum) {
        return false;
    }
    uint64_t end = sizeof head;
    for (uint32_t i = 0; i < head.sections; i++) {
        const struct entry *e = &entries[i];
        if (e->tag >= TT_SECTION_TAGS || file->sections[e->tag].bytes.data || e->place < end ||
            e->place % SECTION_ALIGN != 0 ||
            !tt_bytes_has(tt_bytes_slice(bytes, 0, head.directory), e->place, e->size)) {
            memset(file, 0, sizeof *file);
            return false;
        }
        end = e->place + e->size;
        file->sections[e->tag] = (struct tt_section){
            tt_bytes_of(bytes.data + e->place, e->size),
            e->sum,
            e->packed != 0,
            NULL,
        };
    }
    return true;
}

void tt_section_file_free(struct tt_section_file *file)
{
    for (unsigned tag = 0; tag < TT_SECTION_TAGS; tag++) {
        free(file->sections[tag].unpacked);
    }
    memset(file, 0, sizeof *file);
}

/* Returns the bytes of a packed section, which the caller frees; NULL if they are invalid. */
static uint8_t *unpack(struct tt_bytes packed, uint64_t *size)
{
    if (packed.size < sizeof *size) {
        return NULL;
    }
    uint64_t frame = packed.size - sizeof *size;
    memcpy(size, packed.data + frame, sizeof *size);
    if (*size / PACK_MOST > frame || *size > SIZE_MAX - 1) {
        return NULL;
    }
    uint8_t *bytes = malloc((size_t)*size + 1);
    if (bytes &&
        ZSTD_decompress(bytes, (size_t)*size, packed.data, (size_t)frame) != (size_t)*size) {
        free(bytes);
        return NULL;
    }
    return bytes;
}

bool tt_section_open(struct tt_section *section)
{
    if (section->unpacked) {
        return true;
    }
    if (!section->bytes.data || !tt_section_is_valid(section)) {
        return false;
    }
    if (section->packed) {
        uint64_t size;
        section->unpacked = unpack(section->bytes, &size);
        section->bytes = section->unpacked ? tt_bytes_of(section->unpacked, size) : section->bytes;
    }
    return !section->packed || section->unpacked;
}

static void sum_pieces(struct tt_section_check *check)
{
    uint64_t sum = 0;
    for (;;) {
        uint64_t number = atomic_fetch_add_explicit(&check->next, 1, memory_order_relaxed);
        if (number >= round_up(check->bytes.size, PIECE) / PIECE) {
            break;
        }
        struct tt_bytes piece = tt_bytes_slice(check->bytes, number * PIECE, PIECE);
        sum += sum_of_piece(piece.data, (size_t)piece.size, number);
    }
    atomic_fetch_add_explicit(&check->sum, sum, memory_order_relaxed);
}

/* Runs on the helper thread, at low priority: the first screen has precedence. */
static void *help_check(void *arg)
{
    tt_platform_lower_priority();
    sum_pieces(arg);
    return NULL;
}

/* Below this size, starting a thread costs much of the time that it saves. */
#define HELPER_BYTES (16 * PIECE)

void tt_section_check_begin(struct tt_section_check *check, const struct tt_section *section)
{
    check->bytes = section->bytes;
    check->expected = section->sum;
    atomic_init(&check->next, 0);
    atomic_init(&check->sum, 0);
    check->helped = section->bytes.size >= HELPER_BYTES && tt_platform_cpu_count() > 1 &&
                    tt_worker_start(&check->helper, help_check, check) == 0;
}

static void join_helper(struct tt_section_check *check)
{
    if (check->helped) {
        pthread_join(check->helper, NULL);
        check->helped = false;
    }
}

bool tt_section_check_end(struct tt_section_check *check)
{
    sum_pieces(check);
    join_helper(check);
    return atomic_load_explicit(&check->sum, memory_order_relaxed) == check->expected;
}

void tt_section_check_stop(struct tt_section_check *check)
{
    atomic_store_explicit(&check->next, UINT64_MAX / 2, memory_order_relaxed);
    join_helper(check);
}

bool tt_section_is_valid(const struct tt_section *section)
{
    struct tt_section_check check = {.helped = false};
    tt_section_check_begin(&check, section);
    return tt_section_check_end(&check);
}

uint64_t tt_section_sum(struct tt_bytes bytes)
{
    struct tt_section_check check = {.bytes = bytes};
    sum_pieces(&check);
    return atomic_load_explicit(&check.sum, memory_order_relaxed);
}

struct tt_reader tt_section_reader(const struct tt_section *section)
{
    return tt_reader_of(section->bytes, tt_host_is_big());
}

void tt_section_skip(struct tt_reader *r)
{
    tt_read_span(r, round_up(r->pos, 8) - r->pos);
}

const void *tt_section_read(struct tt_reader *r, uint64_t size)
{
    return tt_read_span(r, size);
}

const char *tt_section_text(struct tt_reader *r)
{
    uint32_t length = tt_read_u32(r);
    if (length == TT_SECTION_NO_TEXT) {
        return NULL;
    }
    const char *text = (const char *)tt_read_span(r, (uint64_t)length + 1);
    if (text && (text[length] != '\0' || memchr(text, '\0', length))) {
        r->failed = true;
    }
    return r->failed ? "" : text;
}

uint64_t tt_section_count(struct tt_reader *r, uint64_t min)
{
    uint64_t count = tt_read_u64(r);
    if (count > tt_read_left(r) / min) {
        r->failed = true;
    }
    return r->failed ? 0 : count;
}

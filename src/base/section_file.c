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
    struct tt_section_writer *writer = calloc(1, sizeof *writer);
    uint8_t *buffer = malloc(PIECE);
    if (!writer || !buffer) {
        free(writer);
        free(buffer);
        return NULL;
    }
    writer->fd = fd;
    writer->stop = stop;
    writer->status = tt_ok();
    writer->buffer = buffer;
    const struct head none = {0};
    tt_section_put(writer, &none, sizeof none);
    return writer;
}

struct tt_section_writer *tt_section_writer_counting(void)
{
    struct tt_section_writer *writer = calloc(1, sizeof *writer);
    if (writer) {
        writer->status = tt_ok();
        writer->counts_only = true;
        writer->written = sizeof(struct head);
    }
    return writer;
}

struct tt_section_writer *tt_section_writer_gathering(void)
{
    struct tt_section_writer *writer = calloc(1, sizeof *writer);
    if (writer) {
        writer->status = tt_ok();
        writer->gathers = true;
    }
    return writer;
}

struct tt_bytes tt_section_gathered(const struct tt_section_writer *writer)
{
    return tt_bytes_of(writer->buffer, writer->used);
}

void tt_section_writer_free(struct tt_section_writer *writer)
{
    if (writer) {
        ZSTD_freeCCtx(writer->packer);
        free(writer->buffer);
        free(writer);
    }
}

static void section_file_write_all(struct tt_section_writer *writer, const uint8_t *bytes,
                                   size_t size)
{
    for (size_t done = 0; done < size && !tt_failed(&writer->status);) {
        ssize_t n = write(writer->fd, bytes + done, size - done);
        if (n > 0) {
            done += (size_t)n;
        } else if (n == 0) {
            writer->status = tt_error(TT_ERR_IO, "write: no bytes written");
        } else if (errno != EINTR) {
            writer->status = tt_error_errno(errno, "write");
        }
    }
    writer->written += size;
}

static void section_file_flush(struct tt_section_writer *writer)
{
    if (writer->stop && atomic_load_explicit(writer->stop, memory_order_relaxed) &&
        !tt_failed(&writer->status)) {
        writer->status = tt_error(TT_ERR_CANCELLED, "stopped");
    }
    if (writer->in_section && writer->used > 0) {
        struct entry *current = &writer->entries[writer->count - 1];
        current->sum += sum_of_piece(writer->buffer, writer->used, current->size / PIECE);
        current->size += writer->used;
    }
    section_file_write_all(writer, writer->buffer, writer->used);
    writer->used = 0;
}

/* Appends bytes as they are, to the buffer or only to the size. */
static void section_file_put_bytes(struct tt_section_writer *writer, const uint8_t *from,
                                   size_t size)
{
    if (writer->counts_only) {
        writer->written += size;
        writer->entries[writer->count > 0 ? writer->count - 1 : 0].size +=
            writer->in_section ? size : 0;
        return;
    }
    while (size > 0 && !tt_failed(&writer->status)) {
        size_t part = size < PIECE - writer->used ? size : PIECE - writer->used;
        memcpy(writer->buffer + writer->used, from, part);
        writer->used += part;
        from += part;
        size -= part;
        if (writer->used == PIECE) {
            section_file_flush(writer);
        }
    }
}

/* ---- packed sections ----------------------------------------------------------------------- */

#define PACK_LEVEL 3
#define PACK_MOST  (UINT64_C(1) << 15) /* no zstd frame is larger than this times its size */

/* Appends the output for some bytes, with the end of the frame if `mode` requires it. */
static void section_file_pack(struct tt_section_writer *writer, const void *bytes, size_t size,
                              ZSTD_EndDirective mode)
{
    uint8_t out[4096];
    ZSTD_inBuffer from = {bytes, size, 0};
    for (size_t left = 1; (left > 0 || from.pos < size) && !tt_failed(&writer->status);) {
        ZSTD_outBuffer to = {out, sizeof out, 0};
        left = ZSTD_compressStream2(writer->packer, &to, &from, mode);
        if (ZSTD_isError(left)) {
            writer->status = tt_error_memory(); /* the only cause: the input is valid */
            return;
        }
        section_file_put_bytes(writer, out, to.pos);
        if (mode == ZSTD_e_continue && from.pos == size) {
            return;
        }
    }
}

/* Ends the current section and pads the file to a multiple of `align`. */
static void end_section(struct tt_section_writer *writer, uint64_t align)
{
    if (writer->packs) {
        writer->packs = false;
        if (!tt_failed(&writer->status)) {
            section_file_pack(writer, NULL, 0, ZSTD_e_end);
            tt_section_put_u64(writer, writer->unpacked);
        }
    }
    section_file_flush(writer);
    writer->in_section = false;
    static const uint8_t zeros[SECTION_ALIGN] = {0};
    tt_section_put(writer, zeros, (size_t)(round_up(writer->written, align) - writer->written));
    section_file_flush(writer);
}

void tt_section(struct tt_section_writer *writer, enum tt_section_tag tag)
{
    end_section(writer, SECTION_ALIGN);
    if (writer->count == TT_SECTION_TAGS) {
        writer->status = tt_error(TT_ERR_USAGE, "section begun twice");
        return;
    }
    writer->entries[writer->count++] =
        (struct entry){.tag = (uint32_t)tag, .place = writer->written};
    writer->in_section = true;
}

void tt_section_packed(struct tt_section_writer *writer, enum tt_section_tag tag)
{
    tt_section(writer, tag);
    if (!writer->packer) {
        writer->packer = ZSTD_createCCtx();
    }
    if (tt_failed(&writer->status)) {
        return;
    }
    if (!writer->packer || ZSTD_isError(ZSTD_CCtx_reset(writer->packer, ZSTD_reset_session_only)) ||
        ZSTD_isError(ZSTD_CCtx_setParameter(writer->packer, ZSTD_c_compressionLevel, PACK_LEVEL))) {
        writer->status = tt_error_memory();
        return;
    }
    writer->entries[writer->count - 1].packed = 1;
    writer->packs = true;
    writer->unpacked = 0;
}

void tt_section_put(struct tt_section_writer *writer, const void *bytes, size_t size)
{
    if (tt_failed(&writer->status) || size == 0) {
        return;
    }
    if (writer->gathers) {
        uint8_t *buffer = size <= SIZE_MAX - writer->used
                              ? tt_array_reserve(writer->buffer, writer->used + size,
                                                 &writer->capacity, sizeof *buffer)
                              : NULL;
        if (!buffer) {
            writer->status = tt_error_memory();
            return;
        }
        writer->buffer = buffer;
        memcpy(writer->buffer + writer->used, bytes, size);
        writer->used += size;
    } else if (writer->packs) {
        writer->unpacked += size;
        section_file_pack(writer, bytes, size, ZSTD_e_continue);
    } else {
        section_file_put_bytes(writer, bytes, size);
    }
}

void tt_section_put_u32(struct tt_section_writer *writer, uint32_t number)
{
    tt_section_put(writer, &number, sizeof number);
}

void tt_section_put_u64(struct tt_section_writer *writer, uint64_t number)
{
    tt_section_put(writer, &number, sizeof number);
}

void tt_section_put_text(struct tt_section_writer *writer, const char *text)
{
    uint32_t length = text ? (uint32_t)strlen(text) : TT_SECTION_NO_TEXT;
    tt_section_put_u32(writer, length);
    if (text) {
        tt_section_put(writer, text, (size_t)length + 1);
    }
}

void tt_section_align(struct tt_section_writer *writer)
{
    static const uint8_t zeros[8] = {0};
    tt_section_put(writer, zeros,
                   (size_t)(round_up(tt_section_at(writer), 8) - tt_section_at(writer)));
}

uint64_t tt_section_at(const struct tt_section_writer *writer)
{
    if (writer->gathers || writer->packs) {
        return writer->packs ? writer->unpacked : writer->used;
    }
    return writer->in_section ? writer->entries[writer->count - 1].size + writer->used : 0;
}

bool tt_section_failed(const struct tt_section_writer *writer)
{
    return tt_failed(&writer->status);
}

struct tt_status tt_section_file_finish(struct tt_section_writer *writer)
{
    end_section(writer, 8);
    size_t size = writer->count * sizeof *writer->entries;
    struct head head = {
        .layout = TT_SECTION_LAYOUT,
        .order = ORDER_MARK,
        .word = sizeof(void *),
        .sections = writer->count,
        .size = writer->written + size,
        .directory = writer->written,
        .sum = sum_of_piece((const uint8_t *)writer->entries, size, 0),
    };
    memcpy(head.magic, MAGIC, sizeof head.magic);
    tt_section_put(writer, writer->entries, size);
    section_file_flush(writer);
    if (writer->counts_only) {
        return writer->status;
    }
    if (!tt_failed(&writer->status) && lseek(writer->fd, 0, SEEK_SET) != 0) {
        writer->status = tt_error_errno(errno, "seek");
    }
    writer->written -= sizeof head; /* its space is counted already */
    section_file_write_all(writer, (const uint8_t *)&head, sizeof head);
    return writer->status;
}

uint64_t tt_section_file_size(const struct tt_section_writer *writer)
{
    return writer->written;
}

/* ---- reading ------------------------------------------------------------------------------- */

/* Reads the head; returns false unless this program wrote it for a file of this size. */
static bool section_file_read_head(struct tt_bytes bytes, struct head *head)
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
    if (!section_file_read_head(bytes, &head)) {
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
        const struct entry *entry = &entries[i];
        if (entry->tag >= TT_SECTION_TAGS || file->sections[entry->tag].bytes.data ||
            entry->place < end || entry->place % SECTION_ALIGN != 0 ||
            !tt_bytes_has(tt_bytes_slice(bytes, 0, head.directory), entry->place, entry->size)) {
            memset(file, 0, sizeof *file);
            return false;
        }
        end = entry->place + entry->size;
        file->sections[entry->tag] = (struct tt_section){
            tt_bytes_of(bytes.data + entry->place, entry->size),
            entry->sum,
            entry->packed != 0,
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
static uint8_t *section_file_unpack(struct tt_bytes packed, uint64_t *size)
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
        section->unpacked = section_file_unpack(section->bytes, &size);
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

void tt_section_skip(struct tt_reader *reader)
{
    tt_read_span(reader, round_up(reader->pos, 8) - reader->pos);
}

const void *tt_section_read(struct tt_reader *reader, uint64_t size)
{
    return tt_read_span(reader, size);
}

const char *tt_section_text(struct tt_reader *reader)
{
    uint32_t length = tt_read_u32(reader);
    if (length == TT_SECTION_NO_TEXT) {
        return NULL;
    }
    const char *text = (const char *)tt_read_span(reader, (uint64_t)length + 1);
    if (text && (text[length] != '\0' || memchr(text, '\0', length))) {
        reader->failed = true;
    }
    return reader->failed ? "" : text;
}

uint64_t tt_section_count(struct tt_reader *reader, uint64_t min)
{
    uint64_t count = tt_read_u64(reader);
    if (count > tt_read_left(reader) / min) {
        reader->failed = true;
    }
    return reader->failed ? 0 : count;
}

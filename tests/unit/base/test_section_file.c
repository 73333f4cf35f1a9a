/* SPDX-License-Identifier: Apache-2.0 */
/* Section files: written data are read back, and every modification is detected. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/section_file.h"

#define LARGE ((size_t)40 << 20) /* more than one thread's share, and not a multiple of a piece */

/* Returns an unnamed file that is deleted when closed. */
static int nameless(void)
{
    FILE *file = tmpfile();
    cr_assert_not_null(file);
    int fd = dup(fileno(file));
    fclose(file);
    return fd;
}

/* Returns all bytes of the file, aligned like a mapping. */
static struct tt_bytes contents(int fd)
{
    off_t size = lseek(fd, 0, SEEK_END);
    cr_assert_gt(size, 0);
    void *bytes = NULL;
    cr_assert_eq(posix_memalign(&bytes, 4096, (size_t)size), 0);
    cr_assert_eq(pread(fd, bytes, (size_t)size, 0), (ssize_t)size);
    close(fd);
    return tt_bytes_of(bytes, (uint64_t)size);
}

static struct tt_bytes small_file(void)
{
    int fd = nameless();
    struct tt_section_writer *w = tt_section_writer_new(fd, NULL);
    tt_section(w, TT_SECTION_INDEX);
    tt_section_put_u32(w, 7);
    cr_expect_eq(tt_section_at(w), 4);
    tt_section_align(w);
    cr_expect_eq(tt_section_at(w), 8);
    tt_section_put(w, "12345678", 8);
    tt_section(w, TT_SECTION_CAPTURE);
    tt_section_put_u64(w, 2);
    tt_section_put_text(w, "a name");
    tt_section_put_text(w, NULL);
    struct tt_status status = tt_section_file_finish(w);
    cr_assert(!tt_failed(&status), "%s", status.text);
    tt_section_writer_free(w);
    return contents(fd);
}

Test(section_file, sections_are_read_back)
{
    struct tt_bytes bytes = small_file();
    struct tt_section_file file;
    cr_assert(tt_section_file_open(bytes, &file));
    cr_expect_null(file.sections[TT_SECTION_TRACKS].bytes.data);
    cr_expect(tt_section_is_valid(&file.sections[TT_SECTION_INDEX]));
    cr_expect(tt_section_is_valid(&file.sections[TT_SECTION_CAPTURE]));
    struct tt_reader r = tt_section_reader(&file.sections[TT_SECTION_INDEX]);
    cr_expect_eq(tt_read_u32(&r), 7);
    tt_section_skip(&r);
    const char *taken = tt_section_read(&r, 8);
    cr_assert_not_null(taken);
    cr_expect_eq((uintptr_t)taken % 8, 0);
    cr_expect_arr_eq(taken, "12345678", 8);
    cr_expect_eq(tt_read_left(&r), 0);
    cr_expect_null(tt_section_read(&r, 1));
    cr_expect(r.failed);
    r = tt_section_reader(&file.sections[TT_SECTION_CAPTURE]);
    cr_expect_eq(tt_section_count(&r, 4), 2);
    cr_expect_str_eq(tt_section_text(&r), "a name");
    cr_expect_null(tt_section_text(&r));
    cr_expect(!r.failed);
    free((void *)(uintptr_t)bytes.data);
}

Test(section_file, an_excessive_count_and_an_unterminated_text_fail)
{
    struct tt_bytes bytes = small_file();
    struct tt_section_file file;
    cr_assert(tt_section_file_open(bytes, &file));
    struct tt_reader r = tt_section_reader(&file.sections[TT_SECTION_CAPTURE]);
    cr_expect_eq(tt_section_count(&r, 8), 0, "two of eight bytes are not there");
    cr_expect(r.failed);
    uint8_t *text = (uint8_t *)(uintptr_t)file.sections[TT_SECTION_CAPTURE].bytes.data + 8 + 4;
    text[2] = 0;
    r = tt_section_reader(&file.sections[TT_SECTION_CAPTURE]);
    tt_read_u64(&r);
    cr_expect_str_eq(tt_section_text(&r), "");
    cr_expect(r.failed);
    free((void *)(uintptr_t)bytes.data);
}

static bool is_all_sound(struct tt_bytes bytes)
{
    struct tt_section_file file;
    return tt_section_file_open(bytes, &file) &&
           tt_section_is_valid(&file.sections[TT_SECTION_INDEX]) &&
           tt_section_is_valid(&file.sections[TT_SECTION_CAPTURE]);
}

Test(section_file, every_changed_bit_is_detected_except_padding)
{
    struct tt_bytes bytes = small_file();
    uint8_t *data = (uint8_t *)(uintptr_t)bytes.data;
    uint64_t unnoticed = 0;
    for (uint64_t bit = 0; bit < bytes.size * 8; bit++) {
        data[bit / 8] = (uint8_t)(data[bit / 8] ^ 1u << bit % 8);
        unnoticed += is_all_sound(bytes);
        data[bit / 8] = (uint8_t)(data[bit / 8] ^ 1u << bit % 8);
    }
    /* 16 bytes at 64, then zeros up to 128; 8+4+7+4 bytes there, then one up to the directory. */
    cr_expect_eq(unnoticed, (48 + 1) * 8);
    cr_expect(is_all_sound(bytes));
    free(data);
}

/* ---- heads and directories of other programs ----------------------------------------------- */

/* Offsets of the fields (base/section_file.c). */
enum { LAYOUT = 8, ORDER = 12, WORD = 16, SECTIONS = 20, SIZE = 24, DIRECTORY = 32, SUM = 40 };
enum { TAG = 0, PLACE = 8, LENGTH = 16, ENTRY = 32 };

static void put_u32(uint8_t *at, uint32_t number)
{
    memcpy(at, &number, sizeof number);
}

static void put_u64(uint8_t *at, uint64_t number)
{
    memcpy(at, &number, sizeof number);
}

static uint64_t get_u64(const uint8_t *at)
{
    uint64_t number;
    memcpy(&number, at, sizeof number);
    return number;
}

/* Recomputes the checksum of the directory. */
static void fix_sum(uint8_t *data, uint64_t size)
{
    uint64_t directory = get_u64(data + DIRECTORY);
    put_u64(data + SUM, XXH3_64bits_withSeed(data + directory, size - directory, 1));
}

struct forged {
    const char *what;
    unsigned at;
    unsigned bytes;
    uint64_t number;
};

static bool is_refused(struct tt_bytes good, bool in_directory, const struct forged *forged)
{
    struct tt_section_file file;
    uint8_t *data = malloc(good.size);
    memcpy(data, good.data, good.size);
    uint8_t *at = data + forged->at + (in_directory ? get_u64(data + DIRECTORY) : 0);
    if (forged->bytes == 4) {
        put_u32(at, (uint32_t)forged->number);
    } else {
        put_u64(at, forged->number);
    }
    if (in_directory) {
        fix_sum(data, good.size);
    }
    bool refused = !tt_section_file_open(tt_bytes_of(data, good.size), &file);
    for (unsigned tag = 0; refused && tag < TT_SECTION_TAGS; tag++) {
        cr_expect_null(file.sections[tag].bytes.data, "%s: nothing is left of it", forged->what);
    }
    free(data);
    return refused;
}

Test(section_file, a_changed_head_is_refused)
{
    struct tt_bytes bytes = small_file();
    const struct forged heads[] = {
        {"another program's", 0, 8, UINT64_C(0x0a0d7065656b7478)},
        {"an older layout", LAYOUT, 4, TT_SECTION_LAYOUT - 1},
        {"a newer layout", LAYOUT, 4, TT_SECTION_LAYOUT + 1},
        {"no layout", LAYOUT, 4, 0},
        {"the other byte order", ORDER, 4, UINT32_C(0x0d0c0b0a)},
        {"another word", WORD, 4, sizeof(void *) == 8 ? 4 : 8},
        {"more sections than tags", SECTIONS, 4, TT_SECTION_TAGS + 1},
        {"very many sections", SECTIONS, 4, UINT32_MAX},
        {"a section more", SECTIONS, 4, 3},
        {"a section less", SECTIONS, 4, 1},
        {"larger than it is", SIZE, 8, bytes.size + 1},
        {"smaller than it is", SIZE, 8, bytes.size - ENTRY},
        {"a directory before its place", DIRECTORY, 8, bytes.size - 3 * ENTRY},
        {"a directory that ends after the file", DIRECTORY, 8, bytes.size - ENTRY},
        {"a directory after the file", DIRECTORY, 8, bytes.size},
        {"a directory at the end of all numbers", DIRECTORY, 8, UINT64_MAX - ENTRY + 1},
        {"another sum", SUM, 8, 0},
        {"what is not used yet", SUM + 8, 8, 1},
        {"what is not used yet", SUM + 16, 8, UINT64_C(1) << 63},
    };
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        cr_expect(is_refused(bytes, false, &heads[i]), "%s", heads[i].what);
    }
    free((void *)(uintptr_t)bytes.data);
}

/* With a valid checksum. */
Test(section_file, an_invalid_directory_is_refused)
{
    struct tt_bytes bytes = small_file();
    uint64_t directory = get_u64(bytes.data + DIRECTORY);
    const struct forged entries[] = {
        {"a tag that there is not", TAG, 4, TT_SECTION_TAGS},
        {"a tag that there is not", ENTRY + TAG, 4, UINT32_MAX},
        {"the same tag twice", TAG, 4, TT_SECTION_CAPTURE},
        {"in the head", PLACE, 8, 0},
        {"at no multiple of 64", PLACE, 8, 72},
        {"in the directory", PLACE, 8, (directory + 63) / 64 * 64},
        {"after the file", PLACE, 8, UINT64_C(1) << 40},
        {"at the end of all numbers", PLACE, 8, UINT64_MAX - 63},
        {"before the one before it", ENTRY + PLACE, 8, 64},
        {"overlapping the next one", LENGTH, 8, 65},
        {"up to the directory and one more", ENTRY + LENGTH, 8, directory - 128 + 1},
        {"longer than all numbers", ENTRY + LENGTH, 8, UINT64_MAX},
    };
    const struct forged same = {"as it was", PLACE, 8, 64};
    cr_expect_not(is_refused(bytes, true, &same));
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        cr_expect(is_refused(bytes, true, &entries[i]), "%s", entries[i].what);
    }
    free((void *)(uintptr_t)bytes.data);
}

Test(section_file, a_file_of_another_size_is_refused)
{
    struct tt_bytes bytes = small_file();
    struct tt_section_file file;
    for (uint64_t size = 0; size < bytes.size; size++) {
        uint8_t *cut = malloc(size + 1);
        memcpy(cut, bytes.data, size);
        cr_assert(!tt_section_file_open(tt_bytes_of(cut, size), &file));
        free(cut);
    }
    uint8_t *longer = calloc(1, bytes.size + 8);
    memcpy(longer, bytes.data, bytes.size);
    cr_expect(!tt_section_file_open(tt_bytes_of(longer, bytes.size + 8), &file));
    free(longer);
    free((void *)(uintptr_t)bytes.data);
}

Test(section_file, a_large_section_has_the_same_sum_for_one_thread_and_for_two)
{
    int fd = nameless();
    struct tt_section_writer *w = tt_section_writer_new(fd, NULL);
    tt_section(w, TT_SECTION_TRACKS);
    uint64_t number = 1;
    for (size_t i = 0; i < LARGE / sizeof number; i++) {
        number = number * 6364136223846793005u + 1442695040888963407u;
        tt_section_put_u64(w, number);
    }
    tt_section_put(w, "end", 3);
    struct tt_status status = tt_section_file_finish(w);
    cr_assert(!tt_failed(&status), "%s", status.text);
    tt_section_writer_free(w);
    struct tt_bytes bytes = contents(fd);
    struct tt_section_file file;
    cr_assert(tt_section_file_open(bytes, &file));
    const struct tt_section *tracks = &file.sections[TT_SECTION_TRACKS];
    cr_assert_eq(tracks->bytes.size, LARGE + 3);
    cr_expect_eq(tt_section_sum(tracks->bytes), tracks->sum);
    cr_expect(tt_section_is_valid(tracks));
    uint8_t *data = (uint8_t *)(uintptr_t)tracks->bytes.data;
    data[LARGE + 2] ^= 1;
    cr_expect(!tt_section_is_valid(tracks));
    data[LARGE + 2] ^= 1;
    /* Swaps two pieces. */
    const size_t size = 1 << 20;
    uint8_t *piece = malloc(size);
    cr_assert(piece);
    memcpy(piece, data, size);
    memcpy(data, data + size, size);
    memcpy(data + size, piece, size);
    free(piece);
    cr_expect(!tt_section_is_valid(tracks));
    free((void *)(uintptr_t)bytes.data);
}

Test(section_file, a_cancelled_or_failed_write_leaves_no_valid_file)
{
    _Atomic bool stop = false;
    int fd = nameless();
    struct tt_section_writer *w = tt_section_writer_new(fd, &stop);
    tt_section(w, TT_SECTION_INDEX);
    tt_section_put_u64(w, 1);
    cr_expect(!tt_section_failed(w));
    atomic_store(&stop, true);
    struct tt_status status = tt_section_file_finish(w);
    cr_expect_eq(status.code, TT_ERR_CANCELLED);
    tt_section_writer_free(w);
    struct tt_bytes bytes = contents(fd);
    struct tt_section_file file;
    cr_expect(!tt_section_file_open(bytes, &file));
    free((void *)(uintptr_t)bytes.data);

    int only_read = open("/dev/null", O_RDONLY | O_CLOEXEC);
    w = tt_section_writer_new(only_read, NULL);
    tt_section(w, TT_SECTION_INDEX);
    cr_expect(tt_section_failed(w));
    status = tt_section_file_finish(w);
    cr_expect_eq(status.code, TT_ERR_IO);
    tt_section_writer_free(w);
    close(only_read);
}

Test(section_file, the_number_of_sections_is_limited)
{
    int fd = nameless();
    struct tt_section_writer *w = tt_section_writer_new(fd, NULL);
    for (int i = 0; i <= TT_SECTION_TAGS; i++) {
        tt_section(w, TT_SECTION_INDEX);
    }
    struct tt_status status = tt_section_file_finish(w);
    cr_expect_eq(status.code, TT_ERR_USAGE);
    tt_section_writer_free(w);
    close(fd);
}

/* ---- packed sections ------------------------------------------------------------------------ */

/* Returns a file with a packed section of `size` bytes and a plain one. */
static struct tt_bytes packed_file(const uint8_t *bytes, size_t size)
{
    int fd = nameless();
    struct tt_section_writer *w = tt_section_writer_new(fd, NULL);
    struct tt_section_writer *counted = tt_section_writer_counting();
    struct tt_section_writer *both[] = {w, counted};
    for (unsigned i = 0; i < 2; i++) {
        tt_section_packed(both[i], TT_SECTION_INDEX);
        for (size_t at = 0; at < size; at += 1000) {
            cr_assert_eq(tt_section_at(both[i]), at);
            tt_section_put(both[i], bytes + at, size - at < 1000 ? size - at : 1000);
        }
        tt_section(both[i], TT_SECTION_CAPTURE);
        tt_section_put(both[i], "12345678", 8);
        struct tt_status status = tt_section_file_finish(both[i]);
        cr_assert(!tt_failed(&status), "%s", status.text);
    }
    cr_assert_eq(tt_section_file_size(counted), tt_section_file_size(w));
    tt_section_writer_free(w);
    tt_section_writer_free(counted);
    return contents(fd);
}

static void check_packed(const uint8_t *bytes, size_t size)
{
    struct tt_bytes whole = packed_file(bytes, size);
    struct tt_section_file file;
    cr_assert(tt_section_file_open(whole, &file));
    struct tt_section *section = &file.sections[TT_SECTION_INDEX];
    cr_assert(tt_section_open(section) && tt_section_open(section));
    cr_assert_eq(section->bytes.size, size);
    cr_assert(size == 0 || memcmp(section->bytes.data, bytes, size) == 0);
    section = &file.sections[TT_SECTION_CAPTURE];
    cr_assert(tt_section_open(section) && section->bytes.size == 8);
    cr_assert_not(tt_section_open(&file.sections[TT_SECTION_TRACKS]), "it is missing");
    tt_section_file_free(&file);
    free((void *)(uintptr_t)whole.data);
}

Test(section_file, packed_sections_are_read_back)
{
    uint8_t *bytes = calloc(1, LARGE);
    check_packed(bytes, 0);
    check_packed(bytes, 1);
    check_packed(bytes, LARGE);
    for (size_t i = 0; i < 300000; i++) {
        bytes[i] = (uint8_t)(i * i >> 7);
    }
    check_packed(bytes, 2999);
    check_packed(bytes, 300000);
    free(bytes);
}

/* Opens a copy of the packed bytes with a matching checksum; in memory of its own size. */
static bool opens(struct tt_bytes packed, uint64_t size)
{
    uint8_t *copy = malloc((size_t)size + (size == 0));
    memcpy(copy, packed.data, (size_t)(size < packed.size ? size : packed.size));
    struct tt_section section = {.bytes = tt_bytes_of(copy, size), .packed = true};
    section.sum = tt_section_sum(section.bytes);
    bool opened = tt_section_open(&section);
    free(section.unpacked);
    free(copy);
    return opened;
}

Test(section_file, damaged_packed_sections_are_rejected)
{
    uint8_t bytes[3000];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(i * i >> 7);
    }
    struct tt_bytes whole = packed_file(bytes, sizeof bytes);
    struct tt_section_file file;
    cr_assert(tt_section_file_open(whole, &file));
    struct tt_bytes packed = file.sections[TT_SECTION_INDEX].bytes;
    cr_assert(opens(packed, packed.size));
    for (uint64_t cut = 0; cut < packed.size; cut++) {
        cr_assert_not(opens(packed, cut), "cut to %llu", (unsigned long long)cut);
    }
    /* The size of the content is the last word. */
    uint8_t *size = (uint8_t *)(uintptr_t)packed.data + packed.size - 8;
    static const uint64_t wrong[] = {0, 2999, 3001, UINT64_MAX, UINT64_C(1) << 40};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        memcpy(size, &wrong[i], sizeof wrong[i]);
        cr_assert_not(opens(packed, packed.size), "%llu", (unsigned long long)wrong[i]);
    }
    cr_assert_not(tt_section_open(&file.sections[TT_SECTION_INDEX]), "the checksum is wrong");
    tt_section_file_free(&file);
    free((void *)(uintptr_t)whole.data);
}

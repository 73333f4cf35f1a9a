/* SPDX-License-Identifier: Apache-2.0 */
/* The frame of kept files: what was put is read again, and whatever was changed is noticed. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/keep.h"

#define LARGE ((size_t)40 << 20) /* more than one thread's share, and no multiple of a piece */

/* A file that is nowhere to be seen, and is gone when it is closed. */
static int nameless(void)
{
    FILE *file = tmpfile();
    cr_assert_not_null(file);
    int fd = dup(fileno(file));
    fclose(file);
    return fd;
}

/* All bytes of the file, aligned as a mapping is. */
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
    struct tt_keep_writer *w = tt_keep_writer_new(fd, NULL);
    tt_keep_section(w, TT_KEEP_INDEX);
    tt_keep_put_u32(w, 7);
    cr_expect_eq(tt_keep_at(w), 4);
    tt_keep_align(w);
    cr_expect_eq(tt_keep_at(w), 8);
    tt_keep_put(w, "12345678", 8);
    tt_keep_section(w, TT_KEEP_CAPTURE);
    tt_keep_put_u64(w, 2);
    tt_keep_put_text(w, "a name");
    tt_keep_put_text(w, NULL);
    struct tt_status status = tt_keep_finish(w);
    cr_assert(!tt_failed(&status), "%s", status.text);
    tt_keep_writer_free(w);
    return contents(fd);
}

Test(keep, what_was_put_is_read_again_section_by_section)
{
    struct tt_bytes bytes = small_file();
    struct tt_keep_file file;
    cr_assert(tt_keep_open(bytes, &file));
    cr_expect_null(file.sections[TT_KEEP_TRACKS].bytes.data);
    cr_expect(tt_keep_is_sound(&file.sections[TT_KEEP_INDEX]));
    cr_expect(tt_keep_is_sound(&file.sections[TT_KEEP_CAPTURE]));
    struct tt_reader r = tt_keep_reader(&file.sections[TT_KEEP_INDEX]);
    cr_expect_eq(tt_read_u32(&r), 7);
    tt_keep_skip(&r);
    const char *taken = tt_keep_take(&r, 8);
    cr_assert_not_null(taken);
    cr_expect_eq((uintptr_t)taken % 8, 0);
    cr_expect_arr_eq(taken, "12345678", 8);
    cr_expect_eq(tt_read_left(&r), 0);
    cr_expect_null(tt_keep_take(&r, 1));
    cr_expect(r.failed);
    r = tt_keep_reader(&file.sections[TT_KEEP_CAPTURE]);
    cr_expect_eq(tt_keep_count(&r, 4), 2);
    cr_expect_str_eq(tt_keep_text(&r), "a name");
    cr_expect_null(tt_keep_text(&r));
    cr_expect(!r.failed);
    free((void *)(uintptr_t)bytes.data);
}

Test(keep, a_count_of_more_than_can_follow_and_a_text_without_its_end_fail)
{
    struct tt_bytes bytes = small_file();
    struct tt_keep_file file;
    cr_assert(tt_keep_open(bytes, &file));
    struct tt_reader r = tt_keep_reader(&file.sections[TT_KEEP_CAPTURE]);
    cr_expect_eq(tt_keep_count(&r, 8), 0, "two of eight bytes are not there");
    cr_expect(r.failed);
    uint8_t *text = (uint8_t *)(uintptr_t)file.sections[TT_KEEP_CAPTURE].bytes.data + 8 + 4;
    text[2] = 0;
    r = tt_keep_reader(&file.sections[TT_KEEP_CAPTURE]);
    tt_read_u64(&r);
    cr_expect_str_eq(tt_keep_text(&r), "");
    cr_expect(r.failed);
    free((void *)(uintptr_t)bytes.data);
}

static bool is_all_sound(struct tt_bytes bytes)
{
    struct tt_keep_file file;
    return tt_keep_open(bytes, &file) && tt_keep_is_sound(&file.sections[TT_KEEP_INDEX]) &&
           tt_keep_is_sound(&file.sections[TT_KEEP_CAPTURE]);
}

Test(keep, every_bit_that_was_changed_is_noticed_but_those_between_sections)
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

Test(keep, every_file_that_was_cut_short_or_has_grown_is_refused)
{
    struct tt_bytes bytes = small_file();
    struct tt_keep_file file;
    for (uint64_t size = 0; size < bytes.size; size++) {
        uint8_t *cut = malloc(size + 1);
        memcpy(cut, bytes.data, size);
        cr_assert(!tt_keep_open(tt_bytes_of(cut, size), &file));
        free(cut);
    }
    uint8_t *longer = calloc(1, bytes.size + 8);
    memcpy(longer, bytes.data, bytes.size);
    cr_expect(!tt_keep_open(tt_bytes_of(longer, bytes.size + 8), &file));
    free(longer);
    free((void *)(uintptr_t)bytes.data);
}

Test(keep, a_large_section_has_the_same_sum_for_one_thread_and_for_two)
{
    int fd = nameless();
    struct tt_keep_writer *w = tt_keep_writer_new(fd, NULL);
    tt_keep_section(w, TT_KEEP_TRACKS);
    uint64_t number = 1;
    for (size_t i = 0; i < LARGE / sizeof number; i++) {
        number = number * 6364136223846793005u + 1442695040888963407u;
        tt_keep_put_u64(w, number);
    }
    tt_keep_put(w, "end", 3);
    struct tt_status status = tt_keep_finish(w);
    cr_assert(!tt_failed(&status), "%s", status.text);
    tt_keep_writer_free(w);
    struct tt_bytes bytes = contents(fd);
    struct tt_keep_file file;
    cr_assert(tt_keep_open(bytes, &file));
    const struct tt_keep_section *tracks = &file.sections[TT_KEEP_TRACKS];
    cr_assert_eq(tracks->bytes.size, LARGE + 3);
    cr_expect_eq(tt_keep_sum(tracks->bytes), tracks->sum);
    cr_expect(tt_keep_is_sound(tracks));
    uint8_t *data = (uint8_t *)(uintptr_t)tracks->bytes.data;
    data[LARGE + 2] ^= 1;
    cr_expect(!tt_keep_is_sound(tracks));
    data[LARGE + 2] ^= 1;
    /* Two pieces that changed places. */
    static uint8_t piece[1 << 20];
    memcpy(piece, data, sizeof piece);
    memcpy(data, data + sizeof piece, sizeof piece);
    memcpy(data + sizeof piece, piece, sizeof piece);
    cr_expect(!tt_keep_is_sound(tracks));
    free((void *)(uintptr_t)bytes.data);
}

Test(keep, what_was_stopped_or_could_not_be_written_is_no_kept_file)
{
    _Atomic bool stop = false;
    int fd = nameless();
    struct tt_keep_writer *w = tt_keep_writer_new(fd, &stop);
    tt_keep_section(w, TT_KEEP_INDEX);
    tt_keep_put_u64(w, 1);
    cr_expect(!tt_keep_failed(w));
    atomic_store(&stop, true);
    struct tt_status status = tt_keep_finish(w);
    cr_expect_eq(status.code, TT_ERR_CANCELLED);
    tt_keep_writer_free(w);
    struct tt_bytes bytes = contents(fd);
    struct tt_keep_file file;
    cr_expect(!tt_keep_open(bytes, &file));
    free((void *)(uintptr_t)bytes.data);

    int only_read = open("/dev/null", O_RDONLY | O_CLOEXEC);
    w = tt_keep_writer_new(only_read, NULL);
    tt_keep_section(w, TT_KEEP_INDEX);
    cr_expect(tt_keep_failed(w));
    status = tt_keep_finish(w);
    cr_expect_eq(status.code, TT_ERR_IO);
    tt_keep_writer_free(w);
    close(only_read);
}

Test(keep, a_section_is_begun_only_as_often_as_there_are_tags)
{
    int fd = nameless();
    struct tt_keep_writer *w = tt_keep_writer_new(fd, NULL);
    for (int i = 0; i <= TT_KEEP_TAGS; i++) {
        tt_keep_section(w, TT_KEEP_INDEX);
    }
    struct tt_status status = tt_keep_finish(w);
    cr_expect_eq(status.code, TT_ERR_USAGE);
    tt_keep_writer_free(w);
    close(fd);
}

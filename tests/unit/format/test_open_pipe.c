/* SPDX-License-Identifier: Apache-2.0 */
/* Opening a pipe: waits for more bytes until the header is complete. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "alone.h"
#include "tracetui/trace.h"

struct pipe {
    char folder[32];
    char path[64];
    const char *capture;
    size_t first; /* bytes before the pause */
    size_t size;  /* of all, with the first ones; 0: the whole capture */
};

static bool has_ended(const struct tt_map *map, struct tt_status *status)
{
    const struct tt_arrival arrival = tt_map_arrival(map);
    *status = arrival.status;
    return arrival.over;
}

static void *write_pieces(void *arg)
{
    const struct pipe *p = arg;
    static char bytes[1 << 18];
    const struct timespec pause = {0, 200 * 1000 * 1000};
    FILE *file = fopen(p->capture, "rb");
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file) {
        fclose(file);
    }
    size = p->size > 0 ? p->size : size;
    int fd = open(p->path, O_WRONLY);
    bool good = fd >= 0 && write(fd, bytes, p->first) == (ssize_t)p->first;
    nanosleep(&pause, NULL);
    for (size_t at = p->first; good && at < size;) {
        ssize_t wrote = write(fd, bytes + at, size - at);
        good = wrote > 0;
        at += good ? (size_t)wrote : 0;
    }
    if (fd >= 0) {
        close(fd);
    }
    return NULL;
}

static struct tt_status open_pipe(struct pipe *p, struct tt_trace **trace)
{
    pthread_t writer;
    snprintf(p->folder, sizeof p->folder, "/tmp/tt-pipe-XXXXXX");
    cr_assert_not_null(mkdtemp(p->folder));
    snprintf(p->path, sizeof p->path, "%s/pipe", p->folder);
    cr_assert_eq(mkfifo(p->path, 0600), 0);
    cr_assert_eq(pthread_create(&writer, NULL, write_pieces, p), 0);
    struct tt_trace_options options = {.map.follow = true};
    struct tt_status status = tt_trace_open(p->path, &options, trace);
    pthread_join(writer, NULL);
    unlink(p->path);
    rmdir(p->folder);
    return status;
}

Test(open_pipe, waits_for_the_whole_header)
{
    static const char *const samples[] = {"samples/demo.kev", "samples/demo.fxt",
                                          "samples/demo.trx", "samples/demo.btrace"};
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        struct pipe p = {.capture = samples[i], .first = 24};
        struct tt_trace *whole, *piped;
        struct tt_status status = open_pipe(&p, &piped);
        cr_assert_eq(status.code, TT_OK, "%s: %s", samples[i], status.text);
        status = tt_trace_open(samples[i], NULL, &whole);
        cr_assert_eq(status.code, TT_OK, "%s: %s", samples[i], status.text);
        cr_expect_str_eq(tt_trace_capture(piped)->title, tt_trace_capture(whole)->title);
        cr_expect_eq(tt_facts_count(tt_trace_capture(piped)),
                     tt_facts_count(tt_trace_capture(whole)), "%s", samples[i]);
        tt_trace_close(piped);
        tt_trace_close(whole);
    }
}

Test(open_pipe, rejects_input_that_ends_too_early)
{
    for (size_t size = 1; size < 4; size++) {
        struct pipe p = {.capture = "samples/demo.kev", .first = 1, .size = size};
        struct tt_trace *piped;
        struct tt_status status = open_pipe(&p, &piped);
        cr_expect(tt_failed(&status), "%zu bytes", size);
        cr_expect_null(piped);
    }
}

/* The bytes of a pipe are read for as long as one of its maps is open. */
Test(open_pipe, a_map_that_was_opened_again_receives_what_follows)
{
    char folder[] = "/tmp/tt-pipe-XXXXXX", path[64];
    struct tt_map_options options = {.follow = true};
    struct tt_map *map = NULL, *again = NULL;
    struct tt_status ended = tt_ok();
    bool grown;
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/pipe", folder);
    cr_assert_eq(mkfifo(path, 0600), 0);
    int to = open(path, O_RDWR);
    cr_assert(to >= 0 && write(to, "first ", 6) == 6);
    struct tt_status status = tt_map_open(path, &options, &map);
    cr_assert(!tt_failed(&status), "%s", status.text);
    status = tt_map_reopen(map, &again);
    cr_assert(!tt_failed(&status), "%s", status.text);
    tt_map_close(map);
    cr_assert_eq(write(to, "second", 6), 6);
    close(to);
    while (!has_ended(again, &ended)) {
        tt_map_wait(again, tt_map_bytes(again).size + 1, 100, NULL, NULL);
    }
    cr_expect(!tt_failed(&ended), "%s", ended.text);
    status = tt_map_grow(again, &grown);
    cr_assert(!tt_failed(&status), "%s", status.text);
    struct tt_bytes bytes = tt_map_bytes(again);
    cr_expect(bytes.size == 12 && memcmp(bytes.data, "first second", 12) == 0);
    tt_map_close(again);
    unlink(path);
    rmdir(folder);
}

/* The user limits the bytes stored of a pipe: a larger input ends with an error that has the
 * reason. */
Test(open_pipe, input_beyond_the_limit_is_an_error, ALONE)
{
    struct pipe p = {.capture = "samples/demo.kev", .first = 24};
    struct tt_map_options options = {.follow = true, .spool_limit = 50000};
    struct tt_map *map = NULL;
    struct tt_status ended = tt_ok();
    bool grown;
    pthread_t writer;
    signal(SIGPIPE, SIG_IGN); /* as in the program */
    snprintf(p.folder, sizeof p.folder, "/tmp/tt-pipe-XXXXXX");
    cr_assert_not_null(mkdtemp(p.folder));
    snprintf(p.path, sizeof p.path, "%s/pipe", p.folder);
    cr_assert_eq(mkfifo(p.path, 0600), 0);
    cr_assert_eq(pthread_create(&writer, NULL, write_pieces, &p), 0);
    struct tt_status status = tt_map_open(p.path, &options, &map);
    cr_assert(!tt_failed(&status), "%s", status.text);
    while (!has_ended(map, &ended)) {
        tt_map_wait(map, tt_map_bytes(map).size + 1, 100, NULL, NULL);
    }
    cr_expect_eq(ended.code, TT_ERR_IO);
    cr_expect_not_null(strstr(ended.text, "spool limit of 50000 bytes exceeded"), "%s", ended.text);
    status = tt_map_grow(map, &grown);
    cr_expect(!tt_failed(&status));
    cr_expect_leq(tt_map_bytes(map).size, 50000, "what came before is there, and no more");
    tt_map_close(map);
    pthread_join(writer, NULL);
    unlink(p.path);
    rmdir(p.folder);
}

// SPDX-License-Identifier: Apache-2.0
//
// Buffered and paced output: see out.h.

#include "out.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BLOCK = 1 << 20 };

bool sim_out_open(struct sim_out *out, const char *path)
{
    memset(out, 0, sizeof *out);
    out->fd = 1;
    if (strcmp(path, "-") != 0) {
        out->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        out->own_fd = true;
    }
    out->capacity = BLOCK;
    if (out->fd < 0 || (out->block = malloc(BLOCK)) == NULL) {
        out->error = errno;
        return false;
    }
    return true;
}

void sim_out_pace(struct sim_out *out, size_t piece, bool piece_random, uint64_t seed)
{
    out->paced = true;
    out->piece = piece;
    out->piece_random = piece_random;
    sim_rng_seed(&out->rng, seed ^ 0x70616365);
}

static void write_all(struct sim_out *out, const uint8_t *bytes, size_t length)
{
    while (length > 0 && out->error == 0) {
        ssize_t n = write(out->fd, bytes, length);
        if (n >= 0) {
            bytes += n;
            length -= (size_t)n;
        } else if (errno != EINTR) {
            out->error = errno;
        }
    }
}

static uint64_t wall_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void sleep_ns(uint64_t ns)
{
    struct timespec left = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
    while (nanosleep(&left, &left) < 0 && errno == EINTR)
        continue;
}

static size_t next_piece(struct sim_out *out, size_t left)
{
    size_t piece = out->piece_random ? 1 + sim_rng_below(&out->rng, out->piece) : out->piece;
    return piece == 0 || piece > left ? left : piece;
}

// Writes each piece with one write(2), spread over the available time, so that a reader can find the
// file at any of these sizes.
static void write_pieces(struct sim_out *out, uint64_t ns)
{
    uint64_t until = wall_ns() + ns;
    for (size_t done = 0; done < out->used && out->error == 0;) {
        size_t piece = next_piece(out, out->used - done);
        write_all(out, out->block + done, piece);
        done += piece;
        uint64_t now = wall_ns();
        if (now < until)
            sleep_ns((until - now) * piece / (out->used - done + piece));
    }
    out->used = 0;
}

void sim_out_flush(struct sim_out *out)
{
    if (out->paced) {
        write_pieces(out, 0);
        return;
    }
    write_all(out, out->block, out->used);
    out->used = 0;
}

uint8_t *sim_out_room(struct sim_out *out, size_t length)
{
    if (out->capacity - out->used < length)
        sim_out_flush(out);
    uint8_t *room = out->block + out->used;
    out->used += length;
    out->written += length;
    return room;
}

void sim_out_put(struct sim_out *out, const void *bytes, size_t length)
{
    const uint8_t *from = bytes;
    while (length > 0) {
        size_t part = length < 65536 ? length : 65536;
        memcpy(sim_out_room(out, part), from, part);
        from += part;
        length -= part;
    }
}

void sim_out_wait_until(struct sim_out *out, uint64_t due_ns)
{
    if (!out->paced)
        return;
    uint64_t now = wall_ns();
    if (out->began_ns == 0)
        out->began_ns = now;
    uint64_t due = out->began_ns + due_ns;
    write_pieces(out, due > now ? due - now : 0);
    now = wall_ns();
    if (due > now)
        sleep_ns(due - now);
}

bool sim_out_close(struct sim_out *out)
{
    if (out->block != NULL)
        sim_out_flush(out);
    if (out->own_fd && out->fd >= 0 && close(out->fd) < 0 && out->error == 0)
        out->error = errno;
    free(out->block);
    out->block = NULL;
    return out->error == 0;
}

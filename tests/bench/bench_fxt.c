/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_fxt: measures the rate at which a Fuchsia trace is decoded on one core, beside an XXH3 pass
 * and a memcpy of the same bytes in the same run.
 *
 *      bench_fxt [MEGABYTES [ROUNDS [FILE]]]     prints one JSON object
 *
 * Times are the processor time of this process, so that other programs hardly change them.
 *
 * The capture is generated: sections of three providers, events with arguments (registered and
 * inline names), counters, durations, scheduling records with weights, a few logs and objects.
 * Three rates are printed: of the indexing cursor with the actions for timelines, of a cursor that
 * decodes again without them, and of the whole index.
 */
#include <stdio.h>
#include <time.h>
#include <xxhash.h>

#include "../unit/kit/fxt_build.h"
#include "tracetui/trace.h"

#define BATCH 1024

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- the capture -------------------------------------------------------------------------- */

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

#define STRINGS 200u
#define THREADS 40u
#define WEIGHT  201u /* and the next three */

static void write_tables(struct fxt_out *out, uint64_t provider)
{
    char name[32];
    fxt_provider_info(out, provider, "provider");
    fxt_init(out, 1000000000);
    for (uint64_t i = 1; i <= STRINGS; i++) {
        snprintf(name, sizeof name, "string_number_%u", (unsigned)i);
        fxt_string(out, i, name);
    }
    fxt_string(out, WEIGHT, "outgoing_weight");
    fxt_string(out, WEIGHT + 1, "incoming_weight");
    fxt_string(out, WEIGHT + 2, "weight");
    fxt_string(out, WEIGHT + 3, "waker");
    for (uint64_t i = 1; i <= THREADS; i++) {
        fxt_thread(out, i, 1000 + i / 8, 5000 + i);
    }
}

#define CPUS 8u

/* Each CPU cycles through its own threads, so that no thread runs on two CPUs at once. */
static void write_switch(struct fxt_out *out, uint64_t ticks, uint64_t random)
{
    uint64_t cpu = random % CPUS, turn = ticks / 100;
    size_t at = fxt_begin(out, fxt_switch(cpu, random & 256 ? 3 : 1, 2));
    fxt_word(out, ticks);
    fxt_word(out, 5001 + cpu + turn % 5 * CPUS);
    fxt_word(out, 5001 + cpu + (turn + 1) % 5 * CPUS);
    fxt_end(out, fxt_begin(out, 1 | (uint64_t)WEIGHT << 16 | UINT64_C(16) << 32));
    fxt_end(out, fxt_begin(out, 1 | (uint64_t)(WEIGHT + 1) << 16 | UINT64_C(18) << 32));
    fxt_end(out, at);
}

static void write_wakeup(struct fxt_out *out, uint64_t ticks, uint64_t random)
{
    size_t at = fxt_begin(out, fxt_wakeup(random % 8, 2));
    fxt_word(out, ticks);
    fxt_word(out, 5001 + random % THREADS);
    fxt_end(out, fxt_begin(out, 1 | (uint64_t)(WEIGHT + 2) << 16 | UINT64_C(16) << 32));
    size_t arg = fxt_begin(out, 8 | (uint64_t)(WEIGHT + 3) << 16);
    fxt_word(out, 5001 + (random >> 8) % THREADS);
    fxt_end(out, arg);
    fxt_end(out, at);
}

#define DEPTH 6u /* of slices, as programs nest them */

/* Returns the type of a begin or an end, 2 or 3, that the thread's open slices allow. */
static uint64_t nested_type(uint64_t wanted, uint64_t random)
{
    static unsigned open[THREADS];
    unsigned *depth = &open[(random >> 16) % THREADS];
    uint64_t type = *depth == 0 ? 2 : *depth == DEPTH ? 3 : wanted;
    *depth += type == 2 ? 1u : -1u;
    return type;
}

static void write_event(struct fxt_out *out, uint64_t type, uint64_t args, uint64_t ticks,
                        uint64_t random)
{
    /* Each name has one category, as both are written at one place in a program. */
    uint64_t names = type == 1 ? 10 : 150; /* counters are few */
    uint64_t name = 10 + (random >> 8) % names, category = 1 + name % 8;
    size_t at = fxt_begin(out, fxt_event(type, args, 1 + (random >> 16) % THREADS, category, name));
    fxt_word(out, ticks);
    for (uint64_t i = 0; i < args; i++) {
        if (i % 2 == 0) {
            fxt_end(out, fxt_begin(out, 1 | (20 + i) << 16 | (random >> 40) << 32));
        } else {
            size_t arg = fxt_begin(out, 4 | (20 + i) << 16);
            fxt_word(out, random);
            fxt_end(out, arg);
        }
    }
    if (type == 1 || type >= 5) {
        fxt_word(out, 7);
    } else if (type == 4) {
        fxt_word(out, ticks + random % 1000);
    }
    fxt_end(out, at);
}

static void write_inline(struct fxt_out *out, uint64_t ticks, uint64_t random)
{
    size_t at = fxt_begin(out, fxt_event(0, 1, 0, 2, FXT_INLINE(12)));
    fxt_word(out, ticks);
    fxt_word(out, 1000);
    fxt_word(out, 5001 + random % 8);
    fxt_stream(out, random & 1 ? "inline_name_" : "another_name", 12);
    fxt_arg_text(out, "text", "some value");
    fxt_end(out, at);
}

static void write_record(struct fxt_out *out, uint64_t ticks, uint64_t random)
{
    switch (random % 16) {
    case 0:
    case 1:
    case 2:
    case 3:
        write_switch(out, ticks, random >> 8);
        break;
    case 4:
    case 5:
        write_wakeup(out, ticks, random >> 8);
        break;
    case 6:
        write_event(out, 1, 2, ticks, random >> 8);
        break;
    case 7:
        write_inline(out, ticks, random >> 8);
        break;
    case 8:
        write_event(out, 4, 3, ticks, random >> 8);
        break;
    case 9:
    case 10:
        write_event(out, nested_type(2, random >> 8), 2, ticks, random >> 8);
        break;
    case 11:
    case 12:
        write_event(out, nested_type(3, random >> 8), 0, ticks, random >> 8);
        break;
    case 13:
        write_event(out, 8 + random % 3, 0, ticks, random >> 8);
        break;
    default:
        write_event(out, 0, random >> 8 & 3, ticks, random >> 12);
        break;
    }
}

static struct fxt_out make_capture(size_t bytes)
{
    struct fxt_out out = {0};
    uint64_t state = 88172645463325252u, ticks = 1000000;
    fxt_magic(&out);
    for (uint64_t provider = 1; provider <= 3; provider++) {
        write_tables(&out, provider);
    }
    for (size_t section = 0; out.size < bytes; section++) {
        fxt_section(&out, 1 + section % 3);
        size_t end = out.size + 65536;
        while (out.size < end) {
            write_record(&out, ticks, next_random(&state));
            ticks += 700 + state % 100;
        }
    }
    return out;
}

/* ---- measuring ---------------------------------------------------------------------------- */

struct figures {
    double hash;
    double copy;
    double learn;
    double again;
    double index;
    uint64_t events;
    uint64_t records;
    uint64_t actions;
};

static void min(double *best, double value)
{
    if (*best == 0 || value < *best) {
        *best = value;
    }
}

static double decode_all(struct tt_capture *c, bool learn, struct figures *f)
{
    static struct tt_event events[BATCH];
    static struct tt_action actions[BATCH * 4 + TT_ACTIONS_PER_EVENT];
    struct tt_cursor *cursor = c->format->cursor_new(c, learn);
    enum tt_decode_result result = TT_DECODE_MORE;
    double start = now();
    f->events = f->records = f->actions = 0;
    while (result == TT_DECODE_MORE) {
        struct tt_batch batch = {.events = events, .capacity = BATCH};
        if (learn) {
            batch.actions = actions;
            batch.action_capacity = BATCH * 4 + TT_ACTIONS_PER_EVENT;
        }
        result = c->format->decode(cursor, c->bytes.size, true, &batch);
        f->events += batch.count;
        f->records += batch.records;
        f->actions += batch.action_count;
    }
    double seconds = now() - start;
    c->format->cursor_free(cursor);
    return seconds;
}

static void measure_decoder(struct fxt_out *out, struct figures *f)
{
    struct tt_capture *c;
    struct tt_capture_options options = {0};
    struct tt_status status = tt_capture_new(tt_bytes_of(out->bytes, out->size), &c);
    if (!tt_failed(&status)) {
        status = tt_capture_open(c, "bench.fxt", &options);
    }
    if (tt_failed(&status)) {
        fprintf(stderr, "bench_fxt: %s\n", status.text);
        exit(2);
    }
    min(&f->learn, decode_all(c, true, f));
    uint64_t actions = f->actions;
    min(&f->again, decode_all(c, false, f));
    f->actions = actions;
    tt_capture_free(c);
}

static void measure_index(const char *path, struct figures *f)
{
    struct tt_trace *trace;
    struct tt_status status = tt_trace_open(path, NULL, &trace);
    if (tt_failed(&status)) {
        fprintf(stderr, "bench_fxt: %s: %s\n", path, status.text);
        exit(2);
    }
    double start = now();
    status = tt_trace_index(trace);
    double seconds = now() - start;
    if (!tt_failed(&status)) {
        min(&f->index, seconds);
    }
    tt_trace_close(trace);
}

static void measure_bytes(const struct fxt_out *out, uint8_t *copy, struct figures *f,
                          uint64_t *sum)
{
    double start = now();
    *sum ^= XXH3_64bits(out->bytes, out->size);
    min(&f->hash, now() - start);
    start = now();
    memcpy(copy, out->bytes, out->size);
    min(&f->copy, now() - start);
    *sum ^= copy[out->size / 2];
}

static void write_file(const char *path, const struct fxt_out *out)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(out->bytes, 1, out->size, file) != out->size || fclose(file) != 0) {
        perror(path);
        exit(2);
    }
}

int main(int argc, char **argv)
{
    const char *path = argc > 3 ? argv[3] : "build/bench-mixed.fxt";
    size_t megabytes = argc > 1 ? (size_t)atoi(argv[1]) : 100;
    int rounds = argc > 2 ? atoi(argv[2]) : 5;
    struct figures f = {0};
    uint64_t sum = 0;
    struct fxt_out out = make_capture(megabytes * 1000000);
    uint8_t *copy = malloc(out.size);
    if (!copy) {
        return 2;
    }
    write_file(path, &out);
    for (int i = 0; i < rounds; i++) {
        measure_bytes(&out, copy, &f, &sum);
        measure_decoder(&out, &f);
        measure_index(path, &f);
    }
    double mb = (double)out.size / 1e6;
    printf("{\"bytes\":%llu,\"records\":%llu,\"events\":%llu,\"actions\":%llu,\"sum\":%u,"
           "\"xxh3_mb_s\":%.0f,\"memcpy_mb_s\":%.0f,\"learn_mb_s\":%.0f,\"again_mb_s\":%.0f,"
           "\"index_mb_s\":%.0f,\"learn_ns_record\":%.1f,\"learn_of_xxh3\":%.4f}\n",
           (unsigned long long)out.size, (unsigned long long)f.records,
           (unsigned long long)f.events, (unsigned long long)f.actions, (unsigned)(sum & 0xff),
           mb / f.hash, mb / f.copy, mb / f.learn, mb / f.again, mb / f.index,
           f.learn / (double)f.records * 1e9, f.hash / f.learn);
    free(copy);
    free(out.bytes);
    return 0;
}

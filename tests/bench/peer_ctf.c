/* SPDX-License-Identifier: Apache-2.0 */
/*
 * peer_ctf: writes a trace in the Common Trace Format (version 1.8), so that a reader of that
 * format can be measured: context switches on four CPUs, with the fields that LTTng writes.
 *
 *      peer_ctf EVENTS FOLDER       FOLDER exists; gets metadata and a stream for each CPU
 *
 *      stream    | packet | packet | ...        each EVENTS_A_PACKET events
 *      packet    magic, stream id | times, sizes, CPU | event, event, ...
 *
 * Numbers have the machine's byte order and are packed without padding, as the metadata declares.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPUS            4u
#define EVENTS_A_PACKET 4096u

static const char METADATA[] =
    "/* CTF 1.8 */\n"
    "typealias integer { size = 8; align = 8; signed = false; encoding = UTF8; } := char_t;\n"
    "typealias integer { size = 16; align = 8; signed = false; } := u16;\n"
    "typealias integer { size = 32; align = 8; signed = false; } := u32;\n"
    "typealias integer { size = 32; align = 8; signed = true; } := i32;\n"
    "typealias integer { size = 64; align = 8; signed = false; } := u64;\n"
    "typealias integer { size = 64; align = 8; signed = true; } := i64;\n"
    "trace { major = 1; minor = 8; byte_order = %s;\n"
    "    packet.header := struct { u32 magic; u32 stream_id; };\n"
    "};\n"
    "clock { name = monotonic; freq = 1000000000; offset = 0; };\n"
    "typealias integer { size = 64; align = 8; map = clock.monotonic.value; } := stamp;\n"
    "stream { id = 0;\n"
    "    packet.context := struct { stamp timestamp_begin; stamp timestamp_end;\n"
    "        u64 content_size; u64 packet_size; u32 cpu_id; };\n"
    "    event.header := struct { u16 id; stamp timestamp; };\n"
    "};\n"
    "event { name = sched_switch; id = 1; stream_id = 0;\n"
    "    fields := struct { char_t prev_comm[16]; i32 prev_tid; i32 prev_prio; i64 prev_state;\n"
    "        char_t next_comm[16]; i32 next_tid; i32 next_prio; };\n"
    "};\n";

/* The bytes of a packet. */
struct packet {
    uint8_t bytes[64 + 128 * EVENTS_A_PACKET];
    size_t used;
};

static void put(struct packet *p, const void *bytes, size_t size)
{
    memcpy(p->bytes + p->used, bytes, size);
    p->used += size;
}

static void put_u16(struct packet *p, uint16_t n)
{
    put(p, &n, sizeof n);
}

static void put_u32(struct packet *p, uint32_t n)
{
    put(p, &n, sizeof n);
}

static void put_u64(struct packet *p, uint64_t n)
{
    put(p, &n, sizeof n);
}

static void put_thread(struct packet *p, uint32_t tid)
{
    char name[16] = {0};
    snprintf(name, sizeof name, "thread-%u", (unsigned)tid);
    put(p, name, sizeof name);
    put_u32(p, 1000 + tid);
    put_u32(p, 20 + tid % 8);
}

static uint32_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 32);
}

/* Writes a switch event: one thread leaves the CPU, another gets it. */
static void put_switch(struct packet *p, uint64_t time, uint32_t from, uint32_t to)
{
    put_u16(p, 1);
    put_u64(p, time);
    put_thread(p, from);
    put_u64(p, from % 2);
    put_thread(p, to);
}

#define MAGIC UINT32_C(0xc1fc1fc1)

/* Writes the head when the packet is full: only then are its begin, end and size known. */
static void put_head(struct packet *p, uint64_t begin, uint64_t end, uint64_t size, uint32_t cpu)
{
    p->used = 0;
    put_u32(p, MAGIC);
    put_u32(p, 0);
    put_u64(p, begin);
    put_u64(p, end);
    put_u64(p, 8 * size);
    put_u64(p, 8 * size);
    put_u32(p, cpu);
}

static int write_stream(FILE *out, uint64_t events, uint32_t cpu)
{
    static struct packet p;
    uint64_t random = 88172645463325252u + cpu, time = 1000000 + cpu;
    uint32_t running = cpu;
    while (events > 0) {
        uint64_t begin = time;
        put_head(&p, 0, 0, 0, cpu);
        for (uint32_t i = 0; i < EVENTS_A_PACKET && events > 0; i++, events--) {
            uint32_t next = next_random(&random) % 64;
            time += 200 + next_random(&random) % 20000;
            put_switch(&p, time, running, next);
            running = next;
        }
        size_t size = p.used;
        put_head(&p, begin, time, size, cpu);
        if (fwrite(p.bytes, 1, size, out) != size) {
            return 1;
        }
    }
    return 0;
}

static FILE *create(const char *folder, const char *name)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = length > 0 && (size_t)length < sizeof path ? fopen(path, "wb") : NULL;
    if (!file) {
        perror(path);
    }
    return file;
}

static int write_metadata(const char *folder)
{
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    FILE *file = create(folder, "metadata");
    if (!file) {
        return 1;
    }
    int written = fprintf(file, METADATA, first ? "le" : "be");
    return (fclose(file) != 0) | (written < 0);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: peer_ctf EVENTS FOLDER\n");
        return 2;
    }
    uint64_t events = strtoull(argv[1], NULL, 10);
    int failed = write_metadata(argv[2]);
    for (uint32_t cpu = 0; cpu < CPUS && !failed; cpu++) {
        char name[16];
        snprintf(name, sizeof name, "cpu-%u", (unsigned)cpu);
        FILE *file = create(argv[2], name);
        failed = !file || write_stream(file, events / CPUS + (cpu < events % CPUS), cpu);
        failed = (file && fclose(file) != 0) || failed;
    }
    return failed;
}

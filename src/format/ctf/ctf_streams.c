/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ctf_streams: the files of a capture, and the order of their packets on the tape. Each file has its next packet in a
 * heap by time. Packets of one stream come in order: those of a file follow each other, and files of one stream (rotation)
 * begin after each other. Only the learning cursor adds packets.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/heap.h"
#include "format/ctf/ctf_internal.h"

#define MAGIC        UINT64_C(0xC1FC1FC1)
#define NO_INSTANCE  UINT64_MAX
#define RING_BYTES   (UINT64_C(64) << 20)
#define RING_MOST    65536u /* packets of a ring */
#define STREAMS_MOST 16384u

/* ---- packets -------------------------------------------------------------------------------- */

uint32_t ctf_stream_of(struct ctf *ctf, struct ctf_trace *trace, const struct ctf_stream_class *of,
                       uint64_t instance, uint16_t cpu)
{
    uint64_t key = tt_hash_of_pair(instance, (uint64_t)cpu << 32 | (uint32_t)of->id) ^
                   (uint64_t)trace->number << 1;
    uint32_t *bucket = &ctf->buckets[key % CTF_BUCKETS];
    for (uint32_t i = *bucket; i != 0; i = ctf_stream_at(ctf, i - 1)->older) {
        const struct ctf_stream *stream = ctf_stream_at(ctf, i - 1);
        if (stream->of == of && stream->instance == instance && stream->cpu == cpu) {
            return i - 1;
        }
    }
    if (tt_column_count(&ctf->streams) ==
        STREAMS_MOST) { /* instances that cannot be: they count as one */
        return STREAMS_MOST - 1;
    }
    struct ctf_stream *stream = tt_column_next(&ctf->streams);
    if (!stream) {
        ctf->no_memory = true;
        return UINT32_MAX;
    }
    *stream = (struct ctf_stream){.trace = trace,
                                  .of = of,
                                  .instance = instance,
                                  .cpu = cpu,
                                  .older = *bucket,
                                  .clock_of = trace->clocks};
    for (uint64_t i = tt_column_count(&ctf->streams); trace->has_uuid && i-- > 0;) {
        const struct ctf_stream *other = ctf_stream_at(ctf, (uint32_t)i);
        if (other->trace != trace && other->trace->has_uuid && other->of->id == of->id &&
            other->instance == instance && other->cpu == cpu &&
            memcmp(other->trace->uuid, trace->uuid, 16) == 0) {
            stream->before = (uint32_t)i + 1;
            break;
        }
    }
    for (const struct ctf_clock *clock = trace->clocks; clock && of->clock_name;
         clock = clock->next) {
        if (strcmp(clock->name, of->clock_name) == 0) {
            stream->clock_of = clock;
        }
    }
    tt_column_publish(&ctf->streams);
    *bucket = (uint32_t)tt_column_count(&ctf->streams);
    if (cpu != TT_NO_CPU && cpu >= ctf->capture->cpu_count) {
        atomic_store_explicit(&ctf->capture->cpu_count, cpu + 1u, memory_order_relaxed);
    }
    return *bucket - 1;
}

static uint64_t role(const struct ctf_walk *walk, unsigned role, uint64_t otherwise)
{
    return (walk->has >> role & 1) != 0 ? walk->roles[role] : otherwise;
}

/* Walks over the header and the context of a packet. Returns why it cannot be one; NULL if it is. */
static const char *walk_packet(const struct ctf_trace *trace, struct ctf_walk *walk,
                               const struct ctf_stream_class **of)
{
    const bool is_whole = !trace->packet_header || ctf_walk_over(walk, trace->packet_header);
    if (role(walk, CTF_ROLE_MAGIC, MAGIC) != MAGIC) {
        return "packet without its magic number";
    }
    if (!is_whole) {
        return "packet header that is cut";
    }
    if (walk->uuid && trace->has_uuid && memcmp(walk->uuid, trace->uuid, 16) != 0) {
        return "packet of another trace";
    }
    *of = (walk->has >> CTF_ROLE_STREAM_ID & 1) == 0
              ? (trace->streams->next ? ctf_stream_class(trace, 0) : trace->streams)
              : ctf_stream_class(trace, walk->roles[CTF_ROLE_STREAM_ID]);
    if (!*of) {
        return "packet of an undeclared stream";
    }
    const struct ctf_class *context = (*of)->classes[CTF_PACKET_CONTEXT];
    return context && !ctf_walk_over(walk, context) ? "packet context that is cut" : NULL;
}

void ctf_packet_registers(const struct ctf_record *record)
{
    const struct ctf_trace *trace = record->stream->trace;
    if (trace->has_registers) {
        const struct ctf_stream_class *of;
        struct ctf_walk walk = ctf_walk_of(record->bytes, 0, record->end, record->registers);
        walk_packet(trace, &walk, &of);
    }
}

/* Reads the packet at an offset of a file. Returns NULL, or why it is none. */
static const char *read_packet(struct ctf *ctf, const struct ctf_file *file, uint64_t offset,
                               struct ctf_found *found)
{
    uint64_t registers[CTF_REGISTERS] = {0};
    const uint64_t left = (file->size - offset) * 8;
    const struct ctf_stream_class *of = NULL;
    struct ctf_walk walk =
        ctf_walk_of(ctf->capture->bytes.data + file->at + offset, 0, left, registers);
    const char *problem = walk_packet(file->trace, &walk, &of);
    if (problem &&
        walk.at ==
            CTF_NONE) { /* the file ends in the header: a packet that is cut before its events */
        *found = (struct ctf_found){.offset = file->at + offset,
                                    .size = left / 8,
                                    .begin = CTF_NONE,
                                    .discarded = CTF_NONE,
                                    .sequence = CTF_NONE,
                                    .cpu = TT_NO_CPU,
                                    .is_cut = true};
        found->stream =
            ctf_stream_of(ctf, file->trace, file->trace->streams, file->number, TT_NO_CPU);
        return NULL;
    }
    if (problem) {
        return problem;
    }
    uint64_t size = role(&walk, CTF_ROLE_SIZE, role(&walk, CTF_ROLE_CONTENT, left));
    uint64_t content = role(&walk, CTF_ROLE_CONTENT, size);
    if (size % 8 != 0 || size == 0 || content > size || content < walk.at) {
        return "packet whose sizes contradict each other";
    }
    uint64_t cpu = role(&walk, CTF_ROLE_CPU, TT_NO_CPU);
    uint64_t instance = role(&walk, CTF_ROLE_INSTANCE, NO_INSTANCE);
    cpu = cpu < LINUX_CPUS ? cpu : TT_NO_CPU;
    if (instance == NO_INSTANCE && cpu == TT_NO_CPU) {
        instance = file->number;
    }
    *found = (struct ctf_found){.offset = file->at + offset,
                                .size = (size < left ? size : left) / 8,
                                .content = content < left ? content : left,
                                .begin = role(&walk, CTF_ROLE_BEGIN, CTF_NONE),
                                .discarded = role(&walk, CTF_ROLE_DISCARDED, CTF_NONE),
                                .sequence = role(&walk, CTF_ROLE_SEQUENCE, CTF_NONE),
                                .events = walk.at,
                                .cpu = (uint16_t)cpu,
                                .is_cut = size > left,
                                .is_open = (walk.has >> CTF_ROLE_SIZE & 1) == 0 &&
                                           (walk.has >> CTF_ROLE_CONTENT & 1) == 0};
    found->stream = ctf_stream_of(ctf, file->trace, of, instance, (uint16_t)cpu);
    return NULL;
}

/* Returns where the next packet with a magic number begins at or after a place; the end of the file if there is none. */
static uint64_t find_packet(struct ctf *ctf, const struct ctf_file *file, uint64_t at)
{
    static const uint8_t numbers[2][4] = {{0xC1, 0x1F, 0xFC, 0xC1}, {0xC1, 0xFC, 0x1F, 0xC1}};
    const struct ctf_class *header = file->trace->packet_header;
    const struct ctf_class *first = header && header->members ? header->members->type : NULL;
    const uint8_t *bytes = ctf->capture->bytes.data + file->at;
    if (!first || first->role != CTF_ROLE_MAGIC || first->bits != 32 || first->reversed) {
        return file->size;
    }
    for (; at + 4 <= file->size; at++) {
        struct ctf_found found;
        const uint8_t *next = memchr(bytes + at, numbers[0][0], file->size - at - 3);
        if (!next) {
            break;
        }
        at = (uint64_t)(next - bytes);
        if (memcmp(next, numbers[first->big], 4) == 0 && !read_packet(ctf, file, at, &found)) {
            return at;
        }
    }
    return file->size;
}

/* Reads the next packet of a file. Returns false if there is none. */
static bool next_packet(struct ctf *ctf, struct ctf_file *file)
{
    if (file->order && file->order_at < file->order_count) {
        file->done = file->order[file->order_at++].offset;
    } else if (file->is_bad || file->done >= file->size || file->order) {
        return false;
    }
    if (file->next.is_open && file->done > 0) { /* the file has grown: what is new has no header */
        file->next.offset = file->at + file->done;
        file->next.size = file->size - file->done;
        file->next.content = file->next.size * 8;
        file->next.events = 0;
        file->next.begin = CTF_NONE;
        return true;
    }
    const char *problem = read_packet(ctf, file, file->done, &file->next);
    if (!problem && !ctf->no_memory) {
        return true;
    }
    const uint64_t next = file->order ? file->size : find_packet(ctf, file, file->done + 1);
    tt_health_add(ctf->capture, TT_HEALTH_NOT_READ, file->at + file->done, ctf->tape,
                  next - file->done, problem);
    if (next == file->size || read_packet(ctf, file, next, &file->next) || ctf->no_memory) {
        file->is_bad = true;
        return false;
    }
    file->next.is_found = true;
    return true;
}

/* ---- rings ---------------------------------------------------------------------------------- */

static int compare_slots(const void *a, const void *b)
{
    const struct ctf_slot *left = a, *right = b;
    return left->sequence != right->sequence
               ? (left->sequence < right->sequence ? -1 : 1)
               : (left->offset > right->offset) - (left->offset < right->offset);
}

/*
 * Orders the packets of a file that is a ring in memory of the target: the newest one is anywhere, and slots without events
 * and number 0 were never used. Files of other recorders have numbers that grow in each stream, and stay as they are.
 */
static void order_ring(struct ctf *ctf, struct ctf_file *file)
{
    struct ctf_found found;
    struct ctf_slot *slots = NULL;
    size_t count = 0, capacity = 0;
    bool is_ring = false;
    if (file->size > RING_BYTES || file->next.sequence == CTF_NONE) {
        return;
    }
    for (uint64_t at = 0; at < file->size && count < RING_MOST; at += found.size) {
        struct ctf_slot *more = tt_array_grow(slots, count, &capacity, sizeof *slots);
        if (!more || read_packet(ctf, file, at, &found) || found.stream != file->next.stream) {
            slots = more ? more : slots;
            is_ring = false;
            break;
        }
        slots = more;
        is_ring |= count > 0 && found.sequence <= slots[count - 1].sequence;
        if (found.events < found.content || found.sequence != 0) {
            slots[count++] = (struct ctf_slot){found.sequence, at};
        }
    }
    if (is_ring && count > 0) {
        qsort(slots, count, sizeof *slots, compare_slots);
        file->order = slots;
        file->order_count = (uint32_t)count;
        next_packet(ctf, file);
        return;
    }
    free(slots);
}

/* ---- the tape ------------------------------------------------------------------------------- */

static bool next_before(const void *a, const void *b)
{
    const struct ctf_next *left = a, *right = b;
    return left->time != right->time ? left->time < right->time : left->file < right->file;
}

/* Returns the time of a file's next packet; without one, that at which its stream is. */
static uint64_t ctf_streams_time_of(const struct ctf *ctf, const struct ctf_file *file)
{
    const struct ctf_stream *stream = ctf_stream_at(ctf, file->next.stream);
    uint64_t ticks =
        ctf_ticks(stream, file->next.begin != CTF_NONE ? file->next.begin : stream->clock);
    return ticks <= INT64_MAX ? ticks : 0;
}

/* Notes what was lost before a packet: events by the counter, packets by their numbers. */
static void note_losses(struct ctf *ctf, struct ctf_stream *stream, const struct ctf_found *found)
{
    struct tt_capture *capture = ctf->capture;
    bool lost = found->is_found;
    if (found->discarded != CTF_NONE) {
        const struct ctf_class *context = stream->of->classes[CTF_PACKET_CONTEXT];
        unsigned bits = 64;
        for (const struct ctf_member *member = context ? context->members : NULL; member;
             member = member->next) {
            bits = member->type->role == CTF_ROLE_DISCARDED && member->type->bits
                       ? member->type->bits
                       : bits;
        }
        uint64_t count = found->discarded - stream->discarded;
        count &= bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
        if (stream->has_discarded ? count != 0 && count >> (bits - 1) == 0
                                  : found->discarded != 0) {
            tt_health_add(capture, TT_HEALTH_LOST, found->offset, ctf->tape, count,
                          "events discarded by the recorder");
            lost = true;
        }
        stream->discarded = found->discarded;
        stream->has_discarded = true;
    }
    if (found->sequence != CTF_NONE) {
        uint64_t gap = found->sequence - stream->sequence - 1;
        if (stream->has_sequence && gap != 0 && gap <= INT64_MAX) {
            tt_health_add(capture, TT_HEALTH_LOST, found->offset, ctf->tape, gap,
                          "packets are missing");
            lost = true;
        }
        stream->sequence = found->sequence;
        stream->has_sequence = true;
    }
    if (lost) {
        stream->state = (union ctf_state){{0}};
        stream->lost_since = stream->lost_since ? stream->lost_since : stream->last;
    }
}

/* Continues the stream of an earlier directory where it has ended. */
static void continue_stream(struct ctf_stream *stream, const struct ctf_stream *before)
{
    stream->before = 0;
    stream->has_discarded = before->has_discarded;
    stream->has_sequence = before->has_sequence;
    stream->discarded = before->discarded;
    stream->sequence = before->sequence;
    stream->last = before->last;
    stream->state = before->state;
}

/* Puts the next packet of a file into the heap, if there is one. */
static void queue_file(struct ctf *ctf, struct ctf_file *file)
{
    const bool is_first = file->done == 0;
    if (next_packet(ctf, file)) {
        if (is_first) {
            order_ring(ctf, file);
        }
        file->is_queued = true;
        ctf->next[ctf->next_count++] =
            (struct ctf_next){ctf_streams_time_of(ctf, file), file->number};
        tt_heap_up(ctf->next, sizeof *ctf->next, ctf->next_count - 1, next_before);
    }
}

/* Takes the first packet out of the heap. */
static void unqueue_first(struct ctf *ctf)
{
    ctf->files[ctf->next[0].file].is_queued = false;
    ctf->next[0] = ctf->next[--ctf->next_count];
    tt_heap_down(ctf->next, ctf->next_count, sizeof *ctf->next, 0, next_before);
}

/* Returns the length of the directory in a name, with its slash. */
static size_t folder_length(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? (size_t)(slash - name) + 1 : 0;
}

/* Returns the trace of a file in the capture's directory; NULL if it is of none. */
static struct ctf_trace *trace_of(const struct ctf *ctf, const char *name)
{
    size_t length = folder_length(name);
    for (unsigned i = 0; i < ctf->trace_count; i++) {
        if (strlen(ctf->traces[i]->folder) == length &&
            strncmp(ctf->traces[i]->folder, name, length) == 0) {
            return ctf->traces[i];
        }
    }
    return NULL;
}

/* Lists the files of the capture's directory that are new, and queues their first packets. */
static void add_files(struct ctf *ctf)
{
    const struct tt_map *in = ctf->capture->files;
    for (; in && ctf->listed < tt_map_file_count(in) && !ctf->no_memory; ctf->listed++) {
        const struct tt_map_file of = tt_map_file(in, ctf->listed);
        struct ctf_file *file = &ctf->files[ctf->file_count];
        struct ctf_trace *trace = trace_of(ctf, of.name);
        if (!trace || strcmp(of.name + folder_length(of.name), "metadata") == 0 ||
            ctf->file_count == CTF_FILES) {
            continue;
        }
        *file = (struct ctf_file){.trace = trace,
                                  .name = of.name,
                                  .at = of.at,
                                  .size = of.bytes.size,
                                  .number = ctf->file_count++,
                                  .in = ctf->listed};
        queue_file(ctf, file);
    }
}

/* Queues the files that have grown, and the new ones. */
static void queue_grown(struct ctf *ctf)
{
    add_files(ctf);
    for (uint32_t i = 0; i < ctf->file_count; i++) {
        struct ctf_file *file = &ctf->files[i];
        const uint64_t size = tt_map_file(ctf->capture->files, file->in).bytes.size;
        if (size > file->size) {
            file->size = size;
            if (!file->is_queued) {
                queue_file(ctf, file);
            } else if (file->next.is_open) { /* to the end of the file, as it was when queued */
                file->next.size = file->at + size - file->next.offset;
                file->next.content = file->next.size * 8;
            } else if (file->next.is_cut) {
                read_packet(ctf, file, file->done, &file->next);
            }
        }
    }
}

bool ctf_add_packet(struct ctf *ctf, bool final)
{
    if (!final || !ctf->is_final) { /* also what came before the end was known */
        ctf->is_final = final;
        queue_grown(ctf);
    }
    while (ctf->next_count > 0 && ctf->files[ctf->next[0].file].next.is_cut && !final) {
        unqueue_first(ctf); /* the rest of the packet comes */
    }
    if (ctf->next_count == 0) {
        return false;
    }
    struct ctf_file *file = &ctf->files[ctf->next[0].file];
    const struct ctf_found *found = &file->next;
    struct ctf_stream *stream = ctf_stream_at(ctf, found->stream);
    struct ctf_packet *packet = tt_column_next(&ctf->packets);
    if (!packet) {
        ctf->no_memory = true;
        return false;
    }
    if (stream->before != 0) {
        continue_stream(stream, ctf_stream_at(ctf, stream->before - 1));
    }
    if (found->is_cut) {
        tt_health_add(ctf->capture, TT_HEALTH_TRUNCATED, found->offset, ctf->tape, found->size,
                      "bytes of a packet that is longer");
    }
    note_losses(ctf, stream, found);
    *packet = (struct ctf_packet){.base = ctf->tape,
                                  .offset = found->offset,
                                  .content = found->content,
                                  .clock = found->begin != CTF_NONE ? found->begin : stream->clock,
                                  .since = stream->lost_since,
                                  .state = stream->state,
                                  .events = found->events,
                                  .stream = found->stream,
                                  .file = file->number,
                                  .cpu = found->cpu,
                                  .is_open = found->is_open};
    tt_column_publish(&ctf->packets);
    ctf->tape += ((found->content + 7) / 8 + 1) << ctf->position_shift;
    file->done = found->offset - file->at + found->size;
    if (next_packet(ctf, file)) {
        ctf->next[0].time = ctf_streams_time_of(ctf, file);
        tt_heap_down(ctf->next, ctf->next_count, sizeof *ctf->next, 0, next_before);
    } else {
        unqueue_first(ctf);
    }
    return !ctf->no_memory;
}

#define NEAR_BYTES 512u /* of the tape, with a hint each */

const struct ctf_packet *ctf_packet_at(const struct ctf *ctf, uint64_t pos)
{
    const uint64_t count = tt_column_count(&ctf->packets);
    if (count == 0) {
        return NULL;
    }
    /* Hints for the next calls, whichever threads make them: packets by position, and that of the position before. */
    const uint64_t place = pos / NEAR_BYTES;
    _Atomic uint32_t *near = (_Atomic uint32_t *)(uintptr_t)ctf->near;
    for (unsigned i = 0; i < 3; i++) {
        const uint64_t hint =
            atomic_load_explicit(&near[(place - (i > 0)) % CTF_NEAR], memory_order_relaxed) +
            (i > 1);
        const struct ctf_packet *packet = tt_column_at(&ctf->packets, hint < count ? hint : 0);
        if (packet->base <= pos &&
            pos <= packet->base + (packet->content >> (ctf->position_shift ? 0 : 3))) {
            if (i > 0) {
                atomic_store_explicit(&near[place % CTF_NEAR], (uint32_t)hint,
                                      memory_order_relaxed);
            }
            return packet;
        }
    }
    uint64_t low = 0;
    for (uint64_t high = count; low + 1 < high;) {
        const uint64_t middle = low + (high - low) / 2;
        const struct ctf_packet *packet = tt_column_at(&ctf->packets, middle);
        if (packet->base <= pos) {
            low = middle;
        } else {
            high = middle;
        }
    }
    atomic_store_explicit(&near[place % CTF_NEAR], (uint32_t)low, memory_order_relaxed);
    return tt_column_at(&ctf->packets, low);
}

/* ---- survey --------------------------------------------------------------------------------- */

#define SURVEY_BYTES (UINT64_C(8) << 20) /* of all files together */

/* Shows the events of a packet. */
static void survey_packet(struct ctf *ctf, const struct ctf_tracer *tracer,
                          const struct ctf_found *found)
{
    uint64_t registers[CTF_REGISTERS] = {0}, clock = 0;
    struct ctf_record record = {.d = ctf,
                                .stream = ctf_stream_at(ctf, found->stream),
                                .bytes = ctf->capture->bytes.data + found->offset,
                                .end = found->content,
                                .registers = registers};
    const uint32_t align = record.stream->of->event_align;
    for (uint64_t at = found->events; (record.begin = ctf_align(at, align)) < record.end;) {
        if (!ctf_read_event(&record, &clock)) {
            return;
        }
        tracer->survey(ctf, &record);
        at = record.after;
    }
}

void ctf_survey(struct ctf *ctf)
{
    for (uint32_t i = 0; i < ctf->file_count; i++) {
        const struct ctf_file *file = &ctf->files[i];
        const struct ctf_tracer *tracer = file->trace->tracer;
        struct ctf_found found = file->next, before = {.discarded = CTF_NONE, .sequence = CTF_NONE};
        uint64_t left = SURVEY_BYTES / ctf->file_count;
        if (file->is_bad) {
            continue;
        }
        for (uint64_t at = 0; at < file->size && left > 0; at += found.size) {
            if (read_packet(ctf, file, at, &found)) {
                break;
            }
            /* Each CPU has losses of its own. */
            ctf->capture->lanes_by_time |=
                ctf->file_count > 1 &&
                ((before.discarded != CTF_NONE && before.discarded != found.discarded) ||
                 (before.sequence != CTF_NONE && before.sequence + 1 != found.sequence));
            before = found;
            if (tracer->survey) {
                survey_packet(ctf, tracer, &found);
            }
            left = left > found.size ? left - found.size : 0;
        }
    }
}

/* ---- files ---------------------------------------------------------------------------------- */

struct tt_status ctf_streams_find(struct ctf *ctf)
{
    ctf->files = calloc(CTF_FILES, sizeof *ctf->files);
    ctf->next = calloc(CTF_FILES, sizeof *ctf->next);
    if (!ctf->files || !ctf->next) {
        return tt_error_memory();
    }
    add_files(ctf);
    return ctf->no_memory ? tt_error_memory() : tt_ok();
}

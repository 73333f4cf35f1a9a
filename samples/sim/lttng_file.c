// SPDX-License-Identifier: Apache-2.0
//
// lttng_file: an LTTng kernel trace: a directory with the metadata and one stream of packets for each CPU,
// and an index of each stream. Documents: the Common Trace Format Specification 1.8.3 and the metadata of
// recorded traces.
//
//     channel0_N:  packet | packet | ...       index/channel0_N.idx:  header | entry | entry | ...
//     packet:      header (32 bytes) | context | events ... | padding
//
// A record is collected field by field, since LTTng's fields differ from those of ftrace, and added to the
// packet of its CPU when it is complete. Complete packets are written at once, the last ones at the end.

#include "linux_recorder.h"
#include "lttng_events.h"
#include "rng.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { VALUES = 10, TEXT_MAX = 256, PAGE = 4096, META_HEADER = 37 };

struct lttng_stream {
    struct sim_out out, index;
    uint8_t *packet;
    uint32_t used;             // bytes of the packet, context included; 0: it has not begun
    uint64_t begin;            // time of its first record
    uint64_t time;             // of its last record
    uint64_t packets, records; // begun so far; records in the current one
    uint64_t sequence;         // of the current one
    uint64_t discarded;        // events before the current packet
    bool is_lost;              // the current packet will be lost
};

struct lttng_file {
    struct linux_recorder base; // first: a file is a recorder
    struct sim_write_config config;
    struct lttng_form form;
    struct sim_out *out; // the metadata
    struct sim_counts *counts;
    struct lttng_stream stream[SIM_CPU_MAX];
    uint32_t packet_size, context; // context: bytes before the events
    bool dumped;                   // the state dump has begun, and not ended
    struct {
        enum ftrace_event event;
        const struct sim_event *of;
        uint32_t count;
        uint64_t values[VALUES];
        char texts[VALUES][TEXT_MAX];
    } record;
};

// Numbers ----------------------------------------------------------------------------------------

static void store(const struct lttng_file *file, uint8_t *to, uint64_t number, size_t size)
{
    for (size_t i = 0; i < size; i++)
        to[file->form.big_endian ? size - 1 - i : i] = (uint8_t)(number >> 8 * i);
}

static void put(const struct lttng_file *file, struct lttng_stream *stream, uint64_t number,
                uint32_t size)
{
    if (file->form.natural)
        while (stream->used % size != 0)
            stream->packet[stream->used++] = 0;
    store(file, stream->packet + stream->used, number, size);
    stream->used += size;
}

static void put_text(struct lttng_stream *stream, const char *text, uint32_t size)
{
    size_t length = strlen(text);
    memset(stream->packet + stream->used, 0, size);
    memcpy(stream->packet + stream->used, text, length < size ? length : size);
    stream->used += size;
}

static uint32_t word_of(const struct lttng_file *file)
{
    return file->form.is64 ? 8 : 4;
}

// Packets ----------------------------------------------------------------------------------------

// Writes header and context of the packet of a CPU.
static void put_context(struct lttng_file *file, struct lttng_stream *stream, uint32_t size)
{
    uint32_t content = stream->used;
    stream->used = 0;
    put(file, stream, 0xc1fc1fc1, 4);
    memcpy(stream->packet + stream->used, file->form.uuid, 16);
    stream->used += 16;
    put(file, stream, 0, 4);
    put(file, stream, (uint64_t)(stream - file->stream), 8);
    put(file, stream, stream->begin, 8);
    put(file, stream, stream->time, 8);
    put(file, stream, 8 * (uint64_t)content, 8);
    put(file, stream, 8 * (uint64_t)size, 8);
    put(file, stream, stream->sequence, 8);
    put(file, stream, stream->discarded, word_of(file));
    put(file, stream, (uint64_t)(stream - file->stream), 4);
    stream->used = content;
}

static void index_number(struct lttng_stream *stream, uint64_t number, size_t size)
{
    uint8_t *to = sim_out_room(&stream->index, size);
    for (size_t i = 0; i < size; i++)
        to[size - 1 - i] = (uint8_t)(number >> 8 * i);
}

static void put_index(struct lttng_file *file, struct lttng_stream *stream, uint32_t size)
{
    index_number(stream, stream->out.written, 8);
    index_number(stream, 8 * (uint64_t)size, 8);
    index_number(stream, 8 * (uint64_t)stream->used, 8);
    index_number(stream, stream->begin, 8);
    index_number(stream, stream->time, 8);
    index_number(stream, stream->discarded, 8);
    index_number(stream, 0, 8);
    index_number(stream, (uint64_t)(stream - file->stream), 8);
    index_number(stream, stream->sequence, 8);
}

// Ends the packet of a CPU. Of the lost ones, the even are events that had no room: the next packet counts
// them; the odd are packets that were overwritten: the next number is missing.
static void end_packet(struct lttng_file *file, struct lttng_stream *stream, bool is_last)
{
    uint32_t size = is_last ? (stream->used + PAGE - 1) / PAGE * PAGE : file->packet_size;
    if (stream->records == 0)
        return;
    if (stream->is_lost) {
        file->counts->lost += stream->records;
        file->counts->lost_buffers++;
        if (stream->packets % 2 == 0)
            stream->discarded += stream->records;
        else
            stream->sequence++;
    } else {
        put_context(file, stream, size);
        if (!file->config.dry) {
            memset(stream->packet + stream->used, 0, size - stream->used);
            put_index(file, stream, size);
            sim_out_put(&stream->out, stream->packet, size);
        }
        stream->sequence++;
    }
    stream->used = 0;
    stream->records = 0;
}

static bool lttng_room(struct linux_recorder *recorder, uint32_t cpu)
{
    struct lttng_file *file = (struct lttng_file *)recorder;
    struct lttng_stream *stream = &file->stream[cpu];
    uint32_t lose = file->config.lose;
    if (stream->used != 0 && file->packet_size - stream->used < LINUX_GROUP + TEXT_MAX)
        end_packet(file, stream, false);
    if (stream->used == 0) {
        uint64_t number = stream->packets++ * SIM_CPU_MAX + cpu;
        stream->is_lost = lose != 0 && stream->packets > 8 &&
                          sim_mix(number ^ file->config.run->seed) % lose == 0;
        stream->used = file->context;
    }
    return stream->is_lost;
}

// Records ----------------------------------------------------------------------------------------

// A compact header has the low bits of the time and of the event; an extended one has all of both.
static void put_header(struct lttng_file *file, struct lttng_stream *stream, uint32_t number,
                       uint64_t time)
{
    uint32_t bits = file->form.large ? 32 : 27, last = file->form.large ? 65534 : 30;
    bool extended = number > last || time - stream->time >= UINT64_C(1) << bits;
    uint32_t first = extended ? last + 1 : number;
    if (file->form.large) {
        put(file, stream, first, 2);
        if (!extended)
            put(file, stream, time & UINT32_MAX, 4);
    } else if (!extended) {
        uint32_t low = (uint32_t)time & ((UINT32_C(1) << 27) - 1);
        put(file, stream, file->form.big_endian ? first << 27 | low : low << 5 | first, 4);
    } else {
        while (file->form.natural && stream->used % 4 != 0)
            stream->packet[stream->used++] = 0;
        stream->packet[stream->used++] = (uint8_t)(file->form.big_endian ? first << 3 : first);
    }
    if (!extended)
        return;
    while (file->form.natural && stream->used % 8 != 0)
        stream->packet[stream->used++] = 0;
    put(file, stream, number, 4);
    put(file, stream, time, 8);
}

static void put_thread_context(struct lttng_file *file, struct lttng_stream *stream,
                               const struct sim_event *of)
{
    const struct sim_thread *thread = of->context;
    if (file->form.natural)
        while (stream->used % 4 != 0)
            stream->packet[stream->used++] = 0;
    put(file, stream, sim_linux_pid(thread), 4);
    put(file, stream, sim_linux_tid(thread), 4);
    put_text(stream, thread->name[0] != '\0' ? thread->name : thread->process->name, 15);
    stream->packet[stream->used++] = 0;
}

static uint64_t value_of(const struct lttng_file *file, char from)
{
    if (from == 'P')
        return sim_linux_pid(file->record.of->context);
    if (from == 'C')
        return sim_linux_pid(file->record.of->thread);
    return from == '-' ? 0 : file->record.values[from - '0'];
}

static void put_field(struct lttng_file *file, struct lttng_stream *stream,
                      const struct lttng_field *field)
{
    struct lttng_kind kind = lttng_kind_of(field->kind);
    uint32_t size = kind.size != 0 ? kind.size : word_of(file);
    const char *text =
        field->from >= '0' && field->from <= '9' ? file->record.texts[field->from - '0'] : "";
    switch (field->kind) {
    case 'c':
        put_text(stream, text, 15);
        stream->packet[stream->used++] = 0;
        break;
    case 's':
        put_text(stream, text, (uint32_t)strlen(text) + 1);
        break;
    case 't':
        put(file, stream, strlen(text), 4);
        put_text(stream, text, (uint32_t)strlen(text));
        break;
    case 'v':
        put(file, stream, 1, 4);
        put(file, stream, value_of(file, field->from), size);
        break;
    case 'n': // LTTng's priorities begin with that of nice -20
        put(file, stream, value_of(file, field->from) - 100, size);
        break;
    default:
        put(file, stream, value_of(file, field->from), size);
        break;
    }
}

// Structures are aligned as their fields.
static void align_fields(const struct lttng_file *file, struct lttng_stream *stream,
                         const struct lttng_event *event)
{
    uint32_t most = 1;
    for (int i = 0; i < LTTNG_FIELDS && event->fields[i].kind != 0; i++) {
        struct lttng_kind kind = lttng_kind_of(event->fields[i].kind);
        uint32_t size = event->fields[i].kind == 't'   ? 4
                        : event->fields[i].kind == 's' ? 1
                        : kind.size != 0               ? kind.size
                                                       : word_of(file);
        most = size > most ? size : most;
    }
    while (file->form.natural && stream->used % most != 0)
        stream->packet[stream->used++] = 0;
}

static void put_record(struct lttng_file *file, uint32_t number)
{
    const struct lttng_event *event = lttng_event_of(number);
    const struct sim_event *of = file->record.of;
    struct lttng_stream *stream = &file->stream[of->cpu];
    if (event->name == NULL)
        return;
    if (stream->records == 0)
        stream->begin = stream->time = of->time;
    put_header(file, stream, number, of->time);
    if (file->form.contexts)
        put_thread_context(file, stream, of);
    align_fields(file, stream, event);
    for (int i = 0; i < LTTNG_FIELDS && event->fields[i].kind != 0; i++)
        put_field(file, stream, &event->fields[i]);
    stream->time = of->time;
    stream->records++;
    if (!stream->is_lost) {
        file->counts->events++;
        file->counts->records++;
    }
}

static void start_record(struct lttng_file *file, const struct sim_event *of)
{
    file->record.of = of;
    file->record.count = 0;
    memset(file->record.values, 0, sizeof file->record.values);
    memset(file->record.texts, 0, sizeof file->record.texts);
}

static void lttng_begin(struct linux_recorder *recorder, enum ftrace_event event,
                        const struct sim_event *of, uint32_t pid, uint8_t flags)
{
    struct lttng_file *file = (struct lttng_file *)recorder;
    (void)pid;
    (void)flags;
    start_record(file, of);
    if (file->dumped) {
        put_record(file, LTTNG_DUMP_END);
        file->dumped = false;
    }
    file->record.event = event;
}

static void lttng_number(struct linux_recorder *recorder, uint64_t number)
{
    struct lttng_file *file = (struct lttng_file *)recorder;
    file->record.values[file->record.count++] = number;
}

static void lttng_numbers(struct linux_recorder *recorder, const uint64_t *numbers)
{
    for (int i = 0; i < 6; i++)
        lttng_number(recorder, numbers[i]);
}

static void lttng_string(struct linux_recorder *recorder, const char *text)
{
    struct lttng_file *file = (struct lttng_file *)recorder;
    snprintf(file->record.texts[file->record.count++], TEXT_MAX, "%s", text);
}

// Returns prev_state as LTTng records it: 4.14's ftrace has the number of a bit in its place.
static uint64_t raw_state(const struct lttng_file *file, uint64_t state)
{
    bool is_index = strcmp(file->base.kernel->name, "4.14") == 0 && state > 0 && state < 8;
    return is_index ? UINT64_C(1) << (state - 1) : state;
}

// A system call is an event of its own, without the number of the call.
static void lttng_end(struct linux_recorder *recorder)
{
    struct lttng_file *file = (struct lttng_file *)recorder;
    enum ftrace_event event = file->record.event;
    if (event == FTRACE_SWITCH)
        file->record.values[3] = raw_state(file, file->record.values[3]);
    if (event != FTRACE_SYS_ENTER && event != FTRACE_SYS_EXIT) {
        put_record(file, event);
        return;
    }
    uint32_t call = 0;
    while (call < LTTNG_CALLS && recorder->machine->calls[call] != file->record.values[0])
        call++;
    if (event == FTRACE_SYS_ENTER)
        memmove(file->record.values, file->record.values + 1,
                sizeof file->record.values - sizeof file->record.values[0]);
    recorder->is_dropped = call == 0 || call >= LTTNG_CALLS;
    if (!recorder->is_dropped)
        put_record(file, (event == FTRACE_SYS_ENTER ? LTTNG_ENTRY : LTTNG_EXIT) + call);
}

// The status of a waiting thread is 5, of another one 1.
static void lttng_existing(struct linux_recorder *recorder, const struct sim_event *of,
                           const char *command)
{
    struct lttng_file *file = (struct lttng_file *)recorder;
    start_record(file, of);
    if (!file->dumped)
        put_record(file, LTTNG_DUMP_START);
    file->dumped = true;
    lttng_number(recorder, sim_linux_tid(of->thread));
    lttng_number(recorder, sim_linux_pid(of->thread));
    lttng_string(recorder, command);
    lttng_number(recorder, 5);
    lttng_number(recorder, of->thread->state > SIM_READY ? 5 : 1);
    lttng_number(recorder, of->thread->cpu);
    put_record(file, LTTNG_DUMP_PROCESS);
}

// The capture ------------------------------------------------------------------------------------

static void write_metadata(struct lttng_file *file)
{
    struct ftrace_text text = {0};
    if (file->config.lttng_ctf2)
        lttng_metadata_json(&file->form, &text);
    else
        lttng_metadata_tsdl(&file->form, &text);
    for (size_t at = 0; at < text.used && file->config.lttng_ctf2; at += PAGE)
        sim_out_put(file->out, text.bytes + at, text.used - at < PAGE ? text.used - at : PAGE);
    for (size_t at = 0; at < text.used && !file->config.lttng_ctf2; at += PAGE - META_HEADER) {
        uint8_t packet[PAGE] = {0};
        size_t length = text.used - at < PAGE - META_HEADER ? text.used - at : PAGE - META_HEADER;
        store(file, packet, 0x75d11d57, 4);
        memcpy(packet + 4, file->form.uuid, 16);
        store(file, packet + 24, 8 * (META_HEADER + length), 4);
        store(file, packet + 28, 8 * PAGE, 4);
        packet[35] = 1;
        packet[36] = 8;
        memcpy(packet + META_HEADER, text.bytes + at, length);
        sim_out_put(file->out, packet, PAGE);
    }
    if (text.failed)
        file->out->error = ENOMEM;
    ftrace_text_free(&text);
}

static void lttng_flush(struct linux_recorder *recorder)
{
    struct lttng_file *file = (struct lttng_file *)recorder;
    for (uint32_t i = 0; i < file->config.run->cpus; i++) {
        sim_out_flush(&file->stream[i].out);
        sim_out_flush(&file->stream[i].index);
    }
}

static void lttng_finish(struct linux_recorder *recorder, const struct ftrace_text *commands)
{
    struct lttng_file *file = (struct lttng_file *)recorder;
    (void)commands;
    for (uint32_t i = 0; i < file->config.run->cpus; i++)
        end_packet(file, &file->stream[i], true);
}

static void lttng_close(struct linux_recorder *recorder)
{
    struct lttng_file *file = (struct lttng_file *)recorder;
    for (uint32_t i = 0; i < file->config.run->cpus; i++) {
        struct lttng_stream *stream = &file->stream[i];
        free(stream->packet);
        if (file->config.dry)
            continue;
        bool closed = sim_out_close(&stream->out);
        closed &= sim_out_close(&stream->index);
        if (!closed && file->out->error == 0)
            file->out->error = stream->out.error != 0 ? stream->out.error : stream->index.error;
    }
    free(file);
}

static bool open_stream(struct lttng_file *file, uint32_t cpu)
{
    struct lttng_stream *stream = &file->stream[cpu];
    char path[4096];
    stream->packet = calloc(1, file->packet_size);
    if (stream->packet == NULL)
        return false;
    if (file->config.dry)
        return true;
    snprintf(path, sizeof path, "%s/channel0_%u", file->config.directory, cpu);
    if (!sim_out_open(&stream->out, path))
        return false;
    snprintf(path, sizeof path, "%s/index/channel0_%u.idx", file->config.directory, cpu);
    if (!sim_out_open(&stream->index, path))
        return false;
    index_number(stream, 0xc1f1dcc1, 4);
    index_number(stream, 1, 4);
    index_number(stream, 1, 4);
    index_number(stream, 72, 4);
    return true;
}

struct linux_recorder *lttng_recorder_open(const struct sim_write_config *config,
                                           struct sim_out *out, struct sim_counts *counts,
                                           const char **why)
{
    static const struct linux_form form = {lttng_room,   lttng_begin, lttng_number,   lttng_numbers,
                                           lttng_string, lttng_end,   lttng_existing, lttng_flush,
                                           lttng_finish, lttng_close};
    struct lttng_file *file = calloc(1, sizeof *file);
    *why = "out of memory";
    if (file == NULL)
        return NULL;
    file->base =
        (struct linux_recorder){&form, ftrace_kernel_find(config->ftrace_kernel),
                                ftrace_machine_find(!config->ftrace_32, config->big_endian), false};
    file->config = *config;
    file->out = out;
    file->counts = counts;
    file->packet_size = config->lttng_packet;
    file->form = (struct lttng_form){.is64 = !config->ftrace_32,
                                     .big_endian = config->big_endian,
                                     .natural = config->big_endian || config->ftrace_32,
                                     .large = config->lttng_large,
                                     .contexts = config->lttng_contexts};
    file->context = 32 + 5 * 8 + word_of(file) + 4;
    for (int i = 0; i < 16; i++) {
        file->form.uuid[i] = (uint8_t)sim_mix(config->run->seed + (uint64_t)i);
        file->form.clock_uuid[i] = (uint8_t)(0xc0 + i);
    }
    *why = "--ftrace-kernel: 6.1, 6.1-rt, 4.14 or 3.10";
    bool usable = file->base.kernel != NULL;
    if (usable) {
        char path[4096];
        *why = "out of memory, or the files of the directory are not writable";
        file->form.kernel_release = file->base.kernel->release;
        // Of older kernels: the versions before 2.11 record prev_state as the kernel has it.
        file->form.tracer_minor = file->base.kernel->release[0] < '6' ? 10 : 13;
        snprintf(path, sizeof path, "%s/index", config->directory);
        usable = config->dry || mkdir(path, 0777) == 0 || errno == EEXIST;
    }
    for (uint32_t i = 0; i < config->run->cpus && usable; i++)
        usable = open_stream(file, i);
    if (!usable) {
        lttng_close(&file->base);
        return NULL;
    }
    if (!config->dry)
        write_metadata(file);
    return &file->base;
}

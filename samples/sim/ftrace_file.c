// SPDX-License-Identifier: Apache-2.0
//
// ftrace_file: a trace.dat file: pages of a ring buffer for each CPU, and the blocks and sections
// around them. Documents: trace-cmd.dat.v6.5.txt and v7.5.txt of trace-cmd, ring-buffer-design.rst
// of Linux.
//
// A record is built field by field and added to the page of its CPU. Full pages are kept in a
// temporary file for each CPU, as trace-cmd does; the file itself is written when the run is over,
// in one pass, so that it can be a pipe.

#include "linux_recorder.h"
#include "rng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum { FTRACE_RECORD_MAX = 512 };

struct ftrace_cpu {
    uint8_t *page;
    uint32_t used;    // bytes of the page, header included; 0: it has not begun
    uint64_t time;    // of its last record
    uint64_t pages;   // begun so far
    uint64_t records; // in the current page
    uint64_t missed;  // records lost since the last page that was kept
    uint64_t overrun; // records lost in all
    uint64_t kept;    // records in kept pages
    bool is_lost;     // the current page will be lost
    FILE *spool;      // kept pages
    uint64_t kept_pages;
    uint64_t offset, size; // of its data in the file
};

struct ftrace_file {
    struct linux_recorder base; // first: a file is a recorder
    struct sim_write_config config;
    struct ftrace_layout layout;
    struct sim_out *out;
    struct sim_counts *counts;
    struct ftrace_cpu cpu[SIM_CPU_MAX];
    uint32_t cpus, page_size, header; // header: bytes before the data of a page
    FILE *body;                       // compressed pages
    struct {
        enum ftrace_event event;
        uint32_t cpu, size, field;
        uint64_t time;
        uint8_t bytes[FTRACE_RECORD_MAX];
    } record;
    bool failed; // a temporary file, or memory
};

enum { TYPE_LONG = 0, TYPE_EXTEND = 30, TYPE_STAMP = 31, DELTA_BITS = 27, LONGEST = 28 * 4 };
enum { MISSED = 1 << 30, CHUNK_PAGES = 10 };
#define LOST (UINT32_C(1) << 31)

enum option {
    OPTION_DONE = 0,
    OPTION_CPUSTAT = 2,
    OPTION_BUFFER = 3,
    OPTION_TRACECLOCK = 4,
    OPTION_UNAME = 5,
    OPTION_CPUCOUNT = 8,
    OPTION_VERSION = 9,
    OPTION_TRACEID = 11,
    SECTION_STRINGS = 15,
    OPTION_HEADER_INFO = 16
};

static const char clocks[] = "[local] global counter uptime perf mono mono_raw boot tai x86-tsc\n";

// Numbers ----------------------------------------------------------------------------------------

static void store(uint8_t *to, uint64_t number, size_t size, bool big_endian)
{
    for (size_t i = 0; i < size; i++)
        to[big_endian ? size - 1 - i : i] = (uint8_t)(number >> 8 * i);
}

static void add_number(const struct ftrace_file *file, struct ftrace_text *text, uint64_t number,
                       size_t size)
{
    uint8_t bytes[8];
    store(bytes, number, size, file->config.big_endian);
    ftrace_text_add(text, bytes, size);
}

static size_t word_of(const struct ftrace_file *file)
{
    return file->layout.machine->is64 ? 8 : 4;
}

// Pages ------------------------------------------------------------------------------------------

static void ftrace_recorder_close(struct linux_recorder *recorder)
{
    struct ftrace_file *file = (struct ftrace_file *)recorder;
    for (uint32_t i = 0; i < file->cpus; i++) {
        free(file->cpu[i].page);
        if (file->cpu[i].spool != NULL)
            fclose(file->cpu[i].spool);
    }
    if (file->body != NULL)
        fclose(file->body);
    if (file->failed && file->out->error == 0)
        file->out->error = 12; // ENOMEM
    free(file);
}

// Ends the page of a CPU. Its first record has the time of the page, so that pages decode alone. The number
// of lost records follows the data where there is room for it, on every other page.
static void end_page(struct ftrace_file *file, struct ftrace_cpu *cpu)
{
    bool big = file->config.big_endian;
    size_t word = word_of(file);
    uint32_t commit = cpu->used - file->header;
    if (cpu->records == 0)
        return;
    if (cpu->is_lost) {
        cpu->missed += cpu->records;
        cpu->overrun += cpu->records;
        file->counts->lost += cpu->records;
        file->counts->lost_buffers++;
    } else {
        if (cpu->missed != 0 && cpu->used + word <= file->page_size && cpu->pages % 2 == 0) {
            store(cpu->page + cpu->used, cpu->missed, word, big);
            commit |= MISSED;
        }
        commit |= cpu->missed != 0 ? LOST : 0;
        store(cpu->page + 8, commit, word, big);
        if (cpu->spool != NULL && fwrite(cpu->page, file->page_size, 1, cpu->spool) != 1)
            file->failed = true;
        cpu->missed = 0;
        cpu->kept_pages++;
        cpu->kept += cpu->records;
    }
    memset(cpu->page, 0, file->page_size);
    cpu->used = 0;
    cpu->records = 0;
}

static void begin_page(struct ftrace_file *file, struct ftrace_cpu *cpu)
{
    uint32_t lose = file->config.lose;
    uint64_t number = cpu->pages++ * SIM_CPU_MAX + (uint64_t)(cpu - file->cpu);
    cpu->is_lost =
        lose != 0 && cpu->pages > 8 && sim_mix(number ^ file->config.run->seed) % lose == 0;
    cpu->used = file->header;
}

static bool ftrace_room(struct linux_recorder *recorder, uint32_t number)
{
    struct ftrace_file *file = (struct ftrace_file *)recorder;
    struct ftrace_cpu *cpu = &file->cpu[number];
    if (cpu->used != 0 && file->page_size - cpu->used < LINUX_GROUP)
        end_page(file, cpu);
    if (cpu->used == 0)
        begin_page(file, cpu);
    return cpu->is_lost;
}

static uint32_t head_of(const struct ftrace_file *file, uint32_t type, uint32_t delta)
{
    return file->config.big_endian ? type << DELTA_BITS | delta : delta << 5 | type;
}

static void put_word(struct ftrace_file *file, struct ftrace_cpu *cpu, uint32_t word)
{
    store(cpu->page + cpu->used, word, 4, file->config.big_endian);
    cpu->used += 4;
}

// Writes a time extend or, on CPUs of odd number, an absolute time stamp; returns the delta of the next
// record.
static uint32_t put_delta(struct ftrace_file *file, struct ftrace_cpu *cpu, uint64_t time)
{
    const uint32_t low = (UINT32_C(1) << DELTA_BITS) - 1;
    uint64_t delta = time - cpu->time;
    if (cpu->used == file->header) {
        store(cpu->page, time, 8, file->config.big_endian);
        return 0;
    }
    if (delta <= low)
        return (uint32_t)delta;
    bool absolute = (cpu - file->cpu) % 2 == 1;
    uint64_t stamp = absolute ? time : delta;
    put_word(file, cpu, head_of(file, absolute ? TYPE_STAMP : TYPE_EXTEND, (uint32_t)stamp & low));
    put_word(file, cpu, (uint32_t)(stamp >> DELTA_BITS));
    return 0;
}

// Records ----------------------------------------------------------------------------------------

static bool is_lacking(const struct ftrace_file *file)
{
    return (file->layout.lacking >> file->record.event & 1) != 0;
}

static void ftrace_begin(struct linux_recorder *recorder, enum ftrace_event event,
                         const struct sim_event *of, uint32_t pid, uint8_t flags)
{
    struct ftrace_file *file = (struct ftrace_file *)recorder;
    bool big = file->config.big_endian;
    uint8_t *bytes = file->record.bytes;
    file->record.event = event;
    file->record.cpu = of->cpu;
    file->record.time = of->time;
    file->record.field = 0;
    file->record.size = file->layout.size[event];
    memset(bytes, 0, file->record.size);
    store(bytes, ftrace_event_id(event), 2, big);
    bytes[2] = flags;
    bytes[3] = (flags & 0x18) != 0;
    store(bytes + 4, pid, 4, big);
    bool wakes = event == FTRACE_WAKEUP || event == FTRACE_WAKEUP_NEW;
    if (wakes && file->layout.kernel->wakes_only)
        store(bytes + file->layout.fields[event][3].offset - 4, 1, 4, big);
}

static void ftrace_number(struct linux_recorder *recorder, uint64_t number)
{
    struct ftrace_file *file = (struct ftrace_file *)recorder;
    struct ftrace_place place = file->layout.fields[file->record.event][file->record.field++];
    store(file->record.bytes + place.offset, number, place.size, file->config.big_endian);
}

static void ftrace_numbers(struct linux_recorder *recorder, const uint64_t *numbers)
{
    struct ftrace_file *file = (struct ftrace_file *)recorder;
    struct ftrace_place place = file->layout.fields[file->record.event][file->record.field++];
    size_t word = word_of(file);
    for (size_t i = 0; i < place.size / word; i++)
        store(file->record.bytes + place.offset + i * word, numbers[i], word,
              file->config.big_endian);
}

static void store_comm(uint8_t *to, const char *text)
{
    for (size_t i = 0; i < 15 && text[i] != '\0'; i++)
        to[i] = (uint8_t)text[i];
}

static void ftrace_string(struct linux_recorder *recorder, const char *text)
{
    struct ftrace_file *file = (struct ftrace_file *)recorder;
    struct ftrace_place place = file->layout.fields[file->record.event][file->record.field++];
    uint8_t *bytes = file->record.bytes;
    uint32_t length = (uint32_t)strlen(text) + 1, end = file->record.size;
    if (place.kind == 'c') {
        store_comm(bytes + place.offset, text);
        return;
    }
    // The text comes after the fields; of a print, at its field.
    uint32_t at = place.kind == 'b' ? place.offset : end;
    if (length > FTRACE_RECORD_MAX - 8 - at)
        length = FTRACE_RECORD_MAX - 8 - at;
    if (place.kind == 'd')
        store(bytes + place.offset, length << 16 | at, 4, file->config.big_endian);
    memcpy(bytes + at, text, length);
    bytes[at + length - 1] = '\0';
    uint32_t size = (at + length + 3) / 4 * 4;
    memset(bytes + at + length, 0, size - at - length);
    file->record.size = size;
}

static void ftrace_end(struct linux_recorder *recorder)
{
    struct ftrace_file *file = (struct ftrace_file *)recorder;
    struct ftrace_cpu *cpu = &file->cpu[file->record.cpu];
    uint32_t size = file->record.size;
    if (is_lacking(file))
        return;
    uint32_t delta = put_delta(file, cpu, file->record.time);
    if (size <= LONGEST) {
        put_word(file, cpu, head_of(file, size / 4, delta));
    } else {
        put_word(file, cpu, head_of(file, TYPE_LONG, delta));
        put_word(file, cpu, size + 4);
    }
    memcpy(cpu->page + cpu->used, file->record.bytes, size);
    cpu->used += size;
    cpu->time = file->record.time;
    cpu->records++;
    if (!cpu->is_lost) {
        file->counts->events++;
        file->counts->records++;
    }
}

// Blocks -----------------------------------------------------------------------------------------

static void add_counted(const struct ftrace_file *file, struct ftrace_text *to,
                        const struct ftrace_text *from, size_t size)
{
    add_number(file, to, from->used, size);
    ftrace_text_add(to, from->bytes, from->used);
}

static void add_header_info(const struct ftrace_file *file, struct ftrace_text *to)
{
    struct ftrace_text text = {0};
    unsigned word = (unsigned)word_of(file);
    ftrace_text_print(&text,
                      "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
                      "\tfield: local_t commit;\toffset:8;\tsize:%u;\tsigned:1;\n"
                      "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
                      "\tfield: char data;\toffset:%u;\tsize:%u;\tsigned:1;\n",
                      word, file->header, file->page_size - file->header);
    ftrace_text_add(to, "header_page", 12);
    add_counted(file, to, &text, 8);
    text.used = 0;
    ftrace_text_print(&text, "# compressed entry header\n"
                             "\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n"
                             "\tarray       :   32 bits\n\n\tpadding     : type == 29\n"
                             "\ttime_extend : type == 30\n\ttime_stamp : type == 31\n"
                             "\tdata max type_len  == 28\n");
    ftrace_text_add(to, "header_event", 13);
    add_counted(file, to, &text, 8);
    ftrace_text_free(&text);
}

// Adds the formats of a system, after their number.
static void add_formats_of(const struct ftrace_file *file, struct ftrace_text *to,
                           const char *system)
{
    struct ftrace_text text = {0};
    uint32_t count = 0;
    for (int event = 0; event < FTRACE_EVENTS; event++)
        count += strcmp(ftrace_event_system((enum ftrace_event)event), system) == 0 &&
                 (file->layout.lacking >> event & 1) == 0;
    add_number(file, to, count, 4);
    for (int event = 0; event < FTRACE_EVENTS; event++) {
        if (strcmp(ftrace_event_system((enum ftrace_event)event), system) != 0 ||
            (file->layout.lacking >> event & 1) != 0)
            continue;
        text.used = 0;
        ftrace_format_text(&file->layout, (enum ftrace_event)event, &text);
        add_counted(file, to, &text, 8);
    }
    ftrace_text_free(&text);
}

static void add_systems(const struct ftrace_file *file, struct ftrace_text *to)
{
    static const char *const systems[] = {"sched",      "task",  "irq",          "irq_vectors",
                                          "timer",      "lock",  "raw_syscalls", "signal",
                                          "exceptions", "power", "printk",       "fs"};
    const uint32_t count = sizeof systems / sizeof systems[0];
    add_number(file, to, count, 4);
    for (uint32_t i = 0; i < count; i++) {
        ftrace_text_add(to, systems[i], strlen(systems[i]) + 1);
        add_formats_of(file, to, systems[i]);
    }
}

static void add_symbols(const struct ftrace_file *file, struct ftrace_text *to)
{
    static const char *const names[] = {"_text",        "schedule",       "hrtimer_wakeup",
                                        "tick_program", "mmap_read_lock", "tracing_mark_write",
                                        "it_real_fn",   "posix_timer_fn"};
    struct ftrace_text text = {0};
    bool is64 = file->layout.machine->is64;
    for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++)
        ftrace_text_print(&text, "%s81%06x T %s\n", is64 ? "ffffffff" : "", 0x1000 * i, names[i]);
    ftrace_text_print(&text, "%sa0000000 t sim_irq\t[simnet]\n", is64 ? "ffffffff" : "");
    add_counted(file, to, &text, 4);
    ftrace_text_free(&text);
}

// Adds the block with the number `which`, of the six from OPTION_HEADER_INFO on.
static void add_block(const struct ftrace_file *file, struct ftrace_text *to, int which,
                      const struct ftrace_text *commands)
{
    struct ftrace_text none = {0};
    switch (which) {
    case 0:
        add_header_info(file, to);
        break;
    case 1:
        add_formats_of(file, to, "ftrace");
        break;
    case 2:
        add_systems(file, to);
        break;
    case 3:
        add_symbols(file, to);
        break;
    case 4:
        add_counted(file, to, &none, 4);
        break;
    default:
        add_counted(file, to, commands, 8);
        break;
    }
}

// Compression ------------------------------------------------------------------------------------

// Adds the bytes compressed, after both sizes.
static void add_packed(struct ftrace_file *file, struct ftrace_text *to, const void *bytes,
                       size_t length)
{
    bool zstd = file->config.ftrace_compression == SIM_FTRACE_ZSTD;
    size_t most = zstd ? ZSTD_compressBound(length) : compressBound((uLong)length), size = 0;
    void *packed = malloc(most);
    uLongf filled = (uLongf)most;
    if (packed != NULL && zstd)
        size = ZSTD_compress(packed, most, bytes, length, 3);
    else if (packed != NULL && compress(packed, &filled, bytes, (uLong)length) == Z_OK)
        size = filled;
    if (size == 0 || size > most)
        file->failed = true;
    add_number(file, to, size, 4);
    add_number(file, to, length, 4);
    if (size != 0 && size <= most)
        ftrace_text_add(to, packed, size);
    free(packed);
}

// Packs the pages of a CPU into the common temporary file; offsets are relative to its begin.
static void pack_cpu(struct ftrace_file *file, struct ftrace_cpu *cpu)
{
    struct ftrace_text text = {0};
    size_t chunk = (size_t)CHUNK_PAGES * file->page_size;
    void *pages = malloc(chunk);
    uint64_t left = cpu->kept_pages;
    cpu->offset = (uint64_t)ftell(file->body);
    add_number(file, &text, (left + CHUNK_PAGES - 1) / CHUNK_PAGES, 4);
    rewind(cpu->spool);
    while (pages != NULL && left > 0 && !file->failed) {
        size_t count = left < CHUNK_PAGES ? (size_t)left : CHUNK_PAGES;
        if (fread(pages, file->page_size, count, cpu->spool) != count)
            file->failed = true;
        add_packed(file, &text, pages, count * file->page_size);
        if (fwrite(text.bytes, 1, text.used, file->body) != text.used)
            file->failed = true;
        text.used = 0;
        left -= count;
    }
    cpu->size = (uint64_t)ftell(file->body) - cpu->offset;
    file->failed |= text.failed || pages == NULL;
    ftrace_text_free(&text);
    free(pages);
}

static bool is_packed(const struct ftrace_file *file)
{
    return !file->config.ftrace_v6 && file->config.ftrace_compression != SIM_FTRACE_NONE;
}

// Adds a section with the block, and returns the offset of the section in the file.
static uint64_t add_section(struct ftrace_file *file, struct ftrace_text *to, uint32_t id,
                            const struct ftrace_text *block, bool packed)
{
    uint64_t at = to->used;
    struct ftrace_text content = {0};
    if (packed)
        add_packed(file, &content, block->bytes, block->used);
    else
        ftrace_text_add(&content, block->bytes, block->used);
    add_number(file, to, id, 2);
    add_number(file, to, packed, 2);
    add_number(file, to, 0, 4);
    add_counted(file, to, &content, 8);
    file->failed |= content.failed;
    ftrace_text_free(&content);
    return at;
}

// The whole file ---------------------------------------------------------------------------------

static void add_option(const struct ftrace_file *file, struct ftrace_text *to, uint32_t id,
                       const void *bytes, size_t length)
{
    add_number(file, to, id, 2);
    add_number(file, to, length, 4);
    ftrace_text_add(to, bytes, length);
}

static void add_number_option(const struct ftrace_file *file, struct ftrace_text *to, uint32_t id,
                              uint64_t number, size_t size)
{
    uint8_t bytes[8];
    store(bytes, number, size, file->config.big_endian);
    add_option(file, to, id, bytes, size);
}

static void add_options(const struct ftrace_file *file, struct ftrace_text *to)
{
    struct ftrace_text text = {0};
    add_option(file, to, OPTION_TRACECLOCK, clocks, sizeof clocks);
    ftrace_text_print(&text, "Linux simulated %s %s", file->layout.kernel->release,
                      file->layout.machine->name);
    add_option(file, to, OPTION_UNAME, text.bytes, text.used);
    add_option(file, to, OPTION_VERSION, "3.1.6 ttsim", 12);
    add_number_option(file, to, OPTION_TRACEID, sim_mix(file->config.run->seed), 8);
    for (uint32_t i = 0; i < file->cpus; i++) {
        const struct ftrace_cpu *cpu = &file->cpu[i];
        text.used = 0;
        ftrace_text_print(
            &text,
            "CPU: %u\nentries: 0\noverrun: %llu\ncommit overrun: 0\nbytes: 0\n"
            "oldest event ts:     0.000000\nnow ts: %5llu.%06llu\n"
            "dropped events: 0\nread events: %llu\n",
            i, (unsigned long long)cpu->overrun, (unsigned long long)(cpu->time / 1000000000),
            (unsigned long long)(cpu->time % 1000000000 / 1000), (unsigned long long)cpu->kept);
        ftrace_text_add(&text, "", 1);
        add_option(file, to, OPTION_CPUSTAT, text.bytes, text.used);
    }
    ftrace_text_free(&text);
}

static void add_begin(const struct ftrace_file *file, struct ftrace_text *to)
{
    static const char *const compressions[] = {"none", "zstd", "zlib"};
    static const char *const versions[] = {"", "1.5.4", "1.2.13"};
    int compression = file->config.ftrace_compression;
    uint8_t order[2] = {file->config.big_endian, (uint8_t)word_of(file)};
    ftrace_text_add(to, "\x17\x08\x44tracing", 10);
    ftrace_text_add(to, file->config.ftrace_v6 ? "6" : "7", 2);
    ftrace_text_add(to, order, 2);
    add_number(file, to, file->page_size, 4);
    if (file->config.ftrace_v6)
        return;
    ftrace_text_add(to, compressions[compression], strlen(compressions[compression]) + 1);
    ftrace_text_add(to, versions[compression], strlen(versions[compression]) + 1);
}

static uint64_t page_up(const struct ftrace_file *file, uint64_t offset)
{
    return (offset + file->page_size - 1) / file->page_size * file->page_size;
}

// Places the pages of all CPUs one after the other, from an offset in the file on. Returns the end.
static uint64_t place_pages(struct ftrace_file *file, uint64_t from)
{
    uint64_t at = is_packed(file) ? from : page_up(file, from);
    for (uint32_t i = 0; i < file->cpus; i++) {
        struct ftrace_cpu *cpu = &file->cpu[i];
        if (is_packed(file)) {
            pack_cpu(file, cpu);
            cpu->offset += from;
            at = cpu->offset + cpu->size;
            continue;
        }
        cpu->offset = at;
        cpu->size = cpu->kept_pages * file->page_size;
        at += cpu->size;
    }
    return at;
}

static void copy_out(struct ftrace_file *file, FILE *from)
{
    uint8_t block[16384];
    size_t count;
    rewind(from);
    while ((count = fread(block, 1, sizeof block, from)) > 0)
        sim_out_put(file->out, block, count);
    file->failed |= ferror(from) != 0;
}

static void write_pages(struct ftrace_file *file, uint64_t gap)
{
    for (; gap > 0; gap--)
        sim_out_put(file->out, "", 1);
    if (is_packed(file)) {
        copy_out(file, file->body);
        return;
    }
    for (uint32_t i = 0; i < file->cpus; i++)
        copy_out(file, file->cpu[i].spool);
}

static void write_v6(struct ftrace_file *file, const struct ftrace_text *commands)
{
    struct ftrace_text text = {0};
    static const char clock[] = "[local]";
    add_begin(file, &text);
    for (int which = 0; which < 6; which++)
        add_block(file, &text, which, commands);
    add_number(file, &text, file->cpus, 4);
    ftrace_text_add(&text, "options  ", 10);
    add_options(file, &text);
    add_number(file, &text, 0, 2);
    ftrace_text_add(&text, "flyrecord", 10);
    uint64_t end = text.used + 16u * file->cpus + 8 + sizeof clock;
    place_pages(file, end);
    for (uint32_t i = 0; i < file->cpus; i++) {
        add_number(file, &text, file->cpu[i].offset, 8);
        add_number(file, &text, file->cpu[i].size, 8);
    }
    add_number(file, &text, sizeof clock, 8);
    ftrace_text_add(&text, clock, sizeof clock);
    file->failed |= text.failed;
    sim_out_put(file->out, text.bytes, text.used);
    write_pages(file, page_up(file, end) - end);
    ftrace_text_free(&text);
}

// Adds the option with the places of the pages; CPUs without pages are left out.
static void add_buffer(const struct ftrace_file *file, struct ftrace_text *to, uint64_t section)
{
    struct ftrace_text text = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < file->cpus; i++)
        count += file->cpu[i].kept_pages > 0;
    add_number(file, &text, section, 8);
    ftrace_text_add(&text, "\0local", 7);
    add_number(file, &text, file->page_size, 4);
    add_number(file, &text, count, 4);
    for (uint32_t i = 0; i < file->cpus; i++) {
        if (file->cpu[i].kept_pages == 0)
            continue;
        add_number(file, &text, i, 4);
        add_number(file, &text, file->cpu[i].offset, 8);
        add_number(file, &text, file->cpu[i].size, 8);
    }
    add_option(file, to, OPTION_BUFFER, text.bytes, text.used);
    ftrace_text_free(&text);
}

// Sections: the blocks, the pages, then the options, which refer to them.
static void write_v7(struct ftrace_file *file, const struct ftrace_text *commands)
{
    struct ftrace_text text = {0}, block = {0}, options = {0}, tail = {0};
    add_begin(file, &text);
    size_t first = text.used;
    add_number(file, &text, 0, 8);
    for (uint32_t which = 0; which < 6; which++) {
        block.used = 0;
        add_block(file, &block, (int)which, commands);
        uint64_t at = add_section(file, &text, OPTION_HEADER_INFO + which, &block, is_packed(file));
        add_number_option(file, &options, OPTION_HEADER_INFO + which, at, 8);
    }
    uint64_t section = text.used, data = section + 16;
    uint64_t end = place_pages(file, data);
    add_number(file, &text, OPTION_BUFFER, 2);
    add_number(file, &text, is_packed(file), 2);
    add_number(file, &text, 0, 4);
    add_number(file, &text, end - data, 8);
    // The first options section, and after it the one of the buffer.
    store((uint8_t *)text.bytes + first, end, 8, file->config.big_endian);
    add_options(file, &options);
    add_number_option(file, &options, OPTION_CPUCOUNT, file->cpus, 4);
    add_number_option(file, &options, OPTION_DONE, end + 16 + options.used + 14, 8);
    add_section(file, &tail, OPTION_DONE, &options, false);
    block.used = 0;
    add_buffer(file, &block, section);
    add_number_option(file, &block, OPTION_DONE, 0, 8);
    add_section(file, &tail, OPTION_DONE, &block, false);
    file->failed |= text.failed || block.failed || options.failed || tail.failed;
    sim_out_put(file->out, text.bytes, text.used);
    write_pages(file, is_packed(file) ? 0 : page_up(file, data) - data);
    sim_out_put(file->out, tail.bytes, tail.used);
    ftrace_text_free(&text);
    ftrace_text_free(&block);
    ftrace_text_free(&options);
    ftrace_text_free(&tail);
}

static void ftrace_finish(struct linux_recorder *recorder, const struct ftrace_text *commands)
{
    struct ftrace_file *file = (struct ftrace_file *)recorder;
    for (uint32_t i = 0; i < file->cpus; i++)
        end_page(file, &file->cpu[i]);
    if (file->config.dry)
        return;
    if (is_packed(file) && (file->body = tmpfile()) == NULL) {
        file->failed = true;
        return;
    }
    if (file->config.ftrace_v6)
        write_v6(file, commands);
    else
        write_v7(file, commands);
}

struct linux_recorder *ftrace_recorder_open(const struct sim_write_config *config,
                                            struct sim_out *out, struct sim_counts *counts,
                                            const char **why)
{
    static const struct linux_form form = {
        ftrace_room, ftrace_begin, ftrace_number, ftrace_numbers, ftrace_string,
        ftrace_end,  NULL,         NULL,          ftrace_finish,  ftrace_recorder_close};
    struct ftrace_file *file = calloc(1, sizeof *file);
    *why = "out of memory";
    if (file == NULL)
        return NULL;
    file->base =
        (struct linux_recorder){&form, ftrace_kernel_find(config->ftrace_kernel),
                                ftrace_machine_find(!config->ftrace_32, config->big_endian), false};
    file->config = *config;
    file->out = out;
    file->counts = counts;
    file->cpus = config->run->cpus;
    file->page_size = config->ftrace_page;
    *why = "--ftrace-kernel: 6.1, 6.1-rt, 4.14 or 3.10";
    bool usable = file->base.kernel != NULL;
    if (usable)
        ftrace_layout_make(&file->layout, file->base.kernel, file->base.machine);
    file->header = usable ? (uint32_t)(8 + word_of(file)) : 0;
    for (uint32_t i = 0; i < file->cpus && usable; i++) {
        *why = "out of memory, or no temporary file";
        file->cpu[i].page = calloc(1, file->page_size);
        usable =
            file->cpu[i].page != NULL && (config->dry || (file->cpu[i].spool = tmpfile()) != NULL);
    }
    if (usable)
        return &file->base;
    ftrace_recorder_close(&file->base);
    return NULL;
}

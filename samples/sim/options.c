// SPDX-License-Identifier: Apache-2.0
//
// options: see options.h.

#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { GROUP, TEXT, NUMBER, SMALL, REAL, CHOICE, FLAG, SCENARIO, FORMAT, PIECE, THREAD_LOAD };

struct choice {
    const char *name;
    int value;
};

static const struct choice truths[] = {
    {"none", SIM_TRUTH_NONE}, {"sums", SIM_TRUTH_SUMS}, {"full", SIM_TRUTH_FULL}, {NULL, 0}};
static const struct choice versions[] = {
    {"6.4", SIM_QNX64}, {"7.1", SIM_QNX71}, {"8.0", SIM_QNX80}, {NULL, 0}};
static const struct choice modes[] = {
    {"fast", SIM_KEV_FAST}, {"wide", SIM_KEV_WIDE}, {"mixed", SIM_KEV_MIXED}, {NULL, 0}};
static const struct choice buffers[] = {{"linear", 0}, {"ring", 1}, {NULL, 0}};
static const struct choice orders[] = {{"little", 0}, {"big", 1}, {NULL, 0}};

static const struct choice schedulings[] = {{"new", 0}, {"legacy", 1}, {NULL, 0}};
static const struct choice widths[] = {{"32", 0}, {"64", 1}, {NULL, 0}};
static const struct choice container_versions[] = {{"7", 0}, {"6", 1}, {NULL, 0}};
static const struct choice longs[] = {{"64", 0}, {"32", 1}, {NULL, 0}};
static const struct choice compressions[] = {
    {"none", SIM_FTRACE_NONE}, {"zstd", SIM_FTRACE_ZSTD}, {"zlib", SIM_FTRACE_ZLIB}, {NULL, 0}};
static const struct choice metadata_versions[] = {{"1.8", 0}, {"2", 1}, {NULL, 0}};
static const struct choice headers[] = {{"compact", 0}, {"large", 1}, {NULL, 0}};
static const struct choice directions[] = {{"up", 0}, {"down", 1}, {NULL, 0}};

#define AT(member) offsetof(struct sim_options, member)

static const struct option {
    const char *name, *argument, *help;
    enum kind kind;
    size_t at;
    const struct choice *choices;
    uint64_t least, most;
} table[] = {
    {NULL, NULL, "Output", GROUP, 0, NULL, 0, 0},
    {"--format", "kev|fxt|trx|btrace|ftrace|lttng|zephyr", "file format (default kev)", FORMAT,
     AT(writer), NULL, 0, 0},
    {"-o", "FILE", "output file, - for standard output; a directory of lttng and zephyr", TEXT,
     AT(output), NULL, 0, 0},
    {"--truth", "none|sums|full", "write the true schedule (default none)", CHOICE, AT(truth),
     truths, 0, 0},
    {"--truth-file", "FILE", "its file (default: the output's name and .truth.jsonl)", TEXT,
     AT(truth_file), NULL, 0, 0},
    {NULL, NULL, "The run", GROUP, 0, NULL, 0, 0},
    {"--scenario", "NAME", "one of the scenarios below (default mixed)", SCENARIO, AT(run.scenario),
     NULL, 0, 0},
    {"--seed", "N", "same seed, same bytes (default 1)", NUMBER, AT(run.seed), NULL, 0, UINT64_MAX},
    {"--events", "N", "stop after N events in the file", NUMBER, AT(events), NULL, 1, UINT64_MAX},
    {"--seconds", "S", "stop after S seconds of simulated time", REAL, AT(seconds), NULL, 0, 0},
    {"--only-cpu", "N", "write the events of this CPU only", SMALL, AT(only_cpu), NULL, 0, 255},
    {"--cpus", "N", "CPUs (default: the scenario's)", SMALL, AT(run.cpus), NULL, 1, SIM_CPU_MAX},
    {"--processes", "N", "more processes, in the background", SMALL, AT(run.processes), NULL, 0,
     3900},
    {"--threads", "N", "threads of these processes, in all", SMALL, AT(run.threads), NULL, 0,
     100000},
    {"--load", "PCT", "run times in per cent of the scenario's (default 100)", SMALL, AT(run.load),
     NULL, 1, 10000},
    {"--thread-load", "PROCESS/THREAD=PCT", "run times of one thread, in per cent of its load",
     THREAD_LOAD, AT(run.loaded), NULL, 1, 10000},
    {"--rate", "HZ", "device interrupts a second (default: the scenario's)", SMALL, AT(run.rate),
     NULL, 1, 1000000},
    {"--clock", "HZ", "ticks a second (default by format)", NUMBER, AT(run.clock_hz), NULL, 1000,
     10000000000},
    {"--start", "TICKS", "clock at the start of the run (default by seed)", NUMBER,
     AT(run.start_ticks), NULL, 0, UINT64_MAX / 4},
    {NULL, NULL, "QNX .kev", GROUP, 0, NULL, 0, 0},
    {"--kev-version", "6.4|7.1|8.0", "kernel release (default 7.1)", CHOICE, AT(run.model),
     versions, 0, 0},
    {"--kev-mode", "fast|wide|mixed", "form of the events (default wide)", CHOICE,
     AT(write.kev_mode), modes, 0, 0},
    {"--kev-buffers", "linear|ring", "all events, or the newest (default linear)", CHOICE,
     AT(write.ring), buffers, 0, 0},
    {"--kev-ring", "N", "buffers in a ring (default 32)", SMALL, AT(write.ring_buffers), NULL, 1,
     1000000},
    {"--kev-slots", "N", "slots in a buffer (default: the version's)", SMALL, AT(write.kev_slots),
     NULL, 64, 1023},
    {"--interlace", "N", "split one combine event in N by other CPUs' slots", SMALL,
     AT(write.interlace), NULL, 1, 1000000},
    {"--ties", NULL, "let events of different CPUs have the same time", FLAG, AT(run.ties), NULL, 0,
     0},
    {"--endian", "little|big", "byte order (default little)", CHOICE, AT(write.big_endian), orders,
     0, 0},
    {"--lose", "N", "lose about one buffer in N", SMALL, AT(write.lose), NULL, 0, 1000000000},
    {"--kev-dropped", NULL, "8.0: report lost buffers by DROPPED, not by their numbers", FLAG,
     AT(write.kev_dropped), NULL, 0, 0},
    {"--guest", "FILE", "also write a guest's capture; the host has the scenario hypervisor", TEXT,
     AT(guest), NULL, 0, 0},
    {"--guest-back", "TICKS", "ticks that the host's clock is ahead (default: half of them)",
     NUMBER, AT(guest_back), NULL, 1, UINT64_MAX / 4},
    {NULL, NULL, "Fuchsia .fxt", GROUP, 0, NULL, 0, 0},
    {"--fxt-sched", "new|legacy", "scheduling records (default new)", CHOICE, AT(write.fxt_legacy),
     schedulings, 0, 0},
    {"--fxt-providers", "N", "providers, with clocks of their own (default 1)", SMALL,
     AT(write.fxt_providers), NULL, 1, 8},
    {"--fxt-large", NULL, "a large record of more than 4,095 words", FLAG, AT(write.fxt_large),
     NULL, 0, 0},
    {NULL, NULL, "ThreadX .trx", GROUP, 0, NULL, 0, 0},
    {"--trx-width", "32|64", "bits of a ULONG (default 32)", CHOICE, AT(write.trx_64), widths, 0,
     0},
    {"--trx-counter", "up|down", "direction of the timer (default up)", CHOICE, AT(write.trx_down),
     directions, 0, 0},
    {"--trx-bits", "16|24|32", "width of the timer (default 32)", SMALL, AT(write.trx_bits), NULL,
     16, 32},
    {"--trx-ring", "N", "entries in the buffer (default: room for all)", SMALL,
     AT(write.ring_buffers), NULL, 1, 1 << 24},
    {"--trx-queues", NULL, "threads wait for queues, not for condition variables", FLAG,
     AT(run.has_queues), NULL, 0, 0},
    {NULL, NULL, "Symbian BTrace", GROUP, 0, NULL, 0, 0},
    {"--btrace-stamps", "32|64", "bits of a time stamp on one CPU (default 32)", CHOICE,
     AT(write.btrace_64), widths, 0, 0},
    {"--btrace-ring", "KIB", "size of a free-running buffer (default: all is kept)", SMALL,
     AT(write.btrace_ring), NULL, 1, 1 << 20},
    {NULL, NULL, "Linux trace.dat and LTTng", GROUP, 0, NULL, 0, 0},
    {"--ftrace-version", "6|7", "version of the file (default 7)", CHOICE, AT(write.ftrace_v6),
     container_versions, 0, 0},
    {"--ftrace-compress", "none|zstd|zlib", "of version 7 (default none)", CHOICE,
     AT(write.ftrace_compression), compressions, 0, 0},
    {"--ftrace-kernel", "6.1|6.1-rt|4.14|3.10", "kernel release (default 6.1-rt)", TEXT,
     AT(write.ftrace_kernel), NULL, 0, 0},
    {"--ftrace-long", "32|64", "bits of the kernel (default 64)", CHOICE, AT(write.ftrace_32),
     longs, 0, 0},
    {"--ftrace-page", "BYTES", "size of a page of the ring (default 4096)", SMALL,
     AT(write.ftrace_page), NULL, 1024, 1 << 20},
    {"--lttng-ctf", "1.8|2", "metadata of LTTng (default 1.8)", CHOICE, AT(write.lttng_ctf2),
     metadata_versions, 0, 0},
    {"--lttng-header", "compact|large", "headers of its events (default compact)", CHOICE,
     AT(write.lttng_large), headers, 0, 0},
    {"--lttng-contexts", NULL, "record pid, tid and procname with each event", FLAG,
     AT(write.lttng_contexts), NULL, 0, 0},
    {"--lttng-packet", "BYTES", "size of a packet (default 8192)", SMALL, AT(write.lttng_packet),
     NULL, 4096, 1 << 24},
    {NULL, NULL, "Zephyr", GROUP, 0, NULL, 0, 0},
    {"--zephyr-release", "NAME", "layout: 3.5 4.3 4.4 4.5 smp cpu link ram (default cpu)", TEXT,
     AT(write.zephyr_release), NULL, 0, 0},
    {NULL, NULL, "Live", GROUP, 0, NULL, 0, 0},
    {"--pace", "FACTOR", "let the file grow in time: 1 is real time", REAL, AT(pace), NULL, 0, 0},
    {"--piece", "N|random", "bytes written at once while it grows", PIECE, AT(piece), NULL, 1,
     1 << 20},
    {"--help", NULL, "print this", FLAG, AT(help), NULL, 0, 0},
};

enum { OPTIONS = sizeof table / sizeof table[0] };

static const struct sim_writer *const writers[] = {
    &sim_writer_kev,    &sim_writer_fxt,   &sim_writer_trx,   &sim_writer_btrace,
    &sim_writer_ftrace, &sim_writer_lttng, &sim_writer_zephyr};

void sim_options_help(void)
{
    printf("usage: ttsim [options] -o FILE\n"
           "Simulates a real-time kernel and writes a kernel trace of it.\n");
    for (size_t i = 0; i < OPTIONS; i++) {
        char left[64];
        if (table[i].kind == GROUP) {
            printf("\n%s:\n", table[i].help);
            continue;
        }
        snprintf(left, sizeof left, "%s %s", table[i].name,
                 table[i].argument != NULL ? table[i].argument : "");
        printf("  %-30s %s\n", left, table[i].help);
    }
    printf("\nScenarios:\n");
    for (size_t i = 0; sim_scenario_name(i) != NULL; i++)
        printf("  %-30s %s\n", sim_scenario_name(i), sim_scenario_about(i));
}

static bool bad(const char *option, const char *argument)
{
    fprintf(stderr, "ttsim: %s: not a value for %s\n", argument, option);
    return false;
}

static bool read_number(const struct option *option, const char *text, uint64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 0);
    if (errno != 0 || end == text || *end != '\0' || text[0] == '-' || *value < option->least ||
        *value > option->most)
        return bad(option->name, text);
    return true;
}

static bool read_choice(const struct option *option, const char *text, void *to)
{
    for (const struct choice *c = option->choices; c->name != NULL; c++)
        if (strcmp(c->name, text) == 0) {
            if (option->choices != truths && option->choices != versions &&
                option->choices != modes && option->choices != compressions)
                *(bool *)to = c->value != 0;
            else
                memcpy(to, &c->value, sizeof c->value);
            return true;
        }
    return bad(option->name, text);
}

static bool read_format(const struct option *option, const char *text, void *to)
{
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++)
        if (strcmp(writers[i]->name, text) == 0) {
            memcpy(to, &writers[i], sizeof writers[i]);
            return true;
        }
    return bad(option->name, text);
}

static bool read_scenario(const struct option *option, const char *text, void *to)
{
    for (size_t i = 0; sim_scenario_name(i) != NULL; i++)
        if (strcmp(sim_scenario_name(i), text) == 0) {
            memcpy(to, &text, sizeof text);
            return true;
        }
    return bad(option->name, text);
}

// Splits "sensor/sample=120" at its last equals sign.
static bool read_thread_load(const struct option *option, const char *text,
                             struct sim_options *options)
{
    struct sim_config *run = &options->run;
    const char *equals = strrchr(text, '=');
    uint64_t number;
    if (equals == NULL || (size_t)(equals - text) >= sizeof run->loaded ||
        !read_number(option, equals + 1, &number))
        return equals == NULL ? bad(option->name, text) : false;
    memcpy(run->loaded, text, (size_t)(equals - text));
    run->loaded[equals - text] = '\0';
    run->loaded_pct = (uint32_t)number;
    return true;
}

static bool read_value(const struct option *option, const char *text, struct sim_options *options)
{
    char *to = (char *)options + option->at;
    uint64_t number;
    switch (option->kind) {
    case TEXT:
        memcpy(to, &text, sizeof text);
        return true;
    case NUMBER:
        return read_number(option, text, (uint64_t *)to);
    case SMALL:
        if (!read_number(option, text, &number))
            return false;
        *(uint32_t *)to = (uint32_t)number;
        return true;
    case REAL: {
        char *end;
        double real = strtod(text, &end);
        if (end == text || *end != '\0' || !(real > 0 && real < 1e9))
            return bad(option->name, text);
        memcpy(to, &real, sizeof real);
        return true;
    }
    case CHOICE:
        return read_choice(option, text, to);
    case FORMAT:
        return read_format(option, text, to);
    case SCENARIO:
        return read_scenario(option, text, to);
    case THREAD_LOAD:
        return read_thread_load(option, text, options);
    case PIECE:
        options->piece_random = strcmp(text, "random") == 0;
        options->piece = 4096;
        return options->piece_random || read_number(option, text, &options->piece);
    default:
        return true;
    }
}

static const struct option *find(const char *name, size_t length)
{
    for (size_t i = 0; i < OPTIONS; i++)
        if (table[i].name != NULL && strlen(table[i].name) == length &&
            strncmp(table[i].name, name, length) == 0)
            return &table[i];
    return NULL;
}

// "--name VALUE" or "--name=VALUE".
static bool read_one(int argc, char **argv, int *at, struct sim_options *options)
{
    const char *word = argv[*at];
    const char *equals = strchr(word, '=');
    const struct option *option =
        find(word, equals != NULL ? (size_t)(equals - word) : strlen(word));
    if (option == NULL) {
        fprintf(stderr, "ttsim: unknown option %s (try --help)\n", word);
        return false;
    }
    if (option->kind == FLAG) {
        *((bool *)((char *)options + option->at)) = true;
        return true;
    }
    if (equals == NULL && *at + 1 == argc) {
        fprintf(stderr, "ttsim: %s needs %s\n", word, option->argument);
        return false;
    }
    return read_value(option, equals != NULL ? equals + 1 : argv[++*at], options);
}

// Returns a typical clock rate of the format. A narrow timer must not wrap more than once between two
// ticks.
static uint64_t default_clock(const struct sim_options *options)
{
    static const uint64_t qnx[] = {736629000, 1000000000, 31250000};
    uint32_t bits = options->write.trx_bits;
    if (options->writer == &sim_writer_kev)
        return qnx[options->run.model];
    if (options->writer == &sim_writer_trx)
        return bits < 24 ? 1000000 : bits < 32 ? 10000000 : 100000000;
    if (options->writer == &sim_writer_btrace)
        return options->run.cpus == 1 ? 1000000 : 100000000;
    return 1000000000;
}

static uint32_t default_room(const struct sim_options *options)
{
    uint64_t most = 1 << 22, events = options->events;
    if (options->writer != &sim_writer_trx)
        return 32;
    return (uint32_t)(events == 0 ? 65536 : events < most ? events + 8 : most);
}

static void fill_in(struct sim_options *options)
{
    struct sim_config *run = &options->run;
    if (options->events == 0 && options->seconds <= 0)
        options->events = 100000;
    if (run->clock_hz == 0)
        run->clock_hz = default_clock(options);
    if (options->write.ring_buffers == 0)
        options->write.ring_buffers = default_room(options);
    if (run->processes > 0 && run->threads < run->processes)
        run->threads = run->processes;
    if (run->threads > 0 && run->processes == 0)
        run->processes = 1 + run->threads / 8;
    // Within the first hours after boot, or within 32 bits of time.
    if (run->start_ticks == UINT64_MAX)
        run->start_ticks =
            sim_mix(run->seed) %
            (options->writer == &sim_writer_zephyr ? UINT64_C(1) << 32 : run->clock_hz * 7200);
    if (options->seconds > 0)
        run->end_ticks = (uint64_t)(options->seconds * (double)run->clock_hz);
    run->dump_at_end = options->write.ring;
    if (options->guest_back == 0)
        options->guest_back = run->start_ticks / 2;
}

bool sim_options_read(int argc, char **argv, struct sim_options *options)
{
    memset(options, 0, sizeof *options);
    options->writer = &sim_writer_kev;
    options->only_cpu = UINT32_MAX;
    options->run.scenario = "mixed";
    options->run.seed = 1;
    options->run.load = 100;
    options->run.model = SIM_QNX71;
    options->run.start_ticks = UINT64_MAX;
    options->write.kev_mode = SIM_KEV_WIDE;
    options->write.trx_bits = 32;
    options->write.fxt_providers = 1;
    options->write.ftrace_page = 4096;
    options->write.ftrace_kernel = "6.1-rt";
    options->write.lttng_packet = 8192;
    options->write.zephyr_release = "cpu";
    for (int i = 1; i < argc; i++)
        if (!read_one(argc, argv, &i, options))
            return false;
    fill_in(options);
    if (options->help)
        return true;
    bool whole = options->write.ring || options->write.lose != 0 || options->run.model == SIM_QNX80;
    if ((options->write.interlace != 0 && whole) ||
        (options->run.ties && options->run.model == SIM_QNX80)) {
        fprintf(stderr, "ttsim: --interlace goes with 6.4 and 7.1, linear and without --lose; "
                        "--ties not with 8.0\n");
        return false;
    }
    if (options->guest != NULL &&
        (options->writer != &sim_writer_kev || options->write.ring || options->pace > 0 ||
         options->run.model == SIM_QNX64 || strcmp(options->run.scenario, "hypervisor") != 0 ||
         (options->run.model == SIM_QNX71 && options->run.cpus != 1))) {
        fprintf(
            stderr,
            "ttsim: --guest goes with --scenario hypervisor and a linear .kev of 8.0, or of 7.1 "
            "with --cpus 1; not with --pace\n");
        return false;
    }
    if (options->write.lose == 1 && options->writer == &sim_writer_kev) {
        fprintf(stderr, "ttsim: --lose 1 would lose every buffer of a .kev: at least 2\n");
        return false;
    }
    if ((options->writer == &sim_writer_ftrace || options->writer->main_file != NULL) &&
        (options->run.clock_hz != 1000000000 || options->write.ftrace_page % 1024 != 0 ||
         (options->write.ftrace_v6 && options->write.ftrace_compression != SIM_FTRACE_NONE))) {
        fprintf(stderr,
                "ttsim: captures of Linux and Zephyr have nanoseconds (no --clock), pages of whole "
                "KiB, and in version 6 no compression\n");
        return false;
    }
    if (options->output == NULL) {
        fprintf(stderr, "ttsim: no output file: -o FILE (try --help)\n");
        return false;
    }
    return true;
}

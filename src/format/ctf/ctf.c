/* SPDX-License-Identifier: Apache-2.0 */
/* ctf: the Common Trace Format: probe, open, close, facts, the format's table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/ctf/ctf_internal.h"

static const struct tt_state_info states[CTF_STATES] = {
#define X(id, name, class_, flags, wake, object) [id] = {name, class_, flags, wake, object, NULL},
    LINUX_STATE_INFO(X) CTF_ZEPHYR_STATE_INFO(X)
#undef X
};

/* ---- events without a known meaning ----------------------------------------------------------- */

void ctf_names_of(struct ctf_trace *trace, struct ctf_event *event, char between)
{
    struct ctf *ctf = trace->decoder;
    const char *colon = strrchr(event->name, ':');
    const char *first = strchr(event->name, between);
    event->class_name = "event";
    event->shown_name = event->name[0] ? event->name : "(unnamed)";
    if (colon && colon > event->name && colon[1]) {
        event->class_name = ctf_text(ctf, event->name, (size_t)(colon - event->name));
        event->shown_name = colon + 1;
    } else if (between && first && first > event->name) {
        event->class_name = ctf_text(ctf, event->name, (size_t)(first - event->name));
    }
}

static bool plain_is_of(const struct ctf_trace *trace)
{
    (void)trace;
    return true;
}

static void plain_mean(struct ctf_trace *trace, struct ctf_event *event)
{
    ctf_names_of(trace, event, '\0');
}

const struct ctf_tracer ctf_plain = {.name = "unknown", .is_of = plain_is_of, .mean = plain_mean};

static const struct ctf_tracer *const tracers[] = {&ctf_kernel, &ctf_perf, &ctf_ust, &ctf_zephyr,
                                                   &ctf_plain};

static int ctf_probe(struct tt_bytes head, uint64_t size)
{
    (void)size;
    return ctf_is_metadata(head) ? 100 : 0;
}

static void ctf_close_capture(struct tt_capture *capture)
{
    struct ctf *ctf = capture->decoder;
    if (!ctf) {
        return;
    }
    capture->decoder = NULL;
    linux_threads_free(&ctf->threads);
    tt_column_free(&ctf->of_types);
    tt_column_free(&ctf->packets);
    tt_column_free(&ctf->streams);
    for (uint32_t i = 0; i < ctf->file_count; i++) {
        free(ctf->files[i].order);
    }
    free(ctf->files);
    free(ctf->next);
    tt_arena_free(&ctf->arena);
    free(ctf);
}

/* ---- traces --------------------------------------------------------------------------------- */

/* Adds a trace by its metadata, which are in `folder`. */
static struct tt_status add_trace(struct ctf *ctf, struct tt_bytes bytes, const char *name)
{
    const char *slash = strrchr(name, '/');
    struct ctf_trace *trace = ctf_new(ctf, sizeof *trace);
    if (ctf->trace_count == CTF_TRACES) {
        return tt_error(TT_ERR_FORMAT, "more than %u traces", CTF_TRACES);
    }
    if (!trace || !(trace->folder = ctf_text(ctf, name, slash ? (size_t)(slash - name) + 1 : 0))) {
        return tt_error_memory();
    }
    trace->decoder = ctf;
    trace->number = ctf->trace_count;
    struct tt_status status = ctf_metadata_read(trace, bytes);
    if (tt_failed(&status)) {
        return trace->folder[0] ? tt_status_context(status, name) : status;
    }
    ctf->traces[ctf->trace_count++] = trace;
    trace->tracer = &ctf_plain;
    for (unsigned i = 0; i < sizeof tracers / sizeof tracers[0]; i++) {
        if (tracers[i]->is_of(trace)) {
            trace->tracer = tracers[i];
            break;
        }
    }
    if (trace->tracer->prepare && !trace->tracer->prepare(trace)) {
        return tt_error_memory();
    }
    for (struct ctf_stream_class *of = trace->streams; of; of = of->next) {
        for (struct ctf_event *event = of->events; event; event = event->next) {
            event->kind = TT_KIND_EVENT;
            trace->tracer->mean(trace, event);
            ctf->no_memory |= !ctf_text_make(ctf, event);
        }
        ctf->position_shift = of->event_align % 8 != 0 ? 3 : ctf->position_shift;
    }
    return ctf->no_memory ? tt_error_memory() : tt_ok();
}

/* Adds the traces of all directories. Those whose metadata cannot be read are left out, unless there is no other. */
static struct tt_status add_traces(struct ctf *ctf)
{
    struct tt_capture *capture = ctf->capture;
    struct tt_status first = tt_ok();
    if (!capture->files) {
        return add_trace(ctf, capture->bytes, "");
    }
    for (unsigned i = 0; i < tt_map_file_count(capture->files); i++) {
        const struct tt_map_file file = tt_map_file(capture->files, i);
        const char *slash = strrchr(file.name, '/');
        if (strcmp(slash ? slash + 1 : file.name, "metadata") != 0) {
            continue;
        }
        struct tt_status status = add_trace(ctf, file.bytes, file.name);
        if (status.code == TT_ERR_MEMORY) {
            return status;
        }
        if (tt_failed(&status)) {
            first = tt_failed(&first) ? first : status;
            tt_health_add(capture, TT_HEALTH_NOT_READ, file.at, 0, file.bytes.size,
                          "bytes of metadata of a directory that is left out");
        }
    }
    return ctf->trace_count > 0 ? tt_ok() : first;
}

/* ---- clocks --------------------------------------------------------------------------------- */

/* Returns the whole seconds before a clock's value 0. */
static int64_t seconds_of(const struct ctf_clock *clock)
{
    return clock->offset_s + (int64_t)(clock->offset / clock->freq);
}

/* Sets the capture's clock, and what is added to the values of each clock. */
static void set_clocks(struct ctf *ctf)
{
    struct tt_capture *capture = ctf->capture;
    int64_t first = INT64_MAX;
    for (unsigned i = 0; i < ctf->trace_count; i++) {
        for (struct ctf_clock *clock = ctf->traces[i]->clocks; clock; clock = clock->next) {
            clock->freq = clock->freq ? clock->freq : UINT64_C(1000000000);
            capture->clock_hz = capture->clock_hz ? capture->clock_hz : clock->freq;
            if (clock->freq != capture->clock_hz) {
                tt_health_add(capture, TT_HEALTH_HEADER, 0, 0, clock->freq,
                              "Hz of a clock that is not the rate of the others");
            }
            first = seconds_of(clock) < first ? seconds_of(clock) : first;
        }
        if (!ctf->traces[i]->clocks && ctf->traces[i]->is_implicit_clock &&
            capture->clock_hz == 0) {
            capture->clock_hz = UINT64_C(1000000000);
        }
    }
    for (unsigned i = 0; i < ctf->trace_count; i++) {
        for (struct ctf_clock *clock = ctf->traces[i]->clocks; clock; clock = clock->next) {
            clock->add =
                (uint64_t)(seconds_of(clock) - first) * clock->freq + clock->offset % clock->freq;
        }
    }
    capture->has_wall_clock = first != INT64_MAX && first > 0;
    capture->wall_clock = capture->has_wall_clock ? first : 0;
}

/* ---- facts ---------------------------------------------------------------------------------- */

static bool ctf_add_fact(struct tt_capture *capture, const char *section, const char *key,
                         const char *value)
{
    return !value || value[0] == '\0' || tt_facts_add(capture, section, key, value, strlen(value));
}

static bool ctf_add_number(struct tt_capture *capture, const char *section, const char *key,
                           int64_t value)
{
    char text[24];
    int length = snprintf(text, sizeof text, "%lld", (long long)value);
    return tt_facts_add(capture, section, key, text, (size_t)length);
}

static bool add_trace_facts(struct tt_capture *capture, const struct ctf_trace *trace)
{
    const char *section = trace->folder[0] ? trace->folder : "header";
    bool good =
        ctf_add_number(capture, section, "CTF version", trace->version) &&
        ctf_add_fact(capture, section, "metadata", trace->is_packetized ? "in packets" : "text") &&
        ctf_add_fact(capture, section, "byte order", trace->big ? "big-endian" : "little-endian") &&
        ctf_add_fact(capture, section, "events of", trace->tracer->name) &&
        ctf_add_number(capture, section, "event blocks", trace->event_count);
    section = trace->folder[0] ? trace->folder : "recording";
    good = good && ctf_add_fact(capture, section, "trace", trace->name);
    for (const struct ctf_entry *entry = trace->env; good && entry; entry = entry->next) {
        good = entry->text ? ctf_add_fact(capture, section, entry->key, entry->text)
                           : ctf_add_number(capture, section, entry->key, entry->number);
    }
    section = trace->folder[0] ? trace->folder : "clock";
    for (const struct ctf_clock *clock = trace->clocks; good && clock; clock = clock->next) {
        good = ctf_add_fact(capture, section, "clock", clock->name) &&
               ctf_add_fact(capture, section, "description", clock->description) &&
               ctf_add_fact(capture, section, "uuid", clock->uid) &&
               ctf_add_number(capture, section, "frequency", (int64_t)clock->freq) &&
               ctf_add_number(capture, section, "offset, seconds", clock->offset_s) &&
               ctf_add_number(capture, section, "offset, cycles", (int64_t)clock->offset);
    }
    return good;
}

/* ---- open ----------------------------------------------------------------------------------- */

static struct tt_status ctf_open_capture(struct tt_capture *capture,
                                         const struct tt_capture_options *options)
{
    struct ctf *ctf = calloc(1, sizeof *ctf);
    (void)options;
    if (!ctf) {
        return tt_error_memory();
    }
    ctf->capture = ctf->threads.capture = capture;
    capture->decoder = ctf;
    capture->origin_ticks = UINT64_MAX;
    tt_column_init(&ctf->of_types, sizeof(ctf_of_type));
    tt_column_init(&ctf->packets, sizeof(struct ctf_packet));
    tt_column_init(&ctf->streams, sizeof(struct ctf_stream));
    struct tt_status status = add_traces(ctf);
    if (!tt_failed(&status)) {
        set_clocks(ctf);
        status = ctf_streams_find(ctf);
    }
    if (!tt_failed(&status)) {
        ctf_survey(ctf);
    }
    for (unsigned i = 0; i < ctf->trace_count && !tt_failed(&status); i++) {
        status = add_trace_facts(capture, ctf->traces[i]) ? status : tt_error_memory();
    }
    if (tt_failed(&status)) {
        ctf_close_capture(capture);
        return status;
    }
    const struct ctf_trace *first = ctf->traces[0];
    capture->big_endian = first->big;
    capture->has_addresses = first->tracer == &ctf_zephyr;
    capture->streams = ctf->file_count;
    capture->recording = first->tracer->recording;
    const char *system = ctf_env_text(first, "sysname");
    snprintf(capture->title, sizeof capture->title, "%.40s%s%.50s",
             system[0] ? system : first->tracer->name, system[0] ? " " : "",
             system[0] ? ctf_env_text(first, "kernel_release") : "");
    snprintf(capture->version, sizeof capture->version, "CTF %s",
             first->version == 2 ? "2" : "1.8");
    return tt_ok();
}

static uint32_t edges_of(const struct tt_capture *capture, const struct tt_event *event,
                         uint64_t limit, struct tt_edge *edges)
{
    uint64_t registers[CTF_REGISTERS];
    struct ctf_record record;
    return ctf_find_record(capture->decoder, event, limit, &record, registers) &&
                   record.stream->trace->tracer->edges
               ? record.stream->trace->tracer->edges(&record, event, edges)
               : 0;
}

static void clue_of(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
                    bool with_details, struct tt_clue *clue)
{
    uint64_t registers[CTF_REGISTERS];
    struct ctf_record record;
    (void)with_details;
    if (ctf_find_record(capture->decoder, event, limit, &record, registers) &&
        record.stream->trace->tracer->clue) {
        record.stream->trace->tracer->clue(&record, event, clue);
    }
}

static uint32_t stream_of_event(const struct tt_capture *capture, const struct tt_event *event)
{
    return ctf_packet_at(capture->decoder, event->pos)->stream;
}

const struct tt_format tt_format_ctf = {
    .name = "ctf",
    .title = "CTF trace",
    .extensions = "",
    .flags = TT_FORMAT_LOW_IS_URGENT | TT_FORMAT_RINGS,
    .states = states,
    .state_count = CTF_STATES,
    .probe = ctf_probe,
    .open = ctf_open_capture,
    .close = ctf_close_capture,
    .cursor_new = ctf_cursor_new,
    .cursor_save = ctf_cursor_save,
    .cursor_load = ctf_cursor_load,
    .cursor_pos = ctf_cursor_pos,
    .decode = ctf_decode,
    .describe = ctf_describe,
    .put_args = ctf_put_args,
    .edges = edges_of,
    .clue = clue_of,
    .tape.offset = ctf_offset,
    .tape.stream = stream_of_event,
    .cache = {ctf_save, ctf_restore},
};

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Fuchsia decoder compared with the results of Perfetto's trace processor for the same files.
 *
 *  Builds Perfetto's lists (slices, counters, flows, arguments, threads, scheduling) from events
 * and actions by Perfetto's rules, and compares them line by line. Intended differences are in
 * `differences` with the reason; docs/format-fxt.md has details. A listed difference that does not
 * occur fails, too.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>

#include "fxt_decoded.h"
#include "tracetui/counters.h"
#include "tracetui/text.h"
#include "tracetui/time.h"
#include "tracetui/trace.h"

#define FOLDER "../shared/captures/fxt/"
#define LINE   512
#define MOST   256

struct lines {
    char v[MOST][LINE];
    unsigned count;
};

static char *next_line(struct lines *lines)
{
    cr_assert_lt(lines->count, MOST);
    return lines->v[lines->count++];
}

/* ---- the differences -------------------------------------------------------------------- */

struct difference {
    const char *file;
    const char *section;
    const char *ours; /* or NULL: only Perfetto has `theirs` */
    const char *theirs;
};

static const struct difference differences[] = {
#include "fxt_oracle_differences.def"
};

#define DIFFERENCES (sizeof differences / sizeof differences[0])

/* ---- events in time order --------------------------------------------------------------- */

struct order {
    const struct fxt_reading *r;
    size_t event;
};

static int compare_order(const void *a, const void *b)
{
    const struct order *x = a, *y = b;
    return tt_event_compare(&x->r->events[x->event], &y->r->events[y->event]);
}

static int64_t ns_of(const struct fxt_reading *r, uint64_t ticks)
{
    int64_t ns;
    return tt_ticks_to_ns(ticks, r->c->clock_hz, &ns) ? ns : -1;
}

static void put_quoted(struct tt_text *out, const char *text)
{
    tt_text_char(out, '"');
    tt_text_str(out, text);
    tt_text_char(out, '"');
}

static void put_name(struct tt_text *out, const struct fxt_reading *r, tt_string name)
{
    put_quoted(out, name ? tt_capture_text(r->c, name, NULL) : "[NULL]");
}

/* ---- slices, arguments, flows ----------------------------------------------------------- */

struct slice {
    int64_t from;
    int64_t to; /* -1: open */
    const char *category;
    const char *name;
    unsigned depth;
    uint32_t lane; /* or TT_NO_THREAD: asynchronous, by id */
    uint64_t id;
    bool complete;
    bool popped;
};

struct flow {
    uint64_t id;
    const char *from;
};

struct build {
    const struct fxt_reading *r;
    struct slice slices[MOST];
    unsigned slice_count;
    struct flow flows[MOST];
    unsigned flow_count;
    unsigned hops;
    struct lines args;
    struct lines hops_lines;
    struct lines counters;
};

static bool same_track(const struct slice *slice, uint32_t lane, uint64_t id)
{
    return slice->lane == lane && (lane != TT_NO_THREAD || slice->id == id);
}

/* Returns the innermost open slice of a track, after closing complete ones that ended by `now`. */
static struct slice *innermost(struct build *b, uint32_t lane, uint64_t id, int64_t now)
{
    for (unsigned i = b->slice_count; i-- > 0;) {
        struct slice *slice = &b->slices[i];
        if (slice->popped || !same_track(slice, lane, id)) {
            continue;
        }
        if (slice->complete && slice->to <= now) {
            slice->popped = true;
            continue;
        }
        return slice;
    }
    return NULL;
}

static unsigned depth_of(struct build *b, uint32_t lane, uint64_t id, int64_t now)
{
    const struct slice *slice = innermost(b, lane, id, now);
    return slice ? slice->depth + 1 : 0;
}

static struct slice *push(struct build *b, size_t event, uint32_t lane, uint64_t id, int64_t now)
{
    unsigned depth = depth_of(b, lane, id, now);
    cr_assert_lt(b->slice_count, MOST);
    struct slice *slice = &b->slices[b->slice_count++];
    *slice = (struct slice){.from = now,
                            .to = -1,
                            .category = fxt_class(b->r, event),
                            .name = fxt_name(b->r, event),
                            .depth = depth,
                            .lane = lane,
                            .id = id};
    return slice;
}

static void put_value(struct tt_text *out, const struct tt_arg *arg)
{
    char number[64];
    switch (arg->type) {
    case TT_ARG_NULL:
        tt_text_str(out, "\"string\",\"null\"");
        return;
    case TT_ARG_STRING:
        tt_text_str(out, "\"string\",\"");
        tt_text_bytes(out, arg->value.s.data, arg->value.s.length);
        tt_text_char(out, '"');
        return;
    case TT_ARG_DOUBLE:
        snprintf(number, sizeof number, "\"real\",\"%g\"", arg->value.d);
        break;
    case TT_ARG_POINTER:
        snprintf(number, sizeof number, "\"pointer\",\"0x%" PRIx64 "\"", arg->value.u);
        break;
    case TT_ARG_BOOL:
        snprintf(number, sizeof number, "\"bool\",\"%s\"", arg->value.u ? "true" : "false");
        break;
    default:
        snprintf(number, sizeof number, "\"int\",\"%" PRId64 "\"", arg->value.i);
        break;
    }
    tt_text_str(out, number);
}

/* Perfetto lists the record's own arguments without the word after them. */
static bool is_tail(const struct fxt_reading *r, size_t event, const struct tt_args *args,
                    unsigned i)
{
    unsigned kind = r->events[event].kind;
    bool has_tail = kind != TT_KIND_BEGIN && kind != TT_KIND_END;
    return has_tail && i + 1 == args->count &&
           (fxt_span_is(args->v[i].name, "end") || fxt_span_is(args->v[i].name, "id") ||
            fxt_span_is(args->v[i].name, "scope"));
}

static void add_args(struct build *b, size_t event, const char *slice_name)
{
    const struct tt_args *args = fxt_describe(b->r, event);
    for (unsigned i = 0; i < args->count; i++) {
        if (is_tail(b->r, event, args, i)) {
            continue;
        }
        struct tt_text out = tt_text_of(next_line(&b->args), LINE);
        put_quoted(&out, slice_name);
        tt_text_str(&out, ",\"");
        tt_text_bytes(&out, args->v[i].name.data, args->v[i].name.length);
        tt_text_str(&out, "\",");
        put_value(&out, &args->v[i]);
        tt_text_cstr(&out);
    }
}

static struct flow *find_flow(struct build *b, uint64_t id)
{
    for (unsigned i = 0; i < b->flow_count; i++) {
        if (b->flows[i].id == id && b->flows[i].from) {
            return &b->flows[i];
        }
    }
    return NULL;
}

static void add_flow(struct build *b, const struct tt_action *action, const struct slice *slice)
{
    struct flow *flow = find_flow(b, action->value);
    if (action->kind == TT_ACTION_FLOW_BEGIN) {
        if (slice) {
            b->flows[b->flow_count++] = (struct flow){action->value, slice->name};
        }
        return;
    }
    if (!flow || !slice) {
        return;
    }
    snprintf(next_line(&b->hops_lines), LINE, "%u,\"%s\",\"%s\"", b->hops++, flow->from,
             slice->name);
    flow->from = action->kind == TT_ACTION_FLOW_STEP ? slice->name : NULL;
}

static void add_counter(struct build *b, const struct tt_action *action, int64_t now)
{
    double value;
    memcpy(&value, &action->value, sizeof value);
    const struct tt_series *series = tt_series_at(b->r->c, action->other);
    snprintf(next_line(&b->counters), LINE, "%" PRId64 ",%f,\"%s\"", now, value,
             tt_capture_text(b->r->c, series->name, NULL));
}

static uint64_t id_of(const struct fxt_reading *r, size_t event)
{
    const struct tt_arg *arg = fxt_arg_named(fxt_describe(r, event), "id");
    return arg ? arg->value.u : 0;
}

static void end_slice(struct build *b, size_t event, struct slice *slice, int64_t now)
{
    if (slice) {
        slice->to = now;
        slice->popped = true;
        add_args(b, event, slice->name);
    }
}

static void add_instant(struct build *b, size_t event, uint32_t lane, uint64_t id, int64_t now)
{
    struct slice *slice = push(b, event, lane, id, now);
    slice->to = now;
    slice->popped = true;
    add_args(b, event, slice->name);
}

static void add_event(struct build *b, size_t event)
{
    const struct fxt_reading *r = b->r;
    uint32_t lane = r->events[event].thread;
    int64_t now = ns_of(r, r->events[event].ticks);
    const struct tt_action *action;
    struct slice *slice;
    if (r->events[event].kind == TT_KIND_INSTANT) {
        add_instant(b, event, lane, 0, now);
    } else if (r->events[event].kind == TT_KIND_ASYNC_INSTANT) {
        add_instant(b, event, TT_NO_THREAD, id_of(r, event), now);
    }
    for (size_t n = 0; (action = fxt_action_of(r, event, n)) != NULL; n++) {
        switch (action->kind) {
        case TT_ACTION_SLICE_BEGIN:
            push(b, event, lane, 0, now);
            add_args(b, event, fxt_name(r, event));
            break;
        case TT_ACTION_SLICE:
            slice = push(b, event, lane, 0, now);
            slice->to = ns_of(r, r->events[event].ticks + action->value);
            slice->complete = true;
            add_args(b, event, slice->name);
            break;
        case TT_ACTION_SLICE_END:
            end_slice(b, event, innermost(b, lane, 0, now), now);
            break;
        case TT_ACTION_ASYNC_BEGIN:
            push(b, event, TT_NO_THREAD, action->value, now);
            break;
        case TT_ACTION_ASYNC_END:
            end_slice(b, event, innermost(b, TT_NO_THREAD, action->value, now), now);
            break;
        case TT_ACTION_COUNTER:
            add_counter(b, action, now);
            break;
        case TT_ACTION_FLOW_BEGIN:
        case TT_ACTION_FLOW_STEP:
        case TT_ACTION_FLOW_END:
            add_flow(b, action, innermost(b, lane, 0, now));
            break;
        default:
            break;
        }
    }
}

static void list_slices(const struct build *b, struct lines *lines)
{
    const struct tt_capture *c = b->r->c;
    for (unsigned i = 0; i < b->slice_count; i++) {
        const struct slice *s = &b->slices[i];
        struct tt_text out = tt_text_of(next_line(lines), LINE);
        tt_text_i64(&out, s->from);
        tt_text_char(&out, ',');
        tt_text_i64(&out, s->to < 0 ? -1 : s->to - s->from);
        tt_text_char(&out, ',');
        put_quoted(&out, s->category);
        tt_text_char(&out, ',');
        put_quoted(&out, s->name);
        tt_text_char(&out, ',');
        tt_text_u64(&out, s->depth);
        if (s->lane == TT_NO_THREAD) {
            tt_text_str(&out, ",\"legacy_async_global_slice\"");
            tt_text_str(&out, ",\"[NULL]\",\"[NULL]\",\"[NULL]\",\"[NULL]\"");
        } else {
            const struct tt_thread *thread = tt_thread_at(c, s->lane);
            const struct tt_process *process = tt_process_at(c, thread->process);
            tt_text_str(&out, ",\"thread_execution\",");
            tt_text_u64(&out, thread->tid);
            tt_text_char(&out, ',');
            tt_text_u64(&out, process->pid);
            tt_text_char(&out, ',');
            put_name(&out, b->r, thread->name);
            tt_text_char(&out, ',');
            put_name(&out, b->r, process->name);
        }
        tt_text_cstr(&out);
    }
}

static void list_threads(const struct fxt_reading *r, struct lines *lines)
{
    for (uint32_t lane = 0; lane < tt_thread_count(r->c); lane++) {
        const struct tt_thread *thread = tt_thread_at(r->c, lane);
        const struct tt_process *process = tt_process_at(r->c, thread->process);
        struct tt_text out = tt_text_of(next_line(lines), LINE);
        tt_text_u64(&out, thread->tid);
        tt_text_char(&out, ',');
        put_name(&out, r, thread->name);
        tt_text_char(&out, ',');
        tt_text_u64(&out, process->pid);
        tt_text_char(&out, ',');
        put_name(&out, r, process->name);
        tt_text_cstr(&out);
    }
}

/* ---- scheduling ------------------------------------------------------------------------- */

/* A row of `sched` (run) or of `thread_state`, open until `to` is set. */
struct span {
    int64_t from;
    int64_t to;
    uint64_t tid;
    uint64_t cpu;
    const char *state;
    int priority;
    int64_t waker_from; /* of the waker's state; -1: none */
    uint64_t waker;
    bool run;
};

struct sched {
    const struct fxt_reading *r;
    struct span spans[MOST];
    unsigned count;
};

static struct span *open_span(struct sched *s, uint64_t tid, bool run)
{
    for (unsigned i = s->count; i-- > 0;) {
        struct span *span = &s->spans[i];
        if (span->run == run && span->tid == tid) {
            return span->to < 0 ? span : NULL;
        }
    }
    return NULL;
}

static struct span *add_span(struct sched *s, uint64_t tid, int64_t now, bool run, uint64_t cpu)
{
    cr_assert_lt(s->count, MOST);
    struct span *span = &s->spans[s->count++];
    *span = (struct span){.from = now,
                          .to = -1,
                          .tid = tid,
                          .cpu = cpu,
                          .state = "[NULL]",
                          .waker_from = -1,
                          .run = run};
    return span;
}

static const char *perfetto_state(const struct fxt_reading *r, unsigned state)
{
    static const char *const names[][2] = {{"new", "R"},     {"ready", "R"}, {"suspended", "T"},
                                           {"blocked", "S"}, {"dying", "Z"}, {"dead", "X"}};
    for (unsigned i = 0; i < 6; i++) {
        if (strcmp(names[i][0], r->c->format->states[state].name) == 0) {
            return names[i][1];
        }
    }
    return "[NULL]";
}

static void close_state(struct sched *s, uint64_t tid, int64_t now)
{
    struct span *span = open_span(s, tid, false);
    if (span) {
        span->to = now;
    }
}

static void add_switch(struct sched *s, const struct tt_action *action, int64_t now)
{
    const struct tt_thread *out = tt_thread_at(s->r->c, action->other);
    const struct tt_thread *in = tt_thread_at(s->r->c, action->thread);
    if (!out->idle) {
        struct span *run = open_span(s, out->tid, true);
        if (run) {
            run->to = now;
            run->state = perfetto_state(s->r, action->state);
        }
        close_state(s, out->tid, now);
        add_span(s, out->tid, now, false, action->cpu)->state = perfetto_state(s->r, action->state);
    }
    if (!in->idle) {
        close_state(s, in->tid, now);
        add_span(s, in->tid, now, true, action->cpu)->priority = action->priority;
        add_span(s, in->tid, now, false, action->cpu)->state = "Running";
    }
}

static void add_wakeup(struct sched *s, const struct tt_action *action, int64_t now)
{
    uint64_t tid = tt_thread_at(s->r->c, action->thread)->tid;
    /* Perfetto takes the thread itself as the waker if none is recorded. */
    uint64_t waker =
        action->other == TT_NO_THREAD ? tid : tt_thread_at(s->r->c, action->other)->tid;
    const struct span *waking = open_span(s, waker, false);
    int64_t waker_from = waking ? waking->from : -1;
    close_state(s, tid, now);
    struct span *span = add_span(s, tid, now, false, action->cpu);
    span->state = "W";
    span->waker = waker;
    span->waker_from = waker_from;
}

static void add_scheduling(struct sched *s, size_t event)
{
    const struct tt_action *action;
    int64_t now = ns_of(s->r, s->r->events[event].ticks);
    for (size_t n = 0; (action = fxt_action_of(s->r, event, n)) != NULL; n++) {
        if (action->kind == TT_ACTION_SWITCH) {
            add_switch(s, action, now);
        } else if (action->kind == TT_ACTION_WAKEUP) {
            add_wakeup(s, action, now);
        }
    }
}

static void list_scheduling(const struct sched *s, struct lines *runs, struct lines *states)
{
    for (unsigned i = 0; i < s->count; i++) {
        const struct span *span = &s->spans[i];
        int64_t length = span->to < 0 ? -1 : span->to - span->from;
        char state[16];
        snprintf(state, sizeof state, "\"%s\"", span->state);
        if (span->run) {
            snprintf(next_line(runs), LINE, "%" PRId64 ",%" PRId64 ",%" PRIu64 ",%" PRIu64 ",%s,%d",
                     span->from, length, span->cpu, span->tid, state, span->priority);
        } else if (span->waker_from >= 0) {
            snprintf(next_line(states), LINE,
                     "%" PRId64 ",%" PRId64 ",%" PRIu64 ",%" PRIu64 ",%s,%" PRId64 ",%" PRIu64,
                     span->from, length, span->cpu, span->tid, state, span->waker_from,
                     span->waker);
        } else {
            snprintf(next_line(states), LINE,
                     "%" PRId64 ",%" PRId64 ",%" PRIu64 ",%" PRIu64 ",%s,\"[NULL]\",\"[NULL]\"",
                     span->from, length, span->cpu, span->tid, state);
        }
    }
}

/* ---- Perfetto's results ----------------------------------------------------------------- */

#define SECTIONS 7
static const char *const section_names[SECTIONS] = {"slices",  "counters", "flows",       "args",
                                                    "threads", "sched",    "thread_state"};

static int section_number(const char *line)
{
    for (int i = 0; i < SECTIONS; i++) {
        size_t length = strlen(section_names[i]);
        if (strncmp(line, section_names[i], length) == 0 &&
            (line[length] == '\0' || line[length] == '(')) {
            return i;
        }
    }
    return -1;
}

/* Reads the results for `file`; returns false if there are none. */
static bool read_answers(const char *file, struct lines answers[SECTIONS])
{
    FILE *in = fopen(FOLDER "oracle_results.txt", "r");
    char line[LINE];
    bool mine = false;
    int section = -1;
    if (!in) {
        return false;
    }
    while (fgets(line, sizeof line, in)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "##### ", 6) == 0) {
            mine = strcmp(line + 6, file) == 0;
            section = -1;
        } else if (mine && strncmp(line, "-- ", 3) == 0) {
            section = section_number(line + 3);
        } else if (mine && section >= 0) {
            memcpy(next_line(&answers[section]), line, sizeof line);
        }
    }
    fclose(in);
    return true;
}

/* Replaces the row numbers of thread_state by the times they refer to. */
static void number_to_time(struct lines *states)
{
    char times[MOST][24];
    for (unsigned i = 0; i < states->count; i++) {
        snprintf(times[i], sizeof times[i], "%.23s", strchr(states->v[i], ',') + 1);
        times[i][strcspn(times[i], ",")] = '\0';
    }
    for (unsigned i = 0; i < states->count; i++) {
        char *waker = strrchr(states->v[i], ',');
        char tail[64], line[LINE];
        snprintf(tail, sizeof tail, "%.63s", waker);
        *waker = '\0';
        char *number = strrchr(states->v[i], ',');
        unsigned long n = strtoul(number + 1, NULL, 10);
        const char *time = number[1] == '"' ? number + 1 : times[n];
        char kept[64];
        snprintf(kept, sizeof kept, "%.63s", time);
        *number = '\0';
        snprintf(line, sizeof line, "%.300s,%s%s", strchr(states->v[i], ',') + 1, kept, tail);
        memcpy(states->v[i], line, sizeof line);
    }
}

/* Perfetto adds to every process a thread with the process's number, seen or not. */
static void drop_main_threads(struct lines *threads)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < threads->count; i++) {
        unsigned long long tid, pid;
        if (sscanf(threads->v[i], "%llu,\"[NULL]\",%llu", &tid, &pid) == 2 && tid == pid) {
            continue;
        }
        memmove(threads->v[kept++], threads->v[i], LINE);
    }
    threads->count = kept;
}

/* ---- comparing -------------------------------------------------------------------------- */

static bool take_line(struct lines *lines, const char *line)
{
    for (unsigned i = 0; i < lines->count; i++) {
        if (strcmp(lines->v[i], line) == 0) {
            memmove(lines->v[i], lines->v[lines->count - 1], LINE);
            lines->count--;
            return true;
        }
    }
    return false;
}

static unsigned complain(const char *file, const char *section, const char *who,
                         const struct lines *lines)
{
    for (unsigned i = 0; i < lines->count; i++) {
        fprintf(stderr, "%s: %s: only %s: %s\n", file, section, who, lines->v[i]);
    }
    return lines->count;
}

static unsigned compare(const char *file, unsigned section, struct lines *ours,
                        struct lines *theirs)
{
    unsigned bad = 0;
    for (size_t i = 0; i < DIFFERENCES; i++) {
        const struct difference *d = &differences[i];
        if (strcmp(d->file, file) != 0 || strcmp(d->section, section_names[section]) != 0) {
            continue;
        }
        if ((d->ours && !take_line(ours, d->ours)) ||
            (d->theirs && !take_line(theirs, d->theirs))) {
            fprintf(stderr, "%s: %s: no such difference: %s\n", file, d->section,
                    d->ours ? d->ours : d->theirs);
            bad++;
        }
    }
    for (unsigned i = 0; i < ours->count;) {
        char line[LINE];
        memcpy(line, ours->v[i], sizeof line);
        if (take_line(theirs, line)) {
            take_line(ours, line);
        } else {
            i++;
        }
    }
    bad += complain(file, section_names[section], "ours", ours);
    return bad + complain(file, section_names[section], "Perfetto's", theirs);
}

static uint8_t *read_file(const char *file, size_t *size)
{
    char path[256];
    snprintf(path, sizeof path, FOLDER "%s", file);
    FILE *in = fopen(path, "rb");
    uint8_t *bytes = malloc(1 << 20);
    cr_assert_not_null(in, "%s", path);
    cr_assert_not_null(bytes);
    *size = fread(bytes, 1, 1 << 20, in);
    fclose(in);
    return bytes;
}

static void list_ours(const struct fxt_reading *r, struct lines ours[SECTIONS])
{
    static struct build build;
    static struct sched sched;
    struct order *order = calloc(r->count + 1, sizeof *order);
    memset(&build, 0, sizeof build);
    memset(&sched, 0, sizeof sched);
    build.r = sched.r = r;
    for (size_t i = 0; i < r->count; i++) {
        order[i] = (struct order){r, i};
    }
    qsort(order, r->count, sizeof *order, compare_order);
    for (size_t i = 0; i < r->count; i++) {
        add_event(&build, order[i].event);
        add_scheduling(&sched, order[i].event);
    }
    free(order);
    list_slices(&build, &ours[0]);
    ours[1] = build.counters;
    ours[2] = build.hops_lines;
    ours[3] = build.args;
    list_threads(r, &ours[4]);
    list_scheduling(&sched, &ours[5], &ours[6]);
}

/* Lists the values of the timelines' counters, as a view reads them. */
static void list_counters(const char *file, struct lines *counters)
{
    char path[256];
    struct tt_trace *trace;
    snprintf(path, sizeof path, FOLDER "%s", file);
    struct tt_status status = tt_trace_open(path, NULL, &trace);
    cr_assert_eq(status.code, TT_OK, "%s", status.text);
    status = tt_trace_index(trace);
    cr_assert_eq(status.code, TT_OK, "%s", status.text);
    const struct tt_capture *c = tt_trace_capture(trace);
    const struct tt_timelines *t = tt_trace_timelines(trace);
    for (uint32_t i = 0; t && i < tt_counter_series(t); i++) {
        struct tt_counter_at at;
        for (bool more = tt_counter_first(t, i, &at); more; more = tt_counter_next(t, &at)) {
            struct tt_counter_value value = tt_counter_get(t, at);
            int64_t ns;
            cr_assert(tt_ticks_to_ns(value.start, c->clock_hz, &ns));
            if (value.known) {
                snprintf(next_line(counters), LINE, "%" PRId64 ",%f,\"%s\"", ns, value.value,
                         tt_capture_text(c, tt_series_at(c, i)->name, NULL));
            }
        }
    }
    tt_trace_close(trace);
}

static void check_file(const char *file)
{
    static struct lines ours[SECTIONS], theirs[SECTIONS], shown, answered;
    size_t size;
    memset(ours, 0, sizeof ours);
    memset(theirs, 0, sizeof theirs);
    if (!read_answers(file, theirs)) {
        cr_skip_test("the captures are not beside the project");
    }
    uint8_t *bytes = read_file(file, &size);
    struct fxt_reading r = fxt_read(bytes, size, false);
    list_ours(&r, ours);
    drop_main_threads(&theirs[4]);
    number_to_time(&theirs[6]);
    memset(&shown, 0, sizeof shown);
    list_counters(file, &shown);
    answered = theirs[1];
    unsigned bad = compare(file, 1, &shown, &answered);
    for (unsigned i = 0; i < SECTIONS; i++) {
        bad += compare(file, i, &ours[i], &theirs[i]);
    }
    fxt_reading_free(&r);
    free(bytes);
    cr_assert_eq(bad, 0, "%u lines of %s differ", bad, file);
}

#define FILE_TEST(name)                                                                            \
    Test(fxt_oracle, name)                                                                         \
    {                                                                                              \
        check_file(#name ".fxt");                                                                  \
    }

FILE_TEST(all_records)
FILE_TEST(bad_string_ref)
FILE_TEST(big_endian)
FILE_TEST(complete_neg)
FILE_TEST(end_without_begin)
FILE_TEST(flows)
FILE_TEST(init_zero)
FILE_TEST(instant_scope_word)
FILE_TEST(koid_gt32)
FILE_TEST(kthread_late)
FILE_TEST(kthread_no_process_arg)
FILE_TEST(large_4gb_size_lie)
FILE_TEST(large_then_event)
FILE_TEST(no_provider)
FILE_TEST(nonutf8)
FILE_TEST(provider_reinfo)
FILE_TEST(sched_new)
FILE_TEST(section_unknown)
FILE_TEST(short_event)
FILE_TEST(simple_trace_reconstructed)
FILE_TEST(string_reregister)
FILE_TEST(trunc_mid_word)
FILE_TEST(trunc_tail)
FILE_TEST(ts_overflow)
FILE_TEST(zero_size_mid)

/* Files of a real writer; the second names its provider late and with a wrong length. */
Test(fxt_oracle, ocaml_writer)
{
    static const char *const files[] = {"ocaml-trace_t2_1.fxt", "ocaml-trace_t2_2.fxt"};
    static const size_t counts[] = {1, 3};
    static struct lines unused[SECTIONS];
    if (!read_answers("", unused)) {
        cr_skip_test("the captures are not beside the project");
    }
    for (unsigned i = 0; i < 2; i++) {
        size_t size;
        uint8_t *bytes = read_file(files[i], &size);
        struct fxt_reading r = fxt_read(bytes, size, false);
        cr_assert_eq(r.count, counts[i]);
        size_t hello = fxt_find(&r, "hello");
        cr_assert_eq(fxt_arg_named(fxt_describe(&r, hello), "x")->value.i, 42);
        for (size_t n = 0; n < r.count; n++) {
            cr_assert_eq(fxt_pid(&r, r.events[n].thread), 1);
            cr_assert_eq(fxt_tid(&r, r.events[n].thread), 86);
        }
        cr_assert_eq(tt_health_kept(r.c), 0);
        fxt_reading_free(&r);
        free(bytes);
    }
}

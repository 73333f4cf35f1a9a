/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The demo captures of TraceX compared with the text that TraceX printed of them: every event with
 * its number, time, id, name, context, priority, next context, information words and raw words, and
 * every object with its parameters. The same captures in other layouts and containers give the same
 * results.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trx_build.h"

/* A line of the "Trace Events" part. */
struct dump_event {
    unsigned number;
    uint64_t ticks;
    char name[40];
    unsigned id;
    char context[40];
    uint64_t context_address; /* 0: an interrupt */
    uint64_t priority;
    char next[40];
    uint64_t next_address;
    uint64_t info[4];
    uint64_t stamp;
    uint64_t raw_event;
    uint64_t raw_priority;
};

static void copy_trimmed(char *to, size_t room, const char *from, size_t length)
{
    while (length > 0 && from[length - 1] == ' ') {
        length--;
    }
    while (length > 0 && *from == ' ') {
        from++;
        length--;
    }
    cr_assert(length < room);
    memcpy(to, from, length);
    to[length] = '\0';
}

/* Reads "thread 2 (00006794)" or "Interrupt" from a column of the line. */
static void read_context(const char *at, size_t width, char name[40], uint64_t *address)
{
    const char *bracket = memchr(at, '(', width);
    copy_trimmed(name, 40, at, bracket ? (size_t)(bracket - at) : width);
    *address = bracket ? strtoull(bracket + 1, NULL, 16) : 0;
}

/*
 * Columns of the line, as TraceX 6.2.1 writes them. The priority is narrower in interrupts, so the
 * columns after it are found backwards from "I1:".
 */
enum {
    AT_NUMBER = 0,
    AT_TICKS = 16,
    AT_NAME = 40,
    AT_ID = 68,
    AT_CONTEXT = 81,
    AT_PRIORITY = 112,
    NEXT_WIDTH = 31,
    LEAST_LENGTH = 285
};

static bool read_event(const char *line, struct dump_event *e)
{
    char *end;
    if (strlen(line) < LEAST_LENGTH) {
        return false;
    }
    e->number = (unsigned)strtoul(line + AT_NUMBER, &end, 10);
    if (end != line + 8) {
        return false;
    }
    e->ticks = strtoull(line + AT_TICKS, NULL, 10);
    copy_trimmed(e->name, sizeof e->name, line + AT_NAME, 27);
    e->id = (unsigned)strtoul(line + AT_ID, NULL, 10);
    read_context(line + AT_CONTEXT, AT_PRIORITY - AT_CONTEXT, e->context, &e->context_address);
    e->priority = strtoull(line + AT_PRIORITY, NULL, 10);
    const char *info = strstr(line, "I1:");
    cr_assert(info && info > line + AT_PRIORITY + NEXT_WIDTH);
    read_context(info - NEXT_WIDTH, NEXT_WIDTH, e->next, &e->next_address);
    int got = sscanf(info,
                     "I1: %" SCNx64 " I2: %" SCNx64 " I3: %" SCNx64 " I4: %" SCNx64 " %" SCNx64
                     " %*u-%*u %" SCNx64 " %" SCNx64,
                     &e->info[0], &e->info[1], &e->info[2], &e->info[3], &e->stamp, &e->raw_event,
                     &e->raw_priority);
    return got == 7;
}

/* TraceX's names of the events of the two dumps. */
static const struct {
    const char *tracex;
    const char *ours;
} names[] = {
    {"ISR ENTER", "ISR_ENTER"},
    {"ISR EXIT", "ISR_EXIT"},
    {"NX INTERNAL IO DRIVER", "INTERNAL_IO_DRIVER_PACKET_SEND"},
    {"NX INTERNAL IP RX", "INTERNAL_IP_RECEIVE"},
    {"NX INTERNAL IP TX", "INTERNAL_IP_SEND"},
    {"NX INTERNAL TCP DATA RX", "INTERNAL_TCP_DATA_RECEIVE"},
    {"NX INTERNAL TCP DATA TX", "INTERNAL_TCP_DATA_SEND"},
    {"NX INTERNAL TCP FIN RX", "INTERNAL_TCP_FIN_RECEIVE"},
    {"NX INTERNAL TCP FIN TX", "INTERNAL_TCP_FIN_SEND"},
    {"NX INTERNAL TCP STATE C", "INTERNAL_TCP_STATE_CHANGE"},
    {"NX INTERNAL TCP SYN RX", "INTERNAL_TCP_SYN_RECEIVE"},
    {"NX INTERNAL TCP SYN TX", "INTERNAL_TCP_SYN_SEND"},
    {"NX IP RAW PACKET TX", "IP_RAW_PACKET_SEND"},
    {"NX PACKET ALLOCATE", "PACKET_ALLOCATE"},
    {"NX PACKET COPY", "PACKET_COPY"},
    {"NX PACKET DATA APPEND", "PACKET_DATA_APPEND"},
    {"NX PACKET LENGTH GET", "PACKET_LENGTH_GET"},
    {"NX PACKET RELEASE", "PACKET_RELEASE"},
    {"NX PACKET TRANSMIT REL", "PACKET_TRANSMIT_RELEASE"},
    {"NX TCP CLIENT SOCK BIND", "TCP_CLIENT_SOCKET_BIND"},
    {"NX TCP CLIENT SOCK CONN", "TCP_CLIENT_SOCKET_CONNECT"},
    {"NX TCP CLIENT SOCK UBIN", "TCP_CLIENT_SOCKET_UNBIND"},
    {"NX TCP SERV SOCK ACCEPT", "TCP_SERVER_SOCKET_ACCEPT"},
    {"NX TCP SERV SOCK RELIST", "TCP_SERVER_SOCKET_RELISTEN"},
    {"NX TCP SERV SOCK UNACPT", "TCP_SERVER_SOCKET_UNACCEPT"},
    {"NX TCP SOCK CREATE", "TCP_SOCKET_CREATE"},
    {"NX TCP SOCK DELETE", "TCP_SOCKET_DELETE"},
    {"NX TCP SOCK DISCONNECT", "TCP_SOCKET_DISCONNECT"},
    {"NX TCP SOCK RX", "TCP_SOCKET_RECEIVE"},
    {"NX TCP SOCK TX", "TCP_SOCKET_SEND"},
    {"TX EVENT FLAG GET", "EVENT_FLAGS_GET"},
    {"TX EVENT FLAG SET", "EVENT_FLAGS_SET"},
    {"TX INTERNAL RESUME", "THREAD_RESUME"},
    {"TX INTERNAL SUSPEND", "THREAD_SUSPEND"},
    {"TX MUTEX GET", "MUTEX_GET"},
    {"TX MUTEX PUT", "MUTEX_PUT"},
    {"TX QUEUE RECEIVE", "QUEUE_RECEIVE"},
    {"TX QUEUE SEND", "QUEUE_SEND"},
    {"TX SEMAPHORE GET", "SEMAPHORE_GET"},
    {"TX SEMAPHORE PUT", "SEMAPHORE_PUT"},
    {"TX THREAD IDENTIFY", "THREAD_IDENTIFY"},
    {"TX THREAD PREEMPT CHNG", "THREAD_PREEMPTION_CHANGE"},
    {"TX THREAD SLEEP", "THREAD_SLEEP"},
};

static const char *our_name(const char *tracex)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i].tracex, tracex) == 0) {
            return names[i].ours;
        }
    }
    return NULL;
}

/* The dump cuts names of contexts to 16 characters. */
static void check_name(const char *dumped, const char *ours, unsigned number)
{
    cr_assert_eq(strncmp(dumped, ours, 16), 0, "event %u: %s, not %s", number, ours, dumped);
    cr_assert_eq(strlen(dumped), strlen(ours) < 16 ? strlen(ours) : 16, "event %u", number);
}

static void check_priority(const struct dump_event *e, const struct tt_args *args)
{
    if (e->context_address == 0) {
        const struct tt_arg *interrupted = trx_kit_arg(args, "interrupted");
        cr_assert(interrupted && interrupted->value.u == e->raw_priority);
        return;
    }
    const struct tt_arg *priority = trx_kit_arg(args, "priority");
    cr_assert(priority && priority->value.u == e->priority, "event %u: priority", e->number);
    cr_assert_eq(priority->value.u, e->raw_priority);
    cr_assert_null(trx_kit_arg(args, "threshold"));
}

static void check_next(const struct dump_event *e, const struct tt_args *args)
{
    const struct tt_arg *next = trx_kit_arg(args, "next_context");
    cr_assert_not_null(next);
    char label[64] = "";
    cr_assert(next->label.length < sizeof label);
    memcpy(label, next->label.data, next->label.length);
    check_name(e->next, label, e->number);
    cr_assert_eq(next->value.u, e->next_address ? e->next_address : 0xffffffff,
                 "event %u: next context", e->number);
}

static void check_event(const struct trx_kit *kit, const struct dump_event *e)
{
    static struct tt_args args;
    cr_assert(e->number < kit->count, "event %u is missing", e->number);
    const struct tt_event *event = &kit->events[e->number];
    const struct tt_event_type *type = tt_types_at(kit->capture, event->type);
    cr_assert_eq(event->flags, 0);
    cr_assert_eq(event->cpu, 0);
    cr_assert_eq(event->ticks, e->ticks, "event %u: ticks", e->number);
    cr_assert_eq(type->code, e->id, "event %u: id", e->number);
    cr_assert_not_null(our_name(e->name), "event %u: what is %s?", e->number, e->name);
    cr_assert_str_eq(type->name, our_name(e->name), "event %u", e->number);
    check_name(e->context, trx_kit_thread(kit, e->number), e->number);
    const struct tt_thread *thread = tt_thread_at(kit->capture, event->thread);
    cr_assert_eq(thread->tid, e->context_address ? e->context_address : 0xffffffff);
    cr_assert_eq(thread->pseudo, e->context_address == 0);
    cr_assert(trx_kit_describe(kit, e->number, &args));
    for (unsigned i = 0; i < 4; i++) {
        const struct tt_arg *info = trx_kit_word(kit, &args, 4 + i);
        cr_assert_not_null(info, "event %u: I%u is missing", e->number, i + 1);
        cr_assert_eq(info->value.u, e->info[i], "event %u: I%u", e->number, i + 1);
        cr_assert(!info->hidden || e->info[i] == 0, "event %u: I%u hidden", e->number, i + 1);
    }
    const struct tt_arg *stamp = trx_kit_arg(&args, "time_stamp");
    cr_assert_eq(e->stamp & 0xffff, stamp->value.u & 0xffff, "event %u: stamp", e->number);
    cr_assert_eq(trx_kit_arg(&args, "event")->value.u, e->raw_event);
    check_priority(e, &args);
    check_next(e, &args);
}

/* ---- objects ---------------------------------------------------------------------------- */

/* TraceX's types and labels in the two dumps; "" if a type has no such parameter. */
static const struct {
    const char *tracex;
    const char *ours;
    const char *parameters[2];
} object_types[] = {
    {"THREAD", "thread", {"stack_start", "stack_size"}},
    {"BYTE POOL", "byte pool", {"pool_bytes", ""}},
    {"BLOCK POOL", "block pool", {"pool_bytes", "block_size"}},
    {"QUEUE", "queue", {"queue_bytes", "message_words"}},
    {"SEMAPHORE", "semaphore", {"initial_count", ""}},
    {"EVENT FLAGS", "event flags", {"", ""}},
    {"MUTEX", "mutex", {"inherit", ""}},
    {"TIMER", "timer", {"initial_ticks", "reschedule_ticks"}},
    {"NX IP", "ip", {"stack_start", "stack_size"}},
    {"NX PK POOL", "packet pool", {"payload_size", "packets"}},
    {"NX TCP SOC", "tcp socket", {"type_of_service", "window_size"}},
};

/* Reads "Stack Start:   0000EF4C   Stack Size:  1020" after the reserved columns: up to two
 * numbers. */
static unsigned read_parameters(const char *at, uint64_t out[2])
{
    unsigned count = 0;
    if (strstr(at, "No Inheritance")) {
        out[0] = 0;
        return 1;
    }
    for (const char *colon = strchr(at, ':'); colon && count < 2; colon = strchr(colon + 1, ':')) {
        bool hex = strncmp(colon - 5, "Start", 5) == 0 || strncmp(colon - 7, "Address", 7) == 0 ||
                   strncmp(colon - 4, "Serv", 4) == 0;
        out[count++] = strtoull(colon + 1, NULL, hex ? 16 : 10);
    }
    return count;
}

/* Returns whether ` text` is in the fact as a whole word. */
static bool has_whole(const char *fact, const char *text)
{
    size_t length = strlen(text);
    for (const char *at = fact; (at = strstr(at, text)) != NULL; at++) {
        if (at[length] == ' ' || at[length] == '\0') {
            return true;
        }
    }
    return false;
}

static void check_parameter(const char *fact, const char *name, uint64_t value)
{
    char decimal[64], hex[64];
    snprintf(decimal, sizeof decimal, " %s=%" PRIu64, name, value);
    snprintf(hex, sizeof hex, " %s=0x%" PRIx64, name, value);
    cr_assert(has_whole(fact, decimal) || has_whole(fact, hex), "%s: no%s", fact, decimal);
}

static void check_object(const struct trx_kit *kit, const char *line)
{
    char type[16], name[40], key[64], quoted[64];
    uint64_t parameters[2];
    copy_trimmed(type, sizeof type, line + 13, 12);
    copy_trimmed(name, sizeof name, line + 25, 33);
    size_t at = 0;
    while (at < sizeof object_types / sizeof object_types[0] &&
           strcmp(object_types[at].tracex, type) != 0) {
        at++;
    }
    cr_assert(at < sizeof object_types / sizeof object_types[0], "what is %s?", type);
    snprintf(key, sizeof key, "%s 0x%" PRIx64, object_types[at].ours,
             (uint64_t)strtoull(line + 2, NULL, 16));
    const char *fact = trx_kit_fact(kit, "registry", key);
    cr_assert_not_null(fact, "%s is missing", key);
    snprintf(quoted, sizeof quoted, "name=\"%s\"", name);
    cr_assert_eq(strncmp(fact, quoted, strlen(quoted)), 0, "%s, not %s", fact, quoted);
    unsigned count = read_parameters(line + 60, parameters);
    for (unsigned i = 0; i < 2; i++) {
        cr_assert_eq(object_types[at].parameters[i][0] != '\0', i < count, "%s", line);
        if (i < count) {
            check_parameter(fact, object_types[at].parameters[i], parameters[i]);
        }
    }
}

/* ---- whole dumps ------------------------------------------------------------------------ */

enum part { PART_OTHER, PART_OBJECTS, PART_EVENTS };

struct totals {
    unsigned events;
    unsigned objects;
};

static struct totals check_dump(const struct trx_kit *kit, const char *path)
{
    struct totals totals = {0, 0};
    char line[512];
    enum part part = PART_OTHER;
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file);
    while (fgets(line, sizeof line, file)) {
        struct dump_event event;
        if (strstr(line, "****")) {
            part = strstr(line, "Objects in Trace") ? PART_OBJECTS
                   : strstr(line, "Trace Events")   ? PART_EVENTS
                                                    : PART_OTHER;
        } else if (part == PART_EVENTS && read_event(line, &event)) {
            cr_assert_eq(event.number, totals.events);
            check_event(kit, &event);
            totals.events++;
        } else if (part == PART_OBJECTS && strlen(line) > 60 &&
                   strspn(line + 2, "0123456789ABCDEF") == 8) {
            check_object(kit, line);
            totals.objects++;
        }
    }
    fclose(file);
    return totals;
}

struct golden {
    const char *name;
    unsigned events;
    unsigned objects;
    uint64_t last_ticks;
    const char *direction;
};

static const struct golden goldens[] = {
    {"demo_threadx", 974, 15, 156206, "down"},
    {"demo_netx_tcp", 950, 18, 949000, "up"},
};

static void check_capture(const struct golden *golden, const struct trx_bytes *bytes)
{
    char path[128];
    struct trx_kit kit;
    trx_kit_load(&kit, bytes);
    snprintf(path, sizeof path, TRX_CAPTURES "%s.dump.txt", golden->name);
    struct totals totals = check_dump(&kit, path);
    cr_assert_eq(totals.events, golden->events);
    cr_assert_eq(totals.objects, golden->objects, "%u objects", totals.objects);
    /* TraceX's total includes its derived RUNNING events, of which there are none here. */
    cr_assert_eq(kit.count, golden->events);
    cr_assert_eq(kit.records, golden->events);
    cr_assert_eq(kit.events[kit.count - 1].ticks, golden->last_ticks);
    cr_assert_str_eq(trx_kit_fact(&kit, "clock", "timer counts"), golden->direction);
    cr_assert_not(tt_health_damaged(kit.capture));
    trx_kit_close(&kit);
}

static struct trx_bytes read_or_skip(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, TRX_CAPTURES "%s.trx", name);
    struct trx_bytes bytes = trx_bytes_read(path);
    if (!bytes.data) {
        cr_skip_test(TRX_CAPTURES " is not there");
    }
    return bytes;
}

Test(trx_dump, matches_tracex)
{
    for (size_t i = 0; i < sizeof goldens / sizeof goldens[0]; i++) {
        struct trx_bytes bytes = read_or_skip(goldens[i].name);
        check_capture(&goldens[i], &bytes);
        trx_bytes_free(&bytes);
    }
}

Test(trx_dump, same_in_every_layout)
{
    for (size_t i = 0; i < sizeof goldens / sizeof goldens[0]; i++) {
        struct trx_bytes bytes = read_or_skip(goldens[i].name);
        for (unsigned layout = 0; layout < 4; layout++) {
            struct trx_bytes other = trx_as_layout(&bytes, layout & 1, layout & 2);
            check_capture(&goldens[i], &other);
            trx_bytes_free(&other);
        }
        trx_bytes_free(&bytes);
    }
}

static void check_and_free(const struct golden *golden, struct trx_bytes bytes)
{
    check_capture(golden, &bytes);
    trx_bytes_free(&bytes);
}

Test(trx_dump, same_in_every_container)
{
    for (size_t i = 0; i < sizeof goldens / sizeof goldens[0]; i++) {
        struct trx_bytes bytes = read_or_skip(goldens[i].name);
        struct trx_bytes wide_big = trx_as_layout(&bytes, true, true);
        check_and_free(&goldens[i], trx_as_intel_hex(&bytes));
        check_and_free(&goldens[i], trx_as_s_record(&bytes, 2));
        check_and_free(&goldens[i], trx_as_s_record(&bytes, 3));
        check_and_free(&goldens[i], trx_as_s_record(&bytes, 4));
        check_and_free(&goldens[i], trx_as_hex_dump(&bytes));
        check_and_free(&goldens[i], trx_as_intel_hex(&wide_big));
        check_and_free(&goldens[i], trx_as_s_record(&wide_big, 4));
        check_and_free(&goldens[i], trx_as_hex_dump(&wide_big));
        trx_bytes_free(&wide_big);
        trx_bytes_free(&bytes);
    }
}

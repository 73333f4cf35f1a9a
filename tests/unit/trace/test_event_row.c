/* SPDX-License-Identifier: Apache-2.0 */
/* Rows from rendered names equal those of the general writer. */
#include <criterion/criterion.h>
#include <string.h>

#include "trace/event_row.h"
#include "tracetui/format.h"
#include "tracetui/trace.h"

#define AT_ONCE 256u
#define ROOM    4096u

/* Writes head and tail of a row into `room` bytes; returns its length, or ROOM if truncated. */
static size_t row_of(char *to, size_t room, enum tt_fields_form form, const struct tt_capture *c,
                     const struct tt_row_names *names, const struct tt_event *event,
                     uint64_t number)
{
    struct tt_text text = tt_text_of(to, room);
    struct tt_fields fields = tt_row_head(&text, form, c, names, NULL, event, number);
    tt_row_tail(&fields, c, names, NULL, event);
    return text.truncated ? ROOM : text.used;
}

/* The general writer writes heads without names, and everything where the room is short. */
static void check_row(enum tt_fields_form form, const struct tt_capture *c,
                      const struct tt_row_names *names, const struct tt_event *event,
                      uint64_t number)
{
    char fast[ROOM], general[ROOM];
    size_t length = row_of(general, sizeof general, form, c, NULL, event, number);
    cr_assert_lt(length, ROOM);
    cr_assert_eq(row_of(general, length, form, c, NULL, event, number), length);
    cr_assert_eq(row_of(fast, sizeof fast, form, c, names, event, number), length, "%.*s",
                 (int)length, general);
    cr_assert_arr_eq(fast, general, length, "%.*s, not %.*s", (int)length, fast, (int)length,
                     general);
}

static void check_file(const char *path)
{
    struct tt_event events[AT_ONCE];
    struct tt_trace *trace;
    struct tt_status status = tt_trace_open(path, NULL, &trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    status = tt_trace_index(trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    const struct tt_capture *c = tt_trace_capture(trace);
    struct tt_events *reader = tt_events_new(trace);
    struct tt_row_names *csv = tt_row_names_new(c, TT_FIELDS_CSV);
    struct tt_row_names *json = tt_row_names_new(c, TT_FIELDS_JSON);
    cr_assert(reader && csv && json);
    uint64_t row = 0;
    for (uint32_t count; (count = tt_events_read(reader, row, AT_ONCE, events)) > 0; row += count) {
        for (uint32_t i = 0; i < count; i++) {
            check_row(TT_FIELDS_CSV, c, csv, &events[i], row + i);
            check_row(TT_FIELDS_JSON, c, json, &events[i], row + i);
        }
    }
    cr_assert_gt(row, 0);
    tt_row_names_free(csv);
    tt_row_names_free(json);
    tt_events_free(reader);
    tt_trace_close(trace);
}

Test(event_row, rendered_names_equal_general_ones_in_every_format)
{
    check_file("samples/demo.kev");
    check_file("samples/demo.fxt");
    check_file("samples/demo.trx");
    check_file("samples/demo.btrace");
}

static void close_nothing(struct tt_capture *c)
{
    (void)c;
}

static const struct tt_format no_format = {.name = "none", .title = "none", .close = close_nothing};

/* Numbers at the edge of what JSON represents, of a second, and of 64 bits. */
static const uint64_t edges[] = {
    0,
    9,
    10,
    99999999,
    100000000,
    999999999,
    1000000000,
    (UINT64_C(1) << 53) - 1,
    UINT64_C(1) << 53,
    (UINT64_C(1) << 53) + 1,
    UINT64_C(9223372035999999999),
    UINT64_C(9223372036000000000),
    INT64_MAX,
    UINT64_MAX,
};
#define EDGES (sizeof edges / sizeof *edges)

static void check_edges(const struct tt_capture *c, enum tt_fields_form form,
                        struct tt_event *event)
{
    struct tt_row_names *names = tt_row_names_new(c, form);
    cr_assert(names);
    for (size_t i = 0; i < EDGES * EDGES; i++) {
        event->ticks = edges[i / EDGES];
        event->pos = edges[i % EDGES];
        event->cpu = i % 5 ? (uint16_t)(i * 911) : TT_NO_CPU;
        event->thread = i % 3 ? 0 : TT_NO_THREAD;
        event->kind = (uint8_t)(i % (TT_KIND_COUNT + 1));
        event->flags = (uint8_t)(i % 8);
        check_row(form, c, names, event, edges[(i + 3) % EDGES]);
    }
    tt_row_names_free(names);
}

Test(event_row, numbers_at_the_edges)
{
    static const uint64_t clocks[] = {0, 1, 1000, 999999937, 1000000000, UINT64_MAX};
    static const char name[] = "a thread with \"quotes\", and a name longer than any column\x1b";
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
        struct tt_capture *c;
        cr_assert_eq(tt_capture_new(tt_bytes_of("", 0), &c).code, TT_OK);
        c->format = &no_format;
        c->clock_hz = clocks[i];
        uint32_t thread = tt_registry_thread(c, 7, 2, 0);
        tt_registry_thread_name(c, thread, tt_capture_intern(c, name, sizeof name - 1));
        struct tt_event event = {.type = tt_types_add(c, "=A", "B,\"C\"", 1, TT_KIND_STATE),
                                 .length = 16};
        check_edges(c, TT_FIELDS_CSV, &event);
        check_edges(c, TT_FIELDS_JSON, &event);
        tt_capture_free(c);
    }
}

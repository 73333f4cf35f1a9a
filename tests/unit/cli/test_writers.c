/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "cli/writers.h"
#include "tracetui/format.h"

static void close_nothing(struct tt_capture *c)
{
    (void)c;
}

static const struct tt_format no_format = {.name = "none", .title = "none", .close = close_nothing};

/* A capture made by hand: one type, one named thread. */
struct fixture {
    struct tt_capture *capture;
    struct tt_event event;
    struct tt_args args;
    struct tt_line_run line;
    struct tt_record record;
    char buffer[4096];
};

static void make(struct fixture *f)
{
    memset(f, 0, sizeof *f);
    cr_assert_eq(tt_capture_new(tt_bytes_of("", 0), &f->capture).code, TT_OK);
    f->capture->format = &no_format;
    f->capture->clock_hz = 1000;
    f->capture->origin_ticks = UINT64_MAX;
    uint32_t thread = tt_registry_thread(f->capture, 7, 2, 0);
    tt_registry_thread_name(f->capture, thread, tt_capture_intern(f->capture, "a \"b\",\\\x1b", 8));
    f->event =
        (struct tt_event){.ticks = 5,
                          .pos = 64,
                          .type = tt_types_add(f->capture, "THREAD", "THRUNNING", 1, TT_KIND_STATE),
                          .thread = thread,
                          .length = 16,
                          .cpu = 3,
                          .kind = TT_KIND_STATE};
    f->line = tt_line_run_of(f->capture, NULL, 0);
    f->record = (struct tt_record){f->capture, &f->line, NULL, NULL,  &f->event,
                                   &f->args,   41,       0,    false, NULL};
}

static const char *write_with(struct fixture *f, tt_writer *writer)
{
    struct tt_text text = tt_text_of(f->buffer, sizeof f->buffer);
    writer(&text, &f->record);
    cr_assert_not(text.truncated);
    return tt_text_cstr(&text);
}

static struct tt_arg *add(struct fixture *f, const char *name, enum tt_arg_type type)
{
    struct tt_arg *arg = tt_args_add(&f->args, name);
    cr_assert(arg);
    arg->type = (uint8_t)type;
    return arg;
}

Test(writers, jsonl_has_every_key_in_order)
{
    struct fixture f;
    make(&f);
    cr_assert_str_eq(write_with(&f, tt_export_jsonl),
                     "{\"n\":41,\"ticks\":5,\"ns\":5000000,\"cpu\":3,\"pid\":7,\"tid\":2,"
                     "\"thread\":\"7/2 a \\\"b\\\",\\\\\\u001b\",\"class\":\"THREAD\","
                     "\"event\":\"THRUNNING\",\"kind\":\"state\",\"args\":{},\"offset\":64,"
                     "\"length\":16,\"inferred\":false,\"derived\":false}\n");
    tt_capture_free(f.capture);
}

Test(writers, jsonl_says_null_where_there_is_nothing)
{
    struct fixture f;
    make(&f);
    f.capture->clock_hz = 0;
    f.event.cpu = TT_NO_CPU;
    f.event.thread = TT_NO_THREAD;
    f.event.flags = TT_EVENT_DERIVED | TT_EVENT_INFERRED;
    cr_assert_str_eq(write_with(&f, tt_export_jsonl),
                     "{\"n\":null,\"ticks\":5,\"ns\":null,\"cpu\":null,\"pid\":null,\"tid\":null,"
                     "\"thread\":null,\"class\":\"THREAD\",\"event\":\"THRUNNING\","
                     "\"kind\":\"state\",\"args\":{},\"offset\":64,\"length\":16,"
                     "\"inferred\":true,\"derived\":true}\n");
    tt_capture_free(f.capture);
}

Test(writers, jsonl_large_numbers_are_strings)
{
    struct fixture f;
    make(&f);
    add(&f, "edge", TT_ARG_U64)->value.u = UINT64_C(1) << 53;
    add(&f, "above", TT_ARG_HEX)->value.u = (UINT64_C(1) << 53) + 1;
    add(&f, "most", TT_ARG_POINTER)->value.u = UINT64_MAX;
    add(&f, "least", TT_ARG_I64)->value.i = INT64_MIN;
    add(&f, "small", TT_ARG_I64)->value.i = -5;
    cr_assert(strstr(write_with(&f, tt_export_jsonl),
                     "\"args\":{\"edge\":9007199254740992,\"above\":\"9007199254740993\","
                     "\"most\":\"18446744073709551615\",\"least\":\"-9223372036854775808\","
                     "\"small\":-5}"),
              "%s", f.buffer);
    tt_capture_free(f.capture);
}

Test(writers, jsonl_names_and_left_out)
{
    struct fixture f;
    make(&f);
    add(&f, "a", TT_ARG_U64)->value.u = 1;
    add(&f, "empty", TT_ARG_U64);
    add(&f, "a", TT_ARG_U64)->value.u = 2;
    add(&f, "pad", TT_ARG_U64);
    add(&f, "hidden", TT_ARG_U64)->hidden = 1;
    add(&f, "a", TT_ARG_U64)->value.u = 3;
    cr_assert(strstr(write_with(&f, tt_export_jsonl), "\"args\":{\"a\":1,\"a~2\":2,\"a~3\":3}"),
              "%s", f.buffer);
    tt_capture_free(f.capture);
}

Test(writers, jsonl_values_of_every_type)
{
    struct fixture f;
    make(&f);
    add(&f, "null", TT_ARG_NULL);
    add(&f, "double", TT_ARG_DOUBLE)->value.d = 0.5;
    add(&f, "nan", TT_ARG_DOUBLE)->value.d = NAN;
    add(&f, "bool", TT_ARG_BOOL)->value.u = 1;
    add(&f, "string", TT_ARG_STRING)->value.s = (struct tt_arg_span){"a\"\xff\n", 4};
    add(&f, "bytes", TT_ARG_BYTES)->value.s = (struct tt_arg_span){"\x01\xff", 2};
    add(&f, "koid", TT_ARG_KOID)->value.u = 9;
    cr_assert(strstr(write_with(&f, tt_export_jsonl),
                     "\"args\":{\"null\":null,\"double\":0.5,\"nan\":\"nan\",\"bool\":true,"
                     "\"string\":\"a\\\"\xef\xbf\xbd\\n\",\"bytes\":\"01ff\",\"koid\":9}"),
              "%s", f.buffer);
    tt_capture_free(f.capture);
}

/* Line separators, C1 controls and changes of the direction of writing drive no terminal. */
Test(writers, jsonl_escapes_what_is_not_plain)
{
    struct fixture f;
    make(&f);
    add(&f, "s", TT_ARG_STRING)->value.s =
        (struct tt_arg_span){"\xc2\x9b\xe2\x80\xae\xf3\xa0\x80\x81\xc3\xa9", 11};
    cr_assert(strstr(write_with(&f, tt_export_jsonl),
                     "\"args\":{\"s\":\"\\u009b\\u202e\\udb40\\udc01\xc3\xa9\"}"),
              "%s", f.buffer);
    tt_capture_free(f.capture);
}

Test(writers, csv_quotes_what_needs_it)
{
    struct fixture f;
    make(&f);
    add(&f, "x", TT_ARG_U64)->value.u = 1;
    add(&f, "s", TT_ARG_STRING)->value.s = (struct tt_arg_span){"a,b", 3};
    cr_assert_str_eq(write_with(&f, tt_export_csv),
                     "41,5,5000000,3,7,2,\"7/2 a \"\"b\"\",\\\\\\e\",THREAD,THRUNNING,state,"
                     "\"x=1 s=\"\"a,b\"\"\",64,16,0,0\n");
    tt_capture_free(f.capture);
}

Test(writers, csv_text_is_no_formula)
{
    static const struct {
        const char *text, *cell;
    } cases[] = {
        {"=1+1", "'=1+1"}, {"+1", "'+1"},       {"-1", "'-1"},         {"@a", "'@a"},
        {"\tx", "'\tx"},   {"\rx", "\"'\rx\""}, {"'x", "''x"},         {"x", "x"},
        {"", ""},          {"a=b", "a=b"},      {"=a,b", "\"'=a,b\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char buffer[32];
        for (size_t room = 0; room <= sizeof buffer; room++) {
            struct tt_text text = tt_text_of(buffer, room);
            tt_text_str(&text, cases[i].text);
            tt_field_quote(&text, 0);
            size_t needed = strlen(cases[i].cell);
            cr_expect_eq(text.truncated, room < needed, "%s in %zu", cases[i].cell, room);
            if (room >= needed) {
                cr_expect(text.used == needed && memcmp(buffer, cases[i].cell, needed) == 0, "%.*s",
                          (int)text.used, buffer);
            }
        }
    }
}

/* Cells are tested eight bytes at a time: a byte at each place of a cell of each length. */
Test(writers, csv_quotes_bytes_at_any_place)
{
    for (size_t length = 1; length <= 26; length++) {
        for (size_t at = 0; at < length; at++) {
            for (unsigned c = 0; c < 256; c++) {
                char buffer[64];
                struct tt_text text = tt_text_of(buffer, sizeof buffer);
                tt_text_fill(&text, 'x', length);
                buffer[at] = (char)c;
                tt_field_quote(&text, 0);
                bool mark = at == 0 && c != 0 && strchr("=+-@\t\r'", (int)c);
                bool quotes = c == '"' || c == ',' || c == '\n' || c == '\r';
                cr_assert_eq(text.used, length + mark + (quotes ? 2u : 0u) + (c == '"'),
                             "byte %u at %zu of %zu", c, at, length);
            }
        }
    }
}

Test(writers, csv_has_as_many_fields_as_its_header)
{
    struct fixture f;
    make(&f);
    f.event.cpu = TT_NO_CPU;
    f.event.thread = TT_NO_THREAD;
    f.event.flags = TT_EVENT_DERIVED;
    f.capture->clock_hz = 0;
    const char *line = write_with(&f, tt_export_csv);
    int fields = 0, columns = 0;
    for (const char *p = line; *p; p++) {
        fields += *p == ',';
    }
    char header[256];
    struct tt_text text = tt_text_of(header, sizeof header);
    tt_row_header(&text, false);
    for (const char *p = tt_text_cstr(&text); *p; p++) {
        columns += *p == ',';
    }
    cr_assert_eq(fields, columns);
    cr_assert_str_eq(line, ",5,,,,,,THREAD,THRUNNING,state,,64,16,0,1\n");
    tt_capture_free(f.capture);
}

/*
 * A writer with too little room sets `truncated`, stays inside, and writes the same text with more
 * room.
 */
Test(writers, any_room)
{
    static tt_writer *const all[] = {tt_export_text, tt_export_csv, tt_export_jsonl};
    struct fixture f;
    make(&f);
    add(&f, "s", TT_ARG_STRING)->value.s = (struct tt_arg_span){"a,\"b\\", 5};
    add(&f, "s", TT_ARG_STRING)->value.s = (struct tt_arg_span){"x", 1};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        size_t whole = strlen(write_with(&f, all[i]));
        for (size_t room = 0; room <= whole; room++) {
            char small[1024];
            memset(small, '#', sizeof small);
            struct tt_text text = tt_text_of(small, room);
            all[i](&text, &f.record);
            cr_assert_eq(text.truncated, room < whole, "writer %zu, room %zu of %zu", i, room,
                         whole);
            cr_assert_leq(text.used, room);
            cr_assert_eq(small[room], '#');
        }
    }
    tt_capture_free(f.capture);
}

Test(writers, jsonl_marks_bytes_that_are_cut)
{
    struct fixture f;
    make(&f);
    struct tt_arg *part = add(&f, "payload", TT_ARG_BYTES), *all = add(&f, "blob", TT_ARG_BYTES);
    part->value.s = (struct tt_arg_span){"\x01\xff", 2};
    part->raw_length = 4000;
    all->value.s = (struct tt_arg_span){"ab", 2};
    all->raw_length = 2;
    const char *line = write_with(&f, tt_export_jsonl);
    cr_assert_not_null(
        strstr(line, "\"args\":{\"payload\":\"01ff\",\"payload.bytes\":4000,\"blob\":\"6162\"}"),
        "%s", line);
    tt_capture_free(f.capture);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Format descriptions and print formats of trace.dat, sound and hostile; letters of prev_state by kernel; records
 * of pages in both byte orders; texts of trace_printk.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/ftrace/ftrace_internal.h"

/* A decoder without a file, as far as formats need one. */
static struct ftrace *new_decoder(void)
{
    struct ftrace *d = calloc(1, sizeof *d);
    d->events = calloc(FTRACE_IDS, sizeof *d->events);
    d->kernel_long = 8;
    struct tt_status status = tt_capture_new(tt_bytes_of("", 0), &d->capture);
    cr_assert(!tt_failed(&status));
    return d;
}

static void free_decoder(struct ftrace *d)
{
    tt_capture_free(d->capture);
    tt_arena_free(&d->arena);
    free(d->events);
    free(d);
}

static const struct ftrace_event *add(struct ftrace *d, const char *fields, const char *print)
{
    static char text[65536];
    snprintf(text, sizeof text,
             "name: an_event\nID: 7\nformat:\n"
             "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n%s\n"
             "print fmt: %s\n",
             fields, print);
    cr_assert(ftrace_add_format(d, "system", tt_bytes_of(text, strlen(text))));
    return d->events[7];
}

#define FIELD_A "\tfield:int a;\toffset:8;\tsize:4;\tsigned:1;\n"
#define FIELD_B "\tfield:unsigned long b;\toffset:16;\tsize:8;\tsigned:0;\n"

static bool has_label(const struct ftrace_field *field, uint64_t value, const char *text)
{
    for (unsigned i = 0; field && i < field->label_count; i++) {
        if (field->labels[i].value == value && strcmp(field->labels[i].text, text) == 0) {
            return true;
        }
    }
    return false;
}

Test(ftrace, fields)
{
    static const struct {
        const char *line;
        unsigned kind;
        unsigned size;
        bool is_text;
        bool is_signed;
    } cases[] = {
        {"\tfield:char x[16];\toffset:8;\tsize:16;\tsigned:1;\n", FTRACE_TEXT, 16, true, true},
        {"\tfield:char x[32];\toffset:8;\tsize:16;\tsigned:1;\n", FTRACE_TEXT, 16, true, true},
        {"\tfield:unsigned long x[6];\toffset:8;\tsize:48;\tsigned:0;\n", FTRACE_ARRAY, 48, false,
         false},
        {"\tfield:__data_loc char[] x;\toffset:8;\tsize:4;\tsigned:1;\n", FTRACE_DYNAMIC, 4, true,
         true},
        {"\tfield:__rel_loc u32[] x;\toffset:8;\tsize:4;\tsigned:0;\n", FTRACE_RELATIVE, 4, false,
         false},
        {"\tfield:char x;\toffset:8;\tsize:0;\n", FTRACE_REST, 0, true, true},
        {"\tfield:u64 x;\toffset:8;\tsize:8;\n", FTRACE_NUMBER, 8, false, false},
        {"\tfield:int x;\toffset:8;\tsize:8;\tsigned:1;\n", FTRACE_NUMBER, 8, false, true},
        {"\tfield:struct pair x;\toffset:8;\tsize:12;\tsigned:0;\n", FTRACE_ARRAY, 12, false,
         false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ftrace *d = new_decoder();
        const struct ftrace_field *field = ftrace_field_of(add(d, cases[i].line, "\"\""), "x");
        cr_assert(field, "%s", cases[i].line);
        cr_assert_eq(field->kind, cases[i].kind, "%s", cases[i].line);
        cr_assert_eq(field->size, cases[i].size, "%s", cases[i].line);
        cr_assert_eq(field->is_text, cases[i].is_text, "%s", cases[i].line);
        cr_assert_eq(field->is_signed, cases[i].is_signed, "%s", cases[i].line);
        free_decoder(d);
    }
}

Test(ftrace, labels)
{
    struct ftrace *d = new_decoder();
    const struct ftrace_event *event =
        add(d, FIELD_A FIELD_B,
            "\"a=%s b=%s\", __print_symbolic(REC->a, {0, \"ZERO\"}, { (1 << 3) | 0x1, \"NINE\" }, "
            "{ AN_ENUM, \"LOST\" }, {-1, \"LAST, {\\\"\"}), (REC->b & 0xf0) ? "
            "__print_flags(REC->b & 0xf0, \"|\", {0x10UL, \"X\"}, {(unsigned long)(0x20), \"Y\"}) "
            ": \"none\"");
    const struct ftrace_field *a = ftrace_field_of(event, "a"), *b = ftrace_field_of(event, "b");
    cr_assert(has_label(a, 0, "ZERO") && has_label(a, 9, "NINE"));
    cr_assert_eq(a->label_count, 3); /* an enumerator without a number has no label */
    cr_assert(has_label(a, UINT64_MAX, "LAST, {\\\""));
    cr_assert(!a->is_flags && b->is_flags);
    cr_assert(has_label(b, 0x10, "X") && has_label(b, 0x20, "Y"));
    cr_assert_eq(b->mask, 0xf0);
    free_decoder(d);
}

Test(ftrace, conversions)
{
    struct ftrace *d = new_decoder();
    const struct ftrace_event *event =
        add(d, FIELD_A FIELD_B, "\"100%% a=%#08x \\\" b=%pS\", REC->a, (void *)REC->b");
    cr_assert_eq(ftrace_field_of(event, "a")->base, FTRACE_HEX);
    cr_assert_eq(ftrace_field_of(event, "b")->base, FTRACE_SYMBOL);
    free_decoder(d);
}

/* Print formats that lie or end early leave the fields as they are. */
Test(ftrace, hostile_print_formats)
{
    static char deep[20000];
    memset(deep, '(', sizeof deep - 1);
    memcpy(deep, "\"%s\", __print_flags(REC->a, \"|\", {", 34);
    static const char *const prints[] = {
        "",
        "\"",
        "\"%",
        "\"%s\",",
        "\"%s\", __print_flags(",
        "\"%s\", __print_flags(REC->a",
        "\"%s\", __print_flags(REC->a, \"|\", {",
        "\"%s\", __print_flags(REC->a, \"|\", {1, \"",
        "\"%s\", __print_symbolic(REC->a, {1, \"x\"}, {1",
        "\"%s\", REC->",
        "\"%s\", REC->nothing",
        "\"%s\", __print_symbolic(REC->a, {1 << 99999, \"x\"})",
        "\"%s%s%s%s\", }}}}))))",
        deep,
    };
    for (size_t i = 0; i < sizeof prints / sizeof prints[0]; i++) {
        struct ftrace *d = new_decoder();
        const struct ftrace_event *event = add(d, FIELD_A FIELD_B, prints[i]);
        cr_assert(event && event->field_count == 3, "%s", prints[i]);
        free_decoder(d);
    }
}

/* ---- prev_state --------------------------------------------------------------------------- */

static struct linux_leave leave_of(const char *letters, uint64_t mark)
{
    struct linux_leave leave = {.count = 0};
    for (unsigned i = 0; letters[i]; i++) {
        linux_leave_add(&leave, UINT64_C(1) << i, letters[i]);
    }
    linux_leave_finish(&leave, mark);
    return leave;
}

Test(ftrace, states_by_kernel)
{
    struct linux_leave recent = leave_of("SDTtXZPI", 0x100);
    cr_assert_eq(linux_leave_state(&recent, 0), LINUX_READY);
    cr_assert_eq(linux_leave_state(&recent, 0x100), LINUX_PREEMPTED);
    cr_assert_eq(linux_leave_state(&recent, 1), LINUX_SLEEPING);
    cr_assert_eq(linux_leave_state(&recent, 2), LINUX_BLOCKED);
    cr_assert_eq(linux_leave_state(&recent, 0x82), LINUX_IDLE);
    cr_assert_eq(linux_leave_state(&recent, 0x20), LINUX_ZOMBIE);
    struct linux_leave old = leave_of("SDTtZXxKWPN", 0x800);
    cr_assert_eq(linux_leave_state(&old, 0x10), LINUX_ZOMBIE);
    cr_assert_eq(linux_leave_state(&old, 0x40), LINUX_DEAD);
    cr_assert_eq(linux_leave_state(&old, 0x800), LINUX_PREEMPTED);
    /* 4.14 stores an index. */
    struct linux_leave index = leave_of("SDTtXZPI", 0x1000);
    static const uint8_t states[] = {LINUX_READY,   LINUX_SLEEPING, LINUX_BLOCKED,
                                     LINUX_STOPPED, LINUX_TRACED,   LINUX_DEAD,
                                     LINUX_ZOMBIE,  LINUX_PARKED,   LINUX_IDLE};
    for (unsigned i = 0; i < sizeof states; i++) {
        cr_assert_eq(linux_leave_state(&index, i), states[i], "%u", i);
    }
    char text[2 * LINUX_LETTERS + 2];
    unsigned length = linux_leave_text(&recent, 0x102, text);
    cr_assert(length == 2 && memcmp(text, "D+", 2) == 0);
    length = linux_leave_text(&recent, 0x81, text);
    cr_assert(length == 3 && memcmp(text, "S|I", 3) == 0);
}

/* ---- records ------------------------------------------------------------------------------ */

static void put_u32(uint8_t *at, uint32_t value, bool big)
{
    for (unsigned i = 0; i < 4; i++) {
        at[big ? 3 - i : i] = (uint8_t)(value >> 8 * i);
    }
}

static uint32_t head(uint32_t type, uint32_t delta, bool big)
{
    return big ? type << 27 | delta : delta << 5 | type;
}

Test(ftrace, records_of_a_page)
{
    for (unsigned order = 0; order < 2; order++) {
        const bool big = order == 1;
        uint32_t words[] = {
            head(2, 5, big),  1,  2,    /* an event of 8 bytes, time 105 */
            head(30, 7, big), 1,        /* a longer delta: 2^27 + 7 */
            head(0, 1, big),  10, 3, 4, /* an event of 6 bytes with its size */
            head(29, 9, big), 8,  0,    /* a discarded event of 8 bytes */
            head(31, 4, big), 2,        /* time 2^28 + 4 */
            head(1, 6, big),  5,        /* an event of 4 bytes */
            head(29, 0, big), 0,        /* the end */
        };
        uint8_t page[sizeof words];
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            put_u32(page + 4 * i, words[i], big);
        }
        struct ftrace_records r = {
            .page = page, .time = 100, .until = UINT64_MAX, .end = sizeof page};
        const uint64_t extended = 105 + (UINT64_C(1) << 27) + 7 + 1;
        cr_assert(ftrace_next_record(&r, big) && r.time == 105 && r.record.size == 8 && r.at == 0);
        cr_assert(ftrace_next_record(&r, big) && r.time == extended && r.record.size == 6);
        cr_assert(ftrace_next_record(&r, big) && r.time == (UINT64_C(1) << 28) + 10);
        cr_assert_eq(tt_load_u32(r.record.data, big), 5);
        cr_assert(!ftrace_next_record(&r, big) && !r.is_bad);
        /* An event that is later than the next page ends this one. */
        r = (struct ftrace_records){
            .page = page, .time = 100, .until = extended - 1, .end = sizeof page};
        cr_assert(ftrace_next_record(&r, big) && !ftrace_next_record(&r, big) && r.is_bad);
        /* Every cut ends without reading further. */
        for (uint32_t end = 0; end < sizeof page; end++) {
            uint8_t *copy = malloc(end ? end : 1);
            memcpy(copy, page, end);
            struct ftrace_records cut = {
                .page = copy, .time = 100, .until = UINT64_MAX, .end = end};
            while (ftrace_next_record(&cut, big)) {
                cr_assert(cut.record.data + cut.record.size <= copy + end);
            }
            free(copy);
        }
    }
}

/* ---- trace_printk ------------------------------------------------------------------------- */

Test(ftrace, texts_of_trace_printk)
{
    static struct tt_args args;
    struct ftrace *d = new_decoder();
    static const char formats[] =
        "0x1000 : \"n=%d %5u%% %s at %ps %lx\\n\"\n0x2000 : \"%s\"\n0x3000 : \"\n";
    d->printk = tt_bytes_of(formats, sizeof formats - 1);
    uint8_t bytes[40] = {0};
    put_u32(bytes, (uint32_t)-3, false);
    put_u32(bytes + 4, 42, false);
    memcpy(bytes + 8, "ab", 3); /* the next number is aligned to 4 */
    put_u32(bytes + 12, 0x1234, false);
    put_u32(bytes + 20, 0xbeef, false);
    tt_args_clear(&args);
    cr_assert(ftrace_bprint_text(d, 0x1000, tt_bytes_of(bytes, 28), &args));
    static const char expected[] = "n=-3 42% ab at 0x1234 beef\n";
    cr_assert_eq(args.v[0].value.s.length, sizeof expected - 1);
    cr_assert(memcmp(args.v[0].value.s.data, expected, sizeof expected - 1) == 0);
    tt_args_clear(&args);
    cr_assert(ftrace_bprint_text(d, 0x2000, tt_bytes_of("no end", 6), &args));
    cr_assert(!ftrace_bprint_text(d, 0x9999, tt_bytes_of(bytes, 28), &args));
    free_decoder(d);
}

/* Opens a copy of exactly this length: the sanitizer finds reads beyond it. */
static void open_changed(const uint8_t *bytes, size_t size, size_t at, uint8_t value)
{
    static const struct tt_capture_options none;
    uint8_t *copy = malloc(size);
    struct tt_capture *capture;
    memcpy(copy, bytes, size);
    copy[at] = value;
    struct tt_status status = tt_capture_new(tt_bytes_of(copy, size), &capture);
    cr_assert(!tt_failed(&status));
    status = tt_capture_open(capture, "changed.dat", &none);
    cr_expect(!tt_failed(&status) || status.text[0] != '\0', "byte %zu = %u", at, value);
    tt_capture_free(capture);
    free(copy);
}

/*
 * Changes each `step`th byte. The header is at the begin of the file, the options and the sections that they name are at
 * its end.
 */
static void change_header_and_options(size_t step)
{
    static uint8_t bytes[1 << 18];
    FILE *file = fopen("samples/demo.dat", "rb");
    cr_assert(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    cr_assert(size > 4096 && size < sizeof bytes);
    for (size_t i = 0; i < 512 + 1024; i += step) {
        const size_t at = i < 512 ? i : size - 1024 + (i - 512);
        const uint8_t values[] = {0, 0xff, (uint8_t)(bytes[at] + 1)};
        for (size_t value = 0; value < sizeof values; value++) {
            open_changed(bytes, size, at, values[value]);
        }
    }
}

Test(ftrace, some_bytes_of_header_and_options_changed)
{
    change_header_and_options(4);
}

Test(ftrace, every_byte_of_header_and_options_changed)
{
    change_header_and_options(1);
}

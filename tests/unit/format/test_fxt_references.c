/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values of keys by position: compared with plain lists, also after the table was saved, restored
 * and written to again. References to what is not registered are health, wherever they are.
 */
#include "format/fxt/fxt_references.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <unistd.h>

#include "base/section_file.h"
#include "format/fxt/fxt_names.h"
#include "fxt_decoded.h"

enum { KEYS = 3, PUTS = 300 };

/* The registrations of one key. */
struct list {
    uint64_t pos[PUTS], value[PUTS];
    uint32_t count;
};

static void put(struct tt_fxt_table *table, struct list *lists, uint64_t key, uint64_t pos,
                uint64_t value)
{
    struct list *list = &lists[key];
    cr_assert(tt_fxt_table_put(table, key, 7 * key, pos, value));
    if (list->count == 0 || pos > list->pos[list->count - 1]) {
        list->pos[list->count] = pos;
        list->value[list->count++] = value;
    }
}

/* Compares the values at, before and after each registration. */
static void compare(const struct tt_fxt_table *table, const struct list *lists)
{
    for (uint64_t key = 0; key < KEYS; key++) {
        const struct list *list = &lists[key];
        uint64_t value = 0;
        cr_assert_not(tt_fxt_table_get(table, key, 7 * key + 1, UINT64_MAX, &value));
        cr_assert_not(list->count > 0 &&
                      tt_fxt_table_get(table, key, 7 * key, list->pos[0] - 1, &value));
        for (uint32_t i = 0; i < list->count; i++) {
            uint64_t next = i + 1 < list->count ? list->pos[i + 1] : UINT64_MAX;
            cr_assert(tt_fxt_table_get(table, key, 7 * key, list->pos[i], &value));
            cr_assert_eq(value, list->value[i], "registration %u", i);
            cr_assert(tt_fxt_table_get(table, key, 7 * key, next - 1, &value));
            cr_assert_eq(value, list->value[i], "before registration %u", i + 1);
        }
    }
}

static bool accept(const void *arg, uint64_t a, uint64_t value)
{
    (void)arg;
    return a < KEYS && value < 100;
}

static bool accept_all(const void *arg, uint64_t a, uint64_t value)
{
    (void)arg;
    (void)a;
    (void)value;
    return true;
}

static void save_and_restore(struct tt_fxt_table *table,
                             bool (*is_valid)(const void *arg, uint64_t a, uint64_t value))
{
    FILE *file = tmpfile();
    cr_assert_not_null(file);
    struct tt_section_writer *w = tt_section_writer_new(fileno(file), NULL);
    tt_section(w, TT_SECTION_DECODER);
    tt_fxt_references_save(table, w);
    struct tt_status status = tt_section_file_finish(w);
    cr_assert(!tt_failed(&status), "%s", status.text);
    tt_section_writer_free(w);
    off_t size = lseek(fileno(file), 0, SEEK_END);
    void *bytes = NULL;
    cr_assert_eq(posix_memalign(&bytes, 4096, (size_t)size), 0);
    cr_assert_eq(pread(fileno(file), bytes, (size_t)size, 0), (ssize_t)size);
    fclose(file);
    struct tt_section_file saved;
    cr_assert(tt_section_file_open(tt_bytes_of(bytes, (uint64_t)size), &saved));
    tt_fxt_table_free(table);
    tt_fxt_table_init(table);
    struct tt_reader r = tt_section_reader(&saved.sections[TT_SECTION_DECODER]);
    cr_assert(tt_fxt_table_restore(table, &r, is_valid, NULL));
    free(bytes);
}

/* Keys, positions and values at both ends, in an order that gives all differences. */
Test(fxt_references, extreme_numbers_are_restored)
{
    static const struct {
        uint64_t a, b, pos, value;
    } given[] = {{UINT64_MAX, 0, 0, UINT64_MAX},
                 {UINT64_MAX, 0, UINT64_MAX, 0},
                 {0, UINT64_MAX, UINT64_MAX - 1, UINT64_C(1) << 63},
                 {UINT64_C(1) << 63, INT64_MAX, 1, INT64_MAX},
                 {UINT64_C(1) << 63, INT64_MAX, 2, UINT64_MAX},
                 {1, 1, UINT64_MAX, 1}};
    struct tt_fxt_table table;
    tt_fxt_table_init(&table);
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        cr_assert(tt_fxt_table_put(&table, given[i].a, given[i].b, given[i].pos, given[i].value));
    }
    save_and_restore(&table, accept_all);
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        uint64_t value = 0;
        cr_assert(tt_fxt_table_get(&table, given[i].a, given[i].b, given[i].pos, &value));
        cr_assert_eq(value, given[i].value, "number %zu", i);
    }
    tt_fxt_table_free(&table);
}

/* The table is saved after each number of registrations up to a few sizes of a history. */
Test(fxt_references, a_restored_table_can_be_written_to)
{
    static struct list lists[KEYS];
    for (uint32_t saved_at = 0; saved_at < 40; saved_at++) {
        struct tt_fxt_table table;
        memset(lists, 0, sizeof lists);
        tt_fxt_table_init(&table);
        for (uint32_t i = 0; i < PUTS / 4; i++) {
            if (i == saved_at) {
                save_and_restore(&table, accept);
                compare(&table, lists);
            }
            /* The second key has one registration, the third one a few. */
            uint64_t key = i == 5 ? 1 : i % 11 == 10 ? 2 : 0;
            put(&table, lists, key, 10 * i + 10, i % 100);
        }
        compare(&table, lists);
        tt_fxt_table_free(&table);
    }
}

Test(fxt_references, positions_that_do_not_ascend_change_nothing)
{
    static struct list lists[KEYS];
    struct tt_fxt_table table;
    tt_fxt_table_init(&table);
    static const uint64_t puts[][2] = {{10, 1}, {10, 2}, {9, 3}, {20, 4},
                                       {20, 5}, {15, 6}, {21, 7}};
    for (size_t i = 0; i < sizeof puts / sizeof puts[0]; i++) {
        put(&table, lists, 0, puts[i][0], puts[i][1]);
        compare(&table, lists);
    }
    tt_fxt_table_free(&table);
}

/* ---- references of events ----------------------------------------------------------------- */

enum { CATEGORY = 5, NAME, KEY, UNKNOWN = 9 };

struct refs {
    unsigned thread, category, name, first, second; /* names of two arguments, 0: none */
    unsigned unknown;                               /* references that health counts */
};

/* clang-format off */
static const struct refs refs[] = {
    {1, CATEGORY, NAME, 0, 0, 0},
    {1, CATEGORY, NAME, KEY, 0, 0},
    {1, CATEGORY, NAME, KEY, KEY, 0},
    {UNKNOWN, CATEGORY, NAME, 0, 0, 1},
    {1, UNKNOWN, NAME, 0, 0, 1},
    {1, CATEGORY, UNKNOWN, 0, 0, 1},
    {1, CATEGORY, NAME, UNKNOWN, 0, 1},
    {1, CATEGORY, NAME, UNKNOWN, KEY, 1},
    {1, CATEGORY, NAME, KEY, UNKNOWN, 1},
};
/* clang-format on */

static void add_event(struct fxt_out *out, uint64_t ticks, const struct refs *r)
{
    size_t at = fxt_begin(out, fxt_event(0, (r->first != 0 ? 1u : 0u) + (r->second != 0 ? 1u : 0u),
                                         r->thread, r->category, r->name));
    fxt_word(out, ticks);
    for (unsigned i = 0; i < 2; i++) {
        unsigned name = i == 0 ? r->first : r->second;
        if (name != 0) {
            fxt_word(out, 1 | 1 << 4 | name << 16 | UINT64_C(77) << 32); /* int32, one word */
        }
    }
    fxt_end(out, at);
}

Test(fxt_references, unknown_ones_are_health)
{
    for (size_t i = 0; i < sizeof refs / sizeof refs[0]; i++) {
        struct fxt_out out = {0};
        fxt_magic(&out);
        fxt_string(&out, CATEGORY, "category");
        fxt_string(&out, NAME, "name");
        fxt_string(&out, KEY, "key");
        fxt_thread(&out, 1, 10, 11);
        for (uint64_t n = 0; n < 4; n++) {
            add_event(&out, n, &refs[n % 3]); /* these shapes are known afterwards */
        }
        add_event(&out, 9, &refs[i]);
        struct fxt_reading r = fxt_read(out.bytes, out.size, false);
        cr_expect_eq(r.count, 5);
        cr_expect_eq(tt_health_count(r.c, TT_HEALTH_UNKNOWN_REFERENCE), refs[i].unknown,
                     "row %zu: %llu", i,
                     (unsigned long long)tt_health_count(r.c, TT_HEALTH_UNKNOWN_REFERENCE));
        fxt_reading_free(&r);
        free(out.bytes);
    }
}

/* ---- labels of values --------------------------------------------------------------------- */

enum { POINTER = 7, KOID = 8 }; /* types of arguments */

static void add_value(struct fxt_out *out, uint64_t ticks, uint64_t pid, uint64_t type,
                      uint64_t value)
{
    size_t at = fxt_begin(out, fxt_event(0, 1, 0, 0, 0));
    fxt_word(out, ticks);
    fxt_word(out, pid);
    fxt_word(out, 2);
    fxt_arg_long(out, type, "value", value);
    fxt_end(out, at);
}

/* Registers a pointer of process 1. */
static void name_pointer(struct fxt_out *out, uint64_t pointer, const char *name)
{
    size_t at = fxt_begin(out, 6 | (uint64_t)FXT_INLINE(strlen(name)) << 24);
    fxt_word(out, pointer);
    fxt_word(out, 1);
    fxt_text(out, name);
    fxt_end(out, at);
}

static void name_koid(struct fxt_out *out, uint64_t type, uint64_t koid, const char *name)
{
    uint64_t ref = *name ? FXT_INLINE(strlen(name)) : 0;
    size_t at = fxt_begin(out, fxt_kernel_object(type, ref, 0));
    fxt_word(out, koid);
    fxt_text(out, name);
    fxt_end(out, at);
}

Test(fxt_references, labels_of_pointers_and_koids)
{
    static const char *const wanted[] = {
        "",        /* not yet registered */
        "first",   /* from here on */
        "",        /* another process */
        "second",  /* from here on */
        "",        /* another pointer */
        "port",    /* a koid has its name in the whole trace */
        "channel", /* without a name: its type */
        "",        /* unknown */
        "",        /* of a type that does not exist */
        "port",
    };
    struct fxt_out out = {0};
    fxt_magic(&out);
    add_value(&out, 0, 1, POINTER, 0xabcd);
    name_pointer(&out, 0xabcd, "first");
    add_value(&out, 1, 1, POINTER, 0xabcd);
    add_value(&out, 2, 3, POINTER, 0xabcd);
    name_pointer(&out, 0xabcd, "second");
    add_value(&out, 3, 1, POINTER, 0xabcd);
    add_value(&out, 4, 1, POINTER, 0xabce);
    add_value(&out, 5, 1, KOID, 77);
    add_value(&out, 6, 1, KOID, 78);
    add_value(&out, 7, 1, KOID, 79);
    add_value(&out, 8, 1, KOID, 80);
    name_koid(&out, 6, 77, "port");
    name_koid(&out, 4, 78, "");
    name_koid(&out, 255, 80, "");
    add_value(&out, 9, 1, KOID, 77);
    struct fxt_reading r = fxt_read(out.bytes, out.size, false);
    cr_assert_eq(r.count, sizeof wanted / sizeof wanted[0]);
    for (size_t i = 0; i < r.count; i++) {
        const struct tt_arg *arg = fxt_arg_named(fxt_describe(&r, i), "value");
        cr_assert_not_null(arg);
        cr_expect(*wanted[i] ? fxt_span_is(arg->label, wanted[i]) : arg->label.length == 0,
                  "event %zu: \"%.*s\", not \"%s\"", i, (int)arg->label.length,
                  arg->label.data ? arg->label.data : "", wanted[i]);
    }
    fxt_reading_free(&r);
    free(out.bytes);
}

/* The text of a string reference that is not registered has its whole index. */
Test(fxt_references, texts_of_unknown_strings)
{
    static const uint32_t indexes[] = {0,   1,   9,    10,   11,    99,   100,
                                       101, 999, 1000, 9999, 10000, 32767};
    for (size_t i = 0; i < sizeof indexes / sizeof indexes[0]; i++) {
        char text[TT_FXT_UNKNOWN_TEXT], wanted[32];
        uint32_t length = tt_fxt_unknown_text(text, indexes[i]);
        snprintf(wanted, sizeof wanted, "<string %u>", indexes[i]);
        cr_expect(length == strlen(wanted) && memcmp(text, wanted, length) == 0, "%.*s, not %s",
                  (int)length, text, wanted);
    }
}

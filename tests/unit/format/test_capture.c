/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a capture: texts, types, processes and threads, health, facts. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "format/capture_tables.h"
#include "format/capture_tables_cache.h"
#include "tracetui/capture.h"

static struct tt_capture *fresh(void)
{
    static const uint8_t byte = 0;
    struct tt_capture *c = NULL;
    struct tt_status status = tt_capture_new(tt_bytes_of(&byte, 1), &c);
    cr_assert(!tt_failed(&status));
    return c;
}

Test(capture, each_text_has_one_number)
{
    struct tt_capture *c = fresh();
    tt_string a = tt_capture_intern(c, "devc-pty", 8);
    tt_string b = tt_capture_intern(c, "io\0blk", 6);
    cr_expect_neq(a, 0);
    cr_expect_neq(a, b);
    cr_expect_eq(tt_capture_intern(c, "devc-pty", 8), a);
    cr_expect_eq(tt_capture_intern(c, "", 0), 0);
    size_t length = 0;
    cr_expect_str_eq(tt_capture_text(c, a, &length), "devc-pty");
    cr_expect_eq(length, 8);
    cr_expect_str_eq(tt_capture_text(c, 12345, &length), "");
    const char *beyond = tt_capture_text(c, b + 1, &length);
    cr_assert_not_null(beyond, "the first number without a text");
    cr_expect_str_eq(beyond, "");
    tt_capture_free(c);
}

Test(capture, types_and_their_classes)
{
    struct tt_capture *c = fresh();
    static const char comm[] = "COMM", thread[] = "THREAD", name[] = "X";
    cr_expect_eq(tt_types_add(c, comm, name, 1, TT_KIND_MESSAGE), 0);
    cr_expect_eq(tt_types_add(c, thread, name, 2, TT_KIND_STATE), 1);
    cr_expect_eq(tt_types_add(c, comm, name, 3, TT_KIND_MESSAGE), 2);
    cr_expect_eq(tt_classes_count(c), 2);
    cr_expect_str_eq(tt_classes_name(c, tt_types_at(c, 2)->class_id), "COMM");
    cr_expect_eq(tt_types_find(c, thread, name, 2), 1);
    cr_expect_eq(tt_types_find(c, thread, name, 9), UINT32_MAX);
    cr_expect_str_eq(tt_types_at(c, 77)->name, "?");
    tt_capture_free(c);
}

Test(registry, a_reused_pid_is_another_process)
{
    struct tt_capture *c = fresh();
    uint32_t first = tt_registry_thread(c, 100, 1, 16);
    cr_expect_eq(tt_registry_thread(c, 100, 1, 32), first);
    tt_registry_process_end(c, 100, 40);
    /* A late event of the ended process still belongs to it. */
    cr_expect_eq(tt_registry_thread(c, 100, 1, 48), first);
    uint32_t process = tt_registry_process_begin(c, 100, 64);
    uint32_t second = tt_registry_thread(c, 100, 1, 80);
    cr_expect_neq(second, first);
    cr_expect_eq(tt_thread_at(c, second)->process, process);
    cr_expect_eq(tt_registry_find_thread(c, 100, 1, 40), first);
    cr_expect_eq(tt_registry_find_thread(c, 100, 1, 63), first);
    cr_expect_eq(tt_registry_find_thread(c, 100, 1, 64), second);
    cr_expect_eq(tt_registry_find_thread(c, 100, 2, 64), UINT32_MAX);
    cr_expect_eq(tt_registry_find_thread(c, 101, 1, 64), UINT32_MAX);
    /* A position before the first process means the first. */
    cr_expect_eq(tt_registry_find_thread(c, 100, 1, 0), first);
    tt_capture_free(c);
}

Test(registry, a_continuing_process_does_not_begin_again)
{
    struct tt_capture *c = fresh();
    uint32_t a = tt_registry_process_begin(c, 7, 0);
    cr_expect_eq(tt_registry_process_begin(c, 7, 16), a);
    cr_expect_eq(tt_process_count(c), 1);
    tt_capture_free(c);
}

Test(registry, a_thread_moves_to_its_process)
{
    struct tt_capture *c = fresh();
    uint32_t lane = tt_registry_thread(c, 0, 55, 16);
    uint32_t process = tt_registry_process(c, 9, 32);
    cr_expect(tt_registry_thread_move(c, lane, process));
    cr_expect_eq(tt_registry_thread(c, 9, 55, 48), lane);
    cr_expect_eq(tt_registry_find_thread(c, 0, 55, 48), lane);
    cr_expect_eq(tt_thread_at(c, lane)->process, process);
    cr_expect_eq(tt_process_at(c, process)->threads, 1);
    tt_capture_free(c);
}

enum { MOVED = 5000 };

/* Expects each thread under its first process and under its current one; a thread with the same
 * number in a third process is another. */
static void check_moved(const struct tt_capture *c)
{
    for (uint32_t i = 0; i < MOVED; i++) {
        uint32_t lane = tt_registry_find_thread(c, 0, i, 0);
        cr_assert_eq(lane, 2 * i);
        cr_assert_eq(tt_registry_find_thread(c, 1 + i % 7, i, 0), lane);
        cr_assert_eq(tt_registry_known_thread(c, 1 + i % 7, i, 0), lane);
        cr_assert_eq(tt_registry_find_thread(c, 9, i, 0), 2 * i + 1);
        cr_assert_eq(tt_registry_find_thread(c, 8, i, 0), UINT32_MAX);
    }
}

Test(registry, thousands_of_threads_move)
{
    struct tt_capture *c = fresh();
    tt_registry_process(c, 8, 0);
    for (uint32_t i = 0; i < MOVED; i++) {
        uint32_t lane = tt_registry_thread(c, 0, i, 0);
        cr_assert_eq(tt_registry_thread(c, 9, i, 0), lane + 1);
        cr_assert(tt_registry_thread_move(c, lane, tt_registry_process(c, 1 + i % 7, 0)));
    }
    cr_expect_eq(tt_thread_count(c), 2 * MOVED);
    check_moved(c);
    cr_assert(tt_tables_find_lanes(c->tables), "as after restoring");
    check_moved(c);
    /* The index cache may be damaged: two threads with one key are rejected. */
    ((struct tt_thread *)tt_column_at(&c->tables->threads, 3))->tid = 0;
    cr_expect_not(tt_tables_find_lanes(c->tables));
    tt_capture_free(c);
}

Test(registry, a_million_threads)
{
    struct tt_capture *c = fresh();
    for (uint32_t i = 0; i < 1000000; i++) {
        cr_assert_eq(tt_registry_thread(c, i / 1000, i % 1000, i), i);
    }
    for (uint32_t i = 0; i < 1000000; i += 997) {
        cr_assert_eq(tt_registry_find_thread(c, i / 1000, i % 1000, i), i);
    }
    tt_capture_free(c);
}

Test(health, all_are_counted_and_the_first_are_stored)
{
    struct tt_capture *c = fresh();
    for (uint64_t i = 0; i < TT_HEALTH_KEPT + 10; i++) {
        tt_health_add(c, TT_HEALTH_LOST, i, i, 3, "buffers");
    }
    cr_expect_eq(tt_health_count(c, TT_HEALTH_LOST), TT_HEALTH_KEPT + 10);
    cr_expect_eq(tt_health_kept(c), TT_HEALTH_KEPT);
    cr_expect_eq(tt_health_at(c, 5).offset, 5);
    cr_expect(!tt_health_damaged(c));
    tt_health_add(c, TT_HEALTH_MALFORMED, 0, 0, 0, NULL);
    cr_expect(tt_health_damaged(c));
    tt_capture_free(c);
}

Test(capture, facts_are_copied)
{
    struct tt_capture *c = fresh();
    char value[] = "736629000";
    cr_assert(tt_facts_add(c, "header", "CYCLES_PER_SEC", value, 9));
    value[0] = 'x';
    cr_expect_eq(tt_facts_count(c), 1);
    cr_expect_str_eq(tt_facts_at(c, 0)->value, "736629000");
    tt_capture_free(c);
}

Test(capture, facts_are_grouped_by_section)
{
    static const char *const sections[] = {"header", "clock", "header", "rest", "clock"};
    static const uint32_t wanted[] = {0, 2, 1, 4, 3};
    struct tt_capture *c = fresh();
    cr_expect_eq(tt_facts_next(c, TT_NO_FACT), TT_NO_FACT);
    for (size_t i = 0; i < 5; i++) {
        cr_assert(tt_facts_add(c, sections[i], "key", "1", 1));
    }
    uint32_t at = TT_NO_FACT;
    for (size_t i = 0; i < 5; i++) {
        at = tt_facts_next(c, at);
        cr_assert_eq(at, wanted[i]);
    }
    cr_expect_eq(tt_facts_next(c, at), TT_NO_FACT);
    cr_expect(tt_facts_same_section(c, 0, 2) && !tt_facts_same_section(c, 0, 1));
    cr_expect(!tt_facts_same_section(c, TT_NO_FACT, TT_NO_FACT));
    tt_capture_free(c);
}

Test(capture, an_empty_file_and_an_unknown_one_are_errors)
{
    struct tt_capture *c = fresh();
    static const struct tt_capture_options none;
    struct tt_status status = tt_capture_open(c, "x.kev", &none);
    cr_expect_eq(status.code, TT_ERR_NOT_CAPTURE);
    c->bytes.size = 0;
    status = tt_capture_open(c, "x.kev", &none);
    cr_expect_eq(status.code, TT_ERR_NOT_CAPTURE);
    cr_expect_str_eq(status.text, "the file is empty");
    tt_capture_free(c);
}

Test(registry, a_pid_reused_many_times_is_found_quickly)
{
    enum { USES = 200000 };
    struct tt_capture *c = fresh();
    for (uint64_t i = 0; i < USES; i++) {
        uint32_t process = tt_registry_process_begin(c, 7, i * 10);
        cr_assert_eq(process, i);
        tt_registry_process_end(c, 7, i * 10 + 5);
    }
    /* A walk over the whole chain for each of these would take 10^10 steps. */
    for (uint64_t i = 0; i < USES; i++) {
        cr_assert_eq(tt_registry_find_process(c, 7, i * 10 + 3), i);
    }
    cr_expect_eq(tt_registry_find_process(c, 7, UINT64_MAX), USES - 1);
    cr_expect_eq(tt_registry_find_process(c, 7, 0), 0);
    tt_capture_free(c);
}

Test(registry, repeated_processes_without_an_end_are_limited)
{
    struct tt_capture *c = fresh();
    c->lanes_by_time = true;
    for (uint64_t i = 1; i < 100000; i++) {
        tt_registry_process_begin(c, 7, i);
    }
    cr_expect_leq(tt_process_count(c), 300);
    cr_expect_eq(tt_registry_find_process(c, 7, 5000), 0);
    tt_capture_free(c);
}

/*
 * The end of each process is read after the begin of the next one, as from the rings of two CPUs.
 * Only begins whose ends are still missing count for the limit, however many there are in all.
 */
Test(registry, a_pid_reused_out_of_order_is_not_limited)
{
    enum { USES = 1000 };
    struct tt_capture *c = fresh();
    c->lanes_by_time = true;
    tt_registry_process_begin(c, 7, 1);
    for (uint64_t i = 1; i < USES; i++) {
        uint32_t process = tt_registry_process_begin(c, 7, i * 10 + 1);
        cr_assert_eq(process, i, "use %llu", (unsigned long long)i);
        tt_registry_process_end(c, 7, i * 10 - 5); /* of the one before */
    }
    cr_expect_eq(tt_process_count(c), USES);
    for (uint64_t i = 0; i < USES; i++) {
        cr_assert_eq(tt_registry_find_process(c, 7, i * 10 + 3), i);
    }
    tt_capture_free(c);
}

/*
 * Saves the tables and restores them into those of `to`; returns whether they are accepted. The
 * caller frees *bytes, where the texts remain, after `to`.
 */
static bool restore_into(struct tt_capture *to, const struct tt_capture *c, uint8_t **bytes)
{
    struct tt_section_writer *w = tt_section_writer_gathering();
    cr_assert(w);
    tt_section(w, TT_SECTION_CAPTURE);
    tt_tables_save(c, w);
    cr_assert_not(tt_section_failed(w));
    struct tt_bytes gathered = tt_section_gathered(w);
    *bytes = aligned_alloc(64, ((size_t)gathered.size + 63) / 64 * 64);
    cr_assert(*bytes);
    memcpy(*bytes, gathered.data, (size_t)gathered.size);
    struct tt_section section = {.bytes = tt_bytes_of(*bytes, gathered.size)};
    struct tt_reader r = tt_section_reader(&section);
    bool accepted = tt_tables_restore(to, &r);
    tt_section_writer_free(w);
    return accepted;
}

/* Restores tables without texts into others, which the caller frees. */
static struct tt_capture *restore_tables(const struct tt_capture *c)
{
    struct tt_capture *restored = fresh();
    uint8_t *bytes;
    cr_assert(restore_into(restored, c, &bytes));
    free(bytes);
    return restored;
}

/* Types that exist since the capture was opened have to be those that were saved. */
Test(capture, other_types_than_the_saved_ones_are_rejected)
{
    static const char comm[] = "COMM", x[] = "X", y[] = "Y";
    static const struct {
        const char *name;
        uint64_t code;
        unsigned kind;
        bool same;
    } cases[] = {
        {x, 1, TT_KIND_MESSAGE, true},
        {y, 1, TT_KIND_MESSAGE, false},
        {x, 2, TT_KIND_MESSAGE, false},
        {x, 1, TT_KIND_STATE, false},
    };
    struct tt_capture *c = fresh();
    tt_types_add(c, comm, x, 1, TT_KIND_MESSAGE);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tt_capture *restored = fresh();
        uint8_t *bytes;
        tt_types_add(restored, comm, cases[i].name, cases[i].code, cases[i].kind);
        cr_expect_eq(restore_into(restored, c, &bytes), cases[i].same, "case %zu", i);
        tt_capture_free(restored);
        free(bytes);
    }
    tt_capture_free(c);
}

Test(registry, processes_that_share_a_pid_share_it_when_restored)
{
    enum { ALONE, FIRST, SECOND, THIRD, LAST_ALONE, COUNT };
    static const bool shares[COUNT] = {[FIRST] = true, [SECOND] = true, [THIRD] = true};
    struct tt_capture *c = fresh();
    c->lanes_by_time = true;
    tt_registry_process_begin(c, 5, 1);
    for (uint64_t i = 0; i < 3; i++) {
        tt_registry_process_begin(c, 7, 10 + i * 10);
        tt_registry_process_end(c, 7, 15 + i * 10);
    }
    tt_registry_process_begin(c, 9, 50);
    struct tt_capture *restored = restore_tables(c);
    cr_assert_eq(tt_process_count(restored), COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        cr_expect_eq(tt_process_at(c, i)->shares_pid, shares[i], "process %u", i);
        cr_expect_eq(tt_process_at(restored, i)->shares_pid, shares[i], "restored %u", i);
    }
    /* A thread of the first process is settled by time only where the pid is shared. */
    for (uint64_t i = 0; i < 3; i++) {
        cr_expect_eq(tt_registry_find_process(restored, 7, 12 + i * 10), FIRST + i);
    }
    tt_capture_free(restored);
    tt_capture_free(c);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Names of kernel objects: late ones, changed ones, reused addresses. */
#include <string.h>

#include "btrace_build.h"
#include "format/btrace/btrace_names.h"

enum { A = 0x1000, B = 0x2000, PROC = 0x9000, PROC2 = 0xa000 };

static uint64_t used(struct stream *s, uint32_t ts, uint32_t nthread)
{
    return stream_record(
        s,
        &(struct rec){.flags = TS | CTX, .category = 10, .sub = 1, .ts = ts, .context = nthread});
}

Test(btrace_names, a_thread_used_before_it_is_named)
{
    struct stream s = {0};
    used(&s, 1, A);
    stream_name(&s, 3, 5, 2, A, PROC, "late.exe[1]0001");
    stream_name(&s, 3, 4, 3, A, PROC, "Late");
    used(&s, 4, A);
    struct reading r = read_stream(&s);
    cr_assert_eq(tt_thread_count(r.capture), 1);
    cr_expect_eq(r.events[0].thread, r.events[3].thread);
    cr_expect_str_eq(thread_name(&r, 0), "Late");
    cr_expect_str_eq(process_name_of(&r, 0), "late.exe[1]0001");
    cr_expect_eq(tt_thread_at(r.capture, 0)->tid, A);
    cr_expect_eq(tt_process_at(r.capture, tt_thread_at(r.capture, 0)->process)->pid, PROC);
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_names, a_thread_that_is_never_named)
{
    struct stream s = {0};
    used(&s, 1, A);
    used(&s, 2, B);
    used(&s, 3, A);
    struct reading r = read_stream(&s);
    cr_assert_eq(tt_thread_count(r.capture), 2);
    cr_expect_eq(r.events[0].thread, r.events[2].thread);
    cr_expect_eq(tt_thread_at(r.capture, r.events[1].thread)->tid, B);
    reading_free(&r);
    stream_free(&s);
}

/* Writes the records of a thread in the kernel's order: nanothread, process name, thread. */
static void create(struct stream *s, uint32_t ts, uint32_t nthread, uint32_t process,
                   const char *process_name, const char *name, uint32_t id)
{
    stream_words(s, 3, 0, ts, &nthread, 1);
    stream_name(s, 3, 5, ts, nthread, process, process_name);
    stream_name(s, 3, 2, ts, nthread, process, name);
    stream_words(s, 3, 6, ts, (const uint32_t[]){nthread, process, id}, 3);
}

static void destroy(struct stream *s, uint32_t ts, uint32_t nthread, uint32_t process, uint32_t id)
{
    stream_words(s, 3, 1, ts, &nthread, 1);
    stream_words(s, 3, 3, ts, (const uint32_t[]){nthread, process, id}, 3);
}

Test(btrace_names, a_reused_address_is_another_thread)
{
    struct stream s = {0};
    create(&s, 1, A, PROC, "app.exe", "First", 7);
    used(&s, 2, A);
    destroy(&s, 3, A, PROC, 7);
    create(&s, 4, A, PROC, "app.exe", "Second", 8);
    used(&s, 5, A);
    struct reading r = read_stream(&s);
    cr_assert_eq(tt_thread_count(r.capture), 2);
    cr_expect_str_eq(thread_name(&r, r.events[4].thread), "First");
    cr_expect_str_eq(thread_name(&r, r.events[11].thread), "Second");
    /* Labels depend on the position of the arguments. */
    cr_expect(strstr(args_line(&r, 6), "thread=0x00001000(First)"), "%s", args_line(&r, 6));
    cr_expect(strstr(args_line(&r, 7), "thread=0x00001000(Second)"), "%s", args_line(&r, 7));
    cr_expect_eq(tt_thread_at(r.capture, 0)->process, tt_thread_at(r.capture, 1)->process);
    cr_expect_eq(tt_thread_at(r.capture, 1)->tid, (UINT64_C(1) << 32) + A);
    reading_free(&r);
    stream_free(&s);
}

/* Equal names in the same process: each creation is another thread. */
Test(btrace_names, a_thread_created_again_is_another_thread)
{
    struct stream s = {0};
    for (uint32_t i = 0; i < 3; i++) {
        create(&s, 10 * i + 1, A, PROC, "app.exe", "Worker", 7 + i);
        used(&s, 10 * i + 2, A);
        destroy(&s, 10 * i + 3, A, PROC, 7 + i);
    }
    create(&s, 40, A, PROC, "app.exe", "Worker", 20); /* whose end was lost ... */
    create(&s, 50, A, PROC, "app.exe", "Worker", 21);
    create(&s, 60, A, PROC2, "b.exe", "Worker", 22);
    struct reading r = read_stream(&s);
    cr_assert_eq(tt_thread_count(r.capture), 6);
    for (uint32_t i = 0; i < 3; i++) {
        cr_expect_eq(r.events[7 * i + 4].thread, i, "used by the thread that lives then");
        cr_expect_eq(tt_thread_at(r.capture, i)->tid, ((uint64_t)i << 32) + A);
        cr_expect_str_eq(thread_name(&r, i), "Worker");
    }
    cr_expect_str_eq(process_name_of(&r, 5), "b.exe");
    cr_expect_eq(action_total(&r, TT_ACTION_THREAD_CREATE), 6);
    for (uint32_t i = 0; i < 3; i++) {
        cr_expect_eq(action_at(&r, TT_ACTION_THREAD_DESTROY, 2 * i)->thread, i);
        cr_expect_eq(action_at(&r, TT_ACTION_THREAD_DESTROY, 2 * i + 1)->thread, i);
    }
    reading_free(&r);
    stream_free(&s);
}

/* Reported again when the filter is switched on: only the id shows that it is another thread. */
Test(btrace_names, another_id_is_another_thread)
{
    struct stream s = {0};
    create(&s, 1, A, PROC, "app.exe", "First", 7);
    used(&s, 2, A);
    stream_name(&s, 3, 5, 3, A, PROC, "app.exe");
    stream_name(&s, 3, 4, 4, A, PROC, "Second");
    stream_words(&s, 3, 6, 5, (const uint32_t[]){A, PROC, 8}, 3);
    used(&s, 6, A);
    stream_words(&s, 3, 1, 7, (const uint32_t[]){A}, 1);
    stream_words(&s, 3, 3, 8, (const uint32_t[]){A, PROC, 8}, 3);
    stream_words(&s, 3, 3, 9, (const uint32_t[]){A, PROC, 9}, 3); /* of a third one */
    struct reading r = read_stream(&s);
    cr_assert_eq(tt_thread_count(r.capture), 3);
    cr_expect_eq(r.events[4].thread, 0);
    cr_expect_eq(r.events[8].thread, 1);
    cr_expect_str_eq(thread_name(&r, 0), "First");
    cr_expect_str_eq(thread_name(&r, 1), "Second");
    cr_expect_str_eq(thread_name(&r, 2), "");
    cr_expect_eq(action_at(&r, TT_ACTION_THREAD_DESTROY, 1)->thread, 1);
    cr_expect_eq(action_at(&r, TT_ACTION_THREAD_DESTROY, 2)->thread, 2);
    reading_free(&r);
    stream_free(&s);
}

/* The creation was lost: a thread that runs at the address of an ended one has no name. */
Test(btrace_names, a_context_at_the_address_of_a_destroyed_thread)
{
    struct stream s = {0};
    create(&s, 1, A, PROC, "app.exe", "First", 7);
    stream_words(&s, 3, 1, 2, (const uint32_t[]){A}, 1);
    used(&s, 3, A); /* ends itself, and runs on for a while */
    stream_words(&s, 3, 3, 4, (const uint32_t[]){A, PROC, 7}, 3);
    used(&s, 5, A);
    used(&s, 6, A);
    stream_name(&s, 3, 4, 7, A, PROC, "Late");
    create(&s, 8, A, PROC, "app.exe", "Third", 9);
    struct reading r = read_stream(&s);
    cr_assert_eq(tt_thread_count(r.capture), 3);
    cr_expect_eq(r.events[5].thread, 0);
    cr_expect_eq(r.events[7].thread, 1);
    cr_expect_eq(r.events[8].thread, 1);
    cr_expect_str_eq(thread_name(&r, 0), "First");
    cr_expect_str_eq(thread_name(&r, 1), "Late");
    cr_expect_str_eq(thread_name(&r, 2), "Third");
    reading_free(&r);
    stream_free(&s);
}

/* Destroyed while on a CPU: it runs on to the switch and remains the same thread. */
Test(btrace_names, a_thread_that_is_destroyed_while_it_runs)
{
    struct stream s = {0};
    create(&s, 1, A, PROC, "app.exe", "First", 7);
    create(&s, 1, B, PROC, "app.exe", "Other", 8);
    stream_switch(&s, 2, A);
    destroy(&s, 3, A, PROC, 7);
    stream_words(&s, 3, 8, 4, (const uint32_t[]){PROC}, 1);
    uint32_t before = 12;
    used(&s, 5, A);
    stream_switch(&s, 6, B);
    used(&s, 7, A);
    struct reading r = read_stream(&s);
    cr_assert_eq(tt_thread_count(r.capture), 4); /* B's process has ended, too */
    cr_expect_eq(r.events[before].thread, 0);
    cr_expect_eq(r.events[before + 2].thread, 3);
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_names, another_thread_without_an_end)
{
    struct stream s = {0};
    create(&s, 1, A, PROC, "app.exe", "First", 7);
    create(&s, 4, A, PROC, "app.exe", "Second", 8);
    create(&s, 6, A, PROC2, "other.exe", "Third", 9);
    /* No nanothread record: the name in another process decides. */
    stream_name(&s, 3, 4, 8, A, PROC, "Fourth");
    struct reading r = read_stream(&s);
    cr_assert_eq(tt_thread_count(r.capture), 4);
    cr_expect_str_eq(thread_name(&r, 0), "First");
    cr_expect_str_eq(thread_name(&r, 3), "Fourth");
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_names, a_late_end_of_the_previous_thread)
{
    struct stream s = {0};
    create(&s, 1, A, PROC, "app.exe", "First", 7);
    stream_words(&s, 3, 1, 2, (const uint32_t[]){A}, 1);
    create(&s, 3, A, PROC, "app.exe", "Second", 8);
    stream_words(&s, 3, 3, 4, (const uint32_t[]){A, PROC, 7}, 3); /* EThreadDestroy of First */
    stream_name(&s, 3, 4, 5, A, PROC, "Renamed");
    struct reading r = read_stream(&s);
    cr_assert_eq(tt_thread_count(r.capture), 2);
    cr_expect_str_eq(thread_name(&r, 1), "Renamed");
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_names, a_new_name_is_not_a_new_thread)
{
    struct stream s = {0};
    create(&s, 1, A, PROC, "app.exe", "Main", 7);
    stream_name(&s, 3, 4, 2, A, PROC, "Null2");
    stream_name(&s, 3, 5, 3, 0, PROC, "renamed.exe");
    used(&s, 4, A);
    struct reading r = read_stream(&s);
    cr_assert_eq(tt_thread_count(r.capture), 1);
    cr_assert_eq(tt_process_count(r.capture), 1);
    cr_expect_str_eq(thread_name(&r, 0), "Null2");
    cr_expect(tt_thread_at(r.capture, 0)->idle);
    cr_expect_str_eq(process_name_of(&r, 0), "renamed.exe");
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_names, a_process_at_a_reused_address)
{
    struct stream s = {0};
    stream_words(&s, 3, 7, 1, (const uint32_t[]){PROC}, 1);
    stream_name(&s, 3, 5, 2, A, PROC, "one.exe");
    stream_words(&s, 3, 8, 3, (const uint32_t[]){PROC}, 1);
    stream_words(&s, 3, 7, 4, (const uint32_t[]){PROC}, 1);
    stream_name(&s, 3, 5, 5, B, PROC, "two.exe");
    stream_name(&s, 3, 5, 6, B + 4, PROC, "three.exe"); /* its end was lost */
    stream_words(&s, 8, 7, 7, (const uint32_t[]){0xc0, PROC}, 2);
    struct reading r = read_stream(&s);
    cr_assert_eq(tt_process_count(r.capture), 3);
    cr_expect_str_eq(args_line(&r, 0), "process=0x00009000(one.exe)");
    cr_expect_str_eq(args_line(&r, 2), "process=0x00009000(one.exe)");
    cr_expect_str_eq(args_line(&r, 3), "process=0x00009000(two.exe)");
    cr_expect_str_eq(args_line(&r, 6), "chunk=0x000000c0 process=0x00009000(three.exe)");
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_names, a_process_whose_end_was_lost)
{
    struct stream s = {0};
    stream_words(&s, 3, 7, 1, (const uint32_t[]){PROC}, 1);
    stream_name(&s, 3, 5, 2, 0, PROC, "one.exe");
    stream_name(&s, 3, 4, 3, A, PROC, "Main");
    stream_words(&s, 3, 7, 4, (const uint32_t[]){PROC}, 1);
    stream_name(&s, 3, 5, 5, 0, PROC, "two.exe");
    stream_name(&s, 3, 2, 6, A, PROC, "Main");
    struct reading r = read_stream(&s);
    cr_assert_eq(tt_process_count(r.capture), 2);
    cr_assert_eq(tt_thread_count(r.capture), 2);
    cr_expect_str_eq(args_line(&r, 0), "process=0x00009000(one.exe)");
    cr_expect_str_eq(args_line(&r, 3), "process=0x00009000(two.exe)");
    cr_expect_str_eq(process_name_of(&r, 0), "one.exe");
    cr_expect_str_eq(process_name_of(&r, 1), "two.exe");
    reading_free(&r);
    stream_free(&s);
}

/* When the filter is switched on again all objects are reported again; none of them is new. */
Test(btrace_names, a_second_prime_adds_nothing)
{
    struct stream s = {0};
    for (uint32_t ts = 1; ts < 3; ts++) {
        stream_words(&s, 3, 7, ts, (const uint32_t[]){PROC}, 1);
        stream_name(&s, 3, 5, ts, A, PROC, "app.exe");
        stream_name(&s, 3, 4, ts, A, PROC, "Main");
        stream_words(&s, 3, 6, ts, (const uint32_t[]){A, PROC, 7}, 3);
    }
    struct reading r = read_stream(&s);
    cr_expect_eq(tt_thread_count(r.capture), 1);
    cr_expect_eq(tt_process_count(r.capture), 1);
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_names, all_other_objects)
{
    struct stream s = {0};
    stream_name(&s, 8, 0, 1, 0xc0, 4096, "SharedChunk");
    stream_words(&s, 8, 2, 2, (const uint32_t[]){0xc0}, 1);
    stream_record(
        &s, &(struct rec){.flags = TS, .category = 9, .data = "\xc1\0\0\0euser.dll", .length = 13});
    stream_words(&s, 9, 3, 4, (const uint32_t[]){0xc1, PROC}, 2);
    stream_name(&s, 6, 0, 5, 0xc2, 0xd0, "!FileServer");
    stream_words(&s, 6, 2, 6, (const uint32_t[]){0xc3, 0xc2, 0xe0}, 3);
    stream_words(&s, 6, 4, 7, (const uint32_t[]){0xabc, 5, 0xc3}, 3);
    stream_name(&s, 17, 3, 8, 0xc4, 0, "System Lock");
    stream_words(&s, 17, 0, 9, (const uint32_t[]){0xc4}, 1);
    stream_name(&s, 23, 0x00, 10, 0xc5, 0, "Sem");
    stream_words(&s, 23, 0x02, 11, (const uint32_t[]){0xc5}, 1);
    stream_name(&s, 23, 0x10, 12, 0xc6, 0, "Mutex");
    stream_words(&s, 23, 0x12, 13, (const uint32_t[]){0xc6}, 1);
    stream_name(&s, 23, 0x20, 14, 0xc7, 0, "Cond");
    stream_words(&s, 23, 0x22, 15, (const uint32_t[]){0xc7, 0xc6}, 2);
    /* An address may belong to objects of several kinds. */
    stream_words(&s, 23, 0x12, 16, (const uint32_t[]){0xc5}, 1);
    struct reading r = read_stream(&s);
    cr_expect_str_eq(args_line(&r, 1), "chunk=0x000000c0(SharedChunk)");
    cr_expect_str_eq(args_line(&r, 3), "code_seg=0x000000c1(euser.dll) process=0x00009000");
    cr_expect_str_eq(args_line(&r, 6),
                     "message=0x00000abc function=5 session=0x000000c3(!FileServer)");
    cr_expect_str_eq(args_line(&r, 8), "fast_mutex=0x000000c4(System Lock)");
    cr_expect_str_eq(args_line(&r, 10), "semaphore=0x000000c5(Sem)");
    cr_expect_str_eq(args_line(&r, 12), "mutex=0x000000c6(Mutex)");
    cr_expect_str_eq(args_line(&r, 14), "condvar=0x000000c7(Cond) mutex=0x000000c6(Mutex)");
    cr_expect_str_eq(args_line(&r, 15), "mutex=0x000000c5");
    reading_free(&r);
    stream_free(&s);
}

Test(btrace_names, any_of_many_versions_is_found)
{
    struct btrace_names names;
    cr_assert(btrace_names_init(&names));
    uint32_t key = btrace_names_key(&names, BTRACE_OBJECT_CHUNK, 0xc0);
    enum { VERSIONS = 5000 };
    for (uint32_t i = 0; i < VERSIONS; i++) {
        cr_assert(btrace_names_set(&names, key, 100 + i * 10, i));
    }
    for (uint64_t pos = 0; pos < 100 + VERSIONS * 10 + 50; pos += 3) {
        struct btrace_found found = btrace_names_value(&names, key, pos);
        uint64_t wanted = pos < 100 ? 0 : (pos - 100) / 10;
        wanted = wanted < VERSIONS ? wanted : VERSIONS - 1;
        cr_assert_eq(found.value, wanted, "at %llu", (unsigned long long)pos);
        cr_assert(found.from <= pos && pos < found.until);
    }
    cr_expect_eq(btrace_names_lookup(&names, BTRACE_OBJECT_CHUNK, 0xc1, 0, false), BTRACE_NO_NAME);
    cr_expect_eq(btrace_names_lookup(&names, BTRACE_OBJECT_MUTEX, 0xc0, 0, false), BTRACE_NO_NAME);
    btrace_names_free(&names);
}

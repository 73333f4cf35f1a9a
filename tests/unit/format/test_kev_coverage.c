/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every event in each of its forms: written by the list, read back, name by name and value by
 * value, in both byte orders; by the documents' tables, if present, and by the project's for every
 * release.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/kev/kev_internal.h"
#include "kev_build.h"
#include "kev_lists.h"

#define EVENTS_7  "../shared/formats/kev-events-7.x.tsv"
#define CALLS_6_4 "../shared/formats/kev-kercall-formats-6.4.tsv"
#define CALLS_6_6 "../shared/formats/kev-kercall-formats-6.6.tsv"
#define CALLS_7   "../shared/formats/kev-kercall-formats-7.x.tsv"

static FILE *open_table(const char *path, char *line, int size)
{
    FILE *table = fopen(path, "r");
    if (!table) {
        cr_skip_test("the document's table is not there: %s", path);
    }
    cr_assert_not_null(fgets(line, size, table)); /* names of the columns */
    return table;
}

/* Both forms; where a form has only one or two words it is the fast one that is read. */
static unsigned check_forms(const struct kl_event *event, const struct kl_list *fast,
                            const struct kl_list *wide)
{
    unsigned forms = 0;
    if (!fast->none) {
        kl_check(event, fast);
        forms++;
    }
    if (!wide->none && (fast->none || kl_words(wide) > 2)) {
        kl_check(event, wide);
        forms++;
    } else if (!wide->none) {
        cr_assert_eq(wide->count, fast->count, "two lists of two words for %u/%u", event->class_,
                     event->event);
        forms++;
    }
    return forms;
}

/* ---- by the documents --------------------------------------------------------------------- */

/* "KER_CALL:NOP/00" -> class and name of the event as it is listed. */
static void names_of(const char *class_, const char *event, const char *label, char *class_name,
                     char *name, size_t size)
{
    static const struct {
        const char *class_;
        const char *name;
    } classes[] = {{"KERCALLENTER", "KER_CALL"}, {"KERCALLEXIT", "KER_EXIT"},
                   {"INTENTER", "INT"},          {"INTEXIT", "INT"},
                   {"INT_HANDLER_ENTER", "INT"}, {"INT_HANDLER_EXIT", "INT"}};
    snprintf(class_name, size, "%s", class_);
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        if (strcmp(classes[i].class_, class_) == 0) {
            snprintf(class_name, size, "%s", classes[i].name);
        }
    }
    if (strncmp(class_, "KERCALL", 7) == 0) {
        snprintf(name, size, "%.*s", (int)strcspn(event, "|"), event);
    } else if (strcmp(label, "?") == 0) {
        snprintf(name, size, "%s", strchr(event, '_') + 1); /* SYS_APS_JOIN: APS_JOIN */
    } else {
        const char *colon = strrchr(label, ':');
        snprintf(name, size, "%s", colon ? colon + 1 : label);
    }
}

Test(kev_coverage, every_event_of_the_guide_in_every_form)
{
    char line[4096];
    char *column[10];
    unsigned rows = 0;
    unsigned forms = 0;
    unsigned raw = 0;
    FILE *table = open_table(EVENTS_7, line, sizeof line);
    while (fgets(line, sizeof line, table)) {
        cr_assert_geq(kl_columns(line, column, 10), 9, "row %u", rows);
        rows++;
        if (strchr(column[3], '-')) {
            continue; /* a range of numbers: checked below */
        }
        char class_name[64];
        char name[64];
        names_of(column[0], column[1], column[6], class_name, name, sizeof name);
        struct kl_event event = {"7.1.0", (unsigned)atoi(column[2]), (unsigned)atoi(column[3]),
                                 class_name, name};
        struct kl_list fast;
        struct kl_list wide;
        kl_parse_typed(&fast, column[7]);
        kl_parse_typed(&wide, column[8]);
        if (fast.unknown || wide.unknown) {
            kl_check_raw(&event);
            raw++;
        } else {
            forms += check_forms(&event, &fast, &wide);
        }
    }
    fclose(table);
    cr_assert_eq(rows, 393, "%u rows", rows);
    cr_assert_gt(forms, 650, "%u forms", forms);
    cr_assert_lt(raw, 30, "%u without a known payload", raw);
}

Test(kev_coverage, kernel_calls_of_6_4)
{
    char line[4096];
    char *column[6];
    unsigned rows = 0;
    FILE *table = open_table(CALLS_6_4, line, sizeof line);
    while (fgets(line, sizeof line, table)) {
        cr_assert_eq(kl_columns(line, column, 6), 6);
        struct kl_event event = {"6.4.1", KEV_CLASS_CALL, (unsigned)atoi(column[0]),
                                 strcmp(column[1], "EXIT") == 0 ? "KER_EXIT" : "KER_CALL",
                                 column[2]};
        struct kl_list fast;
        struct kl_list wide;
        kl_parse_printer(&fast, column[5], true);
        kl_parse_printer(&wide, column[5], false);
        cr_assert_eq(kl_words(&fast), (size_t)atoi(column[3]));
        cr_assert_eq(kl_words(&wide), (size_t)atoi(column[4]));
        check_forms(&event, &fast, &wide);
        rows++;
    }
    fclose(table);
    cr_assert_eq(rows, 202);
}

/* Counts the names in a column; *first is the length of the first one. */
static size_t count_names(const char *names, size_t *first)
{
    size_t count = *names != '\0';
    *first = strcspn(names, ",");
    for (; *names; names++) {
        count += *names == ',';
    }
    return count;
}

/* Valid lists of 6.6: some rows have none, some that of the other direction. */
Test(kev_coverage, kernel_calls_of_6_6)
{
    char line[4096];
    char *column[6];
    unsigned sound = 0;
    FILE *table = open_table(CALLS_6_6, line, sizeof line);
    while (fgets(line, sizeof line, table)) {
        size_t columns = kl_columns(line, column, 6);
        const char *list = columns >= 6 ? strchr(column[5], ',') : NULL;
        if (!list) {
            continue;
        }
        struct kl_list fast;
        struct kl_list wide;
        kl_parse_printer(&fast, list + 2, true);
        kl_parse_printer(&wide, list + 2, false);
        size_t length = 0;
        size_t names = count_names(column[4], &length);
        if (names != wide.count || strlen(wide.fields[0].name) != length ||
            strncmp(column[4], wide.fields[0].name, length) != 0) {
            continue;
        }
        struct kl_event event = {"6.6.0", KEV_CLASS_CALL, (unsigned)atoi(column[0]),
                                 strcmp(column[1], "EXIT") == 0 ? "KER_EXIT" : "KER_CALL",
                                 column[2]};
        check_forms(&event, &fast, &wide);
        sound++;
    }
    fclose(table);
    cr_assert_gt(sound, 120, "%u rows", sound);
}

/* The guide's names of arguments: every call that it lists has them. */
Test(kev_coverage, kernel_calls_of_7)
{
    char line[4096];
    char *column[7];
    unsigned rows = 0;
    FILE *table = open_table(CALLS_7, line, sizeof line);
    while (fgets(line, sizeof line, table)) {
        cr_assert_geq(kl_columns(line, column, 7), 3);
        struct kev_build b;
        kev_build_begin(&b, "7.0.0", false);
        kev_build_event(&b, 0, KEV_CLASS_CALL, (unsigned)atoi(column[0]), 1, 2, 1, 1);
        struct kev_read r = kev_read_all(&b);
        cr_assert_str_eq(kev_read_name(&r, 0), column[2], "event %s", column[0]);
        cr_assert_str_eq(kev_read_class(&r, 0),
                         strcmp(column[1], "EXIT") == 0 ? "KER_EXIT" : "KER_CALL");
        kev_read_free(&r);
        kev_build_free(&b);
        rows++;
    }
    fclose(table);
    cr_assert_eq(rows, 221);
}

/* ---- by the project's tables -------------------------------------------------------------- */

static void list_of(struct kl_list *list, const struct kev_field *fields, unsigned mode)
{
    static const enum kl_type types[] = {
        [KEV_H32] = KL_H32,      [KEV_D32] = KL_D32, [KEV_P32] = KL_P32,   [KEV_H64] = KL_H64,
        [KEV_D64] = KL_D64,      [KEV_P64] = KL_P64, [KEV_TEXT] = KL_TEXT, [KEV_STRING] = KL_STR,
        [KEV_SIGEVENT] = KL_SIG, [KEV_PAD] = KL_PAD};
    memset(list, 0, sizeof *list);
    for (const struct kev_field *f = fields; f->name; f++) {
        if (f->modes & mode) {
            struct kl_field *field = &list->fields[list->count++];
            snprintf(field->name, sizeof field->name, "%s", f->name);
            field->type = types[f->type];
        }
    }
    list->none = list->count == 0;
}

static void check_release(enum kev_release release, const char *text, unsigned min)
{
    static const struct kev_layout *layouts[KEV_CODES];
    memset(layouts, 0, sizeof layouts);
    kev_tables_fill(layouts, release);
    unsigned events = 0;
    for (uint32_t code = 0; code < KEV_CODES; code++) {
        const struct kev_layout *layout = layouts[code];
        if (!layout) {
            continue;
        }
        struct kl_event event = {text, kev_class_of(code), code & KEV_EVENT_MASK,
                                 kev_class_name(release, code), layout->name};
        events++;
        if (!layout->fields) {
            kl_check_raw(&event);
            continue;
        }
        struct kl_list fast;
        struct kl_list wide;
        list_of(&fast, layout->fields, KEV_FAST);
        list_of(&wide, layout->fields, KEV_WIDE);
        check_forms(&event, &fast, &wide);
    }
    cr_assert_geq(events, min, "%s: %u events", text, events);
}

Test(kev_coverage, all_of_6_4)
{
    check_release(KEV_6_4, "6.4.1", 300);
}

Test(kev_coverage, all_of_6_6)
{
    check_release(KEV_6_6, "6.6.0", 300);
}

Test(kev_coverage, all_of_7)
{
    check_release(KEV_7, "7.1.0", 500);
}

Test(kev_coverage, all_of_8)
{
    check_release(KEV_8, "8.0.0", 450);
}

/* With two rows for one event in one release the later one would silently replace the other. */
Test(kev_coverage, one_row_per_kernel_call_and_release)
{
    static unsigned rows[KEV_8 + 1][KEV_EVENT_MASK + 1];
    for (const struct kev_call *call = kev_calls; call->layout.name; call++) {
        cr_assert_leq(call->first, call->last, "%s", call->layout.name);
        cr_assert_leq(call->last, KEV_8, "%s", call->layout.name);
        for (unsigned release = call->first; release <= call->last; release++) {
            unsigned *count = &rows[release][call->layout.event & KEV_EVENT_MASK];
            cr_assert_eq(++*count, 1, "%s: second row of %u in release %u", call->layout.name,
                         call->layout.event, release);
        }
    }
}

/* ---- beyond the tables -------------------------------------------------------------------- */

/* Lists selected by the payload's length. */
Test(kev_coverage, lists_selected_by_length)
{
    static const struct {
        unsigned event;
        const char *list;
    } variants[] = {
        {25, "rcvid:h32,event->sigev_notify:d32,event->sigev_notify_function_p:ptr32,"
             "event->sigev_value:h32,event->sigev_notify_attributes_p:ptr32"},
        {25, "rcvid:h32,event->sigev_notify:d32,event->sigev_notify_function_p:ptr64,"
             "event->sigev_value:h64,event->sigev_notify_attributes_p:ptr64"},
        {25, "rcvid:h32,event->sigev_notify:d32,pad:pad32,event->sigev_notify_function_p:ptr64,"
             "event->sigev_value:h64,event->sigev_notify_attributes_p:ptr64"},
        {533, "rcvid:h32,event->sigev_notify:d32,event->sigev_notify_function_p:ptr64,"
              "event->sigev_value:h64,event->sigev_notify_attributes_p:ptr64"},
        {533, "rcvid:h32,event->sigev_notify:d32,pad:pad32,event->sigev_notify_function_p:ptr64,"
              "event->sigev_value:h64,event->sigev_notify_attributes_p:ptr64"},
        {216, "ret_val:d32,sched_priority:d32,sched_curpriority:d32,param.ss_low_priority:d32,"
              "param.ss_max_repl:d32,param.ss_repl_period.tv_sec:d32,"
              "param.ss_repl_period.tv_nsec:d32,param.ss_init_budget.tv_sec:d32,"
              "param.ss_init_budget.tv_nsec:d32"},
        {89, "pid:d32,tid:d32,policy:d32,sched_priority:d32,sched_curpriority:d32,"
             "param.ss_low_priority:d32,param.ss_max_repl:d32,param.ss_repl_period.tv_sec:d32,"
             "param.ss_repl_period.tv_nsec:d32,param.ss_init_budget.tv_sec:d32,"
             "param.ss_init_budget.tv_nsec:d32,param.empty:d32,param.empty:d32"},
        {216, "ret_val:d32,sched_priority:d32,sched_curpriority:d32,param.ss_low_priority:d32,"
              "param.ss_max_repl:d32,param.ss_repl_period.tv_sec:d32,"
              "param.ss_repl_period.tv_nsec:d32,param.ss_init_budget.tv_sec:d32,"
              "param.ss_init_budget.tv_nsec:d32,param.empty:d32,param.empty:d32"},
        {728, "ret_val:d32,sched_priority:d32,sched_curpriority:d32,param.ss_low_priority:d32,"
              "param.ss_max_repl:d32,param.ss_repl_period.tv_sec:d64,"
              "param.ss_repl_period.tv_nsec:d64,param.ss_init_budget.tv_sec:d64,"
              "param.ss_init_budget.tv_nsec:d64"},
    };
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        struct kl_event event = {"7.1.0", KEV_CLASS_CALL, variants[i].event, NULL, NULL};
        struct kl_list list;
        kl_parse_typed(&list, variants[i].list);
        kl_check(&event, &list);
    }
}

/* Thread states have two, four or six words. */
Test(kev_coverage, thread_states_without_partitions)
{
    struct kl_list list;
    kl_parse_typed(&list, "pid:d32,tid:d32,priority:d32,policy:d32");
    for (unsigned state = 0; state <= 20; state++) {
        struct kl_event event = {"6.5.0", KEV_CLASS_THREAD, state, "THREAD", NULL};
        kl_check(&event, &list);
    }
}

static void check_line(const char *release, unsigned class_, unsigned event, const uint32_t *words,
                       size_t count, const char *class_name, const char *name, const char *args)
{
    struct kev_build b;
    kev_build_begin(&b, release, false);
    kev_build_words(&b, 0, class_, event, 1, words, count);
    struct kev_read r = kev_read_all(&b);
    cr_assert_eq(r.event_count, 1);
    cr_assert_str_eq(kev_read_class(&r, 0), class_name);
    cr_assert_str_eq(kev_read_name(&r, 0), name);
    cr_assert_str_eq(kev_read_args(&r, 0), args, "%s: %s", name, kev_read_args(&r, 0));
    kev_read_free(&r);
    kev_build_free(&b);
}

Test(kev_coverage, every_interrupted_call)
{
    for (unsigned call = 0; call < 100; call++) {
        if (call == 18) {
            continue; /* see below */
        }
        struct kev_build b;
        kev_build_begin(&b, "6.4.1", false);
        kev_build_event(&b, 0, KEV_CLASS_CALL, call, 1, 2, 7, 7);
        kev_build_event(&b, 0, KEV_CLASS_CALL, 256 + call, 2, 2, 0, 0);
        struct kev_read r = kev_read_all(&b);
        cr_assert_eq(r.event_count, 2);
        cr_assert_str_eq(kev_read_class(&r, 1), "INT_CALL");
        cr_assert_str_eq(kev_read_name(&r, 1), kev_read_name(&r, 0));
        cr_assert_eq(r.events[1].kind, TT_KIND_INTERRUPTED);
        cr_assert_str_eq(kev_read_args(&r, 1), "[d0=0x00000000] [d1=0x00000000]");
        kev_read_free(&r);
        kev_build_free(&b);
    }
    /* 8.0 does not define this number. */
    check_line("8.0.0", KEV_CLASS_CALL, 18, (uint32_t[]){1, 2}, 2, "KER_CALL", "CALL_18",
               "d0=0x00000001 d1=0x00000002");
    check_line("6.4.1", KEV_CLASS_CALL, 256 + 18, (uint32_t[]){0, 0}, 2, "INT_CALL",
               "MSG_READWRITEV", "[d0=0x00000000] [d1=0x00000000]");
}

Test(kev_coverage, failed_calls_name_their_error)
{
    static const struct {
        uint32_t number;
        const char *args;
    } errors[] = {{2, "ret_val=-1 errno=2(ENOENT)"},
                  {260, "ret_val=-1 errno=260(ETIMEDOUT)"},
                  {312, "ret_val=-1 errno=312(ESRVRFAULT)"},
                  {9999, "ret_val=-1 errno=9999"}};
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        uint32_t words[2] = {UINT32_MAX, errors[i].number};
        check_line("7.1.0", KEV_CLASS_CALL, 128 + 11, words, 2, "KER_EXIT", "MSG_SENDV",
                   errors[i].args);
        check_line("7.1.0", KEV_CLASS_CALL, 512 + 128 + 11, words, 2, "KER_EXIT", "MSG_SENDV",
                   errors[i].args);
        check_line("8.0.0", KEV_CLASS_CALL, 128 + 93, words, 2, "KER_EXIT", "MSG_QUEUE_OPEN",
                   errors[i].args);
    }
    /* An entry whose first argument is -1 did not fail. */
    check_line("6.4.1", KEV_CLASS_CALL, 47, (uint32_t[]){UINT32_MAX, 5}, 2, "KER_CALL",
               "THREAD_DESTROY", "tid=-1 status_p=0x5");
}

Test(kev_coverage, user_events_are_words_or_text)
{
    struct kev_build b;
    uint32_t text[16];
    kev_build_empty(&b, false);
    check_line("6.4.1", KEV_CLASS_USER, 111, (uint32_t[]){1, 11}, 2, "USER", "EVENT_111",
               "d0=0x00000001 d1=0x0000000b");
    check_line("7.1.0", KEV_CLASS_USER, 1023, (uint32_t[]){1, 2, 3}, 3, "USER", "EVENT_1023",
               "d0=0x00000001 d1=0x00000002 d2=0x00000003 d3=0x00000000");
    size_t count = kev_build_text_words(&b, "Hello world", text, 16);
    check_line("7.1.0", KEV_CLASS_USER, 555, text, count, "USER", "EVENT_555",
               "text=\"Hello world\"");
    count = kev_build_text_words(&b, "frame 1", text, 16);
    check_line("7.1.0", KEV_CLASS_USER, 5, text, count, "USER", "EVENT_5",
               "d0=0x6d617266(frame 1) d1=0x00312065");
    count = kev_build_text_words(&b, "abc", text, 16); /* may be a number */
    check_line("7.1.0", KEV_CLASS_USER, 5, text, count, "USER", "EVENT_5",
               "d0=0x00636261 d1=0x00000000");
    /* A text with control sequences is shown as words. */
    count = kev_build_text_words(&b, "red \033[31m!", text, 16);
    check_line("7.1.0", KEV_CLASS_USER, 0, text, count, "USER", "EVENT_0",
               "d0=0x20646572 d1=0x31335b1b d2=0x0000216d d3=0x00000000");
    kev_build_free(&b);
}

/* Unknown events of any class and length are shown raw, never dropped. */
Test(kev_coverage, unknown_events_are_shown_raw)
{
    uint32_t words[41];
    for (uint32_t i = 0; i < 41; i++) {
        words[i] = i + 1;
    }
    check_line("7.1.0", 12, 5, words, 2, "CLASS_12", "EVENT_5", "d0=0x00000001 d1=0x00000002");
    check_line("7.1.0", 31, 1023, words, 3, "CLASS_31", "EVENT_1023",
               "d0=0x00000001 d1=0x00000002 d2=0x00000003 d3=0x00000000");
    check_line("7.1.0", KEV_CLASS_QUIP, 77, words, 2, "QUIP", "EVENT_77",
               "d0=0x00000001 d1=0x00000002");
    check_line("7.1.0", KEV_CLASS_CONTROL, 999, words, 2, "CONTROL", "EVENT_999",
               "d0=0x00000001 d1=0x00000002");
    check_line("6.4.1", 13, 9, words, 2, "SYSTEM", "ADDRESS", "addr=0x00000001 null=0x00000002");
    check_line("7.1.0", KEV_CLASS_THREAD, 22, words, 2, "THREAD", "STATE_22",
               "d0=0x00000001 d1=0x00000002");
    /* Words after the list are shown too. */
    check_line("7.1.0", KEV_CLASS_COMM, 0, words, 4, "COMM", "SND_MESSAGE",
               "rcvid=0x00000001 pid=2 d2=0x00000003 d3=0x00000004");
    struct kev_build b;
    kev_build_begin(&b, "7.1.0", false);
    kev_build_words(&b, 1, 14, 3, 9, words, 41);
    struct kev_read r = kev_read_all(&b);
    cr_assert_eq(r.event_count, 1);
    cr_assert_eq(r.records, 21);
    cr_assert_not_null(strstr(kev_read_args(&r, 0), " d40=0x00000029"));
    cr_assert_eq(tt_health_count(r.capture, TT_HEALTH_UNKNOWN_EVENT), 1);
    cr_assert_not(tt_health_damaged(r.capture));
    kev_read_free(&r);
    kev_build_free(&b);
}

Test(kev_coverage, values_are_labelled)
{
    check_line("7.1.0", KEV_CLASS_THREAD, 1, (uint32_t[]){1, 2, 10, 2}, 4, "THREAD", "THRUNNING",
               "pid=1 tid=2 priority=10 policy=2(RR)");
    check_line("7.1.0", KEV_CLASS_SEC, 2, (uint32_t[]){1, 2, 3, 1, 0x61}, 5, "SEC", "PATH_ATTACH",
               "pid=1 ptype=2 ctype=3 status=1(NO_RULE) path=\"a\"");
    check_line("7.1.0", KEV_CLASS_SYSTEM, 14, (uint32_t[]){5, 0}, 2, "SYSTEM", "RUNSTATE",
               "bitset=0x00000005(ONLINE|DYNAMIC_OFFLINE) [d1=0x00000000]");
    check_line("6.4.1", KEV_CLASS_CALL, 11, (uint32_t[]){3, 0x64636261}, 2, "KER_CALL", "MSG_SENDV",
               "coid=0x00000003 msg[0]=0x64636261(abcd)");
}

Test(kev_coverage, numbers_of_states_and_calls_depend_on_the_release)
{
    static const uint32_t two[2] = {7, 9};
    check_line("6.4.1", KEV_CLASS_THREAD, 7, two, 2, "THREAD", "THSTACK", "pid=7 tid=9");
    check_line("8.0.0", KEV_CLASS_THREAD, 7, two, 2, "THREAD", "THMQ_SEND", "pid=7 tid=9");
    check_line("7.1.0", KEV_CLASS_THREAD, 27, two, 2, "VTHREAD", "VTHRUNNING", "pid=7 tid=9");
    check_line("8.0.0", KEV_CLASS_THREAD, 27, two, 2, "THREAD", "THTRACEBUFFER", "pid=7 tid=9");
    check_line("6.4.1", KEV_CLASS_CALL, 3, two, 2, "KER_CALL", "SPARE1",
               "[empty=0x00000007] [empty=0x00000009]");
    check_line("6.6.0", KEV_CLASS_CALL, 3, two, 2, "KER_CALL", "CACHE_FLUSH",
               "addr=0x00000007 nlines=0x00000009");
    check_line("8.0.0", KEV_CLASS_CALL, 3, two, 2, "KER_CALL", "CACHE_CONTROL",
               "d0=0x00000007 d1=0x00000009");
    check_line("8.0.0", KEV_CLASS_INTERRUPT, 7, two, 2, "INT", "INT_DELIVER",
               "intr_id=0x00000007 d1=0x00000009");
}

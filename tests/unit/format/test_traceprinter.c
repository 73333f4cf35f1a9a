/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of traceprinter that the listings do not have: other events, and the form of 7.x, 8.0. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kev_build.h"
#include "style/style.h"

static void check(struct kev_build *b, const char *style, const char *expected)
{
    struct kev_read r = kev_read_all(b);
    char *printed = kev_read_style(&r, style);
    const char *events = strstr(printed, " -- KERNEL EVENTS -- \n");
    cr_assert_not_null(events);
    events += strlen(" -- KERNEL EVENTS -- \n");
    cr_assert_str_eq(events, expected, "%s", events);
    free(printed);
    kev_read_free(&r);
    kev_build_free(b);
}

Test(kev_print, header_block)
{
    struct kev_build b;
    kev_build_empty(&b, false);
    kev_build_text(&b, "TRACE_HEADER_BEGIN::TRACE_FILE_NAME::a\033b.kevTRACE_LITTLE_ENDIAN::TRUE"
                       "TRACE_VERY_LONG_KEY_OF_A_USER::1TRACE_HEADER_END::");
    struct kev_read r = kev_read_all(&b);
    char *printed = kev_read_style(&r, "traceprinter");
    cr_assert_str_eq(printed,
                     "TRACEPRINTER version 1.02\n"
                     "TRACEPARSER LIBRARY version 1.02\n"
                     " -- HEADER FILE INFORMATION -- \n"
                     "       TRACE_FILE_NAME:: ab.kev\n"
                     "   TRACE_LITTLE_ENDIAN:: TRUE\n"
                     "TRACE_VERY_LONG_KEY_OF_A_USER:: 1\n"
                     " -- KERNEL EVENTS -- \n",
                     "%s", printed);
    free(printed);
    kev_read_free(&r);
    kev_build_free(&b);
}

Test(kev_print, lines_of_6_4)
{
    struct kev_build b;
    uint32_t words[32] = {0x100};
    kev_build_begin(&b, "6.4.1", false);
    kev_build_event(&b, 2, KB_THREAD, 1, 1, 6, 1, 2, 10, 2, 3, 0x20);
    kev_build_event(&b, 0, KB_THREAD, 26, 2, 2, 1, 2);
    kev_build_event(&b, 0, KB_THREAD, 64, 3, 2, 1, 2);
    kev_build_event(&b, 0, KB_CALL, 128 + 11, 4, 2, UINT32_MAX, 260);
    kev_build_event(&b, 0, KB_CALL, 256 + 11, 5, 2, 0, 0);
    kev_build_event(&b, 0, KB_CALL, 128 + 83, 6, 2, 0, 0);
    kev_build_event(&b, 0, KB_SYSTEM, 9, 7, 2, 0x1234, 0);
    words[1] = 2;
    size_t count = 2 + kev_build_text_words(&b, "disk\nfull", words + 2, 30);
    kev_build_words(&b, 0, KB_SYSTEM, 12, 8, words, count);
    kev_build_event(&b, 0, KB_SYSTEM, 7, 9, 5, 7, 0x1000, 1, 0x2000, 0);
    kev_build_event(&b, 0, KB_INT, 4, 10, 5, 3, 4, 0x40000001, 0x1234, 21u << 16 | 5);
    kev_build_event(&b, 0, 13, 10, 11, 2, 0x1000, 0x2000);
    kev_build_event(&b, 0, 12, 7, 12, 2, 1, 2);
    kev_build_event(&b, 0, KB_COMM, 8, 13, 2, 1, 2);
    check(&b, "traceprinter",
          "t:0x00000001 CPU:02 THREAD  :THRUNNING     pid:1 tid:2 priority:10 policy:2 "
          "partition:3 sched_flags:0x00000020\n"
          "t:0x00000002 CPU:00 VTHREAD :THDEAD        pid:1 tid:2\n"
          "t:0x00000003 CPU:00 PROCESS :PROCCREATE    ppid:1 pid:2\n"
          "t:0x00000004 CPU:00 KER_EXIT:MSG_SENDV/11 ret_val:-1, errno:260\n"
          "t:0x00000005 CPU:00 INT_CALL:KER_MSG_SENDV/11\n"
          "t:0x00000006 CPU:00 KER_EXIT:SYNC_CONDVAR_SIG/83 ret_val:0 empty:0x00000000\n"
          "t:0x00000007 CPU:00 SYSTEM  :ADDRESS addr:0x00001234\n"
          "t:0x00000008 CPU:00 SYSTEM  :SLOG\n"
          "                    opcode:256\n"
          "                  severity:2\n"
          "                   message:disk\\nfull\n"
          "t:0x00000009 CPU:00 SYSTEM  :MUNMAP         \n"
          "                       pid:7\n"
          "                     vaddr:0x100001000\n"
          "                       len:0x2000\n"
          "t:0x0000000a CPU:00 INT_HANDLER_EXIT:0x00000003 (3) "
          "SIGEVENT:PULSE 0x40000001:21 0x5:0x1234\n"
          "t:0x0000000b CPU:00 SYSTEM  :FUNC_ENTER thisfn:0x00001000 call_site:0x00002000\n"
          "t:0x0000000c CPU:00 CLASS_12:EVENT_7       d0:0x00000001 d1:0x00000002\n"
          "t:0x0000000d CPU:00 COMM    :SND_PULSE_QUN scoid:0x00000001 pid:2\n");
}

/* Names, types and numbers of arguments that are 6.4's printer's own. */
Test(kev_print, arguments_of_6_4)
{
    struct kev_build b;
    uint32_t words[40] = {7, 0x1000, 1, 0x2000, 0, 0x10001, 3, 4, 0, 0, 0x800, 0};
    kev_build_begin(&b, "6.4.1", false);
    size_t count = 12 + kev_build_text_words(&b, "libc.so", words + 12, 28);
    kev_build_words(&b, 0, KB_SYSTEM, 6, 1, words, count);
    uint32_t named[8] = {7, 0x1000, 0x2000};
    count = 3 + kev_build_text_words(&b, "map", named + 3, 5);
    kev_build_words(&b, 0, KB_SYSTEM, 8, 2, named, count);
    kev_build_event(&b, 0, KB_SYSTEM, 4, 3, 3, 1, 20, 100);
    kev_build_event(&b, 0, KB_COMM, 9, 4, 10, 17, 0, 0, 0x1001, 5, 6, 7, 8, 9, 10);
    kev_build_event(&b, 0, KB_COMM, 9, 5, 2, 17, 1);
    kev_build_event(&b, 0, KB_COMM, 11, 6, 2, 1, 2);
    uint32_t partition[2] = {1};
    kev_build_text_words(&b, "abc", partition + 1, 1);
    kev_build_words(&b, 0, KB_SYSTEM, 3, 7, partition, 2);
    kev_build_event(&b, 0, KB_THREAD, 50, 8, 2, 1, 2);
    kev_build_event(&b, 0, KB_CALL, 99, 9, 2, 0, 0);
    kev_build_event(&b, 0, KB_CALL, 128 + 99, 10, 2, 0, 0);
    kev_build_event(&b, 0, KB_CALL, 128 + 11, 11, 4, UINT32_MAX, 0x64636261, 0, 0);
    check(&b, "traceprinter",
          "t:0x00000001 CPU:00 SYSTEM  :MMAP           \n"
          "                       pid:7\n"
          "                     vaddr:0x100001000\n"
          "                       len:0x2000\n"
          "                     flags:0x00010001\n"
          "                      prot:0x00000003\n"
          "                        fd:4\n"
          "                     align:0x0\n"
          "                    offset:0x800\n"
          "                      path:libc.so\n"
          "t:0x00000002 CPU:00 SYSTEM  :MAPNAME        \n"
          "                       pid:7\n"
          "                     vaddr:0x00001000\n"
          "                       len:0x00002000\n"
          "                      name:map\n"
          "t:0x00000003 CPU:00 SYSTEM  :APS_NEW_BUDGET \n"
          "              partition_id:1\n"
          "         percentage_budget:20\n"
          "           critical_budget:100\n"
          "t:0x00000004 CPU:00 COMM    :SIGNAL       \n"
          "                  si_signo:17\n"
          "                   si_code:0\n"
          "                  si_errno:0\n"
          "                  __pad[0]:0x00001001\n"
          "                  __pad[1]:0x00000005\n"
          "                  __pad[2]:0x00000006\n"
          "                  __pad[3]:0x00000007\n"
          "                  __pad[4]:0x00000008\n"
          "                  __pad[5]:0x00000009\n"
          "t:0x00000005 CPU:00 COMM    :SIGNAL        si_signo:17 si_code:1\n"
          "t:0x00000006 CPU:00 COMM    :MSG_ERROR tid:1 pid:2\n"
          "t:0x00000007 CPU:00 SYSTEM  :APS_NAME        partition_id:1 name:abc\n"
          "t:0x00000008 CPU:00 VTHREAD :VTHCREATE     pid:1 tid:2\n"
          "t:0x00000009 CPU:00 KER_CALL:NET_SPARE2/99 empty:0x00000000 empty:0x00000000\n"
          "t:0x0000000a CPU:00 KER_EXIT:NET_SPARE2/99 empty:0x00000000 empty:0x00000000\n"
          "t:0x0000000b CPU:00 KER_EXIT:MSG_SENDV/11\n"
          "                    status:-1\n"
          "                      rmsg:\"abcd\" (0x64636261 0x00000000 0x00000000)\n");
}

/* Texts of messages go four characters at a time. */
Test(kev_print, message_texts_by_chunks)
{
    static const struct {
        char bytes[13];
        const char *text;
    } texts[] = {
        {"abcdefghijkl", "abcdefghijkl"}, {"abcdab\0\0abcd", "abcdab"},
        {"abcd\0\0\0\0abcd", "abcd"},     {"a\0\1\2efghijkl", "a"},
        {"ab\1\0efghijkl", ""},           {"abcde\x80gh", "abcd"},
        {"\0\0\0\0abcdefgh", ""},         {"ab\ndefgh\0\0\0\0", "ab\\ndefgh"},
    };
    for (int big = 0; big < 2; big++) {
        for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
            struct kev_build b;
            uint32_t words[6] = {1, 2, 3};
            kev_build_begin(&b, "6.4.1", big);
            for (int byte = 0; byte < 12; byte++) {
                words[3 + byte / 4] |= (uint32_t)(uint8_t)texts[i].bytes[byte]
                                       << 8 * (big ? 3 - byte % 4 : byte % 4);
            }
            kev_build_words(&b, 0, KB_CALL, 11, 1, words, 6);
            struct kev_read r = kev_read_all(&b);
            char expected[64];
            snprintf(expected, sizeof expected, " msg:\"%s\" (0x", texts[i].text);
            char *printed = kev_read_style(&r, "traceprinter");
            cr_assert_not_null(strstr(printed, expected), "%s: %s", expected, printed);
            free(printed);
            kev_read_free(&r);
            kev_build_free(&b);
        }
    }
}

/* struct sigevent: notify, signo or coid, value, then code and priority as shorts in memory. */
Test(kev_print, every_kind_of_sigevent)
{
    static const struct {
        uint32_t notify, id, value;
        uint16_t code, priority;
        const char *text;
    } events[] = {
        {0, 0, 0, 0, 0, "NONE"},
        {1, 17, 5, 3, 2, "SIGNAL 17"},
        {2, 17, 5, 3, 2, "SIGNAL_CODE 17 0x3:0x5"},
        {3, 17, 0, 0, 2, "SIGNAL_THREAD 17 0:0"},
        {4, 0x40000001, 0x1234, 5, 21, "PULSE 0x40000001:21 0x5:0x1234"},
        {0x104, 2, 0, 0xfff5, 0xffff, "PULSE 0x2:-1 0xfffffff5:0 CRITICAL"},
        {5, 1, 2, 3, 4, "UNBLOCK"},
        {6, 1, 2, 3, 4, "INTR"},
        {7, 1, 0xbeef, 3, 4, "THREAD 3:beef"},
        {0x1004, 2, 3, 4, 5, "PULSE 0x2:5 0x4:0x3"},
        {0x14, 1, 2, 3, 4, "UNKNOWN(0x14)"},
    };
    for (int big = 0; big < 2; big++) {
        for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
            struct kev_build b;
            uint32_t code = events[i].code, priority = events[i].priority;
            kev_build_begin(&b, "6.4.1", big);
            kev_build_event(&b, 0, KB_INT, 4, 1, 5, 3, events[i].notify, events[i].id,
                            events[i].value, big ? code << 16 | priority : priority << 16 | code);
            struct kev_read r = kev_read_all(&b);
            char expected[128];
            snprintf(expected, sizeof expected, "vector=0x00000003 SIGEVENT=\"%s\" [d5=0x00000000]",
                     events[i].text);
            cr_assert_str_eq(kev_read_args(&r, 0), expected);
            char *printed = kev_read_style(&r, "traceprinter");
            snprintf(expected, sizeof expected, " SIGEVENT:%s\n", events[i].text);
            cr_assert_not_null(strstr(printed, expected), "%s: %s", expected, printed);
            free(printed);
            kev_read_free(&r);
            kev_build_free(&b);
        }
    }
}

Test(kev_print, lines_of_7_and_8)
{
    struct kev_build b;
    uint32_t words[16];
    kev_build_begin(&b, "8.0.0", false);
    kev_build_time(&b, 0, 0, 1);
    kev_build_buffer(&b, 0, 1, 1, 20);
    kev_build_event(&b, 1, KB_THREAD, 1, 0x100, 2, 100, 2);
    kev_build_event(&b, 0, KB_INT, 7, 2, 2, 0x1c, 0);
    size_t count = kev_build_text_words(&b, "go there", words, 16);
    kev_build_words(&b, 0, KB_USER, 20, 3, words, count);
    kev_build_event(&b, 0, KB_CALL, 11, 4, 6, 1, 2, 3, 0x64636261, 0, 0);
    kev_build_event(&b, 0, 10, 0, 5, 2, 0x80001000u, 0xff);
    kev_build_event(&b, 0, KB_CONTROL, 4, 6, 2, 0xe6e6e6e6u, 0xe6e6e6e6u);
    check(&b, "traceprinter7",
          "t:0x100000000 CPU:00 CONTROL         :TIME               msb:0x00000001 "
          "lsb(offset):0x00000000\n"
          "t:0x100000001 CPU:00 CONTROL         :BUFFER             sequence = 1, num_events = 20\n"
          "\n"
          "t:0x100000100 CPU:01 THREAD          :THRUNNING          pid:100 tid:2\n"
          "t:0x100000002 CPU:00 INTERRUPT       :INT_DELIVER       intr_id:0x1c(28)\n"
          "t:0x100000003 CPU:00 USREVENT        :EVENT:20           STR:\"go there\", "
          "d0:0x74206f67 d1:0x65726568 d2:0x00000000 d3:0x00000000\n"
          "t:0x100000004 CPU:00 KER_CALL        :MSG_SENDV/11      \n"
          "                      coid:0x00000001\n"
          "                    sparts:2\n"
          "                    rparts:3\n"
          "                    msg[0]:\"abcd\" (0x64636261 0x00000000 0x00000000)\n"
          "t:0x100000005 CPU:00 QVM             :GUEST_ENTER        guest_ip:0xff80001000\n"
          "t:0x100000006 CPU:00 CONTROL         :BUFFER_END         cookie1 = e6e6e6e6, "
          "cookie2 = e6e6e6e6\n");
}

/* Texts of a capture never reach the terminal unescaped. */
Test(kev_print, texts_are_escaped)
{
    struct kev_build b;
    uint32_t words[16];
    kev_build_begin(&b, "7.1.0", false);
    size_t count = kev_build_text_words(&b, "\033]0;owned\a", words, 16);
    kev_build_words(&b, 0, KB_USER, 1, 1, words, count);
    kev_build_named(&b, 0, 192, 2, 1, 2, "evil\033[2J\xff");
    struct kev_read r = kev_read_all(&b);
    for (int i = 0; i < 2; i++) {
        char *printed = kev_read_style(&r, i == 0 ? "traceprinter" : "traceprinter7");
        for (const char *ch = printed; *ch; ch++) {
            cr_assert(*ch == '\n' || (*ch >= ' ' && *ch <= '~'));
        }
        /* 6.4's printer leaves out a text with a byte that cannot be printed. */
        cr_assert_not_null(strstr(printed, i == 0 ? "STR:\"\"" : "\\e]0;owned\\x07"), "%s",
                           printed);
        cr_assert_not_null(strstr(printed, i == 0 ? "name:\n" : "name:evil\\e[2J"), "%s", printed);
        free(printed);
    }
    kev_read_free(&r);
    kev_build_free(&b);
}

static bool only_user(void *arg, const struct tt_event *event)
{
    (void)arg;
    return event->kind == TT_KIND_USER;
}

static bool count_and_stop(void *arg, const char *bytes, size_t length)
{
    (void)bytes;
    (void)length;
    unsigned *calls = arg;
    return ++*calls < 3;
}

/* Prints wanted events only, and stops when the reader closes. */
Test(kev_print, selected_events_and_a_closed_pipe)
{
    struct kev_build b;
    kev_build_begin(&b, "7.1.0", false);
    for (uint32_t i = 0; i < 50000; i++) {
        kev_build_event(&b, 0, i % 2 ? KB_USER : KB_COMM, 1, i, 2, 1, 1);
    }
    struct kev_read r = kev_read_all(&b);
    unsigned calls = 0;
    struct tt_sink sink = {.write = count_and_stop, .arg = &calls};
    struct tt_status status =
        tt_style_find(r.capture->format, "traceprinter")->print(r.capture, &sink, only_user, NULL);
    cr_assert_eq(status.code, TT_OK);
    cr_assert_eq(calls, 3);
    kev_read_free(&r);
    kev_build_free(&b);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of traceprinter that the listings do not have: other events, and the form of 7.x, 8.0. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "kev_build.h"

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
          "t:0x00000002 CPU:00 VTHREAD :VTHDEAD       pid:1 tid:2\n"
          "t:0x00000003 CPU:00 PROCESS :PROCCREATE    ppid:1 pid:2\n"
          "t:0x00000004 CPU:00 KER_EXIT:MSG_SENDV/11 ret_val:-1, errno:260\n"
          "t:0x00000005 CPU:00 INT_CALL:KER_MSG_SENDV/11\n"
          "t:0x00000006 CPU:00 KER_EXIT:SYNC_CONDVAR_SIG/83 ret_val:0 empty:0x00000000\n"
          "t:0x00000007 CPU:00 SYSTEM  :ADDRESS addr:0x00001234 null:0x00000000\n"
          "t:0x00000008 CPU:00 SYSTEM  :SLOG\n"
          "                    opcode:0x00000100\n"
          "                  severity:2\n"
          "                   message:disk\\nfull\n"
          "t:0x00000009 CPU:00 SYSTEM  :MUNMAP         \n"
          "                       pid:7\n"
          "                      addr:0x100001000\n"
          "                       len:0x2000\n"
          "t:0x0000000a CPU:00 INT_HANDLER_EXIT:0x00000003 (3) "
          "SIGEVENT:PULSE 1073741825:21 5:0x00001234\n"
          "t:0x0000000b CPU:00 SYSTEM  :FUNC_ENTER thisfn:0x00001000 call_site:0x00002000\n"
          "t:0x0000000c CPU:00 CLASS_12:EVENT_7       d0:0x00000001 d1:0x00000002\n"
          "t:0x0000000d CPU:00 COMM    :SND_PULSE_QUN scoid:0x00000001 pid:2\n");
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
          "                    msg[0]:\"\" (0x64636261 0x00000000 0x00000000)\n"
          "t:0x100000005 CPU:00 QVM             :GUEST_ENTER        guest_ip:0xff80001000\n"
          "t:0x100000006 CPU:00 CONTROL         :BUFFER_END         cookie1 = e6e6e6e6, "
          "cookie2 = e6e6e6e6\n");
}

/* What a capture says never drives a terminal. */
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
        cr_assert_not_null(strstr(printed, "\\e]0;owned\\x07"));
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

/* Only what is wanted; and a reader that has enough ends it. */
Test(kev_print, wanted_events_and_a_closed_pipe)
{
    struct kev_build b;
    kev_build_begin(&b, "7.1.0", false);
    for (uint32_t i = 0; i < 50000; i++) {
        kev_build_event(&b, 0, i % 2 ? KB_USER : KB_COMM, 1, i, 2, 1, 1);
    }
    struct kev_read r = kev_read_all(&b);
    unsigned calls = 0;
    struct tt_status status =
        r.capture->format->styles[0].print(r.capture, only_user, count_and_stop, &calls);
    cr_assert_eq(status.code, TT_OK);
    cr_assert_eq(calls, 3);
    kev_read_free(&r);
    kev_build_free(&b);
}

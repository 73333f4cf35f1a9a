// SPDX-License-Identifier: Apache-2.0
//
// The arguments of QNX kernel calls: see kev_calls.h. Where the guide has no fast form of a
// 64-bit call, the wide form is written in both modes.

#include "kev_calls.h"

#include "sim.h"

#include <stddef.h>

#define RETURNS                                                                                    \
    {                                                                                              \
        "a.", "a.", NULL, NULL                                                                     \
    }

const struct kev_call kev_calls[SIM_CALLS] = {
    [SIM_C_TRACE_EVENT] = {1, {"..", "..", NULL, NULL}, RETURNS},
    [SIM_C_MSG_SENDV] = {11, {"ad", "abcdef", "ad", "aBCdef"}, {"ab", "abcd", "A", "Abcd"}},
    [SIM_C_MSG_RECEIVEV] = {14,
                            {"ab", "ab", "aB", "aB"},
                            {"ab", "abcd..efghijklmn.", "ab", "abcd..efghiJKLmn.."}},
    [SIM_C_MSG_REPLYV] = {15, {"ac", "abcdef", "aBCdef", "aBCdef"}, RETURNS},
    [SIM_C_MSG_ERROR] = {13, {"ab", "ab", NULL, NULL}, RETURNS},
    [SIM_C_THREAD_SLAY] = {47, {"ac", "abc", "abC", "abC"}, RETURNS},
    [SIM_C_MSG_READV] = {16, {"ad", "abcd", "a.", "aBCD"}, {"ab", "abcd", "A", "Abcd"}},
    [SIM_C_MSG_SEND_PULSE] = {20, {"ac", "abcd", NULL, NULL}, RETURNS},
    [SIM_C_SIGNAL_KILL] = {26, {"bd", "abcdef", NULL, NULL}, RETURNS},
    [SIM_C_SIGNAL_WAITINFO] = {32, {"ab", "ab", NULL, NULL}, {"ab", "aab........", NULL, NULL}},
    [SIM_C_CONNECT_ATTACH] = {39, {"ab", "abcde", NULL, NULL}, RETURNS},
    [SIM_C_THREAD_CREATE] = {46,
                             {"bc", "abcde..gff............", "B", "aBCd.E::gff..::::"},
                             {"ab", "ab", NULL, NULL}},
    [SIM_C_THREAD_DESTROY] = {47, {"ac", "abc", "abC", "abC"}, RETURNS},
    [SIM_C_THREAD_JOIN] = {50, {"ab", "ab", "aB", "aB"}, {"ab", "ab", "aB", "aB"}},
    [SIM_C_INTERRUPT_WAIT] = {58, {"ab", "abc", NULL, NULL}, {"a.", "a.", "aB", "aB"}},
    [SIM_C_TIMER_TIMEOUT] = {75, {"bc", "abcd....", "bc", "abcd..:::"}, {"ab", "abc", NULL, NULL}},
    [SIM_C_MUTEX_LOCK] = {80, {"ac", "abc", "A", "Abc"}, RETURNS},
    [SIM_C_MUTEX_UNLOCK] = {81, {"ac", "abc", "A", "Abc"}, RETURNS},
    [SIM_C_CONDVAR_WAIT] = {82, {"ab", "abcdef", "A", "ABcdef"}, RETURNS},
    [SIM_C_BARRIER_WAIT] = {82, {"ab", "abcdef", "A", "ABcdef"}, RETURNS},
    [SIM_C_CONDVAR_SIGNAL] = {83, {"ab", "abcd", "A", "Abcd"}, RETURNS},
    [SIM_C_SEM_POST] = {84, {"ab", "abc", "A", "Abc"}, RETURNS},
    [SIM_C_SEM_WAIT] = {85, {"ac", "abcd", "A", "Abcd"}, RETURNS},
    [SIM_C_SCHED_SET] = {89, {"ad", "abcddklmnop--", "ad", "abcddklMNOP"}, RETURNS},
    [SIM_C_SCHED_YIELD] = {90, {"..", "..", NULL, NULL}, RETURNS},
    [SIM_C_CLOCK_TIME] = {65, {"ab", "abc", NULL, NULL}, {"ab", "abc", NULL, NULL}},
    [SIM_C_QUEUE_SEND] = {-1, {NULL, NULL, NULL, NULL}, {NULL, NULL, NULL, NULL}},
    [SIM_C_QUEUE_RECEIVE] = {-1, {NULL, NULL, NULL, NULL}, {NULL, NULL, NULL, NULL}},
};

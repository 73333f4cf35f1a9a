/* SPDX-License-Identifier: Apache-2.0 */
/* kev_arg_rules: the arguments of QNX events that refer to processes and threads. */
#include "format/kev/kev_internal.h"

/* clang-format off */
const struct tt_arg_rule kev_arg_rules[] = {
    {"COMM",     NULL,    "pid",         TT_ARG_PROCESS,     NULL},
    {"COMM",     NULL,    "tid",         TT_ARG_THREAD,      "pid"},
    {"THREAD",   NULL,    "pid",         TT_ARG_PROCESS,     NULL},
    {"THREAD",   NULL,    "tid",         TT_ARG_THREAD,      "pid"},
    {"VTHREAD",  NULL,    "pid",         TT_ARG_PROCESS,     NULL},
    {"VTHREAD",  NULL,    "tid",         TT_ARG_THREAD,      "pid"},
    {"PROCESS",  NULL,    "pid",         TT_ARG_PROCESS,     NULL},
    {"PROCESS",  NULL,    "ppid",        TT_ARG_PROCESS,     NULL},
    {"PROCESS",  NULL,    "tid",         TT_ARG_THREAD,      "pid"},
    {"SYSTEM",   NULL,    "pid",         TT_ARG_PROCESS,     NULL},
    {"SYSTEM",   NULL,    "tid",         TT_ARG_THREAD,      "pid"},
    {"SEC",      NULL,    "pid",         TT_ARG_PROCESS,     NULL},
    {"INT",      NULL,    "PID",         TT_ARG_PROCESS,     NULL},
    {"KER_CALL", "SYNC_*", "owner",       TT_ARG_OWNER,       NULL},
    {"KER_CALL", "SYNC_*", "sync->owner", TT_ARG_OWNER,       NULL},
    {"KER_CALL", "SYNC_*", "mutex->owner", TT_ARG_OWNER,      NULL},
    {"KER_CALL", "MSG_*", "coid",        TT_ARG_PEER,        NULL},
    {"KER_CALL", "MSG_REPLYV", "rcvid",  TT_ARG_PEER,        NULL},
    {"KER_CALL", "MSG_ERROR", "rcvid",   TT_ARG_PEER,        NULL},
    {"KER_CALL", NULL,    "pid",         TT_ARG_OWN_PROCESS, NULL},
    {"KER_CALL", NULL,    "tid",         TT_ARG_THREAD,      "pid"},
    {"KER_EXIT", "THREAD_CREATE", "thread_id", TT_ARG_THREAD, NULL},
    {"KER_EXIT", NULL,    "info->pid",   TT_ARG_PROCESS,     NULL},
    {"KER_EXIT", NULL,    "info->tid",   TT_ARG_THREAD,      "info->pid"},
    {"INT",      "INT_HANDLER_*", "IP",  TT_ARG_CODE,        "PID"},
    {"INT",      NULL,    "IP",          TT_ARG_CODE,        NULL},
    {"SYSTEM",   NULL,    "ip",          TT_ARG_CODE,        "pid"},
    {"SYSTEM",   NULL,    "thisfn",      TT_ARG_CODE,        NULL},
    {"SYSTEM",   NULL,    "call_site",   TT_ARG_CODE,        NULL},
    {"QVM",      NULL,    "guest_ip",    TT_ARG_CODE,        NULL},
    {NULL,       NULL,    NULL,          TT_ARG_PLAIN,       NULL},
};
/* clang-format on */

/* Values of `owner` that are no thread (public headers of the 6.4 kernel, <sys/neutrino.h>). */
static const struct {
    uint32_t value;
    const char *text;
} owner_texts[] = {
    {0x00000000, "free"},      {0xffffffff, "initializer"},
    {0xfffffffe, "destroyed"}, {0xfffffffd, "named semaphore"},
    {0xfffffffc, "semaphore"}, {0xfffffffb, "condition variable"},
    {0xfffffffa, "spin lock"}, {0xffffff00, "owner died"},
};

#define OWNER_SPECIAL  0xffffff00u /* this and greater values are no thread */
#define PID_INDEX_MASK 0xfffu

/*
 * Finds the thread that holds a mutex. `owner` has the low 12 bits of the pid above the tid (public
 * headers of the 6.4 kernel); bit 31: there are waiters. The caller's own process comes first.
 */
uint32_t kev_arg_owner(const struct tt_capture *capture, const struct tt_event *event,
                       uint64_t value, const char **special)
{
    uint32_t owner = (uint32_t)value, found = TT_NO_THREAD;
    uint32_t tid = owner & 0xffffu, index = owner >> 16 & PID_INDEX_MASK;
    uint64_t when = capture->lanes_by_time ? event->ticks : event->pos;
    *special = NULL;
    for (size_t i = 0; i < sizeof owner_texts / sizeof owner_texts[0]; i++) {
        *special = owner_texts[i].value == owner ? owner_texts[i].text : *special;
    }
    if (owner == 0 || owner >= OWNER_SPECIAL || event->thread >= tt_thread_count(capture)) {
        return TT_NO_THREAD;
    }
    uint64_t own = tt_process_at(capture, tt_thread_at(capture, event->thread)->process)->pid;
    if ((own & PID_INDEX_MASK) == index) {
        return tt_registry_find_thread(capture, own, tid, when);
    }
    for (uint32_t i = 0; i < tt_process_count(capture); i++) {
        uint64_t pid = tt_process_at(capture, i)->pid;
        uint32_t thread =
            (pid & PID_INDEX_MASK) == index && tt_process_at(capture, i)->space == capture->space
                ? tt_registry_find_thread(capture, pid, tid, when)
                : TT_NO_THREAD;
        if (thread != TT_NO_THREAD && found != TT_NO_THREAD && thread != found) {
            return TT_NO_THREAD; /* ambiguous */
        }
        found = thread != TT_NO_THREAD ? thread : found;
    }
    return found;
}

uint32_t kev_owner_of_action(uint32_t owner)
{
    return owner == 0 || owner >= OWNER_SPECIAL ? TT_NO_THREAD
                                                : owner & (PID_INDEX_MASK << 16 | 0xffffu);
}

bool kev_is_owner(const struct tt_capture *capture, uint32_t thread, uint32_t owner)
{
    const struct tt_thread *t = tt_thread_at(capture, thread);
    uint64_t pid = tt_process_at(capture, t->process)->pid;
    return owner == ((pid & PID_INDEX_MASK) << 16 | (t->tid & 0xffffu));
}

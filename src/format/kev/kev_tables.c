/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_tables: the events of all classes except kernel calls, the thread states, and the class and
 * kind of a code. Sources: "System Analysis Toolkit User's Guide", appendix B; sys/trace.h and
 * sys/states.h of 6.4 to 8.0 for the numbers and names that it omits. NULL instead of arguments: no
 * published layout.
 */
#include <stddef.h>

#include "format/kev/kev_tables_notation.h"

static const struct kev_layout control_events[] = {
    {1, "TIME", FIELDS(H("msb"), H("lsb(offset)"))},
    {2, "BUFFER", FIELDS(D("sequence"), D("num_events"))},
    {4, "BUFFER_END", FIELDS(H("cookie1"), H("cookie2"))},
    {8, "DROPPED", NULL},
};

/* Names are traceprinter's labels. 5 and 6 are the 64-bit forms of 7.x; 8.0 has only 7. */
static const struct kev_layout interrupt_events[] = {
    {1, "INT_ENTR", FIELDS(H("vector"), H("IP"))},
    {2, "INT_EXIT", FIELDS(H("vector"), H("inkernel"))},
    {3, "INT_HANDLER_ENTR", FIELDS(D("PID"), H("vector"), H("IP"), H("AREA"))},
    {4, "INT_HANDLER_EXIT", FIELDS(H("vector"), SIG("SIGEVENT"))},
    {5, "INT_ENTR", FIELDS(H("vector"), PAD, X("IP"))},
    {6, "INT_HANDLER_ENTR", FIELDS(D("PID"), H("vector"), X("IP"), X("AREA"))},
    {7, "INT_DELIVER", FIELDS(H("intr_id"))},
};

/* The last two words are present only with the adaptive partitioning scheduler. */
#define THREAD_STATE                                                                               \
    FIELDS(D("pid"), D("tid"), WD("priority"), WD("policy"), WD("partition"), WH("sched_flags"))

static const struct kev_layout threads_6_7[] = {
    {0, "THDEAD", THREAD_STATE},        {1, "THRUNNING", THREAD_STATE},
    {2, "THREADY", THREAD_STATE},       {3, "THSTOPPED", THREAD_STATE},
    {4, "THSEND", THREAD_STATE},        {5, "THRECEIVE", THREAD_STATE},
    {6, "THREPLY", THREAD_STATE},       {7, "THSTACK", THREAD_STATE},
    {8, "THWAITTHREAD", THREAD_STATE},  {9, "THWAITPAGE", THREAD_STATE},
    {10, "THSIGSUSPEND", THREAD_STATE}, {11, "THSIGWAITINFO", THREAD_STATE},
    {12, "THNANOSLEEP", THREAD_STATE},  {13, "THMUTEX", THREAD_STATE},
    {14, "THCONDVAR", THREAD_STATE},    {15, "THJOIN", THREAD_STATE},
    {16, "THINTR", THREAD_STATE},       {17, "THSEM", THREAD_STATE},
    {18, "THWAITCTX", THREAD_STATE},    {19, "THNET_SEND", THREAD_STATE},
    {20, "THNET_REPLY", THREAD_STATE},  {24, "THCREATE", THREAD_STATE},
    {25, "THDESTROY", THREAD_STATE},
};

/* Threads of other nodes (6.x, 7.x): number 26 and up. */
static const struct kev_layout virtual_threads[] = {
    {26, "VTHDEAD", FIELDS(D("pid"), D("tid"))},
    {27, "VTHRUNNING", FIELDS(D("pid"), D("tid"))},
    {28, "VTHREADY", FIELDS(D("pid"), D("tid"))},
    {29, "VTHSTOPPED", FIELDS(D("pid"), D("tid"))},
    {30, "VTHSEND", FIELDS(D("pid"), D("tid"))},
    {31, "VTHRECEIVE", FIELDS(D("pid"), D("tid"))},
    {32, "VTHREPLY", FIELDS(D("pid"), D("tid"))},
    {33, "VTHSTACK", FIELDS(D("pid"), D("tid"))},
    {34, "VTHWAITTHREAD", FIELDS(D("pid"), D("tid"))},
    {35, "VTHWAITPAGE", FIELDS(D("pid"), D("tid"))},
    {36, "VTHSIGSUSPEND", FIELDS(D("pid"), D("tid"))},
    {37, "VTHSIGWAITINFO", FIELDS(D("pid"), D("tid"))},
    {38, "VTHNANOSLEEP", FIELDS(D("pid"), D("tid"))},
    {39, "VTHMUTEX", FIELDS(D("pid"), D("tid"))},
    {40, "VTHCONDVAR", FIELDS(D("pid"), D("tid"))},
    {41, "VTHJOIN", FIELDS(D("pid"), D("tid"))},
    {42, "VTHINTR", FIELDS(D("pid"), D("tid"))},
    {43, "VTHSEM", FIELDS(D("pid"), D("tid"))},
    {44, "VTHWAITCTX", FIELDS(D("pid"), D("tid"))},
    {45, "VTHNET_SEND", FIELDS(D("pid"), D("tid"))},
    {46, "VTHNET_REPLY", FIELDS(D("pid"), D("tid"))},
    {50, "VTHCREATE", FIELDS(D("pid"), D("tid"))},
    {51, "VTHDESTROY", FIELDS(D("pid"), D("tid"))},
};

static const struct kev_layout threads_8[] = {
    {0, "THDEAD", THREAD_STATE},
    {1, "THRUNNING", THREAD_STATE},
    {2, "THREADY", THREAD_STATE},
    {3, "THSTOPPED", THREAD_STATE},
    {4, "THSEND", THREAD_STATE},
    {5, "THRECEIVE", THREAD_STATE},
    {6, "THREPLY", THREAD_STATE},
    {7, "THMQ_SEND", THREAD_STATE},
    {8, "THMQ_RECEIVE", THREAD_STATE},
    {9, "THWAITPAGE", THREAD_STATE},
    {10, "THSIGSUSPEND", THREAD_STATE},
    {11, "THSIGWAITINFO", THREAD_STATE},
    {12, "THNANOSLEEP", THREAD_STATE},
    {13, "THMUTEX", THREAD_STATE},
    {14, "THCONDVAR", THREAD_STATE},
    {15, "THJOIN", THREAD_STATE},
    {16, "THINTR", THREAD_STATE},
    {17, "THSEM", THREAD_STATE},
    {18, "THWAITCTX", THREAD_STATE},
    {19, "THRWLOCK_READ", THREAD_STATE},
    {20, "THRWLOCK_WRITE", THREAD_STATE},
    {21, "THBARRIER", THREAD_STATE},
    {22, "THPIPE", THREAD_STATE},
    {24, "THCREATE", THREAD_STATE},
    {25, "THDESTROY", THREAD_STATE},
    {26, "THMUON_MUTEX", THREAD_STATE},
    {27, "THTRACEBUFFER", THREAD_STATE},
    {28, "THINTR_ATTACH_EV", THREAD_STATE},
    {29, "THTIMER_DELEGATE", THREAD_STATE},
    {30, "THSEND_NOTIFY", THREAD_STATE},
};

static const struct kev_layout process_events[] = {
    {64, "PROCCREATE", FIELDS(D("ppid"), D("pid"))},
    {128, "PROCDESTROY", FIELDS(D("ppid"), D("pid"))},
    {192, "PROCCREATE_NAME", FIELDS(D("ppid"), D("pid"), N("name"))},
    {256, "PROCDESTROY_NAME", FIELDS(D("ppid"), D("pid"), N("name"))},
    {320, "PROCTHREAD_NAME", FIELDS(D("pid"), D("tid"), N("name"))},
};

static const struct kev_layout system_events[] = {
    {2, "PATHMGR_OPEN", FIELDS(D("pid"), D("tid"), N("path"))},
    {3, "APS_NAME", FIELDS(D("partition_id"), N("name"))},
    {4, "APS_NEW_BUDGET", FIELDS(D("partition_id"), D("percent"), D("critical_ms"))},
    {5, "APS_BANKRUPTCY", FIELDS(D("pid"), D("tid"), D("partition_id"))},
    {6, "MMAP",
     FIELDS(D("pid"), X("addr"), X("len"), H("flags"), WH("prot"), WD("fd"), WX("align"),
            WX("offset"), WN("name"))},
    {7, "MUNMAP", FIELDS(D("pid"), X("addr"), X("len"))},
    {8, "MAPNAME", FIELDS(D("pid"), H("addr"), H("len"), N("name"))},
    {9, "ADDRESS", FIELDS(H("addr"), H("null"))},
    {10, "FUNC_ENTER", FIELDS(H("thisfn"), H("call_site"))},
    {11, "FUNC_EXIT", FIELDS(H("thisfn"), H("call_site"))},
    {12, "SLOG", FIELDS(H("opcode"), D("severity"), N("message"))},
    {13, "COMPACTION", FIELDS(D("block_size"))},
    {14, "RUNSTATE", FIELDS(H("bitset"))},
    {15, "POWER", FIELDS(H("bitset"), D("mode"))},
    {16, "IPI", FIELDS(H("ipicmd"), H("ip"), D("tid"), D("pid"))},
    {17, "PAGEWAIT",
     FIELDS(D("pid"), D("tid"), H("ip"), H("vaddr"), WH("fault_type"), WH("mmap_flags"),
            WX("object_offset"), WN("object_name"))},
    {18, "TIMER", FIELDS(D("pid"), D("tid"), D("timer_id"), H("flags"))},
    {19, "DEFRAG_END", FIELDS(D("rc"), D("freemem"), D("maxblock"))},
    {20, "PROFILE", FIELDS(H("ip"), D("tid"), D("pid"))},
    {21, "MAPNAME", FIELDS(D("pid"), X("addr"), X("len"), N("name"))},
    {22, "APS_PSTATS", NULL},
    {23, "APS_OSTATS", NULL},
    {24, "APS_INFO", NULL},
    {25, "APS_JOIN", NULL},
    {26, "APS_THREAD", NULL},
    {27, "APS_PROCESS", NULL},
    {28, "SCHED_CONF", NULL},
    {29, "IST_ATTACH", NULL},
    {30, "IST_DETACH", NULL},
    {31, "PCTRACE", NULL},
    {32, "SEND_IPI", NULL},
    {521, "ADDRESS", FIELDS(X("addr"))},
    {522, "FUNC_ENTER", FIELDS(X("thisfn"), X("call_site"))},
    {523, "FUNC_EXIT", FIELDS(X("thisfn"), X("call_site"))},
    {528, "IPI", FIELDS(WH("ipicmd"), WPAD, WX("ip"), WD("tid"), WD("pid"))},
    {532, "PROFILE", FIELDS(X("ip"), D("tid"), D("pid"))},
    {544, "SEND_IPI", NULL},
};

static const struct kev_layout comm_events[] = {
    {0, "SND_MESSAGE", FIELDS(H("rcvid"), D("pid"))},
    {1, "SND_PULSE", FIELDS(H("scoid"), D("pid"))},
    {2, "REC_MESSAGE", FIELDS(H("rcvid"), D("pid"))},
    {3, "REC_PULSE", FIELDS(H("scoid"), D("pid"))},
    {4, "SND_PULSE_EXE", FIELDS(H("scoid"), D("pid"))},
    {5, "SND_PULSE_DIS", FIELDS(H("scoid"), D("pid"))},
    {6, "SND_PULSE_DEA", FIELDS(H("scoid"), D("pid"))},
    {7, "SND_PULSE_UN", FIELDS(H("scoid"), D("pid"))},
    {8, "SND_PULSE_QUN", FIELDS(H("scoid"), D("pid"))},
    {9, "SIGNAL",
     FIELDS(D("si_signo"), D("si_code"), WD("si_errno"), WD("__data.__pad[0]"),
            WD("__data.__pad[1]"), WD("__data.__pad[2]"), WD("__data.__pad[3]"),
            WD("__data.__pad[4]"), WD("__data.__pad[5]"), WD("__data.__pad[6]"))},
    {10, "REPLY_MESSAGE", FIELDS(D("tid"), D("pid"))},
    {11, "MSG_ERROR", FIELDS(D("tid"), D("pid"))},
};

static const struct kev_layout sec_events[] = {
    {0, "ABLE", FIELDS(D("pid"), D("able"), H("flags"), D("type_id"), X("start"), X("end"))},
    {1, "ABLE_LOOKUP", FIELDS(D("able"), N("name"))},
    {2, "PATH_ATTACH", FIELDS(D("pid"), D("ptype"), D("ctype"), D("status"), N("path"))},
    {3, "QNET_CONNECT", FIELDS(D("nd"), D("pid"), D("ptype"), D("ctype"), D("status"))},
    {4, "PERM_LOOKUP", NULL},
    {5, "PERM_TEST", NULL},
    {6, "UNREG_EVENT", NULL},
    {7, "OPEN_EVENT", NULL},
};

static const struct kev_layout qvm_events[] = {
    {0, "GUEST_ENTER", FIELDS(X("guest_ip"))},
    {1, "GUEST_EXIT",
     FIELDS(H("status"), H("hw_reason"), X("clockcycles_offset"), X("guest_ip"), X("payload"))},
    {2, "CREATE_VCPU_THREAD", NULL},
    {3, "RAISE_INTR", NULL},
    {4, "LOWER_INTR", NULL},
    {5, "TIMER_CREATE", NULL},
    {6, "TIMER_FIRE", NULL},
    {7, "CYCLES", FIELDS(X("at_entry"), X("at_exit"))},
};

static const struct kev_layout pmu_events[] = {
    {0, "EVENT_TYPE", NULL},
    {1, "EVENT_COUNTER", NULL},
};

#define TABLE(rows) rows, sizeof rows / sizeof rows[0]

static const struct class_table {
    const struct kev_layout *rows;
    size_t count;
    uint8_t class_;
    uint8_t first; /* enum kev_release, both included */
    uint8_t last;
} class_tables[] = {
    {TABLE(control_events), KEV_CLASS_CONTROL, KEV_6_4, KEV_8},
    {TABLE(interrupt_events), KEV_CLASS_INTERRUPT, KEV_6_4, KEV_8},
    {TABLE(threads_6_7), KEV_CLASS_THREAD, KEV_6_4, KEV_7},
    {TABLE(virtual_threads), KEV_CLASS_THREAD, KEV_6_4, KEV_7},
    {TABLE(threads_8), KEV_CLASS_THREAD, KEV_8, KEV_8},
    {TABLE(process_events), KEV_CLASS_THREAD, KEV_6_4, KEV_8},
    {TABLE(system_events), KEV_CLASS_SYSTEM, KEV_6_4, KEV_8},
    {TABLE(comm_events), KEV_CLASS_COMM, KEV_6_4, KEV_8},
    {TABLE(sec_events), KEV_CLASS_SEC, KEV_6_4, KEV_8},
    {TABLE(qvm_events), KEV_CLASS_QVM, KEV_6_4, KEV_8},
    {TABLE(pmu_events), KEV_CLASS_PMU, KEV_6_4, KEV_8},
};

void kev_tables_fill(const struct kev_layout **layouts, enum kev_release release)
{
    for (size_t i = 0; i < sizeof class_tables / sizeof class_tables[0]; i++) {
        const struct class_table *table = &class_tables[i];
        if (release < (enum kev_release)table->first || release > (enum kev_release)table->last) {
            continue;
        }
        for (size_t row = 0; row < table->count; row++) {
            layouts[(uint32_t)table->class_ << 10 | table->rows[row].event] = &table->rows[row];
        }
    }

    const struct kev_layout **calls = layouts + (KEV_CLASS_CALL << 10);
    for (const struct kev_call *call = kev_calls; call->layout.name; call++) {
        if (release >= (enum kev_release)call->first && release <= (enum kev_release)call->last) {
            calls[call->layout.event] = &call->layout;
        }
    }
    /* A 64-bit form without a row of its own has the layout of the 32-bit form. */
    for (uint32_t event = 0; event < KEV_BROKEN_OFF && release >= KEV_7; event++) {
        if (!calls[event | KEV_64_BIT]) {
            calls[event | KEV_64_BIT] = calls[event];
        }
    }

    /* The C library of 6.4 uses a class of its own for these three. */
    for (uint32_t event = 9; event <= 11; event++) {
        layouts[KEV_CLASS_SYSTEM_6_4 << 10 | event] = layouts[KEV_CLASS_SYSTEM << 10 | event];
    }
}

/* ---- thread states ------------------------------------------------------------------------ */

/*
 * Columns: name, class, flags, kind of the wake that ends it, kind of object. A SEND ends when the
 * server receives. In the states that end a job a thread waits for its next activation; in all
 * others it waits for something it needs.
 */
#define ENDS  TT_STATE_ENDS_JOB
#define REPLY TT_STATE_AWAITS_REPLY
/* clang-format off */
const struct tt_state_info kev_states[] = {
    {"unknown", TT_CLASS_UNKNOWN, 0, 0, 0, NULL},
    {"DEAD", TT_CLASS_DEAD, 0, 0, 0, NULL},
    {"RUNNING", TT_CLASS_RUNNING, 0, 0, 0, NULL},
    {"READY", TT_CLASS_READY, 0, 0, 0, NULL},
    {"STOPPED", TT_CLASS_STOPPED, 0, 0, 0, NULL},
    {"SEND", TT_CLASS_IPC, REPLY, TT_WAKE_MESSAGE, 0, NULL},
    {"RECEIVE", TT_CLASS_IPC, ENDS, TT_WAKE_MESSAGE, 0, NULL},
    {"REPLY", TT_CLASS_IPC, REPLY, TT_WAKE_REPLY, 0, NULL},
    {"STACK", TT_CLASS_WAIT, 0, 0, 0, NULL},
    {"WAITTHREAD", TT_CLASS_WAIT, 0, TT_WAKE_CREATE, 0, NULL},
    {"WAITPAGE", TT_CLASS_WAIT, 0, TT_WAKE_PAGE, 0, NULL},
    {"SIGSUSPEND", TT_CLASS_WAIT, ENDS, TT_WAKE_SIGNAL, 0, NULL},
    {"SIGWAITINFO", TT_CLASS_WAIT, ENDS, TT_WAKE_SIGNAL, 0, NULL},
    {"NANOSLEEP", TT_CLASS_SLEEP, ENDS, 0, 0, NULL},
    {"MUTEX", TT_CLASS_LOCK, 0, TT_WAKE_UNLOCK, TT_OBJECT_MUTEX, NULL},
    {"CONDVAR", TT_CLASS_CONDITION, ENDS, TT_WAKE_CONDVAR, TT_OBJECT_CONDVAR, NULL},
    {"JOIN", TT_CLASS_WAIT, 0, TT_WAKE_EXIT, 0, NULL},
    {"INTR", TT_CLASS_WAIT, ENDS, 0, 0, NULL},
    {"SEM", TT_CLASS_CONDITION, ENDS, TT_WAKE_POST, TT_OBJECT_SEMAPHORE, NULL},
    {"WAITCTX", TT_CLASS_WAIT, 0, 0, 0, NULL},
    {"NET_SEND", TT_CLASS_IPC, REPLY, 0, 0, NULL},
    {"NET_REPLY", TT_CLASS_IPC, REPLY, 0, 0, NULL},
    {"MQ_SEND", TT_CLASS_IPC, 0, TT_WAKE_QUEUE, TT_OBJECT_QUEUE, NULL},
    {"MQ_RECEIVE", TT_CLASS_IPC, ENDS, TT_WAKE_QUEUE, TT_OBJECT_QUEUE, NULL},
    {"RWLOCK_READ", TT_CLASS_LOCK, 0, TT_WAKE_UNLOCK, TT_OBJECT_RWLOCK, NULL},
    {"RWLOCK_WRITE", TT_CLASS_LOCK, 0, TT_WAKE_UNLOCK, TT_OBJECT_RWLOCK, NULL},
    {"BARRIER", TT_CLASS_CONDITION, ENDS, TT_WAKE_BARRIER, TT_OBJECT_BARRIER, NULL},
    {"PIPE", TT_CLASS_IPC, 0, 0, 0, NULL},
    {"MUON_MUTEX", TT_CLASS_LOCK, 0, TT_WAKE_UNLOCK, 0, NULL},
    {"TRACEBUFFER", TT_CLASS_WAIT, 0, 0, 0, NULL},
    {"INTR_ATTACH_EV", TT_CLASS_WAIT, 0, 0, 0, NULL},
    {"TIMER_DELEGATE", TT_CLASS_SLEEP, 0, 0, 0, NULL},
    {"SEND_NOTIFY", TT_CLASS_IPC, 0, 0, 0, NULL},
};
/* clang-format on */
#undef ENDS
#undef REPLY

_Static_assert(sizeof kev_states / sizeof kev_states[0] == KEV_STATE_COUNT, "states counted");

/* Index of kev_states by event number of the thread class. */
static const uint8_t states_6_7[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                     12, 13, 14, 15, 16, 17, 18, 19, 20, 21};
static const uint8_t states_8[] = {1,  2,  3,  4,  5,  6,  7,  22, 23, 10, 11, 12, 13, 14, 15, 16,
                                   17, 18, 19, 24, 25, 26, 27, 0,  0,  0,  28, 29, 30, 31, 32};

uint16_t kev_state_of(enum kev_release release, uint32_t event)
{
    if (release == KEV_8) {
        return event < sizeof states_8 ? states_8[event] : 0;
    }
    return event < sizeof states_6_7 ? states_6_7[event] : 0;
}

/* ---- classes and kinds -------------------------------------------------------------------- */

static const char *call_class_name(uint32_t event)
{
    uint32_t number = event & ~KEV_64_BIT;
    if (number < KEV_EXIT) {
        return "KER_CALL";
    }
    return number < KEV_BROKEN_OFF ? "KER_EXIT" : "INT_CALL";
}

/*
 * Thread, virtual thread and process events share a class. Virtual threads are 26 to 51 in 6.x and
 * 7.x and absent in 8.0, so process events start at 64 in every release.
 */
static const char *thread_class_name(enum kev_release release, uint32_t event)
{
    if (event >= 64) {
        return "PROCESS";
    }
    return release != KEV_8 && event >= 26 && event < 52 ? "VTHREAD" : "THREAD";
}

const char *kev_class_name(enum kev_release release, uint32_t code)
{
    static const char *const names[] = {
        [KEV_CLASS_EMPTY] = "EMPTY",       [KEV_CLASS_CONTROL] = "CONTROL",
        [KEV_CLASS_INTERRUPT] = "INT",     [KEV_CLASS_SYSTEM] = "SYSTEM",
        [KEV_CLASS_USER] = "USER",         [KEV_CLASS_COMM] = "COMM",
        [KEV_CLASS_QUIP] = "QUIP",         [KEV_CLASS_SEC] = "SEC",
        [KEV_CLASS_QVM] = "QVM",           [KEV_CLASS_PMU] = "PMU",
        [KEV_CLASS_SYSTEM_6_4] = "SYSTEM",
    };
    uint32_t class_ = kev_class_of(code);
    uint32_t event = code & KEV_EVENT_MASK;
    switch (class_) {
    case KEV_CLASS_CALL:
        return call_class_name(event);
    case KEV_CLASS_THREAD:
        return thread_class_name(release, event);
    case KEV_CLASS_SYSTEM_6_4:
        return event >= 9 && event <= 11 ? names[class_] : NULL;
    default:
        return class_ < sizeof names / sizeof names[0] ? names[class_] : NULL;
    }
}

/* Exceptions from the kind of the class. */
static const struct event_kind {
    uint16_t code;
    uint8_t kind;
} event_kinds[] = {
    {KEV_CLASS_INTERRUPT << 10 | 1, TT_KIND_INTERRUPT_ENTER},
    {KEV_CLASS_INTERRUPT << 10 | 2, TT_KIND_INTERRUPT_EXIT},
    {KEV_CLASS_INTERRUPT << 10 | 3, TT_KIND_INTERRUPT_ENTER},
    {KEV_CLASS_INTERRUPT << 10 | 4, TT_KIND_INTERRUPT_EXIT},
    {KEV_CLASS_INTERRUPT << 10 | 5, TT_KIND_INTERRUPT_ENTER},
    {KEV_CLASS_INTERRUPT << 10 | 6, TT_KIND_INTERRUPT_ENTER},
    {KEV_CLASS_THREAD << 10 | 24, TT_KIND_LIFETIME},
    {KEV_CLASS_THREAD << 10 | 25, TT_KIND_LIFETIME},
    {KEV_CLASS_SYSTEM << 10 | 10, TT_KIND_BEGIN},
    {KEV_CLASS_SYSTEM << 10 | 11, TT_KIND_END},
    {KEV_CLASS_SYSTEM << 10 | 12, TT_KIND_LOG},
    {KEV_CLASS_SYSTEM << 10 | 20, TT_KIND_SAMPLE},
    {KEV_CLASS_SYSTEM << 10 | 522, TT_KIND_BEGIN},
    {KEV_CLASS_SYSTEM << 10 | 523, TT_KIND_END},
    {KEV_CLASS_SYSTEM << 10 | 532, TT_KIND_SAMPLE},
    {KEV_CLASS_SYSTEM_6_4 << 10 | 10, TT_KIND_BEGIN},
    {KEV_CLASS_SYSTEM_6_4 << 10 | 11, TT_KIND_END},
    {KEV_CLASS_COMM << 10 | 9, TT_KIND_EVENT},
};

unsigned kev_kind_of(uint32_t code)
{
    for (size_t i = 0; i < sizeof event_kinds / sizeof event_kinds[0]; i++) {
        if (event_kinds[i].code == code) {
            return event_kinds[i].kind;
        }
    }
    uint32_t number = code & KEV_EVENT_MASK & ~KEV_64_BIT;
    switch (kev_class_of(code)) {
    case KEV_CLASS_CONTROL:
        return TT_KIND_CONTROL;
    case KEV_CLASS_CALL:
        return number < KEV_EXIT         ? TT_KIND_ENTER
               : number < KEV_BROKEN_OFF ? TT_KIND_EXIT
                                         : TT_KIND_INTERRUPTED;
    case KEV_CLASS_THREAD:
        return (code & KEV_EVENT_MASK) >= 64 ? TT_KIND_LIFETIME : TT_KIND_STATE;
    case KEV_CLASS_USER:
        return TT_KIND_USER;
    case KEV_CLASS_COMM:
        return TT_KIND_MESSAGE;
    default:
        return TT_KIND_EVENT;
    }
}

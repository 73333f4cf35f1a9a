/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fxt_tables_records: every record of the format as data: its fields, its atoms in order, its
 * effect. Order, bit ranges and names follow Fuchsia Trace Format, "Record Types" (profiler and
 * large records: its newer text). Where two writers differ, `other` has the second layout, chosen
 * by the record's size.
 */
#include "format/fxt/fxt_record.h"

#define NOWHERE 0, 0, 0
#define HEADER  0
#define FORMAT  1
#define END                                                                                        \
    {                                                                                              \
        TT_FXT_OP_END, 0, NOWHERE, 0, NULL, NULL                                                   \
    }
#define HIDDEN TT_FXT_HIDE, NULL, NULL

#define LABELS(list)                                                                               \
    {                                                                                              \
        list, sizeof(list) / sizeof((list)[0])                                                     \
    }

static const char *const state_names[] = {"new",     "running", "suspended",
                                          "blocked", "dying",   "dead"};
static const struct tt_fxt_labels states = LABELS(state_names);

static const char *const scope_names[] = {"thread", "process", "global"};
static const struct tt_fxt_labels scopes = LABELS(scope_names);

static const char *const provider_event_names[] = {"buffer filled up"};
static const struct tt_fxt_labels provider_events = LABELS(provider_event_names);

static const char *const blob_names[] = {NULL, "data", "last branch", "perfetto"};
static const struct tt_fxt_labels blobs = LABELS(blob_names);

/* clang-format off */
static const char *const object_names[] = {
    [0] = "none",
    [1] = "process",
    [2] = "thread",
    [3] = "vmo",
    [4] = "channel",
    [5] = "event",
    [6] = "port",
    [9] = "interrupt",
    [11] = "pci device",
    [12] = "log",
    [14] = "socket",
    [15] = "resource",
    [16] = "eventpair",
    [17] = "job",
    [18] = "vmar",
    [19] = "fifo",
    [20] = "guest",
    [21] = "vcpu",
    [22] = "timer",
};
/* clang-format on */
static const struct tt_fxt_labels objects = LABELS(object_names);

/* ---- metadata, initialization, string, thread ------------------------------------------- */

static const struct tt_fxt_atom no_atoms[] = {END};

static const struct tt_fxt_atom provider_info_atoms[] = {
    {TT_FXT_OP_STREAM, TT_FXT_STREAM, HEADER, 52, 8, TT_ARG_STRING, "name", NULL},
    END,
};
static const struct tt_fxt_field provider_fields[] = {
    {"provider", NULL, HEADER, 20, 32, TT_ARG_U64},
    {NULL, NULL, NOWHERE, 0},
};
static const struct tt_fxt_field provider_event_fields[] = {
    {"provider", NULL, HEADER, 20, 32, TT_ARG_U64},
    {"provider_event", &provider_events, HEADER, 52, 4, TT_ARG_U64},
    {NULL, NULL, NOWHERE, 0},
};

static const struct tt_fxt_layout metadata[] = {
    [1] = {"definition", "provider_info", provider_info_atoms, NULL, provider_fields,
           UINT64_C(0xf) << 60, 1, TT_KIND_DEFINITION, TT_FXT_DOES_PROVIDER_INFO, TT_FXT_OP_END,
           false},
    [2] = {"definition", "provider_section", no_atoms, NULL, provider_fields, UINT64_C(0xfff) << 52,
           2, TT_KIND_DEFINITION, TT_FXT_DOES_PROVIDER_SECTION, TT_FXT_OP_END, false},
    [3] = {"definition", "provider_event", no_atoms, NULL, provider_event_fields,
           UINT64_C(0xff) << 56, 3, TT_KIND_DEFINITION, TT_FXT_DOES_PROVIDER_EVENT, TT_FXT_OP_END,
           false},
    [4] = {"definition", "magic", no_atoms, NULL, NULL, UINT64_C(0xff) << 56, 4, TT_KIND_DEFINITION,
           TT_FXT_DOES_NOTHING, TT_FXT_OP_END, false},
};

/*
 * The optional words are the tick and the time (ns) of the start, as one known writer appends them.
 */
static const struct tt_fxt_atom init_atoms[] = {
    {TT_FXT_OP_WORD, TT_FXT_A, NOWHERE, TT_ARG_U64, "ticks_per_second", NULL},
    {TT_FXT_OP_OPTIONAL, TT_FXT_B, NOWHERE, TT_ARG_U64, "base_tick", NULL},
    {TT_FXT_OP_OPTIONAL, TT_FXT_C, NOWHERE, TT_ARG_I64, "base_time", NULL},
    END,
};
/* clang-format off */
static const struct tt_fxt_layout init[] = {
    {"definition", "init", init_atoms, NULL, NULL, UINT64_C(0xffffffffffff) << 16, 5, TT_KIND_DEFINITION, TT_FXT_DOES_INIT, TT_FXT_OP_END, false},
};
/* clang-format on */

static const struct tt_fxt_atom string_atoms[] = {
    {TT_FXT_OP_STREAM, TT_FXT_STREAM, HEADER, 32, 15, TT_ARG_STRING, "value", NULL},
    END,
};
static const struct tt_fxt_field string_fields[] = {
    {"index", NULL, HEADER, 16, 15, TT_ARG_U64},
    {NULL, NULL, NOWHERE, 0},
};
/* clang-format off */
static const struct tt_fxt_layout string[] = {
    {"definition", "string", string_atoms, NULL, string_fields, UINT64_C(0xffff800080000000), 6, TT_KIND_DEFINITION, TT_FXT_DOES_STRING, TT_FXT_OP_END, false},
};
/* clang-format on */

static const struct tt_fxt_atom thread_atoms[] = {
    {TT_FXT_OP_WORD, TT_FXT_A, NOWHERE, TT_ARG_KOID, "process", NULL},
    {TT_FXT_OP_WORD, TT_FXT_B, NOWHERE, TT_ARG_KOID, "thread", NULL},
    END,
};
static const struct tt_fxt_field thread_fields[] = {
    {"index", NULL, HEADER, 16, 8, TT_ARG_U64},
    {NULL, NULL, NOWHERE, 0},
};
/* clang-format off */
static const struct tt_fxt_layout thread[] = {
    {"definition", "thread", thread_atoms, NULL, thread_fields, UINT64_C(0xffffffffff) << 24, 7, TT_KIND_DEFINITION, TT_FXT_DOES_THREAD, TT_FXT_OP_END, false},
};
/* clang-format on */

/* ---- events ----------------------------------------------------------------------------- */

#define EVENT_ATOMS                                                                                \
    {TT_FXT_OP_TIME, TT_FXT_TIME, NOWHERE, HIDDEN},                                                \
        {TT_FXT_OP_THREAD, TT_FXT_THREAD, HEADER, 24, 8, HIDDEN},                                  \
        {TT_FXT_OP_TEXT, TT_FXT_CATEGORY, HEADER, 32, 16, HIDDEN},                                 \
        {TT_FXT_OP_TEXT, TT_FXT_NAME, HEADER, 48, 16, HIDDEN},                                     \
    {                                                                                              \
        TT_FXT_OP_ARGS, TT_FXT_ARGS, HEADER, 20, 4, HIDDEN                                         \
    }

static const struct tt_fxt_atom event_atoms[] = {EVENT_ATOMS, END};
/* Known writers append a word with the scope of an instant. */
static const struct tt_fxt_atom instant_atoms[] = {
    EVENT_ATOMS,
    {TT_FXT_OP_OPTIONAL, TT_FXT_TAIL, NOWHERE, TT_ARG_U64, "scope", &scopes},
    END,
};
static const struct tt_fxt_atom id_atoms[] = {
    EVENT_ATOMS,
    {TT_FXT_OP_WORD, TT_FXT_TAIL, NOWHERE, TT_ARG_U64, "id", NULL},
    END,
};
static const struct tt_fxt_atom end_atoms[] = {
    EVENT_ATOMS,
    {TT_FXT_OP_WORD, TT_FXT_TAIL, NOWHERE, TT_ARG_U64, "end", NULL},
    END,
};

#define EVENT(number, atoms, kind, does, tail)                                                     \
    {                                                                                              \
        NULL, NULL, atoms, NULL, NULL, 0, number, kind, does, tail, true                           \
    }
#define UNKNOWN_EVENT                                                                              \
    EVENT(19, event_atoms, TT_KIND_EVENT, TT_FXT_DOES_UNKNOWN_EVENT, TT_FXT_OP_END)

const struct tt_fxt_layout tt_fxt_event_layouts[16] = {
    [0] = EVENT(8, instant_atoms, TT_KIND_INSTANT, TT_FXT_DOES_NOTHING, TT_FXT_OP_OPTIONAL),
    [1] = EVENT(9, id_atoms, TT_KIND_COUNTER, TT_FXT_DOES_COUNTER, TT_FXT_OP_WORD),
    [2] = EVENT(10, event_atoms, TT_KIND_BEGIN, TT_FXT_DOES_SLICE_BEGIN, TT_FXT_OP_END),
    [3] = EVENT(11, event_atoms, TT_KIND_END, TT_FXT_DOES_SLICE_END, TT_FXT_OP_END),
    [4] = EVENT(12, end_atoms, TT_KIND_COMPLETE, TT_FXT_DOES_SLICE, TT_FXT_OP_WORD),
    [5] = EVENT(13, id_atoms, TT_KIND_ASYNC_BEGIN, TT_FXT_DOES_ASYNC_BEGIN, TT_FXT_OP_WORD),
    [6] = EVENT(14, id_atoms, TT_KIND_ASYNC_INSTANT, TT_FXT_DOES_NOTHING, TT_FXT_OP_WORD),
    [7] = EVENT(15, id_atoms, TT_KIND_ASYNC_END, TT_FXT_DOES_ASYNC_END, TT_FXT_OP_WORD),
    [8] = EVENT(16, id_atoms, TT_KIND_FLOW_BEGIN, TT_FXT_DOES_FLOW_BEGIN, TT_FXT_OP_WORD),
    [9] = EVENT(17, id_atoms, TT_KIND_FLOW_STEP, TT_FXT_DOES_FLOW_STEP, TT_FXT_OP_WORD),
    [10] = EVENT(18, id_atoms, TT_KIND_FLOW_END, TT_FXT_DOES_FLOW_END, TT_FXT_OP_WORD),
    [11] = UNKNOWN_EVENT,
    [12] = UNKNOWN_EVENT,
    [13] = UNKNOWN_EVENT,
    [14] = UNKNOWN_EVENT,
    [15] = UNKNOWN_EVENT,
};

/* ---- blobs and objects ------------------------------------------------------------------ */

static const struct tt_fxt_atom blob_atoms[] = {
    {TT_FXT_OP_TEXT, TT_FXT_NAME, HEADER, 16, 16, TT_ARG_STRING, "name", NULL},
    {TT_FXT_OP_STREAM, TT_FXT_STREAM, HEADER, 32, 15, TT_ARG_BYTES, "payload", NULL},
    END,
};
static const struct tt_fxt_field blob_fields[] = {
    {"type", &blobs, HEADER, 48, 8, TT_ARG_U64},
    {"size", NULL, HEADER, 32, 15, TT_ARG_U64},
    {NULL, NULL, NOWHERE, 0},
};
/* clang-format off */
static const struct tt_fxt_layout blob[] = {
    {"definition", "blob", blob_atoms, NULL, blob_fields, UINT64_C(0xff00800000000000), 20, TT_KIND_DEFINITION, TT_FXT_DOES_NOTHING, TT_FXT_OP_END, false},
};
/* clang-format on */

#define OBJECT_ATOMS                                                                               \
    {TT_FXT_OP_TEXT, TT_FXT_NAME, HEADER, 24, 16, TT_ARG_STRING, "name", NULL},                    \
        {TT_FXT_OP_ARGS, TT_FXT_ARGS, HEADER, 40, 4, HIDDEN}, END

static const struct tt_fxt_atom user_object_atoms[] = {
    {TT_FXT_OP_WORD, TT_FXT_A, NOWHERE, TT_ARG_POINTER, "pointer", NULL},
    {TT_FXT_OP_PROCESS, TT_FXT_THREAD, HEADER, 16, 8, TT_ARG_KOID, "process", NULL},
    OBJECT_ATOMS,
};
/* Zircon's writer has process and thread where the format has the process only. */
static const struct tt_fxt_atom user_object_atoms_2[] = {
    {TT_FXT_OP_WORD, TT_FXT_A, NOWHERE, TT_ARG_POINTER, "pointer", NULL},
    {TT_FXT_OP_THREAD, TT_FXT_THREAD, HEADER, 16, 8, TT_ARG_KOID, "process", NULL},
    OBJECT_ATOMS,
};
static const struct tt_fxt_layout user_object[] = {
    {"definition", "userspace_object", user_object_atoms, user_object_atoms_2, NULL,
     UINT64_C(0xfffff) << 44, 21, TT_KIND_DEFINITION, TT_FXT_DOES_USER_OBJECT, TT_FXT_OP_END,
     false},
};

static const struct tt_fxt_atom kernel_object_atoms[] = {
    {TT_FXT_OP_WORD, TT_FXT_A, NOWHERE, TT_ARG_KOID, "koid", NULL},
    OBJECT_ATOMS,
};
static const struct tt_fxt_field kernel_object_fields[] = {
    {"type", &objects, HEADER, 16, 8, TT_ARG_U64},
    {NULL, NULL, NOWHERE, 0},
};
static const struct tt_fxt_layout kernel_object[] = {
    {"definition", "kernel_object", kernel_object_atoms, NULL, kernel_object_fields,
     UINT64_C(0xfffff) << 44, 22, TT_KIND_DEFINITION, TT_FXT_DOES_KERNEL_OBJECT, TT_FXT_OP_END,
     false},
};

const struct tt_fxt_labels *tt_fxt_object_types(void)
{
    return &objects;
}

/* ---- scheduling ------------------------------------------------------------------------- */

static const struct tt_fxt_atom legacy_switch_atoms[] = {
    {TT_FXT_OP_TIME, TT_FXT_TIME, NOWHERE, HIDDEN},
    {TT_FXT_OP_THREAD, TT_FXT_THREAD, HEADER, 28, 8, TT_ARG_KOID, "outgoing", NULL},
    {TT_FXT_OP_THREAD, TT_FXT_INCOMING, HEADER, 36, 8, TT_ARG_KOID, "incoming", NULL},
    END,
};
static const struct tt_fxt_field legacy_switch_fields[] = {
    {"outgoing_state", &states, HEADER, 24, 4, TT_ARG_U64},
    {"outgoing_priority", NULL, HEADER, 44, 8, TT_ARG_U64},
    {"incoming_priority", NULL, HEADER, 52, 8, TT_ARG_U64},
    {NULL, NULL, NOWHERE, 0},
};

static const struct tt_fxt_atom switch_atoms[] = {
    {TT_FXT_OP_TIME, TT_FXT_TIME, NOWHERE, HIDDEN},
    {TT_FXT_OP_WORD, TT_FXT_A, NOWHERE, TT_ARG_KOID, "outgoing", NULL},
    {TT_FXT_OP_WORD, TT_FXT_B, NOWHERE, TT_ARG_KOID, "incoming", NULL},
    {TT_FXT_OP_ARGS, TT_FXT_ARGS, HEADER, 16, 4, HIDDEN},
    END,
};
static const struct tt_fxt_field switch_fields[] = {
    {"outgoing_state", &states, HEADER, 36, 4, TT_ARG_U64},
    {NULL, NULL, NOWHERE, 0},
};

static const struct tt_fxt_atom wakeup_atoms[] = {
    {TT_FXT_OP_TIME, TT_FXT_TIME, NOWHERE, HIDDEN},
    {TT_FXT_OP_WORD, TT_FXT_A, NOWHERE, TT_ARG_KOID, "thread", NULL},
    {TT_FXT_OP_ARGS, TT_FXT_ARGS, HEADER, 16, 4, HIDDEN},
    END,
};

/* clang-format off */
const struct tt_fxt_layout tt_fxt_sched_layouts[3] = {
    [0] = {"sched", "context_switch", legacy_switch_atoms, NULL, legacy_switch_fields, 0, 23, TT_KIND_SWITCH, TT_FXT_DOES_SWITCH_LEGACY, TT_FXT_OP_END, true},
    [1] = {"sched", "context_switch", switch_atoms, NULL, switch_fields, UINT64_C(0xfffff) << 40, 24, TT_KIND_SWITCH, TT_FXT_DOES_SWITCH, TT_FXT_OP_END, true},
    [2] = {"sched", "thread_wakeup", wakeup_atoms, NULL, NULL, UINT64_C(0xffffff) << 36, 25, TT_KIND_WAKEUP, TT_FXT_DOES_WAKEUP, TT_FXT_OP_END, true},
};
/* clang-format on */

/* ---- log, profiler ---------------------------------------------------------------------- */

static const struct tt_fxt_atom log_atoms[] = {
    {TT_FXT_OP_TIME, TT_FXT_TIME, NOWHERE, HIDDEN},
    {TT_FXT_OP_THREAD, TT_FXT_THREAD, HEADER, 32, 8, HIDDEN},
    {TT_FXT_OP_STREAM, TT_FXT_STREAM, HEADER, 16, 15, TT_ARG_STRING, "message", NULL},
    END,
};
/* clang-format off */
static const struct tt_fxt_layout log_record[] = {
    {"log", "message", log_atoms, NULL, NULL, UINT64_C(0xffffff0080000000), 26, TT_KIND_LOG, TT_FXT_DOES_NOTHING, TT_FXT_OP_END, true},
};
/* clang-format on */

/* Two versions exist: inline process and thread, and the process only. */
#define MODULE_ATOMS(op)                                                                           \
    {TT_FXT_OP_TIME, TT_FXT_TIME, NOWHERE, HIDDEN}, {op, TT_FXT_THREAD, HEADER, 20, 8, HIDDEN},    \
        {TT_FXT_OP_STREAM, TT_FXT_STREAM, HEADER, 44, 8, TT_ARG_STRING, "name", NULL},             \
        {TT_FXT_OP_STREAM, TT_FXT_STREAM_2, HEADER, 52, 8, TT_ARG_BYTES, "build_id", NULL}, END
static const struct tt_fxt_atom module_atoms[] = {MODULE_ATOMS(TT_FXT_OP_THREAD)};
static const struct tt_fxt_atom module_atoms_2[] = {MODULE_ATOMS(TT_FXT_OP_PROCESS)};
static const struct tt_fxt_field module_fields[] = {
    {"module", NULL, HEADER, 28, 16, TT_ARG_U64},
    {NULL, NULL, NOWHERE, 0},
};

#define MMAP_ATOMS(op)                                                                             \
    {TT_FXT_OP_TIME, TT_FXT_TIME, NOWHERE, HIDDEN}, {op, TT_FXT_THREAD, HEADER, 20, 8, HIDDEN},    \
        {TT_FXT_OP_WORD, TT_FXT_A, NOWHERE, TT_ARG_POINTER, "start", NULL},                        \
        {TT_FXT_OP_WORD, TT_FXT_B, NOWHERE, TT_ARG_HEX, "range", NULL},                            \
        {TT_FXT_OP_WORD, TT_FXT_C, NOWHERE, TT_ARG_POINTER, "vaddr", NULL}, END
static const struct tt_fxt_atom mmap_atoms[] = {MMAP_ATOMS(TT_FXT_OP_THREAD)};
static const struct tt_fxt_atom mmap_atoms_2[] = {MMAP_ATOMS(TT_FXT_OP_PROCESS)};
static const struct tt_fxt_field mmap_fields[] = {
    {"module", NULL, HEADER, 28, 16, TT_ARG_U64},
    {"flags", NULL, HEADER, 44, 3, TT_ARG_HEX},
    {NULL, NULL, NOWHERE, 0},
};

static const struct tt_fxt_atom backtrace_atoms[] = {
    {TT_FXT_OP_TIME, TT_FXT_TIME, NOWHERE, HIDDEN},
    {TT_FXT_OP_THREAD, TT_FXT_THREAD, HEADER, 20, 8, HIDDEN},
    {TT_FXT_OP_WORDS, TT_FXT_STREAM, HEADER, 28, 8, TT_ARG_POINTER, "pc", NULL},
    END,
};

/* clang-format off */
static const struct tt_fxt_layout profiler[] = {
    [0] = {"profiler", "module", module_atoms, module_atoms_2, module_fields, UINT64_C(0xf) << 60, 27, TT_KIND_EVENT, TT_FXT_DOES_NOTHING, TT_FXT_OP_END, true},
    [1] = {"profiler", "mmap", mmap_atoms, mmap_atoms_2, mmap_fields, 0, 28, TT_KIND_EVENT, TT_FXT_DOES_NOTHING, TT_FXT_OP_END, true},
    [2] = {"profiler", "backtrace", backtrace_atoms, NULL, NULL, 0, 29, TT_KIND_SAMPLE, TT_FXT_DOES_NOTHING, TT_FXT_OP_END, true},
};
/* clang-format on */

/* ---- large ------------------------------------------------------------------------------ */

static const struct tt_fxt_atom large_timed_atoms[] = {
    {TT_FXT_OP_WORD, TT_FXT_FORMAT, NOWHERE, HIDDEN},
    {TT_FXT_OP_TEXT, TT_FXT_CATEGORY, FORMAT, 0, 16, HIDDEN},
    {TT_FXT_OP_TEXT, TT_FXT_NAME, FORMAT, 16, 16, HIDDEN},
    {TT_FXT_OP_TIME, TT_FXT_TIME, NOWHERE, HIDDEN},
    {TT_FXT_OP_THREAD, TT_FXT_THREAD, FORMAT, 36, 8, HIDDEN},
    {TT_FXT_OP_ARGS, TT_FXT_ARGS, FORMAT, 32, 4, HIDDEN},
    {TT_FXT_OP_SIZED, TT_FXT_STREAM, NOWHERE, TT_ARG_BYTES, "payload", NULL},
    END,
};
static const struct tt_fxt_atom large_untimed_atoms[] = {
    {TT_FXT_OP_WORD, TT_FXT_FORMAT, NOWHERE, HIDDEN},
    {TT_FXT_OP_TEXT, TT_FXT_CATEGORY, FORMAT, 0, 16, TT_ARG_STRING, "category", NULL},
    {TT_FXT_OP_TEXT, TT_FXT_NAME, FORMAT, 16, 16, TT_ARG_STRING, "name", NULL},
    {TT_FXT_OP_SIZED, TT_FXT_STREAM, NOWHERE, TT_ARG_BYTES, "payload", NULL},
    END,
};

/* By large type [36..39] and blob format [40..43]. */
/* clang-format off */
static const struct tt_fxt_layout large[] = {
    [0x00] = {NULL, NULL, large_timed_atoms, NULL, NULL, UINT64_C(0xfffff) << 44, 30, TT_KIND_BLOB, TT_FXT_DOES_NOTHING, TT_FXT_OP_END, true},
    [0x10] = {"definition", "large_blob", large_untimed_atoms, NULL, NULL, UINT64_C(0xfffff) << 44, 31, TT_KIND_DEFINITION, TT_FXT_DOES_NOTHING, TT_FXT_OP_END, false},
};
/* clang-format on */

/* ---- list of records -------------------------------------------------------------------- */

struct record_list {
    const struct tt_fxt_layout *layouts;
    uint32_t count;
    uint8_t lsb; /* first bit of the subtype; width 0: none */
    uint8_t width;
};

#define LIST(layouts, lsb, width)                                                                  \
    {                                                                                              \
        layouts, sizeof(layouts) / sizeof((layouts)[0]), lsb, width                                \
    }

static const struct record_list records[16] = {
    [0] = LIST(metadata, 16, 4),
    [1] = LIST(init, 0, 0),
    [2] = LIST(string, 0, 0),
    [3] = LIST(thread, 0, 0),
    [4] = LIST(tt_fxt_event_layouts, 16, 4),
    [5] = LIST(blob, 0, 0),
    [6] = LIST(user_object, 0, 0),
    [7] = LIST(kernel_object, 0, 0),
    [8] = LIST(tt_fxt_sched_layouts, 60, 4),
    [9] = LIST(log_record, 0, 0),
    [10] = LIST(profiler, 16, 4),
    [15] = LIST(large, 36, 8),
};

const struct tt_fxt_layout *tt_fxt_find_layout(uint64_t header)
{
    const struct record_list *list = &records[header & 15];
    uint64_t subtype = tt_fxt_bits(header, list->lsb, list->width);
    if (subtype >= list->count || !list->layouts[subtype].atoms) {
        return NULL;
    }
    const struct tt_fxt_layout *layout = &list->layouts[subtype];
    /* Trace info other than the magic number is undefined. */
    bool not_magic = layout->number == 4 && tt_fxt_bits(header, 20, 4) != 0;
    return not_magic ? NULL : layout;
}

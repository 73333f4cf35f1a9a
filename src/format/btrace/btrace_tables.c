/* SPDX-License-Identifier: Apache-2.0 */
/* btrace_tables: kernel categories: e32btrace.h, class BTrace, enum TCategory and the enums of the
 * categories. */
#include "format/btrace/btrace_tables.h"

#include <stddef.h>

#include "tracetui/event.h"

/* ERDebugPrintf, EKernPrintf, EPlatsecPrintf */
static const struct btrace_sub printf_subs[] = {
    {0, TT_KIND_LOG, false, "Printf", {{"thread", BF_RTHREAD}, {"text", BF_TEXT}}},
};

/* enum TThreadIdentification */
/* clang-format off */
static const struct btrace_sub thread_subs[] = {
    {0, TT_KIND_LIFETIME, false, "ENanoThreadCreate", {{"thread", BF_THREAD}}},
    {1, TT_KIND_LIFETIME, false, "ENanoThreadDestroy", {{"thread", BF_THREAD}}},
    {2, TT_KIND_LIFETIME, false, "EThreadCreate", {{"thread", BF_THREAD}, {"process", BF_PROCESS}, {"name", BF_TEXT}}},
    {3, TT_KIND_LIFETIME, false, "EThreadDestroy", {{"thread", BF_THREAD}, {"process", BF_PROCESS}, {"id", BF_U32}}},
    {4, TT_KIND_LIFETIME, false, "EThreadName", {{"thread", BF_THREAD}, {"process", BF_PROCESS}, {"name", BF_TEXT}}},
    {5, TT_KIND_LIFETIME, false, "EProcessName", {{"thread", BF_THREAD}, {"process", BF_PROCESS}, {"name", BF_TEXT}}},
    {6, TT_KIND_LIFETIME, false, "EThreadId", {{"thread", BF_THREAD}, {"process", BF_PROCESS}, {"id", BF_U32}}},
    {7, TT_KIND_LIFETIME, false, "EProcessCreate", {{"process", BF_PROCESS}}},
    {8, TT_KIND_LIFETIME, false, "EProcessDestroy", {{"process", BF_PROCESS}}},
};
/* clang-format on */

/* enum TCpuUsage. SMP kernels only write the vector. */
static const struct btrace_sub cpu_subs[] = {
    {0, TT_KIND_INTERRUPT_ENTER, false, "EIrqStart", {{"vector", BF_U32}}},
    {1, TT_KIND_INTERRUPT_EXIT, false, "EIrqEnd", {{0}}},
    {2, TT_KIND_INTERRUPT_ENTER, false, "EFiqStart", {{"vector", BF_U32}}},
    {3, TT_KIND_INTERRUPT_EXIT, false, "EFiqEnd", {{0}}},
    {4, TT_KIND_INTERRUPT_ENTER, false, "EIDFCStart", {{0}}},
    {5, TT_KIND_INTERRUPT_EXIT, false, "EIDFCEnd", {{0}}},
    {6, TT_KIND_SWITCH, false, "ENewThreadContext", {{0}}},
};

/* EKernPerfLog: sub-categories are defined by callers; fields: see btrace_fields_of. */
static const struct btrace_sub perf_log_subs[] = {
    {0, TT_KIND_USER, false, "PerfLog", {{"tick", BF_U32}}},
};

/* enum TClientServer. Before 9.3 the second word of EServerCreate is undefined. */
/* clang-format off */
static const struct btrace_sub client_server_subs[] = {
    {0, TT_KIND_LIFETIME, true, "EServerCreate", {{"server", BF_SERVER}, {"owner", BF_OWNER}, {"name", BF_TEXT}}},
    {1, TT_KIND_LIFETIME, false, "EServerDestroy", {{"server", BF_SERVER}}},
    {2, TT_KIND_LIFETIME, false, "ESessionAttach", {{"session", BF_SESSION}, {"server", BF_SERVER}, {"owner", BF_OWNER}}},
    {3, TT_KIND_LIFETIME, false, "ESessionDetach", {{"session", BF_SESSION}, {"reason", BF_I32}}},
    {4, TT_KIND_MESSAGE, false, "EMessageSend", {{"message", BF_ADDRESS}, {"function", BF_I32}, {"session", BF_SESSION}}},
    {5, TT_KIND_MESSAGE, false, "EMessageReceive", {{"message", BF_ADDRESS}}},
    {6, TT_KIND_MESSAGE, false, "EMessageComplete", {{"message", BF_ADDRESS}, {"result", BF_I32}}},
};
/* clang-format on */

/* enum TRequests */
/* clang-format off */
static const struct btrace_sub request_subs[] = {
    {0, TT_KIND_EVENT, false, "ERequestComplete", {{"thread", BF_THREAD}, {"status", BF_ADDRESS}, {"reason", BF_I32}}},
};
/* clang-format on */

/* enum TChunks */
/* clang-format off */
static const struct btrace_sub chunk_subs[] = {
    {0, TT_KIND_LIFETIME, true, "EChunkCreated", {{"chunk", BF_CHUNK}, {"max_size", BF_U32}, {"name", BF_TEXT}}},
    {1, TT_KIND_LIFETIME, false, "EChunkInfo", {{"chunk", BF_CHUNK}, {"type", BF_U32}, {"attributes", BF_HEX}}},
    {2, TT_KIND_LIFETIME, false, "EChunkDestroyed", {{"chunk", BF_CHUNK}}},
    {3, TT_KIND_COUNTER, false, "EChunkMemoryAllocated", {{"chunk", BF_CHUNK}, {"offset", BF_HEX}, {"size", BF_U32}}},
    {4, TT_KIND_COUNTER, false, "EChunkMemoryDeallocated", {{"chunk", BF_CHUNK}, {"offset", BF_HEX}, {"size", BF_U32}}},
    {5, TT_KIND_COUNTER, false, "EChunkMemoryAdded", {{"chunk", BF_CHUNK}, {"offset", BF_HEX}, {"size", BF_U32}}},
    {6, TT_KIND_COUNTER, false, "EChunkMemoryRemoved", {{"chunk", BF_CHUNK}, {"offset", BF_HEX}, {"size", BF_U32}}},
    {7, TT_KIND_LIFETIME, false, "EChunkOwner", {{"chunk", BF_CHUNK}, {"process", BF_PROCESS}}},
};
/* clang-format on */

/* enum TCodeSegs */
static const struct btrace_sub code_seg_subs[] = {
    {0, TT_KIND_LIFETIME, true, "ECodeSegCreated", {{"code_seg", BF_CODE_SEG}, {"file", BF_TEXT}}},
    {1,
     TT_KIND_LIFETIME,
     false,
     "ECodeSegInfo",
     {{"code_seg", BF_CODE_SEG},
      {"attributes", BF_HEX},
      {"text_base", BF_ADDRESS},
      {"text_size", BF_U32},
      {"rodata_base", BF_ADDRESS},
      {"rodata_size", BF_U32},
      {"data_base", BF_ADDRESS},
      {"data_size", BF_U32},
      {"bss_base", BF_ADDRESS},
      {"bss_size", BF_U32}}},
    {2, TT_KIND_LIFETIME, false, "ECodeSegDestroyed", {{"code_seg", BF_CODE_SEG}}},
    {3,
     TT_KIND_LIFETIME,
     false,
     "ECodeSegMapped",
     {{"code_seg", BF_CODE_SEG}, {"process", BF_PROCESS}}},
    {4,
     TT_KIND_LIFETIME,
     false,
     "ECodeSegUnmapped",
     {{"code_seg", BF_CODE_SEG}, {"process", BF_PROCESS}}},
    {5,
     TT_KIND_EVENT,
     false,
     "ECodeSegMemoryAllocated",
     {{"code_seg", BF_CODE_SEG}, {"size", BF_U32}}},
    {6,
     TT_KIND_EVENT,
     false,
     "ECodeSegMemoryDeallocated",
     {{"code_seg", BF_CODE_SEG}, {"size", BF_U32}}},
};

/* enum TThreadPriority */
/* clang-format off */
static const struct btrace_sub priority_subs[] = {
    {0, TT_KIND_EVENT, false, "ENThreadPriority", {{"thread", BF_THREAD}, {"priority", BF_I32}}},
    {1, TT_KIND_EVENT, false, "EDThreadPriority", {{"thread", BF_THREAD}, {"thread_priority", BF_I32}, {"default_priority", BF_I32}}},
    {2, TT_KIND_EVENT, false, "EProcessPriority", {{"process", BF_PROCESS}, {"priority", BF_I32}}},
};
/* clang-format on */

/* enum TKernelMemory */
/* clang-format off */
static const struct btrace_sub kernel_memory_subs[] = {
    {0, TT_KIND_COUNTER, false, "EKernelMemoryInitialFree", {{"bytes", BF_U32}}},
    {1, TT_KIND_COUNTER, false, "EKernelMemoryCurrentFree", {{"bytes", BF_U32}}},
    {2, TT_KIND_COUNTER, false, "EKernelMemoryMiscAlloc", {{"size", BF_U32}}},
    {3, TT_KIND_COUNTER, false, "EKernelMemoryMiscFree", {{"size", BF_U32}}},
    {4, TT_KIND_COUNTER, false, "EKernelMemoryDemandPagingCache", {{"min_size", BF_U32}}},
    {5, TT_KIND_COUNTER, false, "EKernelMemoryDrvPhysAlloc", {{"size", BF_U32}, {"physical", BF_ADDRESS}}},
    {6, TT_KIND_COUNTER, false, "EKernelMemoryDrvPhysFree", {{"size", BF_U32}, {"physical", BF_ADDRESS}}},
};
/* clang-format on */

/* enum THeap. Only the newest kernels write the sub-allocator. */
/* clang-format off */
static const struct btrace_sub heap_subs[] = {
    {0, TT_KIND_LIFETIME, false, "EHeapCreate", {{"heap", BF_ADDRESS}, {"header", BF_U16}, {"footer", BF_U16}}},
    {1, TT_KIND_LIFETIME, false, "EHeapChunkCreate", {{"heap", BF_ADDRESS}, {"chunk_handle", BF_ADDRESS}}},
    {2, TT_KIND_COUNTER, false, "EHeapAlloc", {{"heap", BF_ADDRESS}, {"address", BF_ADDRESS}, {"size", BF_U32}, {"requested", BF_U32}, {"sub_allocator", BF_ADDRESS}}},
    {3, TT_KIND_COUNTER, false, "EHeapReAlloc", {{"heap", BF_ADDRESS}, {"address", BF_ADDRESS}, {"size", BF_U32}, {"requested", BF_U32}, {"old_address", BF_ADDRESS}}},
    {4, TT_KIND_COUNTER, false, "EHeapFree", {{"heap", BF_ADDRESS}, {"address", BF_ADDRESS}, {"sub_allocator", BF_ADDRESS}}},
    {5, TT_KIND_EVENT, false, "EHeapAllocFail", {{"heap", BF_ADDRESS}, {"requested", BF_U32}}},
    {6, TT_KIND_EVENT, false, "EHeapReAllocFail", {{"heap", BF_ADDRESS}, {"old_address", BF_ADDRESS}, {"requested", BF_U32}}},
    {7, TT_KIND_EVENT, false, "EHeapCorruption", {{"heap", BF_ADDRESS}, {"address", BF_ADDRESS}, {"length", BF_U32}}},
    {8, TT_KIND_EVENT, false, "EHeapCallStack", {{"heap", BF_ADDRESS}, {"pc", BF_WORDS}}},
};
/* clang-format on */

/* enum TMetaTrace */
/* clang-format off */
static const struct btrace_sub meta_subs[] = {
    {0, TT_KIND_CONTROL, false, "EMetaTraceTimestampsInfo", {{"period", BF_PERIOD}, {"period2", BF_PERIOD}, {"flags", BF_HEX}}},
    {1, TT_KIND_BEGIN, false, "EMetaTraceMeasurementStart", {{"id", BF_HEX}, {"id2", BF_HEX}, {"text", BF_TEXT_NUL}, {"spare", BF_SPARE_BYTES}}},
    {2, TT_KIND_END, false, "EMetaTraceMeasurementEnd", {{"id", BF_HEX}, {"id2", BF_HEX}}},
    {3, TT_KIND_CONTROL, false, "EMetaTraceFilterChange", {{"category", BF_CATEGORY}, {"on", BF_U8}, {"spare", BF_SPARE16}}},
};
/* clang-format on */

/* enum TFastMutex */
/* clang-format off */
static const struct btrace_sub fast_mutex_subs[] = {
    {0, TT_KIND_EVENT, false, "EFastMutexWait", {{"fast_mutex", BF_FAST_MUTEX}}},
    {1, TT_KIND_EVENT, false, "EFastMutexSignal", {{"fast_mutex", BF_FAST_MUTEX}}},
    {2, TT_KIND_EVENT, false, "EFastMutexFlash", {{"fast_mutex", BF_FAST_MUTEX}}},
    {3, TT_KIND_LIFETIME, true, "EFastMutexName", {{"fast_mutex", BF_FAST_MUTEX}, {"spare", BF_SPARE32}, {"name", BF_TEXT}}},
    {4, TT_KIND_STATE, false, "EFastMutexBlock", {{"fast_mutex", BF_FAST_MUTEX}}},
};
/* clang-format on */

/* enum TProfiling */
/* clang-format off */
static const struct btrace_sub profiling_subs[] = {
    {0, TT_KIND_SAMPLE, false, "ECpuFullSample", {{"sample_pc", BF_ADDRESS}, {"thread", BF_THREAD}}},
    {1, TT_KIND_SAMPLE, false, "ECpuOptimisedSample", {{"sample_pc", BF_ADDRESS}}},
    {2, TT_KIND_SAMPLE, false, "ECpuIdfcSample", {{"sample_pc", BF_ADDRESS}}},
    {3, TT_KIND_SAMPLE, false, "ECpuNonSymbianThreadSample", {{0}}},
};
/* clang-format on */

/* enum TRawEventTrace; ESetEvent: see btrace_fields_of */
/* clang-format off */
static const struct btrace_sub raw_event_subs[] = {
    {1, TT_KIND_EVENT, false, "ESetEvent", {{"type", BF_U32}}},
    {2, TT_KIND_EVENT, false, "ESetTipEvent", {{"tip", BF_HEX}}},
    {3, TT_KIND_EVENT, false, "ESetTiltEvent", {{"type", BF_U32}, {"phi", BF_I32}, {"theta", BF_I32}}},
    {4, TT_KIND_EVENT, false, "ESetRotationtEvent", {{"type", BF_U32}, {"alpha", BF_I32}}},
    {5, TT_KIND_EVENT, false, "ESetPointerNumberEvent", {{"pointer", BF_U32}}},
    {6, TT_KIND_EVENT, false, "EUserAddEvent", {{"type", BF_U32}}},
    {7, TT_KIND_EVENT, false, "EKernelAddEvent", {{"type", BF_U32}}},
};
/* clang-format on */

/* EUsb: text or binary of the USB drivers */
static const struct btrace_sub usb_subs[] = {
    {0, TT_KIND_EVENT, false, "Usb", {{0}}},
};

/* enum TSymbianKernelSync */
/* clang-format off */
static const struct btrace_sub sync_subs[] = {
    [0x00] = {0x00, TT_KIND_LIFETIME, true, "ESemaphoreCreate", {{"semaphore", BF_SEMAPHORE}, {"owner", BF_OWNER}, {"name", BF_TEXT}}},
    [0x01] = {0x01, TT_KIND_LIFETIME, false, "ESemaphoreDestroy", {{"semaphore", BF_SEMAPHORE}}},
    [0x02] = {0x02, TT_KIND_EVENT, false, "ESemaphoreAcquire", {{"semaphore", BF_SEMAPHORE}}},
    [0x03] = {0x03, TT_KIND_EVENT, false, "ESemaphoreRelease", {{"semaphore", BF_SEMAPHORE}}},
    [0x04] = {0x04, TT_KIND_STATE, false, "ESemaphoreBlock", {{"semaphore", BF_SEMAPHORE}}},
    [0x10] = {0x10, TT_KIND_LIFETIME, true, "EMutexCreate", {{"mutex", BF_MUTEX}, {"owner", BF_OWNER}, {"name", BF_TEXT}}},
    [0x11] = {0x11, TT_KIND_LIFETIME, false, "EMutexDestroy", {{"mutex", BF_MUTEX}}},
    [0x12] = {0x12, TT_KIND_EVENT, false, "EMutexAcquire", {{"mutex", BF_MUTEX}}},
    [0x13] = {0x13, TT_KIND_EVENT, false, "EMutexRelease", {{"mutex", BF_MUTEX}}},
    [0x14] = {0x14, TT_KIND_STATE, false, "EMutexBlock", {{"mutex", BF_MUTEX}}},
    [0x20] = {0x20, TT_KIND_LIFETIME, true, "ECondVarCreate", {{"condvar", BF_CONDVAR}, {"owner", BF_OWNER}, {"name", BF_TEXT}}},
    [0x21] = {0x21, TT_KIND_LIFETIME, false, "ECondVarDestroy", {{"condvar", BF_CONDVAR}}},
    [0x22] = {0x22, TT_KIND_STATE, false, "ECondVarBlock", {{"condvar", BF_CONDVAR}, {"mutex", BF_MUTEX}}},
    [0x23] = {0x23, TT_KIND_EVENT, false, "ECondVarWakeUp", {{"condvar", BF_CONDVAR}, {"mutex", BF_MUTEX}}},
    [0x24] = {0x24, TT_KIND_EVENT, false, "ECondVarSignal", {{"condvar", BF_CONDVAR}, {"mutex", BF_MUTEX}}},
    [0x25] = {0x25, TT_KIND_EVENT, false, "ECondVarBroadcast", {{"condvar", BF_CONDVAR}, {"mutex", BF_MUTEX}}},
};
/* clang-format on */

/* enum THSched, only in the newest header */
static const struct btrace_sub sched_subs[] = {
    {0, TT_KIND_EVENT, false, "ELbDone", {{"thread", BF_THREAD}, {"flags", BF_HEX}}},
};

static const struct btrace_sub nkern_subs[] = {
    {0, TT_KIND_EVENT, false, "NKern", {{0}}},
};

static const struct btrace_sub test_subs[] = {
    {0, TT_KIND_USER, false, "Test", {{0}}},
};

#define COUNT(table) (uint8_t)(sizeof(table) / sizeof((table)[0]))

/* clang-format off */
const struct btrace_category btrace_categories[BTRACE_CATEGORIES_LOW + 2] = {
    {0, true, COUNT(printf_subs), "ERDebugPrintf", printf_subs},
    {1, true, COUNT(printf_subs), "EKernPrintf", printf_subs},
    {2, true, COUNT(printf_subs), "EPlatsecPrintf", printf_subs},
    {3, false, COUNT(thread_subs), "EThreadIdentification", thread_subs},
    {4, false, COUNT(cpu_subs), "ECpuUsage", cpu_subs},
    {5, true, COUNT(perf_log_subs), "EKernPerfLog", perf_log_subs},
    {6, false, COUNT(client_server_subs), "EClientServer", client_server_subs},
    {7, false, COUNT(request_subs), "ERequests", request_subs},
    {8, false, COUNT(chunk_subs), "EChunks", chunk_subs},
    {9, false, COUNT(code_seg_subs), "ECodeSegs", code_seg_subs},
    {10, false, COUNT(btrace_paging), "EPaging", btrace_paging},
    {11, false, COUNT(priority_subs), "EThreadPriority", priority_subs},
    {12, false, COUNT(btrace_paging_media), "EPagingMedia", btrace_paging_media},
    {13, false, COUNT(kernel_memory_subs), "EKernelMemory", kernel_memory_subs},
    {14, false, COUNT(heap_subs), "EHeap", heap_subs},
    {15, false, COUNT(meta_subs), "EMetaTrace", meta_subs},
    {16, false, COUNT(btrace_ram_allocator), "ERamAllocator", btrace_ram_allocator},
    {17, false, COUNT(fast_mutex_subs), "EFastMutex", fast_mutex_subs},
    {18, false, COUNT(profiling_subs), "EProfiling", profiling_subs},
    {19, false, COUNT(btrace_resource_manager), "EResourceManager", btrace_resource_manager},
    {20, false, COUNT(btrace_resource_manager_us), "EResourceManagerUs", btrace_resource_manager_us},
    {21, false, COUNT(raw_event_subs), "ERawEvent", raw_event_subs},
    {22, true, COUNT(usb_subs), "EUsb", usb_subs},
    {23, false, COUNT(sync_subs), "ESymbianKernelSync", sync_subs},
    {24, false, COUNT(btrace_flexible_memory), "EFlexibleMemModel", btrace_flexible_memory},
    {25, false, COUNT(btrace_iic), "EIic", btrace_iic},
    {26, false, COUNT(sched_subs), "EHSched", sched_subs},
    {27, true, COUNT(nkern_subs), "ENKern", nkern_subs},
    {254, true, COUNT(test_subs), "ETest1", test_subs},
    {255, true, COUNT(test_subs), "ETest2", test_subs},
};
/* clang-format on */

const unsigned btrace_category_count = sizeof btrace_categories / sizeof btrace_categories[0];

/* ---- fields that depend on the data ----------------------------------------------------- */

/* By number of words: TRawEvent's Set functions (class BTrace, enum TRawEventTrace). */
static const struct btrace_field set_key[] = {{"type", BF_U32}, {"scan_code", BF_HEX}, {0}};
static const struct btrace_field set_repeat[] = {
    {"type", BF_U32}, {"scan_code", BF_HEX}, {"repeats", BF_U32}, {0}};
static const struct btrace_field set_point[] = {
    {"type", BF_U32}, {"x", BF_I32}, {"y", BF_I32}, {"z", BF_I32}, {"pointer", BF_U32}, {0}};
static const struct btrace_field set_polar[] = {
    {"type", BF_U32}, {"x", BF_I32},     {"y", BF_I32},     {"z", BF_I32},
    {"phi", BF_I32},  {"theta", BF_I32}, {"alpha", BF_I32}, {0}};

static uint32_t btrace_tables_word_at(struct tt_bytes data, unsigned index)
{
    return tt_bytes_has(data, index * 4u, 4) ? tt_load_u32(data.data + index * 4u, false) : 0;
}

static const struct btrace_field *fields_of_set_event(struct tt_bytes data, uint64_t length)
{
    enum { KEY_BYTES = 8, THREE_WORDS = 12, POLAR_BYTES = 28, KEY_REPEAT = 17 };
    if (length <= KEY_BYTES) {
        return set_key;
    }
    if (length == THREE_WORDS && btrace_tables_word_at(data, 0) == KEY_REPEAT) {
        return set_repeat;
    }
    return length < POLAR_BYTES ? set_point : set_polar;
}

/* EKernPerfLog: the tick count is the last word. */
static const struct btrace_field perf_tick[] = {{"tick", BF_U32}, {0}};
static const struct btrace_field perf_one[] = {{"a", BF_HEX}, {"tick", BF_U32}, {0}};
static const struct btrace_field perf_two[] = {{"a", BF_HEX}, {"b", BF_HEX}, {"tick", BF_U32}, {0}};

static const struct btrace_field *fields_of_perf_log(uint64_t length)
{
    enum { ONE_USER_WORD = 8, TWO_USER_WORDS = 12 };
    return length < ONE_USER_WORD ? perf_tick : length < TWO_USER_WORDS ? perf_one : perf_two;
}

static const struct btrace_field phys_free_direct[] = {
    {"physical", BF_ADDRESS}, {"size", BF_U32}, {0}};

bool btrace_phys_is_direct(struct tt_bytes data)
{
    return tt_bytes_has(data, 0, 8) &&
           btrace_tables_word_at(data, 0) > btrace_tables_word_at(data, 1);
}

/* An address is above the first page; a result of the kernel (TInt) is near zero. */
static bool is_result(uint32_t word)
{
    enum { PAGE = 4096 };
    return word < PAGE || word > UINT32_MAX - PAGE;
}

const struct btrace_sub *btrace_stands_for(const struct btrace_sub *layout, uint8_t category,
                                           struct tt_bytes data)
{
    enum { SYNC_START = 8, SYNC_END = 9, RELEASE_START = 26, RELEASE_END = 29, TWO_WORDS = 8 };
    if (!layout || category != BTRACE_IIC || data.size != TWO_WORDS) {
        return NULL;
    }
    if (layout->number == SYNC_START && is_result(btrace_tables_word_at(data, 1))) {
        return &btrace_iic[SYNC_END];
    }
    return layout->number == RELEASE_START ? &btrace_iic[RELEASE_END] : NULL;
}

const struct btrace_field *btrace_fields_of(const struct btrace_sub *layout, uint8_t category,
                                            struct tt_bytes data, uint64_t length)
{
    enum { SET_EVENT = 1 };
    const struct btrace_sub *other = btrace_stands_for(layout, category, data);
    if (other) {
        return other->fields;
    }
    switch (category) {
    case BTRACE_KERN_PERF_LOG:
        return fields_of_perf_log(length);
    case BTRACE_KERNEL_MEMORY:
        return layout->number == BTRACE_PHYS_FREE && btrace_phys_is_direct(data) ? phys_free_direct
                                                                                 : layout->fields;
    case BTRACE_RAW_EVENT:
        return layout->number == SET_EVENT ? fields_of_set_event(data, length) : layout->fields;
    default:
        return layout->fields;
    }
}

unsigned btrace_field_bytes(uint8_t type)
{
    switch (type) {
    case BF_U8:
    case BF_CATEGORY:
    case BF_SPARE8:
        return 1;
    case BF_U16:
    case BF_SPARE16:
        return 2;
    case BF_SPARE24:
        return 3;
    default:
        return 4;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * btrace_tables: categories, sub-categories and the layout of their data, from e32btrace.h (class
 * BTrace, enum TCategory and the enum of each category); from the kernel's writers where the
 * header's comments differ. Constant data; any thread.
 *
 *  The data of a record are read field by field. A record that ends earlier (an older kernel, a
 * truncated record) has fewer arguments; remaining data are shown raw.
 */
#ifndef TRACETUI_FORMAT_BTRACE_BTRACE_TABLES_H
#define TRACETUI_FORMAT_BTRACE_BTRACE_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracetui/bytes.h"

/* enum BTrace::TCategory, as far as the decoder depends on it. */
enum btrace_category_number {
    BTRACE_RDEBUG_PRINTF = 0,
    BTRACE_PLATSEC_PRINTF = 2,
    BTRACE_THREAD_IDENTIFICATION = 3,
    BTRACE_CPU_USAGE = 4,
    BTRACE_KERN_PERF_LOG = 5,
    BTRACE_CLIENT_SERVER = 6,
    BTRACE_CHUNKS = 8,
    BTRACE_THREAD_PRIORITY = 11,
    BTRACE_KERNEL_MEMORY = 13,
    BTRACE_HEAP = 14,
    BTRACE_META_TRACE = 15,
    BTRACE_FAST_MUTEX = 17,
    BTRACE_PROFILING = 18,
    BTRACE_RAW_EVENT = 21,
    BTRACE_KERNEL_SYNC = 23,
    BTRACE_IIC = 25,
    BTRACE_PLATFORM_FIRST = 128,
    BTRACE_EXTENSION_FIRST = 192,
    BTRACE_FSHELL_FIRST = 213, /* of the extension categories: fshell's own, */
    BTRACE_FSHELL_LAST = 214,
    BTRACE_UTF_LAST = 222, /* and those that UTF uses */
    BTRACE_TEST_FIRST = 254,
};

enum btrace_thread_sub {
    BTRACE_NANO_THREAD_CREATE,
    BTRACE_NANO_THREAD_DESTROY,
    BTRACE_THREAD_CREATE,
    BTRACE_THREAD_DESTROY,
    BTRACE_THREAD_NAME,
    BTRACE_PROCESS_NAME,
    BTRACE_THREAD_ID,
    BTRACE_PROCESS_CREATE,
    BTRACE_PROCESS_DESTROY,
};

enum btrace_cpu_sub {
    BTRACE_IRQ_START,
    BTRACE_IRQ_END,
    BTRACE_FIQ_START,
    BTRACE_FIQ_END,
    BTRACE_IDFC_START,
    BTRACE_IDFC_END,
    BTRACE_NEW_THREAD_CONTEXT,
};

enum btrace_client_server_sub {
    BTRACE_SESSION_ATTACH = 2,
    BTRACE_MESSAGE_SEND = 4,
    BTRACE_MESSAGE_RECEIVE = 5,
    BTRACE_MESSAGE_COMPLETE = 6,
};

enum btrace_chunk_sub {
    BTRACE_CHUNK_CREATED = 0,
    BTRACE_CHUNK_DESTROYED = 2,
    BTRACE_CHUNK_ALLOCATED = 3,
    BTRACE_CHUNK_DEALLOCATED = 4,
    BTRACE_CHUNK_ADDED = 5,
    BTRACE_CHUNK_REMOVED = 6,
};

enum btrace_priority_sub {
    BTRACE_NTHREAD_PRIORITY,
};

enum btrace_kernel_memory_sub {
    BTRACE_INITIAL_FREE,
    BTRACE_CURRENT_FREE,
    BTRACE_MISC_ALLOC,
    BTRACE_MISC_FREE,
    BTRACE_PAGING_CACHE,
    BTRACE_PHYS_ALLOC,
    BTRACE_PHYS_FREE,
};

enum btrace_heap_sub {
    BTRACE_HEAP_CREATE = 0,
    BTRACE_HEAP_ALLOC = 2,
    BTRACE_HEAP_REALLOC = 3,
    BTRACE_HEAP_FREE = 4,
};

enum btrace_meta_sub {
    BTRACE_TIMESTAMPS_INFO,
    BTRACE_MEASUREMENT_START,
    BTRACE_MEASUREMENT_END,
};

enum btrace_fast_mutex_sub {
    BTRACE_FAST_MUTEX_WAIT,
    BTRACE_FAST_MUTEX_SIGNAL,
    BTRACE_FAST_MUTEX_FLASH,
    BTRACE_FAST_MUTEX_NAME,
    BTRACE_FAST_MUTEX_BLOCK,
};

enum btrace_kernel_sync_sub {
    BTRACE_SEMAPHORE_ACQUIRE = 0x02,
    BTRACE_SEMAPHORE_RELEASE = 0x03,
    BTRACE_SEMAPHORE_BLOCK = 0x04,
    BTRACE_MUTEX_ACQUIRE = 0x12,
    BTRACE_MUTEX_RELEASE = 0x13,
    BTRACE_MUTEX_BLOCK = 0x14,
    BTRACE_CONDVAR_BLOCK = 0x22,
    BTRACE_CONDVAR_WAKE_UP = 0x23,
    BTRACE_CONDVAR_SIGNAL = 0x24,
    BTRACE_CONDVAR_BROADCAST = 0x25,
};

/* Size and meaning of a field. */
enum btrace_field_type {
    BF_END, /* end of the list */
    /* numbers */
    BF_U8,
    BF_U16,
    BF_U32,
    BF_I32,
    BF_HEX,
    BF_ADDRESS,
    BF_CATEGORY, /* u8, labelled with the name of the category */
    BF_PERIOD,   /* u32: seconds as mantissa and exponent (EMetaTraceTimestampsInfo) */
    BF_SPARE8,
    BF_SPARE16,
    BF_SPARE24,
    BF_SPARE32,
    /* kernel objects by address, labelled with their names */
    BF_THREAD,  /* NThread */
    BF_PROCESS, /* DProcess */
    BF_OWNER,   /* DThread or DProcess */
    BF_CHUNK,
    BF_CODE_SEG,
    BF_SERVER,
    BF_SESSION,
    BF_FAST_MUTEX,
    BF_SEMAPHORE,
    BF_MUTEX,
    BF_CONDVAR,
    BF_RTHREAD, /* RThread::Id() */
    /* variable size */
    BF_NAME,     /* u32 length, then the bytes */
    BF_TEXT,     /* the rest, ASCII */
    BF_TEXT_NUL, /* ASCII up to the first NUL or the end */
    BF_WORDS,    /* the rest, addresses */
    /* A number in decimal ASCII, then blanks; if the rest is not such text, an i32. */
    BF_DECIMAL,
    BF_SPARE_DECIMAL,
    BF_SPARE_BYTES, /* the rest */
};

struct btrace_field {
    const char *name;
    uint8_t type; /* enum btrace_field_type */
};

#define BTRACE_FIELDS 10

struct btrace_sub {
    uint8_t number;
    uint8_t kind; /* enum tt_kind */
    /* The text of this record names the object in the first field. */
    bool names;
    const char *name;
    struct btrace_field fields[BTRACE_FIELDS + 1]; /* terminated by BF_END */
};

struct btrace_category {
    uint8_t number;
    /* Sub-categories are defined by callers; the only entry of `subs` is for all of them. */
    bool open;
    uint8_t count; /* of `subs` */
    const char *name;
    const struct btrace_sub
        *subs; /* indexed from the first number on; entries without a name are unused */
};

extern const struct btrace_sub btrace_paging[28];
extern const struct btrace_sub btrace_paging_media[14];
extern const struct btrace_sub btrace_ram_allocator[18];
extern const struct btrace_sub btrace_flexible_memory[11];
extern const struct btrace_sub btrace_resource_manager[24];
extern const struct btrace_sub btrace_resource_manager_us[14];
extern const struct btrace_sub btrace_iic[52];

/* All named categories: 0..27 at their own index, then 254 and 255. */
#define BTRACE_CATEGORIES_LOW 28u
extern const struct btrace_category btrace_categories[BTRACE_CATEGORIES_LOW + 2];
extern const unsigned btrace_category_count;

/*
 * Returns the category with this number, or NULL: 28..127 are unassigned, 128..253 have no names.
 */
static inline const struct btrace_category *btrace_category_of(uint8_t number)
{
    if (number < BTRACE_CATEGORIES_LOW) {
        return &btrace_categories[number];
    }
    return number >= BTRACE_TEST_FIRST
               ? &btrace_categories[BTRACE_CATEGORIES_LOW + number - BTRACE_TEST_FIRST]
               : NULL;
}

/* Returns the layout of (category, sub), or NULL if unknown. */
static inline const struct btrace_sub *btrace_sub_of(uint8_t category, uint8_t sub)
{
    const struct btrace_category *btrace_category = btrace_category_of(category);
    if (!btrace_category || btrace_category->open) {
        return btrace_category ? btrace_category->subs : NULL;
    }
    unsigned index = (unsigned)sub - btrace_category->subs[0].number;
    return index < btrace_category->count && btrace_category->subs[index].name
               ? &btrace_category->subs[index]
               : NULL;
}

/*
 * Returns the fields of one record. Some depend on its data: ESetEvent (ERawEvent) and EKernPerfLog
 * on their length, EKernelMemoryDrvPhysFree on its words, and records of one sub-category with the
 * fields of another. `data`: of the record, `length`: including other parts.
 */
const struct btrace_field *btrace_fields_of(const struct btrace_sub *layout, uint8_t category,
                                            struct tt_bytes data, uint64_t length);
/*
 * Returns the sub-category that the record means if the writer uses the number of another: in EIic,
 * 8 is also 9 (its second word is a result), 26 with two words is 29. NULL: its own.
 */
const struct btrace_sub *btrace_stands_for(const struct btrace_sub *layout, uint8_t category,
                                           struct tt_bytes data);
/*
 * Returns whether an EKernelMemoryDrvPhysFree begins with the address, as the direct memory model
 * writes it, rather than the size. A block of RAM is smaller than the address of its end.
 */
bool btrace_phys_is_direct(struct tt_bytes data);
/* Returns the bytes of a field of fixed size. */
unsigned btrace_field_bytes(uint8_t type);

#endif

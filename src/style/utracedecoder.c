/* SPDX-License-Identifier: Apache-2.0 */
/*
 * utracedecoder: prints a capture as Symbian's utracedecoder does without message definitions (dump
 * --style btrace): one line per trace of the categories that it knows, in its order:
 *
 *      Sequence,Primary Filter,Sub Category,Time Stamp1,Time Stamp2,Context ID,Description
 *
 * Traces are held back while one in several records is incomplete; Sequence is the number of the
 * record at which a trace is printed.
 */
#include "format/btrace/btrace_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "style/styles.h"
#include "tracetui/text.h"

#define BUFFER_BYTES  ((size_t)1 << 18)
#define LINE_RESERVED ((size_t)1 << 17) /* the longest line, all bytes of its texts escaped */
#define DATA_BYTES    16384u            /* of a trace in several records; more is left out */
#define OPEN_MOST     64u               /* incomplete traces; the oldest is dropped */
#define BATCH_EVENTS  512u
#define NESTED_MOST   16u /* blocks of node messages */

enum { NODE_MESSAGES = 194, MESH_MACHINE = 195, SIMPLE_LOGGING = 196, CUSTOM = 192 };

/* ---- descriptions -------------------------------------------------------------------------- */

/*
 * The description of a sub-category. % and a digit stands for a word of the payload, in eight
 * hexadecimal digits; %d and %x before the digit for decimal and short hexadecimal notation; %s for
 * the text from that word on.
 */
struct description {
    uint8_t category;
    uint8_t sub;
    const char *text;
};

/* clang-format off */
static const struct description descriptions[] = {
    {3, 0, "Nano Thread Create: [NThread=0x%0] "},
    {3, 1, "Nano Thread Destroy: [NThread=0x%0] "},
    {3, 2, "Thread Create: [NThread=0x%0] [DProcess=0x%1] [Name=%s2] "},
    {3, 3, "Thread Destroy: [NThread=0x%0] [DProcess=0x%1] "},
    {3, 4, "Thread Name: [NThread=0x%0] [DProcess=0x%1] [Name=%s2] "},
    {3, 5, "Process Name: [NThread=0x%0] [DProcess=0x%1] [Name=%s2] "},
    {3, 6, "Thread Id: [NThread=0x%0] [DProcess=0x%1] [TID=0x%2] "},
    {3, 7, "Process Create: [DProcess=0x%0] "},
    {3, 8, "Process Destroy: [DProcess=0x%0] "},
    {6, 0, "Server Create: [DServer=0x%0] [Name=%s2] "},
    {6, 1, "Server Destroy: [DServer=0x%0] "},
    {6, 2, "Session Attach: [DSession=0x%0] [DServer=0x%1] "},
    {6, 3, "Session Detach: [DSession=0x%0] [Reason=%d1] "},
    {6, 4, "Message Send: [Handle=0x%0] [Function=%d1] [DSession=0x%x2] "},
    {6, 5, "Message Receive: [Handle=0x%0] [int0=0x%1] [int3=0x%2] "},
    {6, 6, "Message Complete: [Handle=0x%0] [Reason=%d1] "},
    {8, 0, "Chunk Create: [ChunkId=0x%0] [MaxSize=0x%1] [Name=%s2] "},
    {8, 1, "Chunk Info: [ChunkId=0x%0] [Type=0x%1] [Attr=0x%2] "},
    {8, 2, "Chunk Destroy: [ChunkId=0x%0] "},
    {8, 3, "Chunk Memory Allocated: [ChunkId=0x%0] [Offset=0x%1] [Size=0x%2] "},
    {8, 4, "Chunk Memory Deallocated: [ChunkId=0x%0] [Offset=0x%1] [Size=0x%2] "},
    {8, 5, "Chunk Memory Added: [ChunkId=0x%0] [Offset=0x%1] [Size=0x%2] "},
    {8, 6, "Chunk Memory Removed: [ChunkId=0x%0] [Offset=0x%1] [Size=0x%2] "},
    {8, 7, "Chunk Owner: [ChunkId=0x%0] [DProcess=0x%1] "},
    {9, 0, "Code Seg Create: [DCodeSeg=0x%0] [Name=%s1] "},
    {9, 1, "Code Seg Info: [DCodeSeg=0x%0] [Attr=0x%1] [CodeSectionBase=0x%2] [CodeSectionSize=0x%3] [ConstDataSectionBase=0x%4] [ConstDataSectionSize=0x%5] [InitialisedDataSectionBase=0x%6] [InitialisedDataSectionSize=0x%7] [UninitialisedDataSectionBase=0x%8] [UninitialisedDataSectionSize=0x%9] "},
    {9, 2, "Code Seg Destroy: [DCodeSeg=0x%0] "},
    {9, 3, "Code Seg Mapped: [DCodeSeg=0x%0] [DProcess=0x%1] "},
    {9, 4, "Code Seg Unmapped: [DCodeSeg=0x%0] [DProcess=0x%1] "},
    {9, 5, "Code Seg Memory Allocated: [DCodeSeg=0x%0] [Size=0x%1] "},
    {9, 6, "Code Seg Memory Deallocated: [DCodeSeg=0x%0] [Size=0x%1] "},
    {13, 0, "Kernel Memory Initial Free: [Size=0x%0] "},
    {13, 1, "Kernel Memory Current Free: [Size=0x%0] "},
    {13, 2, "Kernel Memory Misc Alloc: [Size=0x%0] "},
    {13, 3, "Kernel Memory Misc Free: [Size=0x%0] "},
    {13, 4, "Kernel Memory Demand Paging Cache: [MinSize=0x%0] "},
    {13, 5, "Kernel Memory Driver Physical Alloc: [Size=0x%0] [PhysicalBase=0x%1] "},
    {13, 6, "Kernel Memory Driver Physical Free: [Size=0x%0] [PhysicalBase=0x%1] "},
    {15, 0, "Server Create: [DServer=0x%0] [Name=%s2] "}, /* so prints the decoder */
};
/* clang-format on */

/* The categories that the decoder knows. */
static const struct {
    uint8_t category;
    bool in_parts; /* also a trace in several records */
    const char *prefix;
} categories[] = {
    {0, true, "ERDebugPrintf: "},
    {1, true, "EKernPrintf: "},
    {2, true, "EPlatsecPrintf: "},
    {3, true, "EThreadIdentification: "},
    {6, false, "EClientServer: "},
    {8, true, "EChunks: "},
    {9, true, "ECodeSegs: "},
    {13, true, "EKernelMemory: "},
    {15, false, "EMetaTrace: "},
    {CUSTOM, true, "ECustomMMF1: "},
    {NODE_MESSAGES, true, "ENodeMessages: "},
    {MESH_MACHINE, true, "EMeshMachine: "},
    {SIMPLE_LOGGING, true, ""},
};

/* Returns the index of a category, or -1. */
static int category_of(const struct btrace_record *record)
{
    for (size_t i = 0; i < sizeof categories / sizeof *categories; i++) {
        if (categories[i].category == record->category) {
            return record->part == BTRACE_WHOLE || categories[i].in_parts ? (int)i : -1;
        }
    }
    return -1;
}

/* ---- the printer --------------------------------------------------------------------------- */

/* A trace that waits until others are complete. */
struct held {
    uint64_t pos;
    uint32_t stamp;
};

/* A trace whose last record is still to come. */
struct open_trace {
    uint64_t pos;
    uint32_t id;
};

struct printer {
    struct tt_capture *c;
    struct btrace_decoder *d;
    uint64_t limit;
    uint64_t number; /* of the current record */
    struct tt_text text;
    struct tt_sink *sink;
    bool failed; /* out of memory */
    struct open_trace open[OPEN_MOST];
    size_t opened;
    struct held *held;
    size_t held_count;
    size_t held_capacity;
    uint64_t *wanted; /* positions of the selected events, in order; NULL: all */
    size_t wanted_count;
    size_t wanted_capacity;
    bool lines[NESTED_MOST]; /* whether a trace is a line of its own, by block */
    size_t nested;
    uint8_t data[DATA_BYTES + 8];
    size_t length; /* of the data of the current trace, after its first word */
    uint32_t first;
};

static void utracedecoder_put(struct printer *printer, const char *text)
{
    tt_text_str(&printer->text, text);
}

static bool on_own_line(const struct printer *printer)
{
    return printer->nested > 0 && printer->lines[printer->nested - 1];
}

/* Appends the text from a byte of the data to its NUL. Control characters but tabs are escaped. */
static void utracedecoder_put_text(struct printer *printer, size_t from, size_t most)
{
    const char *text = (const char *)printer->data + from;
    size_t room = from < printer->length ? printer->length - from : 0, length = 0;
    room = most < room ? most : room;
    while (length < room && text[length]) {
        length++;
    }
    for (size_t i = 0; i < length;) {
        size_t plain = i;
        while (plain < length && text[plain] != '\t') {
            plain++;
        }
        tt_text_escaped(&printer->text, text + i, plain - i);
        if (plain < length) {
            tt_text_char(&printer->text, '\t');
        }
        i = plain + 1;
    }
}

/* Returns a word of the payload: the first, or one of the data. */
static uint32_t utracedecoder_word(const struct printer *printer, unsigned number)
{
    return number == 0 ? printer->first : tt_load_u32(printer->data + 4 * (number - 1), false);
}

static void utracedecoder_describe(struct printer *printer, const char *text)
{
    for (; *text; text++) {
        if (*text != '%') {
            tt_text_char(&printer->text, *text);
            continue;
        }
        char kind = *++text;
        unsigned number = (unsigned)((kind >= 'a' ? *++text : kind) - '0');
        if (kind == 's') {
            utracedecoder_put_text(printer, 4 * ((size_t)number - 1), SIZE_MAX);
        } else if (kind == 'd') {
            tt_text_u64(&printer->text, utracedecoder_word(printer, number));
        } else {
            tt_text_hex(&printer->text, utracedecoder_word(printer, number), kind == 'x' ? 1 : 8);
        }
    }
}

/* Appends the data as eight bytes in a line, with their characters. */
static void utracedecoder_put_bytes(struct printer *printer)
{
    size_t whole = (printer->length + 7) / 8 * 8;
    for (size_t i = 0; i < whole; i += 8) {
        utracedecoder_put(printer, " ");
        for (size_t k = i; k < i + 8; k++) {
            utracedecoder_put(printer, " ");
            if (k < printer->length) {
                tt_text_hex(&printer->text, printer->data[k], 2);
                utracedecoder_put(printer, " ");
            } else {
                utracedecoder_put(printer, "   ");
            }
            utracedecoder_put(printer, k == i + 3 ? " - " : "");
        }
        utracedecoder_put(printer, "  ");
        for (size_t k = i; k < i + 8; k++) {
            bool plain = k < printer->length && printer->data[k] >= ' ' && printer->data[k] <= '~';
            tt_text_char(&printer->text, k >= printer->length ? ' '
                                         : plain              ? (char)printer->data[k]
                                                              : '.');
        }
        utracedecoder_put(printer, "\n");
    }
}

/* ---- node messages ------------------------------------------------------------------------- */

enum {
    LOG_INFO = 1,
    LOG_START,
    LOG_END,
    LOG_CREATE,
    LOG_DESTROY,
    LOG_ADDRESS,
    LOG_MESSAGE,
    LOG_NODE
};

/* Appends the text before the payload; returns the offset of the payload, SIZE_MAX: it is missing. */
static size_t put_embedded(struct printer *printer)
{
    size_t length = printer->first;
    if (length > printer->length) {
        utracedecoder_put(printer,
                          "**** ERROR: Corrupt event. Embedded text length > Event length **** ");
        return SIZE_MAX;
    }
    if (length > 0) {
        utracedecoder_put_text(printer, 0, length);
        utracedecoder_put(printer, " ");
    }
    if (length == printer->length) {
        utracedecoder_put(printer, "**** ERROR: Corrupt event. No data after embedded text **** ");
        return SIZE_MAX;
    }
    return length;
}

static void describe_payload(struct printer *printer, unsigned sub)
{
    size_t at = put_embedded(printer);
    if (at == SIZE_MAX) {
        return;
    }
    const uint8_t *payload = printer->data + at;
    if (sub == LOG_MESSAGE) {
        utracedecoder_put(printer, "**** ERROR: Undefined signature - [Signature=0x");
        tt_text_hex(&printer->text, tt_load_u32(payload, false), 8);
        utracedecoder_put(printer, ":0x");
        tt_text_hex(&printer->text,
                    at + 8 <= sizeof printer->data ? tt_load_u32(payload + 4, false) : 0, 8);
        utracedecoder_put(printer, "] **** ");
    } else if (sub == LOG_ADDRESS) {
        utracedecoder_put(printer,
                          payload[0] & 0x80
                              ? "[Address=**** ERROR: ELogAddress - Logged address uses undefined "
                                "context type **** ] "
                              : "[Address=Null] ");
    } else {
        utracedecoder_put(printer, "[ANode=0x");
        tt_text_hex(&printer->text, tt_load_u32(payload, false), 8);
        utracedecoder_put(printer, "] ");
    }
}

static void describe_node(struct printer *printer, unsigned sub)
{
    switch (sub) {
    case LOG_MESSAGE:
    case LOG_ADDRESS:
    case LOG_NODE:
        describe_payload(printer, sub);
        break;
    case LOG_START:
        if (printer->nested < NESTED_MOST) {
            printer->lines[printer->nested++] = false;
        }
        utracedecoder_put(printer, "[STARTBLOCK=");
        utracedecoder_put_text(printer, 0, SIZE_MAX);
        utracedecoder_put(printer, "] ");
        break;
    case LOG_END:
        utracedecoder_put(printer, "[ENDBLOCK=");
        utracedecoder_put_text(printer, 0, SIZE_MAX);
        utracedecoder_put(printer, "] ");
        printer->nested -= printer->nested > 0;
        break;
    case LOG_INFO:
    case LOG_CREATE:
    case LOG_DESTROY:
        utracedecoder_put_text(printer, 0, SIZE_MAX);
        break;
    default:
        utracedecoder_put(printer, "**** ERROR: Unknown or unsupported log statement **** ");
    }
}

/* ---- one trace ----------------------------------------------------------------------------- */

/* Gathers the data of a trace: the first word of its payload, and the rest. */
static void load_data(struct printer *printer, const struct btrace_record *first)
{
    struct tt_bytes payload = btrace_payload(first);
    memset(printer->data, 0, sizeof printer->data);
    printer->first = payload.size >= 4 ? tt_load_u32(payload.data, false) : 0;
    printer->length = payload.size > 4 ? (size_t)payload.size - 4 : 0;
    memcpy(printer->data, payload.data + (payload.size > 4 ? 4 : 0), printer->length);
    if (first->part != BTRACE_FIRST) {
        return;
    }
    struct btrace_gather gather;
    struct btrace_record part;
    btrace_gather_start(&gather, tt_bytes_of(printer->c->bytes.data, printer->limit),
                        &printer->d->jumps, first);
    while (btrace_gather_next(&gather, &part)) {
        size_t more = btrace_part_bytes(&part);
        more = more < DATA_BYTES - printer->length ? more : DATA_BYTES - printer->length;
        memcpy(printer->data + printer->length, part.data + 8, more);
        printer->length += more;
    }
}

static void utracedecoder_put_description(struct printer *printer,
                                          const struct btrace_record *record)
{
    if (record->category <= BTRACE_PLATSEC_PRINTF) {
        utracedecoder_put_text(printer, 0, SIZE_MAX);
    } else if (record->category == NODE_MESSAGES) {
        describe_node(printer, record->sub);
    } else if (record->category >= BTRACE_EXTENSION_FIRST && record->sub == 1) {
        utracedecoder_put_text(printer, 0, SIZE_MAX);
    } else if (record->category >= BTRACE_EXTENSION_FIRST) {
        utracedecoder_put(printer, "===BEGIN DUMP===\n");
        utracedecoder_put_bytes(printer);
        utracedecoder_put(printer, "===END DUMP===\n");
    } else {
        bool ignored = record->category == BTRACE_KERNEL_MEMORY && record->sub == 5 &&
                       utracedecoder_word(printer, 1) == UINT32_MAX;
        for (size_t i = 0; i < sizeof descriptions / sizeof *descriptions; i++) {
            if (descriptions[i].category == record->category &&
                descriptions[i].sub == record->sub) {
                utracedecoder_describe(printer, ignored ? "" : descriptions[i].text);
                return;
            }
        }
        utracedecoder_put(printer, record->category == BTRACE_META_TRACE ? "" : "Unknown Event ");
    }
}

static int compare_pos(const void *x, const void *y)
{
    const uint64_t *a = x, *b = y;
    return *a < *b ? -1 : *a > *b;
}

static void print_trace(struct printer *printer, uint64_t pos)
{
    struct btrace_record r;
    struct tt_bytes bytes = tt_bytes_of(printer->c->bytes.data, printer->limit);
    bool wanted = !printer->wanted ||
                  bsearch(&pos, printer->wanted, printer->wanted_count, sizeof pos, compare_pos);
    if (!wanted || printer->sink->stopped || btrace_record_read(bytes, pos, &r) != BTRACE_READ_OK) {
        return;
    }
    int category = category_of(&r);
    if (r.category == BTRACE_THREAD_IDENTIFICATION) {
        printer->lines[0] = true;
        printer->nested = 1;
    }
    load_data(printer, &r);
    if (on_own_line(printer)) {
        tt_text_u64(&printer->text, printer->number);
        utracedecoder_put(printer, ",");
        tt_text_u64(&printer->text, r.category);
        utracedecoder_put(printer, ",");
        tt_text_u64(&printer->text, r.sub);
        utracedecoder_put(printer, ",");
        tt_text_i64(&printer->text, (int32_t)r.timestamp);
        utracedecoder_put(printer, ",");
        tt_text_i64(&printer->text, (int32_t)r.timestamp2);
        utracedecoder_put(printer, ",0x");
        tt_text_hex(&printer->text, r.context & ~UINT32_C(3), 8);
        utracedecoder_put(printer, ",");
        utracedecoder_put(printer, category >= 0 ? categories[category].prefix : "");
    }
    utracedecoder_put_description(printer, &r);
    utracedecoder_put(printer, on_own_line(printer) ? "\n" : " ");
    if (printer->text.capacity - printer->text.used < LINE_RESERVED) {
        tt_sink_flush(printer->sink, &printer->text);
    }
}

/* ---- the order of traces ------------------------------------------------------------------- */

static void utracedecoder_hold(struct printer *printer, uint64_t pos, uint32_t stamp, bool sorted)
{
    struct held *room =
        tt_array_grow(printer->held, printer->held_count, &printer->held_capacity, sizeof *room);
    if (!room) {
        printer->failed = true;
        return;
    }
    printer->held = room;
    size_t at = printer->held_count++;
    for (size_t i = 0; sorted && i < at; i++) {
        if (room[i].stamp > stamp) {
            memmove(room + i + 1, room + i, (at - i) * sizeof *room);
            at = i;
        }
    }
    room[at] = (struct held){pos, stamp};
}

static void print_held(struct printer *printer)
{
    for (size_t i = 0; i < printer->held_count; i++) {
        print_trace(printer, printer->held[i].pos);
    }
    printer->held_count = 0;
}

static void drop_open(struct printer *printer, size_t index)
{
    memmove(printer->open + index, printer->open + index + 1,
            (--printer->opened - index) * sizeof *printer->open);
}

static void handle_record(struct printer *printer, const struct btrace_record *record)
{
    if (record->flags & BTRACE_TRUNCATED) {
        return;
    }
    if (record->part != BTRACE_WHOLE) {
        if (record->part == BTRACE_FIRST) {
            if (printer->opened == OPEN_MOST) {
                drop_open(printer, 0);
            }
            printer->open[printer->opened++] = (struct open_trace){record->pos, record->extra};
            return;
        }
        for (size_t i = 0; i < printer->opened; i++) {
            if (printer->open[i].id != record->extra || record->part != BTRACE_LAST) {
                continue;
            }
            struct btrace_record first;
            uint64_t pos = printer->open[i].pos;
            drop_open(printer, i);
            if (btrace_record_read(tt_bytes_of(printer->c->bytes.data, printer->limit), pos,
                                   &first) == BTRACE_READ_OK &&
                category_of(&first) >= 0) {
                utracedecoder_hold(printer, pos, first.timestamp, true);
            }
            if (printer->opened == 0) {
                print_held(printer);
            }
            return;
        }
    } else if (category_of(record) >= 0 && printer->opened > 0) {
        utracedecoder_hold(printer, record->pos, record->timestamp, false);
    } else if (category_of(record) >= 0) {
        print_trace(printer, record->pos);
    }
}

/* ---- the whole capture --------------------------------------------------------------------- */

/* Lists the positions of the selected events. Returns false if out of memory. */
static bool select_events(struct printer *printer,
                          bool (*wanted)(void *arg, const struct tt_event *event), void *arg)
{
    struct tt_cursor *cursor = printer->c->format->cursor_new(printer->c, false);
    struct tt_event *events = malloc(BATCH_EVENTS * sizeof *events);
    enum tt_decode_result result = cursor && events ? TT_DECODE_MORE : TT_DECODE_MEMORY;
    printer->wanted = malloc(sizeof *printer->wanted);
    printer->wanted_capacity = 1;
    while (result == TT_DECODE_MORE && printer->wanted && !printer->failed) {
        struct tt_batch batch = {.events = events, .capacity = BATCH_EVENTS};
        result = printer->c->format->decode(cursor, printer->limit, true, &batch);
        for (uint32_t i = 0; i < batch.count && !printer->failed; i++) {
            uint64_t *room = tt_array_grow(printer->wanted, printer->wanted_count,
                                           &printer->wanted_capacity, sizeof *room);
            printer->failed = !room;
            printer->wanted = room ? room : printer->wanted;
            if (room && wanted(arg, &events[i])) {
                room[printer->wanted_count++] = events[i].pos;
            }
        }
    }
    if (printer->wanted && printer->wanted_count > 0) {
        qsort(printer->wanted, printer->wanted_count, sizeof *printer->wanted, compare_pos);
    }
    tt_cursor_free(printer->c->format, cursor);
    free(events);
    return printer->wanted && result != TT_DECODE_MEMORY && !printer->failed;
}

struct tt_status tt_style_utracedecoder(struct tt_capture *capture, struct tt_sink *sink,
                                        bool (*wanted)(void *arg, const struct tt_event *event),
                                        void *arg)
{
    struct printer *printer = calloc(1, sizeof *printer);
    char *buffer = malloc(BUFFER_BYTES);
    bool ok = printer && buffer;
    if (ok) {
        printer->c = capture;
        printer->d = capture->decoder;
        printer->limit = capture->bytes.size;
        printer->text = tt_text_of(buffer, BUFFER_BYTES);
        printer->sink = sink;
        printer->lines[0] = true;
        printer->nested = 1;
        ok = !wanted || select_events(printer, wanted, arg);
    }
    if (ok) {
        struct tt_bytes bytes = tt_bytes_of(printer->c->bytes.data, printer->limit);
        uint64_t pos = 0;
        struct btrace_record r;
        utracedecoder_put(printer, "Sequence,Primary Filter,Sub Category,Time Stamp1,Time "
                                   "Stamp2,Context ID,Description\n");
        while (!printer->sink->stopped && !printer->failed) {
            enum btrace_read read = btrace_record_read(bytes, pos, &r);
            if (read == BTRACE_READ_END || read == BTRACE_READ_PARTIAL) {
                break;
            }
            if (read == BTRACE_READ_OK) {
                handle_record(printer, &r);
                printer->number++;
            }
            pos = read == BTRACE_READ_OK ? btrace_record_next(&r) : pos + 4;
        }
        printer->opened = 0;
        print_held(printer); /* the decoder loses these */
        tt_sink_flush(printer->sink, &printer->text);

        ok = !printer->failed;
    }
    free(printer ? printer->held : NULL);
    free(printer ? printer->wanted : NULL);
    free(printer);
    free(buffer);
    return ok ? tt_ok() : tt_error_memory();
}

/* SPDX-License-Identifier: Apache-2.0 */
/* tracex: writes the raw trace dump. */
#include "style/tracex.h"
#include "style/styles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/trx/trx_decode.h"
#include "tracetui/text.h"

#define BUFFER_BYTES 65536u
#define LINE_MAX     1024u /* bytes of one line */
#define SHORT_NAME   16u   /* characters of a name beside an event */
#define BATCH_EVENTS 512u
#define NAME_MAX     255u

struct printer {
    struct tracex *x;
    struct tt_text text;
    bool (*wanted)(void *arg, const struct tt_event *event);
    void *arg;
    struct tt_sink *sink;
};

/* ---- pieces of lines ----------------------------------------------------------------------- */

static void tracex_end_line(struct printer *printer)
{
    tt_text_char(&printer->text, '\n');
    if (printer->text.capacity - printer->text.used < LINE_MAX) {
        tt_sink_flush(printer->sink, &printer->text);
    }
}

static void tracex_put(struct printer *printer, const char *text)
{
    tt_text_str(&printer->text, text);
}

/* A line of its own. */
static void tracex_put_line(struct printer *printer, const char *text)
{
    tracex_put(printer, text);
    tracex_end_line(printer);
}

static void tracex_put_hex(struct printer *printer, uint64_t value)
{
    size_t start = printer->text.used;
    tt_text_hex(&printer->text, value, 8);
    for (size_t i = start; i < printer->text.used; i++) {
        char *c = &printer->text.buffer[i];
        *c = *c >= 'a' && *c <= 'f' ? (char)(*c - 'a' + 'A') : *c;
    }
}

static void tracex_put_number(struct printer *printer, uint64_t value, unsigned width)
{
    tt_text_u64_width(&printer->text, value, width, ' ');
}

static void put_ticks(struct printer *printer, uint64_t value)
{
    tt_text_u64_width(&printer->text, value, 20, '0');
}

/* "Label:    12" */
static void put_count(struct printer *printer, const char *label, uint64_t value)
{
    tracex_put(printer, label);
    tracex_put_number(printer, value, 0);
    tracex_end_line(printer);
}

static void tracex_put_address(struct printer *printer, const char *label, uint64_t value)
{
    tracex_put(printer, label);
    tracex_put_hex(printer, value);
    tracex_end_line(printer);
}

/* A title between stars. */
static void put_stars(struct printer *printer, const char *before, size_t left, const char *title,
                      size_t right)
{
    tracex_put(printer, before);
    tt_text_fill(&printer->text, '*', left);
    tracex_put(printer, title);
    tt_text_fill(&printer->text, '*', right);
    tracex_end_line(printer);
}

static void put_title(struct printer *printer, const char *title)
{
    tracex_put(printer, "\n\n");
    tracex_put_line(printer, title);
}

/* Returns the name of an object as TraceX has it: unprintable bytes are left out. */
static size_t tracex_name_of(const struct tracex *tracex, const struct tracex_object *object,
                             char *name)
{
    size_t length, used = 0;
    if (!object->object) {
        return (size_t)snprintf(name, NAME_MAX, "Un-named Thread");
    }
    const char *text = tt_capture_text(tracex->d->capture, object->object->name, &length);
    if (length == 0 || (unsigned char)text[0] < ' ' || (unsigned char)text[0] > '~') {
        return (size_t)snprintf(name, NAME_MAX, "Non-ASCII Name");
    }
    for (size_t i = 0; i < length && used < NAME_MAX; i++) {
        if (text[i] >= ' ' && text[i] <= '~') {
            name[used++] = text[i];
        }
    }
    return used;
}

static void tracex_put_name(struct printer *printer, const struct tracex_object *object,
                            unsigned width)
{
    char name[NAME_MAX];
    size_t length = tracex_name_of(printer->x, object, name);
    tt_text_fill(&printer->text, ' ', length < width ? width - length : 0);
    tt_text_bytes(&printer->text, name, length);
}

/* ---- header, threads, objects -------------------------------------------------------------- */

static uint32_t count_threads(const struct tracex *tracex)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < tracex->object_count; i++) {
        count += tracex->objects[i].is_thread;
    }
    return count;
}

static void print_header(struct printer *printer)
{
    const struct trx_header *header = &printer->x->d->header;
    tracex_put_line(printer,
                    "******************************************************* TraceX Version "
                    "Azure RTOS TraceX 6.2.1.0 "
                    "***************************************************************");
    tracex_put(printer, "\nInput Trace File:     -\nOutput Trace File:    -\n");
    put_title(printer, "************** Trace File Header Information ****************");
    tracex_end_line(printer);
    put_count(printer, "Total Threads:       ", count_threads(printer->x));
    put_count(printer, "Total Events:        ", printer->x->events);
    tracex_put(printer, "Max Relative Ticks:  ");
    put_ticks(printer, printer->x->ticks);
    tracex_end_line(printer);
    tracex_put_line(printer, header->big ? "Trace ID:            54585442"
                                         : "Trace ID:            42545854");
    tracex_put_address(printer, "Timer Mask:          ", header->mask);
    put_count(printer, "Object Name Size:    ", header->name_size);
    tracex_put_address(printer, "Trace Base Address:  ", header->base);
    tracex_put_address(printer, "Object Start:        ", header->registry_start);
    tracex_put_address(printer, "Object End:          ", header->registry_end);
    tracex_put_address(printer, "Buffer Start:        ", header->buffer_start);
    tracex_put_address(printer, "Buffer End:          ", header->buffer_end);
    tracex_put_address(printer, "Buffer Oldest:       ", header->buffer_oldest);
}

static void tracex_put_range(struct printer *printer, const char *label, uint64_t low,
                             uint64_t high)
{
    tracex_put(printer, label);
    if (low == TRX_TRACEX_NONE) {
        tracex_put(printer, "?/?");
    } else {
        tracex_put_number(printer, low, 0);
        tt_text_char(&printer->text, '/');
        tracex_put_number(printer, high, 0);
    }
    tracex_put(printer, ") ");
}

/* Returns the object that TraceX finds at the address of this one. */
static const struct tracex_object *found_at(const struct tracex *tracex,
                                            const struct tracex_object *object)
{
    uint32_t i = trx_tracex_object(tracex, object->address);
    return i < tracex->object_count ? &tracex->objects[i] : object;
}

static void print_threads(struct printer *printer)
{
    put_title(printer, "****************************************** Threads in this Trace "
                       "*****************************************");
    tracex_put(printer, "   Address        Stack         Total Events               Name\n\n");
    for (uint32_t i = 0; i < printer->x->object_count; i++) {
        const struct tracex_object *object = &printer->x->objects[i];
        if (!object->is_thread) {
            continue;
        }
        uint64_t start = object->object ? object->object->parameters[0] : 0;
        tracex_put(printer, "  ");
        tracex_put_hex(printer, object->address);
        tracex_put(printer, "  ");
        tracex_put_hex(printer, start);
        tt_text_char(&printer->text, '-');
        tracex_put_hex(printer, start + (object->object ? object->object->parameters[1] : 0));
        tracex_put(printer, "  ");
        tracex_put_number(printer, found_at(printer->x, object)->events, 8);
        tracex_put(printer, "  ");
        tracex_put_name(printer, object, 0);
        tracex_put_range(printer, " (Priority: ", object->low, object->high);
        tracex_put_range(printer, " (Preemption-Threshold: ", object->threshold_low,
                         object->threshold_high);
        tracex_end_line(printer);
    }
}

/* How the dump prints a parameter. */
struct parameter {
    const char *label; /* NULL: not printed */
    bool hex;
    uint8_t width;
};

static void print_parameter(struct printer *printer, const struct parameter *parameter,
                            uint64_t value)
{
    if (parameter->label) {
        tracex_put(printer, parameter->label);
        if (parameter->hex) {
            tracex_put_hex(printer, value);
        } else {
            tt_text_u64_width(&printer->text, (uint32_t)value, parameter->width, ' ');
        }
    }
}

static void print_object(struct printer *printer, const struct tracex_object *object)
{
    /* clang-format off */
    static const struct {
        const char *type;
        struct parameter parameters[2];
    } kinds[TRX_OBJECT_TYPES] = {
        [TRX_OBJECT_THREAD] = {"   THREAD     ", {{"       Stack Start:   ", true, 0}, {"               Stack Size:       ", false, 0}}},
        [TRX_OBJECT_TIMER] = {"   TIMER      ", {{"       Initial Ticks: ", false, 8}, {"               Reschedule Ticks: ", false, 0}}},
        [TRX_OBJECT_QUEUE] = {"   QUEUE      ", {{"       Queue Size:    ", false, 8}, {"               Message Size:     ", false, 0}}},
        [TRX_OBJECT_SEMAPHORE] = {"   SEMAPHORE  ", {{"       Initial Count: ", false, 8}, {NULL, false, 0}}},
        [TRX_OBJECT_MUTEX] = {"   MUTEX      ", {{NULL, false, 0}, {NULL, false, 0}}},
        [TRX_OBJECT_EVENT_FLAGS] = {"   EVENT FLAGS", {{NULL, false, 0}, {NULL, false, 0}}},
        [TRX_OBJECT_BLOCK_POOL] = {"   BLOCK POOL ", {{"       Total Blocks:  ", false, 8}, {"               Block Size:       ", false, 0}}},
        [TRX_OBJECT_BYTE_POOL] = {"   BYTE POOL  ", {{"       Total Size:    ", false, 8}, {NULL, false, 0}}},
        [TRX_OBJECT_MEDIA] = {"   FX MEDIA   ", {{NULL, false, 0}, {NULL, false, 0}}},
        [TRX_OBJECT_FILE] = {"   FX FILE    ", {{NULL, false, 0}, {NULL, false, 0}}},
        [TRX_OBJECT_IP] = {"   NX IP      ", {{"       Stack Address: ", true, 0}, {"               Stack Size:       ", false, 0}}},
        [TRX_OBJECT_PACKET_POOL] = {"   NX PK POOL ", {{"       Packet Size:   ", false, 8}, {"               Number of Packets:", false, 0}}},
        [TRX_OBJECT_TCP_SOCKET] = {"   NX TCP SOC ", {{"       Type of Serv:  ", true, 0}, {"               Window Size:      ", false, 0}}},
        [TRX_OBJECT_UDP_SOCKET] = {"   NX UDP SOC ", {{"       Type of Serv:  ", true, 0}, {"               Receive Queue Max:", false, 0}}},
    };
    /* clang-format on */
    unsigned type = object->object ? object->object->type : TRX_OBJECT_THREAD;
    bool known = type < TRX_OBJECT_TYPES && kinds[type].type;
    tracex_put(printer, "  ");
    tracex_put_hex(printer, object->address);
    tracex_put(printer, known ? kinds[type].type : "   UNKNOWN");
    tracex_put(printer, "  ");
    tracex_put_name(printer, object, 32);
    for (unsigned i = 0; i < 2; i++) {
        size_t start = printer->text.used;
        tracex_put(printer, "         ");
        tt_text_hex(&printer->text, object->object ? object->object->reserved[i] : 0, 2);
        for (size_t at = start; at < printer->text.used; at++) {
            char *c = &printer->text.buffer[at];
            *c = *c >= 'a' && *c <= 'f' ? (char)(*c - 'a' + 'A') : *c;
        }
    }
    for (unsigned i = 0; known && i < 2; i++) {
        print_parameter(printer, &kinds[type].parameters[i],
                        object->object ? object->object->parameters[i] : 0);
    }
    if (type == TRX_OBJECT_MUTEX) {
        tracex_put(printer, object->object->parameters[0] == 0
                                ? "       No Inheritance"
                                : "       Priority Inheritance Enabled");
    }
    tracex_end_line(printer);
}

/* ---- statistics ---------------------------------------------------------------------------- */

static void print_performance(struct printer *printer)
{
    const struct tracex *tracex = printer->x;
    put_title(printer, "************** Performance Statistics ***********************\n");
    put_count(printer, "Context Switches:    ", tracex->switches);
    put_count(printer, "Thread Preemptions:  ", tracex->preemptions);
    put_count(printer, "Time Slices:         ", tracex->slices);
    put_count(printer, "Thread Suspensions:  ", tracex->suspensions);
    put_count(printer, "Thread Resumptions:  ", tracex->resumptions);
    put_count(printer, "Interrupts:          ", tracex->interrupts);
    put_count(printer, "Nested Interrupts:   ", tracex->nested);
    tracex_put(printer, "Priority Inversions: ");
    tracex_put_number(printer, tracex->inversion_count, 0);
    tt_text_char(&printer->text, '/');
    tracex_put_number(printer, tracex->bad_count, 0);
    tracex_end_line(printer);
}

/* Ticks and their share of the capture. */
static void tracex_put_share(struct printer *printer, uint64_t ticks)
{
    uint64_t whole = printer->x->ticks;
    tt_text_char(&printer->text, ' ');
    put_ticks(printer, ticks);
    tracex_put(printer, "        ");
    if (ticks > 0 && ticks < whole / 100 + (whole % 100 != 0)) {
        tracex_put(printer, "<1%");
    } else {
        uint64_t hundredth = whole / 100;
        uint64_t share = whole == 0                  ? 0
                         : ticks <= UINT64_MAX / 100 ? ticks * 100 / whole
                                                     : ticks / (hundredth ? hundredth : 1);
        tt_text_u64_width(&printer->text, share, 2, '0');
        tracex_put(printer, "%");
    }
    tracex_put(printer, "  ");
}

static void print_execution(struct printer *printer)
{
    put_title(printer, "************** Thread Execution *****************************");
    tracex_put(printer, "   Total Ticks      Percentage          Name\n\n");
    for (uint32_t i = 0; i < printer->x->object_count; i++) {
        const struct tracex_object *object = &printer->x->objects[i];
        if (object->is_thread) {
            tracex_put_share(printer, found_at(printer->x, object)->ticks);
            tracex_put_name(printer, object, 0);
            tracex_end_line(printer);
        }
    }
    tracex_put_share(printer, printer->x->idle_ticks);
    tracex_put_line(printer, "Idle System");
    tracex_put_share(printer, printer->x->interrupt_ticks);
    tracex_put_line(printer, "Interrupt");
}

static void print_stacks(struct printer *printer)
{
    put_title(printer, "************** Thread Stack Usage ***************************");
    tracex_put(printer, "   Stack Size\tMinimum   Event ID        Name\n\n");
    for (uint32_t i = 0; i < printer->x->object_count; i++) {
        const struct tracex_object *object = &printer->x->objects[i];
        uint64_t size = object->object ? object->object->parameters[1] : 0;
        if (!object->is_thread) {
            continue;
        }
        tt_text_char(&printer->text, ' ');
        tracex_put_number(printer, size, 8);
        if (size == object->stack_min) {
            tracex_put(printer, "          ---       ---");
        } else {
            tracex_put(printer, "     ");
            tracex_put_number(printer, object->stack_min, 8);
            tracex_put(printer, "  ");
            tracex_put_number(printer, object->stack_event, 8);
        }
        tracex_put(printer, "     ");
        tracex_put_name(printer, object, 0);
        tracex_end_line(printer);
    }
}

struct counter {
    const char *label;
    uint8_t value;
};

static void print_counters(struct printer *printer, const struct counter *counters, size_t count,
                           const uint64_t *values)
{
    for (size_t i = 0; i < count; i++) {
        put_count(printer, counters[i].label, values[counters[i].value]);
    }
}

static void print_filex(struct printer *printer)
{
    static const struct counter counters[] = {
        {"Media Statistics:\n  Opens:         ", TT_FILEX_media_opens},
        {"  Closes:        ", TT_FILEX_media_closes},
        {"  Aborts:        ", TT_FILEX_media_aborts},
        {"  Flushes:       ", TT_FILEX_media_flushes},
        {"\nDirectory Statistics:\n  Reads:         ", TT_FILEX_directory_reads},
        {"  Writes:        ", TT_FILEX_directory_writes},
        {"  Cache Misses:  ", TT_FILEX_directory_misses},
        {"\nFile Statistics:\n  Opens:         ", TT_FILEX_file_opens},
        {"  Closes:        ", TT_FILEX_file_closes},
        {"  Bytes Read:    ", TT_FILEX_bytes_read},
        {"  Bytes Written: ", TT_FILEX_bytes_written},
        {"\nLogical Sector Statistics:\n  Reads:         ", TT_FILEX_sector_reads},
        {"  Writes:        ", TT_FILEX_sector_writes},
        {"  Cache Misses:  ", TT_FILEX_sector_misses},
    };
    put_title(printer,
              "************** FileX Performance Statistics *****************************\n");
    print_counters(printer, counters, sizeof counters / sizeof *counters, printer->x->filex);
}

static void print_netx(struct printer *printer)
{
    static const struct counter counters[] = {
        {"\n\nARP Statistics:\n  Requests Sent:              ", TT_NETX_arp_requests_sent},
        {"  Responses Sent:             ", TT_NETX_arp_responses_sent},
        {"  Requests Received:          ", TT_NETX_arp_requests_received},
        {"  Responses Received:         ", TT_NETX_arp_responses_received},
        {"\nPacket Pool Statistics:\n  Allocations:                ", TT_NETX_allocations},
        {"  Releases:                   ", TT_NETX_releases},
        {"  Empty Allocation Requests:  ", TT_NETX_empty_allocations},
        {"  Invalid Releases:           ", TT_NETX_invalid_releases},
        {"\nPing Statistics:\n  Pings Sent:                 ", TT_NETX_pings_sent},
        {"  Ping Responses:             ", TT_NETX_ping_responses},
        {"\nIP Statistics:\n  Packets Sent:               ", TT_NETX_ip_packets_sent},
        {"  Total Bytes Sent:           ", TT_NETX_ip_bytes_sent},
        {"  Packets Received:           ", TT_NETX_ip_packets_received},
        {"  Total Bytes Received:       ", TT_NETX_ip_bytes_received},
        {"\nTCP Statistics:\n  Client Connections:         ", TT_NETX_tcp_client_connections},
        {"  Server Connections:         ", TT_NETX_tcp_server_connections},
        {"  Packets Sent:               ", TT_NETX_tcp_packets_sent},
        {"  Total Bytes Sent:           ", TT_NETX_tcp_bytes_sent},
        {"  Packets Received:           ", TT_NETX_tcp_packets_received},
        {"  Total Bytes Received:       ", TT_NETX_tcp_bytes_received},
        {"\nUDP Statistics:\n  Packets Sent:               ", TT_NETX_udp_packets_sent},
        {"  Total Bytes Sent:           ", TT_NETX_udp_bytes_sent},
        {"  Packets Received:           ", TT_NETX_udp_packets_received},
        {"  Total Bytes Received:       ", TT_NETX_udp_bytes_received},
    };
    put_title(printer, "************** NetX Performance Statistics *****************************");
    print_counters(printer, counters, sizeof counters / sizeof *counters, printer->x->netx);
}

/* Appends TraceX's name of an event, padded as in its table. */
static void put_caption(struct printer *printer, uint32_t id)
{
    const char *caption = trx_tracex_caption(id);
    size_t start = printer->text.used, width = id < 780 ? 26 : 25;
    tracex_put(printer, caption ? caption : "INVALID");
    width = printer->text.used - start > width ? 2 * width : width;
    tt_text_pad_to(&printer->text, start, caption || id == 307 ? width : 9, 0);
}

static void print_services(struct printer *printer)
{
    put_title(printer, "************** Popular Services *****************************");
    tracex_put(printer, "   Service ID        Count \n\n");
    for (size_t i = 0; i < printer->x->popular_count; i++) {
        const struct tracex_popular *popular = &printer->x->popular[i];
        if (popular->id < 438) { /* the first id that TraceX does not name in this list */
            put_caption(printer, popular->id);
            tt_text_char(&printer->text, '(');
        } else {
            tracex_put(printer, "USER EVENT             (");
        }
        tracex_put_number(printer, popular->id, 5);
        tracex_put(printer, ")        ");
        tracex_put_number(printer, popular->count, 8);
        tracex_end_line(printer);
    }
}

/* ---- events -------------------------------------------------------------------------------- */

/* Appends a context in a column; `idle`: what the system's idleness is called. */
static void put_context(struct printer *printer, uint64_t address, const char *idle)
{
    size_t start = printer->text.used, width = 34;
    char name[NAME_MAX];
    tracex_put(printer, "       ");
    if (address == TRX_ADDRESS_INIT || address == TRX_ADDRESS_ISR || address == 0) {
        tracex_put(printer, address == TRX_ADDRESS_INIT  ? "Initialization"
                            : address == TRX_ADDRESS_ISR ? "Interrupt"
                                                         : idle);
    } else {
        uint32_t object = trx_tracex_object(printer->x, address);
        if (object != TRX_TRACEX_NONE) {
            size_t length = tracex_name_of(printer->x, &printer->x->objects[object], name);
            tt_text_bytes(&printer->text, name, length < SHORT_NAME ? length : SHORT_NAME);
        } else {
            tracex_put(printer, "No Name Found");
            width++;
        }
        tracex_put(printer, " (");
        tracex_put_hex(printer, address);
        tt_text_char(&printer->text, ')');
    }
    tt_text_pad_to(&printer->text, start, width, 0);
}

static void tracex_put_priority(struct printer *printer, const struct tracex_event *event)
{
    if (event->context == TRX_ADDRESS_ISR) {
        tracex_put(printer, "    ");
        tracex_put_hex(printer, event->priority);
        tracex_put(printer, "    ");
        return;
    }
    if (event->context == TRX_ADDRESS_INIT) {
        tracex_put(printer, "           -    ");
        return;
    }
    tracex_put(printer, "    ");
    tracex_put_number(printer, event->priority, 8);
    if (event->threshold == TRX_TRACEX_NONE) {
        tracex_put(printer, " (   ?)    ");
    } else {
        tracex_put(printer, " (");
        tracex_put_number(printer, event->threshold, 4);
        tracex_put(printer, ")    ");
    }
}

static void print_event(struct printer *printer, const struct tracex_event *event,
                        size_t *inversion)
{
    static const char *const labels[] = {"    I1: ", "    I2: ", "    I3: ", "    I4: "};
    tracex_put_number(printer, event->number, 8);
    tracex_put(printer, "        ");
    put_ticks(printer, event->ticks);
    tracex_put(printer, "    ");
    if (event->id < TRX_FIRST_USER_ID) {
        put_caption(printer, event->id);
        tracex_put(printer, " (");
    } else {
        tracex_put(printer, "USER EVENT              (");
    }
    tracex_put_number(printer, event->id, 5);
    tt_text_char(&printer->text, ')');
    put_context(printer, event->context, "Idle");
    tracex_put_priority(printer, event);
    put_context(printer, event->next, "Idle System");
    for (unsigned i = 0; i < 4; i++) {
        tracex_put(printer, labels[i]);
        tracex_put_hex(printer, event->info[i]);
    }
    tracex_put(printer, "        ");
    tracex_put_hex(printer, event->stamp);
    tracex_put(printer, "            ");

    /* Appends the ends of the inversions that begin at an event; `inversion` moves past them. */
    const struct tracex *tracex = printer->x;
    uint64_t ends[2] = {0, 0};
    for (; *inversion < tracex->listed && tracex->inversions[*inversion].begin <= event->number;
         (*inversion)++) {
        if (tracex->inversions[*inversion].begin == event->number) {
            ends[tracex->inversions[*inversion].bad] = tracex->inversions[*inversion].end;
        }
    }
    tracex_put_number(printer, ends[0], 0);
    tt_text_char(&printer->text, '-');
    tracex_put_number(printer, ends[1], 0);

    tracex_put(printer, "             ");
    if (event->id == TRX_ID_RUNNING) {
        tracex_put(printer, "--------          --------");
    } else {
        tracex_put_hex(printer, event->raw_id);
        tracex_put(printer, "          ");
        tracex_put_hex(printer, event->raw_priority);
    }
    tracex_end_line(printer);
}

/* Prints the wanted events: those of the cursor and those of the walk are the same. */
static struct tt_status tracex_print_events(struct printer *printer, struct tt_capture *capture)
{
    struct tt_cursor *cursor = trx_cursor_new(capture, false);
    struct tt_event *events = malloc(BATCH_EVENTS * sizeof *events);
    enum tt_decode_result result = cursor && events ? TT_DECODE_MORE : TT_DECODE_MEMORY;
    struct tracex_walk w;
    struct tracex_event e;
    size_t inversion = 0;
    put_stars(printer, "\n\n", 135, " Trace Events ", 152);
    tracex_put(
        printer,
        "  Event Number     Relative Time                   Event                          Context"
        "                        Priority                Next Context                    Info1"
        "           Info2           Info3           Info4        Raw Time Stamp    Priority "
        "Inversion   Raw Event        Raw Priority\n\n");
    trx_tracex_walk_begin(printer->x, &w);
    while (result == TT_DECODE_MORE && !printer->sink->stopped) {
        struct tt_batch batch = {.events = events, .capacity = BATCH_EVENTS};
        result = trx_decode(cursor, printer->x->limit, true, &batch);
        for (uint32_t i = 0; i < batch.count && !printer->sink->stopped; i++) {
            if (!trx_tracex_walk_next(&w, &e)) {
                break;
            }
            if (!printer->wanted || printer->wanted(printer->arg, &events[i])) {
                print_event(printer, &e, &inversion);
            }
        }
    }
    put_stars(printer, "", 136, " Trace Done ", 152);
    tracex_end_line(printer);
    trx_cursor_free(cursor);
    free(events);
    return result == TT_DECODE_MEMORY ? tt_error_memory() : tt_ok();
}

/* ---- the whole capture --------------------------------------------------------------------- */

struct tt_status tt_style_tracex(struct tt_capture *capture, struct tt_sink *sink,
                                 bool (*wanted)(void *arg, const struct tt_event *event), void *arg)
{
    struct tracex x;
    struct printer p = {.x = &x, .wanted = wanted, .arg = arg, .sink = sink};
    char *buffer = malloc(BUFFER_BYTES);
    struct tt_status status = tt_error_memory();
    bool opened = trx_tracex_open(&x, capture, capture->bytes.size);
    if (buffer && opened && trx_tracex_count(&x, capture)) {
        p.text = tt_text_of(buffer, BUFFER_BYTES);
        print_header(&p);
        print_threads(&p);

        put_title(
            &p, "**************************************************************** Objects in Trace "
                "*****************************************************************");
        tracex_put(
            &p,
            "   Address       Type                  Name                    Reserved1  Reserved2"
            "        Parameter 1                          Parameter 2\n\n");
        for (uint32_t i = 0; i < p.x->object_count; i++) {
            print_object(&p, &p.x->objects[i]);
        }

        print_performance(&p);
        print_execution(&p);
        print_stacks(&p);
        print_filex(&p);
        print_netx(&p);
        print_services(&p);
        status = tracex_print_events(&p, capture);
        tt_sink_flush(sink, &p.text);
    }
    trx_tracex_free(&x);
    free(buffer);
    return status;
}

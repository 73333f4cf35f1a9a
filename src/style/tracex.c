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
    bool (*write)(void *arg, const char *bytes, size_t length);
    void *arg;
    bool stopped; /* the writer returned false */
};

/* ---- pieces of lines ----------------------------------------------------------------------- */

static void flush(struct printer *p)
{
    if (!p->stopped && p->text.used > 0) {
        p->stopped = !p->write(p->arg, p->text.buffer, p->text.used);
    }
    p->text.used = 0;
}

static void end_line(struct printer *p)
{
    tt_text_char(&p->text, '\n');
    if (p->text.capacity - p->text.used < LINE_MAX) {
        flush(p);
    }
}

static void put(struct printer *p, const char *text)
{
    tt_text_str(&p->text, text);
}

/* A line of its own. */
static void put_line(struct printer *p, const char *text)
{
    put(p, text);
    end_line(p);
}

static void put_hex(struct printer *p, uint64_t value)
{
    size_t start = p->text.used;
    tt_text_hex(&p->text, value, 8);
    for (size_t i = start; i < p->text.used; i++) {
        char *c = &p->text.buffer[i];
        *c = *c >= 'a' && *c <= 'f' ? (char)(*c - 'a' + 'A') : *c;
    }
}

static void put_number(struct printer *p, uint64_t value, unsigned width)
{
    tt_text_u64_width(&p->text, value, width, ' ');
}

static void put_ticks(struct printer *p, uint64_t value)
{
    tt_text_u64_width(&p->text, value, 20, '0');
}

/* "Label:    12" */
static void put_count(struct printer *p, const char *label, uint64_t value)
{
    put(p, label);
    put_number(p, value, 0);
    end_line(p);
}

static void put_address(struct printer *p, const char *label, uint64_t value)
{
    put(p, label);
    put_hex(p, value);
    end_line(p);
}

/* A title between stars. */
static void put_stars(struct printer *p, const char *before, size_t left, const char *title,
                      size_t right)
{
    put(p, before);
    tt_text_fill(&p->text, '*', left);
    put(p, title);
    tt_text_fill(&p->text, '*', right);
    end_line(p);
}

static void put_title(struct printer *p, const char *title)
{
    put(p, "\n\n");
    put_line(p, title);
}

/* Returns the name of an object as TraceX has it: unprintable bytes are left out. */
static size_t name_of(const struct tracex *x, const struct tracex_object *o, char *name)
{
    size_t length, used = 0;
    if (!o->object) {
        return (size_t)snprintf(name, NAME_MAX, "Un-named Thread");
    }
    const char *text = tt_capture_text(x->d->capture, o->object->name, &length);
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

static void put_name(struct printer *p, const struct tracex_object *o, unsigned width)
{
    char name[NAME_MAX];
    size_t length = name_of(p->x, o, name);
    tt_text_fill(&p->text, ' ', length < width ? width - length : 0);
    tt_text_bytes(&p->text, name, length);
}

/* ---- header, threads, objects -------------------------------------------------------------- */

static uint32_t count_threads(const struct tracex *x)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < x->object_count; i++) {
        count += x->objects[i].is_thread;
    }
    return count;
}

static void print_header(struct printer *p)
{
    const struct trx_header *h = &p->x->d->header;
    put_line(p, "******************************************************* TraceX Version "
                "Azure RTOS TraceX 6.2.1.0 "
                "***************************************************************");
    put(p, "\nInput Trace File:     -\nOutput Trace File:    -\n");
    put_title(p, "************** Trace File Header Information ****************");
    end_line(p);
    put_count(p, "Total Threads:       ", count_threads(p->x));
    put_count(p, "Total Events:        ", p->x->events);
    put(p, "Max Relative Ticks:  ");
    put_ticks(p, p->x->ticks);
    end_line(p);
    put_line(p, h->big ? "Trace ID:            54585442" : "Trace ID:            42545854");
    put_address(p, "Timer Mask:          ", h->mask);
    put_count(p, "Object Name Size:    ", h->name_size);
    put_address(p, "Trace Base Address:  ", h->base);
    put_address(p, "Object Start:        ", h->registry_start);
    put_address(p, "Object End:          ", h->registry_end);
    put_address(p, "Buffer Start:        ", h->buffer_start);
    put_address(p, "Buffer End:          ", h->buffer_end);
    put_address(p, "Buffer Oldest:       ", h->buffer_oldest);
}

static void put_range(struct printer *p, const char *label, uint64_t low, uint64_t high)
{
    put(p, label);
    if (low == TRX_TRACEX_NONE) {
        put(p, "?/?");
    } else {
        put_number(p, low, 0);
        tt_text_char(&p->text, '/');
        put_number(p, high, 0);
    }
    put(p, ") ");
}

/* Returns the object that TraceX finds at the address of this one. */
static const struct tracex_object *found_at(const struct tracex *x, const struct tracex_object *o)
{
    uint32_t i = trx_tracex_object(x, o->address);
    return i < x->object_count ? &x->objects[i] : o;
}

static void print_threads(struct printer *p)
{
    put_title(p, "****************************************** Threads in this Trace "
                 "*****************************************");
    put(p, "   Address        Stack         Total Events               Name\n\n");
    for (uint32_t i = 0; i < p->x->object_count; i++) {
        const struct tracex_object *o = &p->x->objects[i];
        if (!o->is_thread) {
            continue;
        }
        uint64_t start = o->object ? o->object->parameters[0] : 0;
        put(p, "  ");
        put_hex(p, o->address);
        put(p, "  ");
        put_hex(p, start);
        tt_text_char(&p->text, '-');
        put_hex(p, start + (o->object ? o->object->parameters[1] : 0));
        put(p, "  ");
        put_number(p, found_at(p->x, o)->events, 8);
        put(p, "  ");
        put_name(p, o, 0);
        put_range(p, " (Priority: ", o->low, o->high);
        put_range(p, " (Preemption-Threshold: ", o->threshold_low, o->threshold_high);
        end_line(p);
    }
}

/* How the dump prints a parameter. */
struct parameter {
    const char *label; /* NULL: not printed */
    bool hex;
    uint8_t width;
};

static void print_parameter(struct printer *p, const struct parameter *parameter, uint64_t value)
{
    if (parameter->label) {
        put(p, parameter->label);
        if (parameter->hex) {
            put_hex(p, value);
        } else {
            tt_text_u64_width(&p->text, (uint32_t)value, parameter->width, ' ');
        }
    }
}

static void print_object(struct printer *p, const struct tracex_object *o)
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
    unsigned type = o->object ? o->object->type : TRX_OBJECT_THREAD;
    bool known = type < TRX_OBJECT_TYPES && kinds[type].type;
    put(p, "  ");
    put_hex(p, o->address);
    put(p, known ? kinds[type].type : "   UNKNOWN");
    put(p, "  ");
    put_name(p, o, 32);
    for (unsigned i = 0; i < 2; i++) {
        size_t start = p->text.used;
        put(p, "         ");
        tt_text_hex(&p->text, o->object ? o->object->reserved[i] : 0, 2);
        for (size_t at = start; at < p->text.used; at++) {
            char *c = &p->text.buffer[at];
            *c = *c >= 'a' && *c <= 'f' ? (char)(*c - 'a' + 'A') : *c;
        }
    }
    for (unsigned i = 0; known && i < 2; i++) {
        print_parameter(p, &kinds[type].parameters[i], o->object ? o->object->parameters[i] : 0);
    }
    if (type == TRX_OBJECT_MUTEX) {
        put(p, o->object->parameters[0] == 0 ? "       No Inheritance"
                                             : "       Priority Inheritance Enabled");
    }
    end_line(p);
}

static void print_objects(struct printer *p)
{
    put_title(p,
              "**************************************************************** Objects in Trace "
              "*****************************************************************");
    put(p, "   Address       Type                  Name                    Reserved1  Reserved2"
           "        Parameter 1                          Parameter 2\n\n");
    for (uint32_t i = 0; i < p->x->object_count; i++) {
        print_object(p, &p->x->objects[i]);
    }
}

/* ---- statistics ---------------------------------------------------------------------------- */

static void print_performance(struct printer *p)
{
    const struct tracex *x = p->x;
    put_title(p, "************** Performance Statistics ***********************\n");
    put_count(p, "Context Switches:    ", x->switches);
    put_count(p, "Thread Preemptions:  ", x->preemptions);
    put_count(p, "Time Slices:         ", x->slices);
    put_count(p, "Thread Suspensions:  ", x->suspensions);
    put_count(p, "Thread Resumptions:  ", x->resumptions);
    put_count(p, "Interrupts:          ", x->interrupts);
    put_count(p, "Nested Interrupts:   ", x->nested);
    put(p, "Priority Inversions: ");
    put_number(p, x->inversion_count, 0);
    tt_text_char(&p->text, '/');
    put_number(p, x->bad_count, 0);
    end_line(p);
}

/* Ticks and their share of the capture. */
static void put_share(struct printer *p, uint64_t ticks)
{
    uint64_t whole = p->x->ticks;
    tt_text_char(&p->text, ' ');
    put_ticks(p, ticks);
    put(p, "        ");
    if (ticks > 0 && ticks < whole / 100 + (whole % 100 != 0)) {
        put(p, "<1%");
    } else {
        uint64_t hundredth = whole / 100;
        uint64_t share = whole == 0                  ? 0
                         : ticks <= UINT64_MAX / 100 ? ticks * 100 / whole
                                                     : ticks / (hundredth ? hundredth : 1);
        tt_text_u64_width(&p->text, share, 2, '0');
        put(p, "%");
    }
    put(p, "  ");
}

static void print_execution(struct printer *p)
{
    put_title(p, "************** Thread Execution *****************************");
    put(p, "   Total Ticks      Percentage          Name\n\n");
    for (uint32_t i = 0; i < p->x->object_count; i++) {
        const struct tracex_object *o = &p->x->objects[i];
        if (o->is_thread) {
            put_share(p, found_at(p->x, o)->ticks);
            put_name(p, o, 0);
            end_line(p);
        }
    }
    put_share(p, p->x->idle_ticks);
    put_line(p, "Idle System");
    put_share(p, p->x->interrupt_ticks);
    put_line(p, "Interrupt");
}

static void print_stacks(struct printer *p)
{
    put_title(p, "************** Thread Stack Usage ***************************");
    put(p, "   Stack Size\tMinimum   Event ID        Name\n\n");
    for (uint32_t i = 0; i < p->x->object_count; i++) {
        const struct tracex_object *o = &p->x->objects[i];
        uint64_t size = o->object ? o->object->parameters[1] : 0;
        if (!o->is_thread) {
            continue;
        }
        tt_text_char(&p->text, ' ');
        put_number(p, size, 8);
        if (size == o->stack_min) {
            put(p, "          ---       ---");
        } else {
            put(p, "     ");
            put_number(p, o->stack_min, 8);
            put(p, "  ");
            put_number(p, o->stack_event, 8);
        }
        put(p, "     ");
        put_name(p, o, 0);
        end_line(p);
    }
}

struct counter {
    const char *label;
    uint8_t value;
};

static void print_counters(struct printer *p, const struct counter *counters, size_t count,
                           const uint64_t *values)
{
    for (size_t i = 0; i < count; i++) {
        put_count(p, counters[i].label, values[counters[i].value]);
    }
}

static void print_filex(struct printer *p)
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
    put_title(p, "************** FileX Performance Statistics *****************************\n");
    print_counters(p, counters, sizeof counters / sizeof *counters, p->x->filex);
}

static void print_netx(struct printer *p)
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
    put_title(p, "************** NetX Performance Statistics *****************************");
    print_counters(p, counters, sizeof counters / sizeof *counters, p->x->netx);
}

/* Appends TraceX's name of an event, padded as in its table. */
static void put_caption(struct printer *p, uint32_t id)
{
    const char *caption = trx_tracex_caption(id);
    size_t start = p->text.used, width = id < 780 ? 26 : 25;
    put(p, caption ? caption : "INVALID");
    width = p->text.used - start > width ? 2 * width : width;
    tt_text_pad_to(&p->text, start, caption || id == 307 ? width : 9, 0);
}

static void print_services(struct printer *p)
{
    put_title(p, "************** Popular Services *****************************");
    put(p, "   Service ID        Count \n\n");
    for (size_t i = 0; i < p->x->popular_count; i++) {
        const struct tracex_popular *popular = &p->x->popular[i];
        if (popular->id < 438) { /* the first id that TraceX does not name in this list */
            put_caption(p, popular->id);
            tt_text_char(&p->text, '(');
        } else {
            put(p, "USER EVENT             (");
        }
        put_number(p, popular->id, 5);
        put(p, ")        ");
        put_number(p, popular->count, 8);
        end_line(p);
    }
}

/* ---- events -------------------------------------------------------------------------------- */

/* Appends a context in a column; `idle`: what the system's idleness is called. */
static void put_context(struct printer *p, uint64_t address, const char *idle)
{
    size_t start = p->text.used, width = 34;
    char name[NAME_MAX];
    put(p, "       ");
    if (address == TRX_ADDRESS_INIT || address == TRX_ADDRESS_ISR || address == 0) {
        put(p, address == TRX_ADDRESS_INIT  ? "Initialization"
               : address == TRX_ADDRESS_ISR ? "Interrupt"
                                            : idle);
    } else {
        uint32_t object = trx_tracex_object(p->x, address);
        if (object != TRX_TRACEX_NONE) {
            size_t length = name_of(p->x, &p->x->objects[object], name);
            tt_text_bytes(&p->text, name, length < SHORT_NAME ? length : SHORT_NAME);
        } else {
            put(p, "No Name Found");
            width++;
        }
        put(p, " (");
        put_hex(p, address);
        tt_text_char(&p->text, ')');
    }
    tt_text_pad_to(&p->text, start, width, 0);
}

static void put_priority(struct printer *p, const struct tracex_event *e)
{
    if (e->context == TRX_ADDRESS_ISR) {
        put(p, "    ");
        put_hex(p, e->priority);
        put(p, "    ");
        return;
    }
    if (e->context == TRX_ADDRESS_INIT) {
        put(p, "           -    ");
        return;
    }
    put(p, "    ");
    put_number(p, e->priority, 8);
    if (e->threshold == TRX_TRACEX_NONE) {
        put(p, " (   ?)    ");
    } else {
        put(p, " (");
        put_number(p, e->threshold, 4);
        put(p, ")    ");
    }
}

/* Appends the ends of the inversions that begin at an event; `from` moves past them. */
static void put_inversions(struct printer *p, const struct tracex_event *e, size_t *from)
{
    const struct tracex *x = p->x;
    uint64_t ends[2] = {0, 0};
    for (; *from < x->listed && x->inversions[*from].begin <= e->number; (*from)++) {
        if (x->inversions[*from].begin == e->number) {
            ends[x->inversions[*from].bad] = x->inversions[*from].end;
        }
    }
    put_number(p, ends[0], 0);
    tt_text_char(&p->text, '-');
    put_number(p, ends[1], 0);
}

static void print_event(struct printer *p, const struct tracex_event *e, size_t *inversion)
{
    static const char *const labels[] = {"    I1: ", "    I2: ", "    I3: ", "    I4: "};
    put_number(p, e->number, 8);
    put(p, "        ");
    put_ticks(p, e->ticks);
    put(p, "    ");
    if (e->id < TRX_FIRST_USER_ID) {
        put_caption(p, e->id);
        put(p, " (");
    } else {
        put(p, "USER EVENT              (");
    }
    put_number(p, e->id, 5);
    tt_text_char(&p->text, ')');
    put_context(p, e->context, "Idle");
    put_priority(p, e);
    put_context(p, e->next, "Idle System");
    for (unsigned i = 0; i < 4; i++) {
        put(p, labels[i]);
        put_hex(p, e->info[i]);
    }
    put(p, "        ");
    put_hex(p, e->stamp);
    put(p, "            ");
    put_inversions(p, e, inversion);
    put(p, "             ");
    if (e->id == TRX_ID_RUNNING) {
        put(p, "--------          --------");
    } else {
        put_hex(p, e->raw_id);
        put(p, "          ");
        put_hex(p, e->raw_priority);
    }
    end_line(p);
}

/* Prints the wanted events: those of the cursor and those of the walk are the same. */
static struct tt_status print_events(struct printer *p, struct tt_capture *c)
{
    struct tt_cursor *cursor = trx_cursor_new(c, false);
    struct tt_event *events = malloc(BATCH_EVENTS * sizeof *events);
    enum tt_decode_result result = cursor && events ? TT_DECODE_MORE : TT_DECODE_MEMORY;
    struct tracex_walk w;
    struct tracex_event e;
    size_t inversion = 0;
    put_stars(p, "\n\n", 135, " Trace Events ", 152);
    put(p,
        "  Event Number     Relative Time                   Event                          Context"
        "                        Priority                Next Context                    Info1"
        "           Info2           Info3           Info4        Raw Time Stamp    Priority "
        "Inversion   Raw Event        Raw Priority\n\n");
    trx_tracex_walk_begin(p->x, &w);
    while (result == TT_DECODE_MORE && !p->stopped) {
        struct tt_batch batch = {.events = events, .capacity = BATCH_EVENTS};
        result = trx_decode(cursor, p->x->limit, true, &batch);
        for (uint32_t i = 0; i < batch.count && !p->stopped; i++) {
            if (!trx_tracex_walk_next(&w, &e)) {
                break;
            }
            if (!p->wanted || p->wanted(p->arg, &events[i])) {
                print_event(p, &e, &inversion);
            }
        }
    }
    put_stars(p, "", 136, " Trace Done ", 152);
    end_line(p);
    trx_cursor_free(cursor);
    free(events);
    return result == TT_DECODE_MEMORY ? tt_error_memory() : tt_ok();
}

/* ---- the whole capture --------------------------------------------------------------------- */

struct tt_status tt_style_tracex(struct tt_capture *c,
                                 bool (*wanted)(void *arg, const struct tt_event *event),
                                 bool (*write)(void *arg, const char *bytes, size_t length),
                                 void *arg)
{
    struct tracex x;
    struct printer p = {.x = &x, .wanted = wanted, .write = write, .arg = arg};
    char *buffer = malloc(BUFFER_BYTES);
    struct tt_status status = tt_error_memory();
    bool opened = trx_tracex_open(&x, c, c->bytes.size);
    if (buffer && opened && trx_tracex_count(&x, c)) {
        p.text = tt_text_of(buffer, BUFFER_BYTES);
        print_header(&p);
        print_threads(&p);
        print_objects(&p);
        print_performance(&p);
        print_execution(&p);
        print_stacks(&p);
        print_filex(&p);
        print_netx(&p);
        print_services(&p);
        status = print_events(&p, c);
        flush(&p);
    }
    trx_tracex_free(&x);
    free(buffer);
    return status;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "format/trx/trx_counters.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define RELEASED UINT64_C(0xaaaaaaaa) /* status of a packet that is in use when it is released */

/* ---- rules --------------------------------------------------------------------------------- */

/* When a rule counts an event. */
enum when {
    ALWAYS,
    IF_NONE_LEFT,  /* the fourth word is 0 */
    IF_INVALID,    /* the second word is not that of a packet in use */
    IF_ECHO_REPLY, /* the upper half of the fourth word is 0: an ICMP header */
};

/* Adds 1, or an information word, to a value of the instance in another word. */
struct rule {
    uint16_t id;
    uint8_t value;
    uint8_t amount;   /* number of the word; 0: 1 */
    uint8_t instance; /* number of the word */
    uint8_t when;
};

/* clang-format off */
#define FX(id, value, amount, instance) {id, TT_FILEX_##value, amount, instance, ALWAYS}
#define NX(id, value, amount, instance, when) {id, TT_NETX_##value, amount, instance, when}
/* clang-format on */

/* In order of id. */
static const struct rule filex_rules[] = {
    FX(201, sector_misses, 0, 1),   FX(202, directory_misses, 0, 1), FX(203, media_flushes, 0, 1),
    FX(204, directory_reads, 0, 1), FX(205, directory_writes, 0, 1), FX(206, sector_reads, 3, 1),
    FX(207, sector_writes, 3, 1),   FX(243, file_closes, 0, 1),      FX(247, file_opens, 0, 2),
    FX(248, file_reads, 0, 1),      FX(248, bytes_read, 4, 1),       FX(254, file_writes, 0, 1),
    FX(254, bytes_written, 4, 1),   FX(255, media_aborts, 0, 1),     FX(255, errors, 0, 1),
    FX(257, errors, 4, 1),          FX(258, media_closes, 0, 1),     FX(261, media_opens, 0, 1),
};

static const struct rule netx_rules[] = {
    NX(300, arp_requests_received, 0, 1, ALWAYS),
    NX(301, arp_requests_sent, 0, 1, ALWAYS),
    NX(302, arp_responses_received, 0, 1, ALWAYS),
    NX(303, arp_responses_sent, 0, 1, ALWAYS),
    NX(304, ping_responses, 0, 1, IF_ECHO_REPLY),
    NX(308, ip_packets_received, 0, 1, ALWAYS),
    NX(308, ip_bytes_received, 4, 1, ALWAYS),
    NX(309, ip_packets_sent, 0, 1, ALWAYS),
    NX(309, ip_bytes_sent, 4, 1, ALWAYS),
    NX(314, errors, 0, 2, ALWAYS), /* a connection is reset */
    NX(315, errors, 0, 2, ALWAYS),
    NX(322, errors, 0, 2, ALWAYS), /* a segment is sent again */
    NX(362, pings_sent, 0, 1, ALWAYS),
    NX(386, allocations, 0, 1, ALWAYS),
    NX(386, empty_allocations, 0, 1, IF_NONE_LEFT),
    NX(386, errors, 0, 1, IF_NONE_LEFT),
    NX(394, releases, 0, 1, ALWAYS),
    NX(394, invalid_releases, 0, 1, IF_INVALID),
    NX(394, errors, 0, 1, IF_INVALID),
    NX(401, tcp_client_connections, 0, 2, ALWAYS),
    NX(407, tcp_server_connections, 0, 2, ALWAYS),
    NX(419, tcp_packets_received, 0, 1, ALWAYS),
    NX(419, tcp_bytes_received, 3, 1, ALWAYS),
    NX(421, tcp_packets_sent, 0, 1, ALWAYS),
    NX(421, tcp_bytes_sent, 3, 1, ALWAYS),
    NX(434, udp_packets_received, 0, 2, ALWAYS),
    NX(434, udp_bytes_received, 4, 2, ALWAYS),
    NX(436, udp_packets_sent, 0, 1, ALWAYS),
    NX(436, udp_bytes_sent, 3, 1, ALWAYS),
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool applies(const struct rule *rule, const struct trx_entry *entry)
{
    switch (rule->when) {
    case IF_NONE_LEFT:
        return entry->info[3] == 0;
    case IF_INVALID:
        return entry->info[1] != RELEASED;
    case IF_ECHO_REPLY:
        return (entry->info[3] & 0xffff0000u) == 0;
    default:
        return true;
    }
}

/* ---- instances ----------------------------------------------------------------------------- */

/* A packet and its pool, as the latest event has them. */
struct packet {
    uint64_t address;
    uint64_t pool;
};

struct counting {
    const struct trx_decoder *d;
    const struct tt_tool_query *query;
    uint64_t limit;
    const struct rule *rules;
    size_t rule_count;
    unsigned first_class; /* of the events that are operations */
    unsigned last_class;
    struct tt_tool_row *rows; /* objects of the registry, then others */
    size_t count;
    size_t capacity;
    struct tt_hash by_address; /* of the others */
    struct packet *packets;
    size_t packet_count;
    size_t packet_capacity;
    struct tt_hash by_packet;
    bool failed;
};

static uint64_t trx_counters_hash_of(uint64_t address)
{
    return tt_hash_of_pair(address, 0);
}

static struct packet *find_packet(const struct counting *counting, uint64_t address)
{
    struct tt_probe probe;
    for (uint32_t i = tt_hash_first(&counting->by_packet, trx_counters_hash_of(address), &probe);
         i != TT_HASH_NONE; i = tt_hash_next(&counting->by_packet, &probe)) {
        if (counting->packets[i].address == address) {
            return &counting->packets[i];
        }
    }
    return NULL;
}

/* Notes that a packet belongs to a pool. */
static void note_packet(struct counting *counting, uint64_t address, uint64_t pool)
{
    struct packet *packet = find_packet(counting, address);
    if (packet) {
        packet->pool = pool;
        return;
    }
    struct packet *room = tt_array_grow(counting->packets, counting->packet_count,
                                        &counting->packet_capacity, sizeof *room);
    if (!room || !tt_hash_add(&counting->by_packet, trx_counters_hash_of(address),
                              (uint32_t)counting->packet_count)) {
        counting->packets = room ? room : counting->packets;
        counting->failed = true;
        return;
    }
    counting->packets = room;
    counting->packets[counting->packet_count++] = (struct packet){address, pool};
}

static bool is_instance(unsigned arg_type)
{
    return arg_type == TRX_ARG_MEDIA || arg_type == TRX_ARG_FILE || arg_type == TRX_ARG_IP ||
           arg_type == TRX_ARG_PACKET_POOL || arg_type == TRX_ARG_SOCKET;
}

/*
 * Returns the word of an event with its instance: that of the rule, else the first that is one; 4: none.
 */
static unsigned instance_word(const struct trx_event_info *info, const struct rule *rule)
{
    unsigned word = rule ? rule->instance - 1u : 0;
    while (!rule && word < 4 && !is_instance(info->args[word].type)) {
        word++;
    }
    return word;
}

/* Returns the row of the instance that an entry refers to; NULL if out of memory. */
static struct tt_tool_row *trx_counters_row_of(struct counting *counting,
                                               const struct trx_entry *entry,
                                               const struct trx_event_info *info,
                                               const struct rule *rule)
{
    unsigned word = instance_word(info, rule);
    const uint8_t *types = word < 4 ? trx_arg_objects(info->args[word].type) : NULL;
    uint64_t address = word < 4 ? entry->info[word] : UINT64_MAX;
    static const uint8_t pools[] = {TRX_OBJECT_PACKET_POOL, TRX_OBJECT_NONE};
    if (info->class_ == TRX_CLASS_NX_PACKET && (word == 4 || !is_instance(info->args[word].type))) {
        const struct packet *packet = find_packet(counting, entry->info[0]);
        types = pools;
        address = packet ? packet->pool : UINT64_MAX;
    }
    const char *kind = types ? trx_object_info(*types)->name : "";
    const struct trx_object *object =
        address != UINT64_MAX ? trx_registry_find(&counting->d->registry, address, types) : NULL;
    for (; object && *types != TRX_OBJECT_NONE; types++) {
        if (object->type == *types) {
            return &counting->rows[object - counting->d->registry.objects];
        }
    }

    /* Finds the row of an object that the registry lacks. */
    struct tt_probe probe;
    for (uint32_t i = tt_hash_first(&counting->by_address, trx_counters_hash_of(address), &probe);
         i != TT_HASH_NONE; i = tt_hash_next(&counting->by_address, &probe)) {
        if (counting->rows[i].object == address) {
            return &counting->rows[i];
        }
    }
    struct tt_tool_row *room =
        tt_array_grow(counting->rows, counting->count, &counting->capacity, sizeof *room);
    if (!room || !tt_hash_add(&counting->by_address, trx_counters_hash_of(address),
                              (uint32_t)counting->count)) {
        counting->rows = room ? room : counting->rows;
        counting->failed = true;
        return NULL;
    }
    counting->rows = room;
    counting->rows[counting->count] =
        (struct tt_tool_row){.thread = TT_NO_THREAD,
                             .kind = kind,
                             .name = address == UINT64_MAX ? "unknown" : "",
                             .object = address};
    return &counting->rows[counting->count++];
}

static void count_entry(struct counting *counting, const struct trx_entry *entry, bool inside)
{
    uint32_t id = trx_id_of(entry->event);
    const struct trx_event_info *info = trx_type_info(counting->d, id);
    if (id == 386 || id == 387) { /* PACKET_ALLOCATE, PACKET_COPY */
        note_packet(counting, entry->info[1], entry->info[id == 386 ? 0 : 2]);
    }
    if (!inside || info->class_ < counting->first_class || info->class_ > counting->last_class) {
        return;
    }
    size_t first = 0;
    while (first < counting->rule_count && counting->rules[first].id < id) {
        first++;
    }
    bool has_rule = first < counting->rule_count && counting->rules[first].id == id;
    struct tt_tool_row *row =
        trx_counters_row_of(counting, entry, info, has_rule ? &counting->rules[first] : NULL);
    if (!row) {
        return;
    }
    row->values[0]++;
    for (size_t i = first; i < counting->rule_count && counting->rules[i].id == id; i++) {
        const struct rule *rule = &counting->rules[i];
        if (applies(rule, entry)) {
            row->values[rule->value] += rule->amount == 0 ? 1 : entry->info[rule->amount - 1];
        }
    }
}

/* ---- the ring ------------------------------------------------------------------------------ */

static bool trx_counters_has_bit(const uint64_t *bits, uint32_t count, uint32_t bit)
{
    return !bits || (bit < count && (bits[bit / 64] >> (bit % 64) & 1u));
}

static bool trx_counters_wants(const struct counting *counting, uint32_t thread, uint32_t core)
{
    return trx_counters_has_bit(counting->query->threads, counting->query->thread_limit, thread) &&
           trx_counters_has_bit(counting->query->cpus, counting->query->cpu_limit, core);
}

/* The previous entry of a core. */
struct core_time {
    uint64_t ticks;
    uint32_t next; /* context; TRX_NO_CONTEXT: there is no entry yet */
};

/* Adds the part of [from, to) inside the range to the context that has the core. */
static void count_time(struct counting *counting, const struct core_time *core, uint32_t number,
                       uint64_t to)
{
    const struct tt_key_range *range = &counting->query->range;
    uint64_t from = core->ticks > range->from_ticks ? core->ticks : range->from_ticks;
    to = to < range->to_ticks ? to : range->to_ticks;
    bool known = core->next < trx_context_count(counting->d);
    uint32_t thread = known ? trx_context_thread(counting->d, core->next) : TT_NO_THREAD;
    if (known && to > from && trx_counters_wants(counting, thread, number)) {
        counting->rows[core->next].values[0] += to - from;
    }
}

static bool trx_counters_is_inside(const struct tt_key_range *range, uint64_t ticks, uint64_t pos)
{
    bool after = ticks != range->from_ticks ? ticks > range->from_ticks : pos >= range->from_pos;
    return after && (ticks != range->to_ticks ? ticks < range->to_ticks : pos < range->to_pos);
}

static void trx_counters_walk(struct counting *counting)
{
    const struct trx_header *header = &counting->d->header;
    const struct trx_plan *plan = &counting->d->plan;
    bool profile = counting->query->table == TT_TOOL_PROFILE;
    struct core_time cores[TRX_CORES];
    uint64_t ticks = 0, before = 0;
    uint64_t end = counting->d->image ? counting->d->capture->bytes.size : counting->limit;
    for (size_t i = 0; i < TRX_CORES; i++) {
        cores[i] = (struct core_time){0, TRX_NO_CONTEXT};
    }
    for (uint32_t i = 0; i < plan->entries && !counting->failed; i++) {
        struct trx_entry entry;
        uint64_t offset = trx_entry_offset(counting->d, i);
        if (offset > end || end - offset < header->entry_size) {
            return;
        }
        trx_entry_load(header, trx_entry_at(counting->d, i), &entry);
        uint64_t stamp = trx_stamp_of(plan, header->mask, entry.event, entry.stamp);
        before = i > 0 ? before : stamp;
        ticks = trx_ticks_add(ticks, trx_stamp_step(plan, header->mask, &before, stamp));
        const struct trx_step *step = &plan->steps[i];
        uint32_t core = step->context >> TRX_STEP_CORE & (TRX_CORES - 1);
        uint32_t context = step->context & TRX_STEP_CONTEXT;
        bool inside = trx_counters_is_inside(&counting->query->range, ticks,
                                             (uint64_t)i * header->entry_size) &&
                      trx_counters_wants(counting, trx_context_thread(counting->d, context), core);
        if (profile) {
            count_time(counting, &cores[core], core, ticks);
            cores[core] = (struct core_time){ticks, step->next};
            counting->rows[context].values[1] += inside;
        } else {
            count_entry(counting, &entry, inside);
        }
    }
}

/* ---- rows ---------------------------------------------------------------------------------- */

static bool make_contexts(struct counting *counting)
{
    size_t count = trx_context_count(counting->d);
    counting->rows = calloc(count + 1, sizeof *counting->rows);
    for (size_t i = 0; counting->rows && i < count; i++) {
        counting->rows[i].thread = trx_context_thread(counting->d, (uint32_t)i);
        counting->rows[i].kind = i == TRX_IDLE ? "idle" : "";
        counting->rows[i].name = "";
        counting->rows[i].object = UINT64_MAX;
    }
    counting->count = counting->capacity = count;
    return counting->rows != NULL;
}

static bool make_objects(struct counting *counting)
{
    const struct trx_registry *registry = &counting->d->registry;
    counting->rows = calloc((size_t)registry->count + 1, sizeof *counting->rows);
    for (uint32_t i = 0; counting->rows && i < registry->count; i++) {
        size_t length;
        counting->rows[i].thread = TT_NO_THREAD;
        counting->rows[i].kind = trx_object_info(registry->objects[i].type)->name;
        counting->rows[i].name =
            tt_capture_text(counting->d->capture, registry->objects[i].name, &length);
        counting->rows[i].object = registry->objects[i].address;
    }
    counting->count = registry->count;
    counting->capacity = (size_t)registry->count + 1;
    return counting->rows != NULL;
}

static bool has_values(const struct tt_tool_row *row)
{
    for (size_t i = 0; i < TT_TOOL_VALUES; i++) {
        if (row->values[i] != 0) {
            return true;
        }
    }
    return false;
}

static bool count_and_take(struct counting *counting,
                           bool (*take)(void *arg, const struct tt_tool_row *row), void *arg)
{
    bool profile = counting->query->table == TT_TOOL_PROFILE;
    if (!(profile ? make_contexts(counting) : make_objects(counting))) {
        return false;
    }
    trx_counters_walk(counting);
    /* Threads in the order of the registry, then the other contexts. */
    size_t first = profile && counting->count > TRX_FIRST_THREAD ? TRX_FIRST_THREAD : 0;
    for (size_t i = 0; i < counting->count && !counting->failed; i++) {
        size_t place = (i + first) % counting->count;
        const struct tt_tool_row *row = &counting->rows[place];
        bool listed = profile && (place == TRX_IDLE || place >= TRX_FIRST_THREAD) &&
                      trx_counters_has_bit(counting->query->threads, counting->query->thread_limit,
                                           row->thread);
        if ((listed || has_values(row)) && !take(arg, row)) {
            break;
        }
    }
    return !counting->failed;
}

bool trx_tool_rows(const struct tt_capture *capture, const struct tt_tool_query *query,
                   uint64_t limit, bool (*take)(void *arg, const struct tt_tool_row *row),
                   void *arg)
{
    bool filex = query->table == TT_TOOL_FILEX;
    struct counting n = {.d = capture->decoder,
                         .query = query,
                         .limit = limit,
                         .rules = filex ? filex_rules : netx_rules,
                         .rule_count = filex ? COUNT(filex_rules) : COUNT(netx_rules),
                         .first_class = filex ? TRX_CLASS_FX_INTERNAL : TRX_CLASS_NX_INTERNAL,
                         .last_class = filex ? TRX_CLASS_FX_UNICODE : TRX_CLASS_NX_UDP};
    if (!atomic_load_explicit(&n.d->planned, memory_order_acquire)) {
        return true;
    }
    bool ok = count_and_take(&n, take, arg);
    free(n.rows);
    free(n.packets);
    tt_hash_free(&n.by_address);
    tt_hash_free(&n.by_packet);
    return ok;
}

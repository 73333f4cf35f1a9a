/* SPDX-License-Identifier: Apache-2.0 */
#include "format/trx/trx_container.h"

#include <string.h>

#define RECORD_MAX 272 /* bytes of the longest record: 255 and the fields around them */

struct text_walk {
    const uint8_t *data;
    uint64_t size;
    uint64_t pos;
    uint8_t *out;
    size_t used;
    size_t capacity;
    uint64_t segment;      /* Intel HEX: base that is added to a record's address */
    uint64_t next_address; /* of the byte after the last data record; UINT64_MAX: none yet */
    struct trx_container_report *report;
};

const char *trx_container_name(enum trx_container container)
{
    static const char *const names[] = {"none", "Intel HEX", "Motorola S-record", "hex dump"};
    return names[container <= TRX_CONTAINER_HEX_DUMP ? container : TRX_CONTAINER_NONE];
}

static int digit_value(uint8_t c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool trx_container_is_space(uint8_t c)
{
    return c == '\r' || c == '\n' || c == ' ' || c == '\t';
}

enum trx_container trx_container_guess(struct tt_bytes source)
{
    if (source.size < 2) {
        return TRX_CONTAINER_NONE;
    }
    const uint8_t *p = source.data;
    if (p[0] == ':' && digit_value(p[1]) >= 0) {
        return TRX_CONTAINER_INTEL_HEX;
    }
    if (p[0] == 'S' && p[1] >= '0' && p[1] <= '9') {
        return TRX_CONTAINER_S_RECORD;
    }
    if (digit_value(p[0]) >= 0 && digit_value(p[1]) >= 0) {
        return TRX_CONTAINER_HEX_DUMP;
    }
    return TRX_CONTAINER_NONE;
}

static void trx_container_count(uint64_t *counter, uint64_t *first, uint64_t where)
{
    if ((*counter)++ == 0) {
        *first = where;
    }
}

static void read_data(struct text_walk *walk, const uint8_t *data, size_t length)
{
    if (length > walk->capacity - walk->used) {
        length = walk->capacity - walk->used;
        walk->report->full = true;
    }
    if (length > 0) {
        memcpy(walk->out + walk->used, data, length);
        walk->used += length;
    }
}

static void read_addressed(struct text_walk *walk, uint64_t address, const uint8_t *data,
                           size_t length, uint64_t where)
{
    if (length == 0) {
        return;
    }
    if (walk->next_address != UINT64_MAX && address != walk->next_address) {
        trx_container_count(&walk->report->jumps, &walk->report->first_jump, where);
    }
    walk->next_address = address + length;
    read_data(walk, data, length);
}

/*
 * Reads the pairs of hex digits from walk->pos to the end of the line, and moves after the line end.
 * Returns the number of bytes; RECORD_MAX + 1 if the line has anything else or is too long.
 */
static size_t read_pairs(struct text_walk *walk, uint8_t record[RECORD_MAX])
{
    size_t length = 0;
    bool good = true;
    while (walk->pos < walk->size && walk->data[walk->pos] != '\n' &&
           walk->data[walk->pos] != '\r') {
        int high = digit_value(walk->data[walk->pos]);
        int low = walk->pos + 1 < walk->size ? digit_value(walk->data[walk->pos + 1]) : -1;
        if (high < 0 || low < 0 || length == RECORD_MAX) {
            good = good && trx_container_is_space(walk->data[walk->pos]);
            walk->pos++;
            continue;
        }
        record[length++] = (uint8_t)(high << 4 | low);
        walk->pos += 2;
    }
    while (walk->pos < walk->size && trx_container_is_space(walk->data[walk->pos])) {
        walk->pos++;
    }
    return good ? length : RECORD_MAX + 1;
}

static uint8_t sum_of(const uint8_t *bytes, size_t length)
{
    unsigned sum = 0;
    for (size_t i = 0; i < length; i++) {
        sum += bytes[i];
    }
    return (uint8_t)sum;
}

static uint64_t big_number(const uint8_t *bytes, size_t length)
{
    uint64_t value = 0;
    for (size_t i = 0; i < length; i++) {
        value = value << 8 | bytes[i];
    }
    return value;
}

/* Handles a line after its ':'. Returns false for the end record. */
static bool intel_record(struct text_walk *walk, uint64_t where)
{
    uint8_t record[RECORD_MAX];
    size_t length = read_pairs(walk, record);
    if (length < 5 || length > RECORD_MAX || length < (size_t)record[0] + 5) {
        trx_container_count(&walk->report->bad_lines, &walk->report->first_bad_line, where);
        return true;
    }
    length = (size_t)record[0] + 5;
    if (sum_of(record, length) != 0) {
        trx_container_count(&walk->report->bad_sums, &walk->report->first_bad_sum, where);
    }
    const uint8_t *data = record + 4;
    if (record[3] == 0) {
        read_addressed(walk, walk->segment + big_number(record + 1, 2), data, record[0], where);
    } else if (record[3] == 2 && record[0] == 2) {
        walk->segment = big_number(data, 2) << 4;
    } else if (record[3] == 4 && record[0] == 2) {
        walk->segment = big_number(data, 2) << 16;
    }
    return record[3] != 1;
}

/* Handles a line after its 'S'. Returns false for an end record. */
static bool s_record(struct text_walk *walk, uint64_t where)
{
    uint8_t type = walk->pos < walk->size ? walk->data[walk->pos] : 0;
    walk->pos += walk->pos < walk->size;
    uint8_t record[RECORD_MAX];
    size_t length = read_pairs(walk, record);
    size_t address = type >= '1' && type <= '3' ? (size_t)(type - '1') + 2 : 0;
    if (type < '0' || type > '9' || length < 2 || length > RECORD_MAX ||
        length < (size_t)record[0] + 1 || record[0] < address + 1) {
        trx_container_count(&walk->report->bad_lines, &walk->report->first_bad_line, where);
        return true;
    }
    length = (size_t)record[0] + 1;
    if (sum_of(record, length) != 0xff) {
        trx_container_count(&walk->report->bad_sums, &walk->report->first_bad_sum, where);
    }
    if (address > 0) {
        read_addressed(walk, big_number(record + 1, address), record + 1 + address,
                       length - 2 - address, where);
    }
    return type < '7';
}

static void walk_records(struct text_walk *walk, uint8_t mark,
                         bool (*take)(struct text_walk *walk, uint64_t where))
{
    while (walk->pos < walk->size && !walk->report->full) {
        uint64_t where = walk->pos;
        if (walk->data[walk->pos] == mark) {
            walk->pos++;
            if (!take(walk, where)) {
                return;
            }
            continue;
        }
        uint8_t skipped[RECORD_MAX];
        if (!trx_container_is_space(walk->data[walk->pos])) {
            trx_container_count(&walk->report->bad_lines, &walk->report->first_bad_line, where);
        }
        (void)read_pairs(walk, skipped);
    }
}

static void walk_dump(struct text_walk *walk)
{
    while (walk->pos < walk->size && walk->used < walk->capacity) {
        uint8_t c = walk->data[walk->pos];
        int high = digit_value(c);
        int low = walk->pos + 1 < walk->size ? digit_value(walk->data[walk->pos + 1]) : -1;
        if (high >= 0 && low >= 0) {
            walk->out[walk->used++] = (uint8_t)(high << 4 | low);
            walk->pos += 2;
            continue;
        }
        if (!trx_container_is_space(c)) {
            trx_container_count(&walk->report->bad_lines, &walk->report->first_bad_line, walk->pos);
        }
        walk->pos++;
    }
    while (walk->pos < walk->size && trx_container_is_space(walk->data[walk->pos])) {
        walk->pos++;
    }
    walk->report->full = walk->pos < walk->size;
}

size_t trx_container_decode(enum trx_container container, struct tt_bytes source, uint8_t *out,
                            size_t capacity, struct trx_container_report *report)
{
    struct text_walk w = {.data = source.data,
                          .size = source.size,
                          .out = out,
                          .capacity = capacity,
                          .next_address = UINT64_MAX,
                          .report = report};
    memset(report, 0, sizeof *report);
    if (container == TRX_CONTAINER_INTEL_HEX) {
        walk_records(&w, ':', intel_record);
    } else if (container == TRX_CONTAINER_S_RECORD) {
        walk_records(&w, 'S', s_record);
    } else if (container == TRX_CONTAINER_HEX_DUMP) {
        walk_dump(&w);
    }
    return w.used;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ftrace_records: the records of a page (kernel/trace/ring_buffer.c), one after the other:
 *
 *      page     u64 time | commit: lost, size of the data | records
 *      record   u32: type or length (5 bits), delta (27 bits) | data
 *
 *      1..28  event of 4 to 112 bytes     29  padding          31  absolute time
 *      0      event, its size follows     30  longer delta
 *
 * Inline: with a constant byte order the loop has no branch for it.
 */
#ifndef TRACETUI_FORMAT_FTRACE_FTRACE_RECORDS_H
#define TRACETUI_FORMAT_FTRACE_FTRACE_RECORDS_H

#include "tracetui/bytes.h"

enum { FTRACE_TYPE_LONG = 0, FTRACE_TYPE_PADDING = 29, FTRACE_TYPE_EXTEND = 30 };

#define FTRACE_COMMIT_LOST   0x80000000u
#define FTRACE_COMMIT_STORED 0x40000000u /* the number of lost events follows the data */
#define FTRACE_COMMIT_SIZE   0x07ffffffu
#define FTRACE_STAMP_HIGH    (UINT64_C(31) << 59) /* not in a record of absolute time */

/* The data of an event. */
struct ftrace_record {
    const uint8_t *data;
    uint32_t size;
    bool big;
};

/* A place among the records of a page. */
struct ftrace_records {
    const uint8_t *page; /* NULL: none */
    uint64_t time;       /* of the last record, in ticks of the file */
    uint64_t until;      /* that of the next page: no event is later */
    struct ftrace_record record;
    uint32_t at;    /* offset in the page of the last event, */
    uint32_t next;  /* of the next record, */
    uint32_t end;   /* and of the end of the data */
    uint32_t flags; /* FTRACE_COMMIT_LOST: events were lost before the page, */
    uint64_t lost;  /* this many; 0: not known */
    uint64_t cut;   /* bytes of data after `end` that are no records */
    uint32_t
        unsure;  /* bytes before `end` that may be damaged: the last record before what is none */
    bool is_odd; /* the time of the page contradicts those around it: it is not read */
    bool
        is_bad; /* the record at `next` is longer than the page, or later than `until`: the rest is not read */
};

/* Moves to the next event of the page. Returns false at its end. */
static inline bool ftrace_next_record(struct ftrace_records *records, bool big)
{
    const uint8_t *page = records->page;
    uint32_t at = records->next;
    while (page && records->end - at >= 4) {
        uint32_t word = tt_load_u32(page + at, big);
        uint32_t type = big ? word >> 27 : word & 31;
        uint32_t delta = big ? word & FTRACE_COMMIT_SIZE : word >> 5;
        uint32_t left = records->end - at - 4;
        if (type - 1 < 28) {
            if (type * 4 > left || records->time + delta > records->until) {
                break;
            }
            records->time += delta;
            records->record = (struct ftrace_record){page + at + 4, type * 4, big};
            records->at = at;
            records->next = at + 4 + type * 4;
            return true;
        }
        if (type == FTRACE_TYPE_PADDING && delta == 0) {
            records->next = records->end;
            return false;
        }
        if (left < 4) {
            break;
        }
        uint32_t second = tt_load_u32(page + at + 4, big);
        if (type >= FTRACE_TYPE_EXTEND) {
            uint64_t time = ((uint64_t)second << 27) + delta;
            records->time = type == FTRACE_TYPE_EXTEND
                                ? records->time + time
                                : (time & ~FTRACE_STAMP_HIGH) | (records->time & FTRACE_STAMP_HIGH);
            at += 8;
            continue;
        }
        uint64_t whole = ((uint64_t)second + 3) & ~UINT64_C(3);
        if (second < 4 || whole > left || records->time + delta > records->until) {
            break;
        }
        records->time += delta;
        records->next = at + 4 + (uint32_t)whole;
        if (type == FTRACE_TYPE_LONG) {
            records->record = (struct ftrace_record){page + at + 8, second - 4, big};
            records->at = at;
            return true;
        }
        at = records->next;
    }
    records->is_bad = page && records->end - at >= 4;
    records->next = at;
    return false;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * traceprinter: prints the header block, then the events in file order, a combine event at its last
 * slot, as the printer's library returns them ("System Analysis Toolkit User's Guide", chapter 6).
 * Nothing is sorted by time.
 */
#include "style/traceprinter.h"
#include "style/styles.h"

#include <stdlib.h>
#include <string.h>

#define BATCH_EVENTS 512u
#define PENDING_MAX  (KEV_REACH + 1u)

/* A combine event with its last slot still to come. */
struct pending {
    uint64_t last_pos;
    uint64_t pos;
    uint64_t ticks;
};

struct printer {
    struct tt_capture *c;
    const struct kev_decoder *d;
    enum kev_form form;
    bool (*write)(void *arg, const char *bytes, size_t length);
    void *arg;
    bool stopped; /* the writer returned false */
    uint64_t limit;
    struct tt_text text;
    uint8_t *payload;
    struct pending *heap; /* smallest last_pos first */
    uint32_t waiting;
    struct tt_event *events;
};

static void flush(struct printer *p)
{
    if (!p->stopped && p->text.used > 0) {
        p->stopped = !p->write(p->arg, p->text.buffer, p->text.used);
    }
    p->text.used = 0;
}

static void print_at(struct printer *p, uint64_t pos, uint64_t ticks)
{
    struct kev_event whole;
    if (!kev_gather(p->c, pos, p->limit, &whole, p->payload, 4 * KEV_WORDS_MAX, NULL, 0)) {
        return;
    }
    if (p->text.capacity - p->text.used < KEV_PRINT_MAX) {
        flush(p);
    }
    kev_print_event(&p->text, p->d, p->form, ticks, &whole, p->payload);
}

/* ---- events that wait for their last slot --------------------------------------------------- */

static void swap(struct pending *a, struct pending *b)
{
    struct pending other = *a;
    *a = *b;
    *b = other;
}

static void push(struct printer *p, struct pending event)
{
    uint32_t i = p->waiting++;
    p->heap[i] = event;
    while (i > 0 && p->heap[(i - 1) / 2].last_pos > p->heap[i].last_pos) {
        swap(&p->heap[(i - 1) / 2], &p->heap[i]);
        i = (i - 1) / 2;
    }
}

static struct pending pop(struct printer *p)
{
    struct pending first = p->heap[0];
    p->heap[0] = p->heap[--p->waiting];
    uint32_t i = 0;
    for (;;) {
        uint32_t min = i;
        for (uint32_t child = 2 * i + 1; child <= 2 * i + 2 && child < p->waiting; child++) {
            if (p->heap[child].last_pos < p->heap[min].last_pos) {
                min = child;
            }
        }
        if (min == i) {
            return first;
        }
        swap(&p->heap[i], &p->heap[min]);
        i = min;
    }
}

/* Prints the pending events that end before `pos`. */
static void print_waiting(struct printer *p, uint64_t pos)
{
    while (p->waiting > 0 && p->heap[0].last_pos < pos) {
        struct pending event = pop(p);
        print_at(p, event.pos, event.ticks);
    }
}

static void take_event(struct printer *p, const struct tt_event *event)
{
    print_waiting(p, event->pos);
    if (!(event->flags & TT_EVENT_MULTIPART)) {
        print_at(p, event->pos, event->ticks);
        return;
    }
    struct kev_event whole;
    if (!kev_gather(p->c, event->pos, p->limit, &whole, NULL, 0, NULL, 0)) {
        return;
    }
    if (whole.last_pos == event->pos + (whole.parts - 1) * (uint64_t)KEV_SLOT) {
        print_at(p, event->pos, event->ticks); /* its slots are adjacent */
        return;
    }
    if (p->waiting == PENDING_MAX) {
        struct pending first = pop(p);
        print_at(p, first.pos, first.ticks);
    }
    struct pending later = {whole.last_pos, event->pos, event->ticks};
    push(p, later);
}

/* ---- the whole capture ---------------------------------------------------------------------- */

/* Keys end at one column; unprintable bytes are dropped, as in the printer. */
static void print_header(struct printer *p)
{
    tt_text_str(&p->text, "TRACEPRINTER version 1.02\n"
                          "TRACEPARSER LIBRARY version 1.02\n"
                          " -- HEADER FILE INFORMATION -- \n");
    for (uint32_t i = 0; i < tt_facts_count(p->c); i++) {
        const struct tt_fact *fact = tt_facts_at(p->c, i);
        if (strcmp(fact->section, "header") != 0) {
            continue;
        }
        flush(p);
        size_t length = strlen(fact->key) + 6;
        tt_text_fill(&p->text, ' ', length < 22 ? 22 - length : 0);
        tt_text_str(&p->text, "TRACE_");
        tt_text_str(&p->text, fact->key);
        tt_text_str(&p->text, ":: ");
        for (const char *ch = fact->value; *ch; ch++) {
            if (*ch >= ' ' && *ch <= '~') {
                tt_text_char(&p->text, *ch);
            }
        }
        tt_text_char(&p->text, '\n');
    }
    tt_text_str(&p->text, " -- KERNEL EVENTS -- \n");
}

static struct tt_status print_events(struct printer *p,
                                     bool (*wanted)(void *arg, const struct tt_event *event))
{
    struct tt_cursor *cursor = kev_cursor_new(p->c, false);
    if (!cursor) {
        return tt_error_memory();
    }
    enum tt_decode_result result = TT_DECODE_MORE;
    while (result == TT_DECODE_MORE && !p->stopped) {
        struct tt_batch batch = {.events = p->events, .capacity = BATCH_EVENTS};
        result = kev_cursor_decode(cursor, p->limit, true, &batch);
        for (uint32_t i = 0; i < batch.count && !p->stopped; i++) {
            if (!wanted || wanted(p->arg, &batch.events[i])) {
                take_event(p, &batch.events[i]);
            }
        }
    }
    print_waiting(p, UINT64_MAX);
    flush(p);
    kev_cursor_free(cursor);
    return result == TT_DECODE_MEMORY ? tt_error_memory() : tt_ok();
}

static struct tt_status print_capture(struct tt_capture *c, enum kev_form form,
                                      bool (*wanted)(void *arg, const struct tt_event *event),
                                      bool (*write)(void *arg, const char *bytes, size_t length),
                                      void *arg)
{
    struct printer p = {.c = c, .d = c->decoder, .form = form, .write = write, .arg = arg};
    const size_t capacity = 2 * (size_t)KEV_PRINT_MAX;
    char *buffer = malloc(capacity);
    p.limit = c->bytes.size;
    p.payload = malloc(4 * (size_t)KEV_WORDS_MAX);
    p.heap = malloc(PENDING_MAX * sizeof *p.heap);
    p.events = malloc(BATCH_EVENTS * sizeof *p.events);
    struct tt_status status = tt_error_memory();
    if (buffer && p.payload && p.heap && p.events) {
        p.text = tt_text_of(buffer, capacity);
        print_header(&p);
        status = print_events(&p, wanted);
    }
    free(buffer);
    free(p.payload);
    free(p.heap);
    free(p.events);
    return status;
}

struct tt_status tt_style_traceprinter(struct tt_capture *c,
                                       bool (*wanted)(void *arg, const struct tt_event *event),
                                       bool (*write)(void *arg, const char *bytes, size_t length),
                                       void *arg)
{
    return print_capture(c, KEV_FORM_6, wanted, write, arg);
}

struct tt_status tt_style_traceprinter7(struct tt_capture *c,
                                        bool (*wanted)(void *arg, const struct tt_event *event),
                                        bool (*write)(void *arg, const char *bytes, size_t length),
                                        void *arg)
{
    return print_capture(c, KEV_FORM_7, wanted, write, arg);
}

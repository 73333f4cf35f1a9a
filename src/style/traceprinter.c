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

static void traceprinter_flush(struct printer *printer)
{
    if (!printer->stopped && printer->text.used > 0) {
        printer->stopped = !printer->write(printer->arg, printer->text.buffer, printer->text.used);
    }
    printer->text.used = 0;
}

static void traceprinter_print_at(struct printer *printer, uint64_t pos, uint64_t ticks)
{
    struct kev_event whole;
    if (!kev_gather(printer->c, pos, printer->limit, &whole, printer->payload, 4 * KEV_WORDS_MAX,
                    NULL, 0)) {
        return;
    }
    if (printer->text.capacity - printer->text.used < KEV_PRINT_MAX) {
        traceprinter_flush(printer);
    }
    kev_print_event(&printer->text, printer->d, printer->form, ticks, &whole, printer->payload);
}

/* ---- events that wait for their last slot --------------------------------------------------- */

static void traceprinter_swap(struct pending *left, struct pending *right)
{
    struct pending other = *left;
    *left = *right;
    *right = other;
}

static void traceprinter_push(struct printer *printer, struct pending event)
{
    uint32_t i = printer->waiting++;
    printer->heap[i] = event;
    while (i > 0 && printer->heap[(i - 1) / 2].last_pos > printer->heap[i].last_pos) {
        traceprinter_swap(&printer->heap[(i - 1) / 2], &printer->heap[i]);
        i = (i - 1) / 2;
    }
}

static struct pending traceprinter_pop(struct printer *printer)
{
    struct pending first = printer->heap[0];
    printer->heap[0] = printer->heap[--printer->waiting];
    uint32_t i = 0;
    for (;;) {
        uint32_t min = i;
        for (uint32_t child = 2 * i + 1; child <= 2 * i + 2 && child < printer->waiting; child++) {
            if (printer->heap[child].last_pos < printer->heap[min].last_pos) {
                min = child;
            }
        }
        if (min == i) {
            return first;
        }
        traceprinter_swap(&printer->heap[i], &printer->heap[min]);
        i = min;
    }
}

/* Prints the pending events that end before `pos`. */
static void print_waiting(struct printer *printer, uint64_t pos)
{
    while (printer->waiting > 0 && printer->heap[0].last_pos < pos) {
        struct pending event = traceprinter_pop(printer);
        traceprinter_print_at(printer, event.pos, event.ticks);
    }
}

static void print_event(struct printer *printer, const struct tt_event *event)
{
    print_waiting(printer, event->pos);
    if (!(event->flags & TT_EVENT_MULTIPART)) {
        traceprinter_print_at(printer, event->pos, event->ticks);
        return;
    }
    struct kev_event whole;
    if (!kev_gather(printer->c, event->pos, printer->limit, &whole, NULL, 0, NULL, 0)) {
        return;
    }
    if (whole.last_pos == event->pos + (whole.parts - 1) * (uint64_t)KEV_SLOT) {
        traceprinter_print_at(printer, event->pos, event->ticks); /* its slots are adjacent */
        return;
    }
    if (printer->waiting == PENDING_MAX) {
        struct pending first = traceprinter_pop(printer);
        traceprinter_print_at(printer, first.pos, first.ticks);
    }
    struct pending later = {whole.last_pos, event->pos, event->ticks};
    traceprinter_push(printer, later);
}

/* ---- the whole capture ---------------------------------------------------------------------- */

/* Keys end at one column; unprintable bytes are dropped, as in the printer. */
static void print_header(struct printer *printer)
{
    tt_text_str(&printer->text, "TRACEPRINTER version 1.02\n"
                                "TRACEPARSER LIBRARY version 1.02\n"
                                " -- HEADER FILE INFORMATION -- \n");
    for (uint32_t i = 0; i < tt_facts_count(printer->c); i++) {
        const struct tt_fact *fact = tt_facts_at(printer->c, i);
        if (strcmp(fact->section, "header") != 0) {
            continue;
        }
        traceprinter_flush(printer);
        size_t length = strlen(fact->key) + 6;
        tt_text_fill(&printer->text, ' ', length < 22 ? 22 - length : 0);
        tt_text_str(&printer->text, "TRACE_");
        tt_text_str(&printer->text, fact->key);
        tt_text_str(&printer->text, ":: ");
        for (const char *ch = fact->value; *ch; ch++) {
            if (*ch >= ' ' && *ch <= '~') {
                tt_text_char(&printer->text, *ch);
            }
        }
        tt_text_char(&printer->text, '\n');
    }
    tt_text_str(&printer->text, " -- KERNEL EVENTS -- \n");
}

static struct tt_status traceprinter_print_events(struct printer *printer,
                                                  bool (*wanted)(void *arg,
                                                                 const struct tt_event *event))
{
    struct tt_cursor *cursor = kev_cursor_new(printer->c, false);
    if (!cursor) {
        return tt_error_memory();
    }
    enum tt_decode_result result = TT_DECODE_MORE;
    while (result == TT_DECODE_MORE && !printer->stopped) {
        struct tt_batch batch = {.events = printer->events, .capacity = BATCH_EVENTS};
        result = kev_cursor_decode(cursor, printer->limit, true, &batch);
        for (uint32_t i = 0; i < batch.count && !printer->stopped; i++) {
            if (!wanted || wanted(printer->arg, &batch.events[i])) {
                print_event(printer, &batch.events[i]);
            }
        }
    }
    print_waiting(printer, UINT64_MAX);
    traceprinter_flush(printer);
    kev_cursor_free(cursor);
    return result == TT_DECODE_MEMORY ? tt_error_memory() : tt_ok();
}

static struct tt_status print_capture(struct tt_capture *capture, enum kev_form form,
                                      bool (*wanted)(void *arg, const struct tt_event *event),
                                      bool (*write)(void *arg, const char *bytes, size_t length),
                                      void *arg)
{
    struct printer p = {
        .c = capture, .d = capture->decoder, .form = form, .write = write, .arg = arg};
    const size_t capacity = 2 * (size_t)KEV_PRINT_MAX;
    char *buffer = malloc(capacity);
    p.limit = capture->bytes.size;
    p.payload = malloc(4 * (size_t)KEV_WORDS_MAX);
    p.heap = malloc(PENDING_MAX * sizeof *p.heap);
    p.events = malloc(BATCH_EVENTS * sizeof *p.events);
    struct tt_status status = tt_error_memory();
    if (buffer && p.payload && p.heap && p.events) {
        p.text = tt_text_of(buffer, capacity);
        print_header(&p);
        status = traceprinter_print_events(&p, wanted);
    }
    free(buffer);
    free(p.payload);
    free(p.heap);
    free(p.events);
    return status;
}

struct tt_status tt_style_traceprinter(struct tt_capture *capture,
                                       bool (*wanted)(void *arg, const struct tt_event *event),
                                       bool (*write)(void *arg, const char *bytes, size_t length),
                                       void *arg)
{
    return print_capture(capture, KEV_FORM_6, wanted, write, arg);
}

struct tt_status tt_style_traceprinter7(struct tt_capture *capture,
                                        bool (*wanted)(void *arg, const struct tt_event *event),
                                        bool (*write)(void *arg, const char *bytes, size_t length),
                                        void *arg)
{
    return print_capture(capture, KEV_FORM_7, wanted, write, arg);
}

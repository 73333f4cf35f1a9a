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
    bool (*wanted)(void *arg, const struct tt_event *event); /* NULL: all events are */
    void *arg;
    struct tt_sink *sink;
    uint64_t limit;
    struct tt_text text;
    uint8_t *payload;
    struct pending *heap; /* smallest last_pos first */
    uint32_t waiting;
    struct tt_event *events;
};

static void traceprinter_print_at(struct printer *printer, uint64_t pos, uint64_t ticks)
{
    struct kev_event whole;
    if (!kev_gather(printer->c, pos, printer->limit, &whole, printer->payload, 4 * KEV_WORDS_MAX,
                    NULL, 0)) {
        return;
    }
    if (printer->text.capacity - printer->text.used < KEV_PRINT_MAX) {
        tt_sink_flush(printer->sink, &printer->text);
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

    uint32_t i = printer->waiting++;
    printer->heap[i] = later;
    while (i > 0 && printer->heap[(i - 1) / 2].last_pos > printer->heap[i].last_pos) {
        traceprinter_swap(&printer->heap[(i - 1) / 2], &printer->heap[i]);
        i = (i - 1) / 2;
    }
}

/* ---- the whole capture ---------------------------------------------------------------------- */

static struct tt_status traceprinter_print_events(struct printer *printer)
{
    struct tt_cursor *cursor = kev_cursor_new(printer->c, false);
    if (!cursor) {
        return tt_error_memory();
    }
    enum tt_decode_result result = TT_DECODE_MORE;
    while (result == TT_DECODE_MORE && !printer->sink->stopped) {
        struct tt_batch batch = {.events = printer->events, .capacity = BATCH_EVENTS};
        result = printer->c->format->decode(cursor, printer->limit, true, &batch);
        for (uint32_t i = 0; i < batch.count && !printer->sink->stopped; i++) {
            if (!printer->wanted || printer->wanted(printer->arg, &batch.events[i])) {
                print_event(printer, &batch.events[i]);
            }
        }
    }
    print_waiting(printer, UINT64_MAX);
    tt_sink_flush(printer->sink, &printer->text);
    kev_cursor_free(cursor);
    return result == TT_DECODE_MEMORY ? tt_error_memory() : tt_ok();
}

static struct tt_status print_capture(struct printer *printer, struct tt_capture *capture)
{
    const size_t capacity = 2 * (size_t)KEV_PRINT_MAX;
    char *buffer = malloc(capacity);
    printer->c = capture;
    printer->d = capture->decoder;
    printer->limit = capture->bytes.size;
    printer->payload = malloc(4 * (size_t)KEV_WORDS_MAX);
    printer->heap = malloc(PENDING_MAX * sizeof *printer->heap);
    printer->events = malloc(BATCH_EVENTS * sizeof *printer->events);
    struct tt_status status = tt_error_memory();
    if (buffer && printer->payload && printer->heap && printer->events) {
        printer->text = tt_text_of(buffer, capacity);

        /* Keys end at one column; unprintable bytes are dropped, as in the printer. */
        tt_text_str(&printer->text, "TRACEPRINTER version 1.02\n"
                                    "TRACEPARSER LIBRARY version 1.02\n"
                                    " -- HEADER FILE INFORMATION -- \n");
        for (uint32_t i = 0; i < tt_facts_count(printer->c); i++) {
            const struct tt_fact *fact = tt_facts_at(printer->c, i);
            if (strcmp(fact->section, "header") != 0) {
                continue;
            }
            tt_sink_flush(printer->sink, &printer->text);
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

        status = traceprinter_print_events(printer);
    }
    free(buffer);
    free(printer->payload);
    free(printer->heap);
    free(printer->events);
    return status;
}

struct tt_status tt_style_traceprinter(struct tt_capture *capture, struct tt_sink *sink,
                                       bool (*wanted)(void *arg, const struct tt_event *event),
                                       void *arg)
{
    struct printer p = {.form = KEV_FORM_6, .sink = sink, .wanted = wanted, .arg = arg};
    return print_capture(&p, capture);
}

struct tt_status tt_style_traceprinter7(struct tt_capture *capture, struct tt_sink *sink,
                                        bool (*wanted)(void *arg, const struct tt_event *event),
                                        void *arg)
{
    struct printer p = {.form = KEV_FORM_7, .sink = sink, .wanted = wanted, .arg = arg};
    return print_capture(&p, capture);
}

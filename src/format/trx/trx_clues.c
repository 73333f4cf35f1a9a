/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trx_clues: the roles of entries in wakes. A THREAD_RESUME entry has the context that resumes the
 * thread: a thread, interrupts (all ones) or the initialization, which counts as unknown. The entry
 * of the call that resumes it is the previous one of that context.
 */
#include "format/trx/trx_internal.h"

#define ENTRIES_BACK 64u /* entries that are searched for the call, other cores' included */

/* Calls that resume threads, by id. */
static const struct {
    uint8_t id;
    uint8_t kind;
} call_wakes[] = {
    {17, TT_WAKE_MEMORY},  /* BLOCK_RELEASE */
    {27, TT_WAKE_MEMORY},  /* BYTE_RELEASE */
    {36, TT_WAKE_FLAGS},   /* EVENT_FLAGS_SET */
    {57, TT_WAKE_UNLOCK},  /* MUTEX_PUT */
    {62, TT_WAKE_QUEUE},   /* QUEUE_FLUSH */
    {63, TT_WAKE_QUEUE},   /* QUEUE_FRONT_SEND */
    {68, TT_WAKE_QUEUE},   /* QUEUE_RECEIVE */
    {69, TT_WAKE_QUEUE},   /* QUEUE_SEND */
    {80, TT_WAKE_POST},    /* SEMAPHORE_CEILING_PUT */
    {88, TT_WAKE_POST},    /* SEMAPHORE_PUT */
    {100, TT_WAKE_CREATE}, /* THREAD_CREATE */
    {111, TT_WAKE_RESUME}, /* THREAD_RESUME_API */
    {117, TT_WAKE_RESUME}, /* THREAD_WAIT_ABORT */
};

static unsigned trx_clues_wake_of_call(uint32_t id)
{
    for (size_t i = 0; i < sizeof call_wakes / sizeof call_wakes[0]; i++) {
        if (call_wakes[i].id == id) {
            return call_wakes[i].kind;
        }
    }
    return TT_WAKE_UNKNOWN;
}

/* Loads entry `index` in time order; false if its bytes are gone. */
static bool trx_clues_load(const struct tt_capture *capture, uint64_t index, uint64_t limit,
                           struct trx_entry *entry)
{
    const struct trx_decoder *decoder = capture->decoder;
    uint64_t end = decoder->image ? capture->bytes.size : limit;
    uint64_t offset = trx_entry_offset(decoder, index);
    if (offset > end || end - offset < decoder->header.entry_size) {
        return false;
    }
    trx_entry_load(&decoder->header, trx_entry_at(decoder, index), entry);
    return true;
}

bool trx_find_call(const struct tt_capture *capture, uint64_t index, uint64_t limit,
                   const struct trx_entry *resume, struct trx_entry *call)
{
    for (uint32_t i = 1; i <= ENTRIES_BACK && i <= index; i++) {
        if (!trx_clues_load(capture, index - i, limit, call)) {
            return false;
        }
        if (trx_core_of(call->event) != trx_core_of(resume->event)) {
            continue;
        }
        if (call->context != resume->context) {
            return false;
        }
        if (trx_id_of(call->event) != TRX_ID_RESUME) {
            return true;
        }
    }
    return false;
}

static void clue_of_resume(const struct tt_capture *capture, uint64_t index, uint64_t limit,
                           const struct trx_entry *entry, struct tt_clue *clue)
{
    const struct trx_decoder *decoder = capture->decoder;
    uint32_t thread = trx_context_find(decoder, entry->info[0]);
    uint32_t by = trx_context_find(decoder, entry->context);
    clue->role = TT_CLUE_WOKEN;
    clue->thread = thread != TRX_NO_CONTEXT ? trx_context_thread(decoder, thread) : TT_NO_THREAD;
    if (by != TRX_NO_CONTEXT && by != TRX_INIT) {
        clue->other = trx_context_thread(decoder, by);
    }

    /* Sets the kind of the call that resumes. */
    struct trx_entry call;
    if (trx_find_call(capture, index, limit, entry, &call)) {
        clue->kind = (uint8_t)trx_clues_wake_of_call(trx_id_of(call.event));
        clue->value = clue->kind != TT_WAKE_UNKNOWN ? call.info[0] : 0;
    }
}

/* Sets the thread that holds the mutex that is asked for, if it is not free. */
static void clue_of_mutex_get(const struct trx_decoder *decoder, const struct trx_entry *entry,
                              struct tt_clue *clue)
{
    uint32_t owner = trx_context_find(decoder, entry->info[2]);
    if (entry->info[2] != 0 && owner != TRX_NO_CONTEXT && owner != TRX_INIT) {
        clue->value = entry->info[0];
        clue->other = trx_context_thread(decoder, owner);
    }
}

void trx_clue(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
              bool with_details, struct tt_clue *clue)
{
    const struct trx_decoder *decoder = capture->decoder;
    uint64_t index = event->pos / decoder->header.entry_size;
    struct trx_entry entry;
    (void)with_details;
    if (index >= atomic_load_explicit(&decoder->ready, memory_order_acquire) ||
        (event->flags & TT_EVENT_DERIVED) != 0 || !trx_clues_load(capture, index, limit, &entry)) {
        return;
    }
    switch (trx_id_of(entry.event)) {
    case TRX_ID_RESUME:
        clue_of_resume(capture, index, limit, &entry, clue);
        break;
    case TRX_ID_ISR_ENTER:
        clue->role = TT_CLUE_IRQ;
        clue->value = entry.info[1];
        break;
    case TRX_ID_MUTEX_GET:
        clue_of_mutex_get(decoder, &entry, clue);
        break;
    case TRX_ID_ISR_EXIT:
        clue->role = TT_CLUE_IRQ_END;
        break;
    default:
        break;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * btrace_clues: the roles of records in wakes. The trace has no cause of a thread's becoming ready, but
 * a thread that answers a message wakes the client that waits for it. Kernels may record the vector of
 * an IRQ or FIQ.
 */
#include "format/btrace/btrace_cpu.h"
#include "format/btrace/btrace_internal.h"

void btrace_clue(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
                 bool with_details, struct tt_clue *clue)
{
    struct btrace_record r;
    if (event->kind == TT_KIND_SWITCH) {
        clue->role = TT_CLUE_SWITCH;
        clue->thread = event->thread;
        return;
    }
    bool interrupt =
        event->kind == TT_KIND_INTERRUPT_ENTER || event->kind == TT_KIND_INTERRUPT_EXIT;
    if ((!interrupt && event->kind != TT_KIND_MESSAGE) ||
        btrace_record_read(tt_bytes_of(capture->bytes.data, limit), event->pos, &r) !=
            BTRACE_READ_OK) {
        return;
    }
    if (!interrupt) {
        /* A client sends a message, and a server completes it; a receive wakes no thread. */
        if (r.category == BTRACE_CLIENT_SERVER &&
            (r.sub == BTRACE_MESSAGE_SEND || r.sub == BTRACE_MESSAGE_COMPLETE)) {
            clue->role = r.sub == BTRACE_MESSAGE_SEND ? TT_CLUE_SEND : TT_CLUE_ANSWER;
            clue->thread = event->thread;
            clue->value = btrace_word(btrace_payload(&r), 0);
        }

        return;
    }
    clue->role = event->kind == TT_KIND_INTERRUPT_ENTER ? TT_CLUE_IRQ : TT_CLUE_IRQ_END;
    struct tt_bytes payload = btrace_payload(&r);
    bool has_vector = (r.sub == BTRACE_IRQ_START || r.sub == BTRACE_FIQ_START) && payload.size >= 4;
    clue->value = with_details && has_vector ? btrace_word(payload, 0) : UINT64_MAX;
}

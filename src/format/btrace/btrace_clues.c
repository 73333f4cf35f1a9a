/* SPDX-License-Identifier: Apache-2.0 */
/*
 * btrace_clues: the roles of records in wakes. The trace has no cause of a thread's becoming ready, so
 * wakers are unknown. Kernels may record the vector of an IRQ or FIQ.
 */
#include "format/btrace/btrace_cpu.h"
#include "format/btrace/btrace_internal.h"

void btrace_clue(const struct tt_capture *c, const struct tt_event *event, uint64_t limit,
                 bool with_details, struct tt_clue *clue)
{
    struct btrace_record r;
    if (event->kind == TT_KIND_SWITCH) {
        clue->role = TT_CLUE_SWITCH;
        clue->thread = event->thread;
        return;
    }
    if ((event->kind != TT_KIND_INTERRUPT_ENTER && event->kind != TT_KIND_INTERRUPT_EXIT) ||
        btrace_record_read(tt_bytes_of(c->bytes.data, limit), event->pos, &r) != BTRACE_READ_OK) {
        return;
    }
    clue->role = event->kind == TT_KIND_INTERRUPT_ENTER ? TT_CLUE_IRQ : TT_CLUE_IRQ_END;
    struct tt_bytes payload = btrace_payload(&r);
    bool has_vector = (r.sub == BTRACE_IRQ_START || r.sub == BTRACE_FIQ_START) && payload.size >= 4;
    clue->value = with_details && has_vector ? btrace_word(payload, 0) : UINT64_MAX;
}

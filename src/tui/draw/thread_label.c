/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/draw/thread_label.h"

#include <string.h>

#include "tracetui/event_line.h"

#define PART_BYTES    256
#define PROCESS_LEAST 3 /* minimum columns of a useful process name, including the ellipsis */

/* Writes "process/own"; truncates the process if needed, omits it if too little would remain. */
static void write_cut(const struct tt_grid *grid, const struct tt_text *process,
                      const struct tt_text *own, int width, struct tt_text *text)
{
    int left = width - 1 - tt_grid_columns(grid, own->buffer, own->used);
    if (tt_grid_columns(grid, process->buffer, process->used) <= left) {
        tt_text_bytes(text, process->buffer, process->used);
        tt_text_char(text, '/');
    } else if (left > PROCESS_LEAST) {
        char utf8[4];
        size_t fits = tt_grid_fitting(grid, process->buffer, process->used, left - 1);
        tt_text_bytes(text, process->buffer, fits);
        tt_text_bytes(text, utf8, tt_utf8_encode(grid->ellipsis, utf8));
        tt_text_char(text, '/');
    }
    tt_text_bytes(text, own->buffer, own->used);
}

void tt_thread_label(const struct tt_grid *grid, const struct tt_capture *capture, uint32_t thread,
                     int width, struct tt_text *text)
{
    size_t start = text->used;
    tt_line_thread(text, capture, thread);
    if (thread >= tt_thread_count(capture) ||
        tt_grid_columns(grid, tt_text_from(text, start), text->used - start) <= width) {
        return;
    }
    const struct tt_thread *t = tt_thread_at(capture, thread);
    const struct tt_process *p = tt_process_at(capture, t->process);
    size_t process_length, own_length;
    const char *process_name = tt_process_base_name(capture, p, &process_length);
    const char *own_name = tt_capture_text(capture, t->name, &own_length);
    if (p->pid == 0 && process_length == 0) {
        return; /* only the thread's own name */
    }
    if (tt_line_is_own_process(capture, thread)) {
        text->used = start; /* "name-pid" is too wide */
        tt_text_escaped(text, own_name, own_length);
        return;
    }
    char process_bytes[PART_BYTES], own_bytes[PART_BYTES];
    struct tt_text process = tt_text_of(process_bytes, sizeof process_bytes);
    struct tt_text own = tt_text_of(own_bytes, sizeof own_bytes);
    if (own_length > 0 &&
        t->name != p->name) { /* that of the process does not tell threads apart */
        tt_text_escaped(&own, own_name, own_length);
    } else {
        tt_line_id(&own, capture, t->process, t->tid);
    }
    if (process_length > 0) {
        tt_text_escaped(&process, process_name, process_length);
    } else {
        tt_line_id(&process, capture, t->process, p->pid);
    }
    int columns = tt_grid_columns(grid, process.buffer, process.used) + 1 +
                  tt_grid_columns(grid, own.buffer, own.used);
    if (process_length > 0 && columns > width) {
        process = tt_text_of(process_bytes, sizeof process_bytes);

        /* Writes a process name without Symbian's suffix: EKern.exe[100041af]0001. */
        const char *behind =
            process_length > 0 ? memchr(process_name + 1, '[', process_length - 1) : NULL;
        tt_text_escaped(&process, process_name,
                        behind ? (size_t)(behind - process_name) : process_length);
    }
    text->used = start;
    write_cut(grid, &process, &own, width, text);
}

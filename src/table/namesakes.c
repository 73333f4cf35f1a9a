/* SPDX-License-Identifier: Apache-2.0 */
#include "table/namesakes.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/bits.h"
#include "base/hash.h"
#include "table/registry.h"
#include "tracetui/event_line.h"

struct named {
    uint64_t hash;
    uint32_t process;
};

#define DIGITS     8u
#define UID_LENGTH (DIGITS + 2) /* in brackets */

/* Returns the length of a name without what Symbian appends: "[100041b2]0001". */
static size_t short_length(const char *name, size_t length)
{
    for (size_t i = 1; i + DIGITS + 1 < length; i++) {
        size_t digits = 0;
        while (name[i] == '[' && digits < DIGITS && isxdigit((unsigned char)name[i + 1 + digits])) {
            digits++;
        }
        if (digits == DIGITS && name[i + 1 + DIGITS] == ']') {
            return i;
        }
    }
    return length;
}

static int by_hash(const void *a, const void *b)
{
    const struct named *left = a, *right = b;
    return (left->hash > right->hash) - (left->hash < right->hash);
}

void tt_namesakes_find(struct tt_table_run *run)
{
    const uint32_t count = tt_process_count(run->capture);
    struct named *names = malloc((count + 1) * sizeof *names);
    run->namesakes = calloc((size_t)count / 64 + 1, sizeof *run->namesakes);
    run->namesake_limit = names && run->namesakes ? count : 0;
    for (uint32_t i = 0; i < run->namesake_limit; i++) {
        size_t length;
        const char *name =
            tt_process_base_name(run->capture, tt_process_at(run->capture, i), &length);
        /* Processes without a name are shown by their number. */
        names[i] = (struct named){
            length > 0 ? tt_hash_of(name, short_length(name, length)) : UINT64_MAX - i, i};
    }
    if (run->namesake_limit > 1) {
        qsort(names, count, sizeof *names, by_hash);
    }
    for (uint32_t i = 1; i < run->namesake_limit; i++) {
        if (names[i].hash == names[i - 1].hash) {
            run->namesakes[names[i].process / 64] |= UINT64_C(1) << (names[i].process % 64);
            run->namesakes[names[i - 1].process / 64] |= UINT64_C(1) << (names[i - 1].process % 64);
        }
    }
    free(names);
}

void tt_namesakes_put_number(const struct tt_table_run *run, uint32_t process, struct tt_text *text)
{
    size_t length;
    if (process >= run->namesake_limit || !tt_bit_at(run->namesakes, process)) {
        return;
    }
    const struct tt_process *of = tt_process_at(run->capture, process);
    const char *name = tt_process_base_name(run->capture, of, &length);
    const size_t cut = short_length(name, length);
    tt_text_str(text, " (");
    if (cut < length) { /* the generation */
        size_t digits = cut + UID_LENGTH;
        while (digits + 1 < length && name[digits] == '0') {
            digits++;
        }
        tt_text_escaped(text, name + digits, length - digits);
    } else {
        tt_line_id(text, run->capture, process, of->pid);
    }
    tt_text_char(text, ')');
}

void tt_namesakes_tell_apart(const struct tt_table_run *run, struct tt_table_cell *cell)
{
    const struct tt_capture *capture = run->capture;
    const bool is_thread = cell->thread < tt_thread_count(capture);
    const uint32_t process =
        is_thread ? tt_thread_at(capture, cell->thread)->process : cell->process;
    if (process >= tt_process_count(capture) ||
        (is_thread && tt_line_is_own_process(capture, cell->thread))) {
        return;
    }
    size_t length;
    const char *name = tt_process_base_name(capture, tt_process_at(capture, process), &length);
    const size_t cut = short_length(name, length);
    const bool is_cut = !is_thread && run->table->of_messages && cut < length;
    if (is_cut) {
        cell->text.used = short_length(cell->text.buffer, cell->text.used);
    }
    /* The table of processes has their numbers. */
    if (is_cut || (cut == length && run->table != &tt_table_processes)) {
        tt_namesakes_put_number(run, process, &cell->text);
    }
}

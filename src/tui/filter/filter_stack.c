/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/filter/filter_stack.h"

#include <stdio.h>
#include <string.h>

/* Matches that fill any screen and so are worth showing. */
#define SCREENFUL 200u

const char *tt_use_name(unsigned use)
{
    static const char *const names[TT_USE_COUNT] = {
#define X(id, name, help) name,
        TT_USE_INFO(X)
#undef X
    };
    return use < TT_USE_COUNT ? names[use] : "";
}

bool tt_filter_entry_active(const struct tt_filter_entry *entry)
{
    return entry->on && entry->run;
}

static bool hides_rows(const struct tt_filter_entry *entry)
{
    return tt_filter_entry_active(entry) && entry->use != TT_USE_HIGHLIGHT;
}

/* ---- shown events ------------------------------------------------------------------------- */

static void reset_shown(struct tt_filter_stack *stack)
{
    tt_row_set_free(stack->shown);
    stack->shown = NULL;
    stack->shown_sum = 0;
    stack->shown_version++;
}

/* Continues combining; true when nothing is left to combine for now. */
static bool combine(struct tt_filter_stack *stack, const struct tt_filter_target *in)
{
    struct tt_row_source sources[TT_FILTERS];
    uint64_t sum;

    /* Collects the sets to combine and returns their number. *sum identifies this combination. */
    unsigned count = 0;
    sum = 1;
    for (unsigned i = 0; i < stack->count; i++) {
        const struct tt_filter_entry *entry = &stack->stack[i];
        if (hides_rows(entry)) {
            sources[count++] = (struct tt_row_source){tt_filter_run_rows(entry->run),
                                                      entry->use == TT_USE_EXCLUDE};
            sum = sum * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)(uintptr_t)entry->run +
                  tt_filter_run_version(entry->run) * 4u + entry->use;
        }
    }

    if (count == 0) {
        if (stack->shown) {
            reset_shown(stack);
        }
        return true;
    }
    stack->shown_version += !stack->shown || stack->shown_sum != sum;
    return tt_filter_run_combine(&stack->shown, &stack->shown_sum, sum, sources, count, in->row);
}

bool tt_filter_stack_all_shown(const struct tt_filter_stack *stack)
{
    return stack->peek || !stack->shown;
}

bool tt_filter_stack_hides(const struct tt_filter_stack *stack, uint64_t row)
{
    uint64_t from, to;
    if (!stack->shown) {
        return false;
    }
    tt_row_set_known(stack->shown, &from, &to);
    return row >= from && row < to && !tt_row_set_has(stack->shown, row);
}

bool tt_filter_stack_highlighted(const struct tt_filter_stack *stack, uint64_t row)
{
    for (unsigned i = 0; i < stack->count; i++) {
        const struct tt_filter_entry *entry = &stack->stack[i];
        if (entry->use == TT_USE_HIGHLIGHT && tt_filter_entry_active(entry) &&
            tt_row_set_has(tt_filter_run_rows(entry->run), row)) {
            return true;
        }
    }
    return false;
}

/* ---- one filter --------------------------------------------------------------------------- */

static void filter_stack_set_text(struct tt_filter_entry *entry, const char *text)
{
    size_t length = strlen(text);
    length = length < sizeof entry->text ? length : 0;
    memmove(entry->text, text, length);
    entry->text[length] = '\0';
}

static bool is_before_edit(const struct tt_filter_stack *stack, const struct tt_filter_run *run)
{
    return run && stack->edited && stack->before_edit.run == run;
}

static void discard_run(struct tt_filter_stack *stack, struct tt_filter_run *run)
{
    if (!is_before_edit(stack, run)) {
        tt_filter_run_discard(&stack->bin, run);
    }
}

/*
 * Returns whether the plain text being typed matches nothing so far. The list then stays unchanged,
 * since the user may not have finished typing.
 */
static bool matches_nothing(const struct tt_filter_stack *stack,
                            const struct tt_filter_entry *entry)
{
    return stack->edited && entry == &stack->stack[stack->edited - 1] && entry->candidate &&
           tt_filter_is_plain(tt_filter_run_filter(entry->candidate)) &&
           tt_row_set_count(tt_filter_run_rows(entry->candidate)) == 0;
}

/* Replaces the run by the candidate if that is ready; true if it did. */
static bool promote(struct tt_filter_stack *stack, struct tt_filter_entry *entry)
{
    if (!entry->candidate || matches_nothing(stack, entry) ||
        (entry->run && !tt_filter_run_ready(entry->candidate, SCREENFUL))) {
        return false;
    }
    discard_run(stack, entry->run);
    entry->run = entry->candidate;
    entry->candidate = NULL;
    return true;
}

/* Starts a filter on a capture; earlier results stay until there are new ones to show. */
static bool start_run(struct tt_filter_stack *stack, struct tt_filter_entry *entry,
                      const struct tt_filter_target *in, const char *text,
                      struct tt_filter_error *error)
{
    struct tt_filter_run *run;
    if (!tt_filter_run_new(text, in, &run, error)) {
        return false;
    }
    tt_filter_run_discard(&stack->bin, entry->candidate);
    entry->candidate = run;
    stack->stale = true;
    entry->error = (struct tt_filter_error){0, tt_ok()};
    promote(stack, entry);
    return true;
}

/* ---- the stack ---------------------------------------------------------------------------- */

unsigned tt_filter_stack_add(struct tt_filter_stack *stack, const struct tt_filter_target *in,
                             enum tt_use use, const char *text, struct tt_filter_error *error)
{
    if (stack->count == TT_FILTERS) {
        *error = (struct tt_filter_error){
            0, tt_error(TT_ERR_USAGE, "filter limit reached (%u)", TT_FILTERS)};
        return TT_FILTERS;
    }
    struct tt_filter_entry *entry = &stack->stack[stack->count];
    *entry = (struct tt_filter_entry){.use = use, .on = true};
    if (!start_run(stack, entry, in, text, error)) {
        return TT_FILTERS;
    }
    filter_stack_set_text(entry, text);
    if (use == TT_USE_INCLUDE && stack->quick == 0) {
        stack->quick = stack->count + 1;
    }
    return stack->count++;
}

void tt_filter_stack_remove(struct tt_filter_stack *stack, unsigned number)
{
    struct tt_filter_entry *entry = &stack->stack[number];
    discard_run(stack, entry->run);
    discard_run(stack, entry->candidate);
    stack->count--;
    stack->stale = true;
    memmove(entry, entry + 1, (stack->count - number) * sizeof *entry);
    stack->quick = stack->quick == number + 1 ? 0 : stack->quick - (stack->quick > number + 1);
}

void tt_filter_stack_enable(struct tt_filter_stack *stack, unsigned number, bool on)
{
    struct tt_filter_entry *entry = &stack->stack[number];
    entry->on = on;
    stack->stale = true;
    if (entry->run) {
        tt_filter_run_resume(entry->run);
    }
}

unsigned tt_filter_stack_add_brief(struct tt_filter_stack *stack, const struct tt_filter_target *in,
                                   enum tt_use use, const char *text, struct tt_filter_error *error)
{
    for (unsigned i = stack->count; i-- > 0;) {
        if (stack->stack[i].brief > stack->brief) {
            tt_filter_stack_remove(stack, i);
        }
    }
    const unsigned quick = stack->quick, number = tt_filter_stack_add(stack, in, use, text, error);
    stack->quick = quick; /* the filter key does not edit it */
    if (number < TT_FILTERS) {
        stack->stack[number].brief = ++stack->brief;
    }
    return number;
}

void tt_filter_stack_show_brief(struct tt_filter_stack *stack, unsigned number)
{
    for (unsigned i = 0; i < stack->count && stack->brief != number; i++) {
        if (stack->stack[i].brief > 0) {
            tt_filter_stack_enable(stack, i, stack->stack[i].brief <= number);
        }
    }
    stack->brief = number;
}

void tt_filter_stack_set_use(struct tt_filter_stack *stack, unsigned number, enum tt_use use)
{
    stack->stack[number].use = use;
    stack->stale = true;
}

void tt_filter_stack_set_name(struct tt_filter_stack *stack, unsigned number, const char *name)
{
    snprintf(stack->stack[number].name, TT_FILTER_NAME, "%s", name);
}

unsigned tt_filter_stack_shift(struct tt_filter_stack *stack, unsigned number, bool up)
{
    unsigned other = up ? number - 1 : number + 1;
    if (other >= stack->count) {
        return number;
    }
    struct tt_filter_entry s = stack->stack[number];
    stack->stack[number] = stack->stack[other];
    stack->stack[other] = s;
    if (stack->quick == number + 1) {
        stack->quick = other + 1;
    } else if (stack->quick == other + 1) {
        stack->quick = number + 1;
    }
    return other;
}

/* ---- typing ------------------------------------------------------------------------------- */

void tt_filter_stack_edit(struct tt_filter_stack *stack, unsigned number, enum tt_use use)
{
    stack->edited_is_new = number >= stack->count;
    if (stack->edited_is_new) {
        if (stack->count == TT_FILTERS) {
            return;
        }
        number = stack->count++;
        stack->stack[number] = (struct tt_filter_entry){.use = use, .on = true};
    }
    stack->edited = number + 1;
    stack->before_edit = stack->stack[number];
    stack->before_edit.candidate = NULL;
    stack->stack[number].on = true;
}

bool tt_filter_stack_typed(struct tt_filter_stack *stack, const struct tt_filter_target *in,
                           const char *text, struct tt_filter_error *error)
{
    if (!stack->edited) {
        return false;
    }
    struct tt_filter_entry *entry = &stack->stack[stack->edited - 1];
    if (text[0] == '\0') {
        discard_run(stack, entry->run);
        discard_run(stack, entry->candidate);
        entry->run = NULL;
        entry->candidate = NULL;
        entry->text[0] = '\0';
        stack->stale = true;
        return true;
    }
    if (strcmp(entry->text, text) == 0 && (entry->run || entry->candidate)) {
        return true;
    }
    if (!start_run(stack, entry, in, text, error)) {
        return false;
    }
    filter_stack_set_text(entry, text);
    return true;
}

void tt_filter_stack_edited(struct tt_filter_stack *stack, bool keep)
{
    if (!stack->edited) {
        return;
    }
    unsigned number = stack->edited - 1;
    struct tt_filter_entry *entry = &stack->stack[number];
    struct tt_filter_run *before = stack->before_edit.run;
    if (keep) {
        stack->edited = 0;
        if (before != entry->run) {
            discard_run(stack, before);
        }
        if (entry->text[0] == '\0') {
            tt_filter_stack_remove(stack, number);
        }
        return;
    }
    discard_run(stack, entry->candidate);
    discard_run(stack, entry->run);
    stack->edited = 0;
    stack->stale = true;
    *entry = stack->before_edit;
    if (stack->edited_is_new) {
        tt_filter_stack_remove(stack, number);
    }
}

/* ---- updating ----------------------------------------------------------------------------- */

static bool update_one(struct tt_filter_stack *stack, struct tt_filter_entry *entry,
                       const struct tt_filter_target *in, bool *changed)
{
    bool soon = false;
    if (entry->candidate) {
        *changed |= promote(stack, entry);
        soon = entry->candidate && !matches_nothing(stack, entry);
    }
    if (entry->run && entry->on) {
        soon |= tt_filter_run_update(entry->run, in);
    }
    return soon;
}

/* Returns a number that changes whenever more is known. */
static uint64_t progress_sum(const struct tt_filter_stack *stack)
{
    uint64_t known = stack->shown ? tt_row_set_count(stack->shown) + stack->shown_version : 0, from,
             to;
    for (unsigned i = 0; i < stack->count; i++) {
        if (stack->stack[i].run) {
            tt_row_set_known(tt_filter_run_rows(stack->stack[i].run), &from, &to);
            known += to - from;
        }
    }
    return known + tt_filter_stack_busy(stack);
}

static bool is_running(const struct tt_filter_stack *stack)
{
    for (unsigned i = 0; i < stack->count; i++) {
        const struct tt_filter_entry *entry = &stack->stack[i];
        bool candidate = entry->candidate &&
                         (tt_filter_run_busy(entry->candidate) || !matches_nothing(stack, entry));
        if (entry->on && (candidate || (entry->run && tt_filter_run_busy(entry->run)))) {
            return true;
        }
    }
    return false;
}

bool tt_filter_stack_update(struct tt_filter_stack *stack, const struct tt_filter_target *in,
                            bool *changed)
{
    uint64_t before = progress_sum(stack);
    /* A run that ends during combining has rows that are not combined yet. */
    bool running = is_running(stack), soon = false;
    for (unsigned i = 0; i < stack->count; i++) {
        soon |= update_one(stack, &stack->stack[i], in, changed);
    }
    soon |= !combine(stack, in);
    stack->stale = running;
    soon |= running && !is_running(stack); /* ended meanwhile: no further notification comes */
    tt_filter_run_bin_empty(&stack->bin);
    *changed |= progress_sum(stack) != before;
    return soon;
}

void tt_filter_stack_wait(struct tt_filter_stack *stack, const struct tt_filter_target *in)
{
    bool changed = false;
    for (unsigned i = 0; i < stack->count; i++) {
        struct tt_filter_entry *entry = &stack->stack[i];
        if (entry->candidate) {
            tt_filter_run_wait(entry->candidate);
        }
        if (entry->run) {
            tt_filter_run_wait(entry->run);
        }
    }
    while (tt_filter_stack_update(stack, in, &changed)) {
    }
}

bool tt_filter_stack_busy(const struct tt_filter_stack *stack)
{
    return stack->stale || is_running(stack);
}

bool tt_filter_stack_stop(struct tt_filter_stack *stack)
{
    bool was_busy = is_running(stack);
    for (unsigned i = 0; i < stack->count && was_busy; i++) {
        struct tt_filter_entry *entry = &stack->stack[i];
        if (entry->candidate) {
            tt_filter_run_stop(entry->candidate);
        }
        if (entry->run) {
            tt_filter_run_stop(entry->run);
        }
    }
    return was_busy;
}

unsigned tt_filter_stack_percent(const struct tt_filter_stack *stack)
{
    uint64_t done = 0, all = 0, from, to;
    for (unsigned i = 0; i < stack->count; i++) {
        const struct tt_filter_entry *entry = &stack->stack[i];
        if (tt_filter_entry_active(entry)) {
            tt_row_set_known(tt_filter_run_rows(entry->run), &from, &to);
            done += to - from;
            all += tt_row_set_rows(tt_filter_run_rows(entry->run));
        }
    }
    return all > 0 ? (unsigned)((double)done * 100.0 / (double)all) : 100;
}

/* ---- captures ----------------------------------------------------------------------------- */

void tt_filter_stack_detach(struct tt_filter_stack *stack)
{
    tt_filter_stack_edited(stack, false);
    for (unsigned i = 0; i < stack->count; i++) {
        struct tt_filter_entry *entry = &stack->stack[i];
        tt_filter_run_discard(&stack->bin, entry->run);
        tt_filter_run_discard(&stack->bin, entry->candidate);
        entry->run = NULL;
        entry->candidate = NULL;
    }
    tt_filter_run_bin_free(&stack->bin);
    reset_shown(stack);
}

void tt_filter_stack_attach(struct tt_filter_stack *stack, const struct tt_filter_target *in)
{
    bool changed = false;
    for (unsigned i = 0; i < stack->count; i++) {
        start_run(stack, &stack->stack[i], in, stack->stack[i].text, &stack->stack[i].error);
    }
    tt_filter_stack_update(stack, in, &changed);
}

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

bool tt_filter_entry_active(const struct tt_filter_entry *s)
{
    return s->on && s->run;
}

static bool hides_rows(const struct tt_filter_entry *s)
{
    return tt_filter_entry_active(s) && s->use != TT_USE_HIGHLIGHT;
}

/* ---- shown events ------------------------------------------------------------------------- */

/* Collects the sets to combine and returns their number. *sum identifies this combination. */
static unsigned collect_sources(const struct tt_filter_stack *f, struct tt_row_source *sources,
                                uint64_t *sum)
{
    unsigned count = 0;
    *sum = 1;
    for (unsigned i = 0; i < f->count; i++) {
        const struct tt_filter_entry *s = &f->stack[i];
        if (hides_rows(s)) {
            sources[count++] =
                (struct tt_row_source){tt_filter_run_rows(s->run), s->use == TT_USE_EXCLUDE};
            *sum = *sum * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)(uintptr_t)s->run +
                   tt_filter_run_version(s->run) * 4u + s->use;
        }
    }
    return count;
}

static void reset_shown(struct tt_filter_stack *f)
{
    tt_row_set_free(f->shown);
    f->shown = NULL;
    f->shown_sum = 0;
    f->shown_version++;
}

/* Continues combining; true when nothing is left to combine for now. */
static bool combine(struct tt_filter_stack *f, const struct tt_filter_target *in)
{
    struct tt_row_source sources[TT_FILTERS];
    uint64_t sum;
    unsigned count = collect_sources(f, sources, &sum);
    if (count == 0) {
        if (f->shown) {
            reset_shown(f);
        }
        return true;
    }
    f->shown_version += !f->shown || f->shown_sum != sum;
    return tt_filter_run_combine(&f->shown, &f->shown_sum, sum, sources, count, in->row);
}

bool tt_filter_stack_all_shown(const struct tt_filter_stack *f)
{
    return f->peek || !f->shown;
}

bool tt_filter_stack_hides(const struct tt_filter_stack *f, uint64_t row)
{
    uint64_t from, to;
    if (!f->shown) {
        return false;
    }
    tt_row_set_known(f->shown, &from, &to);
    return row >= from && row < to && !tt_row_set_has(f->shown, row);
}

bool tt_filter_stack_highlighted(const struct tt_filter_stack *f, uint64_t row)
{
    for (unsigned i = 0; i < f->count; i++) {
        const struct tt_filter_entry *s = &f->stack[i];
        if (s->use == TT_USE_HIGHLIGHT && tt_filter_entry_active(s) &&
            tt_row_set_has(tt_filter_run_rows(s->run), row)) {
            return true;
        }
    }
    return false;
}

/* ---- one filter --------------------------------------------------------------------------- */

static void set_text(struct tt_filter_entry *s, const char *text)
{
    size_t length = strlen(text);
    length = length < sizeof s->text ? length : 0;
    memmove(s->text, text, length);
    s->text[length] = '\0';
}

static bool is_before_edit(const struct tt_filter_stack *f, const struct tt_filter_run *run)
{
    return run && f->edited && f->before_edit.run == run;
}

static void discard_run(struct tt_filter_stack *f, struct tt_filter_run *run)
{
    if (!is_before_edit(f, run)) {
        tt_filter_run_discard(&f->bin, run);
    }
}

/*
 * Returns whether the plain text being typed matches nothing so far. The list then stays unchanged,
 * since the user may not have finished typing.
 */
static bool matches_nothing(const struct tt_filter_stack *f, const struct tt_filter_entry *s)
{
    return f->edited && s == &f->stack[f->edited - 1] && s->candidate &&
           tt_filter_is_plain(tt_filter_run_filter(s->candidate)) &&
           tt_row_set_count(tt_filter_run_rows(s->candidate)) == 0;
}

/* Replaces the run by the candidate if that is ready; true if it did. */
static bool promote(struct tt_filter_stack *f, struct tt_filter_entry *s)
{
    if (!s->candidate || matches_nothing(f, s) ||
        (s->run && !tt_filter_run_ready(s->candidate, SCREENFUL))) {
        return false;
    }
    discard_run(f, s->run);
    s->run = s->candidate;
    s->candidate = NULL;
    return true;
}

/* Starts a filter on a capture; earlier results stay until there are new ones to show. */
static bool start_run(struct tt_filter_stack *f, struct tt_filter_entry *s,
                      const struct tt_filter_target *in, const char *text,
                      struct tt_filter_error *error)
{
    struct tt_filter_run *run;
    if (!tt_filter_run_new(text, in, &run, error)) {
        return false;
    }
    tt_filter_run_discard(&f->bin, s->candidate);
    s->candidate = run;
    f->stale = true;
    s->error = (struct tt_filter_error){0, tt_ok()};
    promote(f, s);
    return true;
}

/* ---- the stack ---------------------------------------------------------------------------- */

unsigned tt_filter_stack_add(struct tt_filter_stack *f, const struct tt_filter_target *in,
                             enum tt_use use, const char *text, struct tt_filter_error *error)
{
    if (f->count == TT_FILTERS) {
        *error = (struct tt_filter_error){
            0, tt_error(TT_ERR_USAGE, "filter limit reached (%u)", TT_FILTERS)};
        return TT_FILTERS;
    }
    struct tt_filter_entry *s = &f->stack[f->count];
    *s = (struct tt_filter_entry){.use = use, .on = true};
    if (!start_run(f, s, in, text, error)) {
        return TT_FILTERS;
    }
    set_text(s, text);
    if (use == TT_USE_INCLUDE && f->quick == 0) {
        f->quick = f->count + 1;
    }
    return f->count++;
}

void tt_filter_stack_remove(struct tt_filter_stack *f, unsigned number)
{
    struct tt_filter_entry *s = &f->stack[number];
    discard_run(f, s->run);
    discard_run(f, s->candidate);
    f->count--;
    f->stale = true;
    memmove(s, s + 1, (f->count - number) * sizeof *s);
    f->quick = f->quick == number + 1 ? 0 : f->quick - (f->quick > number + 1);
}

void tt_filter_stack_enable(struct tt_filter_stack *f, unsigned number, bool on)
{
    struct tt_filter_entry *s = &f->stack[number];
    s->on = on;
    f->stale = true;
    if (s->run) {
        tt_filter_run_resume(s->run);
    }
}

unsigned tt_filter_stack_add_brief(struct tt_filter_stack *f, const struct tt_filter_target *in,
                                   enum tt_use use, const char *text, struct tt_filter_error *error)
{
    for (unsigned i = f->count; i-- > 0;) {
        if (f->stack[i].brief > f->brief) {
            tt_filter_stack_remove(f, i);
        }
    }
    const unsigned quick = f->quick, number = tt_filter_stack_add(f, in, use, text, error);
    f->quick = quick; /* the filter key does not edit it */
    if (number < TT_FILTERS) {
        f->stack[number].brief = ++f->brief;
    }
    return number;
}

void tt_filter_stack_show_brief(struct tt_filter_stack *f, unsigned number)
{
    for (unsigned i = 0; i < f->count && f->brief != number; i++) {
        if (f->stack[i].brief > 0) {
            tt_filter_stack_enable(f, i, f->stack[i].brief <= number);
        }
    }
    f->brief = number;
}

void tt_filter_stack_set_use(struct tt_filter_stack *f, unsigned number, enum tt_use use)
{
    f->stack[number].use = use;
    f->stale = true;
}

void tt_filter_stack_set_name(struct tt_filter_stack *f, unsigned number, const char *name)
{
    snprintf(f->stack[number].name, TT_FILTER_NAME, "%s", name);
}

unsigned tt_filter_stack_shift(struct tt_filter_stack *f, unsigned number, bool up)
{
    unsigned other = up ? number - 1 : number + 1;
    if (other >= f->count) {
        return number;
    }
    struct tt_filter_entry s = f->stack[number];
    f->stack[number] = f->stack[other];
    f->stack[other] = s;
    if (f->quick == number + 1) {
        f->quick = other + 1;
    } else if (f->quick == other + 1) {
        f->quick = number + 1;
    }
    return other;
}

/* ---- typing ------------------------------------------------------------------------------- */

void tt_filter_stack_edit(struct tt_filter_stack *f, unsigned number, enum tt_use use)
{
    f->edited_is_new = number >= f->count;
    if (f->edited_is_new) {
        if (f->count == TT_FILTERS) {
            return;
        }
        number = f->count++;
        f->stack[number] = (struct tt_filter_entry){.use = use, .on = true};
    }
    f->edited = number + 1;
    f->before_edit = f->stack[number];
    f->before_edit.candidate = NULL;
    f->stack[number].on = true;
}

bool tt_filter_stack_typed(struct tt_filter_stack *f, const struct tt_filter_target *in,
                           const char *text, struct tt_filter_error *error)
{
    if (!f->edited) {
        return false;
    }
    struct tt_filter_entry *s = &f->stack[f->edited - 1];
    if (text[0] == '\0') {
        discard_run(f, s->run);
        discard_run(f, s->candidate);
        s->run = NULL;
        s->candidate = NULL;
        s->text[0] = '\0';
        f->stale = true;
        return true;
    }
    if (strcmp(s->text, text) == 0 && (s->run || s->candidate)) {
        return true;
    }
    if (!start_run(f, s, in, text, error)) {
        return false;
    }
    set_text(s, text);
    return true;
}

void tt_filter_stack_edited(struct tt_filter_stack *f, bool keep)
{
    if (!f->edited) {
        return;
    }
    unsigned number = f->edited - 1;
    struct tt_filter_entry *s = &f->stack[number];
    struct tt_filter_run *before = f->before_edit.run;
    if (keep) {
        f->edited = 0;
        if (before != s->run) {
            discard_run(f, before);
        }
        if (s->text[0] == '\0') {
            tt_filter_stack_remove(f, number);
        }
        return;
    }
    discard_run(f, s->candidate);
    discard_run(f, s->run);
    f->edited = 0;
    f->stale = true;
    *s = f->before_edit;
    if (f->edited_is_new) {
        tt_filter_stack_remove(f, number);
    }
}

/* ---- updating ----------------------------------------------------------------------------- */

static bool update_one(struct tt_filter_stack *f, struct tt_filter_entry *s,
                       const struct tt_filter_target *in, bool *changed)
{
    bool soon = false;
    if (s->candidate) {
        *changed |= promote(f, s);
        soon = s->candidate && !matches_nothing(f, s);
    }
    if (s->run && s->on) {
        soon |= tt_filter_run_update(s->run, in);
    }
    return soon;
}

/* Returns a number that changes whenever more is known. */
static uint64_t progress_sum(const struct tt_filter_stack *f)
{
    uint64_t known = f->shown ? tt_row_set_count(f->shown) + f->shown_version : 0, from, to;
    for (unsigned i = 0; i < f->count; i++) {
        if (f->stack[i].run) {
            tt_row_set_known(tt_filter_run_rows(f->stack[i].run), &from, &to);
            known += to - from;
        }
    }
    return known + tt_filter_stack_busy(f);
}

static bool is_running(const struct tt_filter_stack *f)
{
    for (unsigned i = 0; i < f->count; i++) {
        const struct tt_filter_entry *s = &f->stack[i];
        bool candidate =
            s->candidate && (tt_filter_run_busy(s->candidate) || !matches_nothing(f, s));
        if (s->on && (candidate || (s->run && tt_filter_run_busy(s->run)))) {
            return true;
        }
    }
    return false;
}

bool tt_filter_stack_update(struct tt_filter_stack *f, const struct tt_filter_target *in,
                            bool *changed)
{
    uint64_t before = progress_sum(f);
    /* A run that ends during combining has rows that are not combined yet. */
    bool running = is_running(f), soon = false;
    for (unsigned i = 0; i < f->count; i++) {
        soon |= update_one(f, &f->stack[i], in, changed);
    }
    soon |= !combine(f, in);
    f->stale = running;
    soon |= running && !is_running(f); /* ended meanwhile: no further notification comes */
    tt_filter_run_bin_empty(&f->bin);
    *changed |= progress_sum(f) != before;
    return soon;
}

void tt_filter_stack_wait(struct tt_filter_stack *f, const struct tt_filter_target *in)
{
    bool changed = false;
    for (unsigned i = 0; i < f->count; i++) {
        struct tt_filter_entry *s = &f->stack[i];
        if (s->candidate) {
            tt_filter_run_wait(s->candidate);
        }
        if (s->run) {
            tt_filter_run_wait(s->run);
        }
    }
    while (tt_filter_stack_update(f, in, &changed)) {
    }
}

bool tt_filter_stack_busy(const struct tt_filter_stack *f)
{
    return f->stale || is_running(f);
}

bool tt_filter_stack_stop(struct tt_filter_stack *f)
{
    bool was_busy = is_running(f);
    for (unsigned i = 0; i < f->count && was_busy; i++) {
        struct tt_filter_entry *s = &f->stack[i];
        if (s->candidate) {
            tt_filter_run_stop(s->candidate);
        }
        if (s->run) {
            tt_filter_run_stop(s->run);
        }
    }
    return was_busy;
}

unsigned tt_filter_stack_percent(const struct tt_filter_stack *f)
{
    uint64_t done = 0, all = 0, from, to;
    for (unsigned i = 0; i < f->count; i++) {
        const struct tt_filter_entry *s = &f->stack[i];
        if (tt_filter_entry_active(s)) {
            tt_row_set_known(tt_filter_run_rows(s->run), &from, &to);
            done += to - from;
            all += tt_row_set_rows(tt_filter_run_rows(s->run));
        }
    }
    return all > 0 ? (unsigned)((double)done * 100.0 / (double)all) : 100;
}

/* ---- captures ----------------------------------------------------------------------------- */

void tt_filter_stack_detach(struct tt_filter_stack *f)
{
    tt_filter_stack_edited(f, false);
    for (unsigned i = 0; i < f->count; i++) {
        struct tt_filter_entry *s = &f->stack[i];
        tt_filter_run_discard(&f->bin, s->run);
        tt_filter_run_discard(&f->bin, s->candidate);
        s->run = NULL;
        s->candidate = NULL;
    }
    tt_filter_run_bin_free(&f->bin);
    reset_shown(f);
}

void tt_filter_stack_attach(struct tt_filter_stack *f, const struct tt_filter_target *in)
{
    bool changed = false;
    for (unsigned i = 0; i < f->count; i++) {
        start_run(f, &f->stack[i], in, f->stack[i].text, &f->stack[i].error);
    }
    tt_filter_stack_update(f, in, &changed);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* why: opens, continues and changes the explanation of the Why pane. */
#include "tui/model/why.h"

#include <string.h>

#include "base/clock.h"
#include "check/check_write.h"
#include "trace/line_parts.h"
#include "tracetui/event_line.h"
#include "tui/model/workspace.h"

#define BLAMES_AT_ONCE   64u    /* pieces between two looks at the clock */
#define PIECES_AT_ONCE   1u     /* blocks of events are decoded for each */
#define INTERVALS_WINDOW 20000u /* intervals of all lanes in a window of the search, about */
#define WINDOWS_MOST     4096u

const char *tt_worst_word(unsigned kind)
{
    static const char *const words[] = {
#define X(id, word) word,
        TT_WORST_INFO(X)
#undef X
    };
    return kind < TT_WORST_COUNT ? words[kind] : NULL;
}

static const struct tt_timelines *timelines_of(const struct tt_workspace *ws)
{
    return ws->opened.trace ? tt_trace_timelines(ws->opened.trace) : NULL;
}

const struct tt_why_subject *tt_why_subject(const struct tt_why *why)
{
    return why->count > 0 ? &why->subjects[why->count - 1] : NULL;
}

/* ---- results ------------------------------------------------------------------------------ */

static void stop_explaining(struct tt_why *why)
{
    tt_explain_end(why->explaining);
    why->explaining = NULL;
}

/* Frees the results; call it before the capture is closed. */
static void why_drop(struct tt_why *why)
{
    stop_explaining(why);
    tt_wakes_free(why->wakes);
    tt_blames_free(why->blames);
    why->wakes = NULL;
    why->blames = NULL;
    why->timelines = 0;
    why->search.active = false;
    tt_explanation_free(&why->shown);
    tt_explanation_free(&why->fresh);
    why->complete = false;
}

/* Begins the explanation of the subject; `grown`: the results so far stay until it is complete. */
static void why_begin(struct tt_workspace *ws, bool grown)
{
    struct tt_why *why = &ws->why;
    const struct tt_why_subject *subject = tt_why_subject(why);
    struct tt_explain_request request = {
        .thread = subject->thread, .from = subject->from, .to = subject->to};
    stop_explaining(why);
    why->uses_fresh = grown;
    why->complete = false;
    why->end = tt_timelines_end(timelines_of(ws));
    why->explaining = tt_explain_begin(why->wakes, &request, grown ? &why->fresh : &why->shown);
    why->failed = why->explaining == NULL;
}

/* Extends a subject without an end to the present end of its state. */
static void why_extend(struct tt_workspace *ws)
{
    struct tt_why *why = &ws->why;
    const struct tt_timelines *timelines = timelines_of(ws);
    struct tt_why_subject *subject = &why->subjects[why->count - 1];
    uint64_t from, to;
    uint16_t state;
    if (subject->growing &&
        tt_explain_default(timelines, subject->thread, subject->from, &from, &to, &state) &&
        to > subject->to) {
        subject->to = to;
    }
}

void tt_why_refresh(struct tt_workspace *ws)
{
    struct tt_why *why = &ws->why;
    const struct tt_timelines *timelines = timelines_of(ws);
    if (!why->open || !timelines || why->failed || why->count == 0) {
        return;
    }
    if (why->timelines != tt_timelines_number(timelines)) {
        size_t at = why->at > why->wanted ? why->at : why->wanted;
        why_drop(why);
        why->wakes = tt_wakes_new(ws->opened.trace);
        why->failed = !why->wakes;
        if (why->failed) {
            return;
        }
        why->timelines = tt_timelines_number(timelines);
        why->wanted = at;
        why_extend(ws);
        why_begin(ws, false);
    } else if (tt_why_subject(why)->growing && why->complete &&
               tt_timelines_end(timelines) > why->end) {
        why_extend(ws);
        why_begin(ws, true);
    } else if (!why->explaining && !why->complete) {
        why_begin(ws, false);
    }
}

/* Returns the innermost piece at a time, or the number of pieces. */
static size_t piece_at(const struct tt_explanation *explanation, uint64_t ticks)
{
    size_t i = 0;
    while (i < explanation->count &&
           (explanation->pieces[i].flags & TT_PIECE_WAIT || ticks < explanation->pieces[i].from ||
            ticks >= explanation->pieces[i].to)) {
        i++;
    }
    return i;
}

/* Chooses the piece at the time that was asked for, once it is there. */
static void seek(struct tt_why *why, bool ended)
{
    size_t at = why->seeks ? piece_at(&why->shown, why->sought) : why->shown.count;
    if (at < why->shown.count) {
        why->wanted = at;
        why->seeks = false;
    } else if (why->seeks && ended) {
        why->seeks = why->stays = false;
        why->moves++; /* no piece has this time: the cursor goes to the chosen one */
    }
}

static bool search_step(struct tt_workspace *ws, uint64_t deadline);

bool tt_why_work(struct tt_workspace *ws, uint64_t deadline)
{
    struct tt_why *why = &ws->why;
    tt_why_refresh(ws);
    while (why->explaining) {
        /* Takes the pieces of a step: chooses the wanted one as soon as it is there. */
        enum tt_explain_state state = tt_explain_step(why->explaining, PIECES_AT_ONCE);
        bool ended = state != TT_EXPLAIN_PART;
        if (ended) {
            stop_explaining(why);
            why->complete = true;
            why->failed = state == TT_EXPLAIN_NO_MEMORY;
        }
        if (ended && why->uses_fresh) {
            struct tt_explanation old = why->shown;
            why->shown = why->fresh;
            why->fresh = old;
            why->uses_fresh = false;
        }
        seek(why, ended);
        size_t last = why->shown.count > 0 ? why->shown.count - 1 : 0;
        size_t at = why->wanted < last ? why->wanted : last;
        if (at != why->at) {
            why->at = at;
            why->moves++;
        }
        why->wanted = ended ? at : why->wanted;

        if (why->complete && !why->failed) {
            tt_explanation_elsewhere(tt_trace_timelines(ws->opened.trace), ws->opened.capture,
                                     &why->shown, &why->elsewhere);
        }
        if (tt_now_ns() >= deadline && why->explaining) {
            return false;
        }
    }
    return !why->search.active || search_step(ws, deadline);
}

bool tt_why_settled(const struct tt_why *why)
{
    return !why->open || (!why->explaining && !why->search.active);
}

bool tt_why_has_choice(const struct tt_why *why)
{
    bool awaited = why->seeks || (why->stays && why->at != why->wanted);
    return why->at < why->shown.count && !awaited;
}

/* ---- subjects ----------------------------------------------------------------------------- */

/* Explains another subject; the one before it is kept for tt_why_back. */
static void why_explain(struct tt_workspace *ws, const struct tt_why_subject *subject)
{
    struct tt_why *why = &ws->why;
    ws->trail.left = true;
    if (why->count > 0) {
        why->subjects[why->count - 1].at = why->at;
    }
    if (why->count == TT_WHY_SUBJECTS) {
        memmove(why->subjects, why->subjects + 1, sizeof why->subjects - sizeof *why->subjects);
        why->count--;
    }
    why->subjects[why->count++] = *subject;
    why->at = why->wanted = subject->at;
    why->search.active = why->seeks = why->stays = false;
    why->version++;
    why->moves++;
    stop_explaining(why);
    why->complete = why->failed = false;
    why->shown.count = why->shown.late_count = 0;
    tt_why_refresh(ws);
}

/* Saves the navigation, which belongs to the pane until it is closed. */
static void begin_pane(struct tt_workspace *ws)
{
    ws->why.saved = tt_nav_spot(&ws->nav);
    ws->why.saved_at_end = ws->index.following.at_end;
    ws->why.count = 0;
    ws->why.open = true;
    ws->index.following.at_end = false;
}

void tt_why_reopen(struct tt_workspace *ws, const struct tt_why_subject *subjects, unsigned count,
                   const struct tt_nav_spot *spot)
{
    struct tt_why *why = &ws->why;
    begin_pane(ws);
    memcpy(why->subjects, subjects, (count - 1) * sizeof *subjects);
    why->count = count - 1;
    why->at = count > 1 ? subjects[count - 2].at : 0;
    why_explain(ws, &subjects[count - 1]);
    tt_nav_return(&ws->nav, spot);
    why->stays = true; /* until the chosen piece is found again */
}

static bool open_pane(struct tt_workspace *ws, const struct tt_why_subject *subject)
{
    if (!ws->why.open || ws->nav.overlay != TT_OVERLAY_WHY) {
        begin_pane(ws);
    }
    ws->nav.overlay = TT_OVERLAY_WHY;
    ws->nav.lane.sequence = false;
    why_explain(ws, subject);
    return true;
}

static bool why_is_thread(struct tt_workspace *ws, uint32_t thread)
{
    const struct tt_capture *capture = ws->opened.capture;
    const char *problem = NULL;
    if (!timelines_of(ws)) {
        problem = "no thread states yet";
    } else if (thread >= tt_thread_count(capture)) {
        problem = "select a thread: there is no cause without one";
    } else if (tt_thread_at(capture, thread)->idle || tt_thread_at(capture, thread)->pseudo) {
        problem = "an idle CPU waits for nothing";
    }
    if (problem) {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "%s", problem);
    }
    return !problem;
}

/* Makes the subject of a thread's state at a time; false if it has none. */
static bool subject_at(const struct tt_workspace *ws, uint32_t thread, uint64_t ticks,
                       struct tt_why_subject *subject)
{
    const struct tt_timelines *timelines = timelines_of(ws);
    uint16_t state;
    *subject = (struct tt_why_subject){.thread = thread, .kind = TT_WORST_COUNT};
    if (!tt_explain_default(timelines, thread, ticks, &subject->from, &subject->to, &state) ||
        subject->from >= subject->to) {
        return false;
    }

    unsigned class_ = tt_format_state(ws->opened.capture->format, state)->class_;
    subject->what = class_ == TT_CLASS_READY      ? "ready"
                    : class_ == TT_CLASS_RUNNING  ? "job"
                    : tt_class_is_blocked(class_) ? "wait"
                                                  : "state";

    subject->growing = subject->to >= tt_timelines_end(timelines);
    return true;
}

void tt_why_no_state(struct tt_workspace *ws, uint32_t thread, uint64_t ticks)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    struct tt_interval_at at;
    char buffer[64];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    if (!timelines || thread >= tt_thread_count(ws->opened.capture) ||
        !tt_interval_first(timelines, thread, &at) ||
        tt_interval_get(timelines, at).start <= ticks) {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "the thread has no state here");
        return;
    }
    tt_time_label_place(ws, &text, tt_interval_get(timelines, at).start);
    tt_message_set(&ws->message, TT_ROLE_WARNING, "no state of this thread is known before %s",
                   tt_text_cstr(&text));
}

bool tt_why_open_at(struct tt_workspace *ws, uint32_t thread, uint64_t ticks)
{
    struct tt_why_subject subject;
    if (!why_is_thread(ws, thread)) {
        return false;
    }
    if (!subject_at(ws, thread, ticks, &subject)) {
        tt_why_no_state(ws, thread, ticks);
        return false;
    }
    open_pane(ws, &subject);
    ws->why.seeks = true;
    ws->why.sought = ticks;
    ws->why.stays = tt_view_names(ws->nav.view)->by_time;
    return true;
}

bool tt_why_open_range(struct tt_workspace *ws, uint32_t thread, uint64_t from, uint64_t to,
                       const char *what)
{
    struct tt_why_subject subject = {
        .thread = thread, .from = from, .to = to, .what = what, .kind = TT_WORST_COUNT};
    return why_is_thread(ws, thread) && from < to && open_pane(ws, &subject);
}

bool tt_why_close(struct tt_workspace *ws)
{
    struct tt_why *why = &ws->why;
    bool open = why->open;
    if (open) {
        tt_nav_return(&ws->nav, &why->saved);
        ws->index.following.at_end = why->saved_at_end;
        why->open = false;
        why_drop(why);
    }
    return open;
}

void tt_why_go(struct tt_workspace *ws)
{
    struct tt_why *why = &ws->why;
    if (why->at >= why->shown.count) {
        return;
    }
    struct tt_piece piece = why->shown.pieces[why->at];
    tt_why_close(ws);
    if (ws->nav.view == TT_VIEW_SUMMARY || ws->nav.view == TT_VIEW_MESSAGES ||
        ws->nav.view == TT_VIEW_INFO) {
        tt_nav_show(&ws->nav, TT_VIEW_THREADS);
    }
    ws->index.following.at_end = false;
    tt_nav_go_thread(ws, piece.thread, piece.from);
}

/* ---- pieces ------------------------------------------------------------------------------- */

void tt_why_choose(struct tt_workspace *ws, size_t piece)
{
    struct tt_why *why = &ws->why;
    size_t last = why->shown.count > 0 ? why->shown.count - 1 : 0;
    why->seeks = why->stays = false;
    why->wanted = piece;
    why->at = piece < last ? piece : last;
    if (!why->explaining || why->uses_fresh) {
        why->wanted = why->at;
    }
    why->moves++;
}

void tt_why_choose_at(struct tt_workspace *ws, uint64_t ticks)
{
    struct tt_why *why = &ws->why;
    size_t at = piece_at(&why->shown, ticks);
    if (at < why->shown.count) {
        why->at = why->wanted = at;
    }
}

/* Returns the thread that a piece is charged to; TT_NO_THREAD, with a message, if it is none. */
static uint32_t cause_of(struct tt_workspace *ws, const struct tt_piece *piece)
{
    if (piece->by != TT_NO_THREAD) {
        return piece->by;
    }
    tt_message_set(&ws->message, TT_ROLE_WARNING, "the chain ends here: %s",
                   tt_cause_text(piece->cause));
    return TT_NO_THREAD;
}

void tt_why_follow(struct tt_workspace *ws)
{
    struct tt_why *why = &ws->why;
    struct tt_why_subject subject;
    if (why->at >= why->shown.count) {
        return;
    }
    const struct tt_piece *piece = &why->shown.pieces[why->at];
    uint32_t thread = cause_of(ws, piece);
    if (thread == TT_NO_THREAD) {
        return;
    }
    if (piece->flags & TT_PIECE_WAIT) {
        subject = (struct tt_why_subject){.thread = thread,
                                          .from = piece->from,
                                          .to = piece->to,
                                          .what = "meanwhile",
                                          .kind = TT_WORST_COUNT};
    } else if (!subject_at(ws, thread, piece->from, &subject)) {
        tt_why_no_state(ws, thread, piece->from);
        return;
    }
    const struct tt_why_subject *now = tt_why_subject(why);
    if (subject.thread == now->thread && subject.from == now->from && subject.to == now->to) {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "the chain ends here: the thread itself %s",
                       tt_cause_text(piece->cause));
        return;
    }
    why_explain(ws, &subject);
}

void tt_why_back(struct tt_workspace *ws)
{
    struct tt_why *why = &ws->why;
    if (why->count < 2) {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "this is the first explanation");
        return;
    }
    struct tt_why_subject subject = why->subjects[why->count - 2];
    why->count -= 2;
    size_t at = why->count > 0 ? why->subjects[why->count - 1].at : 0;
    why_explain(ws, &subject);
    if (why->count > 1) {
        why->subjects[why->count - 2].at = at;
    }
}

/* ---- the next worst ----------------------------------------------------------------------- */

struct match {
    uint64_t from;
    bool found;
    struct tt_late_interval interval;
};

static bool match_start(void *arg, const struct tt_late_interval *interval)
{
    struct match *match = arg;
    match->found = interval->from == match->from;
    match->interval = *interval;
    return !match->found;
}

/*
 * Finds the kind of late interval that a subject is, the narrowest one unless a search has found it;
 * false if it is none.
 */
static bool why_kind_of(const struct tt_workspace *ws, const struct tt_why_subject *subject,
                        struct tt_why_search *search)
{
    static const uint8_t order[] = {TT_LATE_REPLY, TT_LATE_LOCK, TT_LATE_WAIT, TT_LATE_DELAY,
                                    TT_LATE_PREEMPTED};
    if (subject->kind != TT_WORST_COUNT) {
        search->kind = subject->kind;
        search->than = (struct tt_late_interval){subject->from, subject->to, subject->thread, 0};
        search->than.from +=
            subject->kind == TT_WORST_MISS ? tt_deadline_of(&ws->jobs.limits, subject->thread) : 0;
        return true;
    }
    for (size_t i = 0; i < sizeof order; i++) {
        struct match m = {.from = subject->from};
        tt_late_intervals(timelines_of(ws), ws->opened.capture, (enum tt_late)order[i],
                          subject->thread, subject->to, subject->to + 1, match_start, &m);
        if (m.found) {
            search->kind = order[i];
            search->than = m.interval;
            return true;
        }
    }
    return false;
}

static void begin_search(struct tt_workspace *ws, const struct tt_why_search *search)
{
    const uint64_t windows = 1 + tt_timelines_intervals(timelines_of(ws)) / INTERVALS_WINDOW;
    struct tt_why_search *why_search = &ws->why.search;
    *why_search = *search;
    why_search->active = true;
    why_search->windows = windows < WINDOWS_MOST ? (uint32_t)windows : WINDOWS_MOST;
}

void tt_why_worst(struct tt_workspace *ws, unsigned kind)
{
    const struct tt_why_search search = {
        .all = true, .of_all = true, .kind = kind, .than.to = UINT64_MAX};
    const char *problem = !timelines_of(ws) ? "no thread states yet"
                          : kind == TT_WORST_MISS && !ws->jobs.deadlines[0]
                              ? "no deadlines are set: :deadline sensor/1=2ms"
                              : NULL;
    if (problem) {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "%s", problem);
        return;
    }
    tt_jobs_refresh(ws);
    begin_pane(ws);
    ws->nav.overlay = TT_OVERLAY_WHY;
    ws->nav.lane.sequence = false;
    begin_search(ws, &search);
}

void tt_why_next_worst(struct tt_workspace *ws, bool all)
{
    const struct tt_why_subject *subject = tt_why_subject(&ws->why);
    if (!timelines_of(ws) || !subject) {
        return;
    }
    struct tt_why_search search = {.all = all || subject->of_all, .of_all = subject->of_all};
    search.thread = search.all ? 0 : subject->thread;
    if (why_kind_of(ws, subject, &search)) {
        begin_search(ws, &search);
    } else {
        tt_message_set(&ws->message, TT_ROLE_WARNING,
                       "only waits and delays with both ends recorded have a next worst");
    }
}

static bool replace_if_better(void *arg, const struct tt_late_interval *interval)
{
    struct tt_why_search *search = arg;
    if (tt_late_compare(&search->than, interval) < 0 &&
        (!search->found || tt_late_compare(interval, &search->best) < 0)) {
        search->found = true;
        search->best = *interval;
        search->least = interval->to - interval->from;
    }
    return true;
}

/* Explains the interval found; without any, a pane that nothing else is explained in closes. */
static void why_end_search(struct tt_workspace *ws)
{
    struct tt_why_search *search = &ws->why.search;
    search->active = false;
    if (!search->found) {
        const bool first = ws->why.count == 0;
        tt_message_set(&ws->message, TT_ROLE_WARNING, "no %s%s %s", first ? "" : "shorter ",
                       tt_worst_word(search->kind),
                       search->all ? "of any thread" : "of this thread");
        if (first) {
            tt_why_close(ws);
        }
        return;
    }
    struct tt_why_subject subject = {.thread = search->best.thread,
                                     .from = search->best.from,
                                     .to = search->best.to,
                                     .what = tt_worst_word(search->kind),
                                     .kind = (uint8_t)search->kind,
                                     .of_all = search->of_all};
    if (search->kind == TT_WORST_MISS) {
        subject.from -= tt_deadline_of(&ws->jobs.limits, search->best.thread);
    }
    why_explain(ws, &subject);
}

/* Searches one window of one thread, and moves to the next one. */
static void search_window(const struct tt_workspace *ws, struct tt_why_search *search)
{
    const struct tt_timelines *timelines = timelines_of(ws);
    const struct tt_thread *thread = tt_thread_at(ws->opened.capture, search->thread);
    uint64_t begin_at = tt_timelines_begin(timelines), end = tt_timelines_limit(timelines);
    uint64_t width = (end - begin_at) / search->windows + 1;
    uint64_t from = begin_at + width * search->window;
    uint64_t to = end - from > width ? from + width : end;
    if (from >= end || (search->all && (thread->idle || thread->pseudo))) {
    } else if (search->kind == TT_LATE_RESPONSE) {
        tt_late_jobs(timelines, ws->opened.capture, &ws->jobs.job_ends, search->thread, from, to,
                     replace_if_better, search);
    } else {
        tt_late_intervals_long(timelines, ws->opened.capture, (enum tt_late)search->kind,
                               search->thread, from, to, &search->least, replace_if_better, search);
    }
    if (++search->window >= search->windows) {
        search->window = 0;
        search->thread++;
    }
}

/* Finds the inversions of all threads until `deadline`; returns whether it is done. */
static bool search_inversions(struct tt_workspace *ws, uint64_t deadline)
{
    struct tt_why *why = &ws->why;
    const struct tt_blame_request all = {.to = UINT64_MAX};
    bool done = false;
    if (!why->blames) {
        why->blames = tt_blames_new(ws->opened.trace, &all);
    }
    why->failed = !why->blames;
    while (!done && !why->failed) {
        uint64_t work = BLAMES_AT_ONCE;
        why->failed = !tt_blames_step(why->blames, &work, &done);
        if (!done && tt_now_ns() >= deadline) {
            return false;
        }
    }
    size_t count = 0;
    const struct tt_inversion *list =
        why->failed ? NULL : tt_blames_inversions(why->blames, &count);
    for (size_t i = 0; i < count; i++) {
        const struct tt_late_interval found = {list[i].from, list[i].to, list[i].thread, 0};
        replace_if_better(&why->search, &found);
    }
    return true;
}

/* Continues the search; returns whether it has ended. */
static bool search_step(struct tt_workspace *ws, uint64_t deadline)
{
    struct tt_why_search *search = &ws->why.search;
    const uint32_t threads = tt_thread_count(ws->opened.capture),
                   end = search->all ? threads : search->than.thread + 1;
    if (search->kind == TT_WORST_INVERSION
            ? !search_inversions(ws, deadline)
            : search->kind == TT_WORST_MISS && !tt_jobs_work(ws, deadline)) {
        return false;
    }
    for (size_t i = 0; search->kind == TT_WORST_MISS && i < ws->jobs.count; i++) {
        const struct tt_miss *miss = &ws->jobs.misses[i];
        const struct tt_late_interval late = {miss->deadline, miss->end, miss->thread, 0};
        replace_if_better(search, &late);
    }
    while (search->kind < TT_LATE_COUNT && search->thread < end) {
        search_window(ws, search);
        if (tt_now_ns() >= deadline && search->thread < end) {
            return false;
        }
    }
    why_end_search(ws);
    return !ws->why.explaining;
}

/* ---- a rule ------------------------------------------------------------------------------- */

struct tt_status tt_why_rule(const struct tt_workspace *ws, struct tt_text *text)
{
    static const struct {
        const char *what, *measure, *selector;
    } measures[] = {
        {"delay", "delay", "thread"}, {"ready", "delay", "thread"},
        {"wait", "wait", "thread"},   {"reply", "wait", "thread"},
        {"lock", "wait", "thread"},   {"preempted", "preempted_wait", "thread"},
        {"slice", "slice", "thread"}, {"response", "response", "job"},
        {"miss", "response", "job"},  {"job", "response", "job"},
    };
    const struct tt_why_subject *subject = tt_why_subject(&ws->why);
    for (size_t i = 0; subject && i < sizeof measures / sizeof *measures; i++) {
        if (strcmp(measures[i].what, subject->what) == 0) {
            tt_text_put(text, "%s max of %s ", measures[i].measure, measures[i].selector);
            tt_rule_write_thread(text, ws->opened.capture, subject->thread);
            tt_rule_write_time(text, ws->opened.capture, subject->to - subject->from);
            return tt_ok();
        }
    }
    return tt_error(
        TT_ERR_USAGE,
        "a %.40s is no measure; choose a delay, wait, preempted wait, slice or response",
        subject ? subject->what : "state");
}

/* ---- texts -------------------------------------------------------------------------------- */

void tt_why_put_subject(const struct tt_workspace *ws, const char *micro, struct tt_text *text)
{
    const struct tt_why_subject *subject = tt_why_subject(&ws->why);
    const struct tt_explanation *explanation = &ws->why.shown;
    tt_line_thread(text, ws->opened.capture, subject->thread);
    tt_text_put(text, " %s", subject->what);
    for (size_t i = 0; i < explanation->count && strcmp(subject->what, "message") == 0; i++) {
        const struct tt_piece *piece = &explanation->pieces[i];
        if (piece->depth == 0 && piece->flags & TT_PIECE_WAIT && piece->by != TT_NO_THREAD) {
            tt_text_str(text, " to ");
            tt_line_thread(text, ws->opened.capture, piece->by);
            break;
        }
    }
    tt_text_char(text, ' ');
    tt_line_duration_with(text, ws->opened.capture, subject->to - subject->from, micro);
}

/* Appends a position in time as options have it: 0.041487640s, 500t. */
static void why_put_when(const struct tt_workspace *ws, struct tt_text *text, uint64_t ticks)
{
    const struct tt_capture *capture = ws->opened.capture;
    tt_line_time(text, capture, tt_relative_ticks(capture, ticks, ws->index.progress.first_ticks));
    tt_text_char(text, capture->clock_hz ? 's' : 't');
}

void tt_why_put_origin(const struct tt_workspace *ws, const char *micro, struct tt_text *text)
{
    const struct tt_why_subject *subject = tt_why_subject(&ws->why);
    const struct tt_capture *capture = ws->opened.capture;
    const struct tt_thread *thread = tt_thread_at(capture, subject->thread);
    const char *path = tt_trace_path(ws->opened.trace);
    tt_text_escaped(text, path, strlen(path));
    tt_text_str(text, ", ");
    tt_text_escaped(text, capture->title, strlen(capture->title));
    tt_text_str(text, ": ");
    tt_why_put_subject(ws, micro, text);
    tt_text_put(text, "\ntracetui why --thread %ju/%ju --from ",
                tt_process_at(capture, thread->process)->pid, thread->tid);
    why_put_when(ws, text, subject->from);
    tt_text_str(text, " --to ");
    why_put_when(ws, text, subject->to);
    tt_text_char(text, ' ');
    tt_text_escaped(text, path, strlen(path));
    tt_text_char(text, '\n');
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * event_loop: waits for keys, signals and the index, and draws.
 *
 *      poll(keys, pipe) --> all pending keys --> a slice of a search --> one draw
 *
 * When idle it waits without a timeout and costs nothing. Progress is drawn at most five times a
 * second, a growing capture as often as the setting frame_rate and its bytes per second permit, and
 * both only as fast as the terminal answers (pace.h). A key is handled at once. A key that arrives
 * within KEY_GAP_NS of the previous one is held until the result of that one is known (sorted rows, a
 * match), for at most KEY_WAIT_NS. While this thread computes the result, its processor time counts: on
 * a busy machine the keys wait longer, and have the same effect.
 */
#include "tui/app/event_loop.h"

#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "tracetui/time.h"
#include "tracetui/timeline.h"
#include "tui/app/filter_prompt.h"
#include "tui/app/live.h"
#include "tui/app/script.h"
#include "tui/term/signals.h"

#define PROGRESS_NS UINT64_C(200000000)
#define ARRIVAL_MS  200 /* between two looks at how much of the capture has arrived */
/* Work between two looks for keys: a key waits for the end of a slice. */
#define SLICE_NS UINT64_C(1000000)
/* Work of a search right after its key: most searches end within it. */
#define SEARCH_NS UINT64_C(2000000)
/* Work that nothing interrupts: an hour. */
#define WHOLE_NS UINT64_C(3600000000000)
/* Waits of 1 ms before the first frame: for the first events, then for the end of a small file. */
#define FIRST_NAPS  30
#define END_NAPS    4
#define KEY_GAP_NS  UINT64_C(200000000)
#define KEY_WAIT_NS UINT64_C(150000000)
/*
 * Time after the last change of the terminal's size when all is sent once more, unless the line is slow:
 * a terminal that reflows its lines late, or passes sizes on late, may have changed what the program has
 * drawn.
 */
#define RESIZED_NS UINT64_C(400000000)
/*
 * While standard input is a pipe, and for a while after its end, the terminal's modes are compared at
 * least this often: a program of the same pipeline may restore the modes that it found at its start.
 */
#define MODES_MS      200
#define PIPE_ENDED_NS UINT64_C(10000000000)

struct loop {
    struct tt_app *app;
    struct tt_screen *screen;
    uint64_t drawn;             /* time of the last frame */
    bool dirty;                 /* an action of the user is not drawn yet */
    bool changed;               /* a change that can wait is not drawn yet */
    enum tt_pace_reason reason; /* of the last frame */
    bool completes;             /* the next frame only completes the frame of a key */
    bool cut;                   /* the frame of the last key is not sent to its end */
    bool incomplete;            /* the frame on the screen is incomplete */
    bool keys_typed;            /* the keys of the command line were typed */
    bool gone;                  /* the terminal is gone */
    uint32_t held;   /* a key that waits for the results of earlier keys, or TT_KEY_NONE */
    uint64_t acted;  /* time when the last key acted */
    bool computes;   /* this thread has results left to compute */
    uint64_t waited; /* ns that keys were held since all results were known, see count_wait */
    uint64_t now;    /* times of the last turn: elapsed, and of this thread */
    uint64_t own;
    uint64_t resized; /* time of the last change of the size; 0: drawn once more since */
    bool has_pipe; /* standard input is not a terminal: other programs may be in the foreground */
    uint64_t arrived; /* last time when more could arrive through it */
    int signal;
    struct tt_status status;
};

/* Returns the time in ns until news may be drawn; 0: now. */
static uint64_t news_wait(const struct loop *loop)
{
    const struct tt_live *live = &loop->app->ws.index.following.live;
    bool progress = !(live->follows && live->caught_up);
    uint64_t paced = tt_screen_wait(loop->screen, progress ? TT_PACE_PROGRESS : TT_PACE_NEWS);
    uint64_t since = tt_now_ns() - loop->drawn;
    uint64_t left = progress && since < PROGRESS_NS ? PROGRESS_NS - since : 0;
    return left > paced ? left : paced;
}

static bool must_end(const struct loop *loop)
{
    return tt_failed(&loop->status) || loop->app->ws.term.requests.quit || loop->gone ||
           loop->signal != 0;
}

/* ---- drawing ------------------------------------------------------------------------------ */

static struct tt_status fit_grid(struct loop *loop)
{
    int width, height;
    tt_screen_size(loop->screen, &width, &height);
    return tt_grid_resize(&loop->app->ws.term.grid, width, height) ? tt_ok() : tt_error_memory();
}

/* Reads the terminal's size again and draws all of it. */
static void refit(struct loop *loop)
{
    tt_screen_resize(loop->screen);
    tt_screen_invalidate(loop->screen); /* the size may be unknown or the same */
    loop->status = fit_grid(loop);
    loop->app->stale = true;
    loop->dirty = true;
    loop->cut = false;
}

static void refit_resized(struct loop *loop)
{
    refit(loop);
    loop->resized = tt_now_ns();
}

/* Returns the time in ns until the frame is sent once more after a change of the size. */
static uint64_t repaint_wait(const struct loop *loop)
{
    uint64_t since = tt_now_ns() - loop->resized;
    return since < RESIZED_NS ? RESIZED_NS - since : 0;
}

static void event_loop_draw(struct loop *loop, enum tt_pace_reason reason)
{
    if (tt_screen_is_resized(loop->screen)) {
        refit_resized(loop); /* the signal comes later, or is lost */
    }
    struct tt_trace *trace = loop->app->ws.opened.trace;
    const struct tt_timelines *drawn = trace ? tt_trace_timelines(trace) : NULL;
    tt_app_draw(loop->app);
    bool whole =
        tt_screen_draw(loop->screen, &loop->app->ws.term.grid, &loop->app->ws.term.theme, reason);
    loop->drawn = tt_now_ns();
    loop->reason = loop->completes || reason == TT_PACE_NEWS
                       ? TT_PACE_NEWS
                       : TT_PACE_KEY; /* a growing capture has no end */
    loop->completes = false;
    loop->dirty = loop->cut = !whole && reason != TT_PACE_NEWS;
    /* The rest of a key's frame has no rows before it, which may have changed since. */
    loop->changed = reason == TT_PACE_REST_OF_KEY || (!whole && reason == TT_PACE_NEWS);
    loop->incomplete = !loop->app->is_whole;
    /*
     * Frees the timelines that late data replaced before `drawn`. With a complete frame and no work in
     * progress they have no reader: the next frame fetches the timelines again.
     */
    const struct tt_app *app = loop->app;
    if (drawn && app->ws.index.following.live.follows && !loop->incomplete &&
        !tt_app_working(app)) {
        tt_trace_free_old_timelines(app->ws.opened.trace, drawn);
    }
}

/* ---- input ---------------------------------------------------------------------------- */

static void resume_screen(struct loop *loop)
{
    tt_screen_return(loop->screen);
    refit(loop); /* while stopped, SIGWINCH was consumed or never sent */
}

static void suspend(struct loop *loop)
{
    tt_screen_leave(loop->screen);
    tt_signals_stop();
    tt_signals_pop(); /* consumes the SIGCONT handled here */
    resume_screen(loop);
}

static void handle_signals(struct loop *loop)
{
    struct tt_signals signals = tt_signals_pop();
    if (signals.end) {
        loop->signal = signals.end;
    }
    if (signals.stop) {
        suspend(loop);
    } else if (signals.resume) {
        resume_screen(loop);
    }
    if (signals.resize) {
        refit_resized(loop);
    }
    loop->changed |= tt_app_update(loop->app);
}

/* Returns whether another program of the pipeline may still run, or has just ended. */
static bool pipeline_runs(const struct loop *loop)
{
    return loop->has_pipe && tt_now_ns() - loop->arrived < PIPE_ENDED_NS;
}

/* Keeps the terminal's modes, which other programs in the foreground can change at any time. */
static void keep_modes(struct loop *loop)
{
    const struct tt_index_state *index = &loop->app->ws.index;
    const struct tt_live *live = &index->following.live;
    if (index->arrives || !index->progress.finished || (live->pipe && !live->ended)) {
        loop->arrived = tt_now_ns();
    }
    if (tt_screen_keep_modes(loop->screen)) {
        tt_screen_repaint(loop->screen);
        loop->dirty = true;
    }
}

/* Adopts the background that the terminal has reported, in a frame of its own. */
static void adopt_background(struct loop *loop)
{
    const struct tt_background *background = tt_screen_background(loop->screen);
    struct tt_terminal *term = &loop->app->ws.term;
    if (background &&
        (!term->has_reported || memcmp(&term->reported, background, sizeof *background) != 0)) {
        term->reported = *background;
        term->has_reported = true;
        tt_term_use_background(term);
        loop->changed = true;
    }
}

/*
 * Returns true if a key may act now. Keys wait for results, so that their effect does not depend on
 * their speed. At a prompt keys only edit the line, until Enter.
 */
static bool may_act(struct loop *loop, uint32_t key)
{
    struct tt_app *app = loop->app;
    bool alone = !loop->held && tt_now_ns() - loop->acted > KEY_GAP_NS;
    if (alone || app->prompt.paste.open || (app->prompt.line.open && key != TT_KEY_ENTER)) {
        return true;
    }
    app->stale |= loop->held != TT_KEY_NONE; /* new results may have arrived */
    tt_app_layout(app);
    return loop->waited >= KEY_WAIT_NS || tt_app_settled(app);
}

/*
 * Adds the time since the last turn to that of held keys: the processor time of this thread if it has
 * computed results, or else the elapsed time.
 */
static void count_wait(struct loop *loop)
{
    uint64_t now = tt_now_ns(), own = tt_thread_ns(pthread_self());
    if (tt_app_settled(loop->app)) {
        loop->waited = 0;
    } else if (loop->held) {
        loop->waited += loop->computes ? own - loop->own : now - loop->now;
    }
    loop->now = now;
    loop->own = own;
}

static void handle_keys(struct loop *loop)
{
    uint32_t key;
    count_wait(loop);
    while (!must_end(loop) && (key = loop->held ? loop->held : tt_screen_key(loop->screen))) {
        bool may = may_act(loop, key);
        loop->held = may ? TT_KEY_NONE : key;
        if (!may) {
            return;
        }
        if (key == TT_KEY_MOUSE) {
            struct tt_mouse mouse = tt_screen_mouse(loop->screen);
            tt_app_mouse(loop->app, &mouse);
        } else {
            tt_app_key(loop->app, key);
        }
        if (tt_app_working(loop->app)) {
            /* Most searches end here, so that a repeated key continues from the match. */
            tt_app_work(loop->app, SEARCH_NS);
        }
        loop->acted = tt_now_ns();
        loop->dirty = true;
        loop->cut = false;
        loop->completes = false;
        struct tt_terminal_requests *requests = &loop->app->ws.term.requests;
        if (requests->copy &&
            !tt_screen_copy(loop->screen, requests->copy_text, requests->copy_length)) {
            tt_message_set(&loop->app->ws.message, TT_ROLE_WARNING,
                           "this terminal has no clipboard");
        }
        if (requests->mouse) {
            tt_screen_use_mouse(loop->screen, loop->app->ws.term.mouse_on);
        }
        tt_screen_use_sync(loop->screen, requests->sync);
        tt_screen_use_rate(loop->screen, requests->frame_rate);
        if (requests->redraw) {
            refit(loop);
        }
        requests->copy = false;
        requests->mouse = false;
        requests->redraw = false;
        if (requests->suspend) {
            requests->suspend = false;
            suspend(loop);
        }
    }
}

/* Types the keys of the command line once the index is complete, so that runs are repeatable. */
static void type_keys(struct loop *loop)
{
    if (loop->keys_typed || !tt_live_is_read(loop->app)) {
        return;
    }
    loop->keys_typed = true;
    tt_script_begin(loop->app, 0);
    loop->dirty = true;
}

void tt_event_loop_settle(struct tt_app *app)
{
    for (tt_app_draw(app); !app->is_whole; tt_app_draw(app)) {
        tt_app_complete(app, WHOLE_NS);
    }
}

void tt_event_loop_wait(struct tt_app *app)
{
    const struct timespec nap = {0, 1000000};
    while (!tt_live_is_read(app) && !app->ws.index.arrives) {
        nanosleep(&nap, NULL); /* a capture that was just opened is indexed */
        tt_app_update(app);
    }
    do {
        while (tt_app_working(app)) {
            tt_app_work(app, WHOLE_NS);
        }
        tt_find_settle(app);
        tt_event_loop_settle(app);
    } while (tt_app_working(app));
}

void tt_event_loop_type(struct tt_app *app, const char *keys)
{
    size_t left = keys ? strlen(keys) : 0;
    while (left > 0 && !app->ws.term.requests.quit) {
        uint32_t key;
        size_t used = tt_key_parse(keys, left, &key);
        if (used == 0) {
            return;
        }
        tt_app_key(app, key);
        tt_event_loop_wait(app);
        keys += used;
        left -= used;
    }
}

/* ---- waiting ------------------------------------------------------------------------------ */

/* Returns a time in ns as a timeout in milliseconds, not shorter. */
static int timeout_of(uint64_t ns)
{
    return ns > 0 ? (int)(ns / 1000000 + 1) : 0;
}

static int earlier(int a, int b)
{
    return a < 0 || (b >= 0 && b < a) ? b : a;
}

/* Returns the timeout in milliseconds; -1: none. */
static int poll_timeout(const struct loop *loop)
{
    if (loop->held) {
        return loop->computes ? 0 : 1;
    }
    if (tt_app_working(loop->app) || (loop->incomplete && !loop->dirty)) {
        return 0;
    }
    int timeout = tt_screen_timeout(loop->screen);
    timeout = earlier(timeout, tt_find_timeout(&loop->app->ws.filters));
    timeout = loop->app->ws.index.arrives ? earlier(timeout, ARRIVAL_MS) : timeout;
    timeout = pipeline_runs(loop) ? earlier(timeout, MODES_MS) : timeout;
    timeout = loop->resized ? earlier(timeout, timeout_of(repaint_wait(loop))) : timeout;
    if (loop->dirty) {
        timeout = earlier(timeout, timeout_of(tt_screen_wait(loop->screen, TT_PACE_KEY)));
    } else if (loop->changed) {
        timeout = earlier(timeout, timeout_of(news_wait(loop)));
    }
    return timeout;
}

/* Waits briefly for the first events, so that the first frame is not empty. */
static void await_first_events(struct tt_app *app)
{
    const struct timespec nap = {0, 1000000};
    for (int i = 0, seen = 0; i < FIRST_NAPS && seen <= END_NAPS; i++) {
        tt_app_update(app);
        if (app->ws.index.progress.finished) {
            return;
        }
        seen += app->ws.index.rows > 0;
        nanosleep(&nap, NULL);
    }
}

static void continue_work(struct loop *loop)
{
    loop->computes = tt_app_working(loop->app);
    if (!loop->computes) {
        return;
    }
    if (tt_app_work(loop->app, SLICE_NS)) {
        loop->dirty = true;
    } else if (tt_now_ns() - loop->drawn >= PROGRESS_NS) {
        loop->changed = true;
    }
}

static void complete_frame(struct loop *loop)
{
    if (!loop->held && (!loop->incomplete || loop->dirty)) {
        return;
    }
    bool complete = tt_app_complete(loop->app, SLICE_NS);
    loop->computes |= !complete;
    if (complete) {
        loop->incomplete = false;
        loop->completes = loop->reason == TT_PACE_KEY && !loop->dirty;
        loop->dirty |= loop->completes;
        loop->changed = true;
    } else if (tt_now_ns() - loop->drawn >= PROGRESS_NS) {
        loop->changed = true;
    }
}

/* Draws if there is something to draw and the terminal may be sent a frame. */
static void draw_due(struct loop *loop)
{
    bool news = loop->changed && news_wait(loop) == 0;
    bool searching = tt_app_working(loop->app) && !news;
    if (loop->dirty && !searching && !loop->held &&
        tt_screen_wait(loop->screen, TT_PACE_KEY) == 0) {
        event_loop_draw(loop, loop->cut ? TT_PACE_REST_OF_KEY : TT_PACE_KEY);
    } else if (news) {
        event_loop_draw(loop, TT_PACE_NEWS);
    }
}

struct tt_status tt_event_loop_run(struct tt_app *app, struct tt_screen *screen, int *signal)
{
    struct loop loop = {.app = app, .screen = screen, .dirty = true, .status = tt_ok()};
    loop.has_pipe = !isatty(STDIN_FILENO);
    loop.acted = loop.arrived = tt_now_ns(); /* keys may be pending since before the start */
    loop.status = fit_grid(&loop);
    tt_screen_use_sync(screen, app->ws.term.requests.sync);
    tt_screen_use_rate(screen, app->ws.term.requests.frame_rate);
    await_first_events(app);
    while (!must_end(&loop)) {
        type_keys(&loop);
        continue_work(&loop);
        complete_frame(&loop);

        if (loop.resized != 0 && repaint_wait(&loop) == 0) {
            loop.resized = 0;
            if (!tt_screen_is_slow(loop.screen)) {
                tt_screen_repaint(loop.screen);
                loop.dirty = true;
            }
        }

        draw_due(&loop);
        loop.dirty |= tt_app_repair(app);

        struct pollfd fds[2] = {
            {.fd = loop.held ? -1 : tt_screen_fd(loop.screen), .events = POLLIN},
            {.fd = tt_signals_fd(), .events = POLLIN}};
        poll(fds, 2, poll_timeout(&loop));
        if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL)) {
            loop.gone = true;
        }

        keep_modes(&loop);
        handle_keys(&loop);
        adopt_background(&loop);

        /* Draws the typed text before the filter runs. */
        if (loop.dirty && loop.app->prompt.line.open &&
            tt_screen_wait(loop.screen, TT_PACE_KEY) == 0) {
            event_loop_draw(&loop, TT_PACE_KEY);
        }

        handle_signals(&loop);
    }
    *signal = loop.signal;
    return loop.status;
}

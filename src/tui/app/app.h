/* SPDX-License-Identifier: Apache-2.0 */
/*
 * app: what the views share: the capture, the cursor, marks, the prompt, messages; and where each
 * key goes. Nothing here knows of a terminal: keys come in by tt_app_key, a screen comes out of
 * tt_app_draw, and what only a terminal can do is left in `wishes` for whoever runs the program.
 *
 *      key --> prompt, if open --> a mark's letter, if awaited --> keymap --> overlay or view -->
 * app
 *
 * The cursor is an event's key (ticks, pos); its row is looked up again whenever rows may have
 * shifted, so the person stays on the same event while the index grows.
 *
 * A picture is more than what is seen: rows, windows and columns are made for it, and keys act on
 * them. So keys that come in faster than pictures are sent have one made for each of them, and do
 * what they would have done one by one. One thread.
 */
#ifndef TRACETUI_TUI_APP_APP_H
#define TRACETUI_TUI_APP_APP_H

#include <stdio.h>

#include "tracetui/text.h"
#include "tracetui/trace.h"
#include "tui/app/bookmarks.h"
#include "tui/app/export.h"
#include "tui/app/live.h"
#include "tui/app/prompt.h"
#include "tui/app/session.h"
#include "tui/draw/grid.h"
#include "tui/draw/theme.h"
#include "tui/filter/event_scan.h"
#include "tui/filter/filter_prompt.h"
#include "tui/filter/visible_lanes.h"
#include "tui/input/actions.h"
#include "tui/lanes/viewport.h"
#include "tui/tui.h"

#define TT_LEAST_WIDTH  40
#define TT_LEAST_HEIGHT 10

/* X(id, name) */
#define TT_TIMES_INFO(X)                                                                           \
    X(TT_TIMES_RELATIVE, "from the beginning")                                                     \
    X(TT_TIMES_ABSOLUTE, "absolute")                                                               \
    X(TT_TIMES_DELTA, "since the event before")                                                    \
    X(TT_TIMES_TICKS, "ticks")

enum tt_times {
#define X(id, name) id,
    TT_TIMES_INFO(X)
#undef X
        TT_TIMES_COUNT
};

/* A place in the list of all events. */
struct tt_place {
    struct tt_event event; /* a copy; its (ticks, pos) is what lasts */
    uint64_t row;          /* where it stands now */
    bool valid;            /* there is an event */
};

/* Are pictures to be sent whole (mode 2026)? */
enum tt_sync { TT_SYNC_AUTO, TT_SYNC_ON, TT_SYNC_OFF };

/* What is being pasted. */
struct tt_paste {
    bool open;
    uint64_t last_ns; /* when the last of it came */
    size_t refused;   /* characters that did not fit */
};

/* What the terminal is asked to do. */
struct tt_terminal_requests {
    bool quit;
    bool redraw;
    bool suspend;
    bool mouse;        /* turn it on or off */
    enum tt_sync sync; /* lasts */
    bool copy;         /* copy_text[0..copy_length) to the clipboard */
    size_t copy_length;
    char copy_text[4096];
};

struct tt_app;

/*
 * A view or an overlay: one const table each, in views/. Its state hangs in the app, made by
 * `open` (NULL: out of memory) and freed by `close`.
 */
struct tt_view {
    const char *name;  /* "events" */
    const char *title; /* "Events" */
    const char *tab;   /* "Ev" in the header where room is short */
    char digit;        /* its number in the header and its key */
    void *(*open)(void);
    void (*close)(void *state);
    /* Draws into its part of the screen. */
    void (*draw)(struct tt_app *app, void *state, struct tt_area area);
    /* Does an action; false if it is none of its. */
    bool (*act)(struct tt_app *app, void *state, enum tt_do action);
    /* The first button at (x, y) of the area that was drawn last. May be NULL. */
    void (*click)(struct tt_app *app, void *state, int x, int y);
    /* The line that `copy` copies. May be NULL. */
    void (*copy)(struct tt_app *app, void *state, struct tt_text *text);
    /* What it counts is stopped by Esc; false if it counts nothing. May be NULL. */
    bool (*stop)(void *state);
    /* What is open inside it is closed by q and Esc; false if nothing was. May be NULL. */
    bool (*shut)(struct tt_app *app, void *state);
    /* Contexts of its keys now, innermost first; ended by 0. */
    void (*contexts)(const struct tt_app *app, const void *state, unsigned out[4]);
    /* What the last line offers now: most useful first, the way out last; ended by 0. */
    const enum tt_do *(*footer)(const void *state);
    /* Another capture was opened: what was kept of the last one is gone. May be NULL. */
    void (*renew)(void *state);
    /*
     * Goes on for about `budget_ns` with what the last picture still lacks; true when it lacks
     * nothing. NULL: it never does.
     */
    bool (*work)(struct tt_app *app, void *state, uint64_t budget_ns);
    /* Are the rows and their order, as they were drawn last, those that were asked for? NULL:
     * always. */
    bool (*settled)(const struct tt_app *app, const void *state);
    /*
     * Writes the table that it shows to a file and says what it was ("12 rows") to `what`. NULL: it
     * has no table.
     */
    struct tt_status (*write)(struct tt_app *app, void *state, FILE *file, struct tt_text *what);
    /* Shows the part of it that has this name; false if there is none. May be NULL. */
    bool (*choose)(void *state, const char *part);
    /* Writes lines "word number number" of what a session keeps of it, and takes one. May be NULL.
     */
    void (*remember)(const struct tt_app *app, const void *state, struct tt_text *text);
    void (*recall)(struct tt_app *app, void *state, const char *word, uint64_t a, uint64_t b);
    bool by_time; /* its cursor is a time: going to a place does not leave it */
};

enum tt_view_id {
    TT_VIEW_EVENTS,
    TT_VIEW_THREADS,
    TT_VIEW_CPUS,
    TT_VIEW_SUMMARY,
    TT_VIEW_INFO,
    TT_VIEW_COUNT
};
enum tt_overlay_id {
    TT_OVERLAY_NONE,
    TT_OVERLAY_HELP,
    TT_OVERLAY_COLUMNS,
    TT_OVERLAY_MARKS,
    TT_OVERLAY_FILTERS,
    TT_OVERLAY_COUNT
};

/* What the views by time share beside the window: the lanes, and the event that they know. */
struct tt_lane_place {
    uint32_t thread;  /* or TT_NO_THREAD */
    uint32_t process; /* its header is chosen, not a thread; or UINT32_MAX */
    uint32_t number;  /* of a row of slices or of a counter, by `kind` */
    uint8_t kind;     /* enum tt_lane_row_kind: what the cursor's row shows */
    uint16_t cpu;
    bool chosen;        /* by the person, or by an event that was gone to */
    bool sequence;      /* a column is an event */
    uint64_t first_row; /* of the first column then */
    /* The event of app->cursor that the cursor's time stands for. */
    uint64_t ticks;
    uint64_t pos;
    bool taken;
    bool stays; /* the next event that is taken tells the time only, not the lane */
};

/* The capture that is shown. */
struct tt_opened {
    struct tt_trace *trace;
    struct tt_capture *capture;
    struct tt_events *events;        /* the screen's reader */
    struct tt_events *search_events; /* the search's, made when first needed */
};

struct tt_app {
    const struct tt_tui_options *options;
    void (*notify)(void *arg); /* wakes the loop; NULL: index here and now */
    char **paths; /* the captures: those of options, and those that were opened since */
    size_t path_count;
    size_t path;             /* which of them is shown */
    char *script;            /* played once the index is complete, or NULL */
    const char *failed_path; /* of the capture that could not be opened */
    struct tt_opened opened;
    const struct tt_trace *mended; /* in vain: its kept index was cut short */
    struct tt_following following;
    struct tt_progress progress;
    enum tt_cache_state kept; /* then */
    uint64_t rows;            /* published then */

    struct tt_theme theme;
    struct tt_keymap keymap;
    struct tt_grid grid;

    struct tt_place cursor;
    bool cursor_moved; /* by the person; until then it stays on the first row */
    struct tt_place before_jump;
    struct tt_bookmark marks[TT_BOOKMARKS];
    unsigned marks_set; /* how many times a mark was set */
    enum tt_times times;
    uint32_t hidden_columns; /* a bit each, see views/columns.h */

    struct tt_viewport viewport;
    struct tt_lane_place lane;
    uint64_t frame_ends; /* when the picture at hand has taken its time: see tt_app_share */

    enum tt_view_id view;
    enum tt_overlay_id overlay;
    void *view_states[TT_VIEW_COUNT];
    void *overlay_states[TT_OVERLAY_COUNT];
    struct tt_area body; /* where the view was drawn last */
    bool undrawn;        /* something was done since the last picture was made */
    enum tt_do awaiting; /* TT_DO_MARK, TT_DO_MARK_GOTO: the next key is a letter */

    struct tt_line_edit prompt;
    struct tt_completion completion;
    struct tt_paste paste;
    struct tt_event_scan search;
    struct tt_filter_stack filters;
    struct tt_visible_lanes owners; /* of what they leave */
    struct tt_find find;
    char message[TT_STATUS_TEXT];
    uint8_t message_role;
    struct tt_terminal_requests wishes;
    struct tt_exporting writing;
    bool mouse_on;
    struct tt_session session;
    unsigned ahead_ms; /* how long a key waits for what those before it asked for */
    bool keeps_session;
    bool keeps_index;  /* of captures that are opened from now on */
    bool opened_once;  /* the first capture is, or failed */
    bool ascii_locale; /* nothing but ASCII can be shown here */
    int glyphs;        /* 0: as the locale has them, 1: UTF-8, 2: ASCII */
    bool has_colors;   /* the terminal has, and they are used */
    bool colored;      /* states can be told apart by colour: glyphs are free to tell more */
    bool damaged;      /* by a capture that was shown */
};

/* ---- life --------------------------------------------------------------------------------- */

/* Opens the first capture; `notify` wakes the loop, NULL: index here and now. */
struct tt_status tt_app_open(struct tt_app *app, const struct tt_tui_options *options, bool ascii,
                             void (*notify)(void *arg));
void tt_app_close(struct tt_app *app);

/* Opens the next or previous usable file; stays, saying why, if none is. */
void tt_app_switch_file(struct tt_app *app, bool next);
/* Opens a file behind the others and shows it; stays, saying why, if it is of no use. */
void tt_app_open_file(struct tt_app *app, const char *path);
/* Takes another theme; on an error the old one stays. */
struct tt_status tt_app_theme(struct tt_app *app, const char *name);
/* Draws with the glyphs of the theme, the locale and the setting. */
void tt_app_use_glyphs(struct tt_app *app);

/*
 * Opens the capture that is shown anew, as it is now. `same`: its places are still good. On failure
 * all stays as it is.
 */
struct tt_status tt_app_reopen(struct tt_app *app, bool same);
/* Indexes the capture anew if the kept index that is shown was cut short; whether it did. */
bool tt_app_mend(struct tt_app *app);

/* Takes what the index and the filters have published since. True if there is something new to
 * draw. */
bool tt_app_update(struct tt_app *app);
/* Is there a search or the writing of a file to go on with? */
bool tt_app_working(const struct tt_app *app);
/* Goes on with it for about `budget_ns`; true when it ended. */
bool tt_app_work(struct tt_app *app, uint64_t budget_ns);
/* Goes on with what the view's picture lacks; true when it lacks nothing. */
bool tt_app_complete(struct tt_app *app, uint64_t budget_ns);
/*
 * Until when something of a picture may be worked out at once, before the rest is left for later:
 * for one n-th of the time that the picture has left. All that a picture takes at once together is
 * TT_FRAME_NS, and what is drawn whatever it takes.
 */
#define TT_FRAME_NS UINT64_C(2000000)
uint64_t tt_app_share(const struct tt_app *app, unsigned n);

/* How long a key waits for that, where nothing else is set. */
#define TT_AHEAD_MS 200u
/*
 * Is all known that the next key may act on? A key that does not wait for it acts on what there is
 * so far.
 */
bool tt_app_settled(const struct tt_app *app);

/*
 * Shows [from, to) in the views by time, and puts the cursor on its first event. `to` may lie
 * behind the end.
 */
void tt_app_show_range(struct tt_app *app, uint64_t from, uint64_t to);

/* ---- keys and screen ---------------------------------------------------------------------- */

void tt_app_key(struct tt_app *app, uint32_t key);
void tt_app_click(struct tt_app *app, int x, int y);
/* Draws all into app->grid at its size. */
void tt_app_draw(struct tt_app *app);
/* Does so if something was done since: whatever acts next finds what a person would see. */
void tt_app_catch_up(struct tt_app *app);

/* ---- for views ---------------------------------------------------------------------------- */

extern const struct tt_view *const tt_views[TT_VIEW_COUNT];
extern const struct tt_view *const tt_overlays[TT_OVERLAY_COUNT];

/* Puts the cursor on a row, or on the last one. */
void tt_app_go_row(struct tt_app *app, uint64_t row);
/* Puts it on the first event at or after a key, and remembers where it was for ''. */
void tt_app_jump(struct tt_app *app, uint64_t ticks, uint64_t pos);
void tt_app_show(struct tt_app *app, enum tt_view_id view);
/* A search from the cursor by what its event has, or, for TT_EVENT_SCAN_TYPE, by `type`. */
void tt_app_search(struct tt_app *app, enum tt_event_scan_by by, bool forward);
void tt_app_search_type(struct tt_app *app, uint32_t type);
/* The same by a thread or CPU that need not be the event's. */
void tt_app_search_value(struct tt_app *app, enum tt_event_scan_by by, uint32_t value,
                         bool forward);
void tt_app_message(struct tt_app *app, enum tt_role role, const char *fmt, ...) TT_PRINTF(3, 4);
/* The rows that Events shows, all filters taken, and which row is number `k` of them. */
uint64_t tt_app_visible_rows(const struct tt_app *app);
uint64_t tt_app_visible_row(const struct tt_app *app, uint64_t k);

/* A time in the format chosen; `before`: ticks of the event before. */
void tt_app_time(const struct tt_app *app, struct tt_text *text, uint64_t ticks, uint64_t before);
/* The date and time of day of a capture that has them: 2025-11-03 09:00:12.855 954 373 UTC. */
void tt_app_date(const struct tt_app *app, struct tt_text *text, uint64_t ticks);
/* A moment by itself: the same, but counted from the beginning where others are from the last. */
void tt_app_moment(const struct tt_app *app, struct tt_text *text, uint64_t ticks);
/* The unit that stands over such a column. */
const char *tt_app_time_unit(const struct tt_app *app);
/* A length of time with its unit, or in ticks without a clock. */
void tt_app_duration(const struct tt_app *app, struct tt_text *text, uint64_t ticks);
uint32_t tt_app_glyph(const struct tt_app *app, enum tt_glyph glyph);
/*
 * Lights the cursor's line of a table: all of it where the theme's cursor is a bar, else its first
 * `name` columns, which is seen as well and takes a third of the bytes.
 */
void tt_app_draw_cursor(const struct tt_app *app, struct tt_area line, int name);

/* ---- parts of the app, each in a file of its own ------------------------------------------- */

/* frame.c: the lines around a view, over what is on the screen already. */
void tt_frame_draw(struct tt_app *app);
/* The view whose tab stands at column x of the header, or TT_VIEW_COUNT. */
enum tt_view_id tt_frame_tab_at(const struct tt_app *app, int x);

/* app/navigate.c: a place is shown where one is, if there are places in that view. */
void tt_go_show_place(struct tt_app *app);
/* app/navigate.c: goes on with a search; true when it ended. */
bool tt_go_search(struct tt_app *app, uint64_t budget_ns);
/* Does an action by whoever it belongs to. */
void tt_app_act(struct tt_app *app, enum tt_do action);
/* Does it work where the person is? */
bool tt_app_has(const struct tt_app *app, enum tt_do action);

#endif

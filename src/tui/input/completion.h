/* SPDX-License-Identifier: Apache-2.0 */
/*
 * completion: what could stand at the caret of a prompt, offered by whoever knows, chosen by Tab.
 *
 *      ---- 3 of 12 -------------------
 *       thread    a thread's name              candidates: shown text, help
 *      >threads   ...
 *      filter: cpu = 0 and thr|
 *                          ^from, to^          the bytes that a candidate replaces
 *
 * The first Tab puts in what all candidates have in common and opens the list; further ones go
 * through it. It owns the candidates' texts (tt_completion_free). One thread.
 */
#ifndef TRACETUI_TUI_INPUT_COMPLETION_H
#define TRACETUI_TUI_INPUT_COMPLETION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/draw/grid.h"
#include "tui/draw/theme.h"
#include "tui/input/line_edit.h"

/* More are counted and not kept: nobody goes through them one by one. */
#define TT_COMPLETION_MOST 1000
/* Lines of the list, its head included. */
#define TT_COMPLETION_LINES 8

struct tt_candidate {
    size_t insert, shown, help; /* where they begin in `bytes`, NUL-terminated */
};

struct tt_completion {
    char *bytes;
    size_t used, capacity;
    struct tt_candidate *items;
    size_t item_capacity;
    unsigned count;
    unsigned more;    /* that were offered beyond TT_COMPLETION_MOST */
    size_t from, to;  /* bytes of the prompt's text that a candidate replaces */
    bool open;        /* the list is shown */
    unsigned chosen;  /* an item; `count`: none yet */
    unsigned top;     /* the first one shown */
    const char *word; /* text[from, to) while candidates are offered */
};

/* Offers candidates for the word that ends at byte `caret` of `text` to `out`. */
typedef void (*tt_complete_source)(void *arg, const char *text, size_t caret,
                                   struct tt_completion *out);

/*
 * For sources: the candidates that follow replace text[from, caret). Then one call each; those
 * that do not begin with what stands there (upper and lower case alike) are left out. `shown` NULL:
 * as `insert`; `help` NULL: none.
 */
void tt_completion_begin(struct tt_completion *completion, const char *text, size_t from,
                         size_t caret);
void tt_completion_offer(struct tt_completion *completion, const char *insert, const char *shown,
                         const char *help);

/* By name, for sources whose order means nothing. */
void tt_completion_sort(struct tt_completion *completion);

/* The same for a text that stands there in quotes, found by its `bare` beginning as well. */
void tt_completion_offer_quoted(struct tt_completion *completion, const char *insert,
                                const char *bare, const char *help);

/* Tab, or Shift-Tab if `back`. True if the prompt's text changed. */
bool tt_completion_tab(struct tt_completion *completion, struct tt_line_edit *prompt, bool back,
                       tt_complete_source source, void *arg);
/* The text was edited otherwise: an open list follows it, and closes when nothing is left. */
void tt_completion_follow(struct tt_completion *completion, const struct tt_line_edit *prompt,
                          tt_complete_source source, void *arg);
void tt_completion_close(struct tt_completion *completion);
void tt_completion_free(struct tt_completion *completion);

const char *tt_completion_insert(const struct tt_completion *completion, unsigned item);

/* Draws an open list onto the last lines of `area`. */
void tt_completion_draw(struct tt_completion *completion, const struct tt_theme *theme,
                        struct tt_area area);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * completion: Tab completion at a prompt, with candidates from a caller's source.
 *
 *      ---- 3 of 12 -------------------
 *       thread    a thread's name              candidates: display text, help
 *      >threads   ...
 *      filter: cpu = 0 and thr|
 *                          ^from, to^          the bytes that a candidate replaces
 *
 * The first Tab inserts the candidates' common prefix and opens the list; further Tabs cycle
 * through it. Owns the candidates' texts (tt_completion_free). One thread.
 */
#ifndef TRACETUI_TUI_INPUT_COMPLETION_H
#define TRACETUI_TUI_INPUT_COMPLETION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/draw/grid.h"
#include "tui/draw/theme.h"
#include "tui/input/line_edit.h"

/* Maximum number of stored candidates; further ones are only counted. */
#define TT_COMPLETION_MOST 1000
/* Lines of the list, including its header. */
#define TT_COMPLETION_LINES 17

struct tt_candidate {
    size_t insert, shown, help; /* offsets in `bytes` of NUL-terminated texts */
};

struct tt_completion {
    char *bytes;
    size_t used, capacity;
    struct tt_candidate *items;
    size_t item_capacity;
    unsigned count;
    unsigned more;    /* candidates beyond TT_COMPLETION_MOST */
    size_t from, to;  /* bytes of the prompt's text that a candidate replaces */
    bool open;        /* the list is visible */
    unsigned chosen;  /* index of the selected item; `count`: none */
    unsigned top;     /* index of the first visible item */
    const char *word; /* text[from, to) while candidates are offered */
};

/* Offers candidates for the word that ends at byte `caret` of `text` to `out`. */
typedef void (*tt_complete_source)(void *arg, const char *text, size_t caret,
                                   struct tt_completion *out);

/*
 * For sources. tt_completion_begin: the following candidates replace text[from, caret).
 * tt_completion_offer: adds one candidate; ignores it if it does not start with the text there
 * (case-insensitive). `shown` NULL: same as `insert`; `help` NULL: none.
 */
void tt_completion_begin(struct tt_completion *completion, const char *text, size_t from,
                         size_t caret);
void tt_completion_offer(struct tt_completion *completion, const char *insert, const char *shown,
                         const char *help);

/* Sorts the candidates by name, for sources without a meaningful order. */
void tt_completion_sort(struct tt_completion *completion);

/* Offers a quoted text, which also matches by the prefix of its unquoted form `bare`. */
void tt_completion_offer_quoted(struct tt_completion *completion, const char *insert,
                                const char *bare, const char *help);

/* Handles Tab, or Shift-Tab if `back`. True if the prompt's text changed. */
bool tt_completion_tab(struct tt_completion *completion, struct tt_line_edit *prompt, bool back,
                       tt_complete_source source, void *arg);
/* Updates an open list after an edit of the text, and closes it if no candidate is left. */
void tt_completion_follow(struct tt_completion *completion, const struct tt_line_edit *prompt,
                          tt_complete_source source, void *arg);
void tt_completion_close(struct tt_completion *completion);
void tt_completion_free(struct tt_completion *completion);

const char *tt_completion_insert(const struct tt_completion *completion, unsigned item);

/* Scrolls an open list to the selected item; `height`: of the area for tt_completion_draw. */
void tt_completion_layout(struct tt_completion *completion, int height);
/* Draws an open list onto the last lines of `area`. */
void tt_completion_draw(const struct tt_completion *completion, const struct tt_theme *theme,
                        struct tt_area area);

#endif

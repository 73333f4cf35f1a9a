/* SPDX-License-Identifier: Apache-2.0 */
/*
 * actions: the table of all key actions. The keymap, the help, the footer and docs/keys.md are
 * generated from it, so they cannot disagree.
 *
 * An action is valid in a set of contexts. Keys are looked up in the active contexts, innermost
 * first: in the detail pane Tab selects a field, elsewhere it changes the view.
 *
 * The verbs go, why, write, sort, reverse, plot and copy are one action each: the view or pane that has
 * the keys carries them out, and has the words for them (struct tt_verb).
 */
#ifndef TRACETUI_TUI_INPUT_ACTIONS_H
#define TRACETUI_TUI_INPUT_ACTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/input/view_list.h"

struct tt_text;

/* Contexts of keys: a view or overlay, any view, a pane, a prompt. */
enum tt_context {
#define X(id, name, key, title, tab, by_time) TT_IN_##id = 1 << TT_VIEW_##id,
    TT_VIEW_INFO(X)
#undef X
#define X(id, name, action, title) TT_IN_##id = 1 << (10 + TT_OVERLAY_##id),
        TT_OVERLAY_INFO(X)
#undef X
            TT_IN_VIEWS = 1 << 25, /* any view, no overlay open */
    TT_IN_DETAIL = 1 << 26,        /* the detail pane of Events is open */
    TT_IN_PROMPT = 1 << 27,
    TT_IN_PLOT = 1 << 28, /* a plot pane is open */
};

/* The context bit of a view, and of an overlay. */
#define TT_IN_VIEW_OF(view)       (1u << (view))
#define TT_IN_OVERLAY_OF(overlay) (1u << (10 + (overlay)))

#define TT_IN_LANES     (TT_IN_THREADS | TT_IN_CPUS)
#define TT_IN_TIMES     (TT_IN_LANES | TT_IN_SNAPSHOT)
#define TT_IN_TABLES    (TT_IN_SUMMARY | TT_IN_MESSAGES)
#define TT_IN_TIMED     (TT_IN_TIMES | TT_IN_ALIGN)
#define TT_IN_INTERVALS (TT_IN_MEASURE | TT_IN_MISSES)
#define TT_IN_PANES                                                                                \
    (TT_IN_WHY | TT_IN_INTERVALS | TT_IN_CHECK | TT_IN_DIFF | TT_IN_ALIGN | TT_IN_SQL)
#define TT_IN_OVERLAY (((1 << TT_OVERLAY_COUNT) - 2) << 10)
/* Lists whose rows / searches; others search by other means. Some have keys of their own on n and N. */
#define TT_IN_ROWS                                                                                 \
    (TT_IN_TABLES | TT_IN_INFO | (TT_IN_OVERLAY & ~(TT_IN_HELP | TT_IN_NOTICES | TT_IN_COLUMNS)))
#define TT_IN_NEXT_ROWS (TT_IN_ROWS & ~(TT_IN_WHY | TT_IN_ALIGN | TT_IN_MARKS))
#define TT_IN_LISTS     (((1 << TT_VIEW_COUNT) - 1) | TT_IN_OVERLAY)

/* X(id, name) */
#define TT_GROUP_INFO(X)                                                                           \
    X(TT_GROUP_MOVE, "Moving")                                                                     \
    X(TT_GROUP_VERBS, "What the cursor is on")                                                     \
    X(TT_GROUP_GO, "Going to a position")                                                          \
    X(TT_GROUP_FIND, "Finding and filtering")                                                      \
    X(TT_GROUP_SHOW, "Showing")                                                                    \
    X(TT_GROUP_LANES, "Threads and CPUs over time")                                                \
    X(TT_GROUP_CAUSES, "Causes")                                                                   \
    X(TT_GROUP_SUMMARY, "Numbers")                                                                 \
    X(TT_GROUP_PROGRAM, "The program")                                                             \
    X(TT_GROUP_EDIT, "Typing at a prompt")

enum tt_group {
#define X(id, name) id,
    TT_GROUP_INFO(X)
#undef X
        TT_GROUP_COUNT
};

/* The action that shows a view, generated from its row in view_list.h. */
#define TT_VIEW_ACTION(id, name, key, title, tab, by_time)                                         \
    X(TT_DO_VIEW_##id, "view." #name, key, TT_IN_VIEWS | TT_IN_OVERLAY, TT_GROUP_PROGRAM, "",      \
      title " view")

/* X(id, name, default keys, contexts, group, word in the footer or "", help) */
#define TT_DO_INFO(X)                                                                              \
    X(TT_DO_DOWN, "move.down", "j <Down>", TT_IN_LISTS, TT_GROUP_MOVE, "", "one line down")        \
    X(TT_DO_UP, "move.up", "k <Up>", TT_IN_LISTS, TT_GROUP_MOVE, "", "one line up")                \
    X(TT_DO_PAGE_DOWN, "move.page.down", "<PgDn> <C-f>", TT_IN_LISTS, TT_GROUP_MOVE, "page",       \
      "one page down")                                                                             \
    X(TT_DO_PAGE_UP, "move.page.up", "<PgUp> <C-b>", TT_IN_LISTS, TT_GROUP_MOVE, "",               \
      "one page up")                                                                               \
    X(TT_DO_HALF_DOWN, "move.half.down", "<C-d>", TT_IN_LISTS, TT_GROUP_MOVE, "",                  \
      "half a page down")                                                                          \
    X(TT_DO_HALF_UP, "move.half.up", "<C-u>", TT_IN_LISTS, TT_GROUP_MOVE, "", "half a page up")    \
    X(TT_DO_FIRST, "move.first", "g <Home>", TT_IN_LISTS, TT_GROUP_MOVE, "", "to the first line")  \
    X(TT_DO_LAST, "move.last", "G <End>", TT_IN_LISTS, TT_GROUP_MOVE, "", "to the last line")      \
    X(TT_DO_LEFT, "scroll.left", "h <Left>", TT_IN_EVENTS, TT_GROUP_MOVE, "",                      \
      "scroll the arguments left")                                                                 \
    X(TT_DO_RIGHT, "scroll.right", "l <Right>", TT_IN_EVENTS, TT_GROUP_MOVE, "",                   \
      "scroll the arguments right")                                                                \
    X(TT_DO_GO, "go", "<Enter>",                                                                   \
      TT_IN_LANES | TT_IN_INFO | TT_IN_SNAPSHOT | TT_IN_TABLES | TT_IN_PANES | TT_IN_MARKS |       \
          TT_IN_HISTORY | TT_IN_RESULTS,                                                           \
      TT_GROUP_VERBS, "go", "go to what the cursor is on")                                         \
    X(TT_DO_WHY, "why", "b",                                                                       \
      TT_IN_EVENTS | TT_IN_TIMES | TT_IN_TABLES | TT_IN_INTERVALS | TT_IN_CHECK | TT_IN_WHY,       \
      TT_GROUP_VERBS, "why", "because: explain this state, the selection, or the longest one")     \
    X(TT_DO_WRITE, "write", "w",                                                                   \
      TT_IN_VIEWS | TT_IN_TABLES | TT_IN_INTERVALS | TT_IN_CHECK | TT_IN_DIFF | TT_IN_SQL |        \
          TT_IN_WHY,                                                                               \
      TT_GROUP_VERBS, "csv", "write the view to a file; tables and FILE.csv as CSV")               \
    X(TT_DO_SORT, "sort", "o",                                                                     \
      TT_IN_EVENTS | TT_IN_INFO | TT_IN_THREADS | TT_IN_SNAPSHOT | TT_IN_TABLES | TT_IN_SQL |      \
          TT_IN_INTERVALS | TT_IN_CHECK | TT_IN_ALIGN,                                             \
      TT_GROUP_VERBS, "sort", "sort by the selected column, or in the next order")                 \
    X(TT_DO_REVERSE, "reverse", "O",                                                               \
      TT_IN_INFO | TT_IN_THREADS | TT_IN_SNAPSHOT | TT_IN_TABLES | TT_IN_SQL | TT_IN_INTERVALS |   \
          TT_IN_CHECK,                                                                             \
      TT_GROUP_VERBS, "", "reverse the order")                                                     \
    X(TT_DO_PLOT, "plot", "d", TT_IN_TABLES | TT_IN_MEASURE | TT_IN_DETAIL, TT_GROUP_VERBS,        \
      "plot", "open or close the plot of the selected number")                                     \
    X(TT_DO_COPY, "copy", "y", TT_IN_VIEWS | TT_IN_ROWS | TT_IN_COLUMNS, TT_GROUP_VERBS, "copy",   \
      "copy the line to the terminal's clipboard (OSC 52)")                                        \
    X(TT_DO_COPY_ALL, "copy.all", "Y",                                                             \
      TT_IN_VIEWS | TT_IN_WHY | TT_IN_SQL | TT_IN_INTERVALS | TT_IN_CHECK | TT_IN_DIFF,            \
      TT_GROUP_VERBS, "", "copy every value of the line, as name=value")                           \
    X(TT_DO_GOTO, "goto", ":", TT_IN_VIEWS | TT_IN_PANES, TT_GROUP_GO, "go to",                    \
      "a command or a position: :1234 :1.5s :50% :500t; Tab completes")                            \
    X(TT_DO_THREAD_NEXT, "thread.next", "J", TT_IN_EVENTS | TT_IN_TIMES, TT_GROUP_GO, "thread",    \
      "next event of this thread")                                                                 \
    X(TT_DO_THREAD_PREVIOUS, "thread.previous", "K", TT_IN_EVENTS | TT_IN_TIMES, TT_GROUP_GO, "",  \
      "previous event of this thread")                                                             \
    X(TT_DO_CPU_NEXT, "cpu.next", "L", TT_IN_EVENTS | TT_IN_TIMES, TT_GROUP_GO, "",                \
      "next event of this CPU")                                                                    \
    X(TT_DO_CPU_PREVIOUS, "cpu.previous", "H", TT_IN_EVENTS | TT_IN_TIMES, TT_GROUP_GO, "",        \
      "previous event of this CPU")                                                                \
    X(TT_DO_TYPE_NEXT, "type.next", "}", TT_IN_EVENTS | TT_IN_LANES, TT_GROUP_GO, "",              \
      "next event of this type")                                                                   \
    X(TT_DO_TYPE_PREVIOUS, "type.previous", "{", TT_IN_EVENTS | TT_IN_LANES, TT_GROUP_GO, "",      \
      "previous event of this type")                                                               \
    X(TT_DO_SEARCH, "search", "/", TT_IN_VIEWS, TT_GROUP_FIND, "search",                           \
      "search from the cursor: a regex, or terms as in a filter")                                  \
    X(TT_DO_SEARCH_NEXT, "search.next", "n", TT_IN_VIEWS, TT_GROUP_FIND, "", "next match")         \
    X(TT_DO_SEARCH_PREVIOUS, "search.previous", "N", TT_IN_VIEWS, TT_GROUP_FIND, "",               \
      "previous match")                                                                            \
    X(TT_DO_LIST_FIND, "list.find", "/", TT_IN_ROWS, TT_GROUP_FIND, "",                            \
      "find a row of this list by its text; nothing: the next one")                                \
    X(TT_DO_LIST_NEXT, "list.next", "n", TT_IN_NEXT_ROWS, TT_GROUP_FIND, "",                       \
      "next row of this list with the text")                                                       \
    X(TT_DO_LIST_PREVIOUS, "list.previous", "N", TT_IN_NEXT_ROWS, TT_GROUP_FIND, "",               \
      "previous row of this list with the text")                                                   \
    X(TT_DO_FILTER, "filter", "f", TT_IN_VIEWS, TT_GROUP_FIND, "filter",                           \
      "show only matching events; an empty line shows all")                                        \
    X(TT_DO_FILTER_NEW, "filter.new", "&", TT_IN_VIEWS, TT_GROUP_FIND, "",                         \
      "new filter, starting with an empty line")                                                   \
    X(TT_DO_FILTERS, "filters", "e", TT_IN_VIEWS | TT_IN_FILTERS, TT_GROUP_FIND, "filters",        \
      "open or close the list of filters")                                                         \
    X(TT_DO_ONLY_THREAD, "filter.thread", "T", TT_IN_EVENTS | TT_IN_TIMES | TT_IN_TABLES,          \
      TT_GROUP_FIND, "", "show only events of this thread; ^O shows the others again")             \
    X(TT_DO_WITHOUT_EVENT, "filter.event", "X", TT_IN_EVENTS | TT_IN_TIMES | TT_IN_TABLES,         \
      TT_GROUP_FIND, "", "hide events of this type; ^O shows them again")                          \
    X(TT_DO_ONLY_MESSAGE, "filter.message", "S", TT_IN_EVENTS | TT_IN_TIMES, TT_GROUP_FIND, "",    \
      "show only events of this message; ^O shows the others again")                               \
    X(TT_DO_FILTERED_OUT, "filter.peek", "E", TT_IN_VIEWS, TT_GROUP_FIND, "",                      \
      "show filtered-out events dim, or hide them")                                                \
    X(TT_DO_FILTER_ADD, "filter.add", "a", TT_IN_FILTERS, TT_GROUP_FIND, "add", "add a filter")    \
    X(TT_DO_FILTER_ADD_EXCLUDE, "filter.add.exclude", "x", TT_IN_FILTERS, TT_GROUP_FIND,           \
      "exclude", "add a filter that excludes")                                                     \
    X(TT_DO_FILTER_ADD_HIGHLIGHT, "filter.add.highlight", "l", TT_IN_FILTERS, TT_GROUP_FIND,       \
      "highlight", "add a filter that highlights")                                                 \
    X(TT_DO_FILTER_EDIT, "filter.edit", "<Enter>", TT_IN_FILTERS, TT_GROUP_FIND, "edit",           \
      "edit the filter")                                                                           \
    X(TT_DO_FILTER_TOGGLE, "filter.toggle", "<Space>", TT_IN_FILTERS, TT_GROUP_FIND, "on/off",     \
      "enable or disable the filter")                                                              \
    X(TT_DO_FILTER_USE, "filter.use", "<Tab>", TT_IN_FILTERS, TT_GROUP_FIND, "kind",               \
      "change the use: include, exclude, highlight")                                               \
    X(TT_DO_FILTER_DELETE, "filter.delete", "d <Del>", TT_IN_FILTERS, TT_GROUP_FIND, "delete",     \
      "delete the filter")                                                                         \
    X(TT_DO_FILTER_RENAME, "filter.rename", "r", TT_IN_FILTERS, TT_GROUP_FIND, "name",             \
      "name the filter")                                                                           \
    X(TT_DO_FILTER_DOWN, "filter.down", "J", TT_IN_FILTERS, TT_GROUP_FIND, "move",                 \
      "move the filter down")                                                                      \
    X(TT_DO_FILTER_UP, "filter.up", "K", TT_IN_FILTERS, TT_GROUP_FIND, "", "move the filter up")   \
    X(TT_DO_MARK, "mark.set", "m", TT_IN_EVENTS | TT_IN_TIMES, TT_GROUP_GO, "mark",                \
      "set a mark: m and a letter; two marks show their difference")                               \
    X(TT_DO_MARK_GOTO, "mark.goto", "'", TT_IN_VIEWS, TT_GROUP_GO, "",                             \
      "go to a mark: ' and its letter; '' returns")                                                \
    X(TT_DO_MARKS, "marks", "\"", TT_IN_VIEWS | TT_IN_MARKS, TT_GROUP_GO, "marks",                 \
      "list the marks and their notes")                                                            \
    X(TT_DO_MARK_NOTE, "mark.note", "n e", TT_IN_MARKS, TT_GROUP_GO, "note",                       \
      "edit the note of the mark")                                                                 \
    X(TT_DO_MARK_DELETE, "mark.delete", "d <Del>", TT_IN_MARKS, TT_GROUP_GO, "delete",             \
      "delete the mark")                                                                           \
    X(TT_DO_BACK, "back", "<C-o> <BS>", TT_IN_VIEWS | TT_IN_OVERLAY, TT_GROUP_GO, "",              \
      "back to the place before the last jump, and further back")                                  \
    X(TT_DO_FORWARD, "forward", "<C-t>", TT_IN_VIEWS | TT_IN_OVERLAY, TT_GROUP_GO, "",             \
      "forward to the place from which you went back")                                             \
    X(TT_DO_HISTORY, "history", "<C-g>", TT_IN_VIEWS | TT_IN_PANES | TT_IN_HISTORY, TT_GROUP_GO,   \
      "", "list the places of the jumps")                                                          \
    X(TT_DO_RESULTS, "results", "<C-r>", TT_IN_VIEWS | TT_IN_PANES | TT_IN_RESULTS, TT_GROUP_GO,   \
      "", "list the results: measurements, checks, queries, searches")                             \
    X(TT_DO_RESULT_NEWEST, "result.newest", "@", TT_IN_VIEWS | TT_IN_PANES, TT_GROUP_GO, "",       \
      "show the newest result again")                                                              \
    X(TT_DO_SELECT_MARKS, "select.marks", "V", TT_IN_VIEWS | TT_IN_MARKS, TT_GROUP_GO, "select",   \
      "select the range between the two latest marks")                                             \
    X(TT_DO_SECTION_NEXT, "section.next", "} ]", TT_IN_INFO, TT_GROUP_GO, "section",               \
      "next section")                                                                              \
    X(TT_DO_SECTION_PREVIOUS, "section.previous", "{ [", TT_IN_INFO, TT_GROUP_GO, "",              \
      "previous section")                                                                          \
    X(TT_DO_DETAIL, "detail", "<Enter>", TT_IN_EVENTS, TT_GROUP_SHOW, "fields",                    \
      "open or close the pane with every field and the bytes")                                     \
    X(TT_DO_FIELD_NEXT, "field.next", "<Tab> l <Right>", TT_IN_DETAIL, TT_GROUP_SHOW,              \
      "next field", "select the next field; its bytes are highlighted")                            \
    X(TT_DO_FIELD_PREVIOUS, "field.previous", "<S-Tab> h <Left>", TT_IN_DETAIL, TT_GROUP_SHOW, "", \
      "select the previous field")                                                                 \
    X(TT_DO_TIME, "time.format", "t", TT_IN_VIEWS | TT_IN_WHY, TT_GROUP_SHOW, "time",              \
      "times: relative, absolute, delta, ticks")                                                   \
    X(TT_DO_COLUMNS, "columns", "c", TT_IN_EVENTS | TT_IN_TABLES, TT_GROUP_SHOW, "columns",        \
      "select the columns")                                                                        \
    X(TT_DO_COLUMN_TOGGLE, "column.toggle", "<Space> <Enter>", TT_IN_COLUMNS, TT_GROUP_SHOW,       \
      "show or hide", "show or hide this column")                                                  \
    X(TT_DO_COLUMN_FIND, "column.find", "/", TT_IN_COLUMNS, TT_GROUP_SHOW, "find",                 \
      "only the columns with a text")                                                              \
    X(TT_DO_LANE_LEFT, "lane.left", "h <Left>", TT_IN_TIMED | TT_IN_WHY, TT_GROUP_LANES, "",       \
      "cursor one column left")                                                                    \
    X(TT_DO_LANE_RIGHT, "lane.right", "l <Right>", TT_IN_TIMED | TT_IN_WHY, TT_GROUP_LANES, "pan", \
      "cursor one column right")                                                                   \
    X(TT_DO_PAN_LEFT, "pan.left", "<lt>", TT_IN_TIMED, TT_GROUP_LANES, "", "half a screen left")   \
    X(TT_DO_PAN_RIGHT, "pan.right", ">", TT_IN_TIMED, TT_GROUP_LANES, "", "half a screen right")   \
    X(TT_DO_TIME_FIRST, "time.first", "^", TT_IN_TIMED, TT_GROUP_LANES, "",                        \
      "to the start of the capture")                                                               \
    X(TT_DO_TIME_LAST, "time.last", "$", TT_IN_TIMED, TT_GROUP_LANES, "",                          \
      "to the end of the capture")                                                                 \
    X(TT_DO_ZOOM_IN, "zoom.in", "+ =", TT_IN_TIMED | TT_IN_WHY, TT_GROUP_LANES, "",                \
      "zoom in on the cursor by a factor of 2")                                                    \
    X(TT_DO_ZOOM_OUT, "zoom.out", "- _", TT_IN_TIMED | TT_IN_WHY, TT_GROUP_LANES, "zoom",          \
      "zoom out from the cursor by a factor of 2")                                                 \
    X(TT_DO_ZOOM_ALL, "zoom.all", "0", TT_IN_TIMED | TT_IN_WHY, TT_GROUP_LANES, "all",             \
      "show the whole capture")                                                                    \
    X(TT_DO_SELECT, "select", "v", TT_IN_TIMES, TT_GROUP_LANES, "select",                          \
      "select a range: start, then end; Esc clears it")                                            \
    X(TT_DO_ZOOM_SELECTION, "zoom.selection", "z", TT_IN_TIMES | TT_IN_WHY, TT_GROUP_LANES, "",    \
      "zoom to the selection")                                                                     \
    X(TT_DO_STATE_PREVIOUS, "state.previous", ",", TT_IN_TIMES, TT_GROUP_LANES, "",                \
      "start of this state, then of the previous one")                                             \
    X(TT_DO_STATE_NEXT, "state.next", ".", TT_IN_TIMES, TT_GROUP_LANES, "state",                   \
      "start of the next state on this lane")                                                      \
    X(TT_DO_SWITCH_PREVIOUS, "switch.previous", "[", TT_IN_LANES, TT_GROUP_LANES, "",              \
      "previous context switch on this CPU, and its new thread")                                   \
    X(TT_DO_SWITCH_NEXT, "switch.next", "]", TT_IN_LANES, TT_GROUP_LANES, "switch",                \
      "next context switch on this CPU, and its new thread")                                       \
    X(TT_DO_FOLD, "fold", "<Space>", TT_IN_THREADS, TT_GROUP_LANES, "fold",                        \
      "fold a process into one lane, or unfold it")                                                \
    X(TT_DO_FOLD_ALL, "fold.all", "Z", TT_IN_THREADS, TT_GROUP_LANES, "",                          \
      "fold or unfold all processes")                                                              \
    X(TT_DO_PIN, "pin", "p", TT_IN_THREADS, TT_GROUP_LANES, "pin",                                 \
      "pin this lane to the top, or unpin it")                                                     \
    X(TT_DO_HIDE_IDLE, "idle.hide", "i", TT_IN_THREADS | TT_IN_SUMMARY, TT_GROUP_LANES, "idle",    \
      "toggle threads that never run in the visible range")                                        \
    X(TT_DO_AXIS, "axis", "x", TT_IN_TIMES, TT_GROUP_LANES, "axis",                                \
      "toggle the x axis: time or event sequence")                                                 \
    X(TT_DO_CAUSE_BLOCKER, "cause.blocker", "B", TT_IN_EVENTS | TT_IN_TIMES, TT_GROUP_CAUSES, "",  \
      "to what it waits for: server, holder, the thread on its CPU")                               \
    X(TT_DO_CAUSE_WAKER, "cause.waker", "U", TT_IN_EVENTS | TT_IN_TIMES, TT_GROUP_CAUSES, "",      \
      "to the thread that woke it up, when it did; '' returns")                                    \
    X(TT_DO_SNAPSHOT_IDLE, "snapshot.idle", "i", TT_IN_SNAPSHOT, TT_GROUP_CAUSES, "",              \
      "toggle idle and ended threads")                                                             \
    X(TT_DO_ASK, "ask", "Q", TT_IN_VIEWS | TT_IN_OVERLAY, TT_GROUP_CAUSES, "ask",                  \
      "the worst delay, wait, message, ... and why; or what changed")                              \
    X(TT_DO_MISS_NEXT, "miss.next", "D", TT_IN_VIEWS, TT_GROUP_CAUSES, "",                         \
      "to the next job that missed its deadline (:deadline)")                                      \
    X(TT_DO_MISS_PREVIOUS, "miss.previous", "A", TT_IN_VIEWS, TT_GROUP_CAUSES, "",                 \
      "to the previous job that missed its deadline")                                              \
    X(TT_DO_PARTNER, "partner", "s", TT_IN_EVENTS | TT_IN_LANES, TT_GROUP_CAUSES, "",              \
      "to the other thread of this message, client or server; back")                               \
    X(TT_DO_WHY_FOLLOW, "why.follow", ">", TT_IN_WHY, TT_GROUP_CAUSES, "follow cause",             \
      "explain the thread that this piece is charged to")                                          \
    X(TT_DO_WHY_BACK, "why.back", "<lt>", TT_IN_WHY, TT_GROUP_CAUSES, "back",                      \
      "back to the explanation before")                                                            \
    X(TT_DO_WHY_NEXT, "why.next", "n", TT_IN_WHY, TT_GROUP_CAUSES, "next worst",                   \
      "the next longest of the same kind, of this thread")                                         \
    X(TT_DO_WHY_NEXT_ALL, "why.next.all", "N", TT_IN_WHY, TT_GROUP_CAUSES, "of all",               \
      "the next longest of the same kind, of all threads")                                         \
    X(TT_DO_DIFF_LIST, "diff.list", "o", TT_IN_DIFF, TT_GROUP_CAUSES, "list",                      \
      "a line per changed value, or a table of all rows")                                          \
    X(TT_DO_ALIGN_NEXT, "align.next", "n", TT_IN_ALIGN, TT_GROUP_CAUSES, "next event",             \
      "align at the next event of both sides")                                                     \
    X(TT_DO_ALIGN_PREVIOUS, "align.previous", "N", TT_IN_ALIGN, TT_GROUP_CAUSES, "",               \
      "align at the previous event of both sides")                                                 \
    X(TT_DO_ALIGN_ZERO, "align.zero", "a", TT_IN_ALIGN, TT_GROUP_CAUSES, "",                       \
      "cursor to the moment at which both sides are aligned")                                      \
    X(TT_DO_SQL_EDIT, "sql.edit", "e", TT_IN_SQL, TT_GROUP_CAUSES, "edit",                         \
      "edit the query and run it again")                                                           \
    X(TT_DO_COLUMN_LEFT, "column.left", "h <Left>",                                                \
      TT_IN_TABLES | TT_IN_INTERVALS | TT_IN_CHECK | TT_IN_DIFF | TT_IN_SQL, TT_GROUP_SUMMARY, "", \
      "select the column to the left")                                                             \
    X(TT_DO_COLUMN_RIGHT, "column.right", "l <Right>",                                             \
      TT_IN_TABLES | TT_IN_INTERVALS | TT_IN_CHECK | TT_IN_DIFF | TT_IN_SQL, TT_GROUP_SUMMARY,     \
      "column", "select the column to the right; at the end, hidden ones")                         \
    X(TT_DO_RANGE, "range", "r", TT_IN_TABLES, TT_GROUP_SUMMARY, "range",                          \
      "range: visible window, selection, or whole capture")                                        \
    X(TT_DO_PLOT_KIND, "plot.kind", "p", TT_IN_PLOT, TT_GROUP_SUMMARY, "kind",                     \
      "next plot of the number: histogram, over time, rate, load")                                 \
    X(TT_DO_PLOT_SCALE, "plot.scale", "x", TT_IN_PLOT, TT_GROUP_SUMMARY, "log",                    \
      "logarithmic or linear scale of the plot's values")                                          \
    X(TT_DO_PLOT_LEFT, "plot.left", ",", TT_IN_PLOT, TT_GROUP_SUMMARY, "",                         \
      "cursor to the previous column of the plot with a sample")                                   \
    X(TT_DO_PLOT_RIGHT, "plot.right", ".", TT_IN_PLOT, TT_GROUP_SUMMARY, "cursor",                 \
      "cursor to the next column with a sample; Enter goes to it")                                 \
    X(TT_DO_PLOT_LARGE, "plot.large", "z", TT_IN_PLOT, TT_GROUP_SUMMARY, "large",                  \
      "enlarge the plot to the whole view, or shrink it")                                          \
    X(TT_DO_TABLE_NEXT, "table.next", "] }", TT_IN_TABLES | TT_IN_DIFF, TT_GROUP_SUMMARY, "table", \
      "next table of the view")                                                                    \
    X(TT_DO_TABLE_PREVIOUS, "table.previous", "[ {", TT_IN_TABLES | TT_IN_DIFF, TT_GROUP_SUMMARY,  \
      "", "previous table")                                                                        \
    X(TT_DO_GROUP, "table.group", "B", TT_IN_TABLES, TT_GROUP_SUMMARY, "by",                       \
      "group the rows in another way: by process, by server, ...")                                 \
    X(TT_DO_TABLES, "tables", "a", TT_IN_VIEWS, TT_GROUP_SUMMARY, "tables",                        \
      "list the tables of Summary and Messages (:stats)")                                          \
    X(TT_DO_COUNT_AGAIN, "numbers.again", "R", TT_IN_TABLES, TT_GROUP_SUMMARY, "",                 \
      "resume a stopped count, or count again")                                                    \
    TT_VIEW_INFO(TT_VIEW_ACTION)                                                                   \
    X(TT_DO_VIEW_NEXT, "view.next", "<Tab>", TT_IN_VIEWS, TT_GROUP_PROGRAM, "view", "next view")   \
    X(TT_DO_VIEW_PREVIOUS, "view.previous", "<S-Tab>", TT_IN_VIEWS, TT_GROUP_PROGRAM, "",          \
      "previous view")                                                                             \
    X(TT_DO_FILE_NEXT, "file.next", "<C-n>", TT_IN_VIEWS, TT_GROUP_PROGRAM, "",                    \
      "next file of the command line (:next)")                                                     \
    X(TT_DO_FILE_PREVIOUS, "file.previous", "<C-p>", TT_IN_VIEWS, TT_GROUP_PROGRAM, "",            \
      "previous file (:prev); :files lists them")                                                  \
    X(TT_DO_FOLLOW, "follow", "F", TT_IN_VIEWS, TT_GROUP_PROGRAM, "follow",                        \
      "follow the growing capture, or hold the position")                                          \
    X(TT_DO_FOLLOW_WINDOW, "follow.window", "W", TT_IN_TIMES, TT_GROUP_PROGRAM, "",                \
      "while following: show all, or the last 1, 10 or 60 s")                                      \
    X(TT_DO_MOUSE, "mouse", "M", TT_IN_VIEWS, TT_GROUP_PROGRAM, "",                                \
      "toggle the mouse; when off, the terminal selects text")                                     \
    X(TT_DO_HELP, "help", "? <F1>", TT_IN_VIEWS | TT_IN_OVERLAY, TT_GROUP_PROGRAM, "help",         \
      "open or close this help")                                                                   \
    X(TT_DO_HELP_FIND, "help.find", "/", TT_IN_HELP, TT_GROUP_PROGRAM, "search",                   \
      "search in this help")                                                                       \
    X(TT_DO_HELP_FIND_NEXT, "help.find.next", "n", TT_IN_HELP, TT_GROUP_PROGRAM, "",               \
      "next line of this help with the text searched")                                             \
    X(TT_DO_MESSAGES, "messages", "!", TT_IN_VIEWS | TT_IN_NOTICES, TT_GROUP_PROGRAM, "",          \
      "list the messages of the status line")                                                      \
    X(TT_DO_REDRAW, "redraw", "<C-l>", TT_IN_VIEWS | TT_IN_OVERLAY, TT_GROUP_PROGRAM, "",          \
      "redraw the screen")                                                                         \
    X(TT_DO_SUSPEND, "suspend", "<C-z>", TT_IN_VIEWS | TT_IN_OVERLAY, TT_GROUP_PROGRAM, "",        \
      "suspend to the shell; fg resumes")                                                          \
    X(TT_DO_CANCEL, "cancel", "<Esc>", TT_IN_VIEWS | TT_IN_OVERLAY, TT_GROUP_PROGRAM, "close",     \
      "stop a search, close an overlay, clear the selection")                                      \
    X(TT_DO_QUIT, "quit", "q", TT_IN_VIEWS | TT_IN_OVERLAY, TT_GROUP_PROGRAM, "quit",              \
      "close an overlay, or quit")                                                                 \
    X(TT_DO_QUIT_NOW, "quit.now", "<C-c>", TT_IN_VIEWS | TT_IN_OVERLAY, TT_GROUP_PROGRAM, "",      \
      "stop a search, or quit at once")                                                            \
    X(TT_DO_EDIT_ACCEPT, "edit.accept", "<Enter>", TT_IN_PROMPT, TT_GROUP_EDIT, "accept",          \
      "accept the line")                                                                           \
    X(TT_DO_EDIT_CANCEL, "edit.cancel", "<Esc> <C-c> <C-g>", TT_IN_PROMPT, TT_GROUP_EDIT,          \
      "cancel", "leave the prompt")                                                                \
    X(TT_DO_EDIT_LEFT, "edit.left", "<Left> <C-b>", TT_IN_PROMPT, TT_GROUP_EDIT, "",               \
      "one character left")                                                                        \
    X(TT_DO_EDIT_RIGHT, "edit.right", "<Right> <C-f>", TT_IN_PROMPT, TT_GROUP_EDIT, "",            \
      "one character right")                                                                       \
    X(TT_DO_EDIT_HOME, "edit.home", "<Home> <C-a>", TT_IN_PROMPT, TT_GROUP_EDIT, "",               \
      "to the start of the line")                                                                  \
    X(TT_DO_EDIT_END, "edit.end", "<End> <C-e>", TT_IN_PROMPT, TT_GROUP_EDIT, "",                  \
      "to the end of the line")                                                                    \
    X(TT_DO_EDIT_BACKSPACE, "edit.backspace", "<BS> <C-h>", TT_IN_PROMPT, TT_GROUP_EDIT, "",       \
      "delete the previous character; on an empty line, leave")                                    \
    X(TT_DO_EDIT_DELETE, "edit.delete", "<Del> <C-d>", TT_IN_PROMPT, TT_GROUP_EDIT, "",            \
      "delete the character under the cursor")                                                     \
    X(TT_DO_EDIT_DELETE_WORD, "edit.delete.word", "<C-w>", TT_IN_PROMPT, TT_GROUP_EDIT, "",        \
      "delete the previous word")                                                                  \
    X(TT_DO_EDIT_DELETE_ALL, "edit.delete.all", "<C-u>", TT_IN_PROMPT, TT_GROUP_EDIT, "",          \
      "delete to the start of the line")                                                           \
    X(TT_DO_EDIT_DELETE_REST, "edit.delete.rest", "<C-k>", TT_IN_PROMPT, TT_GROUP_EDIT, "",        \
      "delete to the end of the line")                                                             \
    X(TT_DO_EDIT_OLDER, "edit.older", "<Up> <C-p>", TT_IN_PROMPT, TT_GROUP_EDIT, "history",        \
      "previous line of the history")                                                              \
    X(TT_DO_EDIT_NEWER, "edit.newer", "<Down> <C-n>", TT_IN_PROMPT, TT_GROUP_EDIT, "",             \
      "next line of the history")                                                                  \
    X(TT_DO_EDIT_RECALL, "edit.recall", "<C-r>", TT_IN_PROMPT, TT_GROUP_EDIT, "",                  \
      "search the history for the typed text")                                                     \
    X(TT_DO_EDIT_COMPLETE, "edit.complete", "<Tab>", TT_IN_PROMPT, TT_GROUP_EDIT, "complete",      \
      "complete the word; again: next candidate")                                                  \
    X(TT_DO_EDIT_COMPLETE_BACK, "edit.complete.back", "<S-Tab>", TT_IN_PROMPT, TT_GROUP_EDIT, "",  \
      "previous candidate")

enum tt_do {
    TT_DO_NOTHING,
#define X(id, name, keys, contexts, group, footer, help) id,
    TT_DO_INFO(X)
#undef X
        TT_DO_COUNT
};

/*
 * X(name, action, contexts): names that verbs had in some contexts, which configuration files may have;
 * a key for one of them is the verb's in these contexts alone.
 */
#define TT_DO_ALIAS_INFO(X)                                                                        \
    X("mark.jump", TT_DO_GO, TT_IN_MARKS)                                                          \
    X("history.go", TT_DO_GO, TT_IN_HISTORY)                                                       \
    X("result.go", TT_DO_GO, TT_IN_RESULTS)                                                        \
    X("jump", TT_DO_GO, TT_IN_INFO)                                                                \
    X("lane.event", TT_DO_GO, TT_IN_LANES)                                                         \
    X("snapshot.lane", TT_DO_GO, TT_IN_SNAPSHOT)                                                   \
    X("maximum", TT_DO_GO, TT_IN_TABLES)                                                           \
    X("why.go", TT_DO_GO, TT_IN_WHY)                                                               \
    X("interval.go", TT_DO_GO, TT_IN_INTERVALS)                                                    \
    X("check.go", TT_DO_GO, TT_IN_CHECK)                                                           \
    X("diff.go", TT_DO_GO, TT_IN_DIFF)                                                             \
    X("align.go", TT_DO_GO, TT_IN_ALIGN)                                                           \
    X("sql.go", TT_DO_GO, TT_IN_SQL)                                                               \
    X("interval.why", TT_DO_WHY, TT_IN_INTERVALS)                                                  \
    X("check.why", TT_DO_WHY, TT_IN_CHECK)                                                         \
    X("why.close", TT_DO_WHY, TT_IN_WHY)                                                           \
    X("why.write", TT_DO_WRITE, TT_IN_WHY)                                                         \
    X("interval.write", TT_DO_WRITE, TT_IN_INTERVALS)                                              \
    X("check.write", TT_DO_WRITE, TT_IN_CHECK)                                                     \
    X("sql.write", TT_DO_WRITE, TT_IN_SQL)                                                         \
    X("events.sort", TT_DO_SORT, TT_IN_EVENTS)                                                     \
    X("lanes.sort", TT_DO_SORT, TT_IN_THREADS)                                                     \
    X("snapshot.sort", TT_DO_SORT, TT_IN_SNAPSHOT)                                                 \
    X("summary.sort", TT_DO_SORT, TT_IN_TABLES | TT_IN_SQL)                                        \
    X("misses.sort", TT_DO_SORT, TT_IN_MISSES)                                                     \
    X("align.order", TT_DO_SORT, TT_IN_ALIGN)                                                      \
    X("sort.reverse", TT_DO_REVERSE, TT_IN_INFO)                                                   \
    X("lanes.sort.reverse", TT_DO_REVERSE, TT_IN_THREADS)                                          \
    X("snapshot.sort.reverse", TT_DO_REVERSE, TT_IN_SNAPSHOT)                                      \
    X("summary.sort.reverse", TT_DO_REVERSE, TT_IN_TABLES | TT_IN_SQL)                             \
    X("spread", TT_DO_PLOT, TT_IN_TABLES | TT_IN_MEASURE)

struct tt_do_alias {
    const char *name;
    enum tt_do action;
    unsigned contexts;
};

struct tt_do_info {
    const char *name;
    const char *keys; /* default keys in the notation of keys.h, separated by blanks */
    unsigned contexts;
    enum tt_group group;
    const char *footer;
    const char *help;
};

/* A use of the mouse, and its contexts. */
struct tt_mouse_use {
    const char *mouse;
    const char *help;
    unsigned contexts;
};

/* Returns a use of the mouse by its number; NULL after the last one. */
const struct tt_mouse_use *tt_mouse_use_at(unsigned number);

/* Returns the table row of an action, 1 .. TT_DO_COUNT - 1. */
const struct tt_do_info *tt_do_at(unsigned action);
/* Returns an alias by its number; NULL after the last one. */
const struct tt_do_alias *tt_do_alias_at(unsigned number);
/*
 * Finds an action by its name or an alias, and the contexts in which the name stands for it; returns
 * TT_DO_NOTHING if there is none.
 */
enum tt_do tt_do_find(const char *name, size_t length, unsigned *contexts);
const char *tt_group_name(unsigned group);

/* ---- keymap ------------------------------------------------------------------------------- */

#define TT_BINDINGS 256

struct tt_binding {
    uint32_t key;
    uint32_t contexts;
    uint16_t action; /* enum tt_do */
};

struct tt_keymap {
    struct tt_binding bindings[TT_BINDINGS];
    unsigned count;
};

/* Sets the table's default keys. */
void tt_keymap_default(struct tt_keymap *keymap);
/* Removes the keys that an action has in these contexts. */
void tt_keymap_unbind(struct tt_keymap *keymap, enum tt_do action, unsigned contexts);
/* Returns the contexts in which a key is bound to an action. */
unsigned tt_keymap_contexts(const struct tt_keymap *keymap, uint32_t key, unsigned action);
/* Binds a key and unbinds it from other actions in the same contexts; false if the map is full. */
bool tt_keymap_bind(struct tt_keymap *keymap, const struct tt_binding *binding);
/* Returns the action of a key in the first of `contexts` (0-terminated) that binds it. */
enum tt_do tt_keymap_find(const struct tt_keymap *keymap, uint32_t key, const unsigned *contexts);
/* Returns the first key that an action has in one of these contexts; TT_KEY_NONE: it has none. */
uint32_t tt_keymap_key(const struct tt_keymap *keymap, enum tt_do action, unsigned contexts);

/* Returns the name of a single context: "Threads", "detail pane". */
const char *tt_context_name(unsigned context);
/* Appends the names of contexts: "Threads, CPUs". */
void tt_contexts_write(struct tt_text *text, unsigned contexts);

/* Appends the page docs/keys.md, generated from the table. */
void tt_actions_page(struct tt_text *text);

#endif

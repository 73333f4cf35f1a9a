/* SPDX-License-Identifier: Apache-2.0 */
/*
 * commands: the table of the commands typed after `:`. Completion, the help line shown while
 * typing, docs/commands.md and the tests use it.
 *
 *      :write! samples/out.csv
 *       ^name^bang ^argument
 *
 * A line that begins with a letter is a command or the name of an action (actions.h). Any other
 * line is a place to go to. One thread.
 */
#ifndef TRACETUI_TUI_APP_COMMANDS_H
#define TRACETUI_TUI_APP_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracetui/status.h"
#include "tui/input/actions.h"

struct tt_app;
struct tt_text;

/* The kind of an argument, for completion and for checking it while it is typed. */
enum tt_argument {
    TT_ARGUMENT_NONE,
    TT_ARGUMENT_PLACE,
    TT_ARGUMENT_RANGE, /* in, out, all, selection or PLACE..PLACE */
    TT_ARGUMENT_MARK,
    TT_ARGUMENT_THEME,
    TT_ARGUMENT_MAP, /* a key and an action */
    TT_ARGUMENT_SETTING,
    TT_ARGUMENT_WRITE, /* FILE, or settings */
    TT_ARGUMENT_COLUMNS,
    TT_ARGUMENT_TABLE, /* a table of Summary */
    TT_ARGUMENT_WORST, /* a kind of tt_worst_word */
    TT_ARGUMENT_FILE,
    TT_ARGUMENT_RULES,  /* a file, or add */
    TT_ARGUMENT_FILTER, /* an expression of the filter language, as in the prompts */
    TT_ARGUMENT_SEARCH,
    TT_ARGUMENT_SQL,
    TT_ARGUMENT_TEXT,
};

/* X(name, short name or "", argument in the help, kind, required?, help, function) */
#define TT_COMMAND_LINE_INFO(X)                                                                    \
    X("goto", "", "PLACE", PLACE, true,                                                            \
      "go to an event #1234, 1.5s, 50%, 500t, offset 0x1a40, mark 'a", tt_command_goto)            \
    X("filter", "", "EXPRESSION", FILTER, false, "show only matching events", run_filter)          \
    X("search", "", "EXPRESSION", SEARCH, false, "go to the next matching event", run_search)      \
    X("mark", "", "LETTER NOTE", MARK, true, "set a mark at the cursor, with a note", run_mark)    \
    X("note", "", "LETTER NOTE", MARK, true, "set the note of a mark", run_note)                   \
    X("unmark", "", "LETTER", MARK, true, "delete a mark", run_unmark)                             \
    X("zoom", "", "RANGE", RANGE, true, "in, out, all, selection, or FROM..TO as 1.2s..1.3s",      \
      run_zoom)                                                                                    \
    X("from", "", "PLACE", PLACE, true, "start of the visible time range", run_from)               \
    X("to", "", "PLACE", PLACE, true, "end of the visible time range", run_to)                     \
    X("columns", "", "NAME ...", COLUMNS, false,                                                   \
      "show these columns in Events; +NAME adds one, -NAME hides one", run_columns)                \
    X("map", "", "KEY ACTION", MAP, true,                                                          \
      "bind a key to an action, until the program ends; without ACTION: what the key does",        \
      tt_config_map)                                                                               \
    X("set", "", "NAME VALUE", SETTING, false, "change a setting; without NAME: list them",        \
      run_set)                                                                                     \
    X("theme", "", "NAME", THEME, true, "change colours and glyphs", run_theme)                    \
    X("worst", "", "KIND", WORST, true,                                                            \
      "explain the longest delay, wait, message, response, inversion or miss of all threads; n: "  \
      "the next one",                                                                              \
      run_worst)                                                                                   \
    X("deadline", "", "THREAD=TIME,...", TEXT, false,                                              \
      "deadlines of jobs, as sensor/1=2ms,/^fusion/=5ms; none; empty: lists the misses",           \
      run_deadline)                                                                                \
    X("measure", "", "BEGIN -> END", TEXT, false,                                                  \
      "time from event to event, as event = A -> event = B --same thread; or "                     \
      "--interrupt 37 --thread sensor/1",                                                          \
      run_measure)                                                                                 \
    X("lane", "", "NAME = BEGIN -> END", TEXT, false,                                              \
      "a lane of your own in Threads and CPUs; also NAME = states: FILTER => WORD, ..., NAME = "   \
      "value of FILTER.arg.ARGUMENT, NAME = sql: SELECT; NAME = removes it; empty: lists them",    \
      run_lane)                                                                                    \
    X("check", "", "FILE", RULES, false,                                                           \
      "judge the capture by the rules of a file; without FILE: the verdicts again; add: write "    \
      "the rule of the selected number into the file",                                             \
      run_check)                                                                                   \
    X("diff", "", "[TABLE] FILE", FILE, false,                                                     \
      "compare a file, two files, a range FROM..TO, or the part before or after the selection, "   \
      "with the "                                                                                  \
      "capture, its selection or a second range; "                                                 \
      "without FILE: the changes again",                                                           \
      run_diff)                                                                                    \
    X("align", "", "EVENT", TEXT, false,                                                           \
      "lanes of both captures of :diff above each other, aligned at the first EVENT (a name or a " \
      "filter), at a mark 'a, or at two places: 'a 'b, 1.2s 1.3s; empty: marks, or the "           \
      "beginnings",                                                                                \
      run_align)                                                                                   \
    X("sql", "", "QUERY", SQL, false,                                                              \
      "run a query in SQL over the capture; without QUERY: its rows again", run_sql)               \
    X("stats", "", "TABLE", TABLE, false,                                                          \
      "select the table of Summary or Messages: thread, server, ...", run_stats)                   \
    X("plot", "", "KIND NUMBER of ROW", TEXT, true,                                                \
      "plot a column of a table by its name in CSV; or load, load process, events, switches, "     \
      "migrations, crossings",                                                                     \
      run_plot)                                                                                    \
    X("write", "w", "FILE", WRITE, true,                                                           \
      "write the view; .csv a table, .svg the screen, .html a report, .fxt the capture or the "    \
      "selection for Perfetto, .kev, .trx, .btrace in its own format; --session FILE: marks and "  \
      "notes, too, into FILE.session; settings: the changed settings and keys, into the "          \
      "configuration file; write! overwrites",                                                     \
      run_write)                                                                                   \
    X("picture", "", "FILE", FILE, true,                                                           \
      "draw the screen into a file, as render does: text, .ansi, .svg, .html by name; picture! "   \
      "overwrites",                                                                                \
      run_picture)                                                                                 \
    X("size", "", "WxH", TEXT, true, "size of the screen (for scripts of render)", run_size)       \
    X("restart", "", "", NONE, false,                                                              \
      "begin again, as at the start of the program (for scripts of render)", run_restart)          \
    X("say", "", "TEXT", TEXT, true, "show a text on the status line (for scripts)", run_say)      \
    X("open", "", "FILE", FILE, true, "open another capture", run_open)                            \
    X("next", "n", "", NONE, false, "next file", run_next)                                         \
    X("prev", "p", "", NONE, false, "previous file", run_previous)                                 \
    X("files", "", "", NONE, false, "list the files", run_files)                                   \
    X("quit", "q", "", NONE, false, "quit the program; quit! without asking", run_quit)            \
    X("save", "", "FILE", WRITE, true, "", run_save)                                               \
    X("export", "", "FILE", FILE, true, "", run_export)                                            \
    X("report", "", "FILE", FILE, true, "", run_report)

struct tt_command {
    const char *name;
    const char *alias;
    const char *argument;
    enum tt_argument kind;
    bool needs;       /* the argument is required */
    const char *help; /* "": an earlier name, which is not listed */
    struct tt_status (*run)(struct tt_app *app,
                            const char *argument); /* with `!`: app->bang is set */
};

/* The next key after `ask`, its words, and the command that answers; of "changes" it depends on what is open. */
#define TT_QUESTION_INFO(X)                                                                        \
    X("d", "worst delay", "worst delay")                                                           \
    X("w", "wait", "worst wait")                                                                   \
    X("m", "message", "worst message")                                                             \
    X("r", "response", "worst response")                                                           \
    X("i", "inversion", "worst inversion")                                                         \
    X("s", "miss", "worst miss")                                                                   \
    X("c", "changes", "")

/* Returns a command by its number; NULL after the last one. */
const struct tt_command *tt_command_at(unsigned number);

/* ---- for the files of the commands ---------------------------------------------------------- */

/* A parsed line; the name is its first `length` bytes. */
struct tt_command_line {
    size_t length;
    bool bang;
    bool complete; /* text follows the name */
    const char *argument;
    const struct tt_command *command; /* or NULL */
    enum tt_do action;                /* or TT_DO_NOTHING */
    unsigned contexts;                /* in which the name stands for the action */
};

/* Returns true if a line with this first character is a name, not a place. */
bool tt_command_is_name(char first);

struct tt_command_line tt_command_parse(const char *text);

/* A word for a range, and the action that shows it. */
struct tt_zoom_word {
    const char *word;
    enum tt_do action;
};

/* Returns a word by its number; NULL after the last one. */
const struct tt_zoom_word *tt_zoom_word_at(unsigned number);

/* Goes to a place. */
struct tt_status tt_command_goto(struct tt_app *app, const char *place);

/* ---- running -------------------------------------------------------------------------------- */

/* Runs a line as if it had been typed; shows errors on the status line. */
void tt_command_run(struct tt_app *app, const char *line);

/* Answers the question of a key after `ask`. */
void tt_command_answer(struct tt_app *app, uint32_t key);

/* Writes the table as the page docs/commands.md. */
void tt_commands_page(struct tt_text *text);

#endif

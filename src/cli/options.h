/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options: the command line, as one table.
 *
 * Every option is a row of tt_option_at(): name, letter, argument, commands, description. Parsing,
 * --help and the checks of the manual use this table only.
 *
 * Options and files may be in any order; `--` ends the options, `-` is standard input. The first
 * word that is not an option is the command, if it is the name of one; a file of that name is
 * written ./dump. Texts point into argv; the struct owns the lists until tt_options_free.
 */
#ifndef TT_CLI_OPTIONS_H
#define TT_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/causes/explain.h"
#include "analysis/measure.h"
#include "tracetui/status.h"
#include "tracetui/table.h"
#include "tracetui/text.h"
#include "tracetui/time_spec.h"

/* X(id, word on the command line, arguments, description) */
#define TT_COMMAND_INFO(X)                                                                         \
    X(TT_COMMAND_OPEN, "", "FILE...", "explore; without a terminal: dump")                         \
    X(TT_COMMAND_DUMP, "dump", "FILE...", "print events, one per line")                            \
    X(TT_COMMAND_INFO_, "info", "FILE...", "print contents and health of the capture")             \
    X(TT_COMMAND_STATS, "stats", "FILE...", "print scheduling statistics")                         \
    X(TT_COMMAND_WHY, "why", "FILE...", "explain delays and waits")                                \
    X(TT_COMMAND_AT, "at", "WHEN... FILE...", "print what every thread was doing at an instant")   \
    X(TT_COMMAND_MEASURE, "measure", "FILE...", "measure from event to event")                     \
    X(TT_COMMAND_LANES, "lanes", "FILE...", "print lanes of your own: intervals, states, values")  \
    X(TT_COMMAND_CHECK, "check", "RULES FILE...", "judge captures by the rules of a file")         \
    X(TT_COMMAND_DIFF, "diff", "A [B]", "compare two captures, or two ranges")                     \
    X(TT_COMMAND_SQL, "sql", "[QUERY] FILE...", "query captures in SQL; without QUERY: a prompt")  \
    X(TT_COMMAND_EXPORT, "export", "FILE", "write the capture for Perfetto (fxt)")                 \
    X(TT_COMMAND_SAVE, "save", "FILE", "write a part of the capture in its own format")            \
    X(TT_COMMAND_REPORT, "report", "FILE", "write a page about the capture (HTML)")                \
    X(TT_COMMAND_RENDER, "render", "VIEW FILE", "print one screen of a view")

enum tt_command {
#define X(id, word, arguments, help) id,
    TT_COMMAND_INFO(X)
#undef X
        TT_COMMAND_COUNT
};

enum tt_output_format {
    TT_OUTPUT_TEXT,
    TT_OUTPUT_CSV,
    TT_OUTPUT_JSONL,
    TT_OUTPUT_TABLE,
    TT_OUTPUT_FXT,
    TT_OUTPUT_SVG,
    TT_OUTPUT_HTML,
    TT_OUTPUT_ANSI,
    TT_OUTPUT_TAP,
    TT_OUTPUT_JUNIT,
    TT_OUTPUT_CHROME_JSON
};
enum tt_color_mode { TT_COLOR_AUTO, TT_COLOR_ALWAYS, TT_COLOR_NEVER, TT_COLOR_16, TT_COLOR_256 };

enum tt_on_change { TT_ON_CHANGE_RELOAD, TT_ON_CHANGE_KEEP };

#define TT_CPU_LIMIT 1024 /* CPUs for --cpu: 0..1023 */

struct tt_cpu_set {
    bool given;
    uint64_t bits[TT_CPU_LIMIT / 64];
};

struct tt_text_list {
    const char **v;
    int count;
};

struct tt_screen_size {
    uint16_t columns; /* 0: not given */
    uint16_t rows;
};

struct tt_line_colors;
struct tt_lane_list;
struct tt_log_form;
struct tt_merge_plan;
struct tt_map_watch;
struct tt_remote_options;
struct tt_report_painter;
struct tt_sql_definition;

struct tt_options {
    enum tt_command command;
    bool help;
    bool version;
    const char *view; /* of render */
    struct tt_text_list files;
    const char **lists; /* memory of all lists */

    int format; /* enum tt_output_format; for stats TEXT means TABLE, for export FXT */
    int by;     /* position in the list of tables, see tt_table_at */
    const char *style;
    struct tt_time_spec from;
    struct tt_time_spec to;
    struct tt_text_list threads;
    struct tt_cpu_set cpus;
    const char *filter;
    const char *output;
    uint64_t clock_hz;
    const char *names;
    const char *metadata;
    struct tt_text_list symbols;    /* programs */
    struct tt_text_list conditions; /* of stats: NAME=FILTER */
    bool definitions;
    const char *blobs; /* a directory; NULL: none */
    bool resolve;      /* names beside arguments */
    bool messages;     /* dump lists messages */
    struct tt_screen_size size;
    bool ascii;
    int color;                           /* enum tt_color_mode */
    const struct tt_line_colors *colors; /* of dumped lines, set by main; NULL: none */
    const char *keys;
    const char *theme;
    const char *zone;
    bool no_mouse;
    const char *script;
    const char *config;
    bool no_config;
    bool dump_config;
    bool no_session;
    uint64_t spool_limit; /* bytes; 0: no limit */
    const char *remote_shell;
    int find; /* 0: not given; -1: the only capture inside the file; else its number */
    const struct tt_remote_options *remote; /* set by main; NULL: all files are local */
    const struct tt_map_watch *watch;       /* set by main: shows how inputs arrive */
    bool strict;                            /* nothing is printed of a damaged capture */
    bool no_cache;
    uint64_t cache_limit; /* bytes; 0: not given */
    uint64_t parallel;    /* captures at a time; 0: one per CPU */
    bool capture;         /* rows begin with the name of the capture */
    bool keep_going;      /* -o is written although a capture is unusable */
    bool follow;
    int on_change;        /* enum tt_on_change */
    const char *until;    /* a filter */
    uint64_t timeout_ms;  /* 0: not given */
    uint64_t interval_ms; /* 0: not given */
    struct tt_time_spec at;
    int worst;                 /* enum tt_late, or -1 */
    int each;                  /* the same */
    bool wakes;                /* list wakes */
    struct tt_text_list whens; /* of at: instants */
    const char *state;         /* names of states or classes; NULL: all */
    bool tree;
    const char *begin; /* of measure: filters, or NULL */
    const char *end;
    enum tt_measure_same same;
    const char *same_arg; /* its argument, or NULL */
    int pair;             /* 0: with the last begin, 1: with the first */
    uint64_t interrupt;
    bool has_interrupt;
    bool jobs;                       /* list jobs */
    const char *job_ends;            /* states; NULL: the format's own */
    const char *deadlines;           /* NULL: none */
    uint64_t number;                 /* 0: not given */
    uint64_t depth;                  /* 0: not given */
    struct tt_text_list rules_files; /* of check */
    struct tt_text_list rules;       /* single rules */
    struct tt_text_list variables;   /* NAME=VALUE */
    int undecided;                   /* 0: has an exit status of its own, 1: passes */
    bool github;
    bool explain;
    bool fail_fast;
    struct tt_time_spec from_a; /* of diff */
    struct tt_time_spec to_a;
    struct tt_time_spec from_b;
    struct tt_time_spec to_b;
    uint64_t min_change; /* in 10^-9, as alpha */
    uint64_t alpha;
    bool all;
    struct tt_text_list fail_if;
    const char *save_baseline;                       /* of stats */
    const char *title;                               /* of the report; NULL: the name of the file */
    const char *query;                               /* of sql; NULL: a script, or a prompt */
    const char *query_file;                          /* -f */
    const char *to_database;                         /* --to */
    uint64_t memory_limit;                           /* bytes; 0: not given */
    const struct tt_sql_definition *sql_definitions; /* of the configuration, set by main */
    size_t sql_definition_count;
    const struct tt_report_painter *painter; /* of the report, set by main; NULL: no pictures */
    struct tt_text_list logs;                /* files with lines of text */
    bool is_log;                             /* the only file is a log, set by main */
    const struct tt_log_form *log_forms;     /* of the configuration, set by main */
    size_t log_form_count;
    bool merge; /* all files are one capture */
    bool one_system;
    struct tt_text_list offsets;
    struct tt_text_list alignments; /* pairs of events */
    struct tt_text_list lane_definitions;
    struct tt_text_list lane_files;
    struct tt_lane_list *lanes;       /* of both, set by main */
    const struct tt_merge_plan *plan; /* of the merged capture, set by main; NULL: none */
};

/* The type of an option's argument. */
enum tt_option_kind {
    TT_OPTION_FLAG,   /* bool */
    TT_OPTION_TEXT,   /* const char * */
    TT_OPTION_CHOICE, /* int: index of the word in `choices` */
    TT_OPTION_WHEN,   /* struct tt_time_spec */
    TT_OPTION_HZ,     /* uint64_t; k M G are powers of 1000 */
    TT_OPTION_BYTES,  /* uint64_t; K M G are powers of 1024 */
    TT_OPTION_COUNT,  /* uint64_t: 1 to 10^9 */
    TT_OPTION_SPAN,   /* uint64_t: milliseconds of 5s, 250ms, 1.5 (seconds) */
    TT_OPTION_SIZE,   /* struct tt_screen_size: 80x24 */
    TT_OPTION_CPUS,   /* struct tt_cpu_set: 0,2-3; may be repeated */
    TT_OPTION_SAME,   /* enum tt_measure_same, and the name in same_arg */
    TT_OPTION_VECTOR, /* uint64_t: a number, 0x... in hexadecimal; sets has_interrupt */
    TT_OPTION_SHARE,  /* uint64_t in 10^-9: 5%, 0.05 */
    TT_OPTION_LIST,   /* struct tt_text_list; may be repeated */
    TT_OPTION_FIND,   /* int: the number after =, -1 without one */
    TT_OPTION_PAIR,   /* struct tt_text_list: two words each time; may be repeated */
};

#define TT_TAKES(command) (1u << (command))
#define TT_TAKES_ALL      ((1u << TT_COMMAND_COUNT) - 1u)

struct tt_option {
    const char *name;     /* without the dashes */
    char letter;          /* or 0 */
    const char *argument; /* its name in the help; NULL for a flag */
    unsigned commands;    /* TT_TAKES of each command with the option */
    enum tt_option_kind kind;
    size_t field;               /* offset in struct tt_options */
    const char *const *choices; /* NULL at the end */
    const char *help;           /* lines of at most 52 columns */
};

/* Returns an option by its number; NULL after the last one. */
const struct tt_option *tt_option_at(unsigned index);

/* Parses the command line. On failure nothing needs to be freed. */
struct tt_status tt_options_parse(int argc, char **argv, struct tt_options *options);
void tt_options_free(struct tt_options *options);

/* Appends the text of --help, for the whole program or one command. */
void tt_options_help(struct tt_text *text, enum tt_command command);

#endif

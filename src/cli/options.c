/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/option_values.h"
#include "cli/options_check.h"
#include "table/registry.h"
#include "tracetui/format.h"

#define DUMP    TT_TAKES(TT_COMMAND_DUMP)
#define INFO    TT_TAKES(TT_COMMAND_INFO_)
#define STATS   TT_TAKES(TT_COMMAND_STATS)
#define RENDER  TT_TAKES(TT_COMMAND_RENDER)
#define WHY     TT_TAKES(TT_COMMAND_WHY)
#define EXPORT  TT_TAKES(TT_COMMAND_EXPORT)
#define SAVE    TT_TAKES(TT_COMMAND_SAVE)
#define OPEN    TT_TAKES(TT_COMMAND_OPEN)
#define MEASURE TT_TAKES(TT_COMMAND_MEASURE)
#define AT      TT_TAKES(TT_COMMAND_AT)
#define CHECK   TT_TAKES(TT_COMMAND_CHECK)
#define DIFF    TT_TAKES(TT_COMMAND_DIFF)
#define LANES   TT_TAKES(TT_COMMAND_LANES)
#define REPORT  TT_TAKES(TT_COMMAND_REPORT)
#define SQL     TT_TAKES(TT_COMMAND_SQL)
#define ALL     TT_TAKES_ALL
#define MANY    (DUMP | INFO | STATS | WHY | MEASURE | LANES | AT)
#define MERGED                                                                                     \
    (OPEN | DUMP | INFO | STATS | WHY | MEASURE | LANES | AT | CHECK | EXPORT | REPORT | RENDER)
#define LOGGED (MERGED | SQL)

#define FIELD(name) offsetof(struct tt_options, name)

static const char *const format_words[] = {"text",        "csv",    "jsonl", "table", "fxt",
                                           "svg",         "html",   "ansi",  "tap",   "junit",
                                           "chrome-json", "folded", NULL};
static const char *const by_words[] = {
#define X(name, word) word,
    TT_TABLE_LIST(X) TT_RAW_TABLE_LIST(X)
#undef X
        NULL};
static const char *const worst_words[] = {
#define X(id, word) word,
    TT_WORST_INFO(X)
#undef X
        NULL};
static const char *const color_words[] = {"auto", "always", "never", "16", "256", NULL};

static const char *const pair_words[] = {"last", "first", NULL};

static const char *const undecided_words[] = {"report", "pass", NULL};

static const char *const change_words[] = {"reload", "keep", NULL};

static const struct tt_option options_table[] = {
    {"format", 0, "FORMAT", MANY | EXPORT | RENDER | CHECK | DIFF | SQL, TT_OPTION_CHOICE,
     FIELD(format), format_words,
     "text, csv or jsonl (info, why: text or jsonl;\n"
     "stats, diff, sql: table, csv or jsonl; check: table,\n"
     "jsonl, tap or junit; export: fxt or folded; dump,\n"
     "export: chrome-json; a view: text, ansi, svg or html)"},
    {"by", 0, "WHAT", STATS | DIFF, TT_OPTION_CHOICE, FIELD(by), by_words,
     "one row per thread, cpu, process, pair (threads\n"
     "that ran one after the other), event, job (jobs of a\n"
     "thread), interrupt, or the total;\n"
     "blame: what threads wait for;\n"
     "inversion: priority inversions, longest first;\n"
     "service: events by thread and name; of ThreadX\n"
     "profile: execution profile, stack: stack usage,\n"
     "filex, netx: operations by instance;\n"
     "message (pairs of processes), server, client,\n"
     "channel: messages; single: the longest messages;\n"
     "migration: changes of CPU; lane: those of --lane;\n"
     "queue: ready threads; mode: system and user time;\n"
     "call: functions and other slices by name, calltree,\n"
     "caller: as trees;\n"
     "imposed: CPU time by client;\n"
     "matrix: the same by server; object: locks,\n"
     "semaphores and queues; diff: also tables of sql\n"
     "with single rows, by their names"},
    {"style", 0, "STYLE", DUMP, TT_OPTION_TEXT, FIELD(style), NULL,
     "print like the format's own tools, in record order;\n"
     "QNX: traceprinter, traceprinter7; ThreadX: tracex;\n"
     "Symbian: btrace"},
    {"resolve", 0, NULL, DUMP, TT_OPTION_FLAG, FIELD(resolve), NULL,
     "print names beside pids, tids, owners and connections\n"
     "in the arguments: pid=4102 fusion"},
    {"messages", 0, NULL, DUMP, TT_OPTION_FLAG, FIELD(messages), NULL,
     "print messages with their parts, one per line"},
    {"from", 0, "WHEN", (MANY & ~AT) | RENDER | EXPORT | SAVE | DIFF | REPORT, TT_OPTION_WHEN,
     FIELD(from), NULL,
     "from here, as 1.2s 3ms 4us 5ns, 500t (ticks),\n"
     "#1234 (event number), 40%"},
    {"to", 0, "WHEN", (MANY & ~AT) | RENDER | EXPORT | SAVE | DIFF | REPORT, TT_OPTION_WHEN,
     FIELD(to), NULL, "up to here, exclusive; same forms as --from"},
    {"from-a", 0, "WHEN", DIFF, TT_OPTION_WHEN, FIELD(from_a), NULL,
     "the range of A begins here; --from is for both sides"},
    {"to-a", 0, "WHEN", DIFF, TT_OPTION_WHEN, FIELD(to_a), NULL, "the range of A ends here"},
    {"from-b", 0, "WHEN", DIFF, TT_OPTION_WHEN, FIELD(from_b), NULL, "the range of B begins here"},
    {"to-b", 0, "WHEN", DIFF, TT_OPTION_WHEN, FIELD(to_b), NULL, "the range of B ends here"},
    {"min-change", 0, "SHARE", DIFF, TT_OPTION_SHARE, FIELD(min_change), NULL,
     "smaller changes count as none (5%)"},
    {"alpha", 0, "SHARE", DIFF, TT_OPTION_SHARE, FIELD(alpha), NULL,
     "probability that any row of equal runs is called\n"
     "changed (0.01)"},
    {"fail-if", 0, "CONDITION", DIFF, TT_OPTION_LIST, FIELD(fail_if), NULL,
     "exit status 3 if it holds, as 'delay p99 of thread\n"
     "~ /^sensor/ worse by 10%'; repeatable"},
    {"save-baseline", 0, "BASELINE", STATS, TT_OPTION_TEXT, FIELD(save_baseline), NULL,
     "write the values of the table to a file that\n"
     "diff compares captures with"},
    {"all", 0, NULL, DIFF, TT_OPTION_FLAG, FIELD(all), NULL,
     "also print values that did not change"},
    {"thread", 0, "THREAD", MANY | EXPORT | SAVE, TT_OPTION_LIST, FIELD(threads), NULL,
     "events of one thread (PROCESS/TID) or of all threads\n"
     "of PROCESS, by number or name; repeatable"},
    {"cpu", 0, "LIST", DUMP | INFO | STATS | AT | EXPORT | SAVE, TT_OPTION_CPUS, FIELD(cpus), NULL,
     "events on these CPUs, as 0,2-3"},
    {"filter", 0, "FILTER", ALL & ~(WHY | MEASURE | LANES | AT | CHECK | DIFF | REPORT | SQL),
     TT_OPTION_TEXT, FIELD(filter), NULL,
     "matching events: terms such as 'cpu = 0 and\n"
     "thread ~ /^io-/', or a regex on the line"},
    {"follow", 'f', NULL, OPEN | DUMP | STATS | CHECK, TT_OPTION_FLAG, FIELD(follow), NULL,
     "keep reading while the file or pipe (-) grows"},
    {"on-change", 0, "WHAT", OPEN | DUMP | STATS | CHECK, TT_OPTION_CHOICE, FIELD(on_change),
     change_words,
     "if a followed file is truncated, replaced or\n"
     "rewritten: reload it, or keep the events read so\n"
     "far (in a temporary copy)"},
    {"until", 0, "FILTER", DUMP | CHECK, TT_OPTION_TEXT, FIELD(until), NULL,
     "with -f: stop after the first matching event; exit\n"
     "status 3 if there is none (check: 4)"},
    {"timeout", 0, "TIME", DUMP | STATS | CHECK | SQL, TT_OPTION_SPAN, FIELD(timeout_ms), NULL,
     "with -f: stop after TIME: 5s, 250ms; sql: stop each\n"
     "query after TIME"},
    {"interval", 0, "TIME", STATS, TT_OPTION_SPAN, FIELD(interval_ms), NULL,
     "with -f: print statistics every TIME (1s)"},
    {"at", 0, "WHEN", WHY, TT_OPTION_WHEN, FIELD(at), NULL,
     "explain what --thread does here: a wait, the time\n"
     "it was ready, or a run from the wake that led to it"},
    {"worst", 0, "WHAT", WHY, TT_OPTION_CHOICE, FIELD(worst), worst_words,
     "explain the longest: delay, wait, reply, lock,\n"
     "preempted, message or response (of a job)"},
    {"each", 0, "WHAT", WHY, TT_OPTION_CHOICE, FIELD(each), worst_words,
     "explain every one, in order of time"},
    {"wakes", 0, NULL, WHY, TT_OPTION_FLAG, FIELD(wakes), NULL, "list every wake with its waker"},
    {"number", 'n', "NUMBER", WHY | REPORT | STATS, TT_OPTION_COUNT, FIELD(number), NULL,
     "with --worst, and of a report: how many (5); with\n"
     "--condition: counts in this many parts of the range"},
    {"condition", 0, "NAME=FILTER", STATS, TT_OPTION_LIST, FIELD(conditions), NULL,
     "instead of --by: how often events of the filter\n"
     "are there; repeatable"},
    {"depth", 0, "NUMBER", WHY, TT_OPTION_COUNT, FIELD(depth), NULL,
     "follow causes for this many levels (64)"},
    {"jobs", 0, NULL, DUMP, TT_OPTION_FLAG, FIELD(jobs), NULL,
     "print the jobs (activations) of threads, one per\n"
     "line, instead of events"},
    {"job-ends", 0, "STATES", DUMP | STATS | WHY | CHECK | DIFF | REPORT, TT_OPTION_TEXT,
     FIELD(job_ends), NULL,
     "states that end a job: RECEIVE,SEM; +MUTEX,-SEM\n"
     "changes the format's list"},
    {"deadline", 0, "LIST", DUMP | STATS | WHY | CHECK | REPORT, TT_OPTION_TEXT, FIELD(deadlines),
     NULL,
     "deadlines of jobs, as 'sensor/1=2ms,/^fusion/=5ms':\n"
     "a thread, or a regex on its name"},
    {"state", 0, "STATES", AT, TT_OPTION_TEXT, FIELD(state), NULL,
     "threads in these states, or classes of states, as\n"
     "MUTEX,ready"},
    {"tree", 0, NULL, AT, TT_OPTION_FLAG, FIELD(tree), NULL,
     "what is waited for, and below it what waits for it"},
    {"begin", 0, "FILTER", MEASURE, TT_OPTION_TEXT, FIELD(begin), NULL,
     "measure from the events that match"},
    {"end", 0, "FILTER", MEASURE, TT_OPTION_TEXT, FIELD(end), NULL,
     "to those that match this filter"},
    {"same", 0, "WHAT", MEASURE, TT_OPTION_SAME, FIELD(same), NULL,
     "pair events of the same thread, cpu, process, or\n"
     "arg:NAME (an argument)"},
    {"pair", 0, "WHICH", MEASURE, TT_OPTION_CHOICE, FIELD(pair), pair_words,
     "pair an end with the last open begin (default), or\n"
     "the first"},
    {"interrupt", 0, "VECTOR", MEASURE, TT_OPTION_VECTOR, FIELD(interrupt), NULL,
     "with --thread: from this interrupt to the thread\n"
     "that it wakes, in parts"},
    {"lane", 0, "DEFINITION", OPEN | LANES | STATS | CHECK | DIFF | SQL | EXPORT | RENDER,
     TT_OPTION_LIST, FIELD(lane_definitions), NULL,
     "a lane: 'NAME = BEGIN -> END', 'NAME = states: FILTER\n"
     "=> WORD, ...', 'NAME = value of FILTER.arg.ARGUMENT'\n"
     "or 'NAME = sql: SELECT'; repeatable"},
    {"lanes", 0, "LANES", OPEN | LANES | STATS | CHECK | DIFF | SQL | EXPORT | RENDER,
     TT_OPTION_LIST, FIELD(lane_files), NULL, "a file with a lane on each line; repeatable"},
    {"rules", 0, "RULES", CHECK, TT_OPTION_LIST, FIELD(rules_files), NULL,
     "a rules file; repeatable; all words are then FILEs"},
    {"rule", 'e', "RULE", CHECK, TT_OPTION_LIST, FIELD(rules), NULL,
     "one rule, as 'lost = 0'; repeatable; all words are\n"
     "then FILEs"},
    {"set", 0, "NAME=VALUE", CHECK, TT_OPTION_LIST, FIELD(variables), NULL,
     "set a variable of the rules; repeatable"},
    {"undecided", 0, "WHAT", CHECK, TT_OPTION_CHOICE, FIELD(undecided), undecided_words,
     "report: exit status 4 for undecided rules; pass:\n"
     "accept them"},
    {"github", 0, NULL, CHECK, TT_OPTION_FLAG, FIELD(github), NULL,
     "also print annotations for GitHub Actions"},
    {"explain", 0, NULL, CHECK, TT_OPTION_FLAG, FIELD(explain), NULL,
     "print what each rule selects; without rules: the\n"
     "measures and names to write rules with"},
    {"fail-fast", 0, NULL, CHECK, TT_OPTION_FLAG, FIELD(fail_fast), NULL,
     "with -f: stop at the first failure that later events\n"
     "cannot change"},
    {"file", 'f', "SCRIPT", SQL, TT_OPTION_TEXT, FIELD(query_file), NULL,
     "run the statements of a file; - is standard input"},
    {"to", 0, "DATABASE", SQL, TT_OPTION_TEXT, FIELD(to_database), NULL,
     "copy all tables into a new SQLite database; with\n"
     "QUERY: its result, as table result"},
    {"memory-limit", 0, "BYTES", SQL, TT_OPTION_BYTES, FIELD(memory_limit), NULL,
     "memory for sorting and grouping (1G)"},
    {"title", 0, "TEXT", REPORT, TT_OPTION_TEXT, FIELD(title), NULL,
     "title of the page (the name of the file)"},
    {"output", 'o', "FILE", MANY | RENDER | EXPORT | SAVE | CHECK | DIFF | REPORT | SQL,
     TT_OPTION_TEXT, FIELD(output), NULL,
     "write to FILE; it appears when it is complete;\n"
     "- is standard output"},
    {"capture", 0, NULL, MANY, TT_OPTION_FLAG, FIELD(capture), NULL,
     "begin each row with the name of its capture, as\n"
     "with several FILEs: csv, jsonl, dump --merge"},
    {"parallel", 'j', "NUMBER", MANY | CHECK | SQL, TT_OPTION_COUNT, FIELD(parallel), NULL,
     "read this many FILEs at a time (one per CPU)"},
    {"keep-going", 'k', NULL, MANY, TT_OPTION_FLAG, FIELD(keep_going), NULL,
     "with -o: write FILE although a capture is unusable"},
    {"merge", 0, NULL, MERGED, TT_OPTION_FLAG, FIELD(merge), NULL,
     "all FILEs are one capture on one time line; without\n"
     "the next options by their dates, else their starts"},
    {"log", 0, "FILE", LOGGED, TT_OPTION_LIST, FIELD(logs), NULL,
     "show the lines of a text at their times: slog2info,\n"
     "syslog, logcat, dlt, dmesg, ISO 8601, or a form of\n"
     "the configuration; repeatable; captures after FILE\n"
     "for N:"},
    {"align", 0, "EVENT EVENT", LOGGED, TT_OPTION_PAIR, FIELD(alignments), NULL,
     "with --merge, --log: an event of the first capture\n"
     "and one of the second (or N: of capture N) at the\n"
     "same time, as #NUMBER, a time, or a filter (its first\n"
     "match);\n"
     "twice: also corrects the drift of the clocks"},
    {"offset", 0, "TIME", LOGGED, TT_OPTION_LIST, FIELD(offsets), NULL,
     "with --merge, --log: the second capture (or N:TIME)\n"
     "begins TIME after the first; may be negative"},
    {"one-system", 0, NULL, MERGED, TT_OPTION_FLAG, FIELD(one_system), NULL,
     "with --merge: captures of one system with one clock;\n"
     "they share threads and CPUs"},
    {"clock", 0, "HZ", ALL, TT_OPTION_HZ, FIELD(clock_hz), NULL,
     "ticks per second, for captures without a clock: 1M"},
    {"names", 0, "FILE", ALL, TT_OPTION_TEXT, FIELD(names), NULL,
     "names for events that have only numbers"},
    {"metadata", 0, "FILE", ALL, TT_OPTION_TEXT, FIELD(metadata), NULL,
     "descriptions for a file that has none: metadata of\n"
     "a CTF stream; for OUT.cpu0 of trace-cmd another\n"
     "trace.dat, or a tracing directory"},
    {"symbols", 0, "PROGRAM", ALL, TT_OPTION_LIST, FIELD(symbols), NULL,
     "names of functions and variables for addresses, from\n"
     "an ELF file: [PROCESS=]FILE[@ADDRESS]; repeatable"},
    {"definitions", 0, NULL, DUMP | OPEN | RENDER, TT_OPTION_FLAG, FIELD(definitions), NULL,
     "also list records that define names and objects\n"
     "(fxt)"},
    {"blobs", 0, "DIRECTORY", DUMP, TT_OPTION_TEXT, FIELD(blobs), NULL,
     "save the payloads of blobs as files (fxt), and print\n"
     "their paths instead of events"},
    {"size", 0, "WxH", RENDER, TT_OPTION_SIZE, FIELD(size), NULL,
     "columns and rows of the screen (80x24)"},
    {"keys", 0, "TEXT", OPEN | RENDER, TT_OPTION_TEXT, FIELD(keys), NULL,
     "keys typed at the start, as 'jj<Enter>'"},
    {"ascii", 0, NULL, OPEN | RENDER | MANY | CHECK | DIFF, TT_OPTION_FLAG, FIELD(ascii), NULL,
     "draw with ASCII characters only; units: us, not µs"},
    {"color", 0, "MODE", OPEN | DUMP | RENDER, TT_OPTION_CHOICE, FIELD(color), color_words,
     "auto, always, never, or at most 16 or 256 colours;\n"
     "render prints colours only on request; without MODE:\n"
     "always"},
    {"theme", 0, "THEME", OPEN | DUMP | RENDER, TT_OPTION_TEXT, FIELD(theme), NULL,
     "colours and glyphs: a name (:theme lists them) or a\n"
     "file"},
    {"zone", 0, "ZONE", OPEN | RENDER, TT_OPTION_TEXT, FIELD(zone), NULL,
     "time zone of absolute times: UTC, local, +02:00, or a\n"
     "name such as Europe/Berlin"},
    {"script", 0, "SCRIPT", OPEN | RENDER, TT_OPTION_TEXT, FIELD(script), NULL,
     "play a file with keys or one :command per line"},
    {"config", 0, "CONFIG", LOGGED, TT_OPTION_TEXT, FIELD(config), NULL,
     "read settings and keys from CONFIG instead of the\n"
     "user's file"},
    {"no-config", 0, NULL, LOGGED, TT_OPTION_FLAG, FIELD(no_config), NULL,
     "read no configuration file"},
    {"dump-config", 0, NULL, OPEN, TT_OPTION_FLAG, FIELD(dump_config), NULL,
     "print the default configuration"},
    {"no-session", 0, NULL, OPEN | SQL, TT_OPTION_FLAG, FIELD(no_session), NULL,
     "do not restore or save positions, marks and history"},
    {"no-mouse", 0, NULL, OPEN, TT_OPTION_FLAG, FIELD(no_mouse), NULL,
     "leave the mouse to the terminal"},
    {"spool-limit", 0, "BYTES", ALL, TT_OPTION_BYTES, FIELD(spool_limit), NULL,
     "maximum size of unpacked standard input or of an\n"
     "unpacked file, as 2G (default: half of the free\n"
     "space)"},
    {"remote-shell", 0, "COMMAND", ALL, TT_OPTION_TEXT, FIELD(remote_shell), NULL,
     "read HOST:PATH through COMMAND instead of ssh, as\n"
     "'ssh -p 2222'"},
    {"find", 0, NULL, ALL & ~DIFF, TT_OPTION_FIND, FIELD(find), NULL,
     "open the capture inside a larger file, such as the\n"
     "image of a memory; several are listed: --find=NUMBER"},
    {"strict", 0, NULL, MANY | EXPORT | SAVE | REPORT, TT_OPTION_FLAG, FIELD(strict), NULL,
     "use nothing of a damaged capture: status 1, and the\n"
     "first damage on standard error"},
    {"no-cache", 0, NULL, ALL, TT_OPTION_FLAG, FIELD(no_cache), NULL,
     "do not read or write the index cache"},
    {"cache-limit", 0, "BYTES", ALL, TT_OPTION_BYTES, FIELD(cache_limit), NULL,
     "maximum total size of the index cache (2G)"},
    {"help", 'h', NULL, ALL, TT_OPTION_FLAG, FIELD(help), NULL, "print this help"},
    {"version", 0, NULL, ALL, TT_OPTION_FLAG, FIELD(version), NULL, "print the version"},
};

#define OPTION_COUNT (sizeof options_table / sizeof options_table[0])

struct command_info {
    const char *word;
    const char *arguments;
    const char *help;
};

static const struct command_info commands[] = {
#define X(id, word, arguments, help) {word, arguments, help},
    TT_COMMAND_INFO(X)
#undef X
};

const struct tt_option *tt_option_at(unsigned index)
{
    return index < OPTION_COUNT ? &options_table[index] : NULL;
}

static struct tt_status usage(const char *what, const char *about)
{
    return tt_error(TT_ERR_USAGE, "%s '%.80s' (see tracetui --help)", what, about);
}

#define WORDS_MOST 75u /* bytes of the words in a message */

static struct tt_status set_choice(const struct tt_option *option, const char *text, int *choice)
{
    char buffer[120];
    struct tt_text words = tt_text_of(buffer, sizeof buffer);
    for (int i = 0; option->choices[i]; i++) {
        if (strcmp(option->choices[i], text) == 0) {
            *choice = i;
            return tt_ok();
        }
        if (words.used + strlen(option->choices[i]) < WORDS_MOST) {
            tt_text_put(&words, "%s%s", i > 0 ? ", " : "", option->choices[i]);
        } else if (option->choices[i + 1] == NULL) {
            tt_text_str(&words, ", ... (see tracetui --help)");
        }
    }
    return tt_error(TT_ERR_USAGE, "--%s: '%.60s' is not one of %s", option->name, text,
                    tt_text_cstr(&words));
}

static struct tt_status bad_when(const struct tt_option *option, struct tt_status status)
{
    char name[32];
    struct tt_text text = tt_text_of(name, sizeof name);
    tt_text_put(&text, "--%s", option->name);
    return tt_status_context(status, tt_text_cstr(&text));
}

static struct tt_status set_option(struct tt_options *options, const struct tt_option *option,
                                   const char *text)
{
    void *field = (char *)options + option->field;
    struct tt_text_list *list = field;
    bool good = true;

    switch (option->kind) {
    case TT_OPTION_FLAG:
        *(bool *)field = true;
        break;
    case TT_OPTION_TEXT:
        *(const char **)field = text;
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): only flags come without a text */
        good = text[0] != '\0' || option->field == FIELD(keys);
        break;
    case TT_OPTION_CHOICE:
        return set_choice(option, text, field);
    case TT_OPTION_WHEN:
        return bad_when(option, tt_time_spec_parse(text, field));
    case TT_OPTION_HZ:
        good = tt_option_parse_scaled(text, 1000, field) && *(uint64_t *)field > 0;
        break;
    case TT_OPTION_BYTES:
        good = tt_option_parse_scaled(text, 1024, field) && *(uint64_t *)field > 0;
        break;
    case TT_OPTION_COUNT:
        good = tt_option_parse_count(text, field);
        break;
    case TT_OPTION_SPAN:
        good = tt_option_parse_span(text, field);
        break;
    case TT_OPTION_SIZE:
        good = tt_option_parse_size(text, field);
        break;
    case TT_OPTION_CPUS:
        good = tt_option_parse_cpus(text, field);
        break;
    case TT_OPTION_SAME:
        good = tt_measure_same_parse(text, field, &options->same_arg);
        break;
    case TT_OPTION_VECTOR:
        good = tt_option_parse_vector(text, field);
        options->has_interrupt = true;
        break;
    case TT_OPTION_SHARE:
        good = tt_option_parse_share(text, field);
        break;
    case TT_OPTION_FIND:
        good = tt_option_parse_find(text, field);
        break;
    case TT_OPTION_LIST:
    case TT_OPTION_PAIR:
        list->v[list->count++] = text; /* room for all of argv */
        break;
    }
    if (!good) {
        return tt_error(TT_ERR_USAGE, "--%s: '%.80s' is not a valid %s (see tracetui --help)",
                        option->name, text, option->argument ? option->argument : "number");
    }
    return tt_ok();
}

/* ---- words of the command line ------------------------------------------------------------ */

struct words {
    int argc;
    char **argv;
    int next;
    bool seen[OPTION_COUNT]; /* by the option's number */
};

/* Finds an option by its name, or letter: that of the command, if commands have different ones. */
static const struct tt_option *find_option(enum tt_command command, const char *name, size_t length,
                                           char letter)
{
    const struct tt_option *found = NULL;
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct tt_option *option = &options_table[i];
        bool same = letter
                        ? option->letter == letter
                        : strlen(option->name) == length && memcmp(option->name, name, length) == 0;
        if (same && (!found || option->commands & TT_TAKES(command))) {
            found = option;
        }
    }
    return found;
}

static bool options_is_command(const char *word)
{
    for (int i = TT_COMMAND_OPEN + 1; i < TT_COMMAND_COUNT; i++) {
        if (strcmp(commands[i].word, word) == 0) {
            return true;
        }
    }
    return false;
}

/*
 * Returns whether --color has no mode: the next word is an option, a command or a file. Every other
 * word is a mode, maybe a wrong one.
 */
static bool lacks_mode(const struct words *words)
{
    const char *word = words->next < words->argc ? words->argv[words->next] : NULL;
    for (int i = 0; word && color_words[i]; i++) {
        if (strcmp(color_words[i], word) == 0) {
            return false;
        }
    }
    return !word || word[0] == '-' || options_is_command(word) || access(word, F_OK) == 0;
}

/* `given`: the argument in the same word, or NULL. */
static struct tt_status read_option(struct words *words, struct tt_options *options,
                                    const struct tt_option *option, const char *given)
{
    words->seen[option - options_table] = true;
    if (!option->argument) {
        if (given && option->kind != TT_OPTION_FIND) {
            return usage("no argument allowed with", words->argv[words->next - 1]);
        }
    } else if (!given && option->field == FIELD(color) && lacks_mode(words)) {
        given = "always";
    } else if (!given) {
        if (words->next >= words->argc) {
            return usage("missing argument after", words->argv[words->next - 1]);
        }
        given = words->argv[words->next++];
    }
    struct tt_status status = set_option(options, option, given);
    if (option->kind == TT_OPTION_PAIR && !tt_failed(&status)) {
        if (words->next >= words->argc) {
            return tt_error(TT_ERR_USAGE, "--%s: expected %s (see tracetui --help)", option->name,
                            option->argument);
        }
        status = set_option(options, option, words->argv[words->next++]);
    }
    return status;
}

/* Parses one word that starts with a dash: --name, --name=argument, -oFILE, or several letters. */
static struct tt_status parse_option_word(struct words *words, struct tt_options *options)
{
    const char *word = words->argv[words->next++];
    if (word[1] == '-') {
        const char *equals = strchr(word, '=');
        size_t length = equals ? (size_t)(equals - word) - 2 : strlen(word + 2);
        const struct tt_option *option = find_option(options->command, word + 2, length, '\0');
        if (!option) {
            return usage("unknown option", word);
        }
        return read_option(words, options, option, equals ? equals + 1 : NULL);
    }
    for (const char *letter = word + 1; *letter; letter++) {
        const struct tt_option *option = find_option(options->command, NULL, 0, *letter);
        if (!option) {
            return usage("unknown option", word);
        }
        bool rest = option->argument && letter[1];
        struct tt_status status = read_option(words, options, option, rest ? letter + 1 : NULL);
        if (tt_failed(&status) || option->argument) {
            return status;
        }
    }
    return tt_ok();
}

static bool read_command(const char *word, struct tt_options *options)
{
    for (int i = TT_COMMAND_OPEN + 1; i < TT_COMMAND_COUNT; i++) {
        if (strcmp(commands[i].word, word) == 0) {
            options->command = (enum tt_command)i;
            return true;
        }
    }
    return false;
}

/* Returns whether a word of `at` is an instant: the first one, and those after it that can be one. */
static bool is_when(const struct tt_options *options, const char *word)
{
    struct tt_time_spec when;
    struct tt_status status = tt_time_spec_parse(word, &when);
    return options->command == TT_COMMAND_AT && options->files.count == 0 &&
           (options->whens.count == 0 || (!tt_failed(&status) && access(word, F_OK) != 0));
}

/* Returns whether a word of `at` is an instant before the origin: -1ms. */
static bool is_before_origin(const struct tt_options *options, const char *word)
{
    return options->command == TT_COMMAND_AT && word[1] >= '0' && word[1] <= '9';
}

static struct tt_status parse_words(struct words *words, struct tt_options *options)
{
    bool options_end = false;
    bool first = true;
    while (words->next < words->argc) {
        const char *word = words->argv[words->next];
        if (!options_end && strcmp(word, "--") == 0) {
            options_end = true;
            words->next++;
        } else if (!options_end && word[0] == '-' && word[1] != '\0' &&
                   !is_before_origin(options, word)) {
            struct tt_status status = parse_option_word(words, options);
            if (tt_failed(&status)) {
                return status;
            }
        } else {
            words->next++;
            if (!options_end && first && strcmp(word, "help") == 0 && access(word, F_OK) != 0) {
                options->help = true; /* the next word may be a command */
                continue;
            }
            if (options_end || !first || !read_command(word, options)) {
                struct tt_text_list *list =
                    is_when(options, word) ? &options->whens : &options->files;
                list->v[list->count++] = word;
            }
            first = false;
        }
    }
    return tt_ok();
}

/* Returns true if standard input is a pipe or a file, as in `cat x | tracetui`. */
static bool input_is_data(void)
{
    struct stat in;
    return fstat(STDIN_FILENO, &in) == 0 && (S_ISFIFO(in.st_mode) || S_ISREG(in.st_mode));
}

/* Checks combinations of options. */
static struct tt_status cli_options_check(const struct words *words, struct tt_options *options)
{
    const char *word = commands[options->command].word;
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct tt_option *option = &options_table[i];
        if (words->seen[i] && !(option->commands & TT_TAKES(options->command))) {
            return word[0]
                       ? tt_error(TT_ERR_USAGE, "--%s cannot be used with %s (see tracetui --help)",
                                  option->name, word)
                       : tt_error(TT_ERR_USAGE, "--%s needs a command (see tracetui --help)",
                                  option->name);
        }
    }
    if (options->command == TT_COMMAND_RENDER && options->files.count > 0) {
        options->view = options->files.v[0];
        options->files.v++;
        options->files.count--;
    }
    if (options->command == TT_COMMAND_CHECK && options->files.count > 0 &&
        options->rules.count == 0 && options->rules_files.count == 0 && !options->explain) {
        options->rules_files.v[options->rules_files.count++] = options->files.v[0];
        options->files.v++;
        options->files.count--;
    }
    if (options->command == TT_COMMAND_SQL && options->files.count > 0 && !options->query_file &&
        access(options->files.v[0], F_OK) != 0 && strcmp(options->files.v[0], "-") != 0) {
        options->query = options->files.v[0];
        options->files.v++;
        options->files.count--;
    }
    struct tt_status whens = tt_options_check_whens(options);
    if (tt_failed(&whens)) {
        return whens;
    }
    if (options->files.count == 0 && options->query && options->query[0] == '.') {
        return tt_options_check(options); /* .tables describes all captures */
    }
    if (options->files.count == 0 && options->logs.count > 0) {
        return tt_options_check(options); /* the logs are the captures */
    }
    if (options->files.count == 0 && input_is_data()) {
        options->files.v[options->files.count++] = "-";
    }
    if (options->files.count == 0 && options->query) {
        return tt_error(TT_ERR_USAGE, "sql: the query needs a capture: tracetui sql QUERY FILE; "
                                      "without one there are .tables, .schema and .help");
    }
    if (options->files.count == 0) {
        return tt_error(TT_ERR_USAGE, "%s%sno FILE given (see tracetui --help)", word,
                        word[0] ? ": " : "");
    }
    return tt_options_check(options);
}

struct tt_status tt_options_parse(int argc, char **argv, struct tt_options *options)
{
    memset(options, 0, sizeof *options);
    options->min_change = TT_OPTION_MIN_CHANGE;
    options->alpha = TT_OPTION_ALPHA;
    options->worst = options->each = options->format = -1;
    size_t most = argc > 0 ? (size_t)argc : 1;
    options->lists = calloc(14 * most, sizeof *options->lists);
    if (!options->lists) {
        return tt_error_memory();
    }
    options->files.v = options->lists;
    options->threads.v = options->lists + most;
    options->whens.v = options->lists + 2 * most;
    options->rules_files.v = options->lists + 3 * most;
    options->rules.v = options->lists + 4 * most;
    options->variables.v = options->lists + 5 * most;
    options->fail_if.v = options->lists + 6 * most;
    options->symbols.v = options->lists + 9 * most;
    options->conditions.v = options->lists + 10 * most;
    options->offsets.v = options->lists + 7 * most;
    options->alignments.v = options->lists + 8 * most;
    options->lane_definitions.v = options->lists + 11 * most;
    options->lane_files.v = options->lists + 12 * most;
    options->logs.v = options->lists + 13 * most;

    struct words words = {argc, argv, 1, {false}};
    struct tt_status status = parse_words(&words, options);
    if (options->format < 0) {
        options->format =
            options->command == TT_COMMAND_EXPORT ? (int)TT_OUTPUT_FXT : (int)TT_OUTPUT_TEXT;
    }
    if (!tt_failed(&status) && !options->help && !options->version && !options->dump_config) {
        status = cli_options_check(&words, options);
    }
    if (tt_failed(&status)) {
        tt_options_free(options);
    }
    return status;
}

void tt_options_free(struct tt_options *options)
{
    free(options->lists);
    memset(options, 0, sizeof *options);
}

/* ---- help --------------------------------------------------------------------------------- */

#define HELP_COLUMN 27

/* Writes a text of one or more lines, indented like the first. */
static void help_lines(struct tt_text *text, size_t start, size_t column, const char *help)
{
    tt_text_pad_to(text, start, column, 2);
    for (const char *p = help; *p; p++) {
        tt_text_char(text, *p);
        if (*p == '\n') {
            tt_text_fill(text, ' ', column);
        }
    }
    tt_text_char(text, '\n');
}

static void help_command(struct tt_text *text, const struct command_info *command)
{
    size_t start = text->used;
    tt_text_str(text, "  tracetui ");
    if (command->word[0]) {
        tt_text_put(text, "%s ", command->word);
    }
    tt_text_str(text, command->arguments);
    help_lines(text, start, HELP_COLUMN + 3, command->help);
}

void tt_options_help(struct tt_text *text, enum tt_command command)
{
    tt_text_str(text, "tracetui: explore kernel traces of real-time systems\n\n");
    for (unsigned i = 0; i < TT_COMMAND_COUNT; i++) {
        if (command == TT_COMMAND_OPEN || command == i) {
            help_command(text, &commands[i]);
        }
    }
    tt_text_char(text, '\n');
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (command == TT_COMMAND_OPEN || options_table[i].commands & TT_TAKES(command)) {
            const struct tt_option *option = &options_table[i];
            size_t start = text->used;
            if (option->letter) {
                tt_text_put(text, "  -%c, --", option->letter);
            } else {
                tt_text_str(text, "      --");
            }
            tt_text_str(text, option->name);
            if (option->argument) {
                tt_text_put(text, " %s", option->argument);
            }
            help_lines(text, start, HELP_COLUMN, option->help);
        }
    }
    tt_text_str(text,
                "\nFILE may be compressed (.gz, .zst); - is standard input; HOST:PATH is read\n"
                "through ssh. Formats:\n");
    for (const struct tt_format *const *format = tt_formats; *format; format++) {
        tt_text_put(text, "  %s %s\n", (*format)->title, (*format)->extensions);
    }
    tt_text_str(text,
                "\nExit status: 0 success, 1 the file is damaged (the rest was used), 2 failure,\n"
                "3 --until found no event, or a rule failed, 4 the filter was undecided for some\n"
                "events, or a rule is undecided. A condition of --fail-if is a rule.\n");
}

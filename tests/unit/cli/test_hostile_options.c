/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes in an option, an argument, the name of a file or a configuration file: the output is valid
 * UTF-8 without control and format characters, an error is one line, and the exit status is a documented
 * one. The options are those of --help, which is generated from their table.
 */
#include <criterion/criterion.h>
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alone.h"
#include "run_program.h"
#include "tracetui/text.h"

enum { WORD = 1024, MOST_COMMANDS = 40, MOST_OPTIONS = 400 };

static const char *const hostile[] = {
    "\x1b[31m\x1b]0;title\x07\x1b[2J\x08\x7f\r\n\t\x0e",
    "\xc2\x9b"
    "31m\xc2\x9d"
    "0;title\xc2\x9c\x9b"
    "31m\x85",
    "\xff\xfe\xc0\x80\xed\xa0\x80\xf4\x90\x80\x80\xe2\x80",
    "\u202etxt.\u2066\u2069\u200f\u061c\u2028\u200b\ufeff\U000e0041",
};
enum { HOSTILE_COUNT = sizeof hostile / sizeof *hostile };

static char top[WORD];
static char folder[] = "/tmp/tracetui-hostile-XXXXXX";
static char capture[WORD + 40];

/* Removes the files of the directory: an output would be the input of later options. */
static void empty_folder(void)
{
    DIR *dir = opendir(".");
    cr_assert_not_null(dir);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        unlink(entry->d_name); /* fails for directories */
    }
    closedir(dir);
}

static void enter_folder(void)
{
    cr_assert(getcwd(top, sizeof top) && mkdtemp(folder));
    cr_assert_eq(setenv("XDG_CACHE_HOME", folder, 1), 0);
    snprintf(capture, sizeof capture, "%s/samples/fast1.kev", top);
    cr_assert_eq(chdir(folder), 0);
}

static void leave_folder(void)
{
    char command[sizeof folder + 16];
    cr_assert_eq(chdir(top), 0);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    cr_assert_eq(system(command), 0);
}

TestSuite(hostile_options, .init = enter_folder, .fini = leave_folder, ALONE);

/* ---- the rule of output ------------------------------------------------------------------- */

/* Control, format, private and surrogate characters, and line separators, of Unicode 15. */
static bool is_bad(uint32_t c)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        {0, 9},
        {0x0b, 0x1f},
        {0x7f, 0x9f},
        {0xad, 0xad},
        {0x600, 0x605},
        {0x61c, 0x61c},
        {0x6dd, 0x6dd},
        {0x70f, 0x70f},
        {0x890, 0x891},
        {0x8e2, 0x8e2},
        {0x180e, 0x180e},
        {0x200b, 0x200f},
        {0x2028, 0x202e},
        {0x2060, 0x206f},
        {0xd800, 0xf8ff},
        {0xfeff, 0xfeff},
        {0xfff9, 0xfffb},
        {0x110bd, 0x110bd},
        {0x110cd, 0x110cd},
        {0x13430, 0x1343f},
        {0x1bca0, 0x1bca3},
        {0x1d173, 0x1d17a},
        {0xe0001, 0x10ffff},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (c >= ranges[i].first && c <= ranges[i].last) {
            return true;
        }
    }
    return false;
}

static bool is_plain(const char *text)
{
    for (size_t left = strlen(text); left > 0;) {
        uint32_t code;
        unsigned length = tt_utf8_decode(text, left, &code);
        if (length == 0 || is_bad(code)) {
            return false;
        }
        text += length;
        left -= length;
    }
    return true;
}

static size_t line_count(const char *text)
{
    size_t count = 0;
    for (; *text; text++) {
        count += *text == '\n';
    }
    return count;
}

static bool is_command(const char *const *words, const char *name)
{
    return words[1] && strcmp(words[1], name) == 0;
}

/* Removes the SGR sequences of --color. */
static void drop_colors(char *text)
{
    char *to = text;
    for (const char *from = text; *from;) {
        size_t length = strncmp(from, "\x1b[", 2) == 0 ? 2 + strspn(from + 2, "0123456789;") : 0;
        if (length > 0 && from[length] == 'm') {
            from += length + 1;
        } else {
            *to++ = *from++;
        }
    }
    *to = '\0';
}

static bool has_word(const char *const *words, const char *word)
{
    for (; *words; words++) {
        if (strcmp(*words, word) == 0) {
            return true;
        }
    }
    return false;
}

/* Prints the words of a failed run with its hostile bytes escaped. */
static const char *shown(const char *const *words)
{
    static char buffer[4 * WORD];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    for (size_t i = 0; words[i]; i++) {
        tt_text_char(&text, ' ');
        tt_text_escaped(&text, words[i], strlen(words[i]));
    }
    return tt_text_cstr(&text);
}

/* Runs words and checks the output; returns whether they were refused. */
static bool refuses(const char *const *words)
{
    struct run run = run_program(words);
    /* Captures are not text, and are not printed to a terminal. */
    bool is_text = !is_command(words, "export") && !is_command(words, "save");
    if (has_word(words, "--color")) {
        drop_colors(run.out);
    }
    cr_expect(!is_text || is_plain(run.out), "%s: output", shown(words));
    cr_expect(is_plain(run.err), "%s: messages", shown(words));
    cr_expect(run.status >= 0 && run.status <= 4, "%s: status %d", shown(words), run.status);
    bool is_refused = run.status == 2;
    /* check reports the errors of all rules, one per line. */
    size_t lines = line_count(run.err);
    cr_expect(!is_refused || (is_command(words, "check") ? lines > 0 : lines == 1), "%s: %zu lines",
              shown(words), lines);
    run_free(&run);
    empty_folder();
    return is_refused;
}

/* ---- commands and options of --help ------------------------------------------------------- */

struct command_list {
    unsigned count;
    char name[MOST_COMMANDS][24]; /* the first is "": no command */
};

struct option_row {
    char name[40]; /* with -- */
    bool has_argument;
};

static char *help_of(const char *command)
{
    const char *words[] = {"tracetui", *command ? command : "--help", *command ? "--help" : NULL,
                           NULL};
    struct run run = run_program(words);
    cr_assert_eq(run.status, 0, "%s", command);
    free(run.err);
    return run.out;
}

static struct command_list list_commands(void)
{
    struct command_list list = {.count = 1};
    char *help = help_of("");
    for (char *line = strtok(help, "\n"); line; line = strtok(NULL, "\n")) {
        char *name = list.name[list.count];
        if (sscanf(line, "  tracetui %23[a-z]", name) == 1 &&
            strncmp(line, "  tracetui ", 11) == 0 && line[11 + strlen(name)] == ' ') {
            cr_assert_lt(++list.count, MOST_COMMANDS);
        }
    }
    free(help);
    return list;
}

/* Reads a line of help such as "  -o, --output FILE   ..."; returns false for another. */
static bool read_option(const char *line, struct option_row *option)
{
    const char *at = line + strspn(line, " ");
    if (at[0] == '-' && isalnum((unsigned char)at[1]) && at[2] == ',') {
        at += 4;
    }
    size_t length =
        2 + strspn(at + (strncmp(at, "--", 2) == 0 ? 2 : 0), "abcdefghijklmnopqrstuvwxyz-");
    if (strncmp(at, "--", 2) != 0 || length >= sizeof option->name || at - line > 8) {
        return false;
    }
    memcpy(option->name, at, length);
    option->name[length] = '\0';
    option->has_argument = at[length] == ' ' && isupper((unsigned char)at[length + 1]);
    return true;
}

/* Words of a command line before the hostile ones; render needs a view. */
static unsigned begin_words(const char **words, const char *command)
{
    unsigned count = 0;
    words[count++] = "tracetui";
    if (*command) {
        words[count++] = command;
    }
    if (strcmp(command, "render") == 0) {
        words[count++] = "events";
    }
    return count;
}

/* Runs a command with words before the capture. */
static bool refuses_words(const char *command, const char *first, const char *second)
{
    const char *words[8] = {NULL};
    unsigned count = begin_words(words, command);
    words[count++] = first;
    if (second) {
        words[count++] = second;
    }
    words[count++] = capture;
    return refuses(words);
}

/* Tries an option with hostile bytes alone, after a valid value and as a path; counts the refused. */
static unsigned try_option(const char *command, const struct option_row *option)
{
    char word[WORD];
    unsigned refused = 0;
    for (size_t i = 0; i < HOSTILE_COUNT; i++) {
        if (!option->has_argument) {
            snprintf(word, sizeof word, "%s=%s", option->name, hostile[i]);
            refused += refuses_words(command, word, NULL);
            continue;
        }
        static const char *const before[] = {"", "1", "nowhere/"};
        for (size_t k = 0; k < sizeof before / sizeof *before; k++) {
            snprintf(word, sizeof word, "%s%s", before[k], hostile[i]);
            refused += refuses_words(command, option->name, word);
        }
    }
    return refused;
}

Test(hostile_options, in_every_option_of_every_command)
{
    struct command_list commands = list_commands();
    unsigned options = 0, refused = 0;
    for (unsigned c = 0; c < commands.count; c++) {
        char *help = help_of(commands.name[c]), *rest = NULL;
        for (char *line = strtok_r(help, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
            struct option_row option;
            if (read_option(line, &option)) {
                options++;
                refused += try_option(commands.name[c], &option);
            }
        }
        free(help);
    }
    cr_expect_gt(commands.count, 10, "%u commands", commands.count);
    cr_expect_gt(options, 150, "%u options", options);
    cr_expect_gt(refused, 1000, "%u refused", refused);
}

/* ---- other words -------------------------------------------------------------------------- */

Test(hostile_options, as_unknown_options_files_and_views)
{
    struct command_list commands = list_commands();
    for (unsigned c = 0; c < commands.count; c++) {
        for (size_t i = 0; i < HOSTILE_COUNT; i++) {
            char word[WORD];
            const char *words[6] = {NULL};
            snprintf(word, sizeof word, "--%s", hostile[i]);
            refuses_words(commands.name[c], word, NULL);
            refuses_words(commands.name[c], word + 1, NULL);
            words[begin_words(words, commands.name[c])] = hostile[i];
            refuses(words);
        }
    }
    for (size_t i = 0; i < HOSTILE_COUNT; i++) {
        refuses((const char *[]){"tracetui", "render", hostile[i], capture, NULL});
    }
}

static void write_file(const char *name, const char *content)
{
    FILE *f = fopen(name, "wb");
    cr_assert(f && fputs(content, f) >= 0);
    fclose(f);
}

Test(hostile_options, in_names_of_files_without_a_capture)
{
    struct command_list commands = list_commands();
    for (unsigned c = 0; c < commands.count; c++) {
        const char *command = *commands.name[c] ? commands.name[c] : "dump";
        for (size_t i = 0; i < HOSTILE_COUNT && strcmp(command, "render") != 0; i++) {
            char name[WORD];
            snprintf(name, sizeof name, "named%s", hostile[i]);
            write_file(name, "no capture");
            refuses((const char *[]){"tracetui", command, name, NULL});
        }
    }
}

/* ---- files of text ------------------------------------------------------------------------ */

/* Copies hostile bytes without the ends of lines. */
static void copy_line(char *line, const char *bytes)
{
    for (; *bytes; bytes++) {
        if (*bytes != '\n' && *bytes != '\r') {
            *line++ = *bytes;
        }
    }
    *line = '\0';
}

/* Replaces @ in a pattern. */
static void fill(char *text, const char *pattern, const char *line)
{
    for (; *pattern; pattern++) {
        if (*pattern == '@') {
            memcpy(text, line, strlen(line));
            text += strlen(line);
        } else {
            *text++ = *pattern;
        }
    }
    *text = '\0';
}

Test(hostile_options, in_lines_of_configurations_themes_scripts_and_name_files)
{
    static const char *const contents[] = {
        "@",
        "@ = 1",
        "[@]\na = 1",
        "[settings]\n@ = on",
        "[settings]\ntheme = @",
        "[keys]\n@ = a",
        "[keys]\nquit = @",
        "[user]\n@ = 1",
        "[sql]\n@ = select 1",
        "[sql]\nx = @",
        "[x@\n",
        "Start\n@\nEnd",
        "events @",
        "glyph @ = @",
    };
    static const char *const options[] = {"--config", "--theme", "--script", "--names"};
    for (size_t i = 0; i < HOSTILE_COUNT; i++) {
        char line[WORD], text[4 * WORD], name[2 * WORD];
        copy_line(line, hostile[i]);
        for (size_t k = 0; k < sizeof contents / sizeof *contents; k++) {
            fill(text, contents[k], line);
            snprintf(name, sizeof name, "file%s", line);
            for (size_t o = 0; o < sizeof options / sizeof *options; o++) {
                write_file(name, text);
                refuses((const char *[]){"tracetui", "render", "events", options[o], name, capture,
                                         NULL});
            }
        }
    }
}

Test(hostile_options, in_keys_of_scripts)
{
    static const char *const scripts[] = {
        ":@",
        ":set @",
        ":theme @",
        ":write nowhere/@",
        "/@<Enter>",
        "f@<Enter>",
        ":@<Enter>",
        ":view @",
        ":goto @",
        ":sql @<Enter>",
        ":check @<Enter>",
        ":save @<Enter>",
        ":diff @<Enter>",
    };
    for (size_t i = 0; i < HOSTILE_COUNT; i++) {
        for (size_t k = 0; k < sizeof scripts / sizeof *scripts; k++) {
            char line[WORD], text[2 * WORD];
            copy_line(line, hostile[i]);
            fill(text, scripts[k], line);
            write_file("script", text);
            refuses((const char *[]){"tracetui", "render", "events", "--script", "script", capture,
                                     NULL});
        }
    }
}

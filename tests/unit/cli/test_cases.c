/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cases of tests/cases that are one plain command, or the first lines of its output, and the long texts of
 * tests/golden/expected, in this process: the same expectations that the golden tests hold for the
 * program, next to the unit tests. Cases with pipes, several lines or files that other cases make are
 * left to the golden tests.
 */
#include <criterion/criterion.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alone.h"
#include "cli/options.h"
#include "run_program.h"

enum { WORDS = 40, LINE = 4096 };

static char top[LINE];
static char folder[] = "/tmp/tracetui-cases-XXXXXX";

/* Commands run in a directory of their own, as in tests/golden/cases.sh. */
static void enter_folder(void)
{
    char path[LINE + 16];
    cr_assert(getcwd(top, sizeof top) && mkdtemp(folder));
    cr_assert_eq(setenv("XDG_CACHE_HOME", folder, 1), 0);
    cr_assert_eq(chdir(folder), 0);
    snprintf(path, sizeof path, "%s/samples", top);
    cr_assert_eq(symlink(path, "samples"), 0);
    snprintf(path, sizeof path, "%s/tests", top);
    cr_assert_eq(symlink(path, "tests"), 0);
}

static void leave_folder(void)
{
    char command[sizeof folder + 16];
    cr_assert_eq(chdir(top), 0);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    cr_assert_eq(system(command), 0);
}

TestSuite(cases, .init = enter_folder, .fini = leave_folder, ALONE);

/* ---- running a command -------------------------------------------------------------------- */

/* Splits a command at blanks outside quotes; returns the number of words, 0 for a shell's command. */
static int split(char *command, char **words)
{
    int count = 0;
    char *to = command;
    for (char *from = command; *from;) {
        from += strspn(from, " ");
        if (!*from || count == WORDS - 1) {
            break;
        }
        words[count++] = to;
        for (char quote = '\0'; *from && (quote || *from != ' '); from++) {
            if (quote ? *from == quote : *from == '\'' || *from == '"') {
                quote = quote ? '\0' : *from;
            } else if (quote == '"' ? strchr("$`\\", *from) != NULL
                                    : !quote && strchr("|<>;&$`*?\\()~#", *from)) {
                return 0;
            } else {
                *to++ = *from;
            }
        }
        from += *from == ' ';
        *to++ = '\0';
    }
    words[count] = NULL;
    return count;
}

/* Returns whether another command makes the file, which is missing. */
static bool is_made(const char *path, const char *others)
{
    char stem[80];
    snprintf(stem, sizeof stem, "%.*s", path ? (int)strcspn(path, ".") : 0, path ? path : "");
    return path && access(path, F_OK) != 0 && strstr(others, stem);
}

static bool lacks_file(const struct tt_options *o, const char *others)
{
    bool lacks = is_made(o->names, others) || is_made(o->output, others);
    for (int i = 0; i < o->files.count; i++) {
        lacks |= is_made(o->files.v[i], others);
    }
    return lacks;
}

/* Runs words; returns false for those that follow a capture or need a file that is not made here. */
static bool run_words(int count, char **words, const char *others, struct run *run)
{
    struct tt_options options;
    struct tt_status status = tt_options_parse(count, words, &options);
    if (!tt_failed(&status)) {
        bool here = !options.follow && !lacks_file(&options, others);
        tt_options_free(&options);
        if (!here) {
            return false;
        }
    }
    *run = run_program((const char *const *)words);
    return true;
}

static char *text_of(FILE *f)
{
    cr_assert_eq(fseek(f, 0, SEEK_END), 0);
    size_t size = (size_t)ftell(f);
    char *text = malloc(size + 1);
    rewind(f);
    cr_assert(text && fread(text, 1, size, f) == size);
    text[size] = '\0';
    fclose(f);
    return text;
}

/* Writes the lines of a text as a .test file has them, with a mark before each. */
static void put_lines(FILE *to, const char *text, const char *mark)
{
    while (*text) {
        int length = (int)strcspn(text, "\n");
        bool escaped = !*mark && (length == 0 || strchr("#$>!?\\", *text));
        fprintf(to, "%s%s%.*s\n", mark, escaped ? "\\" : "", length, text);
        text += length + (text[length] == '\n');
    }
}

/* Removes " | head -n N" from the end of a command and returns N; ULONG_MAX without it. */
static unsigned long take_head(char *command)
{
    static const char pipe[] = " | head -n ";
    char *end, *at = strstr(command, pipe);
    unsigned long count = at ? strtoul(at + sizeof pipe - 1, &end, 10) : ULONG_MAX;
    if (!at || *end) {
        return ULONG_MAX;
    }
    *at = '\0';
    return count;
}

static void cut_lines(char *text, unsigned long count)
{
    for (; *text && count > 0; count--) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    *text = '\0';
}

/*
 * Returns what a .test file has after the command; NULL: it is not one for this test. `others`: the
 * commands before it that did not run.
 */
static char *answer(const char *command, const char *others)
{
    char copy[LINE], *words[WORDS], *result = NULL;
    size_t size = 0;
    struct run run;
    snprintf(copy, sizeof copy, "%s", command);
    unsigned long head = take_head(copy);
    int count = split(copy, words);
    if (count == 0 || !run_words(count, words, others, &run)) {
        return NULL;
    }
    FILE *all = open_memstream(&result, &size);
    cr_assert_not_null(all);
    cut_lines(run.out, head);
    put_lines(all, run.out, "");
    put_lines(all, run.err, "! ");
    if (run.status != 0) {
        fprintf(all, "? %d\n", run.status);
    }
    run_free(&run);
    fclose(all);
    return result;
}

/* ---- tests/cases -------------------------------------------------------------------------- */

struct file_cases {
    const char *path;
    FILE *left; /* the text of the commands that do not run here */
    char *left_text;
    size_t left_size;
    unsigned count;
};

static void run_case(struct file_cases *f, const char *command, const char *expected)
{
    bool plain = strncmp(command, "tracetui ", 9) == 0 && !strchr(command, '\n') &&
                 !strstr(command, "captures/");
    fflush(f->left);
    char *actual = plain ? answer(command, f->left_text) : NULL;
    if (!actual) {
        /* Files of text are made here, too. */
        bool makes_text =
            strncmp(command, "printf ", 7) == 0 && strchr(command, '>') && !strchr(command, '\n');
        if (makes_text) {
            cr_expect_eq(system(command), 0, "%s", command);
        } else {
            fprintf(f->left, "%s\n", command);
        }
        return;
    }
    f->count++;
    cr_expect_str_eq(actual, expected, "%s: %s\n--- expected\n%s--- printed\n%s", f->path, command,
                     expected, actual);
    free(actual);
}

static void append(char **text, const char *line)
{
    size_t size = *text ? strlen(*text) : 0;
    size_t length = strlen(line) + 1;
    *text = realloc(*text, size + length);
    cr_assert_not_null(*text);
    memcpy(*text + size, line, length);
}

static unsigned run_file(const char *path)
{
    struct file_cases f = {.path = path};
    char line[LINE], *command = NULL, *expected = NULL;
    FILE *file = fopen(path, "r");
    f.left = open_memstream(&f.left_text, &f.left_size);
    cr_assert(file && f.left, "%s", path);
    for (bool more = true; more;) {
        more = fgets(line, sizeof line, file) != NULL;
        bool ends = !more || line[0] == '\n' || line[0] == '#' || strncmp(line, "$ ", 2) == 0;
        if (ends && command) {
            command[strcspn(command, "\n") + (strchr(command, '\n')[1] ? 1 : 0)] = '\0';
            run_case(&f, command, expected ? expected : "");
        }
        if (ends) {
            free(command);
            free(expected);
            command = expected = NULL;
        }
        if (more && strncmp(line, "$ ", 2) == 0) {
            append(&command, line + 2);
        } else if (more && strncmp(line, "> ", 2) == 0) {
            append(&command, line + 2);
        } else if (more && !ends) {
            append(&expected, line);
        }
    }
    fclose(file);
    fclose(f.left);
    free(f.left_text);
    return f.count;
}

/* Runs the cases of one file, of which at least `wanted` are plain commands. */
static void check_file(const char *name, unsigned wanted)
{
    char path[80];
    snprintf(path, sizeof path, "tests/cases/%s.test", name);
    unsigned count = run_file(path);
    cr_expect_geq(count, wanted, "%s: %u", path, count);
}

Test(cases, dump)
{
    check_file("dump", 3);
}

Test(cases, diff)
{
    check_file("diff", 6);
}

Test(cases, errors)
{
    check_file("errors", 40);
}

Test(cases, at)
{
    check_file("at", 10);
}

Test(cases, check)
{
    check_file("check", 10);
}

Test(cases, export)
{
    check_file("export", 10);
}

Test(cases, filter)
{
    check_file("filter", 3);
}

Test(cases, stats)
{
    check_file("stats", 20);
}

Test(cases, jobs)
{
    check_file("jobs", 8);
}

Test(cases, measure)
{
    check_file("measure", 10);
}

Test(cases, why)
{
    check_file("why", 15);
}

/* ---- tests/golden/expected ---------------------------------------------------------------- */

/* SAMPLE.COMMAND[.BY].FORMAT; returns false for another name, and for the structure of a page. */
static bool command_of(const char *name, char *command, size_t room)
{
    char copy[120], *part[6];
    unsigned count = 0;
    snprintf(copy, sizeof copy, "%s", name);
    for (char *p = strtok(copy, "."); p && count < 6; p = strtok(NULL, ".")) {
        part[count++] = p;
    }
    if (count < 3 || strcmp(part[1], "kev") != 0 || strcmp(part[2], "report") == 0) {
        return false;
    }
    if (count == 3) {
        snprintf(command, room, "tracetui dump --style %s samples/%s.kev", part[2], part[0]);
    } else if (count == 4) {
        snprintf(command, room, "tracetui %s --format %s samples/%s.kev", part[2], part[3],
                 part[0]);
    } else {
        snprintf(command, room, "tracetui %s --by %s --format %s samples/%s.kev", part[2], part[3],
                 part[4], part[0]);
    }
    return true;
}

static const char *line_end(const char *text)
{
    text += strcspn(text, "\n");
    return text + (*text == '\n');
}

/* Returns the first 40 lines, the last 10 and the number of lines, as tests/golden/dump.sh does. */
static char *digest_of(const char *text)
{
    enum { FIRST = 40, LAST = 10 };
    const char *last[LAST] = {0}, *first_end = text;
    unsigned count = 0;
    for (const char *line = text; *line; line = line_end(line), count++) {
        last[count % LAST] = line;
        first_end = count < FIRST ? line_end(line) : first_end;
    }
    size_t room = strlen(text) + 100;
    char *digest = malloc(room);
    cr_assert(digest && count > FIRST + LAST);
    snprintf(digest, room, "%.*s...\n%slines %u", (int)(first_end - text), text, last[count % LAST],
             count);
    return digest;
}

Test(cases, long_texts)
{
    unsigned count = 0;
    glob_t found;
    cr_assert_eq(glob("tests/golden/expected/*.kev.*", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char command[200], *words[WORDS];
        struct run run;
        if (!command_of(strrchr(found.gl_pathv[i], '/') + 1, command, sizeof command)) {
            continue;
        }
        FILE *wanted = fopen(found.gl_pathv[i], "rb");
        cr_assert_not_null(wanted);
        cr_assert(run_words(split(command, words), words, "", &run));
        char *expected = text_of(wanted);
        char *checksum = strstr(expected, ", cksum ");
        if (checksum) {
            char *digest = digest_of(run.out);
            free(run.out);
            run.out = digest;
            *checksum = '\0';
        }
        cr_expect(run.status == 0 && strcmp(run.out, expected) == 0, "%s", found.gl_pathv[i]);
        count++;
        run_free(&run);
        free(expected);
    }
    globfree(&found);
    cr_expect_geq(count, 20, "%u", count);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the line reader on a pseudo terminal: the line that they make. */
#define _XOPEN_SOURCE 700
#include "alone.h"
#include "edit/history_file.h"
#include "edit/line_reader.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static int keyboard; /* the other end of the terminal */
static FILE *screen;
static struct tt_line_reader reader;

/* Offers the words that begin with the word before the caret. */
static void complete(void *arg, const char *line, size_t caret, struct tt_line_words *words)
{
    static const char *const all[] = {"threat", "thread",           "then", "delay", "delay",
                                      "time",   "\xc3\xa9t\xc3\xa9"};
    (void)arg;
    while (words->from > 0 && line[words->from - 1] != ' ') {
        words->from--;
    }
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strncmp(all[i], line + words->from, caret - words->from) == 0) {
            tt_line_words_add(words, all[i]);
        }
    }
}

static void open_terminal(void)
{
    struct termios raw;
    keyboard = posix_openpt(O_RDWR | O_NOCTTY);
    cr_assert(keyboard >= 0 && grantpt(keyboard) == 0 && unlockpt(keyboard) == 0);
    int in = open(ptsname(keyboard), O_RDWR | O_NOCTTY);
    cr_assert(in >= 0 && tcgetattr(in, &raw) == 0);
    /* Keys are written before they are read, so the terminal must not edit them. */
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG | IEXTEN);
    raw.c_iflag &= ~(tcflag_t)(ICRNL | IXON);
    cr_assert(tcsetattr(in, TCSANOW, &raw) == 0);
    screen = tmpfile();
    cr_assert_not_null(screen);
    reader = (struct tt_line_reader){
        .in = in, .out = fileno(screen), .prompt = "> ", .complete = complete};
}

static void close_terminal(void)
{
    tt_line_reader_free(&reader);
    close(reader.in);
    close(keyboard);
    fclose(screen);
}

static bool type(const char *keys)
{
    size_t length = strlen(keys);
    cr_assert(write(keyboard, keys, length) == (ssize_t)length);
    return tt_line_reader_read(&reader);
}

#define LEFT  "\033[D"
#define RIGHT "\033[C"
#define UP    "\033[A"
#define DOWN  "\033OB"

static const struct {
    const char *keys;
    const char *line;
} edits[] = {
    {"lost = 0\r", "lost = 0"},
    {"lost\n", "lost"},
    {"\r", ""},
    {"lst" LEFT LEFT "o\r", "lost"},
    {"lst\002\002o\006\006\006\006t\r", "lostt"},
    {"ost\033[Hl\033[F!\r", "lost!"},
    {"ost\001l\005!\r", "lost!"},
    {"losst\177\177t\r", "lost"},
    {"\177losst\010\010t\r", "lost"},
    {"losst" LEFT LEFT "\033[3~\r", "lost"},
    {"losst" LEFT LEFT "\004\r", "lost"},
    {"lost\033[3~\r", "lost"},
    {"one two" LEFT LEFT LEFT "\025\r", "two"},
    {"one two" LEFT LEFT LEFT "\013\r", "one "},
    {"one two  \027\r", "one "},
    {"one two\027\027\027x\r", "x"},
    {"\xc3\xa9\xe2\x82\xac" LEFT LEFT "a" RIGHT "b\r", "a\xc3\xa9"
                                                       "b\xe2\x82\xac"},
    {"\xc3\xa9\xe2\x82\xac\177\r", "\xc3\xa9"},
    {"\xc3\xa9\xe2\x82\xac\001\004\r", "\xe2\x82\xac"},
    {"a\033[99;5zb\033Oxc\033qd\007\r", "abcd"},
    {"d\t\r", "delay "},
    {"t\t\r", "t"},
    {"th\tr\td\t\r", "thread "},
    {"thx" LEFT "\t\r", "thx"},
    {"thrx" LEFT "\t\r", "threax"},
    {"x\t\r", "x"},
    {"x \t\r", "x "},
};

Test(line_reader, keys_edit_the_line)
{
    open_terminal();
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        cr_assert(type(edits[i].keys), "%zu", i);
        cr_expect_str_eq(reader.line, edits[i].line, "keys %zu", i);
        cr_expect_eq(reader.length, strlen(edits[i].line));
    }
    close_terminal();
}

Test(line_reader, lines_before_are_recalled_and_the_oldest_are_forgotten)
{
    char keys[8 * (TT_HISTORY_LINES + 5)] = "";
    open_terminal();
    cr_assert(type("one\r") && type("\r") && type("two\r"));
    cr_assert(type(UP UP "!\r"));
    cr_assert_str_eq(reader.line, "one!");
    cr_assert(type(UP UP UP DOWN "\r"));
    cr_assert_str_eq(reader.line, "two");
    cr_assert(type(UP DOWN DOWN "x\r"));
    cr_assert_str_eq(reader.line, "x");
    cr_assert(type("\020\020\016\r"));
    cr_assert_str_eq(reader.line, "x");
    for (unsigned i = 0; i < TT_HISTORY_LINES; i++) {
        char line[16];
        snprintf(line, sizeof line, "n%u\r", i);
        cr_assert(type(line));
    }
    cr_assert_eq(reader.history.count, TT_HISTORY_LINES);
    for (unsigned i = 0; i < TT_HISTORY_LINES + 5; i++) {
        memcpy(keys + i * strlen(UP), UP, strlen(UP));
    }
    keys[(TT_HISTORY_LINES + 5) * strlen(UP)] = '\r';
    cr_assert(type(keys));
    cr_assert_str_eq(reader.line, "n0");
    close_terminal();
}

Test(line_reader, the_input_ends_with_control_d_or_control_c)
{
    open_terminal();
    cr_assert_not(type("\004"));
    cr_assert_not(type("lost\003"));
    cr_assert(type("lost\004\r")); /* the line is not empty: erases */
    cr_assert_str_eq(reader.line, "lost");
    close_terminal();
}

Test(line_reader, bytes_beyond_the_maximum_length_are_ignored)
{
    char keys[TT_LINE_READER_BYTES + 10];
    open_terminal();
    memset(keys, 'x', sizeof keys);
    keys[sizeof keys - 2] = '\r';
    keys[sizeof keys - 1] = '\0';
    cr_assert(type(keys));
    cr_assert_eq(reader.length, TT_LINE_READER_BYTES - 1);
    cr_assert_eq(strlen(reader.line), reader.length);
    close_terminal();
}

Test(line_reader, words_are_listed_and_the_terminal_is_restored)
{
    char shown[4096];
    struct termios before, after;
    open_terminal();
    cr_assert(tcgetattr(reader.in, &before) == 0);
    before.c_lflag |= ECHO;
    cr_assert(tcsetattr(reader.in, TCSANOW, &before) == 0);
    cr_assert(type("\t\r"));
    cr_assert(tcgetattr(reader.in, &after) == 0);
    cr_assert(before.c_lflag == after.c_lflag && before.c_iflag == after.c_iflag);
    rewind(screen);
    size_t length = fread(shown, 1, sizeof shown - 1, screen);
    shown[length] = '\0';
    cr_assert(
        strstr(shown, "\r\ndelay   then    thread  threat  time    \xc3\xa9t\xc3\xa9     \r\n"),
        "%s", shown);
    close_terminal();
}

Test(line_reader, what_is_no_terminal_has_no_lines)
{
    struct tt_line_reader none = {.in = open("/dev/null", O_RDONLY), .prompt = ""};
    cr_assert(none.in >= 0);
    cr_assert_not(tt_line_reader_read(&none));
    close(none.in);
}

Test(line_reader, lines_are_saved_and_read, ALONE)
{
    char folder[] = "/tmp/tracetui-lines-XXXXXX";
    struct tt_history written = {0}, read = {0};
    cr_assert(mkdtemp(folder) && setenv("XDG_STATE_HOME", folder, 1) == 0);
    tt_history_load(&read, "lines"); /* there is no file */
    tt_history_save(&read, "lines");
    cr_expect_eq(read.count, 0u);
    for (unsigned i = 0; i < TT_HISTORY_LINES + 2; i++) {
        char line[16];
        snprintf(line, sizeof line, "select %u", i);
        tt_history_add(&written, line);
    }
    tt_history_save(&written, "lines");
    tt_history_load(&read, "lines");
    cr_assert_eq(read.count, TT_HISTORY_LINES);
    cr_expect_str_eq(read.lines[0], "select 2");
    cr_expect_str_eq(read.lines[TT_HISTORY_LINES - 1], "select 101");
    tt_history_free(&written);
    tt_history_free(&read);
}

/* Runs in a child: reads a line from the terminal until a signal ends it. */
static void read_until_signal(void)
{
    tt_line_reader_read(&reader);
    _exit(0);
}

Test(line_reader, a_signal_restores_the_terminal_and_ends_the_process)
{
    struct termios edited, during, after;
    open_terminal();
    cr_assert(tcgetattr(reader.in, &edited) == 0);
    edited.c_lflag |= ICANON | ECHO | ISIG;
    cr_assert(tcsetattr(reader.in, TCSANOW, &edited) == 0);
    pid_t child = fork();
    if (child == 0) {
        read_until_signal();
    }
    do {
        cr_assert(tcgetattr(reader.in, &during) == 0);
    } while (during.c_lflag & ICANON);
    kill(child, SIGTERM);
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    cr_assert(tcgetattr(reader.in, &after) == 0);
    cr_expect_eq(after.c_lflag, edited.c_lflag);
    close_terminal();
}

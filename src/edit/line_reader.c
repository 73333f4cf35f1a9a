/* SPDX-License-Identifier: Apache-2.0 */
#include "edit/line_reader.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/text_columns.h"
#include "edit/key_mode.h"
#include "edit/line_text.h"

#define WIDTH      80 /* of the lists of words */
#define WORDS_MOST 100u
#define ESCAPE_MS  50 /* the bytes of a key follow each other within this time */

enum key { KEY_NONE = 256, KEY_LEFT, KEY_RIGHT, KEY_UP, KEY_DOWN, KEY_HOME, KEY_END, KEY_DELETE };

#define CONTROL(letter) ((letter)&0x1f)

bool tt_line_reader_is_possible(void)
{
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

void tt_line_reader_free(struct tt_line_reader *r)
{
    tt_history_free(&r->history);
}

/* ---- output ------------------------------------------------------------------------------- */

static void put(const struct tt_line_reader *r, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t written = write(r->out, bytes, length);
        if (written < 0 && errno != EINTR) {
            return;
        }
        bytes += written > 0 ? written : 0;
        length -= written > 0 ? (size_t)written : 0;
    }
}

static void put_text(const struct tt_line_reader *r, const char *text)
{
    put(r, text, strlen(text));
}

/* Draws the line, and moves the cursor to the caret. */
static void draw(const struct tt_line_reader *r)
{
    size_t behind = tt_text_columns(r->line + r->caret, r->length - r->caret);
    put_text(r, "\r");
    put_text(r, r->prompt);
    put(r, r->line, r->length);
    put_text(r, "\033[K");
    for (size_t i = 0; i < behind; i++) {
        put_text(r, "\b");
    }
}

/* ---- words -------------------------------------------------------------------------------- */

void tt_line_words_add(struct tt_line_words *w, const char *word)
{
    size_t at = 0;
    while (at < w->count && strcmp(w->words[at], word) < 0) {
        at++;
    }
    if (at < w->count && strcmp(w->words[at], word) == 0) {
        return;
    }
    char **room = tt_array_grow(w->words, w->count, &w->capacity, sizeof *room);
    char *copy = room ? strdup(word) : NULL;
    w->words = room ? room : w->words;
    if (!copy) {
        w->no_memory = true;
        return;
    }
    memmove(w->words + at + 1, w->words + at, (w->count - at) * sizeof *w->words);
    w->words[at] = copy;
    w->count++;
}

static void free_words(struct tt_line_words *w)
{
    for (size_t i = 0; i < w->count; i++) {
        free(w->words[i]);
    }
    free(w->words);
}

/* Replaces the bytes from `from` to the caret; bytes that do not fit are ignored. */
static void insert(struct tt_line_reader *r, size_t from, const char *bytes, size_t length)
{
    if (tt_line_text_replace(r->line, sizeof r->line, &r->length, from, r->caret, bytes, length)) {
        r->caret = from + length;
    }
}

static void erase(struct tt_line_reader *r, size_t from, size_t to)
{
    tt_line_text_replace(r->line, sizeof r->line, &r->length, from, to, "", 0);
    r->caret = from;
}

/* Returns the number of bytes that all words begin with. */
static size_t common_length(const struct tt_line_words *w)
{
    size_t length = strlen(w->words[0]);
    for (size_t i = 1; i < w->count; i++) {
        size_t same = 0;
        while (same < length && w->words[i][same] == w->words[0][same]) {
            same++;
        }
        length = same;
    }
    return length;
}

static void list_words(const struct tt_line_reader *r, const struct tt_line_words *w)
{
    size_t widest = 0, shown = w->count < WORDS_MOST ? w->count : WORDS_MOST, x = 0;
    for (size_t i = 0; i < shown; i++) {
        size_t columns = tt_text_columns(w->words[i], strlen(w->words[i]));
        widest = columns > widest ? columns : widest;
    }
    put_text(r, "\r\n");
    for (size_t i = 0; i < shown; i++) {
        if (x + widest > WIDTH && x > 0) {
            put_text(r, "\r\n");
            x = 0;
        }
        put_text(r, w->words[i]);
        for (size_t n = tt_text_columns(w->words[i], strlen(w->words[i])); n < widest + 2; n++) {
            put_text(r, " ");
        }
        x += widest + 2;
    }
    put_text(r, shown < w->count ? "...\r\n" : "\r\n");
}

/* Completes the word at the caret as far as all words agree; lists them if that adds nothing. */
static void complete(struct tt_line_reader *r)
{
    struct tt_line_words w = {.from = r->caret};
    r->complete(r->arg, r->line, r->caret, &w);
    size_t typed = r->caret - w.from;
    size_t common = w.count > 0 ? common_length(&w) : 0;
    if (w.count == 1 || common > typed) {
        insert(r, w.from, w.words[0], common);
        if (w.count == 1) {
            insert(r, r->caret, " ", 1);
        }
    } else if (w.count > 0) {
        list_words(r, &w);
    }
    free_words(&w);
}

/* ---- keys --------------------------------------------------------------------------------- */

/* Reads a byte; -1: the input has ended, -2: none within the time. */
static int read_byte(const struct tt_line_reader *r, int timeout_ms)
{
    struct pollfd ready = {.fd = r->in, .events = POLLIN};
    unsigned char byte;
    ssize_t got;
    if (timeout_ms >= 0 && poll(&ready, 1, timeout_ms) <= 0) {
        return -2;
    }
    do {
        got = read(r->in, &byte, 1);
    } while (got < 0 && errno == EINTR);
    return got == 1 ? byte : -1;
}

/* Reads the rest of a key that is a number, as PuTTY (1, 4) and rxvt (7, 8) send Home and End. */
static int read_numbered_key(const struct tt_line_reader *r, int first)
{
    int byte = first, length = 0;
    for (; byte >= '0' && byte <= ';'; length++) {
        byte = read_byte(r, ESCAPE_MS);
    }
    if (length != 1 || byte != '~') {
        return KEY_NONE;
    }
    switch (first) {
    case '1':
    case '7':
        return KEY_HOME;
    case '4':
    case '8':
        return KEY_END;
    case '3':
        return KEY_DELETE;
    default:
        return KEY_NONE;
    }
}

/* Reads the rest of a key that begins with ESC. */
static int read_escape(const struct tt_line_reader *r)
{
    int byte = read_byte(r, ESCAPE_MS);
    if (byte != '[' && byte != 'O') {
        return KEY_NONE;
    }
    byte = read_byte(r, ESCAPE_MS);
    switch (byte) {
    case 'A':
        return KEY_UP;
    case 'B':
        return KEY_DOWN;
    case 'C':
        return KEY_RIGHT;
    case 'D':
        return KEY_LEFT;
    case 'H':
        return KEY_HOME;
    case 'F':
        return KEY_END;
    default:
        return read_numbered_key(r, byte);
    }
}

/* Shows a line that was entered before. */
static void recall(struct tt_line_reader *r, bool back)
{
    unsigned count = r->history.count;
    if (back ? r->history_at == 0 : r->history_at >= count) {
        return;
    }
    r->history_at = back ? r->history_at - 1 : r->history_at + 1;
    const char *line = r->history_at < count ? r->history.lines[r->history_at] : "";
    erase(r, 0, r->length);
    insert(r, 0, line, strlen(line));
}

static void handle(struct tt_line_reader *r, int key)
{
    char byte = (char)key;
    switch (key) {
    case KEY_LEFT:
    case CONTROL('b'):
        r->caret = tt_line_text_before(r->line, r->caret);
        break;
    case KEY_RIGHT:
    case CONTROL('f'):
        r->caret = tt_line_text_after(r->line, r->length, r->caret);
        break;
    case KEY_HOME:
    case CONTROL('a'):
        r->caret = 0;
        break;
    case KEY_END:
    case CONTROL('e'):
        r->caret = r->length;
        break;
    case KEY_UP:
    case CONTROL('p'):
    case KEY_DOWN:
    case CONTROL('n'):
        recall(r, key == KEY_UP || key == CONTROL('p'));
        break;
    case 0x7f:
    case CONTROL('h'):
        erase(r, tt_line_text_before(r->line, r->caret), r->caret);
        break;
    case KEY_DELETE:
    case CONTROL('d'):
        erase(r, r->caret, tt_line_text_after(r->line, r->length, r->caret));
        break;
    case CONTROL('u'):
        erase(r, 0, r->caret);
        break;
    case CONTROL('k'):
        erase(r, r->caret, r->length);
        break;
    case CONTROL('w'):
        erase(r, tt_line_text_word_before(r->line, r->caret), r->caret);
        break;
    case '\t':
        complete(r);
        break;
    default:
        if (key >= ' ' && key < KEY_NONE) {
            insert(r, r->caret, &byte, 1);
        }
    }
}

static bool read_line(struct tt_line_reader *r)
{
    for (;;) {
        draw(r);
        int key = read_byte(r, -1);
        if (key == '\r' || key == '\n') {
            return true;
        }
        if (key < 0 || key == CONTROL('c') || (key == CONTROL('d') && r->length == 0)) {
            return false;
        }
        handle(r, key == '\033' ? read_escape(r) : key);
    }
}

bool tt_line_reader_read(struct tt_line_reader *r)
{
    r->length = r->caret = 0;
    r->line[0] = '\0';
    r->history_at = r->history.count;
    if (!tt_key_mode_begin(r->in, TT_KEY_MODE_PROMPT)) {
        return false;
    }
    bool more = read_line(r);
    tt_key_mode_end();
    put_text(r, "\n");
    return more && tt_history_type(&r->history, r->line);
}

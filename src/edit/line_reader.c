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

void tt_line_reader_free(struct tt_line_reader *reader)
{
    tt_history_free(&reader->history);
}

/* ---- output ------------------------------------------------------------------------------- */

static void line_reader_put(const struct tt_line_reader *reader, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t written = write(reader->out, bytes, length);
        if (written < 0 && errno != EINTR) {
            return;
        }
        bytes += written > 0 ? written : 0;
        length -= written > 0 ? (size_t)written : 0;
    }
}

static void line_reader_put_text(const struct tt_line_reader *reader, const char *text)
{
    line_reader_put(reader, text, strlen(text));
}

/* ---- words -------------------------------------------------------------------------------- */

void tt_line_words_add(struct tt_line_words *words, const char *word)
{
    size_t at = 0;
    while (at < words->count && strcmp(words->words[at], word) < 0) {
        at++;
    }
    if (at < words->count && strcmp(words->words[at], word) == 0) {
        return;
    }
    char **room = tt_array_grow(words->words, words->count, &words->capacity, sizeof *room);
    char *copy = room ? strdup(word) : NULL;
    words->words = room ? room : words->words;
    if (!copy) {
        words->no_memory = true;
        return;
    }
    memmove(words->words + at + 1, words->words + at, (words->count - at) * sizeof *words->words);
    words->words[at] = copy;
    words->count++;
}

/* Replaces the bytes from `from` to the caret; bytes that do not fit are ignored. */
static void line_reader_insert(struct tt_line_reader *reader, size_t from, const char *bytes,
                               size_t length)
{
    if (tt_line_text_replace(reader->line, sizeof reader->line, &reader->length, from,
                             reader->caret, bytes, length)) {
        reader->caret = from + length;
    }
}

static void line_reader_erase(struct tt_line_reader *reader, size_t from, size_t to)
{
    tt_line_text_replace(reader->line, sizeof reader->line, &reader->length, from, to, "", 0);
    reader->caret = from;
}

/* Returns the number of bytes that all words begin with. */
static size_t common_length(const struct tt_line_words *words)
{
    size_t length = strlen(words->words[0]);
    for (size_t i = 1; i < words->count; i++) {
        size_t same = 0;
        while (same < length && words->words[i][same] == words->words[0][same]) {
            same++;
        }
        length = same;
    }
    return length;
}

/* Completes the word at the caret as far as all words agree; lists them if that adds nothing. */
static void line_reader_complete(struct tt_line_reader *reader)
{
    struct tt_line_words w = {.from = reader->caret};
    reader->complete(reader->arg, reader->line, reader->caret, &w);
    size_t typed = reader->caret - w.from;
    size_t common = w.count > 0 ? common_length(&w) : 0;
    if (w.count == 1 || common > typed) {
        line_reader_insert(reader, w.from, w.words[0], common);
        if (w.count == 1) {
            line_reader_insert(reader, reader->caret, " ", 1);
        }
    } else if (w.count > 0) {
        size_t widest = 0, shown = w.count < WORDS_MOST ? w.count : WORDS_MOST, x = 0;
        for (size_t i = 0; i < shown; i++) {
            size_t columns = tt_text_columns(w.words[i], strlen(w.words[i]));
            widest = columns > widest ? columns : widest;
        }
        line_reader_put_text(reader, "\r\n");
        for (size_t i = 0; i < shown; i++) {
            if (x + widest > WIDTH && x > 0) {
                line_reader_put_text(reader, "\r\n");
                x = 0;
            }
            line_reader_put_text(reader, w.words[i]);
            for (size_t n = tt_text_columns(w.words[i], strlen(w.words[i])); n < widest + 2; n++) {
                line_reader_put_text(reader, " ");
            }
            x += widest + 2;
        }
        line_reader_put_text(reader, shown < w.count ? "...\r\n" : "\r\n");
    }

    for (size_t i = 0; i < w.count; i++) {
        free(w.words[i]);
    }
    free(w.words);
}

/* ---- keys --------------------------------------------------------------------------------- */

/* Reads a byte; -1: the input has ended, -2: none within the time. */
static int read_byte(const struct tt_line_reader *reader, int timeout_ms)
{
    struct pollfd ready = {.fd = reader->in, .events = POLLIN};
    unsigned char byte;
    ssize_t got;
    if (timeout_ms >= 0 && poll(&ready, 1, timeout_ms) <= 0) {
        return -2;
    }
    do {
        got = read(reader->in, &byte, 1);
    } while (got < 0 && errno == EINTR);
    return got == 1 ? byte : -1;
}

/* Reads the rest of a key that is a number, as PuTTY (1, 4) and rxvt (7, 8) send Home and End. */
static int read_numbered_key(const struct tt_line_reader *reader, int first)
{
    int byte = first, length = 0;
    for (; byte >= '0' && byte <= ';'; length++) {
        byte = read_byte(reader, ESCAPE_MS);
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
static int line_reader_read_escape(const struct tt_line_reader *reader)
{
    int byte = read_byte(reader, ESCAPE_MS);
    if (byte != '[' && byte != 'O') {
        return KEY_NONE;
    }
    byte = read_byte(reader, ESCAPE_MS);
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
        return read_numbered_key(reader, byte);
    }
}

/* Shows a line that was entered before. */
static void line_reader_recall(struct tt_line_reader *reader, bool back)
{
    unsigned count = reader->history.count;
    if (back ? reader->history_at == 0 : reader->history_at >= count) {
        return;
    }
    reader->history_at = back ? reader->history_at - 1 : reader->history_at + 1;
    const char *line = reader->history_at < count ? reader->history.lines[reader->history_at] : "";
    line_reader_erase(reader, 0, reader->length);
    line_reader_insert(reader, 0, line, strlen(line));
}

static void line_reader_handle(struct tt_line_reader *reader, int key)
{
    char byte = (char)key;
    switch (key) {
    case KEY_LEFT:
    case CONTROL('b'):
        reader->caret = tt_line_text_before(reader->line, reader->caret);
        break;
    case KEY_RIGHT:
    case CONTROL('f'):
        reader->caret = tt_line_text_after(reader->line, reader->length, reader->caret);
        break;
    case KEY_HOME:
    case CONTROL('a'):
        reader->caret = 0;
        break;
    case KEY_END:
    case CONTROL('e'):
        reader->caret = reader->length;
        break;
    case KEY_UP:
    case CONTROL('p'):
    case KEY_DOWN:
    case CONTROL('n'):
        line_reader_recall(reader, key == KEY_UP || key == CONTROL('p'));
        break;
    case 0x7f:
    case CONTROL('h'):
        line_reader_erase(reader, tt_line_text_before(reader->line, reader->caret), reader->caret);
        break;
    case KEY_DELETE:
    case CONTROL('d'):
        line_reader_erase(reader, reader->caret,
                          tt_line_text_after(reader->line, reader->length, reader->caret));
        break;
    case CONTROL('u'):
        line_reader_erase(reader, 0, reader->caret);
        break;
    case CONTROL('k'):
        line_reader_erase(reader, reader->caret, reader->length);
        break;
    case CONTROL('w'):
        line_reader_erase(reader, tt_line_text_word_before(reader->line, reader->caret),
                          reader->caret);
        break;
    case '\t':
        line_reader_complete(reader);
        break;
    default:
        if (key >= ' ' && key < KEY_NONE) {
            line_reader_insert(reader, reader->caret, &byte, 1);
        }
    }
}

static bool line_reader_read_line(struct tt_line_reader *reader)
{
    for (;;) {
        /* Draws the line, and moves the cursor to the caret. */
        size_t behind =
            tt_text_columns(reader->line + reader->caret, reader->length - reader->caret);
        line_reader_put_text(reader, "\r");
        line_reader_put_text(reader, reader->prompt);
        line_reader_put(reader, reader->line, reader->length);
        line_reader_put_text(reader, "\033[K");
        for (size_t i = 0; i < behind; i++) {
            line_reader_put_text(reader, "\b");
        }

        int key = read_byte(reader, -1);
        if (key == '\r' || key == '\n') {
            return true;
        }
        if (key < 0 || key == CONTROL('c') || (key == CONTROL('d') && reader->length == 0)) {
            return false;
        }
        line_reader_handle(reader, key == '\033' ? line_reader_read_escape(reader) : key);
    }
}

bool tt_line_reader_read(struct tt_line_reader *reader)
{
    reader->length = reader->caret = 0;
    reader->line[0] = '\0';
    reader->history_at = reader->history.count;
    if (!tt_key_mode_begin(reader->in, TT_KEY_MODE_PROMPT)) {
        return false;
    }
    bool more = line_reader_read_line(reader);
    tt_key_mode_end();
    line_reader_put_text(reader, "\n");
    return more && tt_history_type(&reader->history, reader->line);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * line_reader: reads a line from the terminal, with editing, Tab completion and a history. Emacs
 * keys: ^A ^E ^B ^F ^U ^K ^W, arrows, Backspace; Enter ends the line, ^D on an empty one the input.
 *
 * The terminal is raw only within tt_line_reader_read. One thread.
 */
#ifndef TT_EDIT_LINE_READER_H
#define TT_EDIT_LINE_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "edit/history.h"

#define TT_LINE_READER_BYTES 4096u

/* Words that may replace the text from `from` to the caret. */
struct tt_line_words {
    char **words; /* sorted, each once */
    size_t count, capacity;
    size_t from;
    bool no_memory;
};

struct tt_line_reader {
    int in, out; /* terminals */
    const char *prompt;
    void (*complete)(void *arg, const char *line, size_t caret, struct tt_line_words *words);
    void *arg;
    struct tt_history history; /* lines entered before, which Up recalls */
    /* Used by the functions below; initially 0. */
    char line[TT_LINE_READER_BYTES];
    size_t length, caret;
    unsigned history_at; /* index of the shown line; the count: a new one */
};

/* Returns whether standard input and output are terminals. */
bool tt_line_reader_is_possible(void);
/* Reads a line into reader->line; false: the input has ended. */
bool tt_line_reader_read(struct tt_line_reader *reader);
/* Frees the history. */
void tt_line_reader_free(struct tt_line_reader *reader);
/* Adds a copy of a word. */
void tt_line_words_add(struct tt_line_words *words, const char *word);

#endif

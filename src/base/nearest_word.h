/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nearest_word: finds the known word that was probably meant by a misspelled one. Compares ASCII
 * without regard to case. Any thread.
 */
#ifndef TT_BASE_NEAREST_WORD_H
#define TT_BASE_NEAREST_WORD_H

#include <stddef.h>

#define TT_NEAREST_BYTES 32u /* longer words have no nearest word */

struct tt_nearest_word {
    const char *word; /* the misspelled word, not NUL-terminated */
    size_t length;
    unsigned changes;    /* a nearer word has fewer changes than this */
    const char *nearest; /* NULL: none so far */
};

/* Returns a search that accepts at most one change in a short word, and two in a longer one. */
struct tt_nearest_word tt_nearest_word_of(const char *word, size_t length);
/*
 * Compares one known word: a change is a letter that is added, missing or different, or two
 * exchanged neighbours.
 */
void tt_nearest_word_try(struct tt_nearest_word *search, const char *known);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "base/nearest_word.h"

#include <string.h>

static char nearest_word_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Returns the number of changes between two words. */
static unsigned changes_between(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned rows[3][TT_NEAREST_BYTES + 1] = {{0}};
    for (size_t j = 0; j <= b_length; j++) {
        rows[0][j] = (unsigned)j;
    }
    for (size_t i = 1; i <= a_length; i++) {
        unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b_length; j++) {
            unsigned best =
                above[j - 1] + (nearest_word_lower(a[i - 1]) != nearest_word_lower(b[j - 1]));
            best = above[j] + 1 < best ? above[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            if (i > 1 && j > 1 && nearest_word_lower(a[i - 1]) == nearest_word_lower(b[j - 2]) &&
                nearest_word_lower(a[i - 2]) == nearest_word_lower(b[j - 1]) &&
                above2[j - 2] + 1 < best) {
                best = above2[j - 2] + 1;
            }
            row[j] = best;
        }
    }
    return rows[a_length % 3][b_length];
}

struct tt_nearest_word tt_nearest_word_of(const char *word, size_t length)
{
    return (struct tt_nearest_word){word, length, length > 4 ? 3 : 2, NULL};
}

void tt_nearest_word_try(struct tt_nearest_word *search, const char *known)
{
    size_t length = strlen(known);
    if (length > TT_NEAREST_BYTES || search->length > TT_NEAREST_BYTES) {
        return;
    }
    unsigned changes = changes_between(search->word, search->length, known, length);
    if (changes < search->changes) {
        search->nearest = known;
        search->changes = changes;
    }
}

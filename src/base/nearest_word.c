/* SPDX-License-Identifier: Apache-2.0 */
#include "base/nearest_word.h"

#include <string.h>

static char nearest_word_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
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

    /* The number of changes between two words. */
    const char *a = search->word;
    size_t a_length = search->length;
    unsigned rows[3][TT_NEAREST_BYTES + 1] = {{0}};
    for (size_t j = 0; j <= length; j++) {
        rows[0][j] = (unsigned)j;
    }
    for (size_t i = 1; i <= a_length; i++) {
        unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= length; j++) {
            unsigned best =
                above[j - 1] + (nearest_word_lower(a[i - 1]) != nearest_word_lower(known[j - 1]));
            best = above[j] + 1 < best ? above[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            if (i > 1 && j > 1 &&
                nearest_word_lower(a[i - 1]) == nearest_word_lower(known[j - 2]) &&
                nearest_word_lower(a[i - 2]) == nearest_word_lower(known[j - 1]) &&
                above2[j - 2] + 1 < best) {
                best = above2[j - 2] + 1;
            }
            row[j] = best;
        }
    }
    unsigned changes = rows[a_length % 3][length];

    if (changes < search->changes) {
        search->nearest = known;
        search->changes = changes;
    }
}

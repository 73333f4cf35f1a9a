/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/input/contains.h"

#include <ctype.h>
#include <string.h>

bool tt_text_contains(const char *text, const char *found)
{
    size_t length = strlen(found);
    for (;; text++) {
        size_t i = 0;
        while (i < length && tolower((unsigned char)text[i]) == tolower((unsigned char)found[i])) {
            i++;
        }
        if (i == length) {
            return true;
        }
        if (!*text) {
            return false;
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "base/digits.h"

#include <string.h>

size_t tt_digits_read(const char *text, size_t length, unsigned base, uint64_t *value)
{
    size_t count = 0;
    *value = 0;
    for (; count < length; count++) {
        char c = text[count];
        unsigned digit = 16;
        if (c >= '0' && c <= '9') {
            digit = (unsigned)(c - '0');
        } else if (c >= 'a' && c <= 'f') {
            digit = (unsigned)(c - 'a') + 10;
        } else if (c >= 'A' && c <= 'F') {
            digit = (unsigned)(c - 'A') + 10;
        }
        if (digit >= base) {
            break;
        }
        if (*value > (UINT64_MAX - digit) / base) {
            return 0;
        }
        *value = *value * base + digit;
    }
    return count;
}

bool tt_digits_pass(const char **text, uint64_t *value)
{
    size_t count = tt_digits_read(*text, strlen(*text), 10, value);
    *text += count;
    return count > 0;
}

bool tt_digits_parse(const char *text, size_t length, uint64_t *value)
{
    bool hex = length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    size_t skip = hex ? 2 : 0;
    *value = 0;
    return length > skip &&
           tt_digits_read(text + skip, length - skip, hex ? 16 : 10, value) == length - skip;
}

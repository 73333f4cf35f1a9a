/* SPDX-License-Identifier: Apache-2.0 */
/*
 * digits: whole numbers without a sign, as users and files of text write them: 12, 0x4f. A number that 64 bits cannot
 * hold is none. Pure functions; any thread.
 */
#ifndef TRACETUI_BASE_DIGITS_H
#define TRACETUI_BASE_DIGITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads the digits at the start of a text, of base 10 or 16. Returns how many there are; 0: none, or the number is too
 * large.
 */
size_t tt_digits_read(const char *text, size_t length, unsigned base, uint64_t *value);

/* Reads decimal digits at *text and moves *text after them; false if there is no number. */
bool tt_digits_pass(const char **text, uint64_t *value);

/* Returns whether the whole text is a number, decimal, or hexadecimal after 0x. */
bool tt_digits_parse(const char *text, size_t length, uint64_t *value);

#endif

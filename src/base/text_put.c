/* SPDX-License-Identifier: Apache-2.0 */
/* text_put: appends several values in one call. */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <string.h>

#include "base/text_columns.h"
#include "tracetui/text.h"

/* A conversion such as %-8s, %'zu or %02u. */
struct conversion {
    bool left, zeros, groups;
    unsigned width;
    int precision; /* -1: none */
    char size;     /* 'j', 'l' or 'z'; 0: an int */
    char letter;
};

/* Reads the part of a format after the '%'; returns the rest. */
static const char *read_conversion(const char *format, struct conversion *of, va_list *arguments)
{
    *of = (struct conversion){.precision = -1};
    for (; *format == '-' || *format == '0' || *format == '\''; format++) {
        of->left |= *format == '-';
        of->zeros |= *format == '0';
        of->groups |= *format == '\'';
    }
    if (*format == '*') {
        const int width = va_arg(*arguments, int);
        of->width = width > 0 ? (unsigned)width : 0;
        format++;
    }
    for (; *format >= '0' && *format <= '9'; format++) {
        of->width = of->width * 10 + (unsigned)(*format - '0');
    }
    if (format[0] == '.' && format[1] == '*') {
        of->precision = va_arg(*arguments, int);
        format += 2;
    }
    for (; *format == 'j' || *format == 'l' || *format == 'z'; format++) {
        of->size = *format;
    }
    of->letter = *format;
    return *format ? format + 1 : format;
}

static uint64_t read_unsigned(char size, va_list *arguments)
{
    return size == 'j'   ? va_arg(*arguments, uintmax_t)
           : size == 'z' ? va_arg(*arguments, size_t)
           : size == 'l' ? va_arg(*arguments, unsigned long)
                         : va_arg(*arguments, unsigned);
}

void tt_text_put_list(struct tt_text *text, const char *format, va_list list)
{
    va_list arguments;
    va_copy(arguments, list);
    while (*format) {
        const char *percent = strchr(format, '%');
        if (!percent) {
            tt_text_str(text, format);
            break;
        }
        tt_text_bytes(text, format, (size_t)(percent - format));
        struct conversion of;
        format = read_conversion(percent + 1, &of, &arguments);
        const size_t start = text->used;
        if (of.letter == 's') {
            const char *value = va_arg(arguments, const char *);
            const size_t most = of.precision < 0 ? SIZE_MAX : (size_t)of.precision;
            tt_text_printable(text, value, strnlen(value, most));
        } else if (of.letter == 'c') {
            tt_text_char(text, (char)va_arg(arguments, int));
        } else if (of.letter == 'd') {
            tt_text_i64(text, of.size == 'j'   ? va_arg(arguments, intmax_t)
                              : of.size == 'l' ? va_arg(arguments, long)
                                               : va_arg(arguments, int));
        } else if (of.letter == 'x') {
            tt_text_hex(text, read_unsigned(of.size, &arguments), 1);
        } else if (of.letter == 'u' && of.groups) {
            tt_text_grouped(text, read_unsigned(of.size, &arguments));
        } else if (of.letter == 'u') {
            tt_text_u64(text, read_unsigned(of.size, &arguments));
        } else {
            tt_text_char(text, of.letter);
        }

        /* Adds blanks, or zeros, to a value that has fewer columns than the width. */
        const size_t used = text->used - start;
        const size_t columns = of.width > 0 ? tt_text_columns(text->buffer + start, used) : 0;
        const size_t blanks = of.width > columns ? of.width - columns : 0;
        tt_text_fill(text, ' ', blanks);
        if (!of.left && blanks > 0 && text->used == start + used + blanks) {
            memmove(text->buffer + start + blanks, text->buffer + start, used);
            memset(text->buffer + start, of.zeros ? '0' : ' ', blanks);
        }
    }
    va_end(arguments);
}

void tt_text_put(struct tt_text *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    tt_text_put_list(text, format, list);
    va_end(list);
}

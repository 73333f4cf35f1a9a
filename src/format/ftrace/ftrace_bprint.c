/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ftrace_bprint: texts of trace_printk, which the kernel stores as the address of a format and its arguments
 * (vbin_printf in lib/vsprintf.c): integers at multiples of 4 bytes, texts with a NUL. The file has the formats as
 * lines `0xADDRESS : "FORMAT"`. Each number is printed as its conversion says, without width and precision.
 */
#include <stdlib.h>
#include <string.h>

#include "format/ftrace/ftrace_internal.h"
#include "tracetui/text.h"

#define TEXT_MOST 512u

/* Finds the format at an address; returns its text without quotes, NULL if the file does not have it. */
static const char *ftrace_bprint_find_format(const struct ftrace *ftrace, uint64_t address,
                                             size_t *length)
{
    const char *at = (const char *)ftrace->printk.data, *end = at ? at + ftrace->printk.size : at;
    while (at && at < end) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        line_end = line_end ? line_end : end;
        const char *quote = memchr(at, '"', (size_t)(line_end - at));
        if (quote && line_end - quote >= 2 && strtoull(at, NULL, 16) == address) {
            *length = (size_t)(line_end - quote - 1);
            *length -= quote[*length] == '"';
            return quote + 1;
        }
        at = line_end + 1;
    }
    return NULL;
}

/* Returns the next integer of the arguments; 0 if they end. */
static uint64_t next_number(struct tt_reader *reader, unsigned size)
{
    tt_read_seek(reader, (reader->pos + 3) & ~UINT64_C(3));
    return size == 8 ? tt_read_u64(reader) : tt_read_u32(reader);
}

/* A conversion: its letter, and the bytes of its integer. */
struct conversion {
    char letter;
    unsigned size;
    bool is_text; /* a pointer that the kernel has rendered */
};

/* Reads a conversion after its '%', with widths from the arguments; returns what follows it. */
static const char *read_conversion(const struct ftrace *ftrace, const char *at, const char *end,
                                   struct tt_reader *reader, struct conversion *conversion)
{
    unsigned longs = 0;
    bool word = false;
    for (; at < end && strchr("-+ #0123456789.*hlLqjzt", *at); at++) {
        longs += *at == 'l' ? 1 : *at == 'L' || *at == 'q' || *at == 'j' ? 2 : 0;
        word |= *at == 'z' || *at == 't';
        if (*at == '*') {
            next_number(reader, 4);
        }
    }
    conversion->letter = at < end ? *at++ : '\0';
    conversion->size = longs >= 2                                        ? 8
                       : longs == 1 || word || conversion->letter == 'p' ? ftrace->kernel_long
                                                                         : 4;
    conversion->is_text = conversion->letter == 's';
    if (conversion->letter == 'p' && at < end &&
        ((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9'))) {
        conversion->is_text = strchr("sSxKe", *at) == NULL;
        at++;
    }
    return at;
}

static void ftrace_bprint_put_argument(struct tt_text *text, const struct conversion *conversion,
                                       struct tt_reader *reader)
{
    if (conversion->is_text) {
        /* Appends the next text of the arguments. */
        struct tt_bytes left = tt_bytes_slice(reader->bytes, reader->pos, tt_read_left(reader));
        const uint8_t *end = left.size ? memchr(left.data, 0, (size_t)left.size) : NULL;
        size_t length = end ? (size_t)(end - left.data) : (size_t)left.size;
        tt_text_bytes(text, (const char *)left.data, length);
        tt_read_span(reader, length + (end != NULL));

        return;
    }
    uint64_t value = next_number(reader, conversion->size);
    switch (conversion->letter) {
    case 'd':
    case 'i':
        tt_text_i64(text, (int64_t)ftrace_extend(value, conversion->size));
        break;
    case 'c':
        tt_text_char(text, (char)value);
        break;
    case 'x':
    case 'X':
        tt_text_hex(text, value, 1);
        break;
    case 'p':
        tt_text_str(text, "0x");
        tt_text_hex(text, value, 1);
        break;
    default:
        tt_text_u64(text, value);
        break;
    }
}

bool ftrace_bprint_text(const struct ftrace *ftrace, uint64_t address, struct tt_bytes arguments,
                        struct tt_args *args)
{
    size_t length;
    const char *at = ftrace_bprint_find_format(ftrace, address, &length),
               *end = at ? at + length : NULL;
    char *room = at ? tt_args_scratch(args, TEXT_MOST) : NULL;
    struct tt_arg *arg = room ? tt_args_add(args, "text") : NULL;
    if (!arg) {
        return false;
    }
    struct tt_text text = tt_text_of(room, TEXT_MOST);
    struct tt_reader r = tt_reader_of(arguments, ftrace->big);
    while (at < end && !text.truncated) {
        struct conversion c;
        if (*at == '\\' && at + 1 < end) {
            tt_text_char(&text, at[1] == 'n' ? '\n' : at[1] == 't' ? '\t' : at[1]);
            at += 2;
        } else if (*at == '%' && at + 1 < end && at[1] == '%') {
            tt_text_char(&text, '%');
            at += 2;
        } else if (*at == '%') {
            at = read_conversion(ftrace, at + 1, end, &r, &c);
            ftrace_bprint_put_argument(&text, &c, &r);
        } else {
            tt_text_char(&text, *at++);
        }
    }
    arg->type = TT_ARG_STRING;
    arg->value.s = (struct tt_arg_span){room, (uint32_t)text.used};
    return true;
}

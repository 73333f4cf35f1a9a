/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ftrace_symbols: names of kernel addresses, from the lines "ADDRESS TYPE NAME [MODULE]" of kallsyms. They are
 * sorted when a name is first needed; the thread that is first publishes the table, the others free theirs.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "format/ftrace/ftrace_internal.h"

struct symbol {
    uint64_t address;
    uint32_t name; /* offset in `texts` */
};

struct ftrace_symbols {
    struct symbol *all;
    size_t count, capacity;
    char *texts;
};

static int compare_symbols(const void *a, const void *b)
{
    const struct symbol *left = a, *right = b;
    return left->address != right->address
               ? (left->address < right->address ? -1 : 1)
               : (left->name > right->name) - (left->name < right->name);
}

static void free_symbols(struct ftrace_symbols *symbols)
{
    if (symbols) {
        free(symbols->all);
        free(symbols->texts);
        free(symbols);
    }
}

/* Adds the symbol of a line, whose end is replaced by the end of its name. */
static bool ftrace_symbols_add_line(struct ftrace_symbols *symbols, char *line, char *end)
{
    char *after;
    uint64_t address = strtoull(line, &after, 16);
    if (end - after < 4 || after[0] != ' ' || after[2] != ' ' || address == 0) {
        return true;
    }
    char *name = after + 3, *stop = name;
    while (stop < end && *stop != '\t' && *stop != ' ') {
        stop++;
    }
    *stop = '\0';
    struct symbol *all =
        tt_array_grow(symbols->all, symbols->count, &symbols->capacity, sizeof *all);
    if (all) {
        symbols->all = all;
        all[symbols->count++] = (struct symbol){address, (uint32_t)(name - symbols->texts)};
    }
    return all != NULL;
}

/* Copies the text of kallsyms; NULL if it is not readable. */
static char *copy_text(const struct ftrace *ftrace, uint64_t limit, size_t *size)
{
    struct tt_bytes section = tt_bytes_slice(tt_bytes_slice(ftrace->capture->bytes, 0, limit),
                                             ftrace->kallsyms, ftrace->kallsyms_size);
    struct tt_reader r = tt_reader_of(section, ftrace->big);
    uint8_t *whole = NULL;
    if (ftrace->kallsyms_packed) {
        uint32_t packed = tt_read_u32(&r), length = tt_read_u32(&r);
        const uint8_t *from = tt_read_span(&r, packed);
        whole = from && length <= (UINT32_C(1) << 28) ? malloc((size_t)length + 1) : NULL;
        if (!whole || !ftrace_unpack(ftrace, tt_bytes_of(from, packed), whole, length)) {
            free(whole);
            return NULL;
        }
        r = tt_reader_of(tt_bytes_of(whole, length), ftrace->big);
    }
    *size = (size_t)r.bytes.size;
    size_t skip = 0;
    if (ftrace->version == 7) {
        *size = tt_read_u32(&r);
        skip = (size_t)r.pos;
        *size = *size < tt_read_left(&r) ? *size : (size_t)tt_read_left(&r);
    }
    char *text = malloc(*size + 1);
    if (text) {
        memcpy(text, r.bytes.data + skip, *size);
        text[*size] = '\0';
    }
    free(whole);
    return text;
}

static struct ftrace_symbols *read_symbols(const struct ftrace *ftrace, uint64_t limit)
{
    struct ftrace_symbols *symbols = calloc(1, sizeof *symbols);
    size_t size = 0;
    if (!symbols) {
        return NULL;
    }
    symbols->texts = copy_text(ftrace, limit, &size);
    char *at = symbols->texts, *end = at ? at + size : at;
    bool good = true;
    while (good && at < end) {
        char *line_end = memchr(at, '\n', (size_t)(end - at));
        line_end = line_end ? line_end : end;
        good = ftrace_symbols_add_line(symbols, at, line_end);
        at = line_end + 1;
    }
    if (symbols->count > 0) {
        qsort(symbols->all, symbols->count, sizeof *symbols->all, compare_symbols);
    }
    return symbols;
}

const char *ftrace_symbol(const struct ftrace *ftrace, uint64_t address, uint64_t limit,
                          uint64_t *distance)
{
    _Atomic(struct ftrace_symbols *) *place =
        (_Atomic(struct ftrace_symbols *) *)(uintptr_t)&ftrace->symbols;
    struct ftrace_symbols *symbols = atomic_load_explicit(place, memory_order_acquire);
    if (!symbols) {
        struct ftrace_symbols *made = read_symbols(ftrace, limit);
        if (!made || atomic_compare_exchange_strong(place, &symbols, made)) {
            symbols = made;
        } else {
            free_symbols(made);
        }
    }
    size_t count =
        symbols ? ftrace_count_to(symbols->all, symbols->count, sizeof *symbols->all, address) : 0;
    if (count == 0) {
        return NULL;
    }
    *distance = address - symbols->all[count - 1].address;
    return *distance < UINT64_C(0x1000000) ? symbols->texts + symbols->all[count - 1].name : NULL;
}

void ftrace_symbols_free(struct ftrace *ftrace)
{
    free_symbols(atomic_load_explicit(&ftrace->symbols, memory_order_relaxed));
}

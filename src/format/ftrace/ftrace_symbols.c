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
    const struct symbol *x = a, *y = b;
    return x->address != y->address ? (x->address < y->address ? -1 : 1)
                                    : (x->name > y->name) - (x->name < y->name);
}

static void free_symbols(struct ftrace_symbols *s)
{
    if (s) {
        free(s->all);
        free(s->texts);
        free(s);
    }
}

/* Adds the symbol of a line, whose end is replaced by the end of its name. */
static bool add_line(struct ftrace_symbols *s, char *line, char *end)
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
    struct symbol *all = tt_array_grow(s->all, s->count, &s->capacity, sizeof *all);
    if (all) {
        s->all = all;
        all[s->count++] = (struct symbol){address, (uint32_t)(name - s->texts)};
    }
    return all != NULL;
}

/* Copies the text of kallsyms; NULL if it is not readable. */
static char *copy_text(const struct ftrace *d, uint64_t limit, size_t *size)
{
    struct tt_bytes section =
        tt_bytes_slice(tt_bytes_slice(d->capture->bytes, 0, limit), d->kallsyms, d->kallsyms_size);
    struct tt_reader r = tt_reader_of(section, d->big);
    uint8_t *whole = NULL;
    if (d->kallsyms_packed) {
        uint32_t packed = tt_read_u32(&r), length = tt_read_u32(&r);
        const uint8_t *from = tt_read_span(&r, packed);
        whole = from && length <= (UINT32_C(1) << 28) ? malloc((size_t)length + 1) : NULL;
        if (!whole || !ftrace_unpack(d, tt_bytes_of(from, packed), whole, length)) {
            free(whole);
            return NULL;
        }
        r = tt_reader_of(tt_bytes_of(whole, length), d->big);
    }
    *size = (size_t)r.bytes.size;
    size_t skip = 0;
    if (d->version == 7) {
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

static struct ftrace_symbols *read_symbols(const struct ftrace *d, uint64_t limit)
{
    struct ftrace_symbols *s = calloc(1, sizeof *s);
    size_t size = 0;
    if (!s) {
        return NULL;
    }
    s->texts = copy_text(d, limit, &size);
    char *at = s->texts, *end = at ? at + size : at;
    bool good = true;
    while (good && at < end) {
        char *line_end = memchr(at, '\n', (size_t)(end - at));
        line_end = line_end ? line_end : end;
        good = add_line(s, at, line_end);
        at = line_end + 1;
    }
    if (s->count > 0) {
        qsort(s->all, s->count, sizeof *s->all, compare_symbols);
    }
    return s;
}

const char *ftrace_symbol(const struct ftrace *d, uint64_t address, uint64_t limit,
                          uint64_t *distance)
{
    _Atomic(struct ftrace_symbols *) *place =
        (_Atomic(struct ftrace_symbols *) *)(uintptr_t)&d->symbols;
    struct ftrace_symbols *s = atomic_load_explicit(place, memory_order_acquire);
    if (!s) {
        struct ftrace_symbols *made = read_symbols(d, limit);
        if (!made || atomic_compare_exchange_strong(place, &s, made)) {
            s = made;
        } else {
            free_symbols(made);
        }
    }
    size_t count = s ? ftrace_count_to(s->all, s->count, sizeof *s->all, address) : 0;
    if (count == 0) {
        return NULL;
    }
    *distance = address - s->all[count - 1].address;
    return *distance < UINT64_C(0x1000000) ? s->texts + s->all[count - 1].name : NULL;
}

void ftrace_symbols_free(struct ftrace *d)
{
    free_symbols(atomic_load_explicit(&d->symbols, memory_order_relaxed));
}

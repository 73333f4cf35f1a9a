/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols of ELF files of both classes and byte orders, and of files that are cut or damaged. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/symbols.h"

#define BYTES 1024u

struct image {
    uint8_t bytes[BYTES];
    size_t size;
    bool wide;
    bool big;
    bool arm;
    uint8_t table_type; /* of the section with the symbols */
};

static void put(struct image *m, uint64_t value, unsigned width)
{
    for (unsigned i = 0; i < width; i++) {
        unsigned shift = 8 * (m->big ? width - 1 - i : i);
        m->bytes[m->size++] = (uint8_t)(value >> shift);
    }
}

static void put_word(struct image *m, uint64_t value)
{
    put(m, value, m->wide ? 8 : 4);
}

static void put_section(struct image *m, unsigned type, unsigned flags, uint64_t address,
                        uint64_t offset, uint64_t size, unsigned link)
{
    put(m, 0, 4);
    put(m, type, 4);
    put_word(m, flags);
    put_word(m, address);
    put_word(m, offset);
    put_word(m, size);
    put(m, link, 4);
    put(m, 0, 4);
    put_word(m, 1);
    put_word(m, 0);
}

static void put_symbol(struct image *m, unsigned name, uint64_t address, uint64_t size,
                       unsigned info, unsigned section)
{
    put(m, name, 4);
    if (m->wide) {
        put(m, info, 1);
        put(m, 0, 1);
        put(m, section, 2);
        put(m, address, 8);
        put(m, size, 8);
    } else {
        put(m, address, 4);
        put(m, size, 4);
        put(m, info, 1);
        put(m, 0, 1);
        put(m, section, 2);
    }
}

static const char names[] =
    "\0main\0alias\0table\0start\0$t\0outside\0weak"; /* offsets: 1 6 12 18 */

#define SYMBOLS 9u

/*
 * A program at 0x1000: header, one segment, names, symbols, four sections: none, code of 0x200
 * bytes, symbols, names.
 */
static void build(struct image *m)
{
    size_t head = m->wide ? 64 : 52, segment = m->wide ? 56 : 32, each = m->wide ? 24 : 16;
    size_t texts = head + segment, table = texts + sizeof names, sections = table + SYMBOLS * each;
    memset(m->bytes, 0, sizeof m->bytes);
    memcpy(m->bytes, "\177ELF", 4);
    m->bytes[4] = m->wide ? 2 : 1;
    m->bytes[5] = m->big ? 2 : 1;
    m->size = 16;
    put(m, 2, 2);
    put(m, m->arm ? 40 : 62, 2);
    put(m, 1, 4);
    put_word(m, 0x1000);
    put_word(m, head);
    put_word(m, sections);
    put(m, 0, 4);
    put(m, head, 2);
    put(m, segment, 2);
    put(m, 1, 2);
    put(m, m->wide ? 64 : 40, 2);
    put(m, 4, 2);
    put(m, 3, 2);
    cr_assert_eq(m->size, head);
    put(m, 1, 4);
    if (m->wide) {
        put(m, 5, 4);
    }
    put_word(m, 0);
    put_word(m, 0x1000);
    m->size = texts;
    memcpy(m->bytes + texts, names, sizeof names);
    m->size = table;
    put_symbol(m, 0, 0, 0, 0, 0);
    put_symbol(m, 6, 0x1000, 0x20, 0x02, 1);  /* alias, local */
    put_symbol(m, 1, 0x1000, 0x20, 0x12, 1);  /* main, global */
    put_symbol(m, 35, 0x1000, 0x20, 0x22, 1); /* weak */
    put_symbol(m, 18, 0x1040, 0, 0x10, 1);    /* start, a label without a size */
    put_symbol(m, 24, 0x1060, 0, 0x00, 1);    /* $t, a mark of the assembler */
    put_symbol(m, 12, 0x1081, 0x10, 0x11, 1); /* table, data */
    put_symbol(m, 27, 0x9999, 0, 0x10, 1);    /* outside of its section */
    put_symbol(m, 1, 0x5000, 0x10, 0x12, 0);  /* undefined */
    cr_assert_eq(m->size, sections);
    put_section(m, 0, 0, 0, 0, 0, 0);
    put_section(m, 1, 6, 0x1000, 0, 0x200, 0);
    put_section(m, m->table_type, 0, 0, table, SYMBOLS * each, 3);
    put_section(m, 3, 0, 0, texts, sizeof names, 0);
}

/* Reads the first `size` bytes of an image as a file. */
static struct tt_status read_part(const struct image *m, size_t size, const uint64_t *load,
                                  struct tt_symbols **symbols)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/tracetui-elf.%ld", (long)getpid());
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    cr_assert_geq(fd, 0);
    cr_assert_eq(write(fd, m->bytes, size), (ssize_t)size);
    close(fd);
    struct tt_status status = tt_symbols_read(path, load, symbols);
    unlink(path);
    return status;
}

static void expect(const struct tt_symbols *symbols, uint64_t address, const char *name,
                   uint64_t offset)
{
    struct tt_symbol found;
    bool there = tt_symbols_find(symbols, address, &found);
    cr_assert_eq(there, name != NULL, "%llx", (unsigned long long)address);
    if (name) {
        cr_assert_eq(found.length, strlen(name));
        cr_assert(memcmp(found.name, name, found.length) == 0, "%.*s", (int)found.length,
                  found.name);
        cr_assert_eq(found.offset, offset);
    }
}

Test(elf_symbols, both_classes_and_byte_orders_have_the_same_names)
{
    for (unsigned kind = 0; kind < 8; kind++) {
        struct image m = {.wide = kind & 1, .big = kind & 2, .table_type = kind & 4 ? 11 : 2};
        struct tt_symbols *symbols;
        build(&m);
        struct tt_status status = read_part(&m, m.size, NULL, &symbols);
        cr_assert_not(tt_failed(&status), "%s", status.text);
        cr_assert_eq(tt_symbols_count(symbols), 3);
        expect(symbols, 0xfff, NULL, 0);
        expect(symbols, 0x1000, "main", 0); /* before its alias and the weak one */
        expect(symbols, 0x101f, "main", 0x1f);
        expect(symbols, 0x1020, NULL, 0);
        expect(symbols, 0x1040, "start", 0);
        expect(symbols, 0x1080, "start", 0x40); /* up to the next symbol */
        expect(symbols, 0x1081, "table", 0);
        expect(symbols, 0x1091, NULL, 0);
        expect(symbols, UINT64_MAX, NULL, 0);
        tt_symbols_free(symbols);
    }
}

Test(elf_symbols, a_load_address_moves_the_program_and_thumb_bits_are_no_address)
{
    struct image m = {.arm = true, .table_type = 2};
    const uint64_t load = 0x78000000;
    struct tt_symbols *symbols;
    build(&m);
    struct tt_status status = read_part(&m, m.size, &load, &symbols);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    expect(symbols, 0x1000, NULL, 0);
    expect(symbols, 0x78000004, "main", 4);
    expect(symbols, 0x78000080, "table", 0);
    tt_symbols_free(symbols);
}

Test(elf_symbols, a_file_cut_anywhere_is_an_error)
{
    struct image m = {.wide = true, .table_type = 2};
    build(&m);
    for (size_t size = 0; size < m.size; size++) {
        struct tt_symbols *symbols;
        struct tt_status status = read_part(&m, size, NULL, &symbols);
        cr_assert_eq(status.code, TT_ERR_FORMAT, "%zu bytes", size);
        cr_assert_null(symbols);
    }
}

Test(elf_symbols, any_damaged_byte_is_an_error_or_other_symbols)
{
    for (unsigned wide = 0; wide < 2; wide++) {
        const uint64_t load = 0;
        struct image good = {.wide = wide, .table_type = 2};
        build(&good);
        for (size_t at = 0; at < good.size; at++) {
            struct image m = good;
            struct tt_symbols *symbols;
            struct tt_symbol found;
            m.bytes[at] = 0xff;
            struct tt_status status = read_part(&m, m.size, &load, &symbols);
            for (uint64_t address = 0; !tt_failed(&status) && address < 0x10000; address += 8) {
                tt_symbols_find(symbols, address, &found);
            }
            tt_symbols_free(symbols);
        }
    }
}

Test(elf_symbols, a_file_without_symbols_is_an_error)
{
    struct image m = {.wide = true, .table_type = 1};
    struct tt_symbols *symbols;
    build(&m);
    struct tt_status status = read_part(&m, m.size, NULL, &symbols);
    cr_assert_eq(status.code, TT_ERR_FORMAT);
    cr_assert_str_eq(status.text, "the ELF file has no symbols");
    m.bytes[60] = m.bytes[61] = 0; /* number of sections: section 0 has it, which is 0 too */
    status = read_part(&m, m.size, NULL, &symbols);
    cr_assert_eq(status.code, TT_ERR_FORMAT);
    status = tt_symbols_read("/tmp", NULL, &symbols);
    cr_assert_eq(status.code, TT_ERR_IO);
}

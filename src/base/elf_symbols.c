/* SPDX-License-Identifier: Apache-2.0 */
/* elf_symbols: reads the symbol table of an ELF file and searches it by address. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_read.h"
#include "base/symbols.h"
#include "base/user_file.h"
#include "tracetui/bytes.h"

#define IDENT_BYTES  16u
#define HEADER_BYTES 64u

enum { CLASS_32 = 1, CLASS_64 = 2 };
enum { ORDER_LITTLE = 1, ORDER_BIG = 2 };
enum { MACHINE_ARM = 40 };
enum { SEGMENT_LOAD = 1 };
enum { SECTION_SYMTAB = 2, SECTION_DYNSYM = 11 };
enum { FLAG_CODE = 4 };
enum { SYMBOL_LABEL = 0, SYMBOL_OBJECT = 1, SYMBOL_FUNCTION = 2, SYMBOL_RESOLVER = 10 };
enum { BIND_GLOBAL = 1, BIND_WEAK = 2 };
#define INDEX_RESERVED 0xff00u

/* The offsets and lengths of one class of files. */
struct layout {
    uint32_t header;
    uint32_t section;
    uint32_t segment;
    uint32_t symbol;
};

static const struct layout layouts[] = {
    [CLASS_32] = {52, 40, 32, 16},
    [CLASS_64] = {64, 64, 56, 24},
};

struct section {
    uint32_t type;
    uint32_t link;
    uint64_t flags;
    uint64_t address;
    uint64_t offset;
    uint64_t size;
};

struct elf {
    int fd;
    uint64_t size; /* of the file */
    bool wide;
    bool big;
    uint16_t machine;
    const struct layout *layout;
    uint64_t section_offset;
    uint64_t section_count;
    uint64_t segment_offset;
    uint64_t segment_count;
    struct section *sections;
};

/* A symbol covers [address, end). */
struct entry {
    uint64_t address;
    uint64_t end;
    uint32_t name;  /* in `names` */
    uint32_t order; /* rank among the symbols of the address, and number in the table */
};

struct tt_symbols {
    struct entry *entries; /* sorted by address, one per address */
    size_t count;
    char *names;
    size_t names_size;
    uint64_t bias; /* load address minus address in the file */
};

/* ---- the file ----------------------------------------------------------------------------- */

static struct tt_status read_at(const struct elf *elf, uint64_t offset, void *to, size_t length)
{
    if (offset > elf->size || length > elf->size - offset) {
        return tt_error_at(TT_ERR_FORMAT, offset, "the ELF file ends inside a table");
    }
    size_t done = tt_file_bytes(elf->fd, offset, to, length);
    if (done < length) {
        return errno != 0
                   ? tt_error_errno(errno, "read")
                   : tt_error_at(TT_ERR_FORMAT, offset + done, "the file shrank while it was read");
    }
    return tt_ok();
}

/* Reads a table of `count` items; the caller frees *table, which has a zero byte after its end. */
static struct tt_status read_table(const struct elf *elf, uint64_t offset, uint64_t count,
                                   uint64_t item, uint8_t **table)
{
    *table = NULL;
    if (count > TT_SYMBOLS_BYTES / item) {
        return tt_error_at(TT_ERR_FORMAT, offset, "a table of the ELF file is too large");
    }
    if (offset > elf->size || count * item > elf->size - offset) {
        return tt_error_at(TT_ERR_FORMAT, offset, "the ELF file ends inside a table");
    }
    *table = malloc((size_t)(count * item) + 1);
    if (!*table) {
        return tt_error_memory();
    }
    (*table)[count * item] = 0;
    return read_at(elf, offset, *table, (size_t)(count * item));
}

/* Reads an address, offset or size: 8 bytes at `wide`, or 4 at `narrow`. */
static uint64_t elf_symbols_word_at(const struct elf *elf, const uint8_t *p, unsigned narrow,
                                    unsigned wide)
{
    return elf->wide ? tt_load_u64(p + wide, elf->big) : tt_load_u32(p + narrow, elf->big);
}

static struct section elf_symbols_section_of(const struct elf *elf, const uint8_t *p)
{
    return (struct section){.type = tt_load_u32(p + 4, elf->big),
                            .link = tt_load_u32(p + (elf->wide ? 40 : 24), elf->big),
                            .flags = elf_symbols_word_at(elf, p, 8, 8),
                            .address = elf_symbols_word_at(elf, p, 12, 16),
                            .offset = elf_symbols_word_at(elf, p, 16, 24),
                            .size = elf_symbols_word_at(elf, p, 20, 32)};
}

static struct tt_status elf_symbols_read_header(struct elf *elf)
{
    uint8_t p[HEADER_BYTES] = {0};
    size_t length = elf->size < sizeof p ? (size_t)elf->size : sizeof p;
    struct tt_status status = read_at(elf, 0, p, length);
    if (tt_failed(&status)) {
        return status;
    }
    bool known = length >= IDENT_BYTES && memcmp(p, "\177ELF", 4) == 0 &&
                 (p[4] == CLASS_32 || p[4] == CLASS_64) &&
                 (p[5] == ORDER_LITTLE || p[5] == ORDER_BIG);
    if (!known || length < layouts[p[4]].header) {
        return tt_error_at(TT_ERR_FORMAT, 0, "not an ELF file");
    }
    elf->layout = &layouts[p[4]];
    elf->wide = p[4] == CLASS_64;
    elf->big = p[5] == ORDER_BIG;
    elf->machine = tt_load_u16(p + 18, elf->big);
    elf->segment_offset = elf_symbols_word_at(elf, p, 28, 32);
    elf->section_offset = elf_symbols_word_at(elf, p, 32, 40);
    const uint8_t *tail = p + (elf->wide ? 54 : 42);
    bool sound =
        tt_load_u16(tail, elf->big) == elf->layout->segment || tt_load_u16(tail + 2, elf->big) == 0;
    elf->segment_count = tt_load_u16(tail + 2, elf->big);
    sound &= tt_load_u16(tail + 4, elf->big) == elf->layout->section;
    elf->section_count = tt_load_u16(tail + 6, elf->big);
    return sound && elf->section_offset > 0
               ? tt_ok()
               : tt_error_at(TT_ERR_FORMAT, 0, "the ELF file has no section headers");
}

static struct tt_status read_sections(struct elf *elf)
{
    uint8_t *table = NULL;
    struct tt_status status = tt_ok();
    if (elf->section_count == 0) { /* more than the header's field can hold: section 0 has the
                                    * number */
        status = read_table(elf, elf->section_offset, 1, elf->layout->section, &table);
        elf->section_count = tt_failed(&status) ? 0 : elf_symbols_section_of(elf, table).size;
        free(table);
        table = NULL;
    }
    if (!tt_failed(&status)) {
        status =
            read_table(elf, elf->section_offset, elf->section_count, elf->layout->section, &table);
    }
    if (!tt_failed(&status)) {
        elf->sections = calloc((size_t)elf->section_count + 1, sizeof *elf->sections);
        status = elf->sections ? tt_ok() : tt_error_memory();
    }
    for (uint64_t i = 0; !tt_failed(&status) && i < elf->section_count; i++) {
        elf->sections[i] = elf_symbols_section_of(elf, table + i * elf->layout->section);
    }
    free(table);
    return status;
}

/* Finds the address of the first loaded segment; 0 without one. */
static struct tt_status first_address(const struct elf *elf, uint64_t *address)
{
    uint8_t *table;
    bool found = false;
    *address = 0;
    struct tt_status status =
        read_table(elf, elf->segment_offset, elf->segment_count, elf->layout->segment, &table);
    for (uint64_t i = 0; !tt_failed(&status) && i < elf->segment_count; i++) {
        const uint8_t *p = table + i * elf->layout->segment;
        uint64_t start = elf_symbols_word_at(elf, p, 8, 16);
        if (tt_load_u32(p, elf->big) == SEGMENT_LOAD && (!found || start < *address)) {
            *address = start;
            found = true;
        }
    }
    free(table);
    return status;
}

/* ---- symbols ------------------------------------------------------------------------------ */

/* Returns .symtab, or .dynsym of a stripped file, or NULL. */
static const struct section *symbol_table(const struct elf *elf)
{
    const struct section *found = NULL;
    for (uint64_t i = 0; i < elf->section_count; i++) {
        const struct section *section = &elf->sections[i];
        if (section->type == SECTION_SYMTAB && section->size > 0) {
            return section;
        }
        if (section->type == SECTION_DYNSYM && section->size > 0) {
            found = section;
        }
    }
    return found;
}

/* Returns the rank among the symbols of an address, the lowest first; 4 bits. */
static uint32_t elf_symbols_rank_of(unsigned type, unsigned bind)
{
    bool function = type == SYMBOL_FUNCTION || type == SYMBOL_RESOLVER;
    uint32_t rank = function ? 0 : type == SYMBOL_OBJECT ? 3 : 6;
    return rank + (bind == BIND_GLOBAL ? 0 : bind == BIND_WEAK ? 1 : 2);
}

#define RANK_SHIFT 28u
#define ORDER_MASK ((1u << RANK_SHIFT) - 1u)

/* Reads symbol `index`; returns false if it names no address of the program. */
static bool read_symbol(const struct elf *elf, const struct tt_symbols *symbols, const uint8_t *p,
                        uint32_t index, struct entry *entry)
{
    unsigned info = p[elf->wide ? 4 : 12], type = info & 15u, bind = info >> 4;
    unsigned section = tt_load_u16(p + (elf->wide ? 6 : 14), elf->big);
    uint64_t size = elf_symbols_word_at(elf, p, 8, 16);
    *entry = (struct entry){.address = elf_symbols_word_at(elf, p, 4, 8),
                            .name = tt_load_u32(p, elf->big)};
    if (section == 0 || section >= INDEX_RESERVED || section >= elf->section_count ||
        entry->name >= symbols->names_size || symbols->names[entry->name] == '\0') {
        return false;
    }
    const struct section *in = &elf->sections[section];
    bool code = (in->flags & FLAG_CODE) != 0;
    bool label = type == SYMBOL_LABEL && code && symbols->names[entry->name] != '$';
    if (type != SYMBOL_FUNCTION && type != SYMBOL_OBJECT && type != SYMBOL_RESOLVER && !label) {
        return false;
    }
    if (elf->machine == MACHINE_ARM && code) {
        entry->address &= ~UINT64_C(1);
    }
    uint64_t end = in->size > UINT64_MAX - in->address ? UINT64_MAX : in->address + in->size;
    bool sized = size > 0 && size <= UINT64_MAX - entry->address;
    entry->end = sized ? entry->address + size : end;
    entry->order = elf_symbols_rank_of(type, bind) << RANK_SHIFT | (index & ORDER_MASK);
    return entry->end > entry->address;
}

static int by_address(const void *x, const void *y)
{
    const struct entry *left = x, *right = y;
    if (left->address != right->address) {
        return left->address < right->address ? -1 : 1;
    }
    return (left->order > right->order) - (left->order < right->order);
}

static struct tt_status read_symbols(const struct elf *elf, struct tt_symbols *symbols)
{
    const struct section *table = symbol_table(elf);
    uint8_t *names = NULL, *all = NULL;
    if (!table || table->link >= elf->section_count) {
        return tt_error_at(TT_ERR_FORMAT, elf->section_offset, "the ELF file has no symbols");
    }
    const struct section *texts = &elf->sections[table->link];
    uint64_t count = table->size / elf->layout->symbol;
    struct tt_status status = read_table(elf, texts->offset, texts->size, 1, &names);
    symbols->names = (char *)names;
    symbols->names_size = tt_failed(&status) ? 0 : (size_t)texts->size;
    if (!tt_failed(&status)) {
        status = read_table(elf, table->offset, count, elf->layout->symbol, &all);
    }
    if (!tt_failed(&status)) {
        symbols->entries = malloc(((size_t)count + 1) * sizeof *symbols->entries);
        status = symbols->entries ? tt_ok() : tt_error_memory();
    }
    for (uint64_t i = 0; !tt_failed(&status) && i < count; i++) {
        symbols->count += read_symbol(elf, symbols, all + i * elf->layout->symbol, (uint32_t)i,
                                      &symbols->entries[symbols->count]);
    }
    free(all);
    if (tt_failed(&status)) {
        return status;
    }

    /* Keeps the first entry of each address, which ends where the next one begins. */
    size_t kept = 0;
    qsort(symbols->entries, symbols->count, sizeof *symbols->entries, by_address);
    for (size_t i = 0; i < symbols->count; i++) {
        struct entry *last = kept > 0 ? &symbols->entries[kept - 1] : NULL;
        if (last && last->address == symbols->entries[i].address) {
            continue;
        }
        if (last && last->end > symbols->entries[i].address) {
            last->end = symbols->entries[i].address;
        }
        symbols->entries[kept++] = symbols->entries[i];
    }
    symbols->count = kept;

    return symbols->count > 0
               ? tt_ok()
               : tt_error_at(TT_ERR_FORMAT, table->offset, "the ELF file has no symbols");
}

static struct tt_status read_file(struct elf *elf, const uint64_t *load_address,
                                  struct tt_symbols *symbols)
{
    struct stat file;
    if (fstat(elf->fd, &file) != 0) {
        return tt_error_errno(errno, "fstat");
    }
    elf->size = (uint64_t)file.st_size;
    struct tt_status status = elf_symbols_read_header(elf);
    if (!tt_failed(&status)) {
        status = read_sections(elf);
    }
    if (!tt_failed(&status)) {
        status = read_symbols(elf, symbols);
    }
    if (!tt_failed(&status) && load_address) {
        uint64_t first;
        status = first_address(elf, &first);
        symbols->bias = *load_address - first;
    }
    return status;
}

struct tt_status tt_symbols_read(const char *path, const uint64_t *load_address,
                                 struct tt_symbols **result)
{
    struct elf elf = {.fd = -1};
    *result = NULL;
    struct tt_status status = tt_user_file_regular(path, &elf.fd);
    if (tt_failed(&status)) {
        return status;
    }
    struct tt_symbols *symbols = calloc(1, sizeof *symbols);
    status = symbols ? read_file(&elf, load_address, symbols) : tt_error_memory();
    free(elf.sections);
    close(elf.fd);
    if (tt_failed(&status)) {
        tt_symbols_free(symbols);
        return status;
    }
    *result = symbols;
    return tt_ok();
}

void tt_symbols_free(struct tt_symbols *symbols)
{
    if (symbols) {
        free(symbols->entries);
        free(symbols->names);
        free(symbols);
    }
}

size_t tt_symbols_count(const struct tt_symbols *symbols)
{
    return symbols->count;
}

bool tt_symbols_find(const struct tt_symbols *symbols, uint64_t address, struct tt_symbol *found)
{
    uint64_t own = address - symbols->bias;
    size_t low = 0, high = symbols->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (symbols->entries[middle].address <= own) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0 || own >= symbols->entries[low - 1].end) {
        return false;
    }
    const struct entry *entry = &symbols->entries[low - 1];
    found->name = symbols->names + entry->name;
    found->length = strlen(found->name);
    found->offset = own - entry->address;
    return true;
}

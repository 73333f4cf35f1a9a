/* SPDX-License-Identifier: Apache-2.0 */
/*
 * symbols: the functions and variables of a program by address, from the symbol table of an ELF
 * file: 32 or 64 bits, either byte order, a program, a shared library or a file with debugging
 * symbols alone.
 *
 *      .symtab, else .dynsym --> functions, variables, labels in code --> sorted by address
 *
 * A symbol covers its size; one without a size covers the bytes up to the next symbol, at most up
 * to the end of its section. Of several symbols at an address one has the name: a function before a
 * variable before a label, global before weak before local, then the first of the table.
 *
 * With a load address the addresses of the table move as the program was moved: its first loaded
 * segment is there. Names are bytes of the file: escape them.
 *
 * Layout: "Tool Interface Standard (TIS) Executable and Linking Format", version 1.2, and the 64-bit
 * form of the System V ABI. Thumb functions of ARM have bit 0 set in their value, which is no part
 * of their address ("ELF for the Arm Architecture").
 *
 * The file is read once, with bounds checked against its size; at most TT_SYMBOLS_BYTES of each
 * table. Memory: 24 bytes per symbol and the names. Any thread may search.
 */
#ifndef TRACETUI_BASE_SYMBOLS_H
#define TRACETUI_BASE_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracetui/status.h"

#define TT_SYMBOLS_BYTES (UINT64_C(1) << 30)

struct tt_symbols;

struct tt_symbol {
    const char *name; /* borrowed from the table */
    size_t length;
    uint64_t offset; /* of the address in the function or variable */
};

/*
 * Reads a file. `load_address` NULL: addresses as in the file. The caller frees *symbols. Errors:
 * TT_ERR_IO; TT_ERR_FORMAT with the offset: no ELF file, a damaged one, or one without symbols;
 * TT_ERR_MEMORY.
 */
struct tt_status tt_symbols_read(const char *path, const uint64_t *load_address,
                                 struct tt_symbols **symbols);
void tt_symbols_free(struct tt_symbols *symbols);

/* Returns the number of symbols. */
size_t tt_symbols_count(const struct tt_symbols *symbols);
/* Finds the symbol that covers an address; false if there is none. O(log symbols). */
bool tt_symbols_find(const struct tt_symbols *symbols, uint64_t address, struct tt_symbol *found);

#endif

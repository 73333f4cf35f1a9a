/* SPDX-License-Identifier: Apache-2.0 */
/*
 * symbol_names: names of functions and variables beside the addresses in arguments.
 *
 *      IP=0x80b78c0           -> IP=0x80b78c0 uart_handler+0x10
 *
 * Programs are given as "[PROCESS=]FILE[@ADDRESS]". With PROCESS (a name, base name or pid) the
 * symbols apply to addresses of that process only; without it to those of all processes, as for a
 * kernel or the one program of a ThreadX system. The first program with a symbol at the address is
 * used. An address belongs to the process that its event names beside it, else to the event's
 * thread. `=` begins a process only if no slash is before it; `@` an address only if it is a number
 * in hexadecimal (0x...) up to the end.
 *
 * Applies to pointers, and to numbers that the format's table (tt_references.args) lists as code
 * addresses. Any thread.
 */
#ifndef TRACETUI_TRACE_SYMBOL_NAMES_H
#define TRACETUI_TRACE_SYMBOL_NAMES_H

#include "tracetui/capture.h"
#include "tracetui/status.h"

struct tt_programs;

/*
 * Reads the programs; *programs is NULL if there are none. The texts outlive them. Errors: those of
 * tt_symbols_read.
 */
struct tt_status tt_programs_open(const char *const *texts, uint32_t count,
                                  struct tt_programs **programs);
void tt_programs_free(struct tt_programs *programs);

/* Finds the symbol at an address of a process; false if no program has one. */
struct tt_symbol;
bool tt_programs_find(const struct tt_programs *programs, const struct tt_capture *capture,
                      uint32_t process, uint64_t address, struct tt_symbol *found);

/* Labels the addresses among the arguments of a described event that have no label yet. */
void tt_programs_name(const struct tt_programs *programs, const struct tt_capture *capture,
                      const struct tt_event *event, struct tt_args *args);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * linux_syscalls: the system calls of Linux: names, numbers by architecture, and what a thread that sleeps in one
 * waits for. A call has a number of its own here, which is the same for all architectures. Constants; any thread.
 */
#ifndef TRACETUI_FORMAT_LINUX_LINUX_SYSCALLS_H
#define TRACETUI_FORMAT_LINUX_LINUX_SYSCALLS_H

#include <stdbool.h>
#include <stdint.h>

#define LINUX_CALLS        456u  /* rows of the table */
#define LINUX_CALL_NUMBERS 1024u /* numbers of any architecture are below */
#define LINUX_NO_CALL      UINT16_MAX

/* Sets of numbers. */
enum linux_abi {
    LINUX_X86_64,
    LINUX_I386,
    LINUX_ARM,
    LINUX_GENERIC, /* arm64, riscv and later architectures */
    LINUX_ABIS,
    LINUX_NO_ABI = LINUX_ABIS,
};

/* Returns the numbers of a machine as uname reports it, "x86_64"; LINUX_NO_ABI if they are not known. */
enum linux_abi linux_abi_of(const char *machine);
/* Fills in the call of each number; LINUX_NO_CALL where there is none. */
void linux_calls_of(enum linux_abi abi, uint16_t calls[LINUX_CALL_NUMBERS]);
/* Returns the call with a name, without "sys_"; LINUX_NO_CALL if it is not known. */
uint16_t linux_call_of_name(const char *name);
const char *linux_call_name(unsigned call);
/* Returns the state of a thread that sleeps in a call (enum linux_state); 0: the call does not determine it. */
unsigned linux_call_state(unsigned call);
/* Returns whether a call returns: exit, exit_group and the returns from signals do not. */
bool linux_call_returns(unsigned call);

#endif

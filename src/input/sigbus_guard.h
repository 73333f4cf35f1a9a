/* SPDX-License-Identifier: Apache-2.0 */
/* sigbus_guard: the address ranges of our mappings, for the SIGBUS handler. Any thread. */
#ifndef TT_INPUT_SIGBUS_GUARD_H
#define TT_INPUT_SIGBUS_GUARD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Installs the handler, once per process. Returns false if the system refuses. Only this module
 * handles SIGBUS; code that must run before the process ends by it registers a function below.
 */
bool tt_sigbus_guard_install(void);
/*
 * Registers a function that the handler calls, in the faulting thread, for a SIGBUS outside all
 * mappings, before the signal takes its default effect. NULL: none. It must be async-signal-safe.
 */
void tt_sigbus_guard_before_death(void (*fn)(void));
/* Adds a mapping; false if too many are open. */
bool tt_sigbus_guard_add(const void *base, size_t size);
/*
 * Adds a mapping that is read without a guard: an access to a missing page maps a page of zeros and
 * sets *gone, which the caller owns and keeps until the mapping is removed.
 */
bool tt_sigbus_guard_add_filled(const void *base, size_t size, _Atomic bool *gone);
void tt_sigbus_guard_remove(const void *base);

#endif

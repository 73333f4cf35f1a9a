/* SPDX-License-Identifier: Apache-2.0 */
/*
 * map_guard: which addresses are mappings of ours, for the SIGBUS handler. Any thread.
 */
#ifndef TRACETUI_BASE_SIGBUS_GUARD_H
#define TRACETUI_BASE_SIGBUS_GUARD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Installs the handler, once for the process. False if the system refuses. SIGBUS has this handler
 * alone, in the order in which things are opened: who has something to do before the process ends
 * by it names a function instead of a handler.
 */
bool tt_sigbus_guard_install(void);
/*
 * `fn` runs in the handler, in the thread that took it, when a SIGBUS is no mapping's, before the
 * signal has the effect that it had without a handler. NULL: none. It may do what handlers may do.
 */
void tt_sigbus_guard_before_death(void (*fn)(void));
/* Notes a mapping; false when too many are open. */
bool tt_sigbus_guard_add(const void *base, size_t size);
/*
 * The same for one that is used without a guard: a page of it that is gone becomes a page of zeros
 * when it is touched, and *gone true, the caller's until the mapping is removed.
 */
bool tt_sigbus_guard_add_filled(const void *base, size_t size, _Atomic bool *gone);
void tt_sigbus_guard_remove(const void *base);

#endif

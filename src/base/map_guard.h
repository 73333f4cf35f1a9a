/* SPDX-License-Identifier: Apache-2.0 */
/*
 * map_guard: which addresses are mappings of ours, for the SIGBUS handler. Any thread.
 */
#ifndef TT_BASE_MAP_GUARD_H
#define TT_BASE_MAP_GUARD_H

#include <stdbool.h>
#include <stddef.h>

/* Installs the handler, once for the process. False if the system refuses. */
bool tt_map_guard_install(void);
/* Notes a mapping; false when too many are open. */
bool tt_map_guard_add(const void *base, size_t size);
void tt_map_guard_remove(const void *base);

#endif

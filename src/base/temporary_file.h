/* SPDX-License-Identifier: Apache-2.0 */
/* temporary_file: files without a name in $TMPDIR, and the space for them. Any thread. */
#ifndef TT_BASE_TEMPORARY_FILE_H
#define TT_BASE_TEMPORARY_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "tracetui/status.h"

/* Creates an empty file; the caller closes it. TT_ERR_IO. */
struct tt_status tt_temporary_file(int *fd);
/* Finds the free space for such files; returns false if the system does not report it. */
bool tt_temporary_space(uint64_t *bytes);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blobs: saves the payloads of blob records as files: dump --blobs DIRECTORY.
 *
 *      DIRECTORY/1-NAME, 2-NAME, ...      a file per blob; blobs of type and name of an earlier one
 *                                         continue its file
 *
 * Names come from the capture: everything but letters, digits, dots, dashes and underscores becomes an
 * underscore. An existing file is never overwritten.
 */
#ifndef TRACETUI_CLI_REPORTS_BLOBS_H
#define TRACETUI_CLI_REPORTS_BLOBS_H

#include "cli/commands.h"

/* Saves the blobs of the file and prints a line for each: path, bytes, offset in the capture. */
enum tt_exit tt_command_blobs(const struct tt_options *options);

#endif

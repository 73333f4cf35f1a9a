/* SPDX-License-Identifier: Apache-2.0 */
/* version: lists the features and libraries of this build, for --version and bug reports. */
#ifndef TT_CLI_VERSION_H
#define TT_CLI_VERSION_H

#include "tracetui/text.h"

/* Appends a line of formats and one of libraries. `terminal_library`: its name and version. */
void tt_version_features(struct tt_text *text, const char *terminal_library);

#endif

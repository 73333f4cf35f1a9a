// SPDX-License-Identifier: Apache-2.0
//
// The front of a .kev file: the text header and the system page.

#ifndef TTSIM_KEV_HEADER_H
#define TTSIM_KEV_HEADER_H

#include "writer.h"

void kev_header_write(const struct sim_write_config *config, struct sim_out *out);

#endif

// SPDX-License-Identifier: Apache-2.0
//
// kev_header: text header and system page of a .kev file.

#ifndef TTSIM_KEV_HEADER_H
#define TTSIM_KEV_HEADER_H

#include "writer.h"

void kev_header_write(const struct sim_write_config *config, struct sim_out *out);

#endif

// SPDX-License-Identifier: Apache-2.0
//
// json: JSON lines; flat objects, first key "t", numbers and plain text.

#ifndef TTSIM_JSON_H
#define TTSIM_JSON_H

#include "out.h"

struct json {
    struct sim_out *out;
    size_t used;
    char line[2048]; // the current line; text that does not fit is dropped
};

void json_begin(struct json *json, const char *kind);
void json_number(struct json *json, const char *key, uint64_t value);
void json_indexed(struct json *json, const char *key, uint64_t index, uint64_t value);

// Names are the simulator's own: only quotes and backslashes need escaping.
void json_text(struct json *json, const char *key, const char *text);
void json_end(struct json *json);

#endif

// SPDX-License-Identifier: Apache-2.0
//
// JSON lines: see json.h.

#include "json.h"

static void put(struct json *json, char c)
{
    if (json->used < sizeof json->line - 2)
        json->line[json->used++] = c;
}

static void put_text(struct json *json, const char *text)
{
    while (*text != '\0')
        put(json, *text++);
}

static void put_number(struct json *json, uint64_t value)
{
    char digits[24];
    size_t n = 0;
    do {
        digits[n++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    while (n > 0)
        put(json, digits[--n]);
}

static void put_key(struct json *json, const char *key)
{
    put(json, ',');
    put(json, '"');
    put_text(json, key);
    put_text(json, "\":");
}

void json_begin(struct json *json, const char *kind)
{
    json->used = 0;
    put_text(json, "{\"t\":\"");
    put_text(json, kind);
    put(json, '"');
}

void json_number(struct json *json, const char *key, uint64_t value)
{
    put_key(json, key);
    put_number(json, value);
}

void json_indexed(struct json *json, const char *key, uint64_t index, uint64_t value)
{
    put(json, ',');
    put(json, '"');
    put_text(json, key);
    put_number(json, index);
    put_text(json, "\":");
    put_number(json, value);
}

void json_text(struct json *json, const char *key, const char *text)
{
    put_key(json, key);
    put(json, '"');
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            put(json, '\\');
        put(json, *text);
    }
    put(json, '"');
}

void json_end(struct json *json)
{
    json->line[json->used++] = '}';
    json->line[json->used++] = '\n';
    sim_out_put(json->out, json->line, json->used);
}

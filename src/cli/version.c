/* SPDX-License-Identifier: Apache-2.0 */
/*
 * version: reports the versions of the running libraries, not those of the headers, if they provide
 * them.
 */
#include "cli/version.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <jansson.h>
#include <pcre2.h>
#include <string.h>
#include <xxhash.h>
#include <zlib.h>
#include <zstd.h>

#include "sql/sql.h"
#include "tracetui/format.h"

/* "10.42 2022-12-11": only the number. */
static void regex_library(struct tt_text *text)
{
    char version[64] = "";
    uint32_t jit = 0;
    if (pcre2_config(PCRE2_CONFIG_VERSION, NULL) <= (int)sizeof version) {
        pcre2_config(PCRE2_CONFIG_VERSION, version);
    }
    pcre2_config(PCRE2_CONFIG_JIT, &jit);
    tt_text_str(text, "PCRE2 ");
    tt_text_bytes(text, version, strcspn(version, " "));
    tt_text_str(text, jit ? " with JIT" : " without JIT");
}

void tt_version_features(struct tt_text *text, const char *terminal_library)
{
    tt_text_str(text, "formats:   ");
    for (const struct tt_format *const *format = tt_formats; *format; format++) {
        tt_text_put(text, "%s%s", format == tt_formats ? "" : ", ", (*format)->name);
    }
    tt_text_put(text, "; compressed by gzip or zstd\nlibraries: %s, ", terminal_library);
    regex_library(text);

    unsigned version = XXH_versionNumber();
    tt_text_put(text, ", xxHash %u.%u.%u", version / 10000, version / 100 % 100, version % 100);

    tt_text_put(text, ", zlib %s, zstd %s", zlibVersion(), ZSTD_versionString());
    tt_text_str(text, ", inih, jansson "); /* inih has no version at run time */
    tt_text_put(text, "%s%s%s\n", jansson_version_str(),
                tt_sql_is_built_in() ? ", SQLite " : "; without SQL (SQLite)",
                tt_sql_is_built_in() ? tt_sql_library() : "");
}

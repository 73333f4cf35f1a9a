/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any words as a command line: options and their arguments, including times. Refused words cause a
 * message of one line; accepted ones can be freed.
 */
#include "cli/options.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *words[34] = {0};
    int count = 0;
    char *text = fuzz_copy(data, size, 1);
    words[count++] = (char *)"tracetui";
    for (char *at = text; at < text + size && count < 33; at += strlen(at) + 1) {
        words[count++] = at;
        char *end = strchr(at, '\n');
        if (end) {
            *end = '\0';
        }
    }
    struct tt_options options;
    struct tt_status status = tt_options_parse(count, words, &options);
    if (tt_failed(&status)) {
        require(status.text[0] != '\0');
    } else {
        tt_options_free(&options);
    }
    for (int i = 1; i < count; i++) {
        struct tt_time_spec when;
        status = tt_time_spec_parse(words[i], &when);
        require(tt_failed(&status) || when.kind != TT_TIME_SPEC_PART ||
                (when.value >= 0 && when.value <= 1000000000));
    }
    free(text);
    return 0;
}

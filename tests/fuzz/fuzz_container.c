/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a debugger's text: Intel HEX, S-records, a dump in hex digits, with detection and as
 * each of them. The output never exceeds its buffer and is the same each time; a smaller buffer
 * receives its beginning.
 */
#include "format/trx/trx_container.h"
#include "fuzz.h"

static void decode(enum trx_container kind, struct tt_bytes source)
{
    struct trx_container_report report = {0}, again = {0};
    size_t room = (size_t)source.size / 2 + 1;
    uint8_t *all = malloc(room), *some = malloc(room / 2 + 1);
    require(all && some);
    size_t length = trx_container_decode(kind, source, all, room, &report);
    require(length <= room && !report.full);
    require(report.first_bad_line <= source.size && report.first_bad_sum <= source.size &&
            report.first_jump <= source.size);
    size_t less = trx_container_decode(kind, source, some, room / 2, &again);
    require(less <= room / 2 && less <= length && memcmp(all, some, less) == 0);
    free(all);
    free(some);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = fuzz_copy(data, size, 0);
    struct tt_bytes source = tt_bytes_of(copy, size);
    enum trx_container guess = trx_container_guess(source);
    require(guess <= TRX_CONTAINER_HEX_DUMP && trx_container_name(guess) != NULL);
    for (enum trx_container kind = TRX_CONTAINER_NONE; kind <= TRX_CONTAINER_HEX_DUMP; kind++) {
        decode(kind, source);
    }
    free(copy);
    return 0;
}

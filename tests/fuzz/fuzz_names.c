/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a file of names: for the numbers of QNX user events and interrupts, and for the
 * events of a ThreadX application. Every name that was read can be looked up.
 */
#include "format/kev/kev_internal.h"
#include "format/trx/trx_names.h"
#include "fuzz.h"

static void read_qnx(const uint8_t *data, size_t size)
{
    struct tt_capture *c;
    struct kev_names *names = NULL;
    char path[64];
    int fd = fuzz_file(data, size, path);
    struct tt_status status = tt_capture_new(tt_bytes_of(data, 0), &c);
    require(!tt_failed(&status));
    status = kev_names_read(c, path, &names);
    require(tt_failed(&status) == (names == NULL));
    if (tt_failed(&status)) {
        require(status.text[0] != '\0');
    }
    for (uint32_t event = 0; event < 1100; event++) {
        kev_names_user(names, event);
        kev_names_vector(names, event);
    }
    kev_names_free(names);
    tt_capture_free(c);
    close(fd);
}

static void read_threadx(const uint8_t *data, size_t size)
{
    struct trx_names names;
    memset(&names, 0, sizeof names);
    char *text = fuzz_copy(data, size, 0);
    struct tt_status status = trx_names_parse(&names, text, size);
    if (!tt_failed(&status)) {
        for (size_t i = 0; i < names.count; i++) {
            const struct trx_name *found = trx_names_find(&names, names.names[i].id);
            require(found != NULL && found->id == names.names[i].id && found->name != NULL);
        }
    }
    trx_names_free(&names);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1) {
        return 0;
    }
    if (data[0] & 1) {
        read_qnx(data + 1, size - 1);
    } else {
        read_threadx(data + 1, size - 1);
    }
    return 0;
}

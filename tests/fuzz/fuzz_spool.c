/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a compressed file. What comes out stays within its limit; a reason is given where
 * nothing does.
 */
#include <sys/stat.h>

#include "base/spool.h"
#include "fuzz.h"

#define LIMIT (1u << 20)

static void spool(int fd, enum tt_compression compression, size_t size)
{
    int out = -1;
    require(lseek(fd, 0, SEEK_SET) == 0);
    struct tt_status status = tt_spool(fd, compression, LIMIT, &out);
    if (tt_failed(&status)) {
        require(out == -1 && status.text[0] != '\0');
        return;
    }
    struct stat info;
    require(fstat(out, &info) == 0 && info.st_size <= (off_t)LIMIT);
    require(compression != TT_PLAIN || info.st_size == (off_t)size);
    close(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t magic[3][4] = {{0x1f, 0x8b, 8, 0}, {0x28, 0xb5, 0x2f, 0xfd}, {0}};
    char path[64];
    uint8_t *copy = fuzz_copy(data, size, 0);
    enum tt_compression compression = tt_spool_compression(copy, size);
    if (size >= 5 && compression == TT_PLAIN && copy[0] < 2) { /* it shall look like one */
        memcpy(copy, magic[copy[0]], copy[0] ? 4 : 3);
        compression = tt_spool_compression(copy, size);
    }
    int fd = fuzz_file(copy, size, path);
    spool(fd, compression, size);
    close(fd);
    free(copy);
    return 0;
}

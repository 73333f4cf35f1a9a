/* SPDX-License-Identifier: Apache-2.0 */
#include "base/wake_pipe.h"

#include <fcntl.h>
#include <unistd.h>

bool tt_wake_pipe(int ends[2])
{
    if (pipe(ends) != 0) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFL, O_NONBLOCK);
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    }
    return true;
}

void tt_wake(int end)
{
    ssize_t written = write(end, "", 1);
    (void)written; /* a full pipe wakes, too */
}

void tt_wake_drain(int end)
{
    char bytes[64];
    while (read(end, bytes, sizeof bytes) > 0) {
    }
}

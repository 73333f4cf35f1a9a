/* SPDX-License-Identifier: Apache-2.0 */
#include "input/file_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "base/platform.h"
#include "base/wake_pipe.h"

#define SHORTEST_MS 5

struct tt_status tt_file_watch_open(struct tt_file_watch *watch, const char *path, int other)
{
    watch->notify = -1;
    watch->other = other;
    watch->nap_ms = SHORTEST_MS;
    if (!tt_wake_pipe(watch->wake)) {
        return tt_error_errno(errno, "pipe");
    }
    if (path) {
        watch->notify = tt_platform_watch(path);
    }
    return tt_ok();
}

void tt_file_watch_close(struct tt_file_watch *watch)
{
    close(watch->wake[0]);
    close(watch->wake[1]);
    if (watch->notify >= 0) {
        close(watch->notify);
    }
}

void tt_file_watch_wait(struct tt_file_watch *watch, bool idle, int most_ms)
{
    struct pollfd fds[3] = {{.fd = watch->wake[0], .events = POLLIN},
                            {.fd = watch->notify, .events = POLLIN},
                            {.fd = watch->other, .events = POLLIN}};
    watch->nap_ms = idle ? watch->nap_ms * 2 : SHORTEST_MS;
    if (watch->nap_ms > TT_WATCH_LONGEST_MS) {
        watch->nap_ms = TT_WATCH_LONGEST_MS;
    }
    poll(fds, 3, most_ms < watch->nap_ms ? most_ms : watch->nap_ms);
    tt_wake_drain(watch->wake[0]);
    if (fds[1].revents != 0) {
        tt_platform_watch_drain(watch->notify);
    }
    if (fds[2].revents != 0) {
        tt_wake_drain(watch->other);
    }
}

void tt_file_watch_wake(struct tt_file_watch *watch)
{
    tt_wake(watch->wake[1]);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sigbus_guard: handles SIGBUS after a mapped file has shrunk. A signal handler can only reach
 * file-level state; this is the only file below the screen with such state: the jump target of each
 * thread and the address ranges of our mappings.
 */
#define _XOPEN_SOURCE 700 /* SA_ONSTACK */
#include "input/sigbus_guard.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

#include "base/platform.h"
#include "tracetui/map.h"

#define RANGES_MAX 64

struct guard_frame {
    sigjmp_buf place;
    struct guard_frame *outer;
};

struct range {
    _Atomic uintptr_t base; /* 0: free */
    _Atomic size_t size;
    _Atomic(_Atomic bool *) gone; /* or NULL; otherwise missing pages are filled with zeros and
                                     this is set */
};

static _Thread_local struct guard_frame *volatile innermost;
static struct range ranges[RANGES_MAX];
static _Atomic bool installed;
static struct sigaction before;
static void (*_Atomic before_death)(void);

static const struct range *sigbus_guard_range_of(uintptr_t address)
{
    for (size_t i = 0; i < RANGES_MAX; i++) {
        uintptr_t base = atomic_load(&ranges[i].base);
        if (base != 0 && address >= base && address - base < atomic_load(&ranges[i].size)) {
            return &ranges[i];
        }
    }
    return NULL;
}

static bool fill_page(uintptr_t address)
{
    int saved_errno = errno;
    long page = sysconf(_SC_PAGESIZE);
    uintptr_t size = page > 0 ? (uintptr_t)page : 4096;
    bool filled = tt_platform_zero((void *)(address / size * size), size);
    errno = saved_errno;
    return filled;
}

/*
 * Ends the guarded call if `address` is in one of our mappings; for programs with their own SIGBUS
 * handler (to restore a terminal), to be called first in it. Returns true if the fault is handled
 * and the handler must return; false if the address is not ours.
 */
static bool map_fault(void *address)
{
    struct guard_frame *frame = innermost;
    const struct range *range = sigbus_guard_range_of((uintptr_t)address);
    _Atomic bool *gone = range ? atomic_load(&range->gone) : NULL;
    if (gone) {
        atomic_store(gone, true);
        return fill_page((uintptr_t)address);
    }
    if (range && frame) {
        innermost = frame->outer;
        siglongjmp(frame->place, 1);
    }
    return false;
}

static void on_sigbus(int sig, siginfo_t *info, void *context)
{
    (void)context;
    bool sent = info->si_code <= 0; /* by kill() and similar: without an address */
    if (!sent && map_fault(info->si_addr)) {
        return;
    }
    void (*last)(void) = atomic_load(&before_death);
    if (last) {
        last();
    }
    /* Not ours: the next access to the same address invokes the previous handler. */
    sigaction(sig, &before, NULL);
    if (sent) {
        raise(sig);
    }
}

bool tt_sigbus_guard_install(void)
{
    bool expected = false;
    if (!atomic_compare_exchange_strong(&installed, &expected, true)) {
        return true;
    }
    struct sigaction action = {0};
    action.sa_sigaction = on_sigbus;
    action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK; /* see tt_sigbus_guard */
    sigemptyset(&action.sa_mask);
    return sigaction(SIGBUS, &action, &before) == 0;
}

void tt_sigbus_guard_before_death(void (*fn)(void))
{
    atomic_store(&before_death, fn);
}

static bool add_range(const void *base, size_t size, _Atomic bool *gone)
{
    for (size_t i = 0; i < RANGES_MAX; i++) {
        uintptr_t expected = 0;
        if (atomic_compare_exchange_strong(&ranges[i].base, &expected, (uintptr_t)base)) {
            atomic_store(&ranges[i].gone, gone);
            atomic_store(&ranges[i].size, size);
            return true;
        }
    }
    return false;
}

bool tt_sigbus_guard_add(const void *base, size_t size)
{
    return add_range(base, size, NULL);
}

bool tt_sigbus_guard_add_filled(const void *base, size_t size, _Atomic bool *gone)
{
    return add_range(base, size, gone);
}

void tt_sigbus_guard_remove(const void *base)
{
    for (size_t i = 0; i < RANGES_MAX; i++) {
        if (atomic_load(&ranges[i].base) == (uintptr_t)base) {
            atomic_store(&ranges[i].size, 0);
            atomic_store(&ranges[i].base, 0);
            return;
        }
    }
}

bool tt_sigbus_guard(void (*fn)(void *arg), void *arg)
{
    struct guard_frame frame;
    frame.outer = innermost;
    /*
     * The mask is not saved, as that would cost two system calls per described event: the handler
     * blocks no signal (SA_NODEFER), so there is no mask to restore.
     */
    if (sigsetjmp(frame.place, 0) != 0) {
        return false;
    }
    innermost = &frame;
    fn(arg);
    innermost = frame.outer;
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "faults.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static struct fault armed;
static _Atomic uint64_t calls[FAULT_CALL_COUNT];
static _Atomic bool struck;
static _Atomic int64_t live_blocks, live_bytes, peak_bytes;

const char *fault_call_name(enum fault_call call)
{
    static const char *const names[] = {
#define X(id, name) name,
        FAULT_CALL_INFO(X)
#undef X
    };
    return names[call];
}

void faults_arm(const struct fault *fault)
{
    static const struct fault none;
    armed = fault ? *fault : none;
    for (unsigned i = 0; i < FAULT_CALL_COUNT; i++) {
        atomic_store(&calls[i], 0);
    }
    atomic_store(&struck, false);
    atomic_store(&peak_bytes, atomic_load(&live_bytes));
}

void faults_disarm(void)
{
    memset(&armed, 0, sizeof armed);
}

uint64_t faults_calls(enum fault_call call)
{
    return atomic_load(&calls[call]);
}

bool faults_struck(void)
{
    return atomic_load(&struck);
}

int64_t faults_live_blocks(void)
{
    return atomic_load(&live_blocks);
}

int64_t faults_live_bytes(void)
{
    return atomic_load(&live_bytes);
}

int64_t faults_peak_bytes(void)
{
    return atomic_load(&peak_bytes);
}

/* With a sanitizer, and FAULT_TRACE in the environment, each failure prints its stack. */
void __sanitizer_print_stack_trace(void) __attribute__((weak));

/* Counts a call; true if it has to fail now, with errno set. */
static bool fails(enum fault_call call)
{
    uint64_t n = atomic_fetch_add(&calls[call], 1) + 1;
    if (armed.notify) {
        armed.notify(call, n);
    }
    if (armed.nth == 0 || armed.call != call ||
        !(n == armed.nth || (armed.from_then_on && n > armed.nth))) {
        return false;
    }
    atomic_store(&struck, true);
    if (getenv("FAULT_TRACE") && __sanitizer_print_stack_trace) {
        __sanitizer_print_stack_trace();
    }
    errno = armed.error;
    return true;
}

/* ---- memory ------------------------------------------------------------------------------- */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *block);
char *__real_realpath(const char *path, char *resolved);

static void *taken(void *block)
{
    if (block) {
        atomic_fetch_add(&live_blocks, 1);
        int64_t now = (int64_t)malloc_usable_size(block);
        now += atomic_fetch_add(&live_bytes, now);
        int64_t peak = atomic_load(&peak_bytes);
        while (now > peak && !atomic_compare_exchange_weak(&peak_bytes, &peak, now)) {
        }
    }
    return block;
}

static void given_back(void *block)
{
    if (block) {
        atomic_fetch_sub(&live_blocks, 1);
        atomic_fetch_sub(&live_bytes, (int64_t)malloc_usable_size(block));
    }
}

void *__wrap_malloc(size_t size)
{
    return fails(FAULT_MEMORY) ? NULL : taken(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails(FAULT_MEMORY) ? NULL : taken(__real_calloc(count, size));
}

void *__wrap_realloc(void *old, size_t size)
{
    if (fails(FAULT_MEMORY)) {
        return NULL;
    }
    int64_t before = old ? (int64_t)malloc_usable_size(old) : 0;
    void *grown = __real_realloc(old, size);
    if (grown && old) {
        atomic_fetch_sub(&live_blocks, 1);
        atomic_fetch_sub(&live_bytes, before);
    }
    return taken(grown);
}

void __wrap_free(void *block)
{
    given_back(block);
    __real_free(block);
}

char *__wrap_strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = __wrap_malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

char *__wrap_realpath(const char *path, char *resolved)
{
    if (resolved) {
        return __real_realpath(path, resolved);
    }
    return fails(FAULT_MEMORY) ? NULL : taken(__real_realpath(path, NULL));
}

/* ---- files -------------------------------------------------------------------------------- */

int __real_open64(const char *path, int flags, ...);
ssize_t __real_read(int fd, void *buffer, size_t size);
ssize_t __real_pread64(int fd, void *buffer, size_t size, off_t offset);
ssize_t __real_write(int fd, const void *buffer, size_t size);
void *__real_mmap64(void *at, size_t size, int protection, int flags, int fd, off_t offset);
int __real_fstat64(int fd, struct stat *info);
off_t __real_lseek64(int fd, off_t offset, int whence);
int __real_statvfs64(const char *path, struct statvfs *system);
int __real_dup(int fd);
int __real_mkstemp64(char *name);
int __real_link(const char *from, const char *to);
ssize_t __real_readlink(const char *path, char *buffer, size_t size);
int __real_fsync(int fd);
int __real_stat64(const char *path, struct stat *info);
int __real_rename(const char *from, const char *to);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*run)(void *arg), void *arg);

static bool interrupted(enum fault_call call)
{
    if (armed.restless && faults_calls(call) % 2 == 1) {
        errno = EINTR;
        return true;
    }
    return false;
}

static size_t some_of(enum fault_call call, size_t size)
{
    size_t most = 1 + (size_t)(faults_calls(call) % 977);
    return armed.trickle && size > most ? most : size;
}

int __wrap_open64(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    int mode = flags & O_CREAT ? va_arg(arguments, int) : 0;
    va_end(arguments);
    return fails(FAULT_OPEN) ? -1 : __real_open64(path, flags, mode);
}

ssize_t __wrap_read(int fd, void *buffer, size_t size)
{
    if (fails(FAULT_READ) || interrupted(FAULT_READ)) {
        return -1;
    }
    return __real_read(fd, buffer, some_of(FAULT_READ, size));
}

ssize_t __wrap_pread64(int fd, void *buffer, size_t size, off_t offset)
{
    if (fails(FAULT_READ) || interrupted(FAULT_READ)) {
        return -1;
    }
    return __real_pread64(fd, buffer, size, offset);
}

ssize_t __wrap_write(int fd, const void *buffer, size_t size)
{
    if (fd == STDERR_FILENO) { /* where the failure is reported */
        return __real_write(fd, buffer, size);
    }
    if (fails(FAULT_WRITE) || interrupted(FAULT_WRITE)) {
        return -1;
    }
    return __real_write(fd, buffer, some_of(FAULT_WRITE, size));
}

void *__wrap_mmap64(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    return fails(FAULT_MAP) ? MAP_FAILED : __real_mmap64(at, size, protection, flags, fd, offset);
}

int __wrap_fstat64(int fd, struct stat *info)
{
    return fails(FAULT_STAT) ? -1 : __real_fstat64(fd, info);
}

off_t __wrap_lseek64(int fd, off_t offset, int whence)
{
    return fails(FAULT_SEEK) ? -1 : __real_lseek64(fd, offset, whence);
}

static uint64_t free_space = UINT64_MAX;

void faults_free_space(uint64_t bytes)
{
    free_space = bytes;
}

int __wrap_statvfs64(const char *path, struct statvfs *system)
{
    int result = __real_statvfs64(path, system);
    if (result == 0 && free_space != UINT64_MAX) {
        system->f_frsize = 1;
        system->f_bavail = free_space;
    }
    return result;
}

int __wrap_dup(int fd)
{
    return fails(FAULT_DUP) ? -1 : __real_dup(fd);
}

int __wrap_mkstemp64(char *name)
{
    return fails(FAULT_TEMPORARY) ? -1 : __real_mkstemp64(name);
}

int __wrap_link(const char *from, const char *to)
{
    return fails(FAULT_LINK) ? -1 : __real_link(from, to);
}

ssize_t __wrap_readlink(const char *path, char *buffer, size_t size)
{
    return fails(FAULT_READLINK) ? -1 : __real_readlink(path, buffer, size);
}

int __wrap_fsync(int fd)
{
    return fails(FAULT_SYNC) ? -1 : __real_fsync(fd);
}

int __wrap_stat64(const char *path, struct stat *info)
{
    return fails(FAULT_PATH) ? -1 : __real_stat64(path, info);
}

int __wrap_rename(const char *from, const char *to)
{
    return fails(FAULT_RENAME) ? -1 : __real_rename(from, to);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*run)(void *arg), void *arg)
{
    return fails(FAULT_THREAD) ? armed.error : __real_pthread_create(thread, attributes, run, arg);
}

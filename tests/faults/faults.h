/* SPDX-License-Identifier: Apache-2.0 */
/*
 * faults: makes memory and file calls fail on request. The programs of this folder and the unit tests
 * are linked with --wrap, so that calls of the library and the commands go through faults.c:
 *
 *      malloc ... --> __wrap_malloc --> counted --> fails, if its turn has come --> malloc
 *
 * Allocations inside other libraries are neither counted nor failed. One fault is armed at a time, by
 * one thread; it may occur in any thread.
 */
#ifndef TT_TESTS_FAULTS_H
#define TT_TESTS_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(id, what fails) */
#define FAULT_CALL_INFO(X)                                                                         \
    X(FAULT_MEMORY, "memory")                                                                      \
    X(FAULT_OPEN, "open")                                                                          \
    X(FAULT_READ, "read")                                                                          \
    X(FAULT_WRITE, "write")                                                                        \
    X(FAULT_MAP, "mmap")                                                                           \
    X(FAULT_STAT, "fstat")                                                                         \
    X(FAULT_SEEK, "lseek")                                                                         \
    X(FAULT_DUP, "dup")                                                                            \
    X(FAULT_TEMPORARY, "mkstemp")                                                                  \
    X(FAULT_LINK, "link")                                                                          \
    X(FAULT_READLINK, "readlink")                                                                  \
    X(FAULT_SYNC, "fsync")                                                                         \
    X(FAULT_PATH, "stat")                                                                          \
    X(FAULT_RENAME, "rename")                                                                      \
    X(FAULT_THREAD, "pthread_create")

enum fault_call {
#define X(id, name) id,
    FAULT_CALL_INFO(X)
#undef X
        FAULT_CALL_COUNT
};

const char *fault_call_name(enum fault_call call);

struct fault {
    enum fault_call call;
    uint64_t nth; /* 1: the next one; 0: none */
    bool from_then_on;
    int error;     /* errno */
    bool trickle;  /* reads and writes transfer a few bytes at a time */
    bool restless; /* every other read and write is interrupted */
    /* Called before each call, in its thread, with its number from 1 on; or NULL. */
    void (*notify)(enum fault_call call, uint64_t number);
};

/* Resets the counts to 0 and arms the fault; NULL: none. */
void faults_arm(const struct fault *fault);
/* Disarms the fault; the counts stay. */
void faults_disarm(void);
/* Calls since faults_arm. */
uint64_t faults_calls(enum fault_call call);
bool faults_struck(void);

/* From now on, every file system has `bytes` bytes of free space. */
void faults_free_space(uint64_t bytes);

/* Memory allocated through faults.c and not freed. */
int64_t faults_live_blocks(void);
int64_t faults_live_bytes(void);
/* The peak of faults_live_bytes since faults_arm. */
int64_t faults_peak_bytes(void);

#endif

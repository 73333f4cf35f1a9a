/* SPDX-License-Identifier: Apache-2.0 */
/* object_kind: the kinds of objects that threads wait for (tracetui/objects.h). Constants. */
#ifndef TRACETUI_OBJECT_KIND_H
#define TRACETUI_OBJECT_KIND_H

/* Kinds of objects. X(id, name, one thread holds it) */
#define TT_OBJECT_KIND_INFO(X)                                                                     \
    X(TT_OBJECT_NONE, "none", false)                                                               \
    X(TT_OBJECT_MUTEX, "mutex", true)                                                              \
    X(TT_OBJECT_FAST_MUTEX, "fast mutex", true)                                                    \
    X(TT_OBJECT_RWLOCK, "rwlock", false)                                                           \
    X(TT_OBJECT_CONDVAR, "condvar", false)                                                         \
    X(TT_OBJECT_SEMAPHORE, "semaphore", false)                                                     \
    X(TT_OBJECT_BARRIER, "barrier", false)                                                         \
    X(TT_OBJECT_QUEUE, "queue", false)                                                             \
    X(TT_OBJECT_FLAGS, "event flags", false)                                                       \
    X(TT_OBJECT_BLOCK_POOL, "block pool", false)                                                   \
    X(TT_OBJECT_BYTE_POOL, "byte pool", false)

enum tt_object_kind {
#define X(id, name, held) id,
    TT_OBJECT_KIND_INFO(X)
#undef X
        TT_OBJECT_KINDS
};

#endif

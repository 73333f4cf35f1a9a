/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arg_names: the processes and threads to which the arguments of an event refer.
 *
 * A format lists its arguments with a meaning in a table (tt_references.args): a pid, the tid of a
 * process, the owner of a mutex, a connection. A name is what the capture shows for the number at
 * the time of the event; a number without a name stays without one.
 *
 *      KER_CALL MSG_SENDV        coid=0x3         -> front      the server of the message
 *      KER_CALL SYNC_MUTEX_LOCK  owner=393218     -> store/2 journal
 *      COMM     REPLY_MESSAGE    tid=1 pid=4100   -> ask, panel
 *
 * Cost: a few table rows and one lookup for each argument; for a connection the events of its call
 * are read, at most TT_ARG_CALL_REACH. Any thread, with a reader of its own.
 */
#ifndef TRACETUI_TRACE_ARG_NAMES_H
#define TRACETUI_TRACE_ARG_NAMES_H

#include "tracetui/format.h"
#include "tracetui/trace.h"

/* Events read after a call to find its message. */
#define TT_ARG_CALL_REACH 64u

struct tt_arg_target {
    uint32_t process;    /* process number, or UINT32_MAX */
    uint32_t thread;     /* thread number, or TT_NO_THREAD */
    const char *special; /* constant text of a value that is no thread: "free"; or NULL */
    uint8_t meaning;     /* enum tt_arg_meaning */
};

/*
 * Finds what argument `index` of a described event refers to. Returns false if it has no such
 * meaning, or if the process or thread is not in the capture.
 */
bool tt_arg_target(struct tt_events *events, const struct tt_event *event,
                   const struct tt_args *args, unsigned index, struct tt_arg_target *target);

/*
 * Sets the labels of a described event's arguments to the names that they refer to; tt_line_args
 * prints them after a blank ("pid=4102 fusion"). An existing label is kept. Names of the capture
 * are borrowed, others are in the scratch space; a name that does not fit there is left out.
 */
void tt_args_resolve(struct tt_events *events, const struct tt_event *event, struct tt_args *args);

/* Returns the rule of an argument by its name in events of a type; NULL: none. */
const struct tt_arg_rule *tt_arg_rule_of(const struct tt_capture *capture, uint32_t type,
                                         const char *name, size_t length);
/* Returns whether an argument of that name has the meaning in any event of the format. */
bool tt_arg_may_mean(const struct tt_format *format, const char *name, size_t length,
                     enum tt_arg_meaning meaning);

#endif

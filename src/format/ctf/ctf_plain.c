/* SPDX-License-Identifier: Apache-2.0 */
/* ctf_plain: events without a known meaning, and the names of events of any tracer. */
#include <string.h>

#include "format/ctf/ctf_internal.h"

void ctf_names_of(struct ctf_trace *trace, struct ctf_event *event, char between)
{
    struct ctf *d = trace->decoder;
    const char *colon = strrchr(event->name, ':');
    const char *first = strchr(event->name, between);
    event->class_name = "event";
    event->shown_name = event->name[0] ? event->name : "(unnamed)";
    if (colon && colon > event->name && colon[1]) {
        event->class_name = ctf_text(d, event->name, (size_t)(colon - event->name));
        event->shown_name = colon + 1;
    } else if (between && first && first > event->name) {
        event->class_name = ctf_text(d, event->name, (size_t)(first - event->name));
    }
}

static bool is_of(const struct ctf_trace *trace)
{
    (void)trace;
    return true;
}

static void mean(struct ctf_trace *trace, struct ctf_event *event)
{
    ctf_names_of(trace, event, '\0');
}

const struct ctf_tracer ctf_plain = {.name = "unknown", .is_of = is_of, .mean = mean};

/* SPDX-License-Identifier: Apache-2.0 */
/* ctf_tsdl: declarations of CTF 1.8, in one pass over the tokens. The names of types of a block end with it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/ctf/ctf_tsdl.h"

/* ---- blocks --------------------------------------------------------------------------------- */

/* Takes an assignment of a block: `type` of name := type, `value` of name = value. */
typedef void take_item(struct ctf_tsdl *p, void *block, const char *name, struct ctf_class *type,
                       const struct ctf_value *value);

/* Reads the items of a block. */
static bool read_block(struct ctf_tsdl *p, void *block, take_item *take)
{
    const struct ctf_type_name *mark = p->newest;
    if (!ctf_tsdl_expect(p, '{')) {
        return false;
    }
    while (!ctf_tsdl_sign(p, '}')) {
        struct ctf_words name = {.count = 0};
        struct ctf_value value = {.text = ""};
        if (ctf_tsdl_alias(p)) {
            continue;
        }
        if (ctf_tsdl_failed(p)) {
            return false;
        }
        if (ctf_token_is(&p->tokens, "struct") || ctf_token_is(&p->tokens, "enum") ||
            ctf_token_is(&p->tokens, "variant")) {
            if (!ctf_tsdl_type(p, NULL) || !ctf_tsdl_expect(p, ';')) {
                return false;
            }
            continue;
        }
        if (p->tokens.token.kind == CTF_TOKEN_TEXT) { /* a key of env in quotes */
            const char *text = ctf_tsdl_texts(p);
            snprintf(name.text, sizeof name.text, "%s", text ? text : "");
        } else if (!ctf_tsdl_path(p, &name)) {
            return false;
        }
        if (p->tokens.token.kind == CTF_TOKEN_ASSIGN) {
            ctf_tokens_next(&p->tokens);
            struct ctf_class *type = ctf_tsdl_type(p, NULL);
            if (!type) {
                return false;
            }
            take(p, block, name.text, type, &value);
        } else if (ctf_tsdl_expect(p, '=') && ctf_tsdl_value(p, &value)) {
            take(p, block, name.text, NULL, &value);
        }
        if (ctf_tsdl_failed(p) || !ctf_tsdl_expect(p, ';')) {
            return false;
        }
    }
    ctf_tsdl_end_scope(p, mark);
    return ctf_tsdl_expect(p, ';');
}

static void take_trace(struct ctf_tsdl *p, void *block, const char *name, struct ctf_class *type,
                       const struct ctf_value *value)
{
    struct ctf_trace *trace = block;
    if (strcmp(name, "packet.header") == 0) {
        trace->packet_header = type;
    } else if (strcmp(name, "byte_order") == 0) {
        unsigned order = ctf_tsdl_order(value->text);
        trace->big = order == CTF_BIG;
        trace->has_order = order != CTF_NATIVE;
    } else if (strcmp(name, "uuid") == 0) {
        trace->has_uuid = ctf_read_uuid(value->text, trace->uuid);
    } else if (strcmp(name, "major") == 0 && value->number != 1) {
        ctf_tsdl_fail(p, "the version is not 1.8");
    }
}

static void take_env(struct ctf_tsdl *p, void *block, const char *name, struct ctf_class *type,
                     const struct ctf_value *value)
{
    struct ctf_entry ***link = block;
    struct ctf_entry *entry = ctf_new(p->d, sizeof *entry);
    (void)type;
    if (entry && (entry->key = ctf_text(p->d, name, strlen(name)))) {
        entry->text = value->is_number ? NULL : value->text;
        entry->number = (int64_t)value->number;
        **link = entry;
        *link = &entry->next;
    }
}

static void take_clock(struct ctf_tsdl *p, void *block, const char *name, struct ctf_class *type,
                       const struct ctf_value *value)
{
    struct ctf_clock *clock = block;
    (void)type;
    (void)p;
    if (strcmp(name, "name") == 0) {
        clock->name = value->text;
    } else if (strcmp(name, "uuid") == 0) {
        clock->uid = value->text;
    } else if (strcmp(name, "description") == 0) {
        clock->description = value->text;
    } else if (strcmp(name, "freq") == 0) {
        clock->freq = value->number;
    } else if (strcmp(name, "offset_s") == 0) {
        clock->offset_s = (int64_t)value->number;
    } else if (strcmp(name, "offset") == 0) {
        clock->offset = value->number;
    }
}

static void take_stream(struct ctf_tsdl *p, void *block, const char *name, struct ctf_class *type,
                        const struct ctf_value *value)
{
    struct ctf_stream_class *of = block;
    (void)p;
    if (strcmp(name, "id") == 0) {
        of->id = value->number;
    } else if (strcmp(name, "event.header") == 0) {
        of->classes[CTF_EVENT_HEADER] = type;
    } else if (strcmp(name, "event.context") == 0) {
        of->classes[CTF_COMMON_CONTEXT] = type;
    } else if (strcmp(name, "packet.context") == 0) {
        of->classes[CTF_PACKET_CONTEXT] = type;
    }
}

static void take_event(struct ctf_tsdl *p, void *block, const char *name, struct ctf_class *type,
                       const struct ctf_value *value)
{
    struct ctf_event *event = block;
    (void)p;
    if (strcmp(name, "name") == 0) {
        event->name = value->text;
    } else if (strcmp(name, "id") == 0) {
        event->id = value->number;
    } else if (strcmp(name, "stream_id") == 0) {
        event->stream_id = value->number;
    } else if (strcmp(name, "context") == 0) {
        event->context = type;
    } else if (strcmp(name, "fields") == 0) {
        event->payload = type;
    }
}

static void take_nothing(struct ctf_tsdl *p, void *block, const char *name, struct ctf_class *type,
                         const struct ctf_value *value)
{
    (void)p;
    (void)block;
    (void)name;
    (void)type;
    (void)value;
}

static void read_event(struct ctf_tsdl *p)
{
    struct ctf_event *event = ctf_new(p->d, sizeof *event);
    if (!event || ++p->trace->event_count > CTF_EVENTS) {
        ctf_tsdl_fail(p, "too many events");
        return;
    }
    event->name = "";
    if (read_block(p, event, take_event)) {
        event->next = p->trace->declared;
        p->trace->declared = event;
    }
}

static void read_stream(struct ctf_tsdl *p)
{
    struct ctf_stream_class *of = ctf_new(p->d, sizeof *of);
    if (of && read_block(p, of, take_stream)) {
        if (ctf_stream_class(p->trace, of->id) || ++p->trace->stream_count > CTF_STREAMS) {
            ctf_tsdl_fail(p, "two streams have one id, or there are too many");
        }
        of->trace = p->trace;
        of->next = p->trace->streams;
        p->trace->streams = of;
    }
}

static void read_clock(struct ctf_tsdl *p)
{
    struct ctf_clock *clock = ctf_new(p->d, sizeof *clock), **link = &p->trace->clocks;
    if (clock) {
        clock->freq = UINT64_C(1000000000);
        if (read_block(p, clock, take_clock)) {
            while (*link) {
                link = &(*link)->next;
            }
            *link = clock;
        }
    }
}

/* Reads a declaration at the top. */
static void read_declaration(struct ctf_tsdl *p)
{
    if (ctf_tsdl_word(p, "trace")) {
        read_block(p, p->trace, take_trace);
    } else if (ctf_tsdl_word(p, "env")) {
        struct ctf_entry **link = &p->trace->env;
        while (*link) {
            link = &(*link)->next;
        }
        read_block(p, &link, take_env);
    } else if (ctf_tsdl_word(p, "clock")) {
        read_clock(p);
    } else if (ctf_tsdl_word(p, "stream")) {
        read_stream(p);
    } else if (ctf_tsdl_word(p, "event")) {
        read_event(p);
    } else if (ctf_tsdl_word(p, "callsite")) {
        read_block(p, NULL, take_nothing);
    } else if (!ctf_tsdl_alias(p) && !ctf_tsdl_failed(p) && !ctf_tsdl_sign(p, ';') &&
               ctf_tsdl_type(p, NULL)) {
        ctf_tsdl_expect(p, ';');
    }
}

struct tt_status ctf_tsdl_read(struct ctf_trace *trace, const char *text, size_t length)
{
    struct ctf_tsdl *p = calloc(1, sizeof *p);
    if (!p) {
        return tt_error_memory();
    }
    p->d = trace->decoder;
    p->trace = trace;
    p->tokens = ctf_tokens_of(text, length);
    unsigned declarations = 0;
    while (p->tokens.token.kind != CTF_TOKEN_END && !ctf_tsdl_failed(p)) {
        read_declaration(p);
        declarations++;
    }
    struct tt_status status = tt_ok();
    if (p->d->no_memory) {
        status = tt_error_memory();
    } else if (p->failure[0] && p->tokens.token.kind == CTF_TOKEN_END && trace->declared) {
        /* A recorder that was interrupted: what was declared before counts. */
        tt_health_add(p->d->capture, TT_HEALTH_TRUNCATED, length, 0, p->tokens.line,
                      "line of metadata that end in a declaration");
    } else if (p->failure[0]) {
        status = tt_error(TT_ERR_FORMAT, "metadata, line %u: %s", p->tokens.line, p->failure);
    }
    free(p);
    return status;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* ctf_tsdl: declarations of CTF 1.8, in one pass over the tokens. The names of types of a block end with it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/ctf/ctf_tsdl.h"

/* ---- blocks --------------------------------------------------------------------------------- */

/* Takes an assignment of a block: `type` of name := type, `value` of name = value. */
typedef void set_item(struct ctf_tsdl *tsdl, void *block, const char *name, struct ctf_class *type,
                      const struct ctf_value *value);

/* Reads the items of a block. */
static bool read_block(struct ctf_tsdl *tsdl, void *block, set_item *take)
{
    const struct ctf_type_name *mark = tsdl->newest;
    if (!ctf_tsdl_expect(tsdl, '{')) {
        return false;
    }
    while (!ctf_tsdl_sign(tsdl, '}')) {
        struct ctf_words name = {.count = 0};
        struct ctf_value value = {.text = ""};
        if (ctf_tsdl_alias(tsdl)) {
            continue;
        }
        if (ctf_tsdl_failed(tsdl)) {
            return false;
        }
        if (ctf_token_is(&tsdl->tokens, "struct") || ctf_token_is(&tsdl->tokens, "enum") ||
            ctf_token_is(&tsdl->tokens, "variant")) {
            if (!ctf_tsdl_type(tsdl, NULL) || !ctf_tsdl_expect(tsdl, ';')) {
                return false;
            }
            continue;
        }
        if (tsdl->tokens.token.kind == CTF_TOKEN_TEXT) { /* a key of env in quotes */
            const char *text = ctf_tsdl_texts(tsdl);
            snprintf(name.text, sizeof name.text, "%s", text ? text : "");
        } else if (!ctf_tsdl_path(tsdl, &name)) {
            return false;
        }
        if (tsdl->tokens.token.kind == CTF_TOKEN_ASSIGN) {
            ctf_tokens_next(&tsdl->tokens);
            struct ctf_class *type = ctf_tsdl_type(tsdl, NULL);
            if (!type) {
                return false;
            }
            take(tsdl, block, name.text, type, &value);
        } else if (ctf_tsdl_expect(tsdl, '=') && ctf_tsdl_value(tsdl, &value)) {
            take(tsdl, block, name.text, NULL, &value);
        }
        if (ctf_tsdl_failed(tsdl) || !ctf_tsdl_expect(tsdl, ';')) {
            return false;
        }
    }
    ctf_tsdl_end_scope(tsdl, mark);
    return ctf_tsdl_expect(tsdl, ';');
}

static void set_trace(struct ctf_tsdl *tsdl, void *block, const char *name, struct ctf_class *type,
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
        ctf_tsdl_fail(tsdl, "the version is not 1.8");
    }
}

static void set_env(struct ctf_tsdl *tsdl, void *block, const char *name, struct ctf_class *type,
                    const struct ctf_value *value)
{
    struct ctf_entry ***link = block;
    struct ctf_entry *entry = ctf_new(tsdl->d, sizeof *entry);
    (void)type;
    if (entry && (entry->key = ctf_text(tsdl->d, name, strlen(name)))) {
        entry->text = value->is_number ? NULL : value->text;
        entry->number = (int64_t)value->number;
        **link = entry;
        *link = &entry->next;
    }
}

static void set_clock(struct ctf_tsdl *tsdl, void *block, const char *name, struct ctf_class *type,
                      const struct ctf_value *value)
{
    struct ctf_clock *clock = block;
    (void)type;
    (void)tsdl;
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

static void set_stream(struct ctf_tsdl *tsdl, void *block, const char *name, struct ctf_class *type,
                       const struct ctf_value *value)
{
    struct ctf_stream_class *of = block;
    (void)tsdl;
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

static void set_event(struct ctf_tsdl *tsdl, void *block, const char *name, struct ctf_class *type,
                      const struct ctf_value *value)
{
    struct ctf_event *event = block;
    (void)tsdl;
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

static void set_nothing(struct ctf_tsdl *tsdl, void *block, const char *name,
                        struct ctf_class *type, const struct ctf_value *value)
{
    (void)tsdl;
    (void)block;
    (void)name;
    (void)type;
    (void)value;
}

static void ctf_tsdl_read_event(struct ctf_tsdl *tsdl)
{
    struct ctf_event *event = ctf_new(tsdl->d, sizeof *event);
    if (!event || ++tsdl->trace->event_count > CTF_EVENTS) {
        ctf_tsdl_fail(tsdl, "too many events");
        return;
    }
    event->name = "";
    if (read_block(tsdl, event, set_event)) {
        event->next = tsdl->trace->declared;
        tsdl->trace->declared = event;
    }
}

static void ctf_tsdl_read_stream(struct ctf_tsdl *tsdl)
{
    struct ctf_stream_class *of = ctf_new(tsdl->d, sizeof *of);
    if (of && read_block(tsdl, of, set_stream)) {
        if (ctf_stream_class(tsdl->trace, of->id) || ++tsdl->trace->stream_count > CTF_STREAMS) {
            ctf_tsdl_fail(tsdl, "two streams have one id, or there are too many");
        }
        of->trace = tsdl->trace;
        of->next = tsdl->trace->streams;
        tsdl->trace->streams = of;
    }
}

static void read_clock(struct ctf_tsdl *tsdl)
{
    struct ctf_clock *clock = ctf_new(tsdl->d, sizeof *clock), **link = &tsdl->trace->clocks;
    if (clock) {
        clock->name = "";
        clock->freq = UINT64_C(1000000000);
        if (read_block(tsdl, clock, set_clock)) {
            while (*link) {
                link = &(*link)->next;
            }
            *link = clock;
        }
    }
}

struct tt_status ctf_tsdl_read(struct ctf_trace *trace, const char *text, size_t length)
{
    struct ctf_tsdl *tsdl = calloc(1, sizeof *tsdl);
    if (!tsdl) {
        return tt_error_memory();
    }
    tsdl->d = trace->decoder;
    tsdl->trace = trace;
    tsdl->tokens = ctf_tokens_of(text, length);
    unsigned declarations = 0;
    while (tsdl->tokens.token.kind != CTF_TOKEN_END && !ctf_tsdl_failed(tsdl)) {
        /* Reads a declaration at the top. */
        if (ctf_tsdl_word(tsdl, "trace")) {
            read_block(tsdl, tsdl->trace, set_trace);
        } else if (ctf_tsdl_word(tsdl, "env")) {
            struct ctf_entry **link = &tsdl->trace->env;
            while (*link) {
                link = &(*link)->next;
            }
            read_block(tsdl, &link, set_env);
        } else if (ctf_tsdl_word(tsdl, "clock")) {
            read_clock(tsdl);
        } else if (ctf_tsdl_word(tsdl, "stream")) {
            ctf_tsdl_read_stream(tsdl);
        } else if (ctf_tsdl_word(tsdl, "event")) {
            ctf_tsdl_read_event(tsdl);
        } else if (ctf_tsdl_word(tsdl, "callsite")) {
            read_block(tsdl, NULL, set_nothing);
        } else if (!ctf_tsdl_alias(tsdl) && !ctf_tsdl_failed(tsdl) && !ctf_tsdl_sign(tsdl, ';') &&
                   ctf_tsdl_type(tsdl, NULL)) {
            ctf_tsdl_expect(tsdl, ';');
        }

        declarations++;
    }
    struct tt_status status = tt_ok();
    if (tsdl->d->no_memory) {
        status = tt_error_memory();
    } else if (tsdl->failure[0] && tsdl->tokens.token.kind == CTF_TOKEN_END && trace->declared) {
        /* A recorder that was interrupted: what was declared before counts. */
        tt_health_add(tsdl->d->capture, TT_HEALTH_TRUNCATED, length, 0, tsdl->tokens.line,
                      "line of metadata that end in a declaration");
    } else if (tsdl->failure[0]) {
        status = tt_error(TT_ERR_FORMAT, "metadata, line %u: %s", tsdl->tokens.line, tsdl->failure);
    }
    free(tsdl);
    return status;
}

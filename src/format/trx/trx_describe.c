/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trx_describe: the arguments of an entry: its information words by name, then, hidden, the fields
 * that every entry has (priority, threshold, raw time, next context).
 */
#include <string.h>

#include "format/trx/trx_internal.h"
#include "tracetui/object_kind.h"

struct describer {
    const struct tt_capture *c;
    const struct trx_decoder *d;
    const struct trx_entry *entry;
    struct tt_args *args;
};

/* Adds an argument for word `word` of the entry. */
static struct tt_arg *trx_describe_add_word(const struct describer *describer, const char *name,
                                            unsigned word, uint64_t value, unsigned type)
{
    struct tt_arg *arg = tt_args_add(describer->args, name);
    if (arg) {
        arg->type = (uint8_t)type;
        arg->value.u = value;
        arg->raw_offset = word * describer->d->header.word;
        arg->raw_length = describer->d->header.word;
    }
    return arg;
}

static void trx_describe_label_text(struct tt_arg *arg, const char *text)
{
    if (text) {
        tt_arg_label(arg, text, (uint32_t)strlen(text));
    }
}

/* Labels an argument with the name of the object at its address. */
static bool trx_describe_label_object(const struct describer *describer, struct tt_arg *arg,
                                      unsigned arg_type)
{
    const struct trx_object *object =
        arg->value.u
            ? trx_registry_find(&describer->d->registry, arg->value.u, trx_arg_objects(arg_type))
            : NULL;
    if (!object || object->name == 0) {
        return false;
    }
    size_t length;
    const char *name = tt_capture_text(describer->c, object->name, &length);
    tt_arg_label(arg, name, (uint32_t)length);
    return true;
}

static char *trx_describe_put_number(char *at, unsigned value)
{
    if (value >= 100) {
        *at++ = (char)('0' + value / 100);
    }
    if (value >= 10) {
        *at++ = (char)('0' + value / 10 % 10);
    }
    *at++ = (char)('0' + value % 10);
    return at;
}

static unsigned shown_type(unsigned arg_type)
{
    switch (arg_type) {
    case TRX_ARG_NONE:
    case TRX_ARG_HEX:
    case TRX_ARG_IPV4:
        return TT_ARG_HEX;
    case TRX_ARG_DECIMAL:
    case TRX_ARG_WAIT:
    case TRX_ARG_STATE:
    case TRX_ARG_SOCKET_STATE:
    case TRX_ARG_GET_OPTION:
    case TRX_ARG_SET_OPTION:
    case TRX_ARG_INHERIT:
    case TRX_ARG_ACTIVATE:
    case TRX_ARG_OPEN_TYPE:
        return TT_ARG_U64;
    default:
        return TT_ARG_POINTER;
    }
}

static bool may_be_address(unsigned arg_type)
{
    return shown_type(arg_type) != TT_ARG_U64;
}

static void trx_describe_add_info(const struct describer *describer,
                                  const struct trx_arg_info *info, unsigned index)
{
    static const char *const unnamed[4] = {"info1", "info2", "info3", "info4"};
    uint64_t value = describer->entry->info[index];
    struct tt_arg *arg = trx_describe_add_word(describer, info->name ? info->name : unnamed[index],
                                               4 + index, value, shown_type(info->type));
    if (!arg) {
        return;
    }
    /* An unused word is shown only if it is not 0. */
    arg->hidden = !info->name && value == 0;
    trx_describe_label_text(arg, trx_value_name(info->type, value));
    if (arg->label.length == 0 && may_be_address(info->type) &&
        !trx_describe_label_object(describer, arg, info->type) && info->type == TRX_ARG_IPV4) {
        char text[16];
        char *at = text;
        if (arg->value.u > UINT32_MAX) {
            return;
        }
        for (int shift = 24; shift >= 0; shift -= 8) {
            at = trx_describe_put_number(at, (unsigned)(arg->value.u >> shift) & 0xff);
            *at++ = '.';
        }
        uint32_t length = (uint32_t)(at - text) - 1;
        char *kept = tt_args_scratch(describer->args, length);
        if (kept) {
            memcpy(kept, text, length);
            tt_arg_label(arg, kept, length);
        }
    }
}

static void hide(struct tt_arg *arg)
{
    if (arg) {
        arg->hidden = 1;
    }
}

static void trx_describe_add_priority(const struct describer *describer)
{
    uint64_t word = describer->entry->priority;
    if (describer->entry->context == TRX_ADDRESS_ISR) {
        struct tt_arg *arg =
            trx_describe_add_word(describer, "interrupted", 1, word, TT_ARG_POINTER);
        if (arg) {
            /* 0: the core was idle, or the kernel does not record it. */
            arg->hidden = word == 0;
            trx_describe_label_object(describer, arg, TRX_ARG_THREAD);
        }
        return;
    }
    if (describer->entry->context == TRX_ADDRESS_INIT) {
        return;
    }
    hide(trx_describe_add_word(describer, "priority", 1, trx_priority_of(word), TT_ARG_U64));
    if (trx_threshold_of(word) != TRX_NO_PRIORITY) {
        hide(trx_describe_add_word(describer, "threshold", 1, trx_threshold_of(word), TT_ARG_U64));
    }
}

static void add_next(const struct describer *describer, const struct trx_step *step)
{
    struct tt_arg *arg =
        step->next != TRX_CROWD ? tt_args_add(describer->args, "next_context") : NULL;
    if (!arg) {
        return;
    }
    arg->hidden = 1;
    arg->type = TT_ARG_POINTER;
    arg->value.u = describer->d->contexts.items[step->next].address;
    if (step->next == TRX_IDLE) {
        trx_describe_label_text(arg, "idle");
    } else if (step->next == TRX_ISR || step->next == TRX_INIT) {
        trx_describe_label_text(arg, step->next == TRX_ISR ? "Interrupt" : "Initialize");
    } else {
        trx_describe_label_object(describer, arg, TRX_ARG_THREAD);
    }
}

bool trx_describe(const struct tt_capture *capture, const struct tt_event *event, uint64_t limit,
                  struct tt_args *args)
{
    const struct trx_decoder *decoder = capture->decoder;
    uint64_t index = event->pos / decoder->header.entry_size;
    struct trx_entry entry;
    tt_args_clear(args);
    if (index >= atomic_load_explicit(&decoder->ready, memory_order_acquire)) {
        return false;
    }
    if (event->flags & TT_EVENT_DERIVED) {
        return true;
    }
    uint64_t end = decoder->image ? capture->bytes.size : limit;
    uint64_t offset = trx_entry_offset(decoder, index);
    if (offset > end || end - offset < decoder->header.entry_size) {
        return false;
    }
    trx_entry_load(&decoder->header, capture->bytes.data + offset, &entry);
    struct describer s = {capture, decoder, &entry, args};
    const struct trx_event_info *info = trx_type_info(decoder, trx_id_of(entry.event));
    for (unsigned i = 0; i < 4; i++) {
        trx_describe_add_info(&s, &info->args[i], i);
    }
    trx_describe_add_priority(&s);
    hide(trx_describe_add_word(&s, "event", 2, entry.event, TT_ARG_HEX));
    hide(trx_describe_add_word(&s, "time_stamp", 3, entry.stamp, TT_ARG_HEX));
    hide(trx_describe_add_word(&s, "context", 0, entry.context, TT_ARG_POINTER));
    add_next(&s, &decoder->plan.steps[index]);
    return true;
}

/* ---- objects ------------------------------------------------------------------------------ */

const char *trx_object_name(const struct tt_capture *capture, unsigned kind, uint64_t id,
                            size_t *length)
{
    static const uint8_t args[TT_OBJECT_KINDS] = {
        [TT_OBJECT_MUTEX] = TRX_ARG_MUTEX,           [TT_OBJECT_SEMAPHORE] = TRX_ARG_SEMAPHORE,
        [TT_OBJECT_QUEUE] = TRX_ARG_QUEUE,           [TT_OBJECT_FLAGS] = TRX_ARG_EVENT_FLAGS,
        [TT_OBJECT_BLOCK_POOL] = TRX_ARG_BLOCK_POOL, [TT_OBJECT_BYTE_POOL] = TRX_ARG_BYTE_POOL,
    };
    const struct trx_decoder *decoder = capture->decoder;
    const struct trx_object *object =
        kind < TT_OBJECT_KINDS
            ? trx_registry_find(&decoder->registry, id, trx_arg_objects(args[kind]))
            : NULL;
    return object && object->name != 0 ? tt_capture_text(capture, object->name, length) : NULL;
}

void trx_message_id(uint64_t id, struct tt_message_id *parts)
{
    parts->connection = id;
}

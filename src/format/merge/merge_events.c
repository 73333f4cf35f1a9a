/* SPDX-License-Identifier: Apache-2.0 */
#include "format/merge/merge_events.h"

#include <string.h>

/* An event of a member, as its format sees it. */
struct own {
    unsigned number; /* of the member */
    const struct tt_merge_member *member;
    const struct tt_capture *capture;
    const struct tt_format *format;
    struct tt_event event;
    uint64_t limit;
};

static struct own own_of(const struct tt_capture *capture, const struct tt_event *event,
                         uint64_t limit)
{
    struct own own = {.number = tt_merge_at(capture->merge, event->pos)};
    own.member = &capture->merge->members[own.number];
    own.capture = tt_merge_own(capture, event, &own.event);
    own.format = own.capture->format;
    own.limit = merge_limit(capture, own.number, limit);
    return own;
}

static bool merge_events_describe(const struct tt_capture *capture, const struct tt_event *event,
                                  uint64_t limit, struct tt_args *args)
{
    struct own own = own_of(capture, event, limit);
    return own.format->describe(own.capture, &own.event, own.limit, args);
}

static uint32_t parts(const struct tt_capture *capture, const struct tt_event *event,
                      uint64_t limit, struct tt_part *found, uint32_t max)
{
    struct own own = own_of(capture, event, limit);
    uint32_t count = tt_capture_parts(own.capture, &own.event, own.limit, found, max);
    for (uint32_t i = 0; i < count && i < max; i++) {
        found[i].offset += own.capture->file_base;
    }
    return count;
}

static uint64_t offset(const struct tt_capture *capture, uint64_t pos)
{
    const struct tt_capture *own = merge_member_at(capture, pos)->capture;
    return own->file_base + tt_capture_offset(own, pos - own->base);
}

static uint32_t merge_events_edges(const struct tt_capture *capture, const struct tt_event *event,
                                   uint64_t limit, struct tt_edge *found)
{
    struct own own = own_of(capture, event, limit);
    if (!own.format->edges) {
        return 0;
    }
    uint32_t count = own.format->edges(own.capture, &own.event, own.limit, found);
    uint64_t salt = tt_merge_salt(capture->merge, own.number);
    for (uint32_t i = 0; i < count; i++) {
        struct tt_event place = own.event;
        place.cpu = found[i].cpu;
        merge_map_event(own.member, &place);
        found[i].cpu = place.cpu;
        found[i].key ^= salt;
        found[i].ticks = tt_clock_map_span(&own.member->clock, found[i].ticks);
    }
    return count;
}

static void merge_events_clue(const struct tt_capture *capture, const struct tt_event *event,
                              uint64_t limit, bool with_details, struct tt_clue *found)
{
    struct own own = own_of(capture, event, limit);
    if (!own.format->clue) {
        return;
    }
    own.format->clue(own.capture, &own.event, own.limit, with_details, found);
}

static uint32_t arg_owner(const struct tt_capture *capture, const struct tt_event *event,
                          uint64_t value, const char **special)
{
    struct own own = own_of(capture, event, UINT64_MAX);
    return own.format->refers.arg_owner
               ? own.format->refers.arg_owner(own.capture, &own.event, value, special)
               : TT_NO_THREAD;
}

static bool is_owner(const struct tt_capture *capture, uint32_t thread, uint32_t owner)
{
    const struct tt_capture *own =
        capture->merge->members[tt_merge_of_thread(capture, thread)].capture;
    return !own->format->refers.is_owner || own->format->refers.is_owner(own, thread, owner);
}

static int32_t weight(const struct tt_capture *capture, uint32_t thread, int16_t priority)
{
    const struct tt_capture *own =
        capture->merge->members[tt_merge_of_thread(capture, thread)].capture;
    return own->format->refers.weight ? own->format->refers.weight(own, thread, priority)
                                      : priority;
}

/* Members of one system have the same objects; of others, the caller finds the member (tt_merge_system). */
static const char *object_name(const struct tt_capture *capture, unsigned kind, uint64_t id,
                               size_t *length)
{
    const char *name = NULL;
    for (unsigned i = 0; i < capture->merge->count && !name; i++) {
        const struct tt_capture *own = capture->merge->members[i].capture;
        name = own->format->refers.object_name
                   ? own->format->refers.object_name(own, kind, id, length)
                   : NULL;
    }
    return name;
}

/* Each file that grows has streams of its own, since one file may be written later than another. */
static uint32_t stream(const struct tt_capture *capture, const struct tt_event *event)
{
    const struct own own = own_of(capture, event, UINT64_MAX);
    return tt_capture_stream(own.capture, &own.event) * capture->merge->count + own.number;
}

/* ---- properties ----------------------------------------------------------------------------- */

/* Properties of a merged capture if one member has them, and if all have them. */
enum {
    OF_ONE = TT_FORMAT_LOCAL_IDS | TT_FORMAT_SUMS | TT_FORMAT_REPLIES | TT_FORMAT_GUESTS,
    OF_ALL = TT_FORMAT_NO_PROCESSES | TT_FORMAT_NO_WAKERS | TT_FORMAT_FLOWS,
};

void merge_format_set(struct merge_decoder *decoder)
{
    struct tt_format *format = &decoder->format;
    const struct tt_format *first = decoder->merge.members[0].capture->format;
    format->name = "merge";
    format->title = "merged capture";
    format->extensions = "";
    format->cursor_new = merge_cursor_new;
    format->cursor_free = merge_cursor_free;
    format->cursor_save = merge_cursor_save;
    format->cursor_load = merge_cursor_load;
    format->cursor_pos = merge_cursor_pos;
    format->decode = merge_decode;
    format->describe = merge_events_describe;
    format->parts = parts;
    format->tape.stream = decoder->map ? stream : NULL;
    format->flags |= TT_FORMAT_LATE_LANES | OF_ALL | (first->flags & TT_FORMAT_LOW_IS_URGENT);
    for (unsigned i = 0; i < decoder->merge.count; i++) {
        /* Adds the functions of a member's format to those that the merged capture has. */
        const struct tt_capture *own = decoder->merge.members[i].capture;
        const struct tt_format *from = own->format;
        const struct tt_references *has = &from->refers;
        struct tt_format *to = &decoder->format;
        struct tt_references *refers = &to->refers;
        const bool is_beside = i > 0 && tt_format_has(from, TT_FORMAT_LOG);
        to->flags &= is_beside ? to->flags : from->flags | ~(uint32_t)OF_ALL;
        to->flags |= from->flags & OF_ONE;
        to->edges = from->edges ? merge_events_edges : to->edges;
        to->clue = from->clue ? merge_events_clue : to->clue;
        refers->arg_owner = has->arg_owner ? arg_owner : refers->arg_owner;
        refers->is_owner = has->is_owner ? is_owner : refers->is_owner;
        refers->object_name = has->object_name ? object_name : refers->object_name;
        refers->weight = has->weight ? weight : refers->weight;
        refers->args = refers->args ? refers->args : has->args;
        refers->error_name = refers->error_name ? refers->error_name : has->error_name;
        refers->message_id = refers->message_id ? refers->message_id : has->message_id;
        to->tool.message_records =
            to->tool.message_records ? to->tool.message_records : from->tool.message_records;
        to->tape.offset =
            from->tape.offset || own->base != own->file_base ? offset : to->tape.offset;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/message.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "tracetui/text.h"

/* A path of PATH_MAX bytes, each of them escaped, and the reason. */
#define MESSAGE_BYTES (4 * 4096 + 1024)
#define ESCAPED_BYTES (MESSAGE_BYTES + 4 * sizeof((struct tt_status *)0)->text)

static void begin(struct tt_text *text, const char *path, uint64_t offset)
{
    tt_text_str(text, "tracetui: ");
    if (path) {
        tt_text_escaped(text, path, strlen(path));
        tt_text_str(text, ": ");
    }
    if (offset != TT_NO_OFFSET) {
        tt_text_str(text, "offset 0x");
        tt_text_hex(text, offset, 1);
        tt_text_str(text, ": ");
    }
}

/*
 * The one way to standard error: whatever a message quotes (an option's value, a key of a file, a
 * name in a folder), no control character gets through. That this failed cannot be reported.
 */
static void send(const struct tt_text *message)
{
    char buffer[ESCAPED_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer - 1);
    tt_text_printable(&text, message->buffer, message->used);
    buffer[text.used++] = '\n';
    for (size_t done = 0; done < text.used;) {
        ssize_t n = write(STDERR_FILENO, buffer + done, text.used - done);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return;
        }
        done += (size_t)n;
    }
}

void tt_message_error(const char *path, const struct tt_status *status)
{
    char buffer[MESSAGE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    begin(&text, path, status->offset);
    tt_text_str(&text, status->text);
    send(&text);
}

static uint64_t count_damage(const struct tt_capture *c)
{
    uint64_t count = 0;
    for (unsigned kind = 0; kind < TT_HEALTH_COUNT; kind++) {
        if (tt_health_is_damage(kind)) {
            count += tt_health_count(c, (enum tt_health_kind)kind);
        }
    }
    return count;
}

/* Is `a` to be named before `b`? The file around the capture comes first: its offsets are others.
 */
static bool comes_before(const struct tt_health_record *a, const struct tt_health_record *b)
{
    bool around = a->kind == TT_HEALTH_CONTAINER;
    if (around != (b->kind == TT_HEALTH_CONTAINER)) {
        return around;
    }
    return a->offset < b->offset;
}

/* The damage nearest to the start among the records kept; false if none was kept. */
static bool first_damage(const struct tt_capture *c, struct tt_health_record *first)
{
    bool found = false;
    uint32_t kept = tt_health_kept(c);
    for (uint32_t i = 0; i < kept; i++) {
        struct tt_health_record record = tt_health_at(c, i);
        if (tt_health_is_damage(record.kind) && (!found || comes_before(&record, first))) {
            *first = record;
            found = true;
        }
    }
    return found;
}

void tt_message_damage(const char *path, const struct tt_capture *c)
{
    char buffer[MESSAGE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    struct tt_health_record first = {0};
    uint64_t count = count_damage(c);
    if (first_damage(c, &first)) {
        begin(&text, path, first.offset);
        tt_text_str(&text, tt_health_text(first.kind));
        if (first.detail) {
            tt_text_str(&text, ": ");
            tt_text_str(&text, first.detail);
        }
    } else {
        begin(&text, path, TT_NO_OFFSET);
        tt_text_str(&text, "damaged");
    }
    if (count > 1) {
        tt_text_str(&text, " (and ");
        tt_text_grouped(&text, count - 1);
        tt_text_str(&text, " more: see tracetui info)");
    }
    send(&text);
}

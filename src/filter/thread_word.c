/* SPDX-License-Identifier: Apache-2.0 */
#include "filter/thread_word.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tracetui/event_line.h"

/* A part of a --thread word: a number, a name, or both. */
struct word {
    const char *text;
    size_t length;
    bool is_number;
    uint64_t number;
};

static struct word word_of(const char *text, size_t length)
{
    struct word w = {text, length, false, 0};
    char digits[32];
    if (length > 0 && length < sizeof digits && text[0] >= '0' && text[0] <= '9') {
        memcpy(digits, text, length);
        digits[length] = '\0';
        char *end;
        errno = 0;
        w.number = strtoull(digits, &end, 0);
        w.is_number = *end == '\0' && errno == 0;
    }
    return w;
}

static bool word_is_name(const struct word *w, const struct tt_capture *c, tt_string name)
{
    size_t length;
    const char *text = tt_capture_text(c, name, &length);
    return name != 0 && length == w->length && memcmp(text, w->text, length) == 0;
}

/* By number, path or base name. */
static bool is_process(const struct word *w, const struct tt_capture *c, uint32_t process)
{
    const struct tt_process *p = tt_process_at(c, process);
    size_t length;
    const char *base = tt_process_base_name(c, p, &length);
    return (w->is_number && w->number == p->pid) ||
           (length > 0 && length == w->length && memcmp(base, w->text, length) == 0) ||
           word_is_name(w, c, atomic_load_explicit(&p->name, memory_order_acquire));
}

static bool is_thread(const struct word *w, const struct tt_capture *c, const struct tt_thread *t)
{
    return (w->is_number && w->number == t->tid) ||
           word_is_name(w, c, atomic_load_explicit(&t->name, memory_order_acquire));
}

/* As in the thread column, or with the path of the process. */
static bool is_shown_as(const char *text, const struct tt_capture *c, uint32_t thread)
{
    char buffer[1024];
    struct tt_text shown = tt_text_of(buffer, sizeof buffer);
    tt_line_thread(&shown, c, thread);
    if (strcmp(tt_text_cstr(&shown), text) == 0) {
        return true;
    }
    shown = tt_text_of(buffer, sizeof buffer);
    tt_line_thread_path(&shown, c, thread);
    return strcmp(tt_text_cstr(&shown), text) == 0;
}

bool tt_word_names_thread(const char *text, const struct tt_capture *c, uint32_t thread)
{
    const struct tt_thread *t = tt_thread_at(c, thread);
    struct word whole = word_of(text, strlen(text));
    if (is_process(&whole, c, t->process) ||
        word_is_name(&whole, c, atomic_load_explicit(&t->name, memory_order_acquire)) ||
        is_shown_as(text, c, thread)) {
        return true;
    }
    const char *slash = strrchr(text, '/');
    if (!slash) {
        return tt_process_count(c) == 1 && is_thread(&whole, c, t);
    }
    struct word process = word_of(text, (size_t)(slash - text));
    struct word member = word_of(slash + 1, strlen(slash + 1));
    return is_process(&process, c, t->process) && is_thread(&member, c, t);
}

bool tt_word_names_process(const char *text, const struct tt_capture *c, uint32_t process)
{
    struct word whole = word_of(text, strlen(text));
    return is_process(&whole, c, process);
}

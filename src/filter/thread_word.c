/* SPDX-License-Identifier: Apache-2.0 */
#include "filter/thread_word.h"

#include <stdlib.h>
#include <string.h>

#include "base/digits.h"
#include "tracetui/event_line.h"

/* A part of a --thread word: a number, a name, or both. */
struct word {
    const char *text;
    size_t length;
    bool is_number;
    uint64_t number;
};

static struct word thread_word_word_of(const char *text, size_t length)
{
    struct word w = {text, length, false, 0};
    w.is_number = tt_digits_parse(text, length, &w.number);
    return w;
}

static bool word_is_name(const struct word *word, const struct tt_capture *capture, tt_string name)
{
    size_t length;
    const char *text = tt_capture_text(capture, name, &length);
    return name != 0 && length == word->length && memcmp(text, word->text, length) == 0;
}

/* By number, path or base name. */
static bool is_process(const struct word *word, const struct tt_capture *capture, uint32_t process)
{
    const struct tt_process *p = tt_process_at(capture, process);
    size_t length;
    const char *base = tt_process_base_name(capture, p, &length);
    return (word->is_number && word->number == p->pid) ||
           (length > 0 && length == word->length && memcmp(base, word->text, length) == 0) ||
           word_is_name(word, capture, atomic_load_explicit(&p->name, memory_order_acquire));
}

static bool thread_word_is_thread(const struct word *word, const struct tt_capture *capture,
                                  const struct tt_thread *thread)
{
    return (word->is_number && word->number == thread->tid) ||
           word_is_name(word, capture, atomic_load_explicit(&thread->name, memory_order_acquire));
}

/* As in the thread column, or with the path of the process. */
static bool is_shown_as(const char *text, const struct tt_capture *capture, uint32_t thread)
{
    char buffer[1024];
    struct tt_text shown = tt_text_of(buffer, sizeof buffer);
    tt_line_thread(&shown, capture, thread);
    if (strcmp(tt_text_cstr(&shown), text) == 0) {
        return true;
    }
    shown = tt_text_of(buffer, sizeof buffer);
    tt_line_thread_path(&shown, capture, thread);
    return strcmp(tt_text_cstr(&shown), text) == 0;
}

bool tt_word_names_thread(const char *text, const struct tt_capture *capture, uint32_t thread)
{
    const struct tt_thread *t = tt_thread_at(capture, thread);
    struct word whole = thread_word_word_of(text, strlen(text));
    if (is_process(&whole, capture, t->process) ||
        word_is_name(&whole, capture, atomic_load_explicit(&t->name, memory_order_acquire)) ||
        is_shown_as(text, capture, thread)) {
        return true;
    }
    const char *slash = strrchr(text, '/');
    if (!slash) {
        return tt_process_count(capture) == 1 && thread_word_is_thread(&whole, capture, t);
    }
    struct word process = thread_word_word_of(text, (size_t)(slash - text));
    struct word member = thread_word_word_of(slash + 1, strlen(slash + 1));
    return is_process(&process, capture, t->process) && thread_word_is_thread(&member, capture, t);
}

bool tt_word_names_process(const char *text, const struct tt_capture *capture, uint32_t process)
{
    struct word whole = thread_word_word_of(text, strlen(text));
    return is_process(&whole, capture, process);
}

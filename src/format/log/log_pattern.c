/* SPDX-License-Identifier: Apache-2.0 */
/*
 * log_pattern: forms of the user. A form is a regular expression of PCRE2 with named groups: time, level, process, thread,
 * text. Bytes are characters, since a log may be in any encoding.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "format/log/log_internal.h"

/* A hostile expression costs some ten microseconds per line. */
#define STEPS_MOST   100000u
#define HEAP_KIB     4096u
#define NESTING_MOST 100u
#define PAIRS_MOST   32u   /* groups that a form may have, named or not */
#define COPIED       4096u /* bytes of a line that are matched; the last group may go on after them */

enum group { TIME, LEVEL, PROCESS, THREAD, TEXT, GROUPS };

static const char *const group_names[GROUPS] = {"time", "level", "process", "thread", "text"};

struct pattern {
    char *name;
    pcre2_code *code;
    int groups[GROUPS]; /* numbers; below 0: the expression does not have it */
};

struct log_patterns {
    pcre2_match_context *limits;
    pcre2_match_data *data; /* of the thread that has it, */
    atomic_flag is_used;    /* while this is set; others make their own */
    uint32_t count;
    struct pattern list[];
};

void log_patterns_free(struct log_patterns *patterns)
{
    for (uint32_t i = 0; patterns && i < patterns->count; i++) {
        pcre2_code_free(patterns->list[i].code);
        free(patterns->list[i].name);
    }
    if (patterns) {
        pcre2_match_context_free(patterns->limits);
        pcre2_match_data_free(patterns->data);
    }
    free(patterns);
}

static struct tt_status compile(const struct tt_log_form *form, struct pattern *pattern)
{
    int error = 0;
    PCRE2_SIZE offset = 0;
    pcre2_compile_context *context = pcre2_compile_context_create(NULL);
    if (!context) {
        return tt_error_memory();
    }
    pcre2_set_parens_nest_limit(context, NESTING_MOST);
    pattern->code = pcre2_compile((PCRE2_SPTR)form->pattern, PCRE2_ZERO_TERMINATED,
                                  PCRE2_NEVER_BACKSLASH_C, &error, &offset, context);
    pcre2_compile_context_free(context);
    if (!pattern->code) {
        char message[160] = "";
        pcre2_get_error_message(error, (PCRE2_UCHAR *)message, sizeof message);
        return tt_error(TT_ERR_USAGE, "log form %.40s: %s at character %zu", form->name, message,
                        (size_t)offset + 1);
    }
    for (unsigned i = 0; i < GROUPS; i++) {
        pattern->groups[i] =
            pcre2_substring_number_from_name(pattern->code, (PCRE2_SPTR)group_names[i]);
    }
    uint32_t pairs = 0;
    pcre2_pattern_info(pattern->code, PCRE2_INFO_CAPTURECOUNT, &pairs);
    if (pairs >= PAIRS_MOST) {
        return tt_error(TT_ERR_USAGE, "log form %.40s: more than %u groups", form->name,
                        PAIRS_MOST - 1);
    }
    if (pattern->groups[TIME] < 0) {
        return tt_error(TT_ERR_USAGE, "log form %.40s: no group (?<time>...)", form->name);
    }
    pattern->name = strdup(form->name);
    return pattern->name ? tt_ok() : tt_error_memory();
}

struct tt_status log_patterns_new(const struct tt_log_form *forms, uint32_t count,
                                  struct log_patterns **patterns)
{
    struct log_patterns *made = calloc(1, sizeof *made + count * sizeof *made->list);
    struct tt_status status = made ? tt_ok() : tt_error_memory();
    if (made) {
        made->limits = pcre2_match_context_create(NULL);
        made->data = pcre2_match_data_create(PAIRS_MOST, NULL);
        atomic_flag_clear(&made->is_used);
        status = made->limits && made->data ? status : tt_error_memory();
    }
    if (!tt_failed(&status)) {
        pcre2_set_match_limit(made->limits, STEPS_MOST);
        pcre2_set_heap_limit(made->limits, HEAP_KIB);
    }
    while (!tt_failed(&status) && made->count < count) {
        status = compile(&forms[made->count], &made->list[made->count]);
        made->count++;
    }
    if (tt_failed(&status)) {
        log_patterns_free(made);
        made = NULL;
    }
    *patterns = made;
    return status;
}

/* Where the groups of a match are in the copy of a line. */
struct places {
    PCRE2_SIZE from[GROUPS];
    PCRE2_SIZE to[GROUPS]; /* not above `from`: the group is empty, or has not matched */
};

static bool match(struct log_patterns *patterns, const struct pattern *pattern, const uint8_t *copy,
                  size_t length, struct places *places)
{
    const bool is_free = !atomic_flag_test_and_set(&patterns->is_used);
    pcre2_match_data *data = is_free ? patterns->data : pcre2_match_data_create(PAIRS_MOST, NULL);
    const bool matches = data && pcre2_match(pattern->code, (PCRE2_SPTR)copy, length, 0, 0, data,
                                             patterns->limits) >= 0;
    const PCRE2_SIZE *pairs = matches ? pcre2_get_ovector_pointer(data) : NULL;
    for (unsigned i = 0; pairs && i < GROUPS; i++) {
        const int number = pattern->groups[i];
        const bool is_set = number >= 0 && pairs[2 * number] != PCRE2_UNSET &&
                            pairs[2 * number] <= pairs[2 * number + 1];
        places->from[i] = is_set ? pairs[2 * number] : 0;
        places->to[i] = is_set ? pairs[2 * number + 1] : 0;
    }
    if (is_free) {
        atomic_flag_clear(&patterns->is_used);
    } else {
        pcre2_match_data_free(data);
    }
    return matches;
}

/* Sets the parts of a line that matches. Returns false if the group `time` is no time. */
static bool set_parts(const struct pattern *pattern, struct log_span span,
                      const struct places *places, struct log_line *line)
{
    struct log_span groups[GROUPS];
    for (unsigned i = 0; i < GROUPS; i++) {
        const bool goes_on = places->to[i] == COPIED; /* after the copy */
        groups[i] = (struct log_span){span.at + places->from[i],
                                      goes_on ? span.end : span.at + places->to[i]};
    }
    if (!log_time_pass(&groups[TIME].at, groups[TIME].end, &line->time)) {
        return false;
    }
    line->form = pattern->name;
    line->level = (uint8_t)log_level_of(groups[LEVEL]);
    line->has_tid = log_number_of(groups[THREAD], &line->tid);
    line->has_pid = log_number_of(groups[PROCESS], &line->pid);
    line->name = line->has_pid ? (struct log_span){NULL, NULL} : groups[PROCESS];
    if (!line->has_tid && groups[THREAD].at < groups[THREAD].end) {
        line->fields[line->field_count++] = (struct log_field){"thread", groups[THREAD]};
    }
    line->text = pattern->groups[TEXT] >= 0 ? groups[TEXT] : span;
    return true;
}

bool log_patterns_read(struct log_patterns *patterns, struct log_span span, struct log_line *line)
{
    uint8_t copy[COPIED]; /* the file may shrink while a line is matched */
    const size_t length = log_length(span) < COPIED ? log_length(span) : COPIED;
    memcpy(copy, span.at, length);
    for (uint32_t i = 0; i < patterns->count; i++) {
        struct places places;
        if (match(patterns, &patterns->list[i], copy, length, &places) &&
            set_parts(&patterns->list[i], span, &places, line)) {
            return true;
        }
    }
    return false;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* define: parses definitions of lanes. */
#include <stdlib.h>
#include <string.h>

#include "lane/lane.h"

#define FORMS "BEGIN -> END, states: FILTER => WORD, ..., value of FILTER.arg.NAME, or sql: SELECT"

/* A text that is parsed; the parts of the definition are cut out of `words`, a copy of it. */
struct definition_text {
    const char *whole; /* with the name */
    char *words;       /* the copy of what follows the name, which ... */
    size_t offset;     /* ... begins here in the whole */
};

/* ---- places ------------------------------------------------------------------------------- */

/* Returns an error at a place of the words: "column 12: expected ->". */
static struct tt_status lane_error_at(const struct definition_text *text, const char *place,
                                      const char *message)
{
    size_t end = text->offset + (size_t)(place - text->words);
    unsigned column = 1;
    for (size_t i = 0; i < end; i++) {
        column += ((unsigned char)text->whole[i] & 0xc0) != 0x80;
    }
    return tt_error(TT_ERR_USAGE, "column %u: %s", column, message);
}

/* Finds a word outside of quotes in [at, end); NULL: it is not there. */
static char *find_word(char *at, const char *end, const char *word)
{
    size_t length = strlen(word);
    for (char quote = '\0'; at + length <= end; at++) {
        if (quote == '\0' && memcmp(at, word, length) == 0) {
            return at;
        }
        if (*at == '\\' && at + 1 < end) {
            at++;
        } else if (*at == '"') {
            quote = quote == '\0' ? *at : '\0';
        }
    }
    return NULL;
}

/* Ends a text before `end` and its trailing blanks; returns it without leading ones. */
static char *cut_word(char *at, char *end)
{
    while (at < end && (*at == ' ' || *at == '\t')) {
        at++;
    }
    while (end > at && (end[-1] == ' ' || end[-1] == '\t')) {
        end--;
    }
    *end = '\0';
    return at;
}

/* ---- parts -------------------------------------------------------------------------------- */

/* Adds the filter in [at, end) as a part. */
static struct tt_status add_filter(struct tt_lane_definition *definition,
                                   const struct definition_text *text, char *at, char *end)
{
    struct tt_filter_error error;
    struct tt_lane_part *part = &definition->parts[definition->part_count];
    part->text = cut_word(at, end);
    if (part->text[0] == '\0') {
        return lane_error_at(text, part->text, "expected a filter");
    }
    if (!tt_filter_parse(part->text, &part->filter, &error)) {
        /* Its column is one of the filter. */
        const char *message = error.column > 0 ? strstr(error.status.text, ": ") : NULL;
        const char *place = part->text;
        for (uint32_t column = 1; column < error.column && *place; place++) {
            column += ((unsigned char)place[1] & 0xc0) != 0x80;
        }
        return error.status.code == TT_ERR_MEMORY
                   ? error.status
                   : lane_error_at(text, place, message ? message + 2 : error.status.text);
    }
    definition->part_count++;
    return tt_ok();
}

static struct tt_status parse_intervals(struct tt_lane_definition *definition,
                                        const struct definition_text *text, char *at, char *end)
{
    char *arrow = find_word(at, end, " -> ");
    if (!arrow) {
        return lane_error_at(text, at, "expected " FORMS);
    }
    struct tt_status status = add_filter(definition, text, at, arrow);
    return tt_failed(&status) ? status : add_filter(definition, text, arrow + 4, end);
}

static struct tt_status parse_states(struct tt_lane_definition *definition,
                                     const struct definition_text *text, char *at, char *end)
{
    for (char *next = at; next;) {
        char *arrow = find_word(at, end, "=>");
        if (!arrow) {
            return lane_error_at(text, at + strspn(at, " "), "expected FILTER => WORD");
        }
        if (definition->part_count == TT_LANE_PARTS) {
            return lane_error_at(text, at, "expected at most 32 states");
        }
        char *word = arrow + 2;
        next = find_word(word, end, ",");
        struct tt_status status = add_filter(definition, text, at, arrow);
        if (tt_failed(&status)) {
            return status;
        }
        at = next ? next + 1 : end;
        word = cut_word(word, next ? next : end);
        if (word[0] == '\0') {
            return lane_error_at(text, word, "expected the word of a state, or -");
        }
        definition->parts[definition->part_count - 1].word = strcmp(word, "-") != 0 ? word : NULL;
    }
    return tt_ok();
}

static struct tt_status parse_values(struct tt_lane_definition *definition,
                                     const struct definition_text *text, char *at, char *end)
{
    char *dot = NULL;
    for (char *next = find_word(at, end, ".arg."); next; next = find_word(next + 1, end, ".arg.")) {
        dot = next;
    }
    char *name = dot ? cut_word(dot + 5, end) : at;
    if (!dot || name[0] == '\0') {
        return lane_error_at(text, name, "expected FILTER.arg.NAME");
    }
    size_t length = strlen(name);
    if (length > 2 && name[0] == '"' && name[length - 1] == '"') {
        name[length - 1] = '\0';
        name++;
    }
    definition->arg = name;
    return add_filter(definition, text, at, dot);
}

/* ---- options ------------------------------------------------------------------------------ */

static struct tt_status set_roles(struct tt_lane_definition *definition,
                                  const struct definition_text *text, char *at)
{
    for (char *next = at; next;) {
        next = strchr(at, ',');
        char *end = next ? next : at + strlen(at);
        char *role = cut_word(at, end);
        if (role[0] == '\0' || strchr(role, ' ') || definition->role_count == TT_LANE_PARTS) {
            return lane_error_at(text, role, "expected the name of a colour, as state.running");
        }
        definition->roles[definition->role_count++] = role;
        at = end + 1;
    }
    return tt_ok();
}

/* Reads the options at the end of the words, the last one first; moves *end before them. */
static struct tt_status parse_options(struct tt_lane_definition *definition,
                                      const struct definition_text *text, char *at, char **end)
{
    static const char *const words[] = {" --same ", " --pair ", " --color "};
    struct tt_measure_request *pairing = &definition->pairing;
    for (;;) {
        char *last = NULL;
        unsigned which = 0;
        for (unsigned i = 0; i < 3; i++) {
            for (char *next = find_word(at, *end, words[i]); next;
                 next = find_word(next + 1, *end, words[i])) {
                which = next > last ? i : which;
                last = next > last ? next : last;
            }
        }
        if (!last) {
            return tt_ok();
        }
        char *value = cut_word(last + strlen(words[which]), *end);
        *end = last;
        if (which == 0 && !tt_measure_same_parse(value, &pairing->same, &pairing->arg)) {
            return lane_error_at(text, value, "expected any, thread, cpu, process or arg:NAME");
        }
        pairing->oldest |= which == 1 && strcmp(value, "first") == 0;
        if (which == 1 && strcmp(value, "first") != 0 && strcmp(value, "last") != 0) {
            return lane_error_at(text, value, "expected first or last");
        }
        struct tt_status status = which == 2 ? set_roles(definition, text, value) : tt_ok();
        if (tt_failed(&status)) {
            return status;
        }
    }
}

/* ---- definitions -------------------------------------------------------------------------- */

/* Reads the name before =, or uses the one given; moves *text after it. */
static struct tt_status parse_name(struct tt_lane_definition *definition, const char *name,
                                   const char **text)
{
    const char *at = name ? name : *text + strspn(*text, " \t"), *equals = strchr(at, '=');
    size_t length = name ? strlen(name) : equals ? (size_t)(equals - at) : 0;
    while (length > 0 && (at[length - 1] == ' ' || at[length - 1] == '\t')) {
        length--;
    }
    bool good = length > 0 && length < TT_LANE_NAME_BYTES;
    for (size_t i = 0; good && i < length; i++) {
        good = (unsigned char)at[i] > ' ' && at[i] != '\'' && at[i] != '"' && at[i] != 0x7f;
    }
    if (!good) {
        return tt_error(TT_ERR_USAGE,
                        "column %u: expected NAME = DEFINITION, a name without blanks",
                        (unsigned)(name ? 1 : at - *text + 1));
    }
    memcpy(definition->name, at, length);
    *text = name ? *text : equals + 1;
    return tt_ok();
}

static struct tt_status parse_words(struct tt_lane_definition *definition,
                                    const struct definition_text *text)
{
    char *at = text->words + strspn(text->words, " \t"), *end = at + strlen(at);
    if (strncmp(at, "sql:", 4) == 0) {
        definition->kind = TT_LANE_QUERY;
        definition->query = cut_word(at + 4, end);
        return definition->query[0] ? tt_ok()
                                    : lane_error_at(text, definition->query, "expected a SELECT");
    }
    struct tt_status status = parse_options(definition, text, at, &end);
    if (tt_failed(&status)) {
        return status;
    }
    if (strncmp(at, "states:", 7) == 0) {
        definition->kind = TT_LANE_STATES;
        return parse_states(definition, text, at + 7, end);
    }
    if (strncmp(at, "value of ", 9) == 0) {
        definition->kind = TT_LANE_VALUES;
        return parse_values(definition, text, at + 9, end);
    }
    return parse_intervals(definition, text, at, end);
}

struct tt_status tt_lane_parse(const char *name, const char *text, struct tt_lane_definition **made)
{
    struct tt_lane_definition *definition = calloc(1, sizeof *definition);
    if (!definition) {
        return tt_error_memory();
    }
    struct definition_text parsed = {.whole = text};
    struct tt_status status = parse_name(definition, name, &text);
    if (!tt_failed(&status)) {
        parsed.offset = (size_t)(text - parsed.whole);
        definition->text = strdup(text + strspn(text, " \t"));
        definition->words = parsed.words = strdup(text);
        status = definition->text && definition->words ? parse_words(definition, &parsed)
                                                       : tt_error_memory();
    }
    if (tt_failed(&status)) {
        tt_lane_definition_free(definition);
        return status;
    }
    *made = definition;
    return status;
}

void tt_lane_definition_free(struct tt_lane_definition *definition)
{
    if (definition) {
        for (unsigned i = 0; i < TT_LANE_PARTS; i++) {
            tt_filter_free(definition->parts[i].filter);
        }
        free(definition->words);
        free(definition->text);
        free(definition);
    }
}

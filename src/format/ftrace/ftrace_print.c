/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ftrace_print: labels and bases of fields, from the print format of an event: a format string and expressions:
 *
 *      "flags=%s state=%lx vec=%s", __print_flags(REC->flags, "|", {1, "SPIN"}), REC->state, ...
 *
 * Of each expression the first field that it refers to is taken, with its conversion (hexadecimal, address,
 * symbol), and the lists of __print_flags and __print_symbolic as labels. Everything else falls back to the value
 * of the field, so nothing that is not understood is lost.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "format/ftrace/ftrace_internal.h"

#define MAX_LABELS 1024u
#define MAX_DEPTH  64u /* of parentheses in a number */

static const char *ftrace_print_skip_blanks(const char *at)
{
    while (isspace((unsigned char)*at)) {
        at++;
    }
    return at;
}

/* Returns the end of a text in quotes, which begins at `at`. */
static const char *ftrace_print_skip_text(const char *at)
{
    for (at++; *at && *at != '"'; at++) {
        at += *at == '\\' && at[1];
    }
    return *at ? at + 1 : at;
}

/* Returns the end of an argument: a comma or a closing bracket outside of brackets. */
static const char *skip_argument(const char *at)
{
    unsigned depth = 0;
    while (*at) {
        if (*at == '"') {
            at = ftrace_print_skip_text(at);
            continue;
        }
        if (*at == '(' || *at == '{' || *at == '[') {
            depth++;
        } else if (*at == ')' || *at == '}' || *at == ']') {
            if (depth == 0) {
                return at;
            }
            depth--;
        } else if (*at == ',' && depth == 0) {
            return at;
        }
        at++;
    }
    return at;
}

/* ---- numbers ------------------------------------------------------------------------------ */

/* A constant expression; `failed`: it contains something else, such as the name of an enumerator. */
struct constant {
    const char *at;
    const char *end;
    unsigned depth;
    bool failed;
};

static uint64_t read_binary(struct constant *constant, int level);

static void skip_space(struct constant *constant)
{
    while (constant->at < constant->end && isspace((unsigned char)*constant->at)) {
        constant->at++;
    }
}

/* Skips a cast, "(unsigned long)". Returns false if none follows. */
static bool skip_cast(struct constant *constant)
{
    const char *at = constant->at + 1;
    while (at < constant->end &&
           (isalnum((unsigned char)*at) || *at == '_' || *at == ' ' || *at == '*')) {
        at++;
    }
    if (at >= constant->end || *at != ')' || !isalpha((unsigned char)constant->at[1])) {
        return false;
    }
    constant->at = at + 1;
    return true;
}

static uint64_t read_primary(struct constant *constant)
{
    skip_space(constant);
    if (constant->at >= constant->end || ++constant->depth > MAX_DEPTH) {
        constant->failed = true;
        return 0;
    }
    char first = *constant->at;
    uint64_t value = 0;
    if (first == '~' || first == '-' || first == '!') {
        constant->at++;
        value = read_primary(constant);
        value = first == '~' ? ~value : first == '-' ? 0 - value : !value;
    } else if (first == '(' && skip_cast(constant)) {
        value = read_primary(constant);
    } else if (first == '(') {
        constant->at++;
        value = read_binary(constant, 0);
        skip_space(constant);
        constant->failed |= constant->at >= constant->end || *constant->at != ')';
        constant->at++;
    } else if (isdigit((unsigned char)first)) {
        char *end;
        value = strtoull(constant->at, &end, 0);
        while (*end == 'u' || *end == 'U' || *end == 'l' || *end == 'L') {
            end++;
        }
        constant->at = end;
    } else if (first == '\'' && constant->end - constant->at >= 3 && constant->at[2] == '\'') {
        value = (uint8_t)constant->at[1];
        constant->at += 3;
    } else {
        constant->failed = true;
    }
    constant->depth--;
    return value;
}

/* Returns the level of the operator at `at`, and its length; -1: none. */
static int operator_level(const char *at, const char *end, unsigned *length)
{
    static const struct {
        char text[3];
        int8_t level;
    } operators[] = {{"<<", 3}, {">>", 3}, {"||", -1}, {"&&", -1}, {"|", 0},
                     {"^", 1},  {"&", 2},  {"+", 4},   {"-", 4},   {"*", 5}};
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        *length = (unsigned)strlen(operators[i].text);
        if ((size_t)(end - at) >= *length && memcmp(at, operators[i].text, *length) == 0) {
            return operators[i].level;
        }
    }
    return -1;
}

static uint64_t ftrace_print_apply(char sign, uint64_t left, uint64_t right)
{
    switch (sign) {
    case '|':
        return left | right;
    case '^':
        return left ^ right;
    case '&':
        return left & right;
    case '+':
        return left + right;
    case '-':
        return left - right;
    case '*':
        return left * right;
    case '<':
        return right < 64 ? left << right : 0;
    default:
        return right < 64 ? left >> right : 0;
    }
}

static uint64_t read_binary(struct constant *constant, int level)
{
    uint64_t left = read_primary(constant);
    unsigned length = 0;
    for (;;) {
        skip_space(constant);
        int found = constant->failed ? -1 : operator_level(constant->at, constant->end, &length);
        if (found < level) {
            return left;
        }
        char sign = *constant->at;
        constant->at += length;
        left = ftrace_print_apply(sign, left, read_binary(constant, found + 1));
    }
}

/* Reads a constant in [at, end). Returns false if it is none. */
static bool read_constant(const char *at, const char *end, uint64_t *value)
{
    struct constant e = {.at = at, .end = end};
    *value = read_binary(&e, 0);
    skip_space(&e);
    return !e.failed && e.at == e.end;
}

/* ---- labels ------------------------------------------------------------------------------- */

/* Finds the field that an expression refers to first: "REC->prev_state & 0xff". */
static struct ftrace_field *referred(const struct ftrace_event *event, const char *at,
                                     const char *end, const char **rest)
{
    for (; end - at > 5; at++) {
        if (*at == '"') {
            at = ftrace_print_skip_text(at) - 1;
        } else if (memcmp(at, "REC->", 5) == 0) {
            const char *name = at + 5, *stop = name;
            while (stop < end && (isalnum((unsigned char)*stop) || *stop == '_')) {
                stop++;
            }
            for (unsigned i = 0; i < event->field_count; i++) {
                const char *known = event->fields[i].name;
                if (strlen(known) == (size_t)(stop - name) &&
                    memcmp(known, name, (size_t)(stop - name)) == 0) {
                    *rest = stop;
                    return &event->fields[i];
                }
            }
        }
    }
    return NULL;
}

/* Adds the pairs {value, "text"} from `at` on to the labels of a field. */
static bool read_labels(struct ftrace *ftrace, struct ftrace_field *field, const char *at)
{
    struct ftrace_label labels[MAX_LABELS];
    unsigned count = 0;
    while (count < MAX_LABELS && (at = ftrace_print_skip_blanks(at), *at == ',')) {
        at = ftrace_print_skip_blanks(at + 1);
        if (*at != '{') {
            at = skip_argument(at);
            continue;
        }
        const char *value_end = skip_argument(at + 1);
        const char *text = *value_end == ',' ? ftrace_print_skip_blanks(value_end + 1) : value_end;
        const char *text_end = *text == '"' ? ftrace_print_skip_text(text) : text;
        if (read_constant(at + 1, value_end, &labels[count].value) && text_end - text > 2) {
            labels[count].length = (uint32_t)(text_end - text - 2);
            labels[count].text = ftrace_text(ftrace, text + 1, labels[count].length);
            count += labels[count].text != NULL;
        }
        at = skip_argument(text_end);
        at += *at == '}';
    }
    struct ftrace_label *copy =
        tt_arena_alloc(&ftrace->arena, (count ? count : 1) * sizeof *labels);
    if (!copy) {
        return false;
    }
    memcpy(copy, labels, count * sizeof *labels);
    field->labels = count ? copy : NULL;
    field->label_count = (uint16_t)count;
    return true;
}

/* Reads the labels of an expression in [at, end), if it has some. */
static bool read_list(struct ftrace *ftrace, const struct ftrace_event *event, const char *at,
                      const char *end)
{
    static const char *const lists[] = {"__print_flags(", "__print_symbolic(", "__print_flags_u64(",
                                        "__print_symbolic_u64("};
    const char *list = NULL;
    size_t which = 0;
    for (; !list && which < 4; which++) {
        list = strstr(at, lists[which]);
        list = list && list < end ? list + strlen(lists[which]) : NULL;
    }
    if (!list) {
        return true;
    }
    const char *stop = skip_argument(list), *rest = stop;
    struct ftrace_field *field = referred(event, list, stop, &rest);
    if (!field || field->kind != FTRACE_NUMBER || field->labels) {
        return true;
    }
    uint64_t mask;
    field->is_flags = (which - 1) % 2 == 0;
    field->mask = UINT64_MAX;
    rest = ftrace_print_skip_blanks(rest);
    while (rest < stop && *rest == ')') {
        rest = ftrace_print_skip_blanks(rest + 1);
    }
    if (rest < stop && *rest == '&' && read_constant(rest + 1, stop, &mask)) {
        field->mask = mask;
    }
    /* Flags have a delimiter before their list. */
    const char *labels = field->is_flags && *stop == ',' ? skip_argument(stop + 1) : stop;
    return read_labels(ftrace, field, labels);
}

/* ---- the format string -------------------------------------------------------------------- */

/*
 * Returns the next conversion of a format string, and moves after it; 0 at its end. Of a pointer the kind is
 * returned: 'S' for the name of a symbol, 'I' or 'i' for an internet address, 'M', 'U', 'P' for another address.
 */
static char next_conversion(const char **at)
{
    const char *p = *at;
    while (*p && *p != '"') {
        if (*p == '\\' && p[1]) {
            p += 2;
            continue;
        }
        if (*p != '%') {
            p++;
            continue;
        }
        p++;
        if (*p == '%') {
            p++;
            continue;
        }
        while (*p && strchr("-+ #0123456789.*hlLqjzt", *p)) {
            p++;
        }
        char letter = *p && *p != '"' ? *p++ : 0;
        if (letter == 'p') {
            const bool is_form = *p && strchr("IiMU", *p) && p[1] != 'l' && p[1] != 'L';
            letter = *p && strchr("sSfFB", *p) ? 'S' : is_form ? *p : 'P';
        }
        *at = p;
        return letter;
    }
    *at = p;
    return 0;
}

/* Of prev_state, the bit that marks a preempted thread: `REC->prev_state & 0x100 ? "+" : ""`. */
static void read_mark(struct ftrace *ftrace, const struct ftrace_event *event, const char *at,
                      const char *end)
{
    const char *question = memchr(at, '?', (size_t)(end - at)), *rest;
    if (!question || strncmp(ftrace_print_skip_blanks(question + 1), "\"+\"", 3) != 0) {
        return;
    }
    struct ftrace_field *field = referred(event, at, question, &rest);
    rest = field ? ftrace_print_skip_blanks(rest) : NULL;
    uint64_t mark;
    if (rest && *rest == '&' && read_constant(rest + 1, question, &mark)) {
        ftrace->mark = mark;
    }
}

bool ftrace_read_print(struct ftrace *ftrace, struct ftrace_event *event, const char *text)
{
    const char *format = ftrace_print_skip_blanks(text);
    if (*format != '"') {
        return true;
    }
    const char *at = ftrace_print_skip_blanks(ftrace_print_skip_text(format));
    while (*at == '"') { /* a format of several texts: the conversions of the first are used */
        at = ftrace_print_skip_blanks(ftrace_print_skip_text(at));
    }
    bool good = true;
    ftrace->mark = 0;
    format++;
    while (good && *at == ',') {
        char conversion = next_conversion(&format);
        const char *end = skip_argument(++at), *rest;
        struct ftrace_field *field = referred(event, at, end, &rest);
        if (field && conversion) {
            if (conversion == 'S') {
                field->base = FTRACE_SYMBOL;
            } else if (conversion == 'I' || conversion == 'i') {
                field->base = FTRACE_IP;
            } else if (conversion == 'M') {
                field->base = FTRACE_MAC;
            } else if (conversion == 'U') {
                field->base = FTRACE_UUID;
            } else if (conversion == 'P') {
                field->base = FTRACE_ADDRESS;
            } else if (conversion == 'x' || conversion == 'X') {
                field->base = FTRACE_HEX;
            }

            field->is_text &= strncmp(ftrace_print_skip_blanks(at), "__print_hex", 11) != 0;
        }
        read_mark(ftrace, event, at, end);
        good = read_list(ftrace, event, at, end);
        at = end;
    }
    return good;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "kev_lists.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kev_build.h"

/* ---- reading lists ---------------------------------------------------------------------- */

static struct kl_field *add_field(struct kl_list *list, const char *name, size_t length,
                                  enum kl_type type)
{
    cr_assert_lt(list->count, sizeof list->fields / sizeof list->fields[0]);
    struct kl_field *field = &list->fields[list->count++];
    cr_assert_lt(length, sizeof field->name);
    memcpy(field->name, name, length);
    field->name[length] = '\0';
    field->type = type;
    return field;
}

static enum kl_type type_named(const char *name, size_t length)
{
    static const char *const names[] = {"h32",   "d32",  "ptr32", "h64", "d64",
                                        "ptr64", "msg4", "pad32", "str", "sigevent"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0) {
            return (enum kl_type)i;
        }
    }
    cr_assert_fail("no type '%.*s'", (int)length, name);
    return KL_H32;
}

void kl_parse_typed(struct kl_list *list, const char *text)
{
    memset(list, 0, sizeof *list);
    list->none = strcmp(text, "-") == 0;
    list->unknown = strcmp(text, "?") == 0;
    while (!list->none && !list->unknown && *text) {
        size_t length = strcspn(text, ",");
        const char *colon = text + length;
        while (colon > text && *colon != ':') {
            colon--;
        }
        add_field(list, text, (size_t)(colon - text),
                  type_named(colon + 1, (size_t)(text + length - colon - 1)));
        text += length;
        text += strspn(text, ",");
    }
}

void kl_parse_printer(struct kl_list *list, const char *text, bool fast)
{
    static const char letters[] = "HDPXEQ";
    static const enum kl_type types[] = {KL_H32, KL_D32, KL_P32, KL_H64, KL_D64, KL_P64};
    const char *chunk = ""; /* name of the text continued by "s" */
    size_t chunk_length = 0;
    unsigned chunk_number = 0;
    memset(list, 0, sizeof *list);
    while (*text) {
        size_t length = strcspn(text, ",");
        const char *item = text;
        size_t left = length;
        text += length;
        text += strspn(text, ", ");
        bool marked = *item == 'f';
        item += marked;
        left -= marked;
        char name[64];
        if (*item == 'S' || (*item == 's' && left == 1)) {
            if (*item == 'S') {
                chunk = item + 1;
                chunk_length = left - 1;
                chunk_number = 0;
            }
            int n =
                snprintf(name, sizeof name, "%.*s[%u]", (int)chunk_length, chunk, chunk_number++);
            if (!fast || marked) {
                add_field(list, name, (size_t)n, KL_TEXT);
            }
            continue;
        }
        const char *letter = strchr(letters, *item);
        cr_assert(letter && *letter, "no letter in '%.*s'", (int)left, item);
        if (!fast || marked) {
            add_field(list, item + 1, left - 1, types[letter - letters]);
        }
    }
}

size_t kl_columns(char *line, char **columns, size_t max)
{
    size_t count = 0;
    line[strcspn(line, "\r\n")] = '\0';
    while (count < max) {
        columns[count++] = line;
        line += strcspn(line, "\t");
        if (*line == '\0') {
            break;
        }
        *line++ = '\0';
    }
    return count;
}

/* ---- values ----------------------------------------------------------------------------- */

#define TEXT "some text"

static size_t words_of(enum kl_type type)
{
    switch (type) {
    case KL_H64:
    case KL_D64:
    case KL_P64:
        return 2;
    case KL_SIG:
        return 4;
    case KL_STR:
        return (sizeof TEXT + 3) / 4;
    default:
        return 1;
    }
}

size_t kl_words(const struct kl_list *list)
{
    size_t words = 0;
    for (size_t i = 0; i < list->count; i++) {
        words += words_of(list->fields[i].type);
    }
    return words;
}

/* Returns a value that is different for each field, negative for signed types. */
static uint64_t value_of(enum kl_type type, size_t number)
{
    uint32_t odd = 0x01020305u * (uint32_t)(number + 1);
    switch (type) {
    case KL_D32:
        return (uint32_t)(number % 2 ? -(int32_t)(number + 7) : (int32_t)(number + 7));
    case KL_D64:
        return number % 2 ? (uint64_t) - (int64_t)(number + (UINT64_C(1) << 33))
                          : number + (UINT64_C(5) << 32);
    case KL_H64:
    case KL_P64:
        return (uint64_t)odd << 32 | (uint32_t)~odd;
    default:
        return odd;
    }
}

static size_t encode(const struct kev_build *b, const struct kl_list *list, uint32_t *words)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        enum kl_type type = list->fields[i].type;
        uint64_t value = value_of(type, i);
        if (type == KL_STR) {
            count += kev_build_text_words(b, TEXT, words + count, 32);
        } else if (type == KL_SIG) {
            words[count++] = 4; /* a pulse: coid, value, code and priority, code first in memory */
            words[count++] = 0x40000002;
            words[count++] = 0xbeef;
            words[count++] = b->big ? 3u << 16 | 21 : 21u << 16 | 3;
        } else if (words_of(type) == 2) {
            /* Packed in memory order. */
            words[count++] = (uint32_t)(b->big ? value >> 32 : value);
            words[count++] = (uint32_t)(b->big ? value : value >> 32);
        } else {
            words[count++] = (uint32_t)value;
        }
    }
    return count;
}

/* ---- checking --------------------------------------------------------------------------- */

static bool is_filler(const struct kl_field *field)
{
    return field->type == KL_PAD || strcmp(field->name, "empty") == 0 ||
           strcmp(field->name, "param.empty") == 0;
}

static void check_string(const struct tt_arg *arg, const char *expected, const char *where)
{
    cr_assert_eq(arg->type, TT_ARG_STRING, "%s", where);
    cr_assert(arg->value.s.length == strlen(expected) &&
                  memcmp(arg->value.s.data, expected, strlen(expected)) == 0,
              "%s: '%.*s', not '%s'", where, (int)arg->value.s.length, arg->value.s.data, expected);
}

static void check_number(const struct tt_arg *arg, enum kl_type type, uint64_t value,
                         const char *where)
{
    unsigned expected = TT_ARG_HEX;
    if (type == KL_D32) {
        expected = TT_ARG_I64;
        value = (uint64_t)(int64_t)(int32_t)(uint32_t)value;
    } else if (type == KL_D64) {
        expected = TT_ARG_I64;
    } else if (type == KL_P32 || type == KL_P64) {
        expected = TT_ARG_POINTER;
    }
    cr_assert_eq(arg->type, expected, "%s: type %u", where, arg->type);
    cr_assert_eq(arg->value.u, value, "%s: %#" PRIx64 ", not %#" PRIx64, where, arg->value.u,
                 value);
}

static void check_args(const struct tt_args *args, const struct kl_list *list, const char *what)
{
    cr_assert_not(args->cut, "%s", what);
    cr_assert_geq(args->count, list->count, "%s: %u arguments of %zu", what, args->count,
                  list->count);
    uint32_t word = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct kl_field *field = &list->fields[i];
        const struct tt_arg *arg = &args->v[i];
        char where[192];
        snprintf(where, sizeof where, "%s: argument %zu, %s", what, i, field->name);
        cr_assert(arg->name.length == strlen(field->name) &&
                      memcmp(arg->name.data, field->name, arg->name.length) == 0,
                  "%s: named '%.*s'", where, (int)arg->name.length, arg->name.data);
        cr_assert_eq(arg->hidden, is_filler(field), "%s: hidden %u", where, arg->hidden);
        cr_assert_eq(arg->raw_offset, 4 * word, "%s: bytes at %u", where, arg->raw_offset);
        word += (uint32_t)words_of(field->type);
        if (field->type == KL_STR) {
            check_string(arg, TEXT, where);
        } else if (field->type == KL_SIG) {
            check_string(arg, "PULSE 0x40000002:21 0x3:0xbeef", where);
        } else {
            check_number(arg, field->type, value_of(field->type, i), where);
        }
    }
    for (size_t i = list->count; i < args->count; i++) {
        cr_assert(args->v[i].hidden, "%s: an argument too many: '%.*s'", what,
                  (int)args->v[i].name.length, args->v[i].name.data);
    }
}

static struct kev_read write_and_read(struct kev_build *b, const struct kl_event *event, bool big,
                                      const struct kl_list *list)
{
    uint32_t words[128] = {0x11111111, 0x22222222};
    kev_build_begin(b, event->release, big);
    size_t count = list ? encode(b, list, words) : 2;
    kev_build_words(b, 2, event->class_, event->event, 5000, words, count);
    struct kev_read r = kev_read_all(b);
    cr_assert_eq(r.event_count, 1, "class %u event %u: %u events", event->class_, event->event,
                 r.event_count);
    cr_assert_eq(r.events[0].cpu, 2);
    if (event->class_name) {
        cr_assert_str_eq(kev_read_class(&r, 0), event->class_name);
    }
    if (event->name) {
        cr_assert_str_eq(kev_read_name(&r, 0), event->name);
    }
    return r;
}

void kl_check(const struct kl_event *event, const struct kl_list *list)
{
    static struct tt_args args;
    for (int big = 0; big < 2; big++) {
        struct kev_build b;
        struct kev_read r = write_and_read(&b, event, big, list);
        char what[128];
        snprintf(what, sizeof what, "%s: class %u, event %u (%s), %zu words, %s-endian",
                 event->release, event->class_, event->event, event->name ? event->name : "",
                 kl_words(list), big ? "big" : "little");
        cr_assert(r.capture->format->describe(r.capture, &r.events[0], b.size, &args), "%s", what);
        check_args(&args, list, what);
        kev_read_free(&r);
        kev_build_free(&b);
    }
}

void kl_check_raw(const struct kl_event *event)
{
    for (int big = 0; big < 2; big++) {
        struct kev_build b;
        struct kev_read r = write_and_read(&b, event, big, NULL);
        cr_assert_str_eq(kev_read_args(&r, 0), "d0=0x11111111 d1=0x22222222", "%s: %u/%u",
                         event->release, event->class_, event->event);
        kev_read_free(&r);
        kev_build_free(&b);
    }
}

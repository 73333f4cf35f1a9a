/* SPDX-License-Identifier: Apache-2.0 */
/* ctf_tsdl_types: types and values of TSDL. Names of types are in a hash table, the newest first. */
#include <stdio.h>
#include <string.h>

#include "format/ctf/ctf_tsdl.h"

#define NAMES_MOST 65536u

/* ---- errors and tokens ---------------------------------------------------------------------- */

void *ctf_tsdl_fail(struct ctf_tsdl *tsdl, const char *what)
{
    if (!tsdl->failure[0]) {
        int shown = (int)(tsdl->tokens.token.length < 32 ? tsdl->tokens.token.length : 32);
        if (tsdl->tokens.token.kind == CTF_TOKEN_END) {
            snprintf(tsdl->failure, sizeof tsdl->failure, "%s, but the metadata end", what);
        } else {
            snprintf(tsdl->failure, sizeof tsdl->failure, "%s before \"%.*s\"", what, shown,
                     tsdl->tokens.token.at);
        }
    }
    return NULL;
}

bool ctf_tsdl_failed(const struct ctf_tsdl *tsdl)
{
    return tsdl->failure[0] != '\0' || tsdl->d->no_memory;
}

bool ctf_tsdl_sign(struct ctf_tsdl *tsdl, char sign)
{
    bool is = ctf_token_is_sign(&tsdl->tokens, sign);
    if (is) {
        ctf_tokens_next(&tsdl->tokens);
    }
    return is;
}

bool ctf_tsdl_word(struct ctf_tsdl *tsdl, const char *name)
{
    bool is = ctf_token_is(&tsdl->tokens, name);
    if (is) {
        ctf_tokens_next(&tsdl->tokens);
    }
    return is;
}

bool ctf_tsdl_expect(struct ctf_tsdl *tsdl, char sign)
{
    char what[24];
    if (ctf_tsdl_sign(tsdl, sign)) {
        return true;
    }
    snprintf(what, sizeof what, "'%c' is missing", sign);
    ctf_tsdl_fail(tsdl, what);
    return false;
}

static bool ctf_tsdl_types_is_name(const struct ctf_tsdl *tsdl)
{
    return tsdl->tokens.token.kind == CTF_TOKEN_NAME;
}

/* Adds the current token to a name, after `between` unless it is the first word. */
static bool ctf_tsdl_types_add_word(struct ctf_tsdl *tsdl, struct ctf_words *words, char between)
{
    const struct ctf_token *token = &tsdl->tokens.token;
    if (words->length + token->length + 2 > sizeof words->text) {
        ctf_tsdl_fail(tsdl, "a name is too long");
        return false;
    }
    if (words->count++ > 0) {
        words->text[words->length++] = between;
    }
    words->last = words->length;
    memcpy(words->text + words->length, token->at, token->length);
    words->length += token->length;
    words->text[words->length] = '\0';
    ctf_tokens_next(&tsdl->tokens);
    return true;
}

/* Reads a path: names with dots or arrows between them. */
bool ctf_tsdl_path(struct ctf_tsdl *tsdl, struct ctf_words *words)
{
    *words = (struct ctf_words){.count = 0};
    do {
        if (!ctf_tsdl_types_is_name(tsdl)) {
            ctf_tsdl_fail(tsdl, "a name is missing");
            return false;
        }
        if (!ctf_tsdl_types_add_word(tsdl, words, '.')) {
            return false;
        }
        if (tsdl->tokens.token.kind == CTF_TOKEN_ARROW) {
            ctf_tokens_next(&tsdl->tokens);
            continue;
        }
    } while (ctf_tsdl_sign(tsdl, '.'));
    return true;
}

/* Makes the steps of a reference. */
static struct ctf_path *ctf_tsdl_types_path_of(struct ctf_tsdl *tsdl, const char *text)
{
    struct ctf_path *first = NULL, **link = &first;
    while (true) {
        size_t length = strcspn(text, ".");
        struct ctf_path *step = ctf_new(tsdl->d, sizeof *step);
        if (!step || !(step->name = ctf_text(tsdl->d, text, length))) {
            return NULL;
        }
        *link = step;
        link = &step->next;
        if (!text[length]) {
            return first;
        }
        text += length + 1;
    }
}

/* ---- values --------------------------------------------------------------------------------- */

static bool ctf_tsdl_types_read_number(struct ctf_tsdl *tsdl, struct ctf_value *value)
{
    value->is_negative = ctf_tsdl_sign(tsdl, '-');
    if (!value->is_negative) {
        ctf_tsdl_sign(tsdl, '+');
    }
    if (tsdl->tokens.token.kind != CTF_TOKEN_NUMBER) {
        ctf_tsdl_fail(tsdl, "a number is missing");
        return false;
    }
    value->is_number = true;
    value->number = tsdl->tokens.token.number;
    value->number = value->is_negative ? 0 - value->number : value->number;
    ctf_tokens_next(&tsdl->tokens);
    return true;
}

/* Reads one text or several that follow each other. */
const char *ctf_tsdl_texts(struct ctf_tsdl *tsdl)
{
    const char *whole = NULL;
    while (tsdl->tokens.token.kind == CTF_TOKEN_TEXT && !ctf_tsdl_failed(tsdl)) {
        size_t before = whole ? strlen(whole) : 0;
        char *text = ctf_new(tsdl->d, before + tsdl->tokens.token.length + 1);
        if (!text) {
            return NULL;
        }
        memcpy(text, whole ? whole : "", before);
        text[before + ctf_token_text(&tsdl->tokens.token, text + before)] = '\0';
        whole = text;
        ctf_tokens_next(&tsdl->tokens);
        if (before > CTF_METADATA_MOST / 1024) {
            return ctf_tsdl_fail(tsdl, "a text is too long");
        }
    }
    return whole;
}

bool ctf_tsdl_value(struct ctf_tsdl *tsdl, struct ctf_value *value)
{
    struct ctf_words words;
    *value = (struct ctf_value){.text = ""};
    if (tsdl->tokens.token.kind == CTF_TOKEN_TEXT) {
        value->text = ctf_tsdl_texts(tsdl);
        return value->text != NULL;
    }
    if (ctf_tsdl_types_is_name(tsdl)) {
        if (!ctf_tsdl_path(tsdl, &words)) {
            return false;
        }
        value->text = ctf_text(tsdl->d, words.text, words.length);
        return value->text != NULL;
    }
    return ctf_tsdl_types_read_number(tsdl, value);
}

/* ---- names of types ------------------------------------------------------------------------- */

static unsigned ctf_tsdl_types_bucket_of(const char *name)
{
    uint32_t hash = 2166136261u;
    for (; *name; name++) {
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    }
    return (hash ^ hash >> 16) % CTF_TSDL_BUCKETS;
}

static struct ctf_class *ctf_tsdl_types_find_type(const struct ctf_tsdl *tsdl, const char *name)
{
    for (const struct ctf_type_name *ctf_type_name = tsdl->buckets[ctf_tsdl_types_bucket_of(name)];
         ctf_type_name; ctf_type_name = ctf_type_name->older) {
        if (strcmp(ctf_type_name->name, name) == 0) {
            return ctf_type_name->type;
        }
    }
    return NULL;
}

static void ctf_tsdl_types_add_type(struct ctf_tsdl *tsdl, const char *name, struct ctf_class *type)
{
    struct ctf_type_name *ctf_type_name = ctf_new(tsdl->d, sizeof *ctf_type_name);
    if (!ctf_type_name || !(ctf_type_name->name = ctf_text(tsdl->d, name, strlen(name)))) {
        return;
    }
    if (++tsdl->names > NAMES_MOST) {
        ctf_tsdl_fail(tsdl, "too many names of types");
        return;
    }
    ctf_type_name->type = type;
    ctf_type_name->bucket = ctf_tsdl_types_bucket_of(name);
    ctf_type_name->older = tsdl->buckets[ctf_type_name->bucket];
    ctf_type_name->before = tsdl->newest;
    tsdl->buckets[ctf_type_name->bucket] = tsdl->newest = ctf_type_name;
}

/* Removes the names that were added after `mark`. */
void ctf_tsdl_end_scope(struct ctf_tsdl *tsdl, const struct ctf_type_name *mark)
{
    while (tsdl->newest != mark) {
        tsdl->buckets[tsdl->newest->bucket] = tsdl->newest->older;
        tsdl->newest = tsdl->newest->before;
        tsdl->names--;
    }
}

/* ---- types ---------------------------------------------------------------------------------- */

static struct ctf_class *new_class(struct ctf_tsdl *tsdl, unsigned kind)
{
    struct ctf_class *type = ctf_new(tsdl->d, sizeof *type);
    if (type) {
        type->kind = (uint8_t)kind;
        type->align = 1;
        type->base = 10;
    }
    return type;
}

static uint8_t ctf_tsdl_types_base_of(const struct ctf_value *value)
{
    static const struct {
        const char *word;
        uint8_t base;
    } words[] = {{"hexadecimal", 16}, {"hex", 16}, {"x", 16}, {"X", 16},     {"p", 16},
                 {"octal", 8},        {"oct", 8},  {"o", 8},  {"binary", 2}, {"b", 2}};
    if (value->is_number) {
        return value->number == 2 || value->number == 8 || value->number == 16
                   ? (uint8_t)value->number
                   : 10;
    }
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(words[i].word, value->text) == 0) {
            return words[i].base;
        }
    }
    return 10;
}

uint8_t ctf_tsdl_order(const char *text)
{
    return strcmp(text, "le") == 0                                   ? CTF_LITTLE
           : strcmp(text, "be") == 0 || strcmp(text, "network") == 0 ? CTF_BIG
                                                                     : CTF_NATIVE;
}

static bool is_text_encoding(const char *text)
{
    return strcmp(text, "UTF8") == 0 || strcmp(text, "utf8") == 0 || strcmp(text, "ASCII") == 0 ||
           strcmp(text, "ascii") == 0 || strcmp(text, "UTF-8") == 0 || strcmp(text, "utf-8") == 0;
}

/* Sets one property of a number or of a text. Returns the alignment or mantissa that it has, through `numbers`. */
struct properties {
    uint64_t size, align, exponent, mantissa;
    bool has_align;
};

static void set_property(struct ctf_class *type, struct properties *has, const char *name,
                         const struct ctf_value *value)
{
    if (strcmp(name, "size") == 0) {
        has->size = value->is_number ? value->number : 0;
    } else if (strcmp(name, "align") == 0) {
        has->align = value->number;
        has->has_align = true;
    } else if (strcmp(name, "signed") == 0) {
        type->is_signed =
            value->is_number ? value->number != 0
                             : strcmp(value->text, "true") == 0 || strcmp(value->text, "TRUE") == 0;
    } else if (strcmp(name, "byte_order") == 0) {
        type->order = ctf_tsdl_order(value->text);
    } else if (strcmp(name, "base") == 0) {
        type->base = ctf_tsdl_types_base_of(value);
    } else if (strcmp(name, "encoding") == 0) {
        type->is_text = is_text_encoding(value->text);
    } else if (strcmp(name, "map") == 0) {
        type->is_clock = strncmp(value->text, "clock.", 6) == 0;
    } else if (strcmp(name, "exp_dig") == 0) {
        has->exponent = value->number;
    } else if (strcmp(name, "mant_dig") == 0) {
        has->mantissa = value->number;
    }
}

static bool is_power_of_two(uint64_t n)
{
    return n != 0 && (n & (n - 1)) == 0;
}

/* Reads { name = value; ... } of a number or a text. */
static bool read_properties(struct ctf_tsdl *tsdl, struct ctf_class *type, struct properties *has)
{
    if (!ctf_tsdl_expect(tsdl, '{')) {
        return false;
    }
    while (!ctf_tsdl_sign(tsdl, '}')) {
        struct ctf_words name;
        struct ctf_value value;
        if (!ctf_tsdl_path(tsdl, &name) || !ctf_tsdl_expect(tsdl, '=') ||
            !ctf_tsdl_value(tsdl, &value) || !ctf_tsdl_expect(tsdl, ';')) {
            return false;
        }
        set_property(type, has, name.text, &value);
    }
    if (has->has_align && (!is_power_of_two(has->align) || has->align > 65536)) {
        ctf_tsdl_fail(tsdl, "an alignment is no power of two");
    }
    return !ctf_tsdl_failed(tsdl);
}

static struct ctf_class *read_integer(struct ctf_tsdl *tsdl)
{
    struct properties has = {0};
    struct ctf_class *type = new_class(tsdl, CTF_INTEGER);
    if (!type || !read_properties(tsdl, type, &has)) {
        return NULL;
    }
    if (has.size == 0 || has.size > 64) {
        return ctf_tsdl_fail(tsdl, "an integer has 1 to 64 bits");
    }
    type->bits = (uint8_t)has.size;
    type->align = has.has_align ? (uint32_t)has.align : has.size % 8 == 0 ? 8 : 1;
    return type;
}

static struct ctf_class *read_float(struct ctf_tsdl *tsdl)
{
    struct properties has = {0};
    struct ctf_class *type = new_class(tsdl, CTF_FLOAT);
    if (!type || !read_properties(tsdl, type, &has)) {
        return NULL;
    }
    uint64_t bits = has.exponent + has.mantissa;
    if (bits != 32 && bits != 64) {
        return ctf_tsdl_fail(tsdl, "a floating point number has 32 or 64 bits");
    }
    type->bits = (uint8_t)bits;
    type->align = has.has_align ? (uint32_t)has.align : 1;
    return type;
}

static struct ctf_class *read_string(struct ctf_tsdl *tsdl)
{
    struct properties has = {0};
    struct ctf_class *type = new_class(tsdl, CTF_STRING);
    if (type) {
        type->align = 8;
        type->is_text = true;
        if (ctf_token_is_sign(&tsdl->tokens, '{') && !read_properties(tsdl, type, &has)) {
            return NULL;
        }
    }
    return type;
}

/* Reads a declarator's lengths, of which the last one is the innermost. */
static struct ctf_class *read_lengths(struct ctf_tsdl *tsdl, struct ctf_class *item)
{
    if (!ctf_tsdl_sign(tsdl, '[')) {
        return item;
    }
    struct ctf_class *type = new_class(tsdl, CTF_ARRAY);
    struct ctf_words words;
    if (!type || ++tsdl->depth > CTF_DEPTH) {
        return ctf_tsdl_fail(tsdl, "types are nested too deeply");
    }
    if (tsdl->tokens.token.kind == CTF_TOKEN_NUMBER) {
        type->length = tsdl->tokens.token.number;
        ctf_tokens_next(&tsdl->tokens);
    } else {
        if (!ctf_tsdl_path(tsdl, &words) ||
            !(type->path = ctf_tsdl_types_path_of(tsdl, words.text))) {
            return NULL;
        }
        type->has_path = true;
    }
    if (!ctf_tsdl_expect(tsdl, ']')) {
        return NULL;
    }
    struct ctf_member *member = ctf_new(tsdl->d, sizeof *member);
    item = read_lengths(tsdl, item);
    tsdl->depth--;
    if (!member || !item) {
        return NULL;
    }
    member->name = "";
    member->type = item;
    type->members = member;
    type->member_count = 1;
    return type;
}

/* Reads the fields of a structure, or the options of a variant, with the braces. */
static bool read_fields(struct ctf_tsdl *tsdl, struct ctf_class *type)
{
    struct ctf_member *members = NULL, **link = &members;
    const struct ctf_type_name *mark = tsdl->newest;
    if (!ctf_tsdl_expect(tsdl, '{')) {
        return false;
    }
    while (!ctf_tsdl_sign(tsdl, '}')) {
        struct ctf_words name = {.count = 0};
        if (ctf_tsdl_alias(tsdl)) {
            continue;
        }
        struct ctf_class *field = ctf_tsdl_failed(tsdl) ? NULL : ctf_tsdl_type(tsdl, &name);
        if (!field) {
            return false;
        }
        while (name.count > 0 || ctf_tsdl_types_is_name(tsdl) ||
               ctf_token_is_sign(&tsdl->tokens, '*')) {
            while (ctf_tsdl_sign(tsdl, '*')) {
            }
            if (name.count == 0 &&
                (!ctf_tsdl_types_is_name(tsdl) || !ctf_tsdl_types_add_word(tsdl, &name, ' '))) {
                return ctf_tsdl_fail(tsdl, "the name of a field is missing") != NULL;
            }
            struct ctf_member *member = ctf_new(tsdl->d, sizeof *member);
            if (!member || ++tsdl->trace->member_count > CTF_MEMBERS) {
                return ctf_tsdl_fail(tsdl, "too many fields") != NULL;
            }
            member->name = ctf_text(tsdl->d, ctf_bare(name.text), strlen(ctf_bare(name.text)));
            member->type = read_lengths(tsdl, field);
            if (!member->name || !member->type) {
                return false;
            }
            *link = member;
            link = &member->next;
            type->member_count++;
            name.count = 0;
            name.length = 0;
            if (!ctf_tsdl_sign(tsdl, ',')) {
                break;
            }
        }
        if (!ctf_tsdl_expect(tsdl, ';')) {
            return false;
        }
    }
    ctf_tsdl_end_scope(tsdl, mark);
    type->members = members;
    return true;
}

/* Reads the optional name of a compound type: "struct x", by which it is known. */
static bool read_compound_name(struct ctf_tsdl *tsdl, struct ctf_words *name, const char *keyword)
{
    *name = (struct ctf_words){.count = 0};
    snprintf(name->text, sizeof name->text, "%s", keyword);
    name->length = strlen(keyword);
    name->count = 1;
    if (ctf_tsdl_types_is_name(tsdl) && !ctf_tsdl_types_add_word(tsdl, name, ' ')) {
        return false;
    }
    return true;
}

/* Returns a compound type that was declared with a name. */
static struct ctf_class *declared_type(struct ctf_tsdl *tsdl, const struct ctf_words *name)
{
    struct ctf_class *type = ctf_tsdl_types_find_type(tsdl, name->text);
    return type ? type : ctf_tsdl_fail(tsdl, "a type is not declared");
}

static struct ctf_class *read_struct(struct ctf_tsdl *tsdl)
{
    struct ctf_words name;
    if (!read_compound_name(tsdl, &name, "struct")) {
        return NULL;
    }
    if (!ctf_token_is_sign(&tsdl->tokens, '{')) {
        return declared_type(tsdl, &name);
    }
    struct ctf_class *type = new_class(tsdl, CTF_STRUCT);
    if (!type || !read_fields(tsdl, type)) {
        return NULL;
    }
    if (ctf_tsdl_word(tsdl, "align")) {
        if (!ctf_tsdl_expect(tsdl, '(')) {
            return NULL;
        }
        uint64_t align = tsdl->tokens.token.number;
        if (tsdl->tokens.token.kind != CTF_TOKEN_NUMBER || !is_power_of_two(align) ||
            align > 65536) {
            return ctf_tsdl_fail(tsdl, "an alignment is no power of two");
        }
        ctf_tokens_next(&tsdl->tokens);
        if (!ctf_tsdl_expect(tsdl, ')')) {
            return NULL;
        }
        type->align = (uint32_t)align;
    }
    if (name.count > 1) {
        ctf_tsdl_types_add_type(tsdl, name.text, type);
    }
    return type;
}

static struct ctf_class *read_variant(struct ctf_tsdl *tsdl)
{
    struct ctf_words name, tag = {.count = 0};
    struct ctf_class *type = NULL;
    if (!read_compound_name(tsdl, &name, "variant")) {
        return NULL;
    }
    if (ctf_tsdl_sign(tsdl, '<') && (!ctf_tsdl_path(tsdl, &tag) || !ctf_tsdl_expect(tsdl, '>'))) {
        return NULL;
    }
    if (ctf_token_is_sign(&tsdl->tokens, '{')) {
        type = new_class(tsdl, CTF_VARIANT);
        if (!type || !read_fields(tsdl, type)) {
            return NULL;
        }
        if (name.count > 1) {
            ctf_tsdl_types_add_type(tsdl, name.text, type);
        }
    } else {
        type = declared_type(tsdl, &name);
    }
    if (type && tag.count > 0) {
        struct ctf_class *tagged = new_class(tsdl, CTF_VARIANT);
        if (!tagged) {
            return NULL;
        }
        *tagged = *type;
        tagged->has_path = true;
        tagged->path = ctf_tsdl_types_path_of(tsdl, tag.text);
        type = tagged->path ? tagged : NULL;
    }
    return type;
}

/* Reads the labels of an enumeration. */
static bool read_labels(struct ctf_tsdl *tsdl, struct ctf_class *type)
{
    struct ctf_label **link = &type->labels;
    uint64_t next = 0;
    if (!ctf_tsdl_expect(tsdl, '{')) {
        return false;
    }
    while (!ctf_token_is_sign(&tsdl->tokens, '}')) {
        struct ctf_label *label = ctf_new(tsdl->d, sizeof *label);
        struct ctf_value low = {.number = next}, high;
        if (!label || ++tsdl->trace->member_count > CTF_MEMBERS) {
            return ctf_tsdl_fail(tsdl, "too many labels") != NULL;
        }
        if (ctf_tsdl_types_is_name(tsdl)) {
            label->text = ctf_text(tsdl->d, tsdl->tokens.token.at, tsdl->tokens.token.length);
            ctf_tokens_next(&tsdl->tokens);
        } else {
            label->text = ctf_tsdl_texts(tsdl);
        }
        if (!label->text) {
            return ctf_tsdl_fail(tsdl, "a label is missing") != NULL;
        }
        if (ctf_tsdl_sign(tsdl, '=') && !ctf_tsdl_types_read_number(tsdl, &low)) {
            return false;
        }
        high = low;
        if (tsdl->tokens.token.kind == CTF_TOKEN_RANGE) {
            ctf_tokens_next(&tsdl->tokens);
            if (!ctf_tsdl_types_read_number(tsdl, &high)) {
                return false;
            }
        }
        label->low = low.number;
        label->high = high.number;
        next = high.number + 1;
        *link = label;
        link = &label->next;
        if (!ctf_tsdl_sign(tsdl, ',')) {
            break;
        }
    }
    return ctf_tsdl_expect(tsdl, '}');
}

static struct ctf_class *read_enumeration(struct ctf_tsdl *tsdl)
{
    struct ctf_words name;
    struct ctf_class *number = NULL;
    if (!read_compound_name(tsdl, &name, "enum")) {
        return NULL;
    }
    if (ctf_tsdl_sign(tsdl, ':')) {
        number = ctf_tsdl_type(tsdl, NULL);
    } else if (ctf_token_is_sign(&tsdl->tokens, '{')) {
        number = ctf_tsdl_types_find_type(tsdl, "int");
    } else {
        return declared_type(tsdl, &name);
    }
    struct ctf_class *type = new_class(tsdl, CTF_INTEGER);
    if (!number || !type || number->kind != CTF_INTEGER) {
        return ctf_tsdl_fail(tsdl, "an enumeration has no integer type");
    }
    *type = *number;
    type->is_enumeration = true;
    type->labels = NULL;
    if (!read_labels(tsdl, type)) {
        return NULL;
    }
    if (name.count > 1) {
        ctf_tsdl_types_add_type(tsdl, name.text, type);
    }
    return type;
}

/*
 * Reads a type that is called by its name. With `declared`, its last word is the name of a field, which comes back
 * there.
 */
static struct ctf_class *read_named(struct ctf_tsdl *tsdl, struct ctf_words *declared)
{
    struct ctf_words name = {.count = 0};
    while (ctf_tsdl_types_is_name(tsdl)) {
        if (!ctf_tsdl_types_add_word(tsdl, &name, ' ')) {
            return NULL;
        }
    }
    if (name.count > 1 && declared && !ctf_token_is_sign(&tsdl->tokens, '*')) {
        declared->length = name.length - name.last;
        memcpy(declared->text, name.text + name.last, declared->length + 1);
        declared->count = 1;
        name.text[name.last - 1] = '\0';
    }
    struct ctf_class *type = name.count > 0 ? ctf_tsdl_types_find_type(tsdl, name.text) : NULL;
    return type ? type : ctf_tsdl_fail(tsdl, "a type is not declared");
}

struct ctf_class *ctf_tsdl_type(struct ctf_tsdl *tsdl, struct ctf_words *declared)
{
    struct ctf_class *type;
    if (++tsdl->depth > CTF_DEPTH) {
        return ctf_tsdl_fail(tsdl, "types are nested too deeply");
    }
    if (ctf_tsdl_word(tsdl, "integer")) {
        type = read_integer(tsdl);
    } else if (ctf_tsdl_word(tsdl, "floating_point")) {
        type = read_float(tsdl);
    } else if (ctf_tsdl_word(tsdl, "string")) {
        type = read_string(tsdl);
    } else if (ctf_tsdl_word(tsdl, "struct")) {
        type = read_struct(tsdl);
    } else if (ctf_tsdl_word(tsdl, "variant")) {
        type = read_variant(tsdl);
    } else if (ctf_tsdl_word(tsdl, "enum")) {
        type = read_enumeration(tsdl);
    } else {
        ctf_tsdl_word(tsdl, "const");
        type = read_named(tsdl, declared);
    }
    tsdl->depth--;
    return ctf_tsdl_failed(tsdl) ? NULL : type;
}

/* Reads typealias or typedef. Returns false if the next declaration is neither, or after an error. */
bool ctf_tsdl_alias(struct ctf_tsdl *tsdl)
{
    struct ctf_words name = {.count = 0};
    if (ctf_tsdl_word(tsdl, "typealias")) {
        struct ctf_class *type = ctf_tsdl_type(tsdl, NULL);
        if (!type) {
            return false;
        }
        if (tsdl->tokens.token.kind != CTF_TOKEN_ASSIGN) {
            return ctf_tsdl_fail(tsdl, "':=' is missing") != NULL;
        }
        ctf_tokens_next(&tsdl->tokens);
        while (ctf_tsdl_types_is_name(tsdl) || ctf_token_is_sign(&tsdl->tokens, '*')) {
            if (!ctf_tsdl_types_add_word(tsdl, &name, ' ')) {
                return false;
            }
        }
        ctf_tsdl_types_add_type(tsdl, name.text, type);
        return ctf_tsdl_expect(tsdl, ';');
    }
    if (ctf_tsdl_word(tsdl, "typedef")) {
        struct ctf_class *type = ctf_tsdl_type(tsdl, &name);
        while (ctf_tsdl_sign(tsdl, '*')) {
        }
        if (!type || (name.count == 0 && (!ctf_tsdl_types_is_name(tsdl) ||
                                          !ctf_tsdl_types_add_word(tsdl, &name, ' ')))) {
            return ctf_tsdl_fail(tsdl, "a name is missing") != NULL;
        }
        type = read_lengths(tsdl, type);
        if (!type) {
            return false;
        }
        ctf_tsdl_types_add_type(tsdl, name.text, type);
        return ctf_tsdl_expect(tsdl, ';');
    }
    return false;
}

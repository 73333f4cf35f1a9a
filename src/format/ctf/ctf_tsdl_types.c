/* SPDX-License-Identifier: Apache-2.0 */
/* ctf_tsdl_types: types and values of TSDL. Names of types are in a hash table, the newest first. */
#include <stdio.h>
#include <string.h>

#include "format/ctf/ctf_tsdl.h"

#define NAMES_MOST 65536u

/* ---- errors and tokens ---------------------------------------------------------------------- */

void *ctf_tsdl_fail(struct ctf_tsdl *p, const char *what)
{
    if (!p->failure[0]) {
        int shown = (int)(p->tokens.token.length < 32 ? p->tokens.token.length : 32);
        if (p->tokens.token.kind == CTF_TOKEN_END) {
            snprintf(p->failure, sizeof p->failure, "%s, but the metadata end", what);
        } else {
            snprintf(p->failure, sizeof p->failure, "%s before \"%.*s\"", what, shown,
                     p->tokens.token.at);
        }
    }
    return NULL;
}

bool ctf_tsdl_failed(const struct ctf_tsdl *p)
{
    return p->failure[0] != '\0' || p->d->no_memory;
}

bool ctf_tsdl_sign(struct ctf_tsdl *p, char sign)
{
    bool is = ctf_token_is_sign(&p->tokens, sign);
    if (is) {
        ctf_tokens_next(&p->tokens);
    }
    return is;
}

bool ctf_tsdl_word(struct ctf_tsdl *p, const char *name)
{
    bool is = ctf_token_is(&p->tokens, name);
    if (is) {
        ctf_tokens_next(&p->tokens);
    }
    return is;
}

bool ctf_tsdl_expect(struct ctf_tsdl *p, char sign)
{
    char what[24];
    if (ctf_tsdl_sign(p, sign)) {
        return true;
    }
    snprintf(what, sizeof what, "'%c' is missing", sign);
    ctf_tsdl_fail(p, what);
    return false;
}

static bool is_name(const struct ctf_tsdl *p)
{
    return p->tokens.token.kind == CTF_TOKEN_NAME;
}

/* Adds the current token to a name, after `between` unless it is the first word. */
static bool add_word(struct ctf_tsdl *p, struct ctf_words *words, char between)
{
    const struct ctf_token *token = &p->tokens.token;
    if (words->length + token->length + 2 > sizeof words->text) {
        ctf_tsdl_fail(p, "a name is too long");
        return false;
    }
    if (words->count++ > 0) {
        words->text[words->length++] = between;
    }
    words->last = words->length;
    memcpy(words->text + words->length, token->at, token->length);
    words->length += token->length;
    words->text[words->length] = '\0';
    ctf_tokens_next(&p->tokens);
    return true;
}

/* Reads a path: names with dots or arrows between them. */
bool ctf_tsdl_path(struct ctf_tsdl *p, struct ctf_words *words)
{
    *words = (struct ctf_words){.count = 0};
    do {
        if (!is_name(p)) {
            ctf_tsdl_fail(p, "a name is missing");
            return false;
        }
        if (!add_word(p, words, '.')) {
            return false;
        }
        if (p->tokens.token.kind == CTF_TOKEN_ARROW) {
            ctf_tokens_next(&p->tokens);
            continue;
        }
    } while (ctf_tsdl_sign(p, '.'));
    return true;
}

/* Makes the steps of a reference. */
static struct ctf_path *path_of(struct ctf_tsdl *p, const char *text)
{
    struct ctf_path *first = NULL, **link = &first;
    while (true) {
        size_t length = strcspn(text, ".");
        struct ctf_path *step = ctf_new(p->d, sizeof *step);
        if (!step || !(step->name = ctf_text(p->d, text, length))) {
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

static bool read_number(struct ctf_tsdl *p, struct ctf_value *value)
{
    value->is_negative = ctf_tsdl_sign(p, '-');
    if (!value->is_negative) {
        ctf_tsdl_sign(p, '+');
    }
    if (p->tokens.token.kind != CTF_TOKEN_NUMBER) {
        ctf_tsdl_fail(p, "a number is missing");
        return false;
    }
    value->is_number = true;
    value->number = p->tokens.token.number;
    value->number = value->is_negative ? 0 - value->number : value->number;
    ctf_tokens_next(&p->tokens);
    return true;
}

/* Reads one text or several that follow each other. */
const char *ctf_tsdl_texts(struct ctf_tsdl *p)
{
    const char *whole = NULL;
    while (p->tokens.token.kind == CTF_TOKEN_TEXT && !ctf_tsdl_failed(p)) {
        size_t before = whole ? strlen(whole) : 0;
        char *text = ctf_new(p->d, before + p->tokens.token.length + 1);
        if (!text) {
            return NULL;
        }
        memcpy(text, whole ? whole : "", before);
        text[before + ctf_token_text(&p->tokens.token, text + before)] = '\0';
        whole = text;
        ctf_tokens_next(&p->tokens);
        if (before > CTF_METADATA_MOST / 1024) {
            return ctf_tsdl_fail(p, "a text is too long");
        }
    }
    return whole;
}

bool ctf_tsdl_value(struct ctf_tsdl *p, struct ctf_value *value)
{
    struct ctf_words words;
    *value = (struct ctf_value){.text = ""};
    if (p->tokens.token.kind == CTF_TOKEN_TEXT) {
        value->text = ctf_tsdl_texts(p);
        return value->text != NULL;
    }
    if (is_name(p)) {
        if (!ctf_tsdl_path(p, &words)) {
            return false;
        }
        value->text = ctf_text(p->d, words.text, words.length);
        return value->text != NULL;
    }
    return read_number(p, value);
}

static bool is_true(const struct ctf_value *value)
{
    return value->is_number ? value->number != 0
                            : strcmp(value->text, "true") == 0 || strcmp(value->text, "TRUE") == 0;
}

/* ---- names of types ------------------------------------------------------------------------- */

static unsigned bucket_of(const char *name)
{
    uint32_t hash = 2166136261u;
    for (; *name; name++) {
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    }
    return (hash ^ hash >> 16) % CTF_TSDL_BUCKETS;
}

static struct ctf_class *find_type(const struct ctf_tsdl *p, const char *name)
{
    for (const struct ctf_type_name *t = p->buckets[bucket_of(name)]; t; t = t->older) {
        if (strcmp(t->name, name) == 0) {
            return t->type;
        }
    }
    return NULL;
}

static void add_type(struct ctf_tsdl *p, const char *name, struct ctf_class *type)
{
    struct ctf_type_name *t = ctf_new(p->d, sizeof *t);
    if (!t || !(t->name = ctf_text(p->d, name, strlen(name)))) {
        return;
    }
    if (++p->names > NAMES_MOST) {
        ctf_tsdl_fail(p, "too many names of types");
        return;
    }
    t->type = type;
    t->bucket = bucket_of(name);
    t->older = p->buckets[t->bucket];
    t->before = p->newest;
    p->buckets[t->bucket] = p->newest = t;
}

/* Removes the names that were added after `mark`. */
void ctf_tsdl_end_scope(struct ctf_tsdl *p, const struct ctf_type_name *mark)
{
    while (p->newest != mark) {
        p->buckets[p->newest->bucket] = p->newest->older;
        p->newest = p->newest->before;
        p->names--;
    }
}

/* ---- types ---------------------------------------------------------------------------------- */

static struct ctf_class *new_class(struct ctf_tsdl *p, unsigned kind)
{
    struct ctf_class *type = ctf_new(p->d, sizeof *type);
    if (type) {
        type->kind = (uint8_t)kind;
        type->align = 1;
        type->base = 10;
    }
    return type;
}

static uint8_t base_of(const struct ctf_value *value)
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
        type->is_signed = is_true(value);
    } else if (strcmp(name, "byte_order") == 0) {
        type->order = ctf_tsdl_order(value->text);
    } else if (strcmp(name, "base") == 0) {
        type->base = base_of(value);
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
static bool read_properties(struct ctf_tsdl *p, struct ctf_class *type, struct properties *has)
{
    if (!ctf_tsdl_expect(p, '{')) {
        return false;
    }
    while (!ctf_tsdl_sign(p, '}')) {
        struct ctf_words name;
        struct ctf_value value;
        if (!ctf_tsdl_path(p, &name) || !ctf_tsdl_expect(p, '=') || !ctf_tsdl_value(p, &value) ||
            !ctf_tsdl_expect(p, ';')) {
            return false;
        }
        set_property(type, has, name.text, &value);
    }
    if (has->has_align && (!is_power_of_two(has->align) || has->align > 65536)) {
        ctf_tsdl_fail(p, "an alignment is no power of two");
    }
    return !ctf_tsdl_failed(p);
}

static struct ctf_class *read_integer(struct ctf_tsdl *p)
{
    struct properties has = {0};
    struct ctf_class *type = new_class(p, CTF_INTEGER);
    if (!type || !read_properties(p, type, &has)) {
        return NULL;
    }
    if (has.size == 0 || has.size > 64) {
        return ctf_tsdl_fail(p, "an integer has 1 to 64 bits");
    }
    type->bits = (uint8_t)has.size;
    type->align = has.has_align ? (uint32_t)has.align : has.size % 8 == 0 ? 8 : 1;
    return type;
}

static struct ctf_class *read_float(struct ctf_tsdl *p)
{
    struct properties has = {0};
    struct ctf_class *type = new_class(p, CTF_FLOAT);
    if (!type || !read_properties(p, type, &has)) {
        return NULL;
    }
    uint64_t bits = has.exponent + has.mantissa;
    if (bits != 32 && bits != 64) {
        return ctf_tsdl_fail(p, "a floating point number has 32 or 64 bits");
    }
    type->bits = (uint8_t)bits;
    type->align = has.has_align ? (uint32_t)has.align : 1;
    return type;
}

static struct ctf_class *read_string(struct ctf_tsdl *p)
{
    struct properties has = {0};
    struct ctf_class *type = new_class(p, CTF_STRING);
    if (type) {
        type->align = 8;
        type->is_text = true;
        if (ctf_token_is_sign(&p->tokens, '{') && !read_properties(p, type, &has)) {
            return NULL;
        }
    }
    return type;
}

/* Reads a declarator's lengths, of which the last one is the innermost. */
static struct ctf_class *read_lengths(struct ctf_tsdl *p, struct ctf_class *item)
{
    if (!ctf_tsdl_sign(p, '[')) {
        return item;
    }
    struct ctf_class *type = new_class(p, CTF_ARRAY);
    struct ctf_words words;
    if (!type || ++p->depth > CTF_DEPTH) {
        return ctf_tsdl_fail(p, "types are nested too deeply");
    }
    if (p->tokens.token.kind == CTF_TOKEN_NUMBER) {
        type->length = p->tokens.token.number;
        ctf_tokens_next(&p->tokens);
    } else {
        if (!ctf_tsdl_path(p, &words) || !(type->path = path_of(p, words.text))) {
            return NULL;
        }
        type->has_path = true;
    }
    if (!ctf_tsdl_expect(p, ']')) {
        return NULL;
    }
    struct ctf_member *member = ctf_new(p->d, sizeof *member);
    item = read_lengths(p, item);
    p->depth--;
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
static bool read_fields(struct ctf_tsdl *p, struct ctf_class *type)
{
    struct ctf_member *members = NULL, **link = &members;
    const struct ctf_type_name *mark = p->newest;
    if (!ctf_tsdl_expect(p, '{')) {
        return false;
    }
    while (!ctf_tsdl_sign(p, '}')) {
        struct ctf_words name = {.count = 0};
        if (ctf_tsdl_alias(p)) {
            continue;
        }
        struct ctf_class *field = ctf_tsdl_failed(p) ? NULL : ctf_tsdl_type(p, &name);
        if (!field) {
            return false;
        }
        while (name.count > 0 || is_name(p) || ctf_token_is_sign(&p->tokens, '*')) {
            while (ctf_tsdl_sign(p, '*')) {
            }
            if (name.count == 0 && (!is_name(p) || !add_word(p, &name, ' '))) {
                return ctf_tsdl_fail(p, "the name of a field is missing") != NULL;
            }
            struct ctf_member *member = ctf_new(p->d, sizeof *member);
            if (!member || ++p->trace->member_count > CTF_MEMBERS) {
                return ctf_tsdl_fail(p, "too many fields") != NULL;
            }
            member->name = ctf_text(p->d, ctf_bare(name.text), strlen(ctf_bare(name.text)));
            member->type = read_lengths(p, field);
            if (!member->name || !member->type) {
                return false;
            }
            *link = member;
            link = &member->next;
            type->member_count++;
            name.count = 0;
            name.length = 0;
            if (!ctf_tsdl_sign(p, ',')) {
                break;
            }
        }
        if (!ctf_tsdl_expect(p, ';')) {
            return false;
        }
    }
    ctf_tsdl_end_scope(p, mark);
    type->members = members;
    return true;
}

/* Reads the optional name of a compound type: "struct x", by which it is known. */
static bool read_compound_name(struct ctf_tsdl *p, struct ctf_words *name, const char *keyword)
{
    *name = (struct ctf_words){.count = 0};
    snprintf(name->text, sizeof name->text, "%s", keyword);
    name->length = strlen(keyword);
    name->count = 1;
    if (is_name(p) && !add_word(p, name, ' ')) {
        return false;
    }
    return true;
}

/* Returns a compound type that was declared with a name. */
static struct ctf_class *declared_type(struct ctf_tsdl *p, const struct ctf_words *name)
{
    struct ctf_class *type = find_type(p, name->text);
    return type ? type : ctf_tsdl_fail(p, "a type is not declared");
}

static struct ctf_class *read_struct(struct ctf_tsdl *p)
{
    struct ctf_words name;
    if (!read_compound_name(p, &name, "struct")) {
        return NULL;
    }
    if (!ctf_token_is_sign(&p->tokens, '{')) {
        return declared_type(p, &name);
    }
    struct ctf_class *type = new_class(p, CTF_STRUCT);
    if (!type || !read_fields(p, type)) {
        return NULL;
    }
    if (ctf_tsdl_word(p, "align")) {
        if (!ctf_tsdl_expect(p, '(')) {
            return NULL;
        }
        uint64_t align = p->tokens.token.number;
        if (p->tokens.token.kind != CTF_TOKEN_NUMBER || !is_power_of_two(align) || align > 65536) {
            return ctf_tsdl_fail(p, "an alignment is no power of two");
        }
        ctf_tokens_next(&p->tokens);
        if (!ctf_tsdl_expect(p, ')')) {
            return NULL;
        }
        type->align = (uint32_t)align;
    }
    if (name.count > 1) {
        add_type(p, name.text, type);
    }
    return type;
}

static struct ctf_class *read_variant(struct ctf_tsdl *p)
{
    struct ctf_words name, tag = {.count = 0};
    struct ctf_class *type = NULL;
    if (!read_compound_name(p, &name, "variant")) {
        return NULL;
    }
    if (ctf_tsdl_sign(p, '<') && (!ctf_tsdl_path(p, &tag) || !ctf_tsdl_expect(p, '>'))) {
        return NULL;
    }
    if (ctf_token_is_sign(&p->tokens, '{')) {
        type = new_class(p, CTF_VARIANT);
        if (!type || !read_fields(p, type)) {
            return NULL;
        }
        if (name.count > 1) {
            add_type(p, name.text, type);
        }
    } else {
        type = declared_type(p, &name);
    }
    if (type && tag.count > 0) {
        struct ctf_class *tagged = new_class(p, CTF_VARIANT);
        if (!tagged) {
            return NULL;
        }
        *tagged = *type;
        tagged->has_path = true;
        tagged->path = path_of(p, tag.text);
        type = tagged->path ? tagged : NULL;
    }
    return type;
}

/* Reads the labels of an enumeration. */
static bool read_labels(struct ctf_tsdl *p, struct ctf_class *type)
{
    struct ctf_label **link = &type->labels;
    uint64_t next = 0;
    if (!ctf_tsdl_expect(p, '{')) {
        return false;
    }
    while (!ctf_token_is_sign(&p->tokens, '}')) {
        struct ctf_label *label = ctf_new(p->d, sizeof *label);
        struct ctf_value low = {.number = next}, high;
        if (!label || ++p->trace->member_count > CTF_MEMBERS) {
            return ctf_tsdl_fail(p, "too many labels") != NULL;
        }
        if (is_name(p)) {
            label->text = ctf_text(p->d, p->tokens.token.at, p->tokens.token.length);
            ctf_tokens_next(&p->tokens);
        } else {
            label->text = ctf_tsdl_texts(p);
        }
        if (!label->text) {
            return ctf_tsdl_fail(p, "a label is missing") != NULL;
        }
        if (ctf_tsdl_sign(p, '=') && !read_number(p, &low)) {
            return false;
        }
        high = low;
        if (p->tokens.token.kind == CTF_TOKEN_RANGE) {
            ctf_tokens_next(&p->tokens);
            if (!read_number(p, &high)) {
                return false;
            }
        }
        label->low = low.number;
        label->high = high.number;
        next = high.number + 1;
        *link = label;
        link = &label->next;
        if (!ctf_tsdl_sign(p, ',')) {
            break;
        }
    }
    return ctf_tsdl_expect(p, '}');
}

static struct ctf_class *read_enumeration(struct ctf_tsdl *p)
{
    struct ctf_words name;
    struct ctf_class *number = NULL;
    if (!read_compound_name(p, &name, "enum")) {
        return NULL;
    }
    if (ctf_tsdl_sign(p, ':')) {
        number = ctf_tsdl_type(p, NULL);
    } else if (ctf_token_is_sign(&p->tokens, '{')) {
        number = find_type(p, "int");
    } else {
        return declared_type(p, &name);
    }
    struct ctf_class *type = new_class(p, CTF_INTEGER);
    if (!number || !type || number->kind != CTF_INTEGER) {
        return ctf_tsdl_fail(p, "an enumeration has no integer type");
    }
    *type = *number;
    type->is_enumeration = true;
    type->labels = NULL;
    if (!read_labels(p, type)) {
        return NULL;
    }
    if (name.count > 1) {
        add_type(p, name.text, type);
    }
    return type;
}

/*
 * Reads a type that is called by its name. With `declared`, its last word is the name of a field, which comes back
 * there.
 */
static struct ctf_class *read_named(struct ctf_tsdl *p, struct ctf_words *declared)
{
    struct ctf_words name = {.count = 0};
    while (is_name(p)) {
        if (!add_word(p, &name, ' ')) {
            return NULL;
        }
    }
    if (name.count > 1 && declared && !ctf_token_is_sign(&p->tokens, '*')) {
        declared->length = name.length - name.last;
        memcpy(declared->text, name.text + name.last, declared->length + 1);
        declared->count = 1;
        name.text[name.last - 1] = '\0';
    }
    struct ctf_class *type = name.count > 0 ? find_type(p, name.text) : NULL;
    return type ? type : ctf_tsdl_fail(p, "a type is not declared");
}

struct ctf_class *ctf_tsdl_type(struct ctf_tsdl *p, struct ctf_words *declared)
{
    struct ctf_class *type;
    if (++p->depth > CTF_DEPTH) {
        return ctf_tsdl_fail(p, "types are nested too deeply");
    }
    if (ctf_tsdl_word(p, "integer")) {
        type = read_integer(p);
    } else if (ctf_tsdl_word(p, "floating_point")) {
        type = read_float(p);
    } else if (ctf_tsdl_word(p, "string")) {
        type = read_string(p);
    } else if (ctf_tsdl_word(p, "struct")) {
        type = read_struct(p);
    } else if (ctf_tsdl_word(p, "variant")) {
        type = read_variant(p);
    } else if (ctf_tsdl_word(p, "enum")) {
        type = read_enumeration(p);
    } else {
        ctf_tsdl_word(p, "const");
        type = read_named(p, declared);
    }
    p->depth--;
    return ctf_tsdl_failed(p) ? NULL : type;
}

/* Reads typealias or typedef. Returns false if the next declaration is neither, or after an error. */
bool ctf_tsdl_alias(struct ctf_tsdl *p)
{
    struct ctf_words name = {.count = 0};
    if (ctf_tsdl_word(p, "typealias")) {
        struct ctf_class *type = ctf_tsdl_type(p, NULL);
        if (!type) {
            return false;
        }
        if (p->tokens.token.kind != CTF_TOKEN_ASSIGN) {
            return ctf_tsdl_fail(p, "':=' is missing") != NULL;
        }
        ctf_tokens_next(&p->tokens);
        while (is_name(p) || ctf_token_is_sign(&p->tokens, '*')) {
            if (!add_word(p, &name, ' ')) {
                return false;
            }
        }
        add_type(p, name.text, type);
        return ctf_tsdl_expect(p, ';');
    }
    if (ctf_tsdl_word(p, "typedef")) {
        struct ctf_class *type = ctf_tsdl_type(p, &name);
        while (ctf_tsdl_sign(p, '*')) {
        }
        if (!type || (name.count == 0 && (!is_name(p) || !add_word(p, &name, ' ')))) {
            return ctf_tsdl_fail(p, "a name is missing") != NULL;
        }
        type = read_lengths(p, type);
        if (!type) {
            return false;
        }
        add_type(p, name.text, type);
        return ctf_tsdl_expect(p, ';');
    }
    return false;
}

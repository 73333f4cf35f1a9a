/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ctf_tsdl: declarations of CTF 1.8. One pass over the tokens; names of types are in a hash table, whose newest
 * entries are removed at the end of each block and of each structure.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/ctf/ctf_internal.h"
#include "format/ctf/ctf_tokens.h"

#define BUCKETS    1024u
#define NAMES_MOST 65536u
#define NAME_MOST  256u

struct type_name {
    const char *name;
    struct ctf_class *type;
    struct type_name *older;  /* in its bucket */
    struct type_name *before; /* of all */
    unsigned bucket;
};

struct tsdl {
    struct ctf *d;
    struct ctf_trace *trace;
    struct ctf_tokens tokens;
    struct type_name *buckets[BUCKETS];
    struct type_name *newest;
    unsigned names;
    unsigned depth;
    char failure[160]; /* the first one; empty: none */
};

/* A name that is being read: several words, or a path. */
struct words {
    char text[NAME_MOST];
    size_t length;
    size_t last; /* where its last word begins */
    unsigned count;
};

/* ---- errors and tokens ---------------------------------------------------------------------- */

static void *fail(struct tsdl *p, const char *what)
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

static bool failed(const struct tsdl *p)
{
    return p->failure[0] != '\0' || p->d->no_memory;
}

static bool accept_sign(struct tsdl *p, char sign)
{
    bool is = ctf_token_is_sign(&p->tokens, sign);
    if (is) {
        ctf_tokens_next(&p->tokens);
    }
    return is;
}

static bool accept_word(struct tsdl *p, const char *name)
{
    bool is = ctf_token_is(&p->tokens, name);
    if (is) {
        ctf_tokens_next(&p->tokens);
    }
    return is;
}

static bool expect_sign(struct tsdl *p, char sign)
{
    char what[24];
    if (accept_sign(p, sign)) {
        return true;
    }
    snprintf(what, sizeof what, "'%c' is missing", sign);
    fail(p, what);
    return false;
}

static bool is_name(const struct tsdl *p)
{
    return p->tokens.token.kind == CTF_TOKEN_NAME;
}

/* Adds the current token to a name, after `between` unless it is the first word. */
static bool add_word(struct tsdl *p, struct words *words, char between)
{
    const struct ctf_token *token = &p->tokens.token;
    if (words->length + token->length + 2 > sizeof words->text) {
        fail(p, "a name is too long");
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
static bool read_path(struct tsdl *p, struct words *words)
{
    *words = (struct words){.count = 0};
    do {
        if (!is_name(p)) {
            fail(p, "a name is missing");
            return false;
        }
        if (!add_word(p, words, '.')) {
            return false;
        }
        if (p->tokens.token.kind == CTF_TOKEN_ARROW) {
            ctf_tokens_next(&p->tokens);
            continue;
        }
    } while (accept_sign(p, '.'));
    return true;
}

/* Makes the steps of a reference. */
static struct ctf_path *path_of(struct tsdl *p, const char *text)
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

struct value {
    bool is_number;
    bool is_negative;
    uint64_t number;
    const char *text; /* of a text or of a name; "" */
};

static bool read_number(struct tsdl *p, struct value *value)
{
    value->is_negative = accept_sign(p, '-');
    if (!value->is_negative) {
        accept_sign(p, '+');
    }
    if (p->tokens.token.kind != CTF_TOKEN_NUMBER) {
        fail(p, "a number is missing");
        return false;
    }
    value->is_number = true;
    value->number = p->tokens.token.number;
    value->number = value->is_negative ? 0 - value->number : value->number;
    ctf_tokens_next(&p->tokens);
    return true;
}

/* Reads one text or several that follow each other. */
static const char *read_texts(struct tsdl *p)
{
    const char *whole = NULL;
    while (p->tokens.token.kind == CTF_TOKEN_TEXT && !failed(p)) {
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
            return fail(p, "a text is too long");
        }
    }
    return whole;
}

static bool read_value(struct tsdl *p, struct value *value)
{
    struct words words;
    *value = (struct value){.text = ""};
    if (p->tokens.token.kind == CTF_TOKEN_TEXT) {
        value->text = read_texts(p);
        return value->text != NULL;
    }
    if (is_name(p)) {
        if (!read_path(p, &words)) {
            return false;
        }
        value->text = ctf_text(p->d, words.text, words.length);
        return value->text != NULL;
    }
    return read_number(p, value);
}

static bool is_true(const struct value *value)
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
    return (hash ^ hash >> 16) % BUCKETS;
}

static struct ctf_class *find_type(const struct tsdl *p, const char *name)
{
    for (const struct type_name *t = p->buckets[bucket_of(name)]; t; t = t->older) {
        if (strcmp(t->name, name) == 0) {
            return t->type;
        }
    }
    return NULL;
}

static void add_type(struct tsdl *p, const char *name, struct ctf_class *type)
{
    struct type_name *t = ctf_new(p->d, sizeof *t);
    if (!t || !(t->name = ctf_text(p->d, name, strlen(name)))) {
        return;
    }
    if (++p->names > NAMES_MOST) {
        fail(p, "too many names of types");
        return;
    }
    t->type = type;
    t->bucket = bucket_of(name);
    t->older = p->buckets[t->bucket];
    t->before = p->newest;
    p->buckets[t->bucket] = p->newest = t;
}

/* Removes the names that were added after `mark`. */
static void end_scope(struct tsdl *p, const struct type_name *mark)
{
    while (p->newest != mark) {
        p->buckets[p->newest->bucket] = p->newest->older;
        p->newest = p->newest->before;
        p->names--;
    }
}

/* ---- types ---------------------------------------------------------------------------------- */

static struct ctf_class *read_type(struct tsdl *p, struct words *declared);
static bool read_alias_or_definition(struct tsdl *p);

static struct ctf_class *new_class(struct tsdl *p, unsigned kind)
{
    struct ctf_class *type = ctf_new(p->d, sizeof *type);
    if (type) {
        type->kind = (uint8_t)kind;
        type->align = 1;
        type->base = 10;
    }
    return type;
}

static uint8_t base_of(const struct value *value)
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

static uint8_t order_of(const char *text)
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
                         const struct value *value)
{
    if (strcmp(name, "size") == 0) {
        has->size = value->is_number ? value->number : 0;
    } else if (strcmp(name, "align") == 0) {
        has->align = value->number;
        has->has_align = true;
    } else if (strcmp(name, "signed") == 0) {
        type->is_signed = is_true(value);
    } else if (strcmp(name, "byte_order") == 0) {
        type->order = order_of(value->text);
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
static bool read_properties(struct tsdl *p, struct ctf_class *type, struct properties *has)
{
    if (!expect_sign(p, '{')) {
        return false;
    }
    while (!accept_sign(p, '}')) {
        struct words name;
        struct value value;
        if (!read_path(p, &name) || !expect_sign(p, '=') || !read_value(p, &value) ||
            !expect_sign(p, ';')) {
            return false;
        }
        set_property(type, has, name.text, &value);
    }
    if (has->has_align && (!is_power_of_two(has->align) || has->align > 65536)) {
        fail(p, "an alignment is no power of two");
    }
    return !failed(p);
}

static struct ctf_class *read_integer(struct tsdl *p)
{
    struct properties has = {0};
    struct ctf_class *type = new_class(p, CTF_INTEGER);
    if (!type || !read_properties(p, type, &has)) {
        return NULL;
    }
    if (has.size == 0 || has.size > 64) {
        return fail(p, "an integer has 1 to 64 bits");
    }
    type->bits = (uint8_t)has.size;
    type->align = has.has_align ? (uint32_t)has.align : has.size % 8 == 0 ? 8 : 1;
    return type;
}

static struct ctf_class *read_float(struct tsdl *p)
{
    struct properties has = {0};
    struct ctf_class *type = new_class(p, CTF_FLOAT);
    if (!type || !read_properties(p, type, &has)) {
        return NULL;
    }
    uint64_t bits = has.exponent + has.mantissa;
    if (bits != 32 && bits != 64) {
        return fail(p, "a floating point number has 32 or 64 bits");
    }
    type->bits = (uint8_t)bits;
    type->align = has.has_align ? (uint32_t)has.align : 1;
    return type;
}

static struct ctf_class *read_string(struct tsdl *p)
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
static struct ctf_class *read_lengths(struct tsdl *p, struct ctf_class *item)
{
    if (!accept_sign(p, '[')) {
        return item;
    }
    struct ctf_class *type = new_class(p, CTF_ARRAY);
    struct words words;
    if (!type || ++p->depth > CTF_DEPTH) {
        return fail(p, "types are nested too deeply");
    }
    if (p->tokens.token.kind == CTF_TOKEN_NUMBER) {
        type->length = p->tokens.token.number;
        ctf_tokens_next(&p->tokens);
    } else {
        if (!read_path(p, &words) || !(type->path = path_of(p, words.text))) {
            return NULL;
        }
        type->has_path = true;
    }
    if (!expect_sign(p, ']')) {
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
static bool read_fields(struct tsdl *p, struct ctf_class *type)
{
    struct ctf_member *members = NULL, **link = &members;
    const struct type_name *mark = p->newest;
    if (!expect_sign(p, '{')) {
        return false;
    }
    while (!accept_sign(p, '}')) {
        struct words name = {.count = 0};
        if (read_alias_or_definition(p)) {
            continue;
        }
        struct ctf_class *field = failed(p) ? NULL : read_type(p, &name);
        if (!field) {
            return false;
        }
        while (name.count > 0 || is_name(p) || ctf_token_is_sign(&p->tokens, '*')) {
            while (accept_sign(p, '*')) {
            }
            if (name.count == 0 && (!is_name(p) || !add_word(p, &name, ' '))) {
                return fail(p, "the name of a field is missing") != NULL;
            }
            struct ctf_member *member = ctf_new(p->d, sizeof *member);
            if (!member || ++p->trace->member_count > CTF_MEMBERS) {
                return fail(p, "too many fields") != NULL;
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
            if (!accept_sign(p, ',')) {
                break;
            }
        }
        if (!expect_sign(p, ';')) {
            return false;
        }
    }
    end_scope(p, mark);
    type->members = members;
    return true;
}

/* Reads the optional name of a compound type: "struct x", by which it is known. */
static bool read_compound_name(struct tsdl *p, struct words *name, const char *keyword)
{
    *name = (struct words){.count = 0};
    snprintf(name->text, sizeof name->text, "%s", keyword);
    name->length = strlen(keyword);
    name->count = 1;
    if (is_name(p) && !add_word(p, name, ' ')) {
        return false;
    }
    return true;
}

/* Returns a compound type that was declared with a name. */
static struct ctf_class *declared_type(struct tsdl *p, const struct words *name)
{
    struct ctf_class *type = find_type(p, name->text);
    return type ? type : fail(p, "a type is not declared");
}

static struct ctf_class *read_struct(struct tsdl *p)
{
    struct words name;
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
    if (accept_word(p, "align")) {
        if (!expect_sign(p, '(')) {
            return NULL;
        }
        uint64_t align = p->tokens.token.number;
        if (p->tokens.token.kind != CTF_TOKEN_NUMBER || !is_power_of_two(align) || align > 65536) {
            return fail(p, "an alignment is no power of two");
        }
        ctf_tokens_next(&p->tokens);
        if (!expect_sign(p, ')')) {
            return NULL;
        }
        type->align = (uint32_t)align;
    }
    if (name.count > 1) {
        add_type(p, name.text, type);
    }
    return type;
}

static struct ctf_class *read_variant(struct tsdl *p)
{
    struct words name, tag = {.count = 0};
    struct ctf_class *type = NULL;
    if (!read_compound_name(p, &name, "variant")) {
        return NULL;
    }
    if (accept_sign(p, '<') && (!read_path(p, &tag) || !expect_sign(p, '>'))) {
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
static bool read_labels(struct tsdl *p, struct ctf_class *type)
{
    struct ctf_label **link = &type->labels;
    uint64_t next = 0;
    if (!expect_sign(p, '{')) {
        return false;
    }
    while (!ctf_token_is_sign(&p->tokens, '}')) {
        struct ctf_label *label = ctf_new(p->d, sizeof *label);
        struct value low = {.number = next}, high;
        if (!label || ++p->trace->member_count > CTF_MEMBERS) {
            return fail(p, "too many labels") != NULL;
        }
        if (is_name(p)) {
            label->text = ctf_text(p->d, p->tokens.token.at, p->tokens.token.length);
            ctf_tokens_next(&p->tokens);
        } else {
            label->text = read_texts(p);
        }
        if (!label->text) {
            return fail(p, "a label is missing") != NULL;
        }
        if (accept_sign(p, '=') && !read_number(p, &low)) {
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
        if (!accept_sign(p, ',')) {
            break;
        }
    }
    return expect_sign(p, '}');
}

static struct ctf_class *read_enumeration(struct tsdl *p)
{
    struct words name;
    struct ctf_class *number = NULL;
    if (!read_compound_name(p, &name, "enum")) {
        return NULL;
    }
    if (accept_sign(p, ':')) {
        number = read_type(p, NULL);
    } else if (ctf_token_is_sign(&p->tokens, '{')) {
        number = find_type(p, "int");
    } else {
        return declared_type(p, &name);
    }
    struct ctf_class *type = new_class(p, CTF_INTEGER);
    if (!number || !type || number->kind != CTF_INTEGER) {
        return fail(p, "an enumeration has no integer type");
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
static struct ctf_class *read_named(struct tsdl *p, struct words *declared)
{
    struct words name = {.count = 0};
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
    return type ? type : fail(p, "a type is not declared");
}

static struct ctf_class *read_type(struct tsdl *p, struct words *declared)
{
    struct ctf_class *type;
    if (++p->depth > CTF_DEPTH) {
        return fail(p, "types are nested too deeply");
    }
    if (accept_word(p, "integer")) {
        type = read_integer(p);
    } else if (accept_word(p, "floating_point")) {
        type = read_float(p);
    } else if (accept_word(p, "string")) {
        type = read_string(p);
    } else if (accept_word(p, "struct")) {
        type = read_struct(p);
    } else if (accept_word(p, "variant")) {
        type = read_variant(p);
    } else if (accept_word(p, "enum")) {
        type = read_enumeration(p);
    } else {
        accept_word(p, "const");
        type = read_named(p, declared);
    }
    p->depth--;
    return failed(p) ? NULL : type;
}

/* Reads typealias or typedef. Returns false if the next declaration is neither, or after an error. */
static bool read_alias_or_definition(struct tsdl *p)
{
    struct words name = {.count = 0};
    if (accept_word(p, "typealias")) {
        struct ctf_class *type = read_type(p, NULL);
        if (!type) {
            return false;
        }
        if (p->tokens.token.kind != CTF_TOKEN_ASSIGN) {
            return fail(p, "':=' is missing") != NULL;
        }
        ctf_tokens_next(&p->tokens);
        while (is_name(p) || ctf_token_is_sign(&p->tokens, '*')) {
            if (!add_word(p, &name, ' ')) {
                return false;
            }
        }
        add_type(p, name.text, type);
        return expect_sign(p, ';');
    }
    if (accept_word(p, "typedef")) {
        struct ctf_class *type = read_type(p, &name);
        while (accept_sign(p, '*')) {
        }
        if (!type || (name.count == 0 && (!is_name(p) || !add_word(p, &name, ' ')))) {
            return fail(p, "a name is missing") != NULL;
        }
        type = read_lengths(p, type);
        if (!type) {
            return false;
        }
        add_type(p, name.text, type);
        return expect_sign(p, ';');
    }
    return false;
}

/* ---- blocks --------------------------------------------------------------------------------- */

/* Takes an assignment of a block: `type` of name := type, `value` of name = value. */
typedef void take_item(struct tsdl *p, void *block, const char *name, struct ctf_class *type,
                       const struct value *value);

/* Reads the items of a block. */
static bool read_block(struct tsdl *p, void *block, take_item *take)
{
    const struct type_name *mark = p->newest;
    if (!expect_sign(p, '{')) {
        return false;
    }
    while (!accept_sign(p, '}')) {
        struct words name = {.count = 0};
        struct value value = {.text = ""};
        if (read_alias_or_definition(p)) {
            continue;
        }
        if (failed(p)) {
            return false;
        }
        if (ctf_token_is(&p->tokens, "struct") || ctf_token_is(&p->tokens, "enum") ||
            ctf_token_is(&p->tokens, "variant")) {
            if (!read_type(p, NULL) || !expect_sign(p, ';')) {
                return false;
            }
            continue;
        }
        if (p->tokens.token.kind == CTF_TOKEN_TEXT) { /* a key of env in quotes */
            const char *text = read_texts(p);
            snprintf(name.text, sizeof name.text, "%s", text ? text : "");
        } else if (!read_path(p, &name)) {
            return false;
        }
        if (p->tokens.token.kind == CTF_TOKEN_ASSIGN) {
            ctf_tokens_next(&p->tokens);
            struct ctf_class *type = read_type(p, NULL);
            if (!type) {
                return false;
            }
            take(p, block, name.text, type, &value);
        } else if (expect_sign(p, '=') && read_value(p, &value)) {
            take(p, block, name.text, NULL, &value);
        }
        if (failed(p) || !expect_sign(p, ';')) {
            return false;
        }
    }
    end_scope(p, mark);
    return expect_sign(p, ';');
}

static void take_trace(struct tsdl *p, void *block, const char *name, struct ctf_class *type,
                       const struct value *value)
{
    struct ctf_trace *trace = block;
    if (strcmp(name, "packet.header") == 0) {
        trace->packet_header = type;
    } else if (strcmp(name, "byte_order") == 0) {
        unsigned order = order_of(value->text);
        trace->big = order == CTF_BIG;
        trace->has_order = order != CTF_NATIVE;
    } else if (strcmp(name, "uuid") == 0) {
        trace->has_uuid = ctf_read_uuid(value->text, trace->uuid);
    } else if (strcmp(name, "major") == 0 && value->number != 1) {
        fail(p, "the version is not 1.8");
    }
}

static void take_env(struct tsdl *p, void *block, const char *name, struct ctf_class *type,
                     const struct value *value)
{
    struct ctf_entry ***link = block;
    struct ctf_entry *entry = ctf_new(p->d, sizeof *entry);
    (void)type;
    if (entry && (entry->key = ctf_text(p->d, name, strlen(name)))) {
        entry->text = value->is_number ? NULL : value->text;
        entry->number = (int64_t)value->number;
        **link = entry;
        *link = &entry->next;
    }
}

static void take_clock(struct tsdl *p, void *block, const char *name, struct ctf_class *type,
                       const struct value *value)
{
    struct ctf_clock *clock = block;
    (void)type;
    (void)p;
    if (strcmp(name, "name") == 0) {
        clock->name = value->text;
    } else if (strcmp(name, "uuid") == 0) {
        clock->uid = value->text;
    } else if (strcmp(name, "description") == 0) {
        clock->description = value->text;
    } else if (strcmp(name, "freq") == 0) {
        clock->freq = value->number;
    } else if (strcmp(name, "offset_s") == 0) {
        clock->offset_s = (int64_t)value->number;
    } else if (strcmp(name, "offset") == 0) {
        clock->offset = value->number;
    } else if (strcmp(name, "absolute") == 0) {
        clock->absolute = is_true(value);
    }
}

static void take_stream(struct tsdl *p, void *block, const char *name, struct ctf_class *type,
                        const struct value *value)
{
    struct ctf_stream_class *of = block;
    (void)p;
    if (strcmp(name, "id") == 0) {
        of->id = value->number;
    } else if (strcmp(name, "event.header") == 0) {
        of->classes[CTF_EVENT_HEADER] = type;
    } else if (strcmp(name, "event.context") == 0) {
        of->classes[CTF_COMMON_CONTEXT] = type;
    } else if (strcmp(name, "packet.context") == 0) {
        of->classes[CTF_PACKET_CONTEXT] = type;
    }
}

static void take_event(struct tsdl *p, void *block, const char *name, struct ctf_class *type,
                       const struct value *value)
{
    struct ctf_event *event = block;
    (void)p;
    if (strcmp(name, "name") == 0) {
        event->name = value->text;
    } else if (strcmp(name, "id") == 0) {
        event->id = value->number;
    } else if (strcmp(name, "stream_id") == 0) {
        event->stream_id = value->number;
    } else if (strcmp(name, "context") == 0) {
        event->context = type;
    } else if (strcmp(name, "fields") == 0) {
        event->payload = type;
    }
}

static void take_nothing(struct tsdl *p, void *block, const char *name, struct ctf_class *type,
                         const struct value *value)
{
    (void)p;
    (void)block;
    (void)name;
    (void)type;
    (void)value;
}

static void read_event(struct tsdl *p)
{
    struct ctf_event *event = ctf_new(p->d, sizeof *event);
    if (!event || ++p->trace->event_count > CTF_EVENTS) {
        fail(p, "too many events");
        return;
    }
    event->name = "";
    if (read_block(p, event, take_event)) {
        event->next = p->trace->declared;
        p->trace->declared = event;
    }
}

static void read_stream(struct tsdl *p)
{
    struct ctf_stream_class *of = ctf_new(p->d, sizeof *of);
    if (of && read_block(p, of, take_stream)) {
        if (ctf_stream_class(p->trace, of->id) || ++p->trace->stream_count > CTF_STREAMS) {
            fail(p, "two streams have one id, or there are too many");
        }
        of->trace = p->trace;
        of->next = p->trace->streams;
        p->trace->streams = of;
    }
}

static void read_clock(struct tsdl *p)
{
    struct ctf_clock *clock = ctf_new(p->d, sizeof *clock), **link = &p->trace->clocks;
    if (clock) {
        clock->freq = UINT64_C(1000000000);
        if (read_block(p, clock, take_clock)) {
            while (*link) {
                link = &(*link)->next;
            }
            *link = clock;
        }
    }
}

/* Reads a declaration at the top. */
static void read_declaration(struct tsdl *p)
{
    if (accept_word(p, "trace")) {
        read_block(p, p->trace, take_trace);
    } else if (accept_word(p, "env")) {
        struct ctf_entry **link = &p->trace->env;
        while (*link) {
            link = &(*link)->next;
        }
        read_block(p, &link, take_env);
    } else if (accept_word(p, "clock")) {
        read_clock(p);
    } else if (accept_word(p, "stream")) {
        read_stream(p);
    } else if (accept_word(p, "event")) {
        read_event(p);
    } else if (accept_word(p, "callsite")) {
        read_block(p, NULL, take_nothing);
    } else if (!read_alias_or_definition(p) && !failed(p) && !accept_sign(p, ';') &&
               read_type(p, NULL)) {
        expect_sign(p, ';');
    }
}

struct tt_status ctf_tsdl_read(struct ctf_trace *trace, const char *text, size_t length)
{
    struct tsdl *p = calloc(1, sizeof *p);
    if (!p) {
        return tt_error_memory();
    }
    p->d = trace->decoder;
    p->trace = trace;
    p->tokens = ctf_tokens_of(text, length);
    unsigned declarations = 0;
    while (p->tokens.token.kind != CTF_TOKEN_END && !failed(p)) {
        read_declaration(p);
        declarations++;
    }
    struct tt_status status = tt_ok();
    if (p->d->no_memory) {
        status = tt_error_memory();
    } else if (p->failure[0] && p->tokens.token.kind == CTF_TOKEN_END && trace->declared) {
        /* A recorder that was interrupted: what was declared before counts. */
        tt_health_add(p->d->capture, TT_HEALTH_TRUNCATED, length, 0, p->tokens.line,
                      "line of metadata that end in a declaration");
    } else if (p->failure[0]) {
        status = tt_error(TT_ERR_FORMAT, "metadata, line %u: %s", p->tokens.line, p->failure);
    }
    free(p);
    return status;
}

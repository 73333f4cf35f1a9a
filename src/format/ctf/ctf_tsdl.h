/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ctf_tsdl: what the two files that read TSDL share: ctf_tsdl.c has the blocks, ctf_tsdl_types.c types and values. A reader
 * belongs to one call of ctf_tsdl_read; what it makes is in the decoder's arena.
 */
#ifndef TRACETUI_FORMAT_CTF_CTF_TSDL_H
#define TRACETUI_FORMAT_CTF_CTF_TSDL_H

#include "format/ctf/ctf_internal.h"
#include "format/ctf/ctf_tokens.h"

#define CTF_TSDL_BUCKETS 1024u
#define CTF_TSDL_NAME    256u

struct ctf_type_name {
    const char *name;
    struct ctf_class *type;
    struct ctf_type_name *older;  /* in its bucket */
    struct ctf_type_name *before; /* of all */
    unsigned bucket;
};

struct ctf_tsdl {
    struct ctf *d;
    struct ctf_trace *trace;
    struct ctf_tokens tokens;
    struct ctf_type_name *buckets[CTF_TSDL_BUCKETS];
    struct ctf_type_name *newest;
    unsigned names;
    unsigned depth;
    char failure[160]; /* the first one; empty: none */
};

/* A name that is being read: several words, or a path. */
struct ctf_words {
    char text[CTF_TSDL_NAME];
    size_t length;
    size_t last; /* where its last word begins */
    unsigned count;
};

struct ctf_value {
    bool is_number;
    bool is_negative;
    uint64_t number;
    const char *text; /* of a text or of a name; "" */
};

/* Notes the first failure, with the token before which it is. Returns NULL. */
void *ctf_tsdl_fail(struct ctf_tsdl *tsdl, const char *what);
bool ctf_tsdl_failed(const struct ctf_tsdl *tsdl);
/* Move past the current token if it is a sign, or a word; return whether it was. */
bool ctf_tsdl_sign(struct ctf_tsdl *tsdl, char sign);
bool ctf_tsdl_word(struct ctf_tsdl *tsdl, const char *name);
/* Does the same and fails without the sign. */
bool ctf_tsdl_expect(struct ctf_tsdl *tsdl, char sign);
/* Reads names with dots or arrows between them. */
bool ctf_tsdl_path(struct ctf_tsdl *tsdl, struct ctf_words *words);
/* Reads one text or several that follow each other; NULL: none. */
const char *ctf_tsdl_texts(struct ctf_tsdl *tsdl);
/* Reads a number, a text or a name. */
bool ctf_tsdl_value(struct ctf_tsdl *tsdl, struct ctf_value *value);
/* Returns the byte order of a word (enum ctf_order). */
uint8_t ctf_tsdl_order(const char *text);
/* Removes the names of types that were added after `mark`. */
void ctf_tsdl_end_scope(struct ctf_tsdl *tsdl, const struct ctf_type_name *mark);
/* Reads a type. With `declared`, the last of several words is the name of a field, which comes back there. NULL: failed. */
struct ctf_class *ctf_tsdl_type(struct ctf_tsdl *tsdl, struct ctf_words *declared);
/* Reads typealias or typedef. Returns false if the next declaration is neither, or after a failure. */
bool ctf_tsdl_alias(struct ctf_tsdl *tsdl);

#endif

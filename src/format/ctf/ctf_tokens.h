/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ctf_tokens: the words of TSDL, one after the other. Texts of tokens are in the text that is read; its owner keeps it.
 * One thread.
 */
#ifndef TRACETUI_FORMAT_CTF_CTF_TOKENS_H
#define TRACETUI_FORMAT_CTF_CTF_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ctf_token_kind {
    CTF_TOKEN_END,
    CTF_TOKEN_NAME,
    CTF_TOKEN_NUMBER,
    CTF_TOKEN_TEXT,    /* the characters between the quotes, with their escapes */
    CTF_TOKEN_ASSIGN,  /* := */
    CTF_TOKEN_RANGE,   /* ... */
    CTF_TOKEN_ARROW,   /* -> */
    CTF_TOKEN_SIGN,    /* any other character: `sign` */
    CTF_TOKEN_INVALID, /* a comment or a text without an end, a number that is too large */
};

struct ctf_token {
    enum ctf_token_kind kind;
    const char *at;
    size_t length;
    uint64_t number;
    char sign;
};

struct ctf_tokens {
    const char *text;
    size_t length;
    size_t at;
    unsigned line;
    struct ctf_token token; /* the current one */
};

/* Begins at the first token. */
struct ctf_tokens ctf_tokens_of(const char *text, size_t length);
/* Moves to the next token. */
void ctf_tokens_next(struct ctf_tokens *tokens);
/* Returns whether the current token is a name, or a sign. */
bool ctf_token_is(const struct ctf_tokens *tokens, const char *name);
bool ctf_token_is_sign(const struct ctf_tokens *tokens, char sign);
/* Copies a text without its escapes to `to`, which has room for its length; returns the new length. */
size_t ctf_token_text(const struct ctf_token *token, char *to);

#endif

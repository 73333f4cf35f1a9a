/* SPDX-License-Identifier: Apache-2.0 */
/* ctf_tokens: the words of TSDL. Each character is read once. */
#include "format/ctf/ctf_tokens.h"

#include <string.h>

static bool ctf_tokens_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Returns the value of a hexadecimal digit; 16 if it is none. */
static unsigned ctf_tokens_digit(char c)
{
    return ctf_tokens_is_digit(c) ? (unsigned)(c - '0')
           : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
           : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10)
                                  : 16;
}

static bool is_name_part(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || ctf_tokens_is_digit(c);
}

static char ctf_tokens_peek(const struct ctf_tokens *tokens, size_t ahead)
{
    size_t at = tokens->at + ahead;
    return at < tokens->length ? tokens->text[at] : '\0';
}

/* Skips blanks and comments. Returns false if a comment has no end. */
static bool ctf_tokens_skip_blanks(struct ctf_tokens *tokens)
{
    while (tokens->at < tokens->length) {
        char c = tokens->text[tokens->at];
        if (c == '/' && ctf_tokens_peek(tokens, 1) == '*') {
            tokens->at += 2;
            while (tokens->at < tokens->length &&
                   !(ctf_tokens_peek(tokens, 0) == '*' && ctf_tokens_peek(tokens, 1) == '/')) {
                tokens->line += tokens->text[tokens->at++] == '\n';
            }
            if (tokens->at >= tokens->length) {
                return false;
            }
            tokens->at += 2;
        } else if (c == '/' && ctf_tokens_peek(tokens, 1) == '/') {
            while (tokens->at < tokens->length && ctf_tokens_peek(tokens, 0) != '\n') {
                tokens->at++;
            }
        } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f' ||
                   c == '\0') {
            tokens->line += c == '\n';
            tokens->at++;
        } else {
            return true;
        }
    }
    return true;
}

/* Reads the text after an opening quote. */
static void read_text(struct ctf_tokens *tokens)
{
    struct ctf_token *token = &tokens->token;
    token->at = tokens->text + ++tokens->at;
    while (tokens->at < tokens->length && ctf_tokens_peek(tokens, 0) != '"') {
        tokens->line += ctf_tokens_peek(tokens, 0) == '\n';
        tokens->at += ctf_tokens_peek(tokens, 0) == '\\' ? 2 : 1;
    }
    if (tokens->at >= tokens->length) {
        tokens->at = tokens->length;
        token->kind = CTF_TOKEN_INVALID;
        return;
    }
    token->kind = CTF_TOKEN_TEXT;
    token->length = (size_t)(tokens->text + tokens->at - token->at);
    tokens->at++;
}

/* Reads a number: decimal, octal or hexadecimal, with suffixes of C. */
static void ctf_tokens_read_number(struct ctf_tokens *tokens)
{
    struct ctf_token *token = &tokens->token;
    unsigned base = 10;
    token->kind = CTF_TOKEN_NUMBER;
    if (ctf_tokens_peek(tokens, 0) == '0') {
        base = ctf_tokens_peek(tokens, 1) == 'x' || ctf_tokens_peek(tokens, 1) == 'X'   ? 16
               : ctf_tokens_peek(tokens, 1) == 'b' || ctf_tokens_peek(tokens, 1) == 'B' ? 2
                                                                                        : 8;
        tokens->at += base == 8 ? 0 : 2;
    }
    for (;; tokens->at++) {
        const unsigned digit = ctf_tokens_digit(ctf_tokens_peek(tokens, 0));
        if (digit >= base) {
            break;
        }
        if (token->number > (UINT64_MAX - digit) / base) {
            token->kind = CTF_TOKEN_INVALID;
            token->number = 0;
        }
        token->number = token->number * base + digit;
    }
    while (is_name_part(ctf_tokens_peek(tokens, 0))) {
        tokens->at++;
    }
}

void ctf_tokens_next(struct ctf_tokens *tokens)
{
    struct ctf_token *token = &tokens->token;
    bool good = ctf_tokens_skip_blanks(tokens);
    *token = (struct ctf_token){.kind = good ? CTF_TOKEN_END : CTF_TOKEN_INVALID,
                                .at = tokens->text + tokens->at};
    if (!good || tokens->at >= tokens->length) {
        return;
    }
    const size_t begin = tokens->at;
    char c = tokens->text[begin];
    if (c == '"') {
        read_text(tokens);
        return;
    }
    if (ctf_tokens_is_digit(c)) {
        ctf_tokens_read_number(tokens);
    } else if (is_name_part(c)) {
        token->kind = CTF_TOKEN_NAME;
        while (is_name_part(ctf_tokens_peek(tokens, 0))) {
            tokens->at++;
        }
    } else if (c == ':' && ctf_tokens_peek(tokens, 1) == '=') {
        token->kind = CTF_TOKEN_ASSIGN;
        tokens->at += 2;
    } else if (c == '-' && ctf_tokens_peek(tokens, 1) == '>') {
        token->kind = CTF_TOKEN_ARROW;
        tokens->at += 2;
    } else if (c == '.' && ctf_tokens_peek(tokens, 1) == '.' && ctf_tokens_peek(tokens, 2) == '.') {
        token->kind = CTF_TOKEN_RANGE;
        tokens->at += 3;
    } else {
        token->kind = CTF_TOKEN_SIGN;
        token->sign = c;
        tokens->at++;
    }
    token->length = tokens->at - begin;
}

struct ctf_tokens ctf_tokens_of(const char *text, size_t length)
{
    struct ctf_tokens tokens = {.text = text, .length = length, .line = 1};
    ctf_tokens_next(&tokens);
    return tokens;
}

bool ctf_token_is(const struct ctf_tokens *tokens, const char *name)
{
    const struct ctf_token *token = &tokens->token;
    return token->kind == CTF_TOKEN_NAME && strlen(name) == token->length &&
           memcmp(name, token->at, token->length) == 0;
}

bool ctf_token_is_sign(const struct ctf_tokens *tokens, char sign)
{
    return tokens->token.kind == CTF_TOKEN_SIGN && tokens->token.sign == sign;
}

/* Returns the character of an escape at `*at`, and moves past it. */
static char ctf_tokens_read_escape(const struct ctf_token *token, size_t *at)
{
    static const char letters[] = "abfnrtv", values[] = "\a\b\f\n\r\t\v";
    char c = token->at[(*at)++];
    unsigned value = 0, digits = 0;
    if (c == 'x') {
        for (; digits < 2 && *at < token->length; digits++, (*at)++) {
            const unsigned digit = ctf_tokens_digit(token->at[*at]);
            if (digit == 16) {
                break;
            }
            value = value * 16 + digit;
        }
        return (char)value;
    }
    if (c >= '0' && c <= '7') {
        for ((*at)--;
             digits < 3 && *at < token->length && token->at[*at] >= '0' && token->at[*at] <= '7';
             digits++) {
            value = value * 8 + (unsigned)(token->at[(*at)++] - '0');
        }
        return (char)value;
    }
    const char *letter = c ? strchr(letters, c) : NULL;
    return letter ? values[letter - letters] : c;
}

size_t ctf_token_text(const struct ctf_token *token, char *to)
{
    size_t length = 0;
    for (size_t at = 0; at < token->length;) {
        char c = token->at[at++];
        to[length++] = c == '\\' && at < token->length ? ctf_tokens_read_escape(token, &at) : c;
    }
    return length;
}

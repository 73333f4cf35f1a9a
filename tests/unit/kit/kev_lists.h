/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_lists: argument lists as in the documents, and a check that an event written with such a list
 * is decoded with its names and values. Independent of the decoder's tables.
 */
#ifndef TESTS_KEV_LISTS_H
#define TESTS_KEV_LISTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum kl_type { KL_H32, KL_D32, KL_P32, KL_H64, KL_D64, KL_P64, KL_TEXT, KL_PAD, KL_STR, KL_SIG };

struct kl_field {
    char name[64];
    enum kl_type type;
};

struct kl_list {
    struct kl_field fields[48];
    size_t count;
    bool none;    /* "-": this form does not exist */
    bool unknown; /* "?" */
};

/* Parses "coid:h32,sparts:d32", a typed list of the event table. */
void kl_parse_typed(struct kl_list *list, const char *text);
/*
 * Parses "fHcoid, Dsparts, fSmsg, s, s", a list of traceprinter. `fast`: only fields marked f. Text
 * words have the names msg[0], msg[1]...
 */
void kl_parse_printer(struct kl_list *list, const char *text, bool fast);

/* Returns the payload words of a list, without padding to a whole slot. */
size_t kl_words(const struct kl_list *list);

struct kl_event {
    const char *release; /* "7.1.0" */
    unsigned class_;
    unsigned event;
    const char *class_name; /* NULL: not checked */
    const char *name;       /* NULL: not checked */
};

/* Writes the event with the list in both byte orders and checks the decoded one. */
void kl_check(const struct kl_event *event, const struct kl_list *list);
/* Checks that the words of an unknown payload are shown. */
void kl_check_raw(const struct kl_event *event);

/* Splits a line of a tab-separated file in place; returns the number of columns. */
size_t kl_columns(char *line, char **columns, size_t max);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * settings: the table of the user's settings, for `:set`, the configuration file and the session.
 * Each setting is a name and a value as text. One thread.
 */
#ifndef TRACETUI_TUI_APP_SETTINGS_H
#define TRACETUI_TUI_APP_SETTINGS_H

#include <stddef.h>

#include "tracetui/status.h"
#include "tui/model/members.h"

struct tt_app;
struct tt_text;
struct tt_completion;

struct tt_setting {
    const char *name;
    const char *values;  /* the valid values, for the help */
    const char *initial; /* the default value */
    const char *help;
    /* NULL: the setting is one of the words of `values`, */
    struct tt_status (*set)(struct tt_app *app, const char *value);
    void (*get)(const struct tt_app *app, struct tt_text *text);
    struct tt_member member;           /* of struct tt_app: its number */
    void (*apply)(struct tt_app *app); /* after a change; or NULL */
};

/* Returns a setting by its number; NULL after the last one. */
const struct tt_setting *tt_setting_at(unsigned number);
const struct tt_setting *tt_setting_find(const char *name, size_t length);

/* Sets a value. On error nothing changes; the error states what was expected. */
struct tt_status tt_setting_set(struct tt_app *app, const char *name, const char *value);

/* Appends the value. */
void tt_setting_get(const struct tt_setting *setting, const struct tt_app *app,
                    struct tt_text *text);

/* Offers the theme names. */
void tt_setting_offer_themes(struct tt_completion *completion);
/* Offers the values of a setting for the word that begins at `from`. */
void tt_setting_offer(const struct tt_setting *setting, struct tt_completion *out);

#endif

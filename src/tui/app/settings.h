/* SPDX-License-Identifier: Apache-2.0 */
/*
 * settings: what a person can set, in one table, for `:set`, for the configuration file and for
 * the session. Each is a name and a value in words. One thread.
 */
#ifndef TRACETUI_TUI_APP_SETTINGS_H
#define TRACETUI_TUI_APP_SETTINGS_H

#include <stddef.h>

#include "tracetui/status.h"

struct tt_app;
struct tt_text;
struct tt_completion;

struct tt_setting {
    const char *name;
    const char *values;  /* what it may be, as a person reads it */
    const char *initial; /* its value when nobody has set it */
    const char *help;
    struct tt_status (*set)(struct tt_app *app, const char *value);
    void (*get)(const struct tt_app *app, struct tt_text *text);
};

/* The settings by number, NULL behind the last one. */
const struct tt_setting *tt_setting_at(unsigned number);
const struct tt_setting *tt_setting_find(const char *name, size_t length);

/* Sets it; an error says what was expected and nothing is changed. */
struct tt_status tt_setting_set(struct tt_app *app, const char *name, const char *value);

/* Offers the names of the themes. */
void tt_setting_offer_themes(struct tt_completion *out);
/* Offers the values of a setting for the word that begins at `from`. */
void tt_setting_offer(const struct tt_setting *setting, struct tt_completion *out);

#endif

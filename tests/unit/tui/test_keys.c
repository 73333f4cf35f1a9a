/* SPDX-License-Identifier: Apache-2.0 */
/* Keys, the table of actions, and the page generated from it. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracetui/text.h"
#include "tui/input/actions.h"
#include "tui/term/keys.h"

static uint32_t key_of(const char *text)
{
    uint32_t key = TT_KEY_NONE;
    cr_assert_eq(tt_key_parse(text, strlen(text), &key), strlen(text), "%s", text);
    return key;
}

Test(tui_keys, names_are_parsed_as_keys)
{
    cr_assert_eq(key_of("g"), 'g');
    cr_assert_eq(key_of("ä"), 0xe4);
    cr_assert_eq(key_of("<C-d>"), 4);
    cr_assert_eq(key_of("<Enter>"), TT_KEY_ENTER);
    cr_assert_eq(key_of("<F12>"), TT_KEY_F12);
    cr_assert_eq(key_of("<lt>"), '<');
    cr_assert_eq(key_of("<Space>"), ' ');
}

Test(tui_keys, keys_are_parsed_one_at_a_time)
{
    const char *text = "j<Down>:5";
    uint32_t key;
    cr_assert_eq(tt_key_parse(text, 9, &key), 1);
    cr_assert_eq(key, 'j');
    cr_assert_eq(tt_key_parse(text + 1, 8, &key), 6);
    cr_assert_eq(key, TT_KEY_DOWN);
}

Test(tui_keys, invalid_keys_are_refused)
{
    const char *const wrong[] = {"", "<Nope>", "<", "<>", "<C-1>", "\xff", "\x01"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        uint32_t key;
        cr_assert_eq(tt_key_parse(wrong[i], strlen(wrong[i]), &key), 0, "%s", wrong[i]);
    }
}

Test(tui_keys, keys_have_readable_names)
{
    char out[TT_KEY_NAME];
    cr_assert_str_eq(tt_key_name(4, out), "^D");
    cr_assert_str_eq(tt_key_name('j', out), "j");
    cr_assert_str_eq(tt_key_name('<', out), "<");
    cr_assert_str_eq(tt_key_name(TT_KEY_PAGE_DOWN, out), "PgDn");
    cr_assert_str_eq(tt_key_name(TT_KEY_ESC, out), "Esc");
}

/* ---- the table ----------------------------------------------------------------------------- */

Test(tui_actions, every_action_has_a_unique_name_a_key_and_help)
{
    struct tt_keymap keymap;
    tt_keymap_default(&keymap);
    for (unsigned i = 1; i < TT_DO_COUNT; i++) {
        const struct tt_do_info *info = tt_do_at(i);
        cr_assert(info->name[0] && info->help[0] && info->contexts, "%u", i);
        cr_assert_leq(strlen(info->help), 62, "%s: its help is too long for 80 columns",
                      info->name);
        cr_assert_neq(tt_keymap_key(&keymap, (enum tt_do)i, UINT32_MAX), TT_KEY_NONE,
                      "%s has no key", info->name);
        for (unsigned j = 1; j < i; j++) {
            cr_assert_str_neq(info->name, tt_do_at(j)->name);
        }
    }
    cr_assert_lt(keymap.count, TT_BINDINGS, "the keymap is full: some key may be missing");
}

Test(tui_actions, all_keys_of_the_table_are_valid)
{
    for (unsigned i = 1; i < TT_DO_COUNT; i++) {
        const char *keys = tt_do_at(i)->keys;
        size_t left = strlen(keys);
        while (left > 0) {
            uint32_t key;
            size_t used = *keys == ' ' ? 1 : tt_key_parse(keys, left, &key);
            cr_assert_gt(used, 0, "%s: %s", tt_do_at(i)->name, keys);
            keys += used;
            left -= used;
        }
    }
}

Test(tui_actions, no_key_has_two_actions_in_one_context)
{
    struct tt_keymap keymap;
    tt_keymap_default(&keymap);
    for (unsigned i = 0; i < keymap.count; i++) {
        for (unsigned j = 0; j < i; j++) {
            const struct tt_binding *a = &keymap.bindings[i], *b = &keymap.bindings[j];
            cr_assert(a->key != b->key || !(a->contexts & b->contexts), "%s and %s",
                      tt_do_at(a->action)->name, tt_do_at(b->action)->name);
        }
    }
}

Test(tui_actions, the_innermost_context_wins)
{
    struct tt_keymap keymap;
    tt_keymap_default(&keymap);
    const unsigned pane[] = {TT_IN_DETAIL, TT_IN_EVENTS, TT_IN_VIEWS, 0};
    const unsigned list[] = {TT_IN_EVENTS, TT_IN_VIEWS, 0};
    const unsigned help[] = {TT_IN_HELP, 0};
    cr_assert_eq(tt_keymap_find(&keymap, TT_KEY_TAB, pane), TT_DO_FIELD_NEXT);
    cr_assert_eq(tt_keymap_find(&keymap, TT_KEY_TAB, list), TT_DO_VIEW_NEXT);
    cr_assert_eq(tt_keymap_find(&keymap, 'l', pane), TT_DO_FIELD_NEXT);
    cr_assert_eq(tt_keymap_find(&keymap, 'l', list), TT_DO_RIGHT);
    cr_assert_eq(tt_keymap_find(&keymap, 'l', help), TT_DO_NOTHING);
    cr_assert_eq(tt_keymap_find(&keymap, 'q', help), TT_DO_QUIT);
}

Test(tui_actions, the_page_of_keys_is_generated_from_the_table)
{
    static char made[32768], kept[32768];
    struct tt_text text = tt_text_of(made, sizeof made);
    tt_actions_page(&text);
    cr_assert_not(text.truncated);
    tt_text_cstr(&text);
    FILE *file = fopen("docs/keys.md", "rb");
    cr_assert_not_null(file, "docs/keys.md is missing");
    size_t length = fread(kept, 1, sizeof kept - 1, file);
    fclose(file);
    kept[length] = '\0';
    if (strcmp(made, kept) != 0) {
        file = fopen("build/keys.md", "wb");
        if (file) {
            fwrite(made, 1, text.used, file);
            fclose(file);
        }
        cr_assert_fail("docs/keys.md is not as the table has it: see build/keys.md");
    }
}

/* The README has some of the rows, unchanged. */
Test(tui_actions, the_keys_in_the_readme_are_rows_of_the_table)
{
    static char made[32768], readme[32768];
    struct tt_text text = tt_text_of(made, sizeof made);
    tt_actions_page(&text);
    tt_text_cstr(&text);
    FILE *file = fopen("README.md", "rb");
    cr_assert_not_null(file);
    size_t length = fread(readme, 1, sizeof readme - 1, file);
    fclose(file);
    readme[length] = '\0';
    char *line = strstr(readme, "\n## Keys\n"), *end = line ? strstr(line + 1, "\n## ") : NULL;
    cr_assert(line && end, "README.md has no section of keys");
    *end = '\0';
    unsigned rows = 0;
    for (line = strtok(line, "\n"); line; line = strtok(NULL, "\n")) {
        if (strncmp(line, "| `", 3) == 0) {
            const char *at = strstr(made, line);
            cr_assert(at && at[-1] == '\n' && at[strlen(line)] == '\n',
                      "not a row of docs/keys.md: %s", line);
            rows++;
        }
    }
    cr_assert_geq(rows, 10);
}

Test(tui_keys, a_written_key_is_read_again)
{
    static const uint32_t keys[] = {'g',
                                    'G',
                                    ' ',
                                    '<',
                                    ';',
                                    4,
                                    26,
                                    TT_KEY_TAB,
                                    TT_KEY_ENTER,
                                    TT_KEY_ESC,
                                    TT_KEY_BS,
                                    TT_KEY_F12,
                                    TT_KEY_PAGE_DOWN,
                                    0xe4};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char out[TT_KEY_NAME];
        const char *text = tt_key_write(keys[i], out);
        uint32_t key = TT_KEY_NONE;
        cr_assert_eq(tt_key_parse(text, strlen(text), &key), strlen(text), "%s", text);
        cr_assert_eq(key, keys[i], "%s", text);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Editing a line, and its history. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tui/input/line_edit.h"
#include "tui/term/keys.h"

static struct tt_line_edit prompt;
static struct tt_keymap keymap;

static void setup(void)
{
    tt_line_edit_free(&prompt);
    memset(&prompt, 0, sizeof prompt);
    tt_keymap_default(&keymap);
    tt_line_edit_open(&prompt, TT_PROMPT_COMMAND);
}

static enum tt_line_edit_result type(const char *keys)
{
    static const unsigned contexts[] = {TT_IN_PROMPT, 0};
    enum tt_line_edit_result result = TT_PROMPT_IGNORED;
    size_t left = strlen(keys);
    while (left > 0) {
        uint32_t key;
        size_t used = tt_key_parse(keys, left, &key);
        cr_assert_gt(used, 0);
        result = tt_line_edit_key(&prompt, key, tt_keymap_find(&keymap, key, contexts));
        keys += used;
        left -= used;
    }
    return result;
}

static void teardown(void)
{
    tt_line_edit_free(&prompt);
}

static const struct tt_history *history(void)
{
    return &prompt.histories[TT_PROMPT_COMMAND];
}

TestSuite(tui_prompt, .init = setup, .fini = teardown);

Test(tui_prompt, text_is_inserted_at_the_caret)
{
    cr_assert_eq(type("1.s<Left>5"), TT_PROMPT_EDITED);
    cr_assert_str_eq(prompt.text, "1.5s");
    cr_assert_eq(prompt.caret, 3);
    type("<Home>#<End>!");
    cr_assert_str_eq(prompt.text, "#1.5s!");
}

Test(tui_prompt, a_character_is_deleted_as_a_whole)
{
    type("aä日b<Left><BS>");
    cr_assert_str_eq(prompt.text, "aäb");
    type("<Left><Del>");
    cr_assert_str_eq(prompt.text, "ab");
    cr_assert_eq(prompt.caret, 1);
}

Test(tui_prompt, words_and_ends_are_deleted)
{
    type("one two  three<C-w>");
    cr_assert_str_eq(prompt.text, "one two  ");
    type("<C-w>");
    cr_assert_str_eq(prompt.text, "one ");
    type("two<Left><C-k>");
    cr_assert_str_eq(prompt.text, "one tw");
    type("<Left><C-u>");
    cr_assert_str_eq(prompt.text, "w");
}

Test(tui_prompt, deleting_on_an_empty_line_closes_the_prompt)
{
    cr_assert_eq(type("a<BS>"), TT_PROMPT_EDITED);
    cr_assert(prompt.open);
    cr_assert_eq(type("<BS>"), TT_PROMPT_CANCELLED);
    cr_assert_not(prompt.open);
}

Test(tui_prompt, a_full_line_accepts_no_more_text)
{
    for (int i = 0; i < 2 * TT_PROMPT_BYTES; i++) {
        type("x");
    }
    cr_assert_eq(prompt.length, TT_PROMPT_BYTES - 1);
    cr_assert_eq(strlen(prompt.text), TT_PROMPT_BYTES - 1);
    cr_assert_eq(type("ä"), TT_PROMPT_IGNORED);
}

Test(tui_prompt, history_returns_to_the_draft)
{
    cr_assert_eq(type("first<Enter>"), TT_PROMPT_ACCEPTED);
    tt_line_edit_open(&prompt, TT_PROMPT_COMMAND);
    type("second<Enter>");
    tt_line_edit_open(&prompt, TT_PROMPT_COMMAND);
    type("dra<Up>");
    cr_assert_str_eq(prompt.text, "second");
    type("<Up>");
    cr_assert_str_eq(prompt.text, "first");
    cr_assert_eq(type("<Up>"), TT_PROMPT_IGNORED);
    type("<Down><Down>");
    cr_assert_str_eq(prompt.text, "dra");
    cr_assert_eq(type("<Down>"), TT_PROMPT_IGNORED);
}

Test(tui_prompt, history_has_no_empty_or_repeated_lines_and_a_limit)
{
    type("same<Enter>");
    tt_line_edit_open(&prompt, TT_PROMPT_COMMAND);
    type("same<Enter>");
    tt_line_edit_open(&prompt, TT_PROMPT_COMMAND);
    type("<Enter>");
    cr_assert_eq(history()->count, 1);
    for (int i = 0; i < 2 * TT_HISTORY_LINES; i++) {
        char line[32];
        snprintf(line, sizeof line, "%d<Enter>", i);
        tt_line_edit_open(&prompt, TT_PROMPT_COMMAND);
        type(line);
    }
    cr_assert_eq(history()->count, TT_HISTORY_LINES);
    cr_assert_str_eq(history()->lines[TT_HISTORY_LINES - 1], "199");
}

Test(tui_prompt, cancelling_keeps_nothing)
{
    cr_assert_eq(type("x<Esc>"), TT_PROMPT_CANCELLED);
    cr_assert_eq(history()->count, 0);
}

Test(tui_prompt, each_kind_has_its_own_history)
{
    type("1234<Enter>");
    tt_line_edit_open(&prompt, TT_PROMPT_FILTER);
    cr_assert_eq(type("<Up>"), TT_PROMPT_IGNORED);
    type("cpu = 0<Enter>");
    tt_line_edit_open(&prompt, TT_PROMPT_COMMAND);
    type("<Up>");
    cr_assert_str_eq(prompt.text, "1234");
}

Test(tui_prompt, a_repeated_line_becomes_the_newest)
{
    type("a<Enter>");
    tt_line_edit_open(&prompt, TT_PROMPT_COMMAND);
    type("b<Enter>");
    tt_line_edit_open(&prompt, TT_PROMPT_COMMAND);
    type("a<Enter>");
    cr_assert_eq(history()->count, 2);
    cr_assert_str_eq(history()->lines[1], "a");
}

Test(tui_prompt, older_lines_are_found_by_a_substring)
{
    static const char *const lines[] = {"goto 1<Enter>", "theme dark<Enter>", "goto 2<Enter>",
                                        "zoom<Enter>"};
    for (size_t i = 0; i < 4; i++) {
        tt_line_edit_open(&prompt, TT_PROMPT_COMMAND);
        type(lines[i]);
    }
    tt_line_edit_open(&prompt, TT_PROMPT_COMMAND);
    type("got<C-r>");
    cr_assert_str_eq(prompt.text, "goto 2");
    type("<C-r>");
    cr_assert_str_eq(prompt.text, "goto 1");
    cr_assert_eq(type("<C-r>"), TT_PROMPT_IGNORED);
    type("<Down><Down><Down><Down>");
    cr_assert_str_eq(prompt.text, "got");
}

Test(tui_prompt, a_long_text_is_cut_at_a_character_boundary)
{
    static char text[TT_PROMPT_BYTES + 10];
    memset(text, 'x', TT_PROMPT_BYTES - 2);
    memcpy(text + TT_PROMPT_BYTES - 2, "\xc3\xa4\xc3\xa4", 5);
    tt_line_edit_set(&prompt, text);
    cr_assert_eq(prompt.length, TT_PROMPT_BYTES - 2);
}

/* An offered text is replaced by what is typed, and is kept by a key that moves in it. */
Test(tui_prompt, an_offer_is_replaced_or_kept)
{
    static const struct {
        const char *keys, *text;
    } cases[] = {
        {"b", "write b"},
        {"bug.txt", "write bug.txt"},
        {"<BS>", "write "},
        {"<BS><BS>", "write"},
        {"<Left>b", "write demo.txbt"},
        {"<End>b", "write demo.txtb"},
        {"<Home>b", "bwrite demo.txt"},
        {"<C-w>b", "write b"},
        {"<C-u>b", "b"},
        {"<Enter>", "write demo.txt"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tt_line_edit_open(&prompt, TT_PROMPT_COMMAND);
        tt_line_edit_set(&prompt, "write demo.txt");
        tt_line_edit_offer(&prompt, strlen("write "));
        type(cases[i].keys);
        cr_expect_str_eq(prompt.text, cases[i].text, "%s", cases[i].keys);
        cr_expect_not(prompt.offers, "%s", cases[i].keys);
    }
    tt_line_edit_open(&prompt, TT_PROMPT_COMMAND);
    cr_expect_not(prompt.offers, "another line");
}

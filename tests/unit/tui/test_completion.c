/* SPDX-License-Identifier: Apache-2.0 */
/* Completion at a prompt: insertion by Tab, content of the list, closing it. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tracetui/text.h"
#include "tui/input/completion.h"

static struct tt_line_edit prompt;
static struct tt_completion completion;

static void setup(void)
{
    tt_line_edit_open(&prompt, TT_PROMPT_COMMAND);
}

static void teardown(void)
{
    tt_completion_free(&completion);
    tt_line_edit_free(&prompt);
}

TestSuite(tui_complete, .init = setup, .fini = teardown);

/* Offers words for the last word of the line. */
static void words(void *arg, const char *text, size_t caret, struct tt_completion *out)
{
    size_t from = caret;
    while (from > 0 && text[from - 1] != ' ') {
        from--;
    }
    tt_completion_begin(out, text, from, caret);
    for (const char *const *word = arg; *word; word++) {
        tt_completion_offer(out, *word, NULL, "help");
    }
}

static const char *const some[] = {"thread", "threads", "state", "Status", NULL};

static bool tab(bool back)
{
    return tt_completion_tab(&completion, &prompt, back, words, (void *)some);
}

Test(tui_complete, a_single_candidate_is_inserted)
{
    tt_line_edit_set(&prompt, "x statu");
    cr_assert(tab(false));
    cr_assert_str_eq(prompt.text, "x Status");
    cr_assert_not(completion.open);
}

Test(tui_complete, the_common_prefix_is_inserted_and_the_list_opens)
{
    tt_line_edit_set(&prompt, "a th");
    cr_assert(tab(false));
    cr_assert_str_eq(prompt.text, "a thread");
    cr_assert(completion.open);
    cr_assert_eq(completion.count, 2);
    cr_assert(tab(false));
    cr_assert_str_eq(prompt.text, "a thread");
    tab(false);
    cr_assert_str_eq(prompt.text, "a threads");
    tab(false);
    cr_assert_str_eq(prompt.text, "a thread");
    tab(true);
    cr_assert_str_eq(prompt.text, "a threads");
}

Test(tui_complete, the_rest_of_the_line_stays)
{
    tt_line_edit_set(&prompt, "thr and more");
    prompt.caret = 3;
    tab(false);
    cr_assert_str_eq(prompt.text, "thread and more");
    cr_assert_eq(prompt.caret, 6);
    tab(true);
    cr_assert_str_eq(prompt.text, "threads and more");
}

Test(tui_complete, case_is_ignored)
{
    tt_line_edit_set(&prompt, "STATU");
    cr_assert(tab(false));
    cr_assert_str_eq(prompt.text, "Status");
}

Test(tui_complete, nothing_to_offer_changes_nothing)
{
    tt_line_edit_set(&prompt, "zzz");
    cr_assert_not(tab(false));
    cr_assert_str_eq(prompt.text, "zzz");
    cr_assert_not(completion.open);
}

Test(tui_complete, the_list_follows_the_text_and_closes_when_empty)
{
    tab(false);
    cr_assert(completion.open);
    cr_assert_eq(completion.count, 4);
    tt_line_edit_set(&prompt, "st");
    tt_completion_follow(&completion, &prompt, words, (void *)some);
    cr_assert_eq(completion.count, 2);
    tt_line_edit_set(&prompt, "stx");
    tt_completion_follow(&completion, &prompt, words, (void *)some);
    cr_assert_not(completion.open);
}

static void many(void *arg, const char *text, size_t caret, struct tt_completion *out)
{
    (void)arg;
    tt_completion_begin(out, text, 0, caret);
    for (int i = 0; i < 5000; i++) {
        char word[32];
        snprintf(word, sizeof word, "word%04d", i);
        tt_completion_offer(out, word, NULL, NULL);
    }
}

Test(tui_complete, surplus_candidates_are_counted_and_the_list_fits_any_screen)
{
    tt_completion_tab(&completion, &prompt, false, many, NULL);
    cr_assert_eq(completion.count, TT_COMPLETION_MOST);
    cr_assert_eq(completion.count + completion.more, 5000);
    cr_assert_str_eq(prompt.text, "", "a part of them has no say in what they have in common");
    struct tt_theme theme;
    tt_theme_default(&theme);
    for (int height = 1; height < 20; height++) {
        struct tt_grid grid = {0};
        cr_assert(tt_grid_resize(&grid, 40, height));
        tt_completion_layout(&completion, height);
        tt_completion_draw(&completion, &theme, tt_grid_area(&grid));
        tt_completion_tab(&completion, &prompt, true, many, NULL);
        tt_completion_layout(&completion, height);
        tt_completion_draw(&completion, &theme, tt_grid_area(&grid));
        char line[256];
        struct tt_text text = tt_text_of(line, sizeof line);
        tt_grid_line(&grid, height - 1, &text);
        if (height >= 2) {
            cr_assert_not_null(strstr(tt_text_cstr(&text), "word"), "%d: %s", height, line);
        }
        tt_grid_free(&grid);
    }
}

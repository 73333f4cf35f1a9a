/* SPDX-License-Identifier: Apache-2.0 */
/* The known word nearest to a misspelled one. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/nearest_word.h"

static const char *nearest(const char *word)
{
    static const char *const known[] = {"delay", "response", "run", "ready", "preempted_wait"};
    struct tt_nearest_word search = tt_nearest_word_of(word, strlen(word));
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        tt_nearest_word_try(&search, known[i]);
    }
    return search.nearest ? search.nearest : "none";
}

Test(nearest_word, accepts_single_changes)
{
    cr_expect_str_eq(nearest("dely"), "delay", "a missing letter");
    cr_expect_str_eq(nearest("dealy"), "delay", "exchanged neighbours");
    cr_expect_str_eq(nearest("RUN"), "run", "upper case");
    cr_expect_str_eq(nearest("respons"), "response");
    cr_expect_str_eq(nearest("rune"), "run", "an added letter");
}

Test(nearest_word, rejects_other_words)
{
    cr_expect_str_eq(nearest("period"), "none");
    cr_expect_str_eq(nearest("rud_"), "none", "two changes of a short word");
    cr_expect_str_eq(nearest("a word that is longer than any known word"), "none");
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Words that every match of a regex contains. */
#include <criterion/criterion.h>
#include <string.h>

#include "filter/literal.h"
#include "tracetui/text.h"

struct words {
    const char *pattern;
    bool ignore_case;
    const char *words; /* joined by |; "": none */
};

static void holds(const struct words *w)
{
    struct tt_literals l;
    char buffer[512];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_literals_of(w->pattern, strlen(w->pattern), w->ignore_case, &l);
    for (unsigned i = 0; i < l.count; i++) {
        tt_text_str(&text, i > 0 ? "|" : "");
        tt_text_bytes(&text, l.v[i].text, l.v[i].length);
    }
    const char *joined = tt_text_cstr(&text);
    cr_expect_str_eq(joined, w->words, "%s: '%s', expected '%s'", w->pattern, joined, w->words);
}

Test(filter_literal, words_of_a_pattern)
{
    static const struct words all[] = {
        {"REC_MESSAGE", false, "REC_MESSAGE"},
        {"rec_message", true, "rec_message"},
        {"\\bpid=4100 tid=[12]\\b", true, "pid"},
        {"timeout|EINTR", false, "timeout|EINTR"},
        {"timeout_flags=0x0*1000 ", true, "timeout_flags"},
        {"^io-blk$", true, "io-blk"},
        {"threads?", true, "thread"},
        {"pip*e", true, "pi"},
        {"workers{0,2}x", true, "worker"},
        {"wo+rker", true, "rker"},
        {"(?:io)-blk", true, "-blk"},
        {"a(b|c)kernel", true, "kernel"},
        {"[io]\\w+serve", true, "serve"},
        {"[]x]serve", true, "serve"},
        {"[^]\\]x]serve", true, "serve"},
        {"(?=.*pid)tid", true, "tid"},
        {"timer\\-go", true, "timer-go"},
        {"\\x41bcdefgh", true, ""},
        {"thread\\1", true, ""},
        {"\\Qserve\\E", true, ""},
        {"serve\\Q.\\E", true, ""},
        {"(?x)th read", true, ""},
        {"(?i)serve", true, ""},
        {"a(?i)serve", true, ""},
        {"(*UTF)serve", true, ""},
        {"serve(?#no)", true, ""},
        {"serve|", true, ""},
        {"|serve", true, ""},
        {"serve|.*", true, ""},
        {"serve\\|", true, ""}, /* could be known; only speed is lost */
        {"4100", true, ""},
        {"0xbeef", true, ""},
        {"nul", true, ""},
        {"al", true, ""},
        {"", true, ""},
        {"x{9}", true, ""},
        {"serve{a}", true, ""},
        {"[[:alpha:]]serve", true, ""},
        {"aa|bb|cc|dd|ee|ff|gg|hh|ii", true, ""},
        {"gg|hh|ii|jj|kk|rr|mm|oo", true, "gg|hh|ii|jj|kk|rr|mm|oo"},
        {"abcdefghijklmnopqrstuvwxyz_abcdefghijklmnop?q", true, "abcdefghijklmnopqrstuvwxyz_abcde"},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        holds(&all[i]);
    }
}

static bool may(const char *pattern, bool ignore_case, const char *text, size_t length)
{
    struct tt_literals l;
    tt_literals_of(pattern, strlen(pattern), ignore_case, &l);
    cr_assert_gt(l.count, 0u, "%s", pattern);
    return tt_literals_may_be_in(&l, text, length);
}

#define MAY(pattern, ignore_case, text) may(pattern, ignore_case, text, strlen(text))

Test(filter_literal, where_a_word_may_be)
{
    cr_expect(MAY("serve", true, "io-blk/2 SERVE"));
    cr_expect_not(MAY("Serve", false, "io-blk/2 serve"));
    cr_expect(MAY("Serve", false, "Serve"));
    cr_expect_not(MAY("serve", true, "serv"));
    cr_expect_not(MAY("serve", true, "a longer text without it"));
    cr_expect(MAY("timeout|serve", true, "a server"));
    cr_expect_not(MAY("timeout|serve", true, ""));
    /* Bytes that are escaped in the line, or that are another case of a letter. */
    cr_expect(MAY("serve", true,
                  "\xc5\xbf"
                  "erve"));
    cr_expect(MAY("x1by", true, "\033y"));
    cr_expect(MAY("serve", true, "say \"no\""));
    cr_expect(MAY("serve", true, "\\"));
    cr_expect(may("serve", true, "a\0b", 3));
    cr_expect(may("serve", true, "12345678\x7f", 9));
}

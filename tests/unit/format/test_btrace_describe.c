/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of BTrace records that depend on the bytes: decimal text, words of the header. */
#include <string.h>

#include "btrace_build.h"

/* Data after two words of EIic is decimal text only if each of its characters may be in a number. */
Test(btrace_describe, decimal_text_or_a_word)
{
    static const struct {
        const char *data;
        const char *line;
    } rows[] = {
        {"0012", "token=0x1 function=2 arg=12"},
        {"  -7", "token=0x1 function=2 arg=-7"},
        {"x012", "token=0x1 function=2 arg=842084472"},
        {"01x2", "token=0x1 function=2 arg=846737712"},
        {"012x", "token=0x1 function=2 arg=2016555312"},
        {"----", "token=0x1 function=2 arg=757935405"}, /* no digit */
        {"0/12", "token=0x1 function=2 arg=842084144"}, /* the characters next to the digits */
        {"0:12", "token=0x1 function=2 arg=842086960"},
    };
    struct stream s = {0};
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t data[12] = {1, 0, 0, 0, 2};
        memcpy(data + 8, rows[i].data, 4);
        stream_record(&s, &(struct rec){.flags = TS,
                                        .category = 25,
                                        .sub = 44,
                                        .ts = i,
                                        .data = data,
                                        .length = sizeof data});
    }
    struct reading r = read_stream(&s);
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_expect_str_eq(args_line(&r, i), rows[i].line, "\"%s\": %s", rows[i].data,
                         args_line(&r, i));
    }
    reading_free(&r);
    stream_free(&s);
}

/* The raw view has each word of the header that the record has, and no other. */
Test(btrace_describe, words_of_the_header_are_hidden_arguments)
{
    static const struct {
        uint8_t flag;
        const char *name;
        uint64_t value;
    } words[] = {
        {H2, "header2", 0x01000000},   {TS, "timestamp", 0x1234},    {TS2, "timestamp2", 0x5678},
        {CTX, "context_id", 0x98e254}, {EXTRA, "extra", 0xabcd1234},
    };
    for (unsigned flags = 0; flags < 1u << 6; flags++) {
        struct stream s = {0};
        stream_record(&s, &(struct rec){.flags = (uint8_t)flags,
                                        .category = 7,
                                        .header2 = 0x01000000,
                                        .ts = 0x1234,
                                        .ts2 = 0x5678,
                                        .context = 0x98e254,
                                        .pc = 0x8000,
                                        .extra = 0xabcd1234,
                                        .data = "\1\0\0\0\2\0\0\0\3\0\0",
                                        .length = 12});
        struct reading r = read_stream(&s);
        static struct tt_args args;
        describe(&r, 0, &args);
        unsigned found = 0;
        for (unsigned i = 0; i < args.count; i++) {
            for (unsigned w = 0; w < sizeof words / sizeof words[0]; w++) {
                if (args.v[i].name.length == strlen(words[w].name) &&
                    memcmp(args.v[i].name.data, words[w].name, args.v[i].name.length) == 0) {
                    cr_expect(args.v[i].hidden && args.v[i].value.u == words[w].value, "%s",
                              words[w].name);
                    found |= words[w].flag;
                }
            }
        }
        cr_expect_eq(found, flags & (H2 | TS | TS2 | CTX | EXTRA), "flags %#x: %#x", flags, found);
        reading_free(&r);
        stream_free(&s);
    }
}

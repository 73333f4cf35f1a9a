/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "cli/files/row_label.h"

struct sink {
    char text[4096];
    size_t used;
    size_t most; /* 0: no limit */
};

static bool take(void *arg, const char *bytes, size_t length)
{
    struct sink *sink = arg;
    cr_assert_lt(sink->used + length, sizeof sink->text);
    memcpy(sink->text + sink->used, bytes, length);
    sink->used += length;
    sink->text[sink->used] = '\0';
    return sink->most == 0 || sink->used < sink->most;
}

static bool put(struct tt_row_label *label, const char *path, const char *rows, size_t piece)
{
    size_t length = strlen(rows);
    bool more = true;
    tt_row_label_begin(label, path);
    for (size_t i = 0; more && i < length; i += piece) {
        more = tt_row_label_write(label, rows + i, length - i < piece ? length - i : piece);
    }
    return more && tt_row_label_end(label);
}

Test(row_label, rows_of_csv_are_one_table)
{
    for (size_t piece = 1; piece < 40; piece++) {
        struct sink sink = {.used = 0};
        struct tt_row_label label = {.csv = true, .sink = {.write = take, .arg = &sink}};
        cr_assert(put(&label, "a.kev", "n,x\n1,2\n3,4\n", piece));
        cr_assert(put(&label, "b.kev", "n,x\n5,\"6,7\"\n", piece));
        cr_assert(put(&label, "empty.kev", "", piece));
        cr_assert(put(&label, "c.kev", "n,ticks\n8,9\n", piece));
        tt_row_label_free(&label);
        cr_assert_str_eq(sink.text, "capture,n,x\na.kev,1,2\na.kev,3,4\nb.kev,5,\"6,7\"\n"
                                    "capture,n,ticks\nc.kev,8,9\n");
    }
}

Test(row_label, a_header_is_repeated_within_a_capture)
{
    struct sink sink = {.used = 0};
    struct tt_row_label label = {.csv = true, .sink = {.write = take, .arg = &sink}};
    cr_assert(put(&label, "a", "n\n1\n\n", 5));
    cr_assert(put(&label, "a", "n\n1\nn\n2\n", 100));
    tt_row_label_free(&label);
    cr_assert_str_eq(sink.text, "capture,n\na,1\na,\na,1\ncapture,n\na,2\n");
}

Test(row_label, a_key_begins_each_object)
{
    for (size_t piece = 1; piece < 20; piece++) {
        struct sink sink = {.used = 0};
        struct tt_row_label label = {.sink = {.write = take, .arg = &sink}};
        cr_assert(put(&label, "a\"\n.kev", "{\"n\":1}\n{\"n\":2}\n", piece));
        cr_assert(put(&label, "b", "\n{\"n\":3}", piece)); /* no row, and no newline at the end */
        tt_row_label_free(&label);
        cr_assert_str_eq(sink.text, "{\"capture\":\"a\\\"\\n.kev\",\"n\":1}\n"
                                    "{\"capture\":\"a\\\"\\n.kev\",\"n\":2}\n"
                                    "\n{\"capture\":\"b\",\"n\":3}");
    }
}

Test(row_label, a_name_in_csv_is_escaped_and_quoted)
{
    struct sink sink = {.used = 0};
    struct tt_row_label label = {.csv = true, .sink = {.write = take, .arg = &sink}};
    cr_assert(put(&label, "=a,\x1b.kev", "n\n1\n", 100));
    tt_row_label_free(&label);
    cr_assert_str_eq(sink.text, "capture,n\n\"'=a,\\e.kev\",1\n");
}

Test(row_label, stops_when_no_more_rows_are_needed)
{
    struct sink sink = {.most = 15};
    struct tt_row_label label = {.csv = true, .sink = {.write = take, .arg = &sink}};
    cr_assert_not(put(&label, "a.kev", "n\n1\n2\n3\n", 100));
    tt_row_label_free(&label);
    cr_assert_str_eq(sink.text, "capture,n\na.kev,");
}

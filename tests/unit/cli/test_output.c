/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alone.h"
#include "cli/output.h"

static char folder[] = "/tmp/tracetui-output-XXXXXX";
static char path[64];

static void make_folder(void)
{
    cr_assert(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/result", folder);
}

static void remove_folder(void)
{
    unlink(path);
    cr_assert_eq(rmdir(folder), 0, "something was left in %s", folder);
}

TestSuite(output, .init = make_folder, .fini = remove_folder, ALONE);

static long file_size(void)
{
    struct stat s;
    return stat(path, &s) == 0 ? (long)s.st_size : -1;
}

static void put_line(struct tt_output *out, char c, size_t length)
{
    struct tt_text text;
    do {
        text = tt_output_begin(out);
        tt_text_fill(&text, c, length);
        tt_text_char(&text, '\n');
    } while (!tt_output_end(out, &text));
}

Test(output, appears_when_it_is_complete)
{
    struct tt_output out;
    cr_assert_eq(tt_output_open(&out, path).code, TT_OK);
    for (int i = 0; i < 10000; i++) {
        put_line(&out, 'a', 99);
    }
    cr_assert_eq(file_size(), -1, "there before its time");
    cr_assert_eq(tt_output_close(&out, true).code, TT_OK);
    cr_assert_eq(file_size(), 1000000);
}

Test(output, is_not_kept_after_a_failure)
{
    struct tt_output out;
    cr_assert_eq(tt_output_open(&out, path).code, TT_OK);
    for (int i = 0; i < 10000; i++) {
        put_line(&out, 'a', 99);
    }
    cr_assert_eq(tt_output_close(&out, false).code, TT_OK);
    cr_assert_eq(file_size(), -1);
}

Test(output, a_long_line_is_not_cut)
{
    struct tt_output out;
    cr_assert_eq(tt_output_open(&out, path).code, TT_OK);
    put_line(&out, 'a', 10);
    put_line(&out, 'b', 3000000);
    put_line(&out, 'c', 10);
    cr_assert_eq(tt_output_close(&out, true).code, TT_OK);
    cr_assert_eq(file_size(), 11 + 3000001 + 11);
}

Test(output, bytes_of_any_length)
{
    struct tt_output out;
    char *bytes = calloc(1, 700000);
    cr_assert_eq(tt_output_open(&out, path).code, TT_OK);
    cr_assert(tt_output_write(&out, bytes, 700000));
    cr_assert(tt_output_write(&out, bytes, 0));
    cr_assert(tt_output_write(&out, bytes, 1));
    cr_assert_eq(tt_output_close(&out, true).code, TT_OK);
    cr_assert_eq(file_size(), 700001);
    free(bytes);
}

Test(output, keeps_the_mode_of_what_it_replaces)
{
    struct tt_output out;
    struct stat s;
    FILE *old = fopen(path, "w");
    cr_assert(old);
    fclose(old);
    cr_assert_eq(chmod(path, 0640), 0);
    cr_assert_eq(tt_output_open(&out, path).code, TT_OK);
    put_line(&out, 'a', 5);
    cr_assert_eq(tt_output_close(&out, true).code, TT_OK);
    cr_assert_eq(stat(path, &s), 0);
    cr_assert_eq(s.st_mode & 0777, 0640);
    cr_assert_eq(s.st_size, 6);
}

Test(output, a_folder_that_is_not_there)
{
    struct tt_output out;
    cr_assert_eq(tt_output_open(&out, "/nonexistent/result").code, TT_OK);
    put_line(&out, 'a', 5);
    struct tt_status status = tt_output_close(&out, true);
    cr_assert_eq(status.code, TT_ERR_IO);
    cr_assert(strstr(status.text, "/nonexistent/result"));
}

Test(output, no_room_left)
{
    struct tt_output out;
    if (access("/dev/full", W_OK) != 0) {
        cr_skip_test("there is no /dev/full");
    }
    cr_assert_eq(tt_output_open(&out, "/dev/full").code, TT_OK);
    put_line(&out, 'a', 5);
    cr_assert_eq(tt_output_close(&out, true).code, TT_ERR_IO);
}

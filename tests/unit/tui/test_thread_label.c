/* SPDX-License-Identifier: Apache-2.0 */
/* A thread's name in few columns, and cursor movement keys. */
#include <criterion/criterion.h>
#include <string.h>

#include "tracetui/capture.h"
#include "tracetui/format.h"
#include "tracetui/text.h"
#include "tui/draw/thread_label.h"
#include "tui/input/list_motion.h"

static const struct tt_grid grid = {.ascii = true, .ellipsis = '~'};

static void close_nothing(struct tt_capture *c)
{
    (void)c;
}

static struct tt_capture *with_thread(const char *process, uint64_t tid, const char *name)
{
    static const uint8_t byte = 0;
    static const struct tt_format format = {.name = "test", .close = close_nothing};
    struct tt_capture *c = NULL;
    struct tt_status status = tt_capture_new(tt_bytes_of(&byte, 1), &c);
    cr_assert(!tt_failed(&status));
    c->format = &format;
    cr_assert_eq(tt_registry_thread(c, 7, tid, 0), 0);
    uint32_t owner = tt_thread_at(c, 0)->process;
    tt_registry_process_name(c, owner, tt_capture_intern(c, process, strlen(process)));
    tt_registry_thread_name(c, 0, tt_capture_intern(c, name, strlen(name)));
    return c;
}

static void is_named(const struct tt_capture *c, int width, const char *wanted)
{
    char buffer[256];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_thread_label(&grid, c, 0, width, &text);
    cr_expect_str_eq(tt_text_cstr(&text), wanted, "%d columns: %s", width, buffer);
}

Test(tui_names, the_threads_own_part_is_truncated_last)
{
    struct tt_capture *c = with_thread("EKern.exe[100041af]0001", 9700472, "Supervisor");
    is_named(c, 42, "EKern.exe[100041af]0001/9700472 Supervisor");
    is_named(c, 41, "EKern.exe[100041af]0001/Supervisor");
    is_named(c, 33, "EKern.exe/Supervisor");
    is_named(c, 20, "EKern.exe/Supervisor");
    is_named(c, 19, "EKern.e~/Supervisor");
    is_named(c, 15, "EKe~/Supervisor");
    is_named(c, 14, "Supervisor");
    is_named(c, 3, "Supervisor");
    tt_capture_free(c);
}

Test(tui_names, without_a_name_the_number_stays)
{
    struct tt_capture *c = with_thread("proc/boot/devc-pty", 3, "");
    is_named(c, 20, "devc-pty/3");
    is_named(c, 10, "devc-pty/3");
    is_named(c, 8, "devc-~/3");
    tt_capture_free(c);
}

Test(tui_names, a_bracket_at_the_start_is_not_a_generation)
{
    struct tt_capture *c = with_thread("[kernel]", 3, "idle");
    is_named(c, 13, "[kernel]/idle");
    is_named(c, 12, "[kerne~/idle");
    tt_capture_free(c);
}

Test(tui_names, moves_are_the_same_in_every_list)
{
    cr_expect_eq(tt_list_motion_of(TT_DO_DOWN, 10).by, 1);
    cr_expect_eq(tt_list_motion_of(TT_DO_PAGE_UP, 10).by, -9);
    cr_expect_eq(tt_list_motion_of(TT_DO_PAGE_UP, 10).kind, TT_MOVE_PAGE);
    cr_expect_eq(tt_list_motion_of(TT_DO_HALF_DOWN, 10).by, 5);
    cr_expect_eq(tt_list_motion_of(TT_DO_HALF_DOWN, 0).by, 1);
    cr_expect(tt_list_motion_of(TT_DO_FIRST, 10).by < -(INT64_C(1) << 40));
    cr_expect_eq(tt_list_motion_of(TT_DO_LAST, 10).kind, TT_MOVE_END);
    cr_expect_eq(tt_list_motion_of(TT_DO_QUIT, 10).kind, TT_MOVE_NONE);
}

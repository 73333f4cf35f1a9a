/* SPDX-License-Identifier: Apache-2.0 */
/* Cells: position and display width of text, and clipping to the area. */
#include <criterion/criterion.h>
#include <locale.h>
#include <string.h>

#include "tracetui/text.h"
#include "tui/draw/grid.h"

static struct tt_grid grid_of(int width, int height, bool ascii)
{
    setlocale(LC_CTYPE, "C.UTF-8");
    struct tt_grid grid = {.ascii = ascii, .ellipsis = ascii ? '>' : 0x2026};
    cr_assert(tt_grid_resize(&grid, width, height));
    return grid;
}

static const char *line_of(const struct tt_grid *grid, int y)
{
    static char buffer[512];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_grid_line(grid, y, &text);
    return tt_text_cstr(&text);
}

Test(tui_grid, text_is_drawn_and_its_width_returned)
{
    struct tt_grid grid = grid_of(10, 2, false);
    cr_assert_eq(tt_draw(tt_grid_area(&grid), 2, 1, 8, 3, "abc"), 3);
    cr_assert_str_eq(line_of(&grid, 0), "");
    cr_assert_str_eq(line_of(&grid, 1), "  abc");
    cr_assert_eq(tt_grid_at(&grid, 2, 1)->role, 3);
    cr_assert_eq(tt_grid_at(&grid, 5, 1)->role, 0);
    tt_grid_free(&grid);
}

Test(tui_grid, a_long_text_is_truncated_with_an_ellipsis)
{
    struct tt_grid grid = grid_of(10, 1, false);
    cr_assert_eq(tt_draw(tt_grid_area(&grid), 1, 0, 5, 0, "abcdef"), 5);
    cr_assert_str_eq(line_of(&grid, 0), " abcd…");
    tt_grid_clear(&grid);
    tt_draw(tt_grid_area(&grid), 7, 0, 100, 0, "abcdef");
    cr_assert_str_eq(line_of(&grid, 0), "       ab…");
    tt_grid_clear(&grid);
    tt_draw(tt_grid_area(&grid), 0, 0, 6, 0, "abcdef");
    cr_assert_str_eq(line_of(&grid, 0), "abcdef");
    tt_grid_free(&grid);
}

Test(tui_grid, wide_characters_take_two_cells_and_are_never_split)
{
    struct tt_grid grid = grid_of(8, 1, false);
    cr_assert_eq(tt_draw(tt_grid_area(&grid), 0, 0, 8, 0, "日本x"), 5);
    cr_assert_eq(tt_grid_at(&grid, 1, 0)->ch, 0);
    cr_assert_str_eq(line_of(&grid, 0), "日本x");
    /* Four columns hold one of them and the ellipsis, with a blank in place of half a character. */
    tt_grid_clear(&grid);
    cr_assert_eq(tt_draw(tt_grid_area(&grid), 0, 0, 4, 0, "日本語"), 4);
    cr_assert_str_eq(line_of(&grid, 0), "日 …");
    /* Overwriting one half blanks the other. */
    tt_grid_clear(&grid);
    tt_draw(tt_grid_area(&grid), 0, 0, 8, 0, "日本");
    tt_draw(tt_grid_area(&grid), 1, 0, 1, 0, "a");
    cr_assert_str_eq(line_of(&grid, 0), " a本");
    tt_draw(tt_grid_area(&grid), 2, 0, 1, 0, "b");
    cr_assert_str_eq(line_of(&grid, 0), " ab");
    tt_grid_free(&grid);
}

Test(tui_grid, combining_marks_share_the_cell_before)
{
    struct tt_grid grid = grid_of(8, 1, false);
    cr_assert_eq(tt_draw(tt_grid_area(&grid), 0, 0, 8, 0, "e\xcc\x81x"), 2);
    cr_assert_eq(tt_grid_at(&grid, 0, 0)->mark, 0x301);
    cr_assert_str_eq(line_of(&grid, 0), "e\xcc\x81x");
    tt_grid_free(&grid);
}

Test(tui_grid, no_control_character_gets_into_a_cell)
{
    struct tt_grid grid = grid_of(60, 1, false);
    const char hostile[] = "a\x1b[2J\x9b"
                           "b\xe2\x80\xae"
                           "c\x7f";
    tt_draw_text(tt_grid_area(&grid), 0, 0, 60, 0, hostile, sizeof hostile - 1);
    cr_assert_str_eq(line_of(&grid, 0), "a\\x1b[2J\\x9bb\\xe2\\x80\\xaec\\x7f");
    for (int x = 0; x < 60; x++) {
        cr_assert(tt_grid_at(&grid, x, 0)->ch >= ' ' && tt_grid_at(&grid, x, 0)->ch < 0x7f);
    }
    tt_grid_free(&grid);
}

Test(tui_grid, an_ascii_grid_contains_ascii_only)
{
    struct tt_grid grid = grid_of(20, 1, true);
    tt_draw(tt_grid_area(&grid), 0, 0, 20, 0, "a\xc3\xa9z");
    cr_assert_str_eq(line_of(&grid, 0), "a\\xc3\\xa9z");
    tt_grid_clear(&grid);
    tt_draw(tt_grid_area(&grid), 0, 0, 3, 0, "abcdef");
    cr_assert_str_eq(line_of(&grid, 0), "ab>");
    tt_grid_free(&grid);
}

Test(tui_grid, drawing_is_clipped_to_its_area)
{
    struct tt_grid grid = grid_of(10, 4, false);
    struct tt_area part = tt_area_part(tt_grid_area(&grid), 2, 1, 5, 2);
    tt_draw(part, -1, 0, 20, 0, "abcdefghijkl");
    tt_draw(part, 0, -1, 5, 0, "above");
    tt_draw(part, 0, 2, 5, 0, "below");
    tt_draw_fill(part, -5, 1, 100, 0, '#');
    cr_assert_str_eq(line_of(&grid, 0), "");
    cr_assert_str_eq(line_of(&grid, 1), "  bcde…");
    cr_assert_str_eq(line_of(&grid, 2), "  #####");
    cr_assert_str_eq(line_of(&grid, 3), "");
    struct tt_area outside = tt_area_part(part, 3, 0, 100, 100);
    cr_assert_eq(outside.width, 2);
    cr_assert_eq(outside.height, 2);
    tt_grid_free(&grid);
}

Test(tui_grid, numbers_are_right_aligned)
{
    struct tt_grid grid = grid_of(10, 1, false);
    tt_draw_right(tt_grid_area(&grid), 1, 0, 6, 0, "123");
    cr_assert_str_eq(line_of(&grid, 0), "    123");
    tt_grid_clear(&grid);
    tt_draw_right(tt_grid_area(&grid), 1, 0, 4, 0, "123456");
    cr_assert_str_eq(line_of(&grid, 0), " 123…");
    tt_grid_free(&grid);
}

Test(tui_grid, a_scrolled_text_marks_its_hidden_part)
{
    struct tt_grid grid = grid_of(10, 1, false);
    struct tt_area area = tt_grid_area(&grid);
    tt_draw_scrolled(area, 0, 0, 6, 0, "abcdefghijkl", 12, 4);
    cr_assert_str_eq(line_of(&grid, 0), "…fghi…");
    tt_grid_clear(&grid);
    tt_draw_scrolled(area, 0, 0, 6, 0, "abcdef", 6, 0);
    cr_assert_str_eq(line_of(&grid, 0), "abcdef");
    tt_grid_clear(&grid);
    tt_draw_scrolled(area, 0, 0, 6, 0, "abc", 3, 8);
    cr_assert_str_eq(line_of(&grid, 0), "…");
    tt_grid_free(&grid);
}

Test(tui_grid, an_overlay_covers_cells_until_they_are_blanked)
{
    struct tt_grid grid = grid_of(6, 1, false);
    struct tt_area area = tt_grid_area(&grid);
    tt_draw(area, 0, 0, 6, 1, "abc");
    tt_draw_over(area, 1, 0, 100, 2);
    cr_assert_eq(tt_grid_at(&grid, 0, 0)->over, 0);
    cr_assert_eq(tt_grid_at(&grid, 1, 0)->over, 2);
    cr_assert_eq(tt_grid_at(&grid, 1, 0)->role, 1);
    tt_draw_blank(area, 1, 0, 1, 1);
    cr_assert_eq(tt_grid_at(&grid, 1, 0)->over, 0);
    cr_assert_eq(tt_grid_at(&grid, 1, 0)->ch, ' ');
    tt_grid_free(&grid);
}

Test(tui_grid, the_longest_fitting_part_of_a_text)
{
    struct tt_grid grid = grid_of(6, 1, false);
    cr_assert_eq(tt_grid_fitting(&grid, "abc", 3, 2), 2);
    cr_assert_eq(tt_grid_fitting(&grid, "abc", 3, 9), 3);
    cr_assert_eq(tt_grid_fitting(&grid, "a日", 4, 2), 1);
    /* At least one character, so that wrapping a text terminates. */
    cr_assert_eq(tt_grid_fitting(&grid, "日", 3, 1), 3);
    tt_grid_free(&grid);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The shipped themes: states differ on any terminal, and text is readable. Contrast is the
 * "contrast ratio" of the Web Content Accessibility Guidelines 2.1.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alone.h"
#include "tui/draw/builtin_themes.h"
#include "tui/draw/theme.h"

#define STATES ((int)(TT_ROLE_UNKNOWN - TT_ROLE_RUNNING + 1))

static const unsigned state_glyphs[] = {
    TT_GLYPH_RUNNING, TT_GLYPH_READY, TT_GLYPH_IPC,     TT_GLYPH_LOCK, TT_GLYPH_CONDITION,
    TT_GLYPH_SLEEP,   TT_GLYPH_WAIT,  TT_GLYPH_STOPPED, TT_GLYPH_DEAD, TT_GLYPH_UNKNOWN,
};

static struct tt_theme load(const char *name)
{
    struct tt_theme theme;
    unsetenv("XDG_CONFIG_HOME");
    setenv("HOME", "/nowhere", 1);
    struct tt_status status = tt_theme_load(&theme, name);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    return theme;
}

static void each(void (*check)(const char *name, const struct tt_theme *theme))
{
    for (size_t i = 0; tt_builtin_themes[i].name; i++) {
        struct tt_theme theme = load(tt_builtin_themes[i].name);
        check(tt_builtin_themes[i].name, &theme);
    }
}

TestSuite(tui_themes, ALONE);

Test(tui_themes, all_themes_of_the_manual_exist)
{
    static const char *const names[] = {"default", "dark",          "light",
                                        "mono",    "high-contrast", "colour-blind"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        load(names[i]);
    }
}

static void glyphs_differ(const char *name, const struct tt_theme *theme)
{
    cr_assert_eq(sizeof state_glyphs / sizeof *state_glyphs, STATES);
    for (int ascii = 0; ascii < 2; ascii++) {
        for (int i = 0; i < STATES; i++) {
            for (int j = 0; j < i; j++) {
                cr_assert_neq(tt_theme_glyph(theme, state_glyphs[i], ascii),
                              tt_theme_glyph(theme, state_glyphs[j], ascii), "%s: %s and %s", name,
                              tt_role_name(TT_ROLE_RUNNING + (unsigned)i),
                              tt_role_name(TT_ROLE_RUNNING + (unsigned)j));
            }
        }
    }
}

Test(tui_themes, any_two_states_differ_by_glyph)
{
    each(glyphs_differ);
}

static bool is_mono(const struct tt_theme *theme)
{
    return !tt_theme_colored(theme);
}

static void colors_differ(const char *name, const struct tt_theme *theme)
{
    for (unsigned a = TT_ROLE_RUNNING; a <= TT_ROLE_UNKNOWN && !is_mono(theme); a++) {
        for (unsigned b = TT_ROLE_RUNNING; b < a; b++) {
            cr_assert_neq(theme->styles[a].fg, theme->styles[b].fg, "%s: %s and %s", name,
                          tt_role_name(a), tt_role_name(b));
        }
    }
}

Test(tui_themes, any_two_states_differ_by_colour)
{
    each(colors_differ);
}

Test(tui_themes, mono_has_no_colour_and_the_others_have)
{
    for (size_t i = 0; tt_builtin_themes[i].name; i++) {
        struct tt_theme theme = load(tt_builtin_themes[i].name);
        cr_assert_eq(is_mono(&theme), strcmp(tt_builtin_themes[i].name, "mono") == 0);
    }
}

/* ---- contrast ------------------------------------------------------------------------------- */

/* Returns the relative luminance of one of the 240 standard colours. */
static double luminance(int color)
{
    static const int divisors[3] = {36, 6, 1};
    static const double weights[3] = {0.2126, 0.7152, 0.0722};
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        int step = (color - 16) / divisors[i] % 6;
        double value = color >= 232 ? 8 + 10 * (color - 232) : step ? 55 + 40 * step : 0;
        value /= 255;
        sum += weights[i] * (value <= 0.03928 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4));
    }
    return sum;
}

static double contrast(int a, int b)
{
    double la = luminance(a), lb = luminance(b);
    return la > lb ? (la + 0.05) / (lb + 0.05) : (lb + 0.05) / (la + 0.05);
}

/* ---- states told apart by their colours ------------------------------------------------------ */

/* Smallest distance of two states in CIE L*a*b*; from about 2.3 on a difference is noticed. */
#define STATE_DISTANCE 10.0

struct vision {
    const char *name;
    double m[3][3]; /* on linear RGB: Machado, Oliveira, Fernandes 2009, severity 1.0 */
};

static const struct vision visions[] = {
    {"normal", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {"protanopia",
     {{0.152286, 1.052583, -0.204868},
      {0.114503, 0.786281, 0.099216},
      {-0.003882, -0.048116, 1.051998}}},
    {"deuteranopia",
     {{0.367322, 0.860646, -0.227968},
      {0.280085, 0.672501, 0.047413},
      {-0.011820, 0.042940, 0.968881}}},
    {"tritanopia",
     {{1.255528, -0.076749, -0.178779},
      {-0.078411, 0.930809, 0.147602},
      {0.004733, 0.691367, 0.303900}}},
};

/* The first 16 as xterm has them. */
static void rgb_of(int color, int rgb[3])
{
    static const int basic[16][3] = {
        {0, 0, 0},       {205, 0, 0},   {0, 205, 0},   {205, 205, 0},
        {0, 0, 238},     {205, 0, 205}, {0, 205, 205}, {229, 229, 229},
        {127, 127, 127}, {255, 0, 0},   {0, 255, 0},   {255, 255, 0},
        {92, 92, 255},   {255, 0, 255}, {0, 255, 255}, {255, 255, 255},
    };
    static const int divisors[3] = {36, 6, 1};
    for (int i = 0; i < 3; i++) {
        int step = color >= 16 ? (color - 16) / divisors[i] % 6 : 0;
        rgb[i] = color < 16     ? basic[color][i]
                 : color >= 232 ? 8 + 10 * (color - 232)
                 : step         ? 55 + 40 * step
                                : 0;
    }
}

static double lab_part(double t)
{
    return t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116;
}

static void lab_of(int color, const struct vision *vision, double lab[3])
{
    int rgb[3];
    double linear[3], seen[3];
    rgb_of(color, rgb);
    for (int i = 0; i < 3; i++) {
        double value = rgb[i] / 255.0;
        linear[i] = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
    }
    for (int i = 0; i < 3; i++) {
        const double *row = vision->m[i];
        seen[i] = row[0] * linear[0] + row[1] * linear[1] + row[2] * linear[2];
        seen[i] = seen[i] < 0 ? 0 : seen[i] > 1 ? 1 : seen[i];
    }
    double x = (0.4124 * seen[0] + 0.3576 * seen[1] + 0.1805 * seen[2]) / 0.95047;
    double y = 0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2];
    double z = (0.0193 * seen[0] + 0.1192 * seen[1] + 0.9505 * seen[2]) / 1.08883;
    lab[0] = 116 * lab_part(y) - 16;
    lab[1] = 500 * (lab_part(x) - lab_part(y));
    lab[2] = 200 * (lab_part(y) - lab_part(z));
}

static void states_differ(const char *name, const struct tt_theme *theme)
{
    for (size_t v = 0; v < sizeof visions / sizeof *visions && !is_mono(theme); v++) {
        for (unsigned a = TT_ROLE_RUNNING; a <= TT_ROLE_DEAD; a++) {
            for (unsigned b = TT_ROLE_RUNNING; b < a; b++) {
                double x[3], y[3];
                lab_of(theme->styles[a].fg, &visions[v], x);
                lab_of(theme->styles[b].fg, &visions[v], y);
                double distance =
                    sqrt(pow(x[0] - y[0], 2) + pow(x[1] - y[1], 2) + pow(x[2] - y[2], 2));
                cr_assert_geq(distance, STATE_DISTANCE, "%s, %s: %s and %s are %.1f apart", name,
                              visions[v].name, tt_role_name(b), tt_role_name(a), distance);
            }
        }
    }
}

Test(tui_themes, the_eight_states_differ_for_every_vision)
{
    each(states_differ);
}

static void states_can_be_read(const char *name, const struct tt_theme *theme)
{
    int own = theme->styles[TT_ROLE_TEXT].bg;
    for (unsigned role = TT_ROLE_RUNNING; role <= TT_ROLE_DEAD && own >= 16; role++) {
        cr_assert_geq(contrast(theme->styles[role].fg, own), 4.5, "%s: %s", name,
                      tt_role_name(role));
    }
}

Test(tui_themes, the_eight_states_have_the_contrast_of_text)
{
    each(states_can_be_read);
}

/* ---- what can be read ------------------------------------------------------------------------ */

/* Roles of graphics, not of text. */
static bool is_drawn(unsigned role)
{
    return role == TT_ROLE_LINE || (role >= TT_ROLE_RUNNING && role <= TT_ROLE_COUNTER_MANY);
}

static void can_be_read(const char *name, const struct tt_theme *theme)
{
    const int own = theme->styles[TT_ROLE_TEXT].bg;
    static const unsigned over[] = {0, TT_ROLE_CURSOR, TT_ROLE_LANE_CURRENT, TT_ROLE_SELECTION};
    if (own < 16) {
        return; /* the terminal's own colours are unknown */
    }
    for (unsigned role = 0; role < TT_ROLE_COUNT; role++) {
        struct tt_cell_style alone = theme->styles[role];
        if (alone.fg < 16) {
            continue; /* overlay roles */
        }
        /* Styles with their own background are not overlaid. */
        size_t overs = alone.bg == own ? sizeof over / sizeof *over : 1;
        for (size_t i = 0; i < overs; i++) {
            struct tt_cell_style style = tt_theme_style(theme, role, over[i]);
            /* Lines have the selection and the lane below them; the cursor's line has text. */
            bool is_state = role >= TT_ROLE_RUNNING && role <= TT_ROLE_DEAD;
            bool lane = over[i] == TT_ROLE_LANE_CURRENT || over[i] == TT_ROLE_SELECTION;
            double min = is_drawn(role) && !(is_state && lane) ? 3.0 : 4.5;
            int bg = style.bg >= 16 ? style.bg : own;
            cr_assert_geq(contrast(style.fg, bg), strcmp(name, "high-contrast") ? min : min + 2.5,
                          "%s: %s under %u: %d on %d has %.2f", name, tt_role_name(role), over[i],
                          style.fg, bg, contrast(style.fg, bg));
        }
    }
}

/* The greys for a terminal of that brightness; the lightness that is seen, L*, must differ. */
static void greys_differ(const char *name, const struct tt_theme *theme)
{
    const struct tt_background terminals[] = {
        {0, 0, 0},                /* xterm, dark */
        {0x1e1e, 0x1e1e, 0x2e2e}, /* Catppuccin */
        {0x2e2e, 0x3434, 0x4040}, /* Nord */
        {0, 0x2b2b, 0x3636},      /* Solarized dark */
        {0xfdfd, 0xf6f6, 0xe3e3}, /* Solarized light */
        {0xffff, 0xffff, 0xffff},
    };
    if (is_mono(theme) || theme->styles[TT_ROLE_TEXT].bg != TT_COLOR_DEFAULT) {
        return;
    }
    for (size_t i = 0; i < sizeof terminals / sizeof *terminals; i++) {
        struct tt_theme on = *theme;
        tt_theme_use_background(&on, &terminals[i]);
        struct tt_cell_style cursor = tt_theme_style(&on, TT_ROLE_TEXT, TT_ROLE_CURSOR);
        struct tt_cell_style lane = tt_theme_style(&on, TT_ROLE_RUNNING, TT_ROLE_LANE_CURRENT);
        struct tt_cell_style selection = tt_theme_style(&on, TT_ROLE_RUNNING, TT_ROLE_SELECTION);
        cr_assert_geq(cursor.bg, 232, "%s", name);
        cr_assert_eq(lane.bg, cursor.bg);
        cr_assert_neq(selection.bg, cursor.bg);
        /* The terminal as the nearest grey: its text has the contrast of the other end. */
        int own = terminals[i].green / 257;
        bool light = own > 128;
        double y = pow((own / 255.0 + 0.055) / 1.055, 2.4), text = light ? 16 : 231;
        double grey[3];
        lab_of(cursor.bg, &visions[0], grey);
        cr_assert_geq(fabs(grey[0] - (116 * lab_part(y) - 16)), 4.0, "%s, terminal %zu: %d", name,
                      i, cursor.bg);
        cr_assert(light ? luminance(cursor.bg) < y : luminance(cursor.bg) > y);
        cr_assert_geq(contrast((int)text, cursor.bg), 4.5);
        cr_assert_geq(contrast((int)text, selection.bg), 4.5);
        for (unsigned over = TT_ROLE_IPC_BEHIND; over <= TT_ROLE_WAIT_BEHIND; over++) {
            const struct tt_cell_style shade = tt_theme_style(&on, TT_ROLE_RUNNING, over);
            cr_assert_eq(shade.fg, on.styles[TT_ROLE_RUNNING].fg);
            cr_assert_geq(shade.bg, 16, "%s: no shade", name);
            cr_assert_geq(contrast((int)text, shade.bg), 4.5, "%s: shade %d", name, shade.bg);
        }
    }
}

Test(tui_themes, the_terminals_background_gives_greys_that_are_seen_and_read)
{
    each(greys_differ);
}

static void keeps_its_own(const char *name, const struct tt_theme *theme)
{
    const struct tt_background white = {0xffff, 0xffff, 0xffff};
    struct tt_theme on = *theme;
    tt_theme_use_background(&on, &white);
    bool takes = !is_mono(theme) && theme->styles[TT_ROLE_TEXT].bg == TT_COLOR_DEFAULT;
    cr_assert_eq(on.cursor_bg != TT_COLOR_DEFAULT, takes, "%s", name);
    tt_theme_use_background(&on, NULL);
    cr_assert_eq(on.cursor_bg, TT_COLOR_DEFAULT);
    cr_assert_eq(on.selection_bg, TT_COLOR_DEFAULT);
}

Test(tui_themes, greys_are_for_themes_with_the_terminals_background)
{
    each(keeps_its_own);
}

Test(tui_themes, text_is_readable_on_its_background)
{
    cr_assert_float_eq(contrast(16, 231), 21.0, 0.01);
    each(can_be_read);
}

/* ---- terminals with fewer colours ----------------------------------------------------------- */

static void readable_with(int colors, const char *name, const struct tt_theme *theme)
{
    for (unsigned role = 0; role < TT_ROLE_COUNT; role++) {
        struct tt_cell_style style = tt_theme_fit(theme, theme->styles[role], colors);
        cr_assert(style.fg >= TT_COLOR_DEFAULT && style.fg < colors, "%s: %s", name,
                  tt_role_name(role));
        cr_assert(style.bg >= TT_COLOR_DEFAULT && style.bg < colors, "%s: %s", name,
                  tt_role_name(role));
        cr_assert(style.fg == TT_COLOR_DEFAULT || style.fg != style.bg,
                  "%s: %s is invisible with %d colours", name, tt_role_name(role), colors);
    }
}

static void readable_with_16(const char *name, const struct tt_theme *theme)
{
    readable_with(16, name, theme);
}

static void readable_with_8(const char *name, const struct tt_theme *theme)
{
    readable_with(8, name, theme);
}

Test(tui_themes, nothing_is_drawn_in_its_own_background_with_16_colours)
{
    each(readable_with_16);
}

Test(tui_themes, nothing_is_drawn_in_its_own_background_with_8_colours)
{
    each(readable_with_8);
}

static void readable_without(const char *name, const struct tt_theme *theme)
{
    static const unsigned told_apart[] = {TT_ROLE_HEADER, TT_ROLE_CURSOR, TT_ROLE_SELECTION,
                                          TT_ROLE_FIELD, TT_ROLE_LANE_CURSOR};
    for (size_t i = 0; i < sizeof told_apart / sizeof *told_apart; i++) {
        struct tt_cell_style style = tt_theme_fit(theme, theme->styles[told_apart[i]], 0);
        cr_assert_eq(style.fg, TT_COLOR_DEFAULT);
        cr_assert_eq(style.bg, TT_COLOR_DEFAULT);
        cr_assert_neq(style.attrs, 0, "%s: %s is lost without colours", name,
                      tt_role_name(told_apart[i]));
    }
}

Test(tui_themes, without_colours_attributes_remain)
{
    each(readable_without);
}

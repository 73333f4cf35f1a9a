/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The screens of tests/screens/expected, drawn in this process: what tests/screens compares for the
 * program, next to the unit tests. Most sizes and colours are left to tests/screens.
 */
#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/input.h"
#include "cli/options.h"
#include "tui/tui.h"

enum { WORDS = 16, LINE = 600 };

struct screen {
    const char *file;    /* in tests/screens/expected, without .txt */
    const char *words;   /* the view and options, separated by blanks */
    const char *capture; /* the ending of samples/demo. */
    const char *keys;
};

/* clang-format off */
static const struct screen screens[] = {
    {"check-80x24", "threads", "kev", ":check tests/screens/demo.check<Enter>"},
    {"check-ascii", "events --ascii --size 120x40", "kev", ":check tests/screens/demo.check<Enter>j"},
    {"check-go", "events", "kev", ":check tests/screens/demo.check<Enter><Enter>"},
    {"jobs-deadline", "threads", "kev", ":deadline sensor/1=150us,/^fusion/=200us<Enter>"},
    {"jobs-miss-120x40", "threads --size 120x40", "kev", ":deadline sensor/1=150us,/^fusion/=200us<Enter>D"},
    {"jobs-misses", "threads", "kev", ":deadline sensor/1=150us,/^fusion/=200us<Enter>:deadline<Enter>j"},
    {"jobs-missed", "summary --size 120x40", "kev", ":deadline sensor/1=150us,/^fusion/=200us<Enter>]]]]]"},
    {"measure-80x24", "threads", "kev", ":measure event = MSG_SENDV and kind = enter -> event = MSG_SENDV and kind = exit --same thread<Enter>"},
    {"measure-ascii", "events --ascii --size 120x40", "kev", ":measure event = MSG_SENDV and kind = enter -> event = MSG_SENDV and kind = exit --same thread<Enter>"},
    {"measure-interrupt", "cpus", "kev", ":measure --interrupt 35 --thread sensor/2<Enter>jj"},
    {"measure-go", "threads", "kev", ":measure event = MSG_SENDV and kind = enter -> event = MSG_SENDV and kind = exit --same thread<Enter>j<Enter>"},
    {"messages-80x24", "messages", "kev", ""},
    {"messages-120x40", "messages --size 120x40", "kev", ""},
    {"messages-40x10", "messages --size 40x10", "kev", ""},
    {"messages-servers", "messages", "kev", "]"},
    {"messages-channels-ascii", "messages --ascii", "kev", "]]"},
    {"messages-objects", "messages", "kev", ":stats object<Enter>"},
    {"messages-single-mono", "messages --size 120x40 --color never", "kev", ":stats single<Enter>"},
    {"messages-spread", "messages", "kev", "jd"},
    {"messages-lanes", "messages", "kev", ":stats single<Enter><Enter>"},
    {"messages-marks-ascii", "messages --ascii", "kev", ":stats single<Enter><Enter>s"},
    {"messages-symbian", "messages", "btrace", ""},
    {"plot-histogram", "summary", "kev", ":plot delay_max of logger/1<Enter>"},
    {"plot-times-120x40", "summary --size 120x40", "kev", ":plot times response_max of sensor/1<Enter>..z"},
    {"plot-times-ascii", "summary --ascii", "kev", ":plot times response_max of sensor/1<Enter>"},
    {"plot-load", "summary", "kev", ":plot load process<Enter>"},
    {"plot-load-ascii", "summary --ascii --size 120x40", "kev", ":plot load<Enter>z"},
    {"plot-switches", "summary", "kev", ":plot switches<Enter>"},
    {"plot-rows", "summary", "kev", ":plot rows run<Enter>x"},
    {"events-80x24", "events", "kev", ""},
    {"detail-80x24", "events", "kev", ":50%<Enter><Enter><Tab>"},
    {"detail-120x40", "events --size 120x40", "kev", ":50%<Enter><Enter><Tab>"},
    {"detail-40x10", "events --size 40x10", "kev", ":50%<Enter><Enter>"},
    {"events-60x15", "events --size 60x15", "kev", ":50%<Enter>"},
    {"info-80x24", "info", "kev", ""},
    {"info-120x40", "info --size 120x40", "kev", "G"},
    {"info-by-name", "info", "kev", "o}}}}}"},
    {"help-80x24", "events", "kev", "?"},
    {"columns-80x24", "events", "kev", "cjj<Space>"},
    {"prompt-80x24", "events", "kev", ":12x"},
    {"marks-80x24", "events", "kev", "jmajjjmbg"},
    {"ascii-80x24", "events --ascii", "kev", ":50%<Enter><Enter><Tab>"},
    {"absolute-80x24", "events", "kev", "t"},
    {"delta-80x24", "events", "kev", "tt"},
    {"ticks-80x24", "events", "kev", "ttt"},
    {"summary-80x24", "summary", "kev", ""},
    {"summary-120x40", "summary --size 120x40", "kev", ""},
    {"summary-200x60", "summary --size 200x60", "kev", ""},
    {"summary-40x10", "summary --size 40x10", "kev", ""},
    {"summary-ascii-80x24", "summary --ascii", "kev", ""},
    {"summary-cpus", "summary", "kev", "]"},
    {"summary-processes", "summary", "kev", "]]"},
    {"summary-pairs", "summary", "kev", "]]]"},
    {"summary-events", "summary", "kev", "]]]]"},
    {"summary-jobs", "summary", "kev", "]]]]]"},
    {"summary-interrupts", "summary --size 120x40", "kev", "]]]]]]"},
    {"summary-interrupt-longest", "summary", "kev", "]]]]]]<Enter>"},
    {"summary-blame", "summary", "kev", "[["},
    {"summary-inversions", "summary", "kev", "["},
    {"summary-inversion-why", "summary", "kev", "[b"},
    {"summary-columns", "summary", "kev", "cjjj<Space>"},
    {"summary-spread", "summary", "kev", "illllllllldjjj"},
    {"summary-spread-ascii", "summary --ascii", "kev", "d"},
    {"summary-marks", "summary", "kev", ":10ms<Enter>ma:20ms<Enter>mb4r"},
    {"threads-80x24", "threads --size 80x24", "kev", ""},
    {"cpus-80x24", "cpus --size 80x24", "kev", ""},
    {"threads-120x40", "threads --size 120x40", "kev", ""},
    {"threads-40x10", "threads --size 40x10", "kev", ""},
    {"threads-16", "threads --color 16", "kev", ""},
    {"threads-256", "threads --color 256 --theme dark", "kev", ""},
    {"threads-window", "threads --from 26.8ms --to 28.7ms", "kev", ""},
    {"threads-sequence", "threads", "kev", ":26.9ms<Enter>x"},
    {"cpus-ascii", "cpus --ascii", "kev", ""},
    {"cpus-window", "cpus --from 26.8ms --to 28.7ms", "kev", ""},
    {"threads-inversion", "threads --size 120x40", "kev", ":26.9ms<Enter>+++++o"},
    {"threads-selected", "threads --size 120x40", "kev", ":26.9ms<Enter>++++v>>v"},
    {"threads-folded", "threads", "kev", "Z"},
    {"threads-pinned", "threads", "kev", "jpjjpG"},
    {"threads-idle", "threads", "kev", ":22ms<Enter>++++i"},
    {"threads-marks", "threads", "kev", ":10ms<Enter>ma:30ms<Enter>mb"},
    {"slices-80x24", "threads", "fxt", ":26.9ms<Enter>++++"},
    {"slices-120x40", "threads --size 120x40", "fxt", ":50%<Enter>++++"},
    {"slices-ascii", "threads --ascii", "fxt", ":26.9ms<Enter>++++"},
    {"threads-trx", "threads", "trx", ""},
    {"threads-btrace", "threads", "btrace", ""},
    {"cpus-trx", "cpus", "trx", ""},
    {"cpus-btrace", "cpus", "btrace", ""},
    {"summary-mono", "summary --color 256 --theme mono", "kev", ""},
    {"summary-window", "summary --from 26.8ms --to 28.7ms", "kev", ""},
    {"info-ascii", "info --ascii", "kev", "G"},
    {"events-mono", "events --color 256 --theme mono", "kev", ""},
    {"all-events-120x40", "events --size 120x40", "kev", ":27.8ms<Enter>"},
    {"all-events-16", "events --color 16 --size 100x30", "kev", ":27.8ms<Enter>"},
    {"all-events-ascii", "events --ascii --size 100x30", "kev", ":27.8ms<Enter>"},
    {"all-summary-120x40", "summary --size 120x40", "kev", "j"},
    {"all-summary-ascii", "summary --ascii --size 100x30", "kev", "j"},
    {"all-info-120x40", "info --size 120x40", "kev", "j"},
    {"all-info-ascii", "info --ascii --size 100x30", "kev", "j"},
    {"all-snapshot-80x24", "snapshot --size 80x24", "kev", ":27.8ms<Enter>"},
    {"all-snapshot-120x40", "snapshot --size 120x40", "kev", ":27.8ms<Enter>"},
    {"all-snapshot-16", "snapshot --color 16 --size 100x30", "kev", ":27.8ms<Enter>"},
    {"all-snapshot-ascii", "snapshot --ascii --size 100x30", "kev", ":27.8ms<Enter>"},
    {"snapshot-waits", "snapshot", "kev", ":27.8ms<Enter>]"},
    {"snapshot-cpus", "snapshot", "kev", ":27.8ms<Enter>]]"},
    {"snapshot-trx", "snapshot", "trx", ":50%<Enter>"},
    {"snapshot-btrace", "snapshot", "btrace", ":50%<Enter>"},
    {"detail-80x12", "events --size 80x12", "kev", ":26.073918ms<Enter><Enter><Tab><Tab><Tab><Tab><Tab><Tab><Tab><Tab><Tab><Tab><Tab><Tab><Tab><Tab><Tab>"},
    {"marks-80x12", "events --size 80x12", "kev", "jmajmbjmcjmdjmejmfjmgjmhjmi\"jjjjjjjj"},
    {"filtered-80x24", "events", "kev", "fcpu = 1<Enter>jjj"},
    {"why-60x20", "threads --size 60x20", "kev", ":26.9ms<Enter>b"},
    {"marks-go", "events", "kev", "jmajjmbmc\"j<Enter>"},
    {"info-trx", "info", "trx", ""},
    {"events-longest", "events --size 100x24", "kev", "o"},
};
/* clang-format on */

static bool write_screen(void *to, const char *bytes, size_t length)
{
    return fwrite(bytes, 1, length, to) == length;
}

static struct tt_tui_options screen_options(const struct tt_options *o, const char *const *path)
{
    return (struct tt_tui_options){
        .paths = path,
        .path_count = 1,
        .trace = tt_input_options(o),
        .keys = o->keys,
        .view = o->view,
        .theme = o->theme,
        .from = o->from,
        .to = o->to,
        .ascii = o->ascii,
        .color = o->color == TT_COLOR_16 || o->color == TT_COLOR_256 ? TT_TUI_COLOR_ALWAYS
                                                                     : TT_TUI_COLOR_NEVER,
        .most_colors = o->color == TT_COLOR_16 ? 16 : 256,
    };
}

/* Returns what `render` prints, which the caller frees. */
static char *draw(const struct screen *s)
{
    char words[LINE], path[40], *argv[WORDS] = {"tracetui", "render"}, *text = NULL;
    const char *capture = path;
    int argc = 2;
    size_t size;
    struct tt_options options;
    snprintf(words, sizeof words, "%s", s->words);
    snprintf(path, sizeof path, "samples/demo.%s", s->capture);
    for (char *word = strtok(words, " "); word && argc < WORDS - 4; word = strtok(NULL, " ")) {
        argv[argc++] = word;
    }
    argv[argc++] = "--no-cache";
    if (*s->keys) {
        argv[argc++] = "--keys";
        argv[argc++] = (char *)(uintptr_t)s->keys;
    }
    argv[argc++] = path;
    struct tt_status status = tt_options_parse(argc, argv, &options);
    cr_assert(!tt_failed(&status), "%s: %s", s->file, status.text);
    FILE *f = open_memstream(&text, &size);
    cr_assert_not_null(f);
    struct tt_tui_options screen = screen_options(&options, &capture);
    struct tt_tui_result result =
        tt_tui_render(&screen, options.size.columns ? options.size.columns : 80,
                      options.size.rows ? options.size.rows : 24, write_screen, f);
    cr_assert(!tt_failed(&result.status), "%s: %s", s->file, result.status.text);
    fclose(f);
    tt_options_free(&options);
    return text;
}

static char *read_expected(const char *name)
{
    char path[120];
    snprintf(path, sizeof path, "tests/screens/expected/%s.txt", name);
    FILE *f = fopen(path, "rb");
    cr_assert(f, "%s", path);
    char *text = calloc(1, 1 << 18);
    cr_assert(text && fread(text, 1, (1 << 18) - 1, f) > 0, "%s", path);
    fclose(f);
    return text;
}

/* Replaces the memory of an index, which is not tested here, by N. */
static void hide_memory(char *text)
{
    char *end = strstr(text, " bytes of memory"), *at = end;
    while (at && at > text && (isdigit((unsigned char)at[-1]) || at[-1] == ',')) {
        at--;
    }
    if (at && at < end) {
        *at = 'N';
        memmove(at + 1, end, strlen(end) + 1);
    }
}

/* Draws every `step`-th screen from `first` on, so that tests run side by side. */
static void check_screens(size_t first, size_t step)
{
    for (size_t i = first; i < sizeof screens / sizeof *screens; i += step) {
        char *drawn = draw(&screens[i]), *expected = read_expected(screens[i].file);
        hide_memory(drawn);
        cr_expect_str_eq(drawn, expected, "%s\n--- expected\n%s--- drawn\n%s", screens[i].file,
                         expected, drawn);
        free(drawn);
        free(expected);
    }
}

Test(screens, first_third)
{
    check_screens(0, 3);
}

Test(screens, second_third)
{
    check_screens(1, 3);
}

Test(screens, last_third)
{
    check_screens(2, 3);
}

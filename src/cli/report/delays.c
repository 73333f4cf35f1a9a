/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/delays.h"

#include <string.h>

#include "cli/reports/why.h"
#include "cli/reports/why_print.h"

#define LINES_MOST 400000u /* bytes of an explanation as text */
#define NUMBER     5u

/* A section of worst intervals. */
struct worst {
    struct tt_page *page;
    const char *id;
    const struct tt_report_painter *painter;
    void *pictures;
    unsigned count;
    unsigned left_out;
};

/* ---- pictures ------------------------------------------------------------------------------- */

/* Adds the picture of an interval, if it fits. */
static struct tt_status add_picture(struct worst *worst, const struct tt_why_item *item)
{
    struct tt_output picture;
    if (!worst->pictures) {
        return tt_ok();
    }
    struct tt_status status = tt_output_open_memory(&picture, TT_PAGE_MOST);
    if (!tt_failed(&status)) {
        struct tt_sink sink = tt_output_sink(&picture);
        status = worst->painter->draw(worst->pictures, item, &sink);
    }
    bool fits = picture.used + TT_PAGE_SCRAP < tt_page_left(worst->page);
    if (!tt_failed(&status) && fits) {
        tt_output_write(&worst->page->body, picture.buffer, picture.used);
    } else if (!tt_failed(&status)) {
        tt_page_markup(worst->page,
                       "<p class=\"note\">The picture of the lanes is left out: the page "
                       "would exceed 1 MB.</p>\n");
    }
    struct tt_status memory = tt_output_close(&picture, false);
    return tt_failed(&status) ? status : memory;
}

/* ---- explanations --------------------------------------------------------------------------- */

/* Adds the head of an explanation as a title, its picture, and the other lines as text. */
static struct tt_status delays_add_item(void *arg, const struct tt_why_scene *scene,
                                        const struct tt_why_item *item,
                                        const struct tt_explanation *explanation)
{
    struct worst *worst = arg;
    struct tt_output lines;
    char buffer[256];
    struct tt_text title = tt_text_of(buffer, sizeof buffer);
    if (tt_page_left(worst->page) < 2 * TT_PAGE_SCRAP) {
        worst->left_out++;
        return tt_ok();
    }
    worst->count++;
    struct tt_status status = tt_output_open_memory(&lines, LINES_MOST);
    if (!tt_failed(&status)) {
        tt_why_print(scene, false, explanation, item->what, &lines);
        const char *line = lines.buffer, *end = memchr(line, '\n', lines.used);
        size_t head = end ? (size_t)(end - line) : lines.used, rest = end ? head + 1 : head;
        for (size_t i = 0; i < head; i++) { /* its columns are separated by more than one blank */
            if (line[i] != ' ' || (i + 1 < head && line[i + 1] != ' ')) {
                tt_text_char(&title, line[i]);
            }
        }
        tt_page_part(worst->page, worst->id, worst->count, buffer, title.used);
        status = add_picture(worst, item);
        if (!tt_page_lines(worst->page, lines.buffer + rest, lines.used - rest)) {
            tt_page_markup(worst->page, "<p class=\"note\">The other lines are left out.</p>\n");
        }
    }
    struct tt_status memory = tt_output_close(&lines, false);
    return tt_failed(&status) ? status : memory;
}

/* ---- a section ------------------------------------------------------------------------------ */

struct tt_status tt_report_add_worst(struct tt_page *page, const struct tt_options *options,
                                     struct tt_input *input, int kind,
                                     const struct tt_report_painter *painter, void *pictures)
{
    bool responses = kind == TT_LATE_RESPONSE;
    char words[80], left_out[80];
    struct tt_text text = tt_text_of(words, sizeof words);
    struct tt_options why = *options;
    struct tt_output rest;
    struct worst w = {.page = page,
                      .id = responses ? "response" : "delay",
                      .painter = painter,
                      .pictures = pictures};
    why.command = TT_COMMAND_WHY;
    why.format = TT_OUTPUT_TEXT;
    why.worst = kind;
    tt_text_put(&text, "why --worst %s", w.id);
    if (why.number) {
        tt_text_put(&text, " -n %ju", why.number);
    }
    tt_text_cstr(&text);
    struct tt_status status = tt_output_open_memory(&rest, LINES_MOST);
    if (!tt_failed(&status)) {
        tt_page_section(page, w.id,
                        responses ? "Worst responses of jobs" : "Worst scheduling delays");
        tt_page_command(page, "the same as ", words,
                        pictures ? "; the pictures have the lanes of the threads involved, with "
                                   "the interval selected"
                                 : "");
        status = tt_why_explain(&why, input, &rest, delays_add_item, &w);
    }
    if (!tt_failed(&status)) {
        if (rest.used > 0) {
            tt_page_lines(page, rest.buffer, rest.used);
        }
        if (w.left_out > 0) {
            text = tt_text_of(left_out, sizeof left_out);
            tt_text_put(&text,
                        "<p class=\"note\">%u more are left out: the page would exceed 1 MB.</p>\n",
                        w.left_out);
            tt_page_markup(page, tt_text_cstr(&text));
        }
        if (w.count > 0) {
            tt_output_write(&page->contents, "</ol>\n", 6);
        }
    }
    struct tt_status memory = tt_output_close(&rest, false);
    return tt_failed(&status) ? status : memory;
}

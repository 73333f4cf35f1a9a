/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cli/commands.h"
#include "cli/dump_rows.h"
#include "cli/event_selection.h"
#include "cli/input.h"
#include "cli/live.h"
#include "cli/writers.h"
#include "style/style.h"
#include "tracetui/event_line.h"
#include "tracetui/format.h"
#include "tracetui/merge.h"

struct dump {
    struct tt_input *input;
    const struct tt_event_selection *pick;
    struct tt_output *out;
};

void tt_export_text(struct tt_text *text, const struct tt_record *record)
{
    tt_line_event_named(text, record->capture, record->names, record->event, record->args,
                        record->first_ticks);
    tt_text_char(text, '\n');
}

/* Does the same with the colours of the record. */
static void export_colored(struct tt_text *text, const struct tt_record *record)
{
    tt_line_event_colored(text, record->colors, record->capture, record->names, record->event,
                          record->args, record->first_ticks);
    tt_text_char(text, '\n');
}

/* Writes the name of the event's capture as a column as wide as the longest name. */
static void dump_put_capture(struct tt_text *text, const struct tt_record *record)
{
    const struct tt_merge *merge = record->capture->merge;
    size_t width = 0, from = text->used;
    for (unsigned i = 0; i < merge->count; i++) {
        size_t length = strlen(merge->members[i].capture->label);
        width = length > width ? length : width;
    }
    const char *name = tt_merge_name(record->capture, record->event->pos);
    tt_text_escaped(text, name, strlen(name));
    do {
        tt_text_char(text, ' ');
    } while (text->used < from + width + 2 && !text->truncated);
}

static void export_named(struct tt_text *text, const struct tt_record *record)
{
    dump_put_capture(text, record);
    tt_export_text(text, record);
}

static void export_named_colored(struct tt_text *text, const struct tt_record *record)
{
    dump_put_capture(text, record);
    export_colored(text, record);
}

tt_writer *tt_writer_of(const struct tt_options *options)
{
    static tt_writer *const writers[] = {
        [TT_OUTPUT_TEXT] = tt_export_text,
        [TT_OUTPUT_CSV] = tt_export_csv,
        [TT_OUTPUT_JSONL] = tt_export_jsonl,
    };
    const bool has_names = options->merge && (options->capture || !options->one_system);
    if (has_names && options->format == TT_OUTPUT_TEXT) {
        return options->colors ? export_named_colored : export_named;
    }
    return options->colors && options->format == TT_OUTPUT_TEXT ? export_colored
                                                                : writers[options->format];
}

/* ---- styles of the formats' own tools ----------------------------------------------------- */

struct styled {
    struct dump *dump;
    const struct tt_style *style;
    struct tt_filter_result *matches; /* NULL: all events match */
    struct tt_status status;
};

static bool style_wants(void *arg, const struct tt_event *event)
{
    const struct styled *styled = arg;
    if (!tt_event_selection_contains(styled->dump->pick, event)) {
        return false;
    }
    return !styled->matches ||
           tt_filter_result_has(styled->matches, tt_events_row_at_key(styled->dump->input->events,
                                                                      event->ticks, event->pos));
}

static void print_styled(void *arg)
{
    struct styled *styled = arg;
    struct tt_sink sink = tt_output_sink(styled->dump->out);
    styled->status = styled->style->print(styled->dump->input->capture, &sink, style_wants, styled);
}

static struct tt_status find_style(const struct tt_format *format, const char *name,
                                   const struct tt_style **style)
{
    char buffer[120];
    struct tt_text known = tt_text_of(buffer, sizeof buffer);
    *style = tt_style_find(format, name);
    if (*style) {
        return tt_ok();
    }
    for (const struct tt_style *other = tt_styles; other->name; other++) {
        if (strcmp(other->format, format->name) == 0) {
            tt_text_str(&known, known.used > 0 ? ", " : "it has ");
            tt_text_str(&known, other->name);
        }
    }
    return tt_error(TT_ERR_USAGE, "--style: a %s has no style '%.40s' (%s)", format->title, name,
                    known.used > 0 ? tt_text_cstr(&known) : "it has none");
}

static struct tt_status dump_style(struct dump *dump, const char *name)
{
    struct styled styled = {dump, NULL, NULL, {0}};
    struct tt_status status = find_style(dump->input->capture->format, name, &styled.style);
    if (!tt_failed(&status) && dump->pick->plan) {
        /* A style has its own order of events, so the filter runs first. */
        status = tt_event_selection_find(dump->pick, dump->input, &styled.matches);
    }
    if (tt_failed(&status)) {
        tt_filter_result_free(styled.matches);
        return status;
    }
    if (!tt_sigbus_guard(print_styled, &styled)) {
        dump->input->shrunk = true;
        styled.status = tt_ok();
    }
    tt_filter_result_free(styled.matches);
    return styled.status;
}

/* ---- the command -------------------------------------------------------------------------- */

static struct tt_status dump_input(const struct tt_options *options, struct tt_input *input,
                                   struct tt_output *out)
{
    struct tt_event_selection pick;
    if (options->format == TT_OUTPUT_CSV && !out->begun) {
        TT_PRINT_LINE(out, tt_row_header(&text, input->capture->merge));
    }
    struct tt_status status = tt_event_selection_make(options, input, &pick);
    if (tt_failed(&status)) {
        return status;
    }
    if (options->style) {
        struct dump d = {input, &pick, out};
        status = dump_style(&d, options->style);
    } else {
        status = tt_dump_rows(input, &pick, tt_writer_of(options), out);
    }
    tt_event_selection_free(&pick);
    return status;
}

static enum tt_exit dump_file(const struct tt_options *options, const char *path,
                              struct tt_output *out)
{
    return options->follow ? tt_dump_follow(options, path, out)
                           : tt_input_use(options, path, out, dump_input);
}

enum tt_exit tt_command_dump(const struct tt_options *options)
{
    return options->format == TT_OUTPUT_CHROME_JSON ? tt_command_export(options)
                                                    : tt_command_each(options, dump_file);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands.h"

#include <string.h>
#include <sys/stat.h>

#include "cli/event_selection.h"
#include "cli/version.h"

/* Returns whether -o would overwrite one of the captures that are read. */
static bool writes_over(const char *output, const char *path)
{
    struct stat to;
    struct stat from;
    return strcmp(path, "-") != 0 && stat(output, &to) == 0 && stat(path, &from) == 0 &&
           S_ISREG(to.st_mode) && to.st_dev == from.st_dev && to.st_ino == from.st_ino;
}

bool tt_command_is_stdout(const char *output)
{
    return output && strcmp(output, "-") == 0;
}

struct tt_status tt_command_check_output(const struct tt_options *options)
{
    for (int i = 0; options->output && i < options->files.count; i++) {
        if (writes_over(options->output, options->files.v[i])) {
            return tt_error(TT_ERR_USAGE, "-o: the output file is the capture");
        }
    }
    return tt_ok();
}

enum tt_exit tt_exit_worse(enum tt_exit a, enum tt_exit b)
{
    static const unsigned ranks[] = {[TT_EXIT_GOOD] = 0,
                                     [TT_EXIT_DAMAGED] = 1,
                                     [TT_EXIT_UNDECIDED] = 2,
                                     [TT_EXIT_NOT_MET] = 3,
                                     [TT_EXIT_FAILED] = 4};
    return ranks[a] > ranks[b] ? a : b;
}

enum tt_exit tt_command_each(const struct tt_options *options, tt_file_command *command)
{
    struct tt_status status = tt_command_check_output(options);
    if (tt_failed(&status)) {
        tt_message_error(options->output, &status);
        return TT_EXIT_FAILED;
    }
    status = tt_event_selection_check_filter(options);
    if (tt_failed(&status)) {
        tt_message_error(NULL, &status);
        return TT_EXIT_FAILED;
    }
    struct tt_output out;
    enum tt_exit result = TT_EXIT_GOOD;
    status = tt_output_open(&out, tt_command_is_stdout(options->output) ? NULL : options->output);
    for (int i = 0; i < options->files.count && tt_output_is_open(&out); i++) {
        result = tt_exit_worse(result, command(options, options->files.v[i], &out));
    }
    status = tt_output_close(&out, result != TT_EXIT_FAILED);
    if (tt_failed(&status)) {
        tt_message_error(NULL, &status);
        return TT_EXIT_FAILED;
    }
    return result;
}

enum tt_exit tt_command_print(const struct tt_text *text)
{
    struct tt_output out;
    struct tt_status status = tt_output_open(&out, NULL);
    tt_output_write(&out, text->buffer, text->used);
    status = tt_output_close(&out, true);
    if (tt_failed(&status)) {
        tt_message_error(NULL, &status);
        return TT_EXIT_FAILED;
    }
    return TT_EXIT_GOOD;
}

enum tt_exit tt_command_help(const struct tt_options *options)
{
    char buffer[16384];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_options_help(&text, options->command);
    return tt_command_print(&text);
}

enum tt_exit tt_command_version(const char *terminal_library)
{
    char buffer[512];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_str(&text, "tracetui " TT_VERSION "\n");
    tt_version_features(&text, terminal_library);
    return tt_command_print(&text);
}

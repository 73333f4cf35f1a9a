/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands.h"

#include <langinfo.h>
#include <locale.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/platform.h"
#include "cli/event_selection.h"
#include "cli/files/child_pool.h"
#include "cli/files/row_label.h"
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

bool tt_command_is_on_terminal(const struct tt_options *options)
{
    return (!options->output || tt_command_is_stdout(options->output)) && isatty(STDOUT_FILENO);
}

static bool commands_is_ascii(const struct tt_options *options)
{
    const bool is_text = options->format == TT_OUTPUT_TEXT || options->format == TT_OUTPUT_TABLE;
    const bool prints_names = options->command == TT_COMMAND_DUMP && !options->messages &&
                              !options->jobs; /* of events, which stay as they are */
    if (!is_text || prints_names || options->ascii || !tt_command_is_on_terminal(options)) {
        return is_text && !prints_names && options->ascii;
    }
    setlocale(LC_CTYPE, "");
    return strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
}

struct tt_status tt_command_open_output(const struct tt_options *options, struct tt_output *out)
{
    struct tt_status status = tt_output_open(out, options->output);
    out->ascii = commands_is_ascii(options);
    return status;
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

enum tt_exit tt_exit_of(const struct tt_status *status, enum tt_exit good)
{
    if (tt_failed(status)) {
        tt_message_error(NULL, status);
    }
    return tt_failed(status) ? TT_EXIT_FAILED : good;
}

/* ---- several files ------------------------------------------------------------------------- */

struct each {
    const struct tt_options *options;
    tt_file_command *command; /* NULL: `work` */
    tt_input_work *work;
    struct tt_output *out;
    struct tt_row_label label;
    bool labels;
    size_t labelled; /* the file whose rows are written; SIZE_MAX: none yet */
    enum tt_exit result;
};

static enum tt_exit run_file(const struct each *each, int file, struct tt_output *out)
{
    const char *path = each->options->files.v[file];
    return each->command ? each->command(each->options, path, out)
                         : tt_input_use(each->options, path, out, each->work);
}

/* Runs the command on one file in a process of its own. */
static int run_in_child(void *arg, size_t file)
{
    const struct each *each = arg;
    struct tt_output out;
    struct tt_status status = tt_output_open(&out, NULL);
    out.ascii = commands_is_ascii(each->options);
    out.begun = each->options->format != TT_OUTPUT_CSV; /* a table begins with an empty line */
    enum tt_exit result = run_file(each, (int)file, &out);
    status = tt_output_close(&out, true);
    return tt_exit_of(&status, result);
}

static bool write_output(void *arg, size_t file, const char *bytes, size_t length)
{
    struct each *each = arg;
    if (each->labels) {
        if (each->labelled != file) {
            tt_row_label_begin(&each->label, each->options->files.v[file]);
            each->labelled = file;
        }
        tt_row_label_write(&each->label, bytes, length);
    } else {
        size_t skipped = !each->out->begun && bytes[0] == '\n' ? 1 : 0;
        tt_output_write(each->out, bytes + skipped, length - skipped);
    }
    if (each->options->follow) {
        tt_output_flush(each->out);
    }
    return tt_output_is_open(each->out) && !each->label.no_memory;
}

static void pass_message(void *arg, size_t file, const char *bytes, size_t length)
{
    (void)arg;
    (void)file;
    tt_message_pass(bytes, length);
}

static void handle_end(void *arg, size_t file, int status, int error)
{
    struct each *each = arg;
    struct tt_status failure = tt_ok();
    if (each->labels && each->labelled == file) {
        tt_row_label_end(&each->label);
    }
    if (error != 0) {
        failure = tt_error_errno(error, "start or read a process");
    } else if (WIFSIGNALED(status)) {
        failure = tt_error(TT_ERR_IO, "its process ended by signal %d", WTERMSIG(status));
    } else if (WEXITSTATUS(status) > TT_EXIT_UNDECIDED) {
        failure = tt_error(TT_ERR_IO, "its process ended with status %d", WEXITSTATUS(status));
    }
    if (tt_failed(&failure)) {
        tt_message_error(each->options->files.v[file], &failure);
    }
    enum tt_exit result = tt_failed(&failure) ? TT_EXIT_FAILED : (enum tt_exit)WEXITSTATUS(status);
    each->result = tt_exit_worse(each->result, result);
}

unsigned tt_command_width(const struct tt_options *options)
{
    int from_stdin = 0;
    for (int i = 0; i < options->files.count; i++) {
        from_stdin += strcmp(options->files.v[i], "-") == 0 ? 1 : 0;
    }
    return from_stdin > 1            ? 1 /* one after the other */
           : options->parallel == 0  ? tt_platform_cpu_count()
           : options->parallel < 256 ? (unsigned)options->parallel
                                     : 256;
}

static enum tt_exit run_files(struct each *each)
{
    int format = each->options->format;
    each->label =
        (struct tt_row_label){.csv = format == TT_OUTPUT_CSV, .sink = tt_output_sink(each->out)};
    each->labels = format == TT_OUTPUT_CSV || format == TT_OUTPUT_JSONL;
    each->labelled = SIZE_MAX;
    struct tt_child_pool pool = {.count = (size_t)each->options->files.count,
                                 .width = tt_command_width(each->options),
                                 .arg = each,
                                 .run = run_in_child,
                                 .output = write_output,
                                 .message = pass_message,
                                 .ended = handle_end};
    int error = tt_child_pool_run(&pool);
    if (error != 0 || each->label.no_memory) {
        struct tt_status status = tt_error_memory();
        each->result = tt_exit_of(&status, TT_EXIT_FAILED);
    }
    tt_row_label_free(&each->label);
    return each->result;
}

static enum tt_exit run_each(struct each *each)
{
    const struct tt_options *options = each->options;
    struct tt_status status = tt_command_check_output(options);
    if (tt_failed(&status)) {
        tt_message_error(options->output, &status);
        return TT_EXIT_FAILED;
    }
    status = tt_event_selection_check_filter(options);
    if (tt_failed(&status)) {
        return tt_exit_of(&status, TT_EXIT_FAILED);
    }
    struct tt_output out;
    each->out = &out;
    status = tt_command_open_output(options, &out);
    enum tt_exit result =
        options->files.count > 1 || options->capture ? run_files(each) : run_file(each, 0, &out);
    const bool is_usable =
        result != TT_EXIT_FAILED && !(options->strict && result == TT_EXIT_DAMAGED);
    status = tt_output_close(&out, is_usable || options->keep_going);
    return tt_exit_of(&status, result);
}

enum tt_exit tt_command_each(const struct tt_options *options, tt_file_command *command)
{
    return run_each(&(struct each){.options = options, .command = command});
}

enum tt_exit tt_command_each_input(const struct tt_options *options, tt_input_work *work)
{
    return run_each(&(struct each){.options = options, .work = work});
}

enum tt_exit tt_command_print(const struct tt_text *text)
{
    struct tt_output out;
    struct tt_status status = tt_output_open(&out, NULL);
    tt_output_write(&out, text->buffer, text->used);
    status = tt_output_close(&out, true);
    return tt_exit_of(&status, TT_EXIT_GOOD);
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

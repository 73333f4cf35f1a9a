/* SPDX-License-Identifier: Apache-2.0 */
/*
 * commands: the commands without a screen. Each reads its FILEs, writes to standard output or -o in
 * their order, reports errors on standard error, and returns the worst exit status of its files. One
 * thread.
 */
#ifndef TT_CLI_COMMANDS_H
#define TT_CLI_COMMANDS_H

#include "cli/input.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/output.h"

enum tt_exit tt_command_dump(const struct tt_options *options);
/* dump --jobs, dump --messages, dump --blobs */
enum tt_exit tt_command_jobs(const struct tt_options *options);
enum tt_exit tt_command_messages(const struct tt_options *options);
enum tt_exit tt_command_blobs(const struct tt_options *options);
enum tt_exit tt_command_info(const struct tt_options *options);
enum tt_exit tt_command_stats(const struct tt_options *options);
/* stats --condition */
enum tt_exit tt_command_conditions(const struct tt_options *options);
enum tt_exit tt_command_why(const struct tt_options *options);
enum tt_exit tt_command_snapshot(const struct tt_options *options);
enum tt_exit tt_command_measure(const struct tt_options *options);
enum tt_exit tt_command_lanes(const struct tt_options *options);
enum tt_exit tt_command_export(const struct tt_options *options);
enum tt_exit tt_command_save(const struct tt_options *options);
enum tt_exit tt_command_diff(const struct tt_options *options);
/* stats --save-baseline */
enum tt_exit tt_command_save_baseline(const struct tt_options *options);
enum tt_exit tt_command_sql(const struct tt_options *options);
enum tt_exit tt_command_check(const struct tt_options *options);

/* Runs a command on one file and writes its output to `out`. */
typedef enum tt_exit tt_file_command(const struct tt_options *options, const char *path,
                                     struct tt_output *out);

/*
 * Runs `command` on each file; several files are read in parallel, each in a process of its own
 * (cli/files/child_pool.h), and their rows begin with the name of the capture. -o creates no file unless
 * all of them are usable, or --keep-going is given.
 */
enum tt_exit tt_command_each(const struct tt_options *options, tt_file_command *command);
/* Does the same with a command that reads the whole capture. */
enum tt_exit tt_command_each_input(const struct tt_options *options, tt_input_work *work);

/* Returns the number of files that a command reads at a time. */
unsigned tt_command_width(const struct tt_options *options);

/* Returns the worse of two results; no output is worse than incomplete output. */
enum tt_exit tt_exit_worse(enum tt_exit a, enum tt_exit b);
/* Reports a failure; returns TT_EXIT_FAILED after one, else `good`. */
enum tt_exit tt_exit_of(const struct tt_status *status, enum tt_exit good);
/* Fails if -o would overwrite one of the captures. */
struct tt_status tt_command_check_output(const struct tt_options *options);
/* Returns whether -o is standard output. */
bool tt_command_is_stdout(const char *output);
/* Returns whether a command prints to a terminal: then its lines are cut to 80 columns, elsewhere names are complete. */
bool tt_command_is_on_terminal(const struct tt_options *options);
/*
 * Opens the output of a command. Units are ASCII in text with --ascii, and on a terminal whose locale is not UTF-8;
 * files and pipes are the same in all locales.
 */
struct tt_status tt_command_open_output(const struct tt_options *options, struct tt_output *out);

/* --help and --version; `terminal_library`: name and version of the screen library. */
enum tt_exit tt_command_help(const struct tt_options *options);
enum tt_exit tt_command_version(const char *terminal_library);
/* Prints a text to standard output. */
struct tt_text;
enum tt_exit tt_command_print(const struct tt_text *text);

#endif

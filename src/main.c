/* SPDX-License-Identifier: Apache-2.0 */
/*
 * main: reads the command line and opens the door to the command that it names.
 */
#include <locale.h>
#include <signal.h>
#include <unistd.h>

#include "cli/commands.h"

static enum tt_exit run(const struct tt_options *options)
{
    if (options->help) {
        return tt_command_help(options);
    }
    if (options->version) {
        return tt_command_version(options);
    }
    switch (options->command) {
    case TT_COMMAND_INFO_:
        return tt_command_info(options);
    default:
        return tt_command_dump(options);
    }
}

int main(int argc, char **argv)
{
    /* Only the characters: with the rest of the locale numbers would lose their dot. */
    setlocale(LC_CTYPE, "");
    /* A closed pipe is seen where it is written to. */
    signal(SIGPIPE, SIG_IGN);

    struct tt_options options;
    struct tt_status status = tt_options_parse(argc, argv, &options);
    if (tt_failed(&status)) {
        tt_message_error(NULL, &status);
        return TT_EXIT_FAILED;
    }
    enum tt_exit result = run(&options);
    tt_options_free(&options);
    return result;
}

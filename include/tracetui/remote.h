/* SPDX-License-Identifier: Apache-2.0 */
/*
 * remote: captures on other machines, named HOST:PATH and read through ssh.
 *
 *      spool <-- ssh HOST sh <-- zstd or gzip or cat < PATH
 *      with follow:          <-- tail -f PATH
 *
 * A path is remote if options are given, the part before its first colon is a host and no file has
 * that name: `./a:b` and `/a:b` are always local. The command line of the remote shell contains no
 * byte of the path that a shell interprets (docs/remote.md). Any thread.
 */
#ifndef TRACETUI_REMOTE_H
#define TRACETUI_REMOTE_H

#include <stdbool.h>
#include <stdint.h>

#define TT_REMOTE_SHELL_BYTES 1024 /* of the remote shell's command, with its end */

/* Borrowed by the trace, whose lifetime must be shorter. */
struct tt_remote_options {
    const char *shell; /* the program that runs a command on a host, with options; NULL: "ssh" */
    /*
     * Receives a line of the remote shell's standard error, or of the program about the connection.
     * The text is unescaped. Called by any thread; may be NULL.
     */
    void (*message)(void *arg, const char *host, const char *line);
    void *arg;
    /* The terminal is in use: the remote shell may not ask for a password. */
    bool quiet;
    /* With `early` of tt_map_options: the file may arrive while it is used, without progress. */
    bool arrives;
};

/* Returns whether the path names a file on another machine. */
bool tt_remote_is(const char *path);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700
#include "edit/key_mode.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/signal_set.h"

#define ESC_KEY    27
#define ESC_KEY_MS 20 /* a byte that follows Esc within this time belongs to the same key */

static int terminal;
static struct termios modes;                       /* before tt_key_mode_begin */
static struct sigaction former[TT_SIGNAL_MAX + 1]; /* by signal number */
static sigset_t caught;

static void key_mode_put_back(int signal)
{
    if (sigismember(&caught, signal) == 1) {
        sigaction(signal, &former[signal], NULL);
    }
}

static void restore_and_end(int signal)
{
    tcsetattr(terminal, TCSANOW, &modes);
    key_mode_put_back(signal);
    raise(signal); /* blocked until this handler returns */
}

bool tt_key_mode_begin(int fd, enum tt_key_mode mode)
{
    if (tcgetattr(fd, &modes) != 0) {
        return false;
    }
    struct termios keys = modes;
    keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    keys.c_cc[VMIN] = mode == TT_KEY_MODE_PROMPT;
    keys.c_cc[VTIME] = 0;
    if (mode == TT_KEY_MODE_PROMPT) {
        keys.c_lflag &= ~(tcflag_t)(ISIG | IEXTEN);
        keys.c_iflag &= ~(tcflag_t)(ICRNL | IXON);
    }
    terminal = fd;

    /* Catches the signals that end the process, except the ignored ones. */
    sigset_t endings;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = restore_and_end;
    sigfillset(&action.sa_mask);
    tt_signal_set_endings(&endings);
    sigemptyset(&caught);
    for (int signal = 1; signal <= TT_SIGNAL_MAX; signal++) {
        if (sigismember(&endings, signal) == 1 && sigaction(signal, NULL, &former[signal]) == 0 &&
            former[signal].sa_handler != SIG_IGN && sigaction(signal, &action, NULL) == 0) {
            sigaddset(&caught, signal);
        }
    }

    if (tcsetattr(fd, TCSADRAIN, &keys) != 0) {
        tt_key_mode_end();
        return false;
    }
    return true;
}

void tt_key_mode_end(void)
{
    tcsetattr(terminal, TCSADRAIN, &modes);
    for (int signal = 1; signal <= TT_SIGNAL_MAX; signal++) {
        key_mode_put_back(signal);
    }
}

bool tt_key_mode_escaped(int fd)
{
    struct pollfd key = {.fd = fd, .events = POLLIN};
    char byte;
    while (poll(&key, 1, 0) > 0 && read(fd, &byte, 1) == 1) {
        if (byte == ESC_KEY && poll(&key, 1, ESC_KEY_MS) == 0) {
            return true;
        }
    }
    return false;
}

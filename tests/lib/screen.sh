# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# For tests of the screen: runs the program in a separate tmux, sends keys, reads the screen.
# Source it after tests/lib/case.sh. Nothing waits for a fixed time: every wait polls.
#
#     screen_open 80x24 [NAME=VALUE ...]     a shell in a terminal of that size
#     screen_start ARGUMENTS...              the program in it
#     screen_keys KEYS...                    as `tmux send-keys` names them
#     screen_wait NAME PATTERN               until a line matches (a case by itself)
#     screen_text >FILE                      the contents of the screen
#     screen_still FILE                      the same once it has not changed for 6 checks
#     screen_record FILE                     copies the terminal output there
#     screen_settle FILE [CHECKS]            until it has not grown for 6 checks
#     screen_same NAME FILE                  until the screen equals the file: what `render` prints, as a rule

SOCKET=tt-$$-$(basename "$0" .sh)
PROMPT='ready>'
HERE=$(pwd)

if ! command -v tmux >/dev/null; then
    skip "$(basename "$0" .sh)" "tmux is not installed"
    exit 0
fi

server() { tmux -L "$SOCKET" -f /dev/null "$@"; }

screen_close() { server kill-server 2>/dev/null; }
trap 'screen_close; rm -rf "$WORK"' EXIT

# poll COMMAND...: true as soon as the command succeeds; false after two minutes, longer than any answer takes on a busy machine
poll() {
    local end=$((SECONDS + 120))
    while [ $SECONDS -lt $end ]; do
        "$@" && return 0
        sleep 0.05
    done
    return 1
}

screen_text() { server capture-pane -p -t 0; }
screen_has() { screen_text | grep -qE -- "$1"; }

screen_open() {
    local size=$1 environment=() value term=
    shift
    screen_close
    poll server_is_gone
    for value; do
        case $value in
        TERM=*) term=$value ;; # tmux sets its own after -e
        *) environment+=(-e "$value") ;;
        esac
    done
    # A child that dies of SIGINT would end the shell's line before its status is printed.
    printf "PS1='%s '\ntrap : INT\nexport ASAN_OPTIONS=%s\n" "$PROMPT" \
        "${ASAN_OPTIONS:+$ASAN_OPTIONS:}$SIGNALS_ARE_OURS" >"$WORK/rc"
    # Most tests begin with the list of events, whatever the capture.
    mkdir -p "$WORK/config/tracetui"
    [ -e "$WORK/config/tracetui/config" ] || printf '[settings]\nview = events\n' >"$WORK/config/tracetui/config"
    # Without a terminal every later step would fail after its whole timeout.
    if ! server new-session -d -x "${size%x*}" -y "${size#*x}" -e LC_ALL=C.UTF-8 -e NO_COLOR= \
        -e XDG_CONFIG_HOME="$WORK/config" -e XDG_STATE_HOME="$WORK/state" \
        -e XDG_CACHE_HOME="$WORK/cache" \
        "${environment[@]}" "env -u TMUX $term bash --noprofile --rcfile $WORK/rc -i" \; \
        set -g escape-time 0 \; set -g default-terminal tmux-256color 2>"$WORK/tmux.err"; then
        not_ok "a shell in tmux" "no terminal can be opened: $(head -c 300 "$WORK/tmux.err")"
        exit 1
    fi
    if ! poll screen_has "^$PROMPT"; then
        not_ok "a shell in tmux" "it did not come up: $(screen_text)"
        exit 1
    fi
}

server_is_gone() { ! server list-sessions >/dev/null 2>&1; }

screen_keys() { server send-keys -t 0 "$@"; }

# Signals that end the program are intended; a sanitizer must not report them as crashes.
SIGNALS_ARE_OURS=handle_segv=0:handle_sigbus=0:handle_abort=0:handle_sigfpe=0:handle_sigill=0

# screen_start ARGUMENTS...: types the command
# The previous session is deleted, unless KEEP_SESSIONS is set.
screen_start() {
    [ -n "${KEEP_SESSIONS:-}" ] || rm -rf "$WORK/state"
    screen_keys -l "clear; $HERE/$TRACETUI $*; echo status=\$?"
    screen_keys Enter
}

screen_record() { : >"$1" && server pipe-pane -t 0 "cat >>$1"; }

# 50 ms a check; messages that disappear after a while need more of them.
screen_settle() {
    local last=-1 now quiet=0 checks
    for ((checks = 0; quiet < ${2:-6} && checks < 1200; checks++)); do
        now=$(wc -c <"$1")
        if [ "$now" = "$last" ]; then quiet=$((quiet + 1)); else quiet=0; fi
        last=$now
        sleep 0.05
    done
}

# The rows of a frame may arrive in any order: one of them does not make the frame complete.
screen_still() {
    local quiet=0 checks
    screen_text >"$1"
    for ((checks = 0; quiet < 6 && checks < 1200; checks++)); do
        sleep 0.05
        screen_text >"$1.now"
        if cmp -s "$1" "$1.now"; then quiet=$((quiet + 1)); else quiet=0; fi
        mv "$1.now" "$1"
    done
}

screen_wait() {
    if poll screen_has "$2"; then
        ok "$1"
    else
        not_ok "$1" "nothing like '$2' came"
        screen_text | sed 's/^/    |/'
    fi
}

# screen_await PATTERN: like screen_wait, but a case only if it fails; for intermediate steps
screen_await() {
    poll screen_has "$1" || {
        not_ok "on the way" "nothing like '$1' came"
        screen_text | sed 's/^/    |/'
    }
}

screen_is() { screen_text >"$WORK/screen" && cmp -s "$WORK/screen" "$1"; }

# A frame may arrive in parts: wait for it.
screen_same() {
    poll screen_is "$2"
    same "$1" "$2" "$WORK/screen"
}

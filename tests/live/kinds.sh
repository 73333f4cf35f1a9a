# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Paths that are, or become, something other than a file: no command hangs.
. tests/lib/case.sh

mkfifo "$WORK/fifo"
mkdir "$WORK/folder"

# ends NAME STATUS PATTERN ARGUMENTS...: ends within 60 s with that status and message
ends() {
    local name=$1 status=$2 pattern=$3
    shift 3
    run timeout 60 "$TRACETUI" "$@"
    same_text "$name: exit status" "$status" "$code"
    says "$name: said" "$pattern" "$WORK/err"
}

ends "-f on a FIFO without a writer" 2 'input ended before a capture' dump -f --timeout 300ms "$WORK/fifo"
ends "-f on a directory" 2 'is a directory' dump -f --timeout 300ms "$WORK/folder"
ends "a directory" 2 'is a directory' info "$WORK/folder"
for option in --config --theme --script; do
    ends "$option FIFO" 2 "$WORK/fifo" render events $option "$WORK/fifo" samples/demo.kev
    ends "$option DIRECTORY" 2 "$WORK/folder" render events $option "$WORK/folder/" samples/demo.kev
done
ends "--names FIFO" 2 "$WORK/fifo" info --names "$WORK/fifo" samples/demo.kev

# Data from a FIFO is still read.
(cat samples/demo.kev >"$WORK/fifo") &
exits "a FIFO with a writer" 0 timeout 60 "$TRACETUI" info "$WORK/fifo"
wait
(cat samples/demo.kev >"$WORK/fifo") &
exits "a FIFO with a writer, followed" 0 timeout 60 "$TRACETUI" dump -f "$WORK/fifo"
same_text "all of it" 3400 "$(wc -l <"$WORK/out" | tr -d ' ')"
wait
printf '[settings]\nmouse = off\n' >"$WORK/settings"
(cat "$WORK/settings" >"$WORK/fifo") &
exits "a configuration through a FIFO" 0 timeout 60 "$TRACETUI" render events --config "$WORK/fifo" samples/demo.kev
wait

# becomes NAME COMMAND...: COMMAND replaces the followed file
becomes() {
    local name=$1
    shift
    rm -rf "$WORK/path" "$WORK/out"
    cp samples/demo.kev "$WORK/path"
    timeout 60 "$TRACETUI" dump -f --timeout 4s "$WORK/path" >"$WORK/out" 2>"$WORK/err" </dev/null &
    for ((i = 0; i < 200; i++)); do
        [ -s "$WORK/out" ] && break
        sleep 0.02
    done
    rm "$WORK/path"
    "$@" "$WORK/path"
    wait $!
    same_text "it becomes a $name: it ends in time" 0 $?
    says "it becomes a $name: said" "is a $name" "$WORK/err"
}
becomes FIFO mkfifo
becomes directory mkdir

# ---- on the screen
. tests/lib/screen.sh
screen_open 100x24
for key in q TERM; do
    rm -rf "$WORK/path" "$WORK/out"
    cp samples/demo.kev "$WORK/path"
    screen_start -f "$WORK/path"
    screen_wait "LIVE" 'LIVE '
    rm "$WORK/path"
    mkfifo "$WORK/path"
    screen_wait "on the screen it becomes a FIFO: said" 'is a FIFO'
    if [ $key = q ]; then
        screen_keys q
        screen_wait "q leaves" 'status=0'
    else
        kill -TERM "$(pgrep -f "tracetui -f $WORK/path" | head -n 1)"
        screen_wait "SIGTERM ends it" 'status=143'
    fi
done
screen_start samples/demo.kev
screen_await '1st of 3,400'
screen_keys ":open $WORK/fifo" Enter
screen_wait ":open of a FIFO is refused" 'fifo: is a FIFO'
screen_keys q
screen_wait "and it continues" 'status=0'

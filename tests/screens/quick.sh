# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Keys typed at once, before and after the first frame, have the same result as in `render`, which
# completes all work after each key.
. tests/lib/case.sh
. tests/lib/screen.sh

DEMO=$HERE/samples/demo.kev

# The frame without its status line, which may show progress.
picture() { sed 's/ *$//' | grep -vE '[0-9](st|nd|rd|th) of [0-9,]+ events$'; }
picture_is() { screen_text | picture | cmp -s - "$WORK/expected"; }

# typed NAME KEYS...: sends keys, in tmux's notation, all at once
typed() {
    local name=$1 keys='' key
    shift
    for key; do
        case $key in
        Enter | Space) keys+="<$key>" ;;
        PageDown) keys+='<PgDn>' ;;
        *) keys+=$key ;;
        esac
    done
    "$TRACETUI" render events --size 80x24 --keys "$keys" "$DEMO" | picture >"$WORK/expected"
    screen_start --no-session --color never "$DEMO"
    screen_await '^ \? help'
    screen_keys "$@"
    if poll picture_is; then ok "$name"; else not_ok "$name" "$(screen_text | picture | diff "$WORK/expected" - | head -n 8)"; fi
    screen_keys C-c
    screen_await '^status=0'
}

screen_open 80x24
typed "the end, and back" G k k
typed "to an event, and on from there" : 1 0 0 0 Enter j j PageDown k
typed "a filter, its end, the pane" f c p u Space = Space 2 Enter G k Enter
typed "a search, and the match after the next" / R E C _ M E S S Enter n n
typed "the next ones of a thread" : 1 0 0 0 Enter J J j
typed "lanes, their last one" 2 G
typed "lanes in another order, the last one but two" 2 o G k k
typed "lanes, closer, in order of what is shown" 2 + + o j j
typed "lanes of those that run, the last" 2 + + i G
typed "from an event to its lane, along it" : 5 0 0 Enter 2 + + l l .
typed "CPUs, the last, closer" 3 G k + + l
typed "the last row of another range" 2 + + 4 r G k
typed "rows in another order" 4 l l o j j
typed "another table and its end" 4 ] ] ] G k
typed "Info, its last section, a line" 5 G '{' '{' j j

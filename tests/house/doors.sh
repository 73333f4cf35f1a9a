# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Doors open one way: base <- format <- trace <- analysis, filter <- cli, tui <- main.
. tests/lib/case.sh

# Which room a header of include/tracetui belongs to.
header_room() {
    case $1 in
    bytes) echo base ;; # has no implementation
    action) echo format ;;
    stats) echo analysis ;;
    format | capture) echo format ;;
    *)
        # The room that has a file, or several, of its name.
        local room
        for room in base format trace analysis filter; do
            if compgen -G "src/$room/$1.[ch]" >/dev/null || compgen -G "src/$room/$1_*.[ch]" >/dev/null; then
                echo "$room"
                return
            fi
        done
        echo unknown
        ;;
    esac
}

# Which rooms a room may look into.
may_see() {
    case $1 in
    base) echo base ;;
    format) echo base format ;;
    trace) echo base format trace ;;
    analysis) echo base format trace analysis ;;
    filter) echo base format trace filter ;;
    cli) echo base format trace analysis filter cli ;;
    tui) echo base format trace analysis filter tui ;;
    main) echo base format trace analysis filter cli tui main ;;
    esac
}

room_of_source() {
    case $1 in
    src/main.c) echo main ;;
    include/tracetui/*) header_room "$(basename "$1" .h)" ;;
    src/*/*) echo "$1" | cut -d/ -f2 ;;
    esac
}

# check_tree: prints a line for each include that goes the wrong way
check_tree() {
    local file line target from to
    while IFS=: read -r file line; do
        target=${line#*\"}
        target=${target%%\"*}
        from=$(room_of_source "$file")
        case $target in
        tracetui/*) to=$(header_room "$(basename "$target" .h)") ;;
        */*) to=${target%%/*} ;;
        *)
            echo "$file includes \"$target\" without its room"
            continue
            ;;
        esac
        case " $(may_see "$from") " in
        *" $to "*) ;;
        *) echo "$file ($from) includes \"$target\" ($to)" ;;
        esac
        # A format's room is closed to the others.
        case $file:$target in
        src/format/*/*:format/*/*)
            if [ "$(dirname "${file#src/}")" != "$(dirname "$target")" ]; then
                echo "$file includes \"$target\" of another format"
            fi
            ;;
        src/format/*:format/*/*)
            echo "$file includes \"$target\": only formats.c knows the formats, by their names"
            ;;
        src/trace/*:format/* | src/analysis/*:format/* | src/filter/*:format/* | src/cli/*:format/* | src/tui/*:format/*)
            case $target in
            format/*/*) echo "$file includes \"$target\" of one format" ;;
            esac
            ;;
        esac
    done < <(grep -rHE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$@" --include='*.c' --include='*.h')
}

wrong=$(check_tree src include)
same_text "includes go one way" "" "$wrong"

# The check itself sees a door that opens the wrong way.
mkdir -p "$WORK/src/base" "$WORK/src/format/kev" "$WORK/src/cli"
echo '#include "tracetui/trace.h"' >"$WORK/src/base/bad.c"
echo '#include "format/fxt/fxt.h"' >"$WORK/src/format/kev/bad.c"
echo '#include "tui/tui.h"' >"$WORK/src/cli/bad.c"
found=$(cd "$WORK" && check_tree src | wc -l)
same_text "a wrong include is seen" 3 "$found"

curses=$(grep -rlE '#[[:space:]]*include[[:space:]]*<(n?curses|ncursesw/|panel|term\.h)' src include samples 2>/dev/null |
    grep -vx 'src/tui/screen\.c\|src/tui/screen_parts\.h')
same_text "curses in the files of the screen only" "" "$curses"

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Includes go one way between the directories of src, and no files include each other in a circle.
. tests/lib/case.sh

# A line per directory: its name, and the directories that it may include besides itself. A name with *
# covers every directory below it, which may not include each other.
rooms() {
    local model="base input print/record format trace/track trace/timeline trace/index trace/cache trace/follow trace"
    local numbers="$model analysis analysis/causes analysis/messages lane table table/raw table/lanes print analysis/plot filter"
    local screen="$numbers edit excerpt export check compare sql tui/term tui/draw tui/input tui/filter tui/query tui/model tui/list tui/app"
    cat <<TABLE
base
input            base
edit             base
print/record     base
format           base input
format/*         base input print/record format
format/linux     base print/record format
format/kev       base input print/record format
format/tpt       base input print/record format format/kev
format/ftrace    base input print/record format format/linux
format/ctf       base input print/record format format/linux
trace/track      base
trace/timeline   base format trace/track
trace/index      base input format trace/track trace/timeline
trace/cache      base input format trace/track trace/timeline trace/index
trace/follow     base input format trace/track trace/timeline trace/index
trace            $model
analysis/causes  $model
analysis/messages $model analysis
analysis         $model analysis/causes
lane             $model analysis filter
table            $model analysis analysis/causes analysis/messages
table/raw        $model analysis analysis/causes analysis/messages table
table/lanes      $model analysis lane filter table table/raw
analysis/plot    $model analysis analysis/causes analysis/messages lane filter table table/lanes
print            $model analysis analysis/causes analysis/messages table
filter           $model
style            base format format/* format/kev
merge            $numbers
check            $numbers
check/report     $numbers check
excerpt          $numbers
export           $numbers
compare          $numbers check
cli/files        $numbers
cli              $numbers style merge excerpt export check sql cli/files
sql              $numbers
sql/*            $numbers sql
cli/reports      $numbers excerpt export cli
cli/check        $numbers check cli edit
cli/merge        $numbers merge cli
cli/diff         $numbers check compare cli
cli/report       $numbers cli cli/reports
cli/sql          $numbers sql cli edit
cli/progress     base input cli edit
tui/term         $numbers tui/draw
tui/draw         $numbers tui/term
tui/input        $numbers edit tui/term tui/draw
tui/filter       $numbers edit tui/term tui/draw tui/input
tui/query        $numbers edit sql tui/term tui/draw tui/input
tui/model        $numbers edit check compare sql tui/term tui/draw tui/input tui/filter tui/query
tui/list         $numbers edit check compare sql tui/term tui/draw tui/input tui/filter tui/query tui/model
tui/app          $screen
tui/lanes        $screen
tui/plot         $screen tui/lanes
tui/panes        $screen tui/lanes tui/plot
tui/views/*      $screen tui/lanes tui/plot
tui/views        $screen
tui              $screen tui/lanes tui/plot tui/panes tui/views tui/views/*
main.c           $numbers merge excerpt export check compare sql cli cli/reports cli/report cli/check cli/diff cli/merge cli/progress cli/sql tui
TABLE
}

# The directory of each public header's subject, one line per directory.
public_headers() {
    cat <<'TABLE'
base            bytes clock_map status symbols text time
input           map remote
format          action capture event find format merge object_kind tool_rows
print/record    fields
trace/timeline  counters messages objects slices timeline
trace/index     progress
trace/cache     index_cache
trace/follow    live
trace           arg_names event_line event_row event_subset line_colors line_parts tail time_spec trace
analysis        interrupts job_stats measure measure_request missing ready_by stats
analysis/causes blame durations elsewhere explain jobs reactions snapshot snapshot_text wakes why_text
analysis/messages crossings message_list message_stats message_walk object_stats
lane            lane
table/lanes     lane_rows lane_sums
table           table
print           print
style           style
analysis/plot   plot
filter          deadlines filter filter_names filter_types row_owners row_set
check           check check_complete check_report check_rules check_write
excerpt         excerpt
merge           merge_plan
export          chrome_json export
compare         baseline changes comparison comparison_rule comparison_text thread_pairs
sql             sql
TABLE
}

# includes DIRECTORY...: a line per include with quotes: the file and what it includes
includes() {
    grep -rHE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$@" --include='*.c' --include='*.h' |
        sed -E 's/:[[:space:]]*#[[:space:]]*include[[:space:]]*"([^"]*)".*/ \1/'
}

# wrong_ways: reads the lines of includes, prints those in a forbidden direction
wrong_ways() {
    awk -v rooms="$(rooms)" -v headers="$(public_headers)" '
        # The directory of the table that a path below src belongs to, and its own name.
        function directory(path) { return path ~ /\// ? gensub_last(path) : path }
        function gensub_last(path) { sub(/\/[^\/]*$/, "", path); return path }
        function room_of(own,    above) {
            if (own in sees) return own
            above = own
            sub(/[^\/]*$/, "*", above)
            return above in sees ? above : "unknown"
        }
        BEGIN {
            n = split(rooms, line, "\n")
            for (i = 1; i <= n; i++) {
                m = split(line[i], word, /[ \t]+/)
                sees[word[1]] = " "
                for (j = 2; j <= m; j++) sees[word[1]] = sees[word[1]] word[j] " "
            }
            n = split(headers, line, "\n")
            for (i = 1; i <= n; i++) {
                m = split(line[i], word, /[ \t]+/)
                for (j = 2; j <= m; j++) header[word[j]] = word[1]
            }
        }
        {
            from = $1
            if (sub(/^include\/tracetui\//, "", from)) {
                sub(/\.h$/, "", from)
                own = from in header ? header[from] : "unlisted header " from
            } else {
                sub(/^src\//, "", from)
                own = directory(from)
            }
            to = $2
            if (sub(/^tracetui\//, "", to)) {
                sub(/\.h$/, "", to)
                other = to in header ? header[to] : "unlisted header " to
            } else if (to ~ /\//) {
                other = directory(to)
            } else {
                print $1 " includes \"" $2 "\" without its directory"
                next
            }
            if (own == other) next
            if (index(sees[room_of(own)], " " room_of(other) " ") == 0)
                print $1 " (" own ") includes \"" $2 "\" (" other ")"
        }'
}

# circles: reads the lines of includes, prints the files that include each other in a circle
circles() {
    sed -E 's@^src/@@; s@^include/@@' | { tsort >/dev/null; } 2>&1 | grep -v 'contains a loop' | sed 's/^tsort: //'
}

same_text "includes go one way" "" "$(includes src include | wrong_ways)"
same_text "no files include each other in a circle" "" "$(includes src include | circles)"

# calls DIRECTORY: a line per pair of its files: one that calls a function, the one that defines it
calls() {
    awk '
        /^#|^ *(\/\*|\*)|^static / && !/^static .*inline/ { next }
        {
            sub(/\/\*.*/, "")
            inside = /^[ \t]/
            defines = !inside && (FILENAME ~ /\.c$/ || /inline|KEV_HOT/)
            for (rest = $0; match(rest, /[A-Za-z_][A-Za-z_0-9]*/); rest = substr(rest, RSTART + RLENGTH)) {
                name = substr(rest, RSTART, RLENGTH)
                called = substr(rest, RSTART + RLENGTH, 1) == "("
                if (inside && called) uses[FILENAME " " name] = 1
                else if (defines && called) place[name] = FILENAME
            }
        }
        END {
            for (use in uses) {
                split(use, word, " ")
                if (word[2] in place && place[word[2]] != word[1]) print word[1], place[word[2]]
            }
        }' "$1"/*.[ch] | sed "s|$1/||g" | sort -u
}
same_text "the files of the QNX decoder call each other in one direction" "" "$(calls src/format/kev | circles)"
count=$(calls src/format/kev | wc -l)
same_text "their calls are seen ($count)" 1 "$((count > 40))"

unlisted=$(find src -type f -name '*.[ch]' | sed 's|^src/||; s|/[^/]*$||' | sort -u | while IFS= read -r directory; do
    rooms | awk '{print $1}' | grep -qxF -e "$directory" -e "${directory%/*}/*" || echo "$directory"
done)
same_text "every directory has its line" "" "$unlisted"

# knowers FILE: reads the lines of includes, prints the files that include FILE, directly or indirectly
knowers() {
    sed -E 's@^src/@@' | awk -v target="$1" '
        { from[NR] = $1; to[NR] = $2 }
        END {
            known[target] = 1
            do {
                more = 0
                for (i = 1; i <= NR; i++)
                    if (known[to[i]] && !known[from[i]]) { known[from[i]] = more = 1; print from[i] }
            } while (more)
        }'
}
count=$(includes src/tui | knowers tui/app/app.h | wc -l)
same_text "at most 40 files know all of the app ($count)" 1 "$((count > 5 && count <= 40))"
same_text "no view, pane or lane receives the app" "" \
    "$(grep -rlE 'struct tt_app\b' src/tui/views src/tui/panes src/tui/lanes src/tui/plot)"
same_text "app.h is under 150 lines" 1 "$(($(wc -l <src/tui/app/app.h) < 150))"

# The checks detect violations.
mkdir -p "$WORK"/src/{base,format/kev,cli,trace/timeline,tui/draw}
echo '#include "tracetui/trace.h"' >"$WORK/src/base/bad.c"
echo '#include "format/fxt/fxt.h"' >"$WORK/src/format/kev/bad.c"
echo '#include "tui/tui.h"' >"$WORK/src/cli/bad.c"
echo '#include "trace/index/index.h"' >"$WORK/src/trace/timeline/bad.c"
echo '#include "tui/input/actions.h"' >"$WORK/src/tui/draw/bad.c"
echo '#include "bad.h"' >"$WORK/src/tui/draw/worse.c"
same_text "a wrong include is seen" 6 "$(cd "$WORK" && includes src | wrong_ways | wc -l)"
echo '#include "base/b.h"' >"$WORK/src/base/a.h"
echo '#include "base/a.h"' >"$WORK/src/base/b.h"
same_text "a circle is seen" "base/a.h base/b.h" "$(cd "$WORK" && includes src/base | circles | sort | xargs)"
printf 'void a(void)\n{\n    b();\n}\n' >"$WORK/src/format/kev/a.c"
printf 'void b(void)\n{\n    a();\n}\n' >"$WORK/src/format/kev/b.c"
same_text "a call in a circle is seen" "a.c b.c" \
    "$(cd "$WORK" && calls src/format/kev | circles | sort | xargs)"

# Files of at most 30 modules in base and a format, and of 20 elsewhere.
crowded=$(find src -type f -name '*.c' | sed 's|/[^/]*$||' | sort | uniq -c |
    awk '{ most = $2 ~ /^src\/(base|format)/ ? 30 : 20; if ($1 > most) print $2 ": " $1 " modules" }')
same_text "no directory is crowded" "" "$crowded"

curses=$(grep -rlE '#[[:space:]]*include[[:space:]]*<(n?curses|ncursesw/|panel|term\.h)' src include samples 2>/dev/null |
    grep -vx 'src/tui/term/screen\.c\|src/tui/term/screen_internal\.h')
same_text "curses in the files of the screen only" "" "$curses"
modes=$(grep -rlE '#[[:space:]]*include[[:space:]]*<termios\.h>' src include |
    grep -v '^src/tui/term/' | grep -vx 'src/edit/key_mode\.c')
same_text "modes of a terminal in the files of the screen and of key_mode only" "" "$modes"

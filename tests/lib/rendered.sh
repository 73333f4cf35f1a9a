# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# For tests of what `render` draws; source it after tests/lib/case.sh. One process draws many screens, from a
# script whose parts each begin as the program does:
#
#     screen FILE SIZE VIEW CAPTURE KEYS      the screen after these keys, for $WORK/screens/FILE
#     golden NAME SIZE VIEW CAPTURE KEYS [LINES]   its LINES are those of tests/screens/expected/NAME.txt;
#                                             NAME:PART is one of several parts of that file
#     at NAME SIZE VIEW CAPTURE KEYS PATTERN  a line matches the extended regular expression
#     sized NAME SIZE VIEW CAPTURE KEYS       it has all lines of the size, none of them wider
#     screens_draw [OPTION...]                draws all, and checks; OPTIONs are of `render`
#
# VIEW+ascii draws in ASCII. CAPTURE is kev, trx, fxt or btrace for samples/demo.*, or a path. LINES are "body"
# (without the line of the tabs and the last line; the default), "heading" (its first 7 lines), "bottom" (its last 5),
# "tabs", "last" or FROM,TO. A screen that shows another fact than its tabs or last line leaves them out: a change of
# them touches the one file that is about them.
# UPDATE_SCREENS=1 rewrites the expected screens; read the difference before committing.

EXPECTED=${EXPECTED_DIR:-tests/screens/expected}
export LC_ALL=C.UTF-8
screens=0 goldens=() patterns=() sizes=() absent=
declare -A drawn=() # files of screens by their arguments
mkdir -p "$WORK/screens" "$WORK/got"
: >"$WORK/screens.script"

screen() {
    local view=$3 capture=$4
    case $capture in */*) ;; *) capture=samples/demo.$capture ;; esac
    {
        printf ':size %s\n' "$2"
        [ "$capture" = samples/demo.kev ] || printf ':open %s\n' "$capture"
        [ "$view" = "${view%+ascii}" ] || printf ':set glyphs ascii\n'
        printf ':view.%s\n' "${view%+ascii}"
        [ -z "$5" ] || printf '<F12>%s\n' "$5" # a line that begins with : would be one command
        printf ':picture! %s\n:restart\n' "$WORK/screens/$1"
    } >>"$WORK/screens.script"
    screens=$((screens + 1))
}

golden() {
    local name=$1 key="${*:2:4}" lines=${6:-body}
    if [[ $4 == */* && ! -f $4 ]]; then
        skip "$name" "$4 is not there"
        absent+=" ${name%%:*} "
        return
    fi
    if [ -z "${drawn[$key]:-}" ]; then
        drawn[$key]=screen$screens
        screen "screen$screens" "${@:2:4}"
    fi
    goldens+=("$name|${drawn[$key]}|$lines")
}

at() {
    local file=screen$screens
    screen "$file" "${@:2:4}"
    patterns+=("$1|$file|$6")
}

sized() {
    local file=screen$screens
    screen "$file" "${@:2:4}"
    sizes+=("$1 at $2|$file|$2")
}

# lines_of LINES FILE
lines_of() {
    awk -v want="$1" '
        { line[NR] = $0 }
        END {
            from = 2; to = NR - 1
            if (want == "heading") to = 8
            else if (want == "bottom") from = NR - 5
            else if (want == "tabs") from = to = 1
            else if (want == "last") from = to = NR
            else if (want == "all") { from = 1; to = NR }
            else if (want != "body") { split(want, range, ","); from = range[1]; to = range[2] }
            for (i = from; i <= to; i++) {
                gsub(/[0-9,]+ bytes of memory/, "N bytes of memory", line[i]) # of an index: not tested here
                print line[i]
            }
        }' "$2"
}

# check_goldens: puts the parts together and compares the files
check_goldens() {
    local entry name file lines
    for entry in "${goldens[@]}"; do
        IFS='|' read -r name file lines <<<"$entry"
        [ "$name" = "${name%%:*}" ] || echo "== ${name#*:}" >>"$WORK/got/${name%%:*}.txt"
        lines_of "$lines" "$WORK/screens/$file" >>"$WORK/got/${name%%:*}.txt"
    done
    for file in "$WORK"/got/*.txt; do
        name=$(basename "$file")
        # A file of several captures is compared where all of them are.
        [ -e "$file" ] && [[ $absent != *" ${name%.txt} "* ]] || continue
        [ -z "${UPDATE_SCREENS:-}" ] || cp "$file" "$EXPECTED/$name"
        same "${name%.txt}" "$EXPECTED/$name" "$file"
    done
}

screens_draw() {
    local entry name file pattern size
    run "$TRACETUI" render events --script "$WORK/screens.script" "$@" samples/demo.kev
    same_text "$screens screens are drawn" "$screens" \
        "$(find "$WORK/screens" -newer "$WORK/screens.script" -type f | wc -l)$(head -n 1 "$WORK/err")"
    check_goldens
    for entry in "${patterns[@]}"; do
        IFS='|' read -r name file pattern <<<"$entry"
        says "$name" "$pattern" "$WORK/screens/$file"
    done
    for entry in "${sizes[@]}"; do
        IFS='|' read -r name file size <<<"$entry"
        same_text "$name" "${size#*x} 1" \
            "$(wc -l <"$WORK/screens/$file") $(($(wc -L <"$WORK/screens/$file") <= ${size%x*}))"
    done
    screens=0 goldens=() patterns=() sizes=() drawn=()
    : >"$WORK/screens.script"
}

# as_summary: copies the CSV of `stats` to standard output without the columns that Summary lacks:
# CPU time by client, the last four of threads and processes
as_summary() {
    awk 'NR == 1 { cuts = /,self_[a-z]+,imposed_[a-z]+,imposed_gross_[a-z]+,charged_[a-z]+$/ }
         cuts { sub(/(,[^,]*)(,[^,]*)(,[^,]*)(,[^,]*)$/, "") }
         { print }'
}

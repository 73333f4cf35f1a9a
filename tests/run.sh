#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs tests: bash tests/run.sh [SUITE ...]      the last line is "N passed, N failed[, N skipped]"
#
#   unit                        build/asan/unit-tests (Criterion), in parts
#   golden screens house sim truth live faults cache  the files tests/SUITE/*.sh, each: bash FILE BUILD_DIR
#   tsan                        tests/tsan/*.sh, and the programs build/tsan/tests/tsan/* that none of these runs
#
# Without arguments: unit golden house sim truth live screens faults cache. A test file prints a line a case:
#   ok NAME | not ok NAME: why | skip NAME: why
#
# All that was asked for is run together, what takes longest first (tests/lib/slowest), and told suite
# by suite. BUILD_DIR (build/asan) is the variant whose programs the files use; JOBS (2) files run at
# once, and beside them as many again of the suites that mostly wait for a terminal. FILE_SECONDS and
# UNIT_SECONDS (1000) are the limits for one file, for one part of the unit tests: many times what they
# take, for slow machines. TIMES=FILE notes how many seconds each took. A sanitizer's report anywhere
# fails the file it came from, also where the test looked away: reports go to files of their own.
set -u
cd "$(dirname "$0")/.." || exit 2

BUILD_DIR=${BUILD_DIR:-build/asan}
JOBS=${JOBS:-2}
FILE_SECONDS=${FILE_SECONDS:-1000}
UNIT_SECONDS=${UNIT_SECONDS:-1000}
TIMES=${TIMES:-/dev/null}
SLOWEST=tests/lib/slowest
export LC_ALL=C.UTF-8 TZ=UTC

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'kill $(jobs -p) 2>/dev/null; exit 130' INT TERM

passed=0
failed=0
skipped=0
# Nothing is left with the person who runs the tests; what they set themselves counts.
export XDG_CACHE_HOME=$work/cache
failures=()

report_ok() { passed=$((passed + 1)); }
report_skip() { skipped=$((skipped + 1)); echo "skip $1"; }
report_failure() {
    failed=$((failed + 1))
    failures+=("$1")
    echo "not ok $1"
}

# with_sanitizers DIR SECONDS COMMAND...: reports go to DIR/report.*
with_sanitizers() {
    local dir=$1 seconds=$2
    shift 2
    ASAN_OPTIONS="exitcode=99:detect_leaks=1:log_path=$dir/report" \
        UBSAN_OPTIONS="exitcode=99:print_stacktrace=1:log_path=$dir/report" \
        LSAN_OPTIONS="exitcode=99:log_path=$dir/report" \
        TSAN_OPTIONS="exitcode=99:log_path=$dir/report" \
        timeout -k 5 "$seconds" "$@" </dev/null
}

# sanitizer_text DIR: the first lines of what sanitizers said, nothing if they said nothing
sanitizer_text() {
    cat "$1"/report.* "$1"/err "$1"/out 2>/dev/null |
        grep -a -m1 -A6 -E 'ERROR: (Address|Leak|Thread)Sanitizer|WARNING: ThreadSanitizer|runtime error:|SUMMARY: [A-Za-z]*Sanitizer'
}

# ---- unit ---------------------------------------------------------------------------------------

unit_tests=0 # that the program has
unit_told=0

# Counts the cases of a TAP file that Criterion wrote. Those of other parts are in it as skipped, and
# without a reason.
count_tap() {
    local suite=$1 tap=$2 line name
    while IFS= read -r line; do
        case $line in
        1..*) unit_tests=${line#1..} ;;
        *'# SKIP test was skipped') continue ;;
        esac
        case $line in
        'ok '* | 'not ok '*) unit_told=$((unit_told + 1)) ;;
        esac
        case $line in
        'ok '*'# SKIP'*)
            name=${line#ok - }
            report_skip "$suite ${name%%  *}"
            ;;
        'ok '*) report_ok ;;
        'not ok '*) report_failure "$suite ${line#not ok - }" ;;
        esac
    done <"$tap"
}

# judge_unit KEY NAME: counts what a part of the unit tests said
judge_unit() {
    local dir=$work/$1 code text before=$failed
    code=$(cat "$dir/code")
    if [ -s "$dir/tap" ]; then
        count_tap unit "$dir/tap"
    fi
    text=$(sanitizer_text "$dir")
    if [ -n "$text" ]; then
        report_failure "$2: a sanitizer spoke: $text"
    elif [ "$code" -eq 124 ] || [ "$code" -eq 137 ]; then
        report_failure "$2: not done after its time"
    elif [ "$code" -ne 0 ] && [ "$failed" -eq "$before" ]; then
        report_failure "$2: exit status $code"
    fi
    if [ "$failed" -ne "$before" ]; then
        {
            grep -a -v -E '^ok |^#' "$dir/tap" | head -n 60
            tail -n 40 "$dir/err"
        } 2>/dev/null | sed 's/^/  | /'
    fi
}

# ---- shell suites ---------------------------------------------------------------------------------

# run_file KEY SECONDS COMMAND...: leaves out, err and, when it is done, code in $work/KEY
run_file() {
    local dir=$work/$1 seconds=$2 began=$SECONDS
    shift 2
    mkdir -p "$dir/tmp"
    TMPDIR=$dir/tmp with_sanitizers "$dir" "$seconds" "$@" >"$dir/out" 2>"$dir/err"
    echo $? >"$dir/code.new"
    mv "$dir/code.new" "$dir/code"
    echo "$((SECONDS - began)) ${dir#"$work/"}" >>"$TIMES"
}

# judge_file KEY NAME: counts what a file said
judge_file() {
    local dir=$work/$1 name=$2 line code text cases=0 bad=0
    code=$(cat "$dir/code")
    while IFS= read -r line; do
        case $line in
        'ok '*)
            report_ok
            cases=$((cases + 1))
            ;;
        'not ok '*)
            report_failure "$name ${line#not ok }"
            cases=$((cases + 1))
            bad=1
            ;;
        'skip '*)
            report_skip "$name ${line#skip }"
            cases=$((cases + 1))
            ;;
        esac
    done <"$dir/out"
    text=$(sanitizer_text "$dir")
    if [ -n "$text" ]; then
        report_failure "$name: a sanitizer spoke: $text"
        bad=1
    elif [ "$code" -eq 124 ] || [ "$code" -eq 137 ]; then
        report_failure "$name: not done after its time"
        bad=1
    elif [ "$code" -ne 0 ] && [ "$bad" -eq 0 ]; then
        report_failure "$name: exit status $code"
        bad=1
    elif [ "$cases" -eq 0 ]; then
        report_failure "$name: no case ran"
        bad=1
    fi
    if [ "$bad" -ne 0 ]; then
        { grep -av -E '^(ok|skip) ' "$dir/out"; cat "$dir/err"; } | tail -n 40 | sed 's/^/  | /'
    fi
}

judge_program() {
    local dir=$work/$1 code text
    code=$(cat "$dir/code")
    text=$(sanitizer_text "$dir")
    if [ "$code" -ne 0 ] || [ -n "$text" ]; then
        report_failure "$2: exit status $code $text"
        tail -n 20 "$dir/err" | sed 's/^/  | /'
    else
        report_ok
    fi
}

# ---- what there is to run -----------------------------------------------------------------------

# An item each: a key such as golden/kev, its suite, a function that judges it, its name, its limit, and
# what runs it.
item_keys=() item_suites=() item_judges=() item_names=() item_seconds=() item_commands=()

# add SUITE KEY JUDGE NAME SECONDS COMMAND...
add() {
    item_suites+=("$1")
    item_keys+=("$2")
    item_judges+=("$3")
    item_names+=("$4")
    item_seconds+=("$5")
    shift 5
    item_commands+=("$(printf '%q ' "$@")")
}

# The unit tests in parts: those that take long by themselves, the others by their first letter.
add_unit() {
    local program=$BUILD_DIR/unit-tests part slow=()
    if [ ! -x "$program" ]; then
        report_failure "unit: $program is not built"
        return
    fi
    [ ! -f "$SLOWEST" ] || mapfile -t slow < <(sed -n 's|^unit/||p' "$SLOWEST" | grep /)
    local others
    others=$(IFS='|' && echo "${slow[*]}")
    for part in "${slow[@]}" a-h i-r s-z; do
        local pattern=$part
        [[ $part == */* ]] || pattern="!([!$part]*|$others)"
        add unit "unit/$part" judge_unit "unit/$part" "$UNIT_SECONDS" "$program" --jobs 1 \
            --filter "$pattern" "--tap=$work/unit/$part/tap"
    done
}

# add_files SUITE BUILD_DIR
add_files() {
    local file
    for file in tests/"$1"/*.sh; do
        [ ! -f "$file" ] ||
            add "$1" "$1/$(basename "$file" .sh)" judge_file "$file" "$FILE_SECONDS" bash "$file" "$2"
    done
}

add_tsan() {
    local program
    add_files tsan build/tsan
    for program in build/tsan/tests/tsan/*; do
        [ -x "$program" ] && [ -f "$program" ] || continue
        [ ! -f "tests/tsan/$(basename "$program").sh" ] || continue # which gives it its captures
        add tsan "tsan/$(basename "$program")" judge_program "$program" "$FILE_SECONDS" "$program"
    done
}

# ---- all ------------------------------------------------------------------------------------------

[ $# -gt 0 ] || set -- unit golden house sim truth live screens faults cache
for suite; do
    case $suite in
    unit) add_unit ;;
    tsan) add_tsan ;;
    golden | screens | house | sim | truth | live | faults | cache) add_files "$suite" "$BUILD_DIR" ;;
    *)
        echo "tests/run.sh: no suite '$suite'" >&2
        exit 2
        ;;
    esac
done

# in_order SUITES: the items of these suites, those first that take longest
in_order() {
    local i rank
    for i in "${!item_keys[@]}"; do
        [[ " $1 " == *" ${item_suites[$i]} "* ]] || continue
        rank=$(grep -n -x -F -m 1 -e "${item_keys[$i]}" "$SLOWEST" 2>/dev/null)
        echo "${rank%%:*} $i"
    done | awk '{ print (NF > 1 ? $1 : 10000), $NF }' | sort -n -k 1,1 -k 2,2 | cut -d ' ' -f 2
}

# run_items AT_ONCE ITEM...
run_items() {
    local most=$1 i command
    shift
    for i; do
        while [ "$(jobs -rp | wc -l)" -ge "$most" ]; do
            wait -n
        done
        eval "command=(${item_commands[$i]})"
        run_file "${item_keys[$i]}" "${item_seconds[$i]}" "${command[@]}" &
    done
    wait
}

mapfile -t working < <(in_order 'unit golden house sim truth faults cache tsan')
mapfile -t waiting < <(in_order 'screens live')
run_items "$JOBS" "${working[@]}" &
run_items "$JOBS" "${waiting[@]}" &

# done_with KEY: waits for it
done_with() {
    until [ -e "$work/$1/code" ]; do
        [ -n "$(jobs -rp)" ] || break
        sleep 0.1
    done
    [ -e "$work/$1/code" ]
}

for suite; do
    echo "== $suite"
    for i in "${!item_keys[@]}"; do
        [ "${item_suites[$i]}" = "$suite" ] || continue
        if done_with "${item_keys[$i]}"; then
            "${item_judges[$i]}" "${item_keys[$i]}" "${item_names[$i]}"
        else
            report_failure "${item_names[$i]}: it was not run"
        fi
    done
done
[ "$unit_told" -eq "$unit_tests" ] ||
    report_failure "unit: $unit_told of $unit_tests tests were in one of its parts"

if [ "$failed" -gt 0 ]; then
    echo
    echo "failed:"
    printf '  %s\n' "${failures[@]}"
fi
[ $((passed + failed)) -gt 0 ] || echo "nothing ran"
line="$passed passed, $failed failed"
[ "$skipped" -eq 0 ] || line="$line, $skipped skipped"
echo "$line"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]

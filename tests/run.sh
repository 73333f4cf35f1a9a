#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs tests: bash tests/run.sh [SUITE ...]      the last line is "N passed, N failed[, N skipped]"
#
#   unit                        build/asan/unit-tests (Criterion)
#   golden screens house sim truth live faults cache  the files tests/SUITE/*.sh, each: bash FILE BUILD_DIR
#   tsan                        tests/tsan/*.sh, and the programs build/tsan/tests/tsan/* that none of these runs
#
# Without arguments: unit golden house sim truth live screens faults cache. A test file prints a line a case:
#   ok NAME | not ok NAME: why | skip NAME: why
# BUILD_DIR (build/asan) is the variant whose programs the files use; JOBS (2) files run at once;
# FILE_SECONDS (400) is the limit for one. A sanitizer's report anywhere fails the file it came
# from, also where the test looked away: reports go to files of their own.
set -u
cd "$(dirname "$0")/.." || exit 2

BUILD_DIR=${BUILD_DIR:-build/asan}
JOBS=${JOBS:-2}
FILE_SECONDS=${FILE_SECONDS:-400}
UNIT_SECONDS=${UNIT_SECONDS:-600}
export LC_ALL=C.UTF-8 TZ=UTC

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

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

# Counts the cases of a TAP file that Criterion wrote.
count_tap() {
    local suite=$1 tap=$2 line name
    while IFS= read -r line; do
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

run_unit() {
    local dir=$work/unit program=$BUILD_DIR/unit-tests code text before=$failed
    mkdir -p "$dir"
    if [ ! -x "$program" ]; then
        report_failure "unit: $program is not built"
        return
    fi
    with_sanitizers "$dir" "$UNIT_SECONDS" \
        "$program" --jobs "$JOBS" --tap="$dir/tap" >"$dir/out" 2>"$dir/err"
    code=$?
    if [ -s "$dir/tap" ]; then
        count_tap unit "$dir/tap"
    fi
    text=$(sanitizer_text "$dir")
    if [ -n "$text" ]; then
        report_failure "unit: a sanitizer spoke: $text"
    elif [ "$code" -ne 0 ] && [ "$failed" -eq "$before" ]; then
        report_failure "unit: exit status $code"
    fi
    if [ "$failed" -ne "$before" ]; then
        {
            grep -a -v -E '^ok |^#' "$dir/tap" | head -n 60
            tail -n 40 "$dir/err"
        } 2>/dev/null | sed 's/^/  | /'
    fi
}

# ---- shell suites ---------------------------------------------------------------------------------

# run_file KEY SECONDS COMMAND...: leaves out, err, code, seconds in $work/KEY
run_file() {
    local dir=$work/$1 seconds=$2
    shift 2
    mkdir -p "$dir/tmp"
    TMPDIR=$dir/tmp with_sanitizers "$dir" "$seconds" "$@" >"$dir/out" 2>"$dir/err"
    echo $? >"$dir/code"
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

# Runs the files of a suite, $JOBS at once, then judges them in order.
run_shell_suite() {
    local suite=$1 file key
    local keys=() names=()
    for file in tests/"$suite"/*.sh; do
        [ -f "$file" ] || continue
        key=$suite-$(basename "$file" .sh)
        keys+=("$key")
        names+=("$file")
        while [ "$(jobs -rp | wc -l)" -ge "$JOBS" ]; do
            wait -n
        done
        run_file "$key" "$FILE_SECONDS" bash "$file" "$BUILD_DIR" &
    done
    wait
    local i
    for i in "${!keys[@]}"; do
        judge_file "${keys[$i]}" "${names[$i]}"
    done
}

run_tsan() {
    local program name dir code text
    BUILD_DIR=build/tsan run_shell_suite tsan
    for program in build/tsan/tests/tsan/*; do
        [ -x "$program" ] && [ -f "$program" ] || continue
        [ ! -f "tests/tsan/$(basename "$program").sh" ] || continue # which gives it its captures
        name=tsan-$(basename "$program")
        dir=$work/$name
        run_file "$name" "$FILE_SECONDS" "$program"
        code=$(cat "$dir/code")
        text=$(sanitizer_text "$dir")
        if [ "$code" -ne 0 ] || [ -n "$text" ]; then
            report_failure "$program: exit status $code $text"
            tail -n 20 "$dir/err" | sed 's/^/  | /'
        else
            report_ok
        fi
    done
}

# ---- all ------------------------------------------------------------------------------------------

[ $# -gt 0 ] || set -- unit golden house sim truth live screens faults cache
for suite; do
    echo "== $suite"
    case $suite in
    unit) run_unit ;;
    tsan) run_tsan ;;
    golden | screens | house | sim | truth | live | faults | cache) run_shell_suite "$suite" ;;
    *)
        echo "tests/run.sh: no suite '$suite'" >&2
        exit 2
        ;;
    esac
done

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

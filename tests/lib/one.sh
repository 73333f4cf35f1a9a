#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs one test for prove and prints its TAP:  bash tests/lib/one.sh TEST
#
#   tests/SUITE/FILE.sh   bash FILE BUILD_DIR; tests/SUITE/FILE.sh:whole: with WHOLE=1
#   unit                  the unit tests, without those that are rows of their own in tests/sets
#   unit/PATTERN          the unit tests whose names match it: SUITE/TEST
#   tsan/PROGRAM          build/tsan/tests/tsan/PROGRAM; its exit status is the case
#
# Cases are added for failures that a test file cannot detect itself: a sanitizer's report anywhere,
# an exit status other than 0, a hang, the time limit, and no case at all. Environment: BUILD_DIR,
# RUN_DIR (a directory for files that tests leave), FILE_SECONDS, UNIT_SECONDS, TIMES (a file for a
# line "seconds processor-seconds test").
#
# tests/lib/watch.py detects a hang HANG_SECONDS (120) after it began: processes that all sleep. The unit
# tests detect their own. UNIT_SECONDS and FILE_SECONDS limit other hangs.
set -u
test=$1
key=${test#tests/}
key=${key/.sh/}
key=${key//[^A-Za-z0-9_\/-]/_} # a part of paths and of options of sanitizers
dir=$RUN_DIR/$key
mkdir -p "$dir/tmp"
HANG_SECONDS=${HANG_SECONDS:-120}
export TMPDIR=$dir/tmp TAP_COUNTS=$dir/counts.inner

# The search for leaks at the end of a process touches 2,300 pages, more than all that a short command does. The unit
# tests, the walk over failures, the cases of every command, and the screens have it; the many short processes of other
# tests do not. Their reports have no stacks of allocations either: as it begins, a process would touch 800 pages for the
# stacks of its modules.
case $test in
tests/golden/cases.sh | tests/faults/* | tests/screens/* | tests/live/* | unit* | tsan/*) asan=detect_leaks=1 ;;
*) asan=detect_leaks=0:malloc_context_size=0 ;;
esac

# with_sanitizers SECONDS IDLE-PERCENT COMMAND...: reports go to $dir/report.*; the second limit is the processor
# time that idle processes use. Freed memory is kept for 16 MB of later ones: fresh pages are slow.
with_sanitizers() {
    local seconds=$1 idle=$2 common=log_path=$dir/report watch=()
    shift 2
    ! command -v python3 >/dev/null || watch=(python3 tests/lib/watch.py 0 "$HANG_SECONDS" "$idle" "$dir/hangs")
    ASAN_OPTIONS=exitcode=99:$asan:quarantine_size_mb=16:$common UBSAN_OPTIONS=exitcode=99:print_stacktrace=1:$common \
        LSAN_OPTIONS=exitcode=99:$common TSAN_OPTIONS=exitcode=99:$common timeout -k 5 "$seconds" \
        "${watch[@]}" "$@" </dev/null 2>"$dir/err"
}

# The first lines of a sanitizer's report, nothing if there is none.
sanitizer_text() {
    cat "$dir"/report.* "$dir/err" "$dir/out" 2>/dev/null |
        grep -a -m1 -A6 -E 'ERROR: (Address|Leak|Thread)Sanitizer|WARNING: ThreadSanitizer|runtime error:|SUMMARY: [A-Za-z]*Sanitizer'
}

# unit_pattern PART: the pattern of its cases
unit_pattern() {
    local others
    case $1 in
    unit/*) echo "${1#unit/}" ;;
    *)
        others=$(sed -n 's|^[a-z]* *unit/\([^ ]*\).*|\1|p' tests/sets 2>/dev/null | paste -sd '|')
        echo "!(${others:-none})"
        ;;
    esac
}

run_test() {
    local part=${test#*/} code
    case $test in
    unit | unit/*)
        with_sanitizers "$UNIT_SECONDS" 5 "$BUILD_DIR/unit-tests" --jobs "${UNIT_JOBS:-2}" \
            --filter "$(unit_pattern "$test")" "--tap=$dir/tap" >"$dir/out"
        code=$?
        # Criterion lists the tests of other parts as skipped without a reason.
        sed '/# SKIP test was skipped$/d' "$dir/tap" 2>/dev/null
        return $code
        ;;
    tsan/*)
        with_sanitizers "$FILE_SECONDS" 0 "build/tsan/tests/tsan/$part" >"$dir/out"
        code=$?
        [ $code -ne 0 ] || echo "ok - $test"
        return $code
        ;;
    tests/tsan/*) with_sanitizers "$FILE_SECONDS" 0 bash "$test" build/tsan ;;
    *:whole) WHOLE=1 with_sanitizers "$FILE_SECONDS" 0 bash "${test%:whole}" "$BUILD_DIR" ;;
    *) with_sanitizers "$FILE_SECONDS" 0 bash "$test" "$BUILD_DIR" ;;
    esac
}

# processor_seconds: of the ended processes of this test, from the output of the builtin `times`
processor_seconds() {
    awk 'NR == 2 { split($1 "m" $2, t, "[ms]+"); printf "%.1f", 60 * t[1] + t[2] + 60 * t[3] + t[4] }' "$dir/times"
}

# Runs it; the cases that it printed are in $dir/cases.
judged() {
    local code began=$SECONDS report passed failed skipped
    run_test | tee "$dir/cases"
    code=${PIPESTATUS[0]}
    times >"$dir/times"
    echo "$((SECONDS - began)) $(processor_seconds) $key" >>"${TIMES:-/dev/null}"
    passed=$(grep -c '^ok' "$dir/cases")
    failed=$(grep -c '^not ok' "$dir/cases")
    report=$(sanitizer_text)
    if [ -n "$report" ]; then
        echo "not ok - $key: a sanitizer's report"
        printf '%s\n' "$report"
    elif [ -s "$dir/hangs" ]; then
        echo "not ok - $key: it hung"
        sed 's/^/    ended: /' "$dir/hangs"
    elif [ "$code" -eq 124 ] || [ "$code" -eq 137 ]; then
        echo "not ok - $key: the time limit"
    elif [ "$code" -ne 0 ] && [ "$failed" -eq 0 ]; then
        echo "not ok - $key: exit status $code"
    elif [ $((passed + failed)) -eq 0 ]; then
        echo "not ok - $key: no case ran"
    elif [ "$failed" -eq 0 ]; then
        return
    fi
    tail -n 40 "$dir/err"
}

judged | TAP_COUNTS=$dir/counts awk -f tests/lib/tap.awk
[ -s "$dir/counts" ]

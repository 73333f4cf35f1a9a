# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The runner: every kind of failure fails the run.
. tests/lib/case.sh

# runs NAME EXPECTED-LINE GOOD|BAD BODY: a tree with one test file
runs() {
    local name=$1 line=$2 verdict=$3 body=$4 last
    rm -rf "$WORK/tree"
    mkdir -p "$WORK/tree/tests/golden" "$WORK/tree/tests/lib"
    cp tests/run.sh "$WORK/tree/tests/"
    cp tests/lib/one.sh tests/lib/tap.awk tests/lib/watch.py "$WORK/tree/tests/lib/"
    cp tests/lib/chosen.sh "$WORK/tree/tests/lib/"
    printf 'common golden/case\n' >"$WORK/tree/tests/sets"
    printf '%s\n' "$body" >"$WORK/tree/tests/golden/case.sh"
    run env -u TIMES FILE_SECONDS="${seconds:-100}" HANG_SECONDS="${hang:-300}" bash "$WORK/tree/tests/run.sh" golden
    last=$(tail -n 1 "$WORK/out")
    # shellcheck disable=SC2053 # a pattern
    if [[ $last = $line ]]; then ok "$name: last line"; else not_ok "$name: last line" "expected '$line', got '$last'"; fi
    if [ "$code" -eq 0 ]; then code=GOOD; else code=BAD; fi
    same_text "$name: exit status" "$verdict" "$code"
}

runs "all good" "2 passed, 0 failed" GOOD 'echo ok a; echo ok b'
runs "one bad" "1 passed, 1 failed" BAD 'echo ok a; echo "not ok b: why"'
runs "skipped" "1 passed, 0 failed, 1 skipped" GOOD 'echo ok a; echo "ok b # SKIP why"'
runs "skipped alone" "0 passed, 0 failed, 1 skipped" BAD 'echo "ok b # SKIP why"'
runs "silent" "0 passed, 1 failed" BAD ':'
runs "exit status" "1 passed, 1 failed" BAD 'echo ok a; exit 3'
# On a busy machine the limit may come before its first line.
seconds=5 runs "too slow" "[01] passed, 1 failed" BAD 'echo ok a; sleep 600'
runs "a sanitizer's report" "1 passed, 1 failed" BAD \
    'echo ok a; echo "==1==ERROR: AddressSanitizer: heap-use-after-free" >&2'
runs "a report in a file of its own" "1 passed, 1 failed" BAD \
    'echo ok a; log=${ASAN_OPTIONS##*log_path=}; echo "ERROR: LeakSanitizer: detected" >"$log.77"'

# ---- hangs ------------------------------------------------------------------------------------------

hang=3 runs "processes that all sleep" "1 passed, 1 failed" BAD 'echo ok a; sleep 600 & sleep 600; exit 0'
hang=3 runs "a process that left its parent and sleeps" "1 passed, 1 failed" BAD \
    'echo ok a; (sleep 600 &); exec sleep 600'
hang=3 runs "processes that end in time" "2 passed, 0 failed" GOOD \
    'echo ok a; for i in 1 2 3 4 5 6 7 8; do sleep 0.8; done; echo ok b'

# ---- unit tests -------------------------------------------------------------------------------------
# The program of the unit tests (tests/lib/plain), with cases that fail in every way.
cat >"$WORK/cases.c" <<'CASES'
#include <criterion/criterion.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "alone.h"

static int calls;
static void begin(void) { calls++; }
TestSuite(good, .init = begin);
Test(good, first) { cr_assert_eq(calls, 1); }
Test(good, second) { cr_assert_geq(calls, 2, "it is in the same process"); }
Test(good, third, ALONE) { cr_assert_eq(calls, 1); }
Test(skipped, one) { cr_skip_test("why"); }
Test(bad, two_expectations) { cr_expect_eq(1, 2, "text %d", 5); cr_expect(0); }
Test(bad, an_assertion) { cr_assert_eq(1, 2); raise(SIGKILL); }
Test(bad, a_crash) { raise(SIGSEGV); }
Test(bad, an_exit) { exit(3); }
Test(bad, a_changed_environment) { setenv("TT_CHANGED", "1", 1); }
Test(bad, a_file_left_open) { cr_assert_geq(dup(0), 0); }
Test(fine, a_changed_environment_alone, ALONE) { setenv("TT_CHANGED", "1", 1); }
Test(hung, runs_for_ever) { for (volatile int i = 0;; i = !i) {} }
Test(hung, sleeps_for_ever) { for (;;) { pause(); } }
Test(z_last, one_more) {}
CASES
exits "the unit tests' runner compiles" 0 "${CC:-cc}" -std=c11 -D_POSIX_C_SOURCE=200809L -Itests/lib/plain -Itests/unit/kit \
    -o "$WORK/unit-tests" "$WORK/cases.c" tests/lib/plain/plain.c
# unit NAME EXPECTED-LINES OPTION...: the lines of TAP, sorted, without comments
unit() {
    local name=$1 expected=$2
    shift 2
    run "$WORK/unit-tests" "$@"
    same_text "$name" "$expected" "$(grep -E '^(not )?ok' "$WORK/out" | sort | paste -sd ,)"
}
unit "cases that share a process, and one that does not" "ok - good/first,ok - good/second,ok - good/third" --filter 'good/*'
same_text "... all good" 0 "$code"
unit "a case that is skipped" "ok - skipped/one # SKIP why" --filter 'skipped/*'
unit "alone a case may change its process" "ok - fine/a_changed_environment_alone" 'fine/*'
unit "every failure is that of its case" "not ok - bad/a_changed_environment,not ok - bad/a_crash: Segmentation fault,not ok - bad/a_file_left_open,$(
    )not ok - bad/an_assertion,not ok - bad/an_exit: it exits with status 3,not ok - bad/two_expectations,ok - z_last/one_more" \
    --jobs 2 --filter '@(bad|z_last)/*'
same_text "... and of the run" 1 "$code"
says "... with its place and text" 'cases.c:[0-9]+: 1 == 2: text 5' "$WORK/out"
says "... and all of them" 'cases.c:[0-9]+: 0: ' "$WORK/out"
says "a case that must be alone" 'it changes the environment of its process: mark it ALONE' "$WORK/out"
unit "a case that hangs" "not ok - hung/runs_for_ever: it hangs,not ok - hung/sleeps_for_ever: it hangs,ok - z_last/one_more" \
    --jobs=2 --timeout=1 --filter '!(@(good|bad|fine|skipped)/*)'
run "$WORK/unit-tests" --fail-fast --tap="$WORK/tap" --filter 'bad/*'
same_text "after the first failure no case runs" 1 "$(grep -c '^not ok' "$WORK/tap")"
same_text "--list prints the names" "good/first,good/second,good/third" \
    "$("$WORK/unit-tests" --list --filter 'good/*' | sort | paste -sd ,)"

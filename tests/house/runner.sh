# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The runner: every kind of failure fails the run.
. tests/lib/case.sh

# runs NAME EXPECTED-LINE GOOD|BAD BODY: a tree with one test file
runs() {
    local name=$1 line=$2 verdict=$3 body=$4
    rm -rf "$WORK/tree"
    mkdir -p "$WORK/tree/tests/golden" "$WORK/tree/tests/lib"
    cp tests/run.sh "$WORK/tree/tests/"
    cp tests/lib/one.sh tests/lib/tap.awk tests/lib/watch.py "$WORK/tree/tests/lib/"
    printf '%s\n' "$body" >"$WORK/tree/tests/golden/case.sh"
    run env -u TIMES FILE_SECONDS="${seconds:-100}" HANG_SECONDS="${hang:-30}" bash "$WORK/tree/tests/run.sh" golden
    same_text "$name: last line" "$line" "$(tail -n 1 "$WORK/out")"
    if [ "$code" -eq 0 ]; then code=GOOD; else code=BAD; fi
    same_text "$name: exit status" "$verdict" "$code"
}

runs "all good" "2 passed, 0 failed" GOOD 'echo ok a; echo ok b'
runs "one bad" "1 passed, 1 failed" BAD 'echo ok a; echo "not ok b: why"'
runs "skipped" "1 passed, 0 failed, 1 skipped" GOOD 'echo ok a; echo "ok b # SKIP why"'
runs "skipped alone" "0 passed, 0 failed, 1 skipped" BAD 'echo "ok b # SKIP why"'
runs "silent" "0 passed, 1 failed" BAD ':'
runs "exit status" "1 passed, 1 failed" BAD 'echo ok a; exit 3'
seconds=5 runs "too slow" "1 passed, 1 failed" BAD 'echo ok a; sleep 600'
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

# unit_part NAME PATTERN BODY: a program unit-tests whose one test is the shell script BODY, in a process
unit_part() {
    local name=$1 lines=$2 body=$3
    mkdir -p "$WORK/tree/build/fake" "$WORK/run"
    rm -rf "$WORK/run/unit"
    printf '%s\n' '#!/usr/bin/env bash' 'for word; do tap=${word#--tap=}; done' "bash -c '$body'" \
        '[ $? -eq 0 ] && result=ok || result="not ok"' 'echo "$result - a::b" >"$tap"' '[ "$result" = ok ]' \
        >"$WORK/tree/build/fake/unit-tests"
    chmod +x "$WORK/tree/build/fake/unit-tests"
    (cd "$WORK/tree" && BUILD_DIR=build/fake RUN_DIR=$WORK/run UNIT_SECONDS=100 HANG_SECONDS=2 \
        bash tests/lib/one.sh unit/a-h) >"$WORK/out" 2>&1
    local got
    got=$(grep '^ok\|^not ok' "$WORK/out" | paste -sd ,)
    # shellcheck disable=SC2053 # a pattern
    if [[ $got = $lines ]]; then ok "$name"; else not_ok "$name" "$got"; fi
}
unit_part "a unit test that ends" "ok - a::b" 'exit 0'
unit_part "a unit test that runs for ever" "not ok - a::b" 'while :; do :; done'
unit_part "a unit test that sleeps for ever" "not ok - a::b,not ok - unit/a-h: it hung" 'sleep 600'
# On a busy machine the time limit may come first.
unit_part "a unit test that looks for ever" "not ok*" \
    'exec python3 -c "import time; [time.sleep(0.4) for i in iter(int, 1)]"'

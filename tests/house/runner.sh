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
    cp tests/lib/one.sh tests/lib/tap.awk "$WORK/tree/tests/lib/"
    printf '%s\n' "$body" >"$WORK/tree/tests/golden/case.sh"
    run env -u TIMES FILE_SECONDS="${seconds:-100}" bash "$WORK/tree/tests/run.sh" golden
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

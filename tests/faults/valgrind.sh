# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The commands under valgrind: no error and no leak. Uses the release build, because valgrind does not
# work with a sanitizer.
. tests/lib/case.sh

PROGRAM=build/release/tracetui
if ! command -v valgrind >/dev/null; then
    skip valgrind "valgrind is not installed"
    exit 0
fi
needs_release
head -c 8000 tests/filter/small.kev >"$WORK/a.kev"
head -c 8000 tests/filter/small.fxt >"$WORK/a.fxt"
head -c 8000 tests/filter/small.trx >"$WORK/a.trx"
head -c 8000 tests/filter/small.btrace >"$WORK/a.btrace"
gzip <"$WORK/a.btrace" >"$WORK/a.gz"

watched() {
    local name=$1
    shift
    valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,indirect,possible \
        "$PROGRAM" "$@" >/dev/null 2>"$WORK/err" </dev/null
    code=$?
    if [ "$code" -eq 99 ] || [ "$code" -gt 128 ]; then
        not_ok "$name" "exit status $code: $(grep -a '^==' "$WORK/err" | head -n 12 | tr '\n' ' ')"
    else
        ok "$name"
    fi
}

watched "dump kev" dump "$WORK/a.kev"
watched "stats fxt" stats "$WORK/a.fxt"
watched "dump trx" dump --format jsonl "$WORK/a.trx"
watched "info gzip" info "$WORK/a.gz"
watched "dump --filter" dump --filter 'class = THREAD and not cpu = 1' "$WORK/a.kev"
watched "render threads" render threads --size 100x30 --keys 'jj' "$WORK/a.btrace"
watched "no capture" info tests/run.sh

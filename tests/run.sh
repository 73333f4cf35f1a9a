#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs tests by prove: bash tests/run.sh [SUITE ...]   the last line is "N passed, N failed[, N skipped]"
#
#   unit                        BUILD_DIR/unit-tests: many cases in one process, UNIT_JOBS (2) processes
#   golden screens house sim truth live faults cache builds  the files tests/SUITE/*.sh
#   tsan                        tests/tsan/*.sh, and the programs build/tsan/tests/tsan/* that none of these runs
#
# Without arguments: all but tsan. tests/sets lists the rare tests, and tests/lib/chosen.sh selects:
# RARE=changed (the default), all or none. Every test prints TAP; a single file runs as
# `prove -v -e bash tests/golden/kev.sh :: build/asan`.
#
# The longest tests start first (tests/lib/slowest). Suites that mostly wait for a terminal run beside
# the others. BUILD_DIR (build/asan) is the variant whose programs the tests use; JOBS (3) tests run at
# once, and as many that wait. FILE_SECONDS and UNIT_SECONDS (3600) limit one test: many times what it
# takes, for slow machines. TIMES=FILE gets the seconds and processor seconds of each. COUNTS=DIRECTORY
# gets the counts of the lines that ran, for tests/coverage.sh. PROVE_FLAGS go to prove.
set -u
cd "$(dirname "$0")/.." || exit 2

export BUILD_DIR=${BUILD_DIR:-build/asan}
export FILE_SECONDS=${FILE_SECONDS:-3600} UNIT_SECONDS=${UNIT_SECONDS:-3600} TIMES=${TIMES:-/dev/null}
export LC_ALL=C.UTF-8 TZ=UTC
# The python3 of a version manager is a script that starts the interpreter after other processes.
interpreter=$(python3 -c 'import os, sys; print(os.path.dirname(os.path.realpath(sys.executable)))' 2>/dev/null) &&
    PATH=$interpreter:$PATH
JOBS=${JOBS:-3}
SLOWEST=tests/lib/slowest

RUN_DIR=$(mktemp -d) || exit 2
# Tests leave nothing in the caller's own cache.
export RUN_DIR XDG_CACHE_HOME=$RUN_DIR/cache
# A file per program; at its end each process adds to one of four.
if [ -n "${COUNTS:-}" ]; then
    mkdir -p "$COUNTS" && rm -f "$COUNTS"/*.profraw
    export LLVM_PROFILE_FILE=$(cd "$COUNTS" && pwd)/%4m.profraw
fi
trap 'rm -rf "$RUN_DIR"' EXIT
trap 'kill $(jobs -p) 2>/dev/null; exit 130' INT TERM

# tests_of_tsan: the names that tests/lib/one.sh takes
tests_of_tsan() {
    local program
    compgen -G 'tests/tsan/*.sh'
    for program in build/tsan/tests/tsan/*; do
        # A shell test of the same name gives the program its captures.
        [ ! -x "$program" ] || [ ! -f "$program" ] || [ -f "tests/tsan/$(basename "$program").sh" ] ||
            echo "tsan/$(basename "$program")"
    done
}

# longest_first: reads test names; those in the list of slow tests come first, in its order
longest_first() {
    awk -v slowest="$SLOWEST" '
        BEGIN { while ((getline line <slowest) > 0) rank[line] = ++n }
        { key = $0; sub(/^tests\//, "", key); sub(/\.sh/, "", key)
          print (key in rank ? rank[key] : 10000), $0 }' | sort -s -n -k 1,1 | cut -d ' ' -f 2-
}

# run_tests LOG TEST...
run_tests() {
    local log=$1
    shift
    # shellcheck disable=SC2086 # flags are words
    [ $# -eq 0 ] ||
        prove --jobs "$JOBS" --failures --comments ${PROVE_FLAGS:-} --exec 'bash tests/lib/one.sh' "$@" >"$log" 2>&1
}

if [ "$*" = tsan ]; then
    names=$(tests_of_tsan)
else
    names=$(bash tests/lib/chosen.sh "$@") || exit 2
fi
mapfile -t names <<<"$names"
working=() waiting=()
for name in "${names[@]}"; do
    case $name in
    tests/screens/* | tests/live/*) waiting+=("$name") ;;
    *) working+=("$name") ;;
    esac
done
mapfile -t working < <(printf '%s\n' "${working[@]}" | grep . | longest_first)
mapfile -t waiting < <(printf '%s\n' "${waiting[@]}" | grep . | longest_first)

run_tests "$RUN_DIR/waiting.log" "${waiting[@]}" &
run_tests "$RUN_DIR/working.log" "${working[@]}"
good=$?
wait $! || good=1
cat "$RUN_DIR"/working.log "$RUN_DIR"/waiting.log 2>/dev/null

# Every test has left its counts; one that could not is a failure.
passed=0 failed=0 skipped=0
for name in "${working[@]}" "${waiting[@]}"; do
    key=${name#tests/}
    key=${key/.sh/}
    key=${key//[^A-Za-z0-9_\/-]/_}
    if ! read -r p f s <"$RUN_DIR/$key/counts"; then
        echo "not run: $key"
        p=0 f=1 s=0
    fi 2>/dev/null
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
done

line="$passed passed, $failed failed"
[ "$skipped" -eq 0 ] || line="$line, $skipped skipped"
echo "$line"
[ "$good" -eq 0 ] && [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]

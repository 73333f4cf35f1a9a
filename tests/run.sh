#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs tests by prove: bash tests/run.sh [SUITE ...]   the last line is "N passed, N failed[, N skipped]"
#
#   unit                        BUILD_DIR/unit-tests (Criterion), in parts
#   golden screens house sim truth live faults cache  the files tests/SUITE/*.sh
#   tsan                        tests/tsan/*.sh, and the programs build/tsan/tests/tsan/* that none of these runs
#
# Without arguments: unit golden house sim truth live screens faults cache. Every test prints TAP; a
# single file runs as `prove -v -e bash tests/golden/kev.sh :: build/asan`.
#
# The longest tests start first (tests/lib/slowest). Suites that mostly wait for a terminal run beside
# the others. BUILD_DIR (build/asan) is the variant whose programs the tests use; JOBS (3) tests run at
# once, and as many that wait. FILE_SECONDS and UNIT_SECONDS (1000) limit one test: many times what it
# takes, for slow machines. TIMES=FILE gets the seconds and processor
# seconds of each. PROVE_FLAGS go to prove.
set -u
cd "$(dirname "$0")/.." || exit 2

export BUILD_DIR=${BUILD_DIR:-build/asan}
export FILE_SECONDS=${FILE_SECONDS:-1000} UNIT_SECONDS=${UNIT_SECONDS:-1000} TIMES=${TIMES:-/dev/null}
export LC_ALL=C.UTF-8 TZ=UTC
JOBS=${JOBS:-3}
SLOWEST=tests/lib/slowest

RUN_DIR=$(mktemp -d) || exit 2
# Tests leave nothing in the caller's own cache.
export RUN_DIR XDG_CACHE_HOME=$RUN_DIR/cache
trap 'rm -rf "$RUN_DIR"' EXIT
trap 'kill $(jobs -p) 2>/dev/null; exit 130' INT TERM

# tests_of SUITE: the names that tests/lib/one.sh takes
tests_of() {
    local program
    case $1 in
    unit)
        sed -n 's|^\(unit/.*/.*\)|\1|p' "$SLOWEST" 2>/dev/null
        printf '%s\n' unit/a-h unit/i-r unit/s-z
        ;;
    tsan)
        compgen -G 'tests/tsan/*.sh'
        for program in build/tsan/tests/tsan/*; do
            # A shell test of the same name gives the program its captures.
            [ ! -x "$program" ] || [ ! -f "$program" ] || [ -f "tests/tsan/$(basename "$program").sh" ] ||
                echo "tsan/$(basename "$program")"
        done
        ;;
    golden | screens | house | sim | truth | live | faults | cache) compgen -G "tests/$1/*.sh" ;;
    *)
        echo "tests/run.sh: no suite '$1'" >&2
        return 2
        ;;
    esac
}

# longest_first: reads test names; those in the list of slow tests come first, in its order
longest_first() {
    awk -v slowest="$SLOWEST" '
        BEGIN { while ((getline line <slowest) > 0) rank[line] = ++n }
        { key = $0; sub(/^tests\//, "", key); sub(/\.sh$/, "", key)
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

[ $# -gt 0 ] || set -- unit golden house sim truth live screens faults cache
working=() waiting=()
for suite; do
    names=$(tests_of "$suite") || exit 2
    mapfile -t names <<<"$names"
    case $suite in
    screens | live) waiting+=("${names[@]}") ;;
    *) working+=("${names[@]}") ;;
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
passed=0 failed=0 skipped=0 unit_told=0
for name in "${working[@]}" "${waiting[@]}"; do
    key=${name#tests/}
    key=${key%.sh}
    if ! read -r p f s <"$RUN_DIR/$key/counts"; then
        echo "not run: $key"
        p=0 f=1 s=0
    fi 2>/dev/null
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    case $key in unit/*) unit_told=$((unit_told + p + f + s)) ;; esac
done

# The parts together are all unit tests.
if [ "$unit_told" -gt 0 ]; then
    unit_tests=$(sed -n 's/^1\.\.//p' "$RUN_DIR/unit/a-h/tap" 2>/dev/null)
    if [ "$unit_told" -lt "${unit_tests:-0}" ]; then
        echo "unit: $unit_told of $unit_tests tests are in one of its parts"
        failed=$((failed + 1))
    fi
fi

line="$passed passed, $failed failed"
[ "$skipped" -eq 0 ] || line="$line, $skipped skipped"
echo "$line"
[ "$good" -eq 0 ] && [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]

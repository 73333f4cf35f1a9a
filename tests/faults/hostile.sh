# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Captures made to hurt: what is printed commands no terminal, and nothing takes forever. Then the
# program in a terminal: what it sends, how it ends. HOSTILE_THREADS (30000), KILLS (4 a signal).
. tests/lib/case.sh

if ! command -v python3 >/dev/null; then
    skip hostile "python3 is not installed"
    exit 0
fi
HOSTILE="python3 tests/faults/hostile.py"
$HOSTILE make "$WORK" || exit 2

# prints NAME STATUS ARGUMENTS...: within 60 s, with that status, and nothing in it is a command
prints() {
    local name=$1 status=$2 bad
    shift 2
    run timeout 60 "$TRACETUI" "$@"
    if [ "$code" -ne "$status" ]; then
        not_ok "$name" "exit status $code, expected $status: $(head -c 300 "$WORK/err")"
    elif ! bad=$($HOSTILE plain "$WORK/out") || ! bad=$($HOSTILE plain "$WORK/err"); then
        not_ok "$name" "a command to a terminal: $bad"
    else
        ok "$name"
    fi
}

for capture in names ends same back cpus threads; do
    file=$WORK/$capture.fxt
    prints "$capture: dump" 0 dump "$file"
    prints "$capture: jsonl" 0 dump --format jsonl "$file"
    prints "$capture: csv" 0 dump --format csv "$file"
    prints "$capture: info" 0 info "$file"
    prints "$capture: stats" 0 stats "$file"
    for view in events threads cpus summary info; do
        prints "$capture: $view" 0 render "$view" --size 120x40 --keys 'jj<Enter>' "$file"
    done
done

prints "a bomb: refused" 2 info --spool-limit 16M "$WORK/bomb.gz"
says "... and told" 'spool limit' "$WORK/err"
one_line "... in one line" "$WORK/err"

$HOSTILE screen "$TRACETUI" "$WORK/names.fxt"
$HOSTILE kill "$TRACETUI" samples/demo.kev
$HOSTILE close "$TRACETUI" samples/demo.kev

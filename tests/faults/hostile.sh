# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Hostile captures: the output contains no terminal command, and no command hangs. Then the
# program in a terminal: its output and its end. HOSTILE_THREADS (30000), KILLS (4 a
# common signal), SHRINKS (20 runs), HOSTILE_CROWD (1000000): threads of the captures with a memory
# limit, which are tried with WHOLE=1.
. tests/lib/case.sh

if ! command -v python3 >/dev/null; then
    skip hostile "python3 is not installed"
    exit 0
fi
HOSTILE="python3 tests/faults/hostile.py"
$HOSTILE make "$WORK" || exit 2

# prints NAME STATUS ARGUMENTS...: ends within 600 s with that status, and prints no terminal command
prints() {
    local name=$1 status=$2 bad
    shift 2
    run timeout 600 "$TRACETUI" "$@"
    if [ "$code" -ne "$status" ]; then
        not_ok "$name" "exit status $code, expected $status: $(head -c 300 "$WORK/err")"
    elif ! bad=$($HOSTILE plain "$WORK/out" "$WORK/err"); then
        not_ok "$name" "a command to a terminal: $bad"
    else
        ok "$name"
    fi
}

for capture in names ends same back cpus threads inline; do
    file=$WORK/$capture.fxt
    prints "$capture: dump" 0 dump "$file"
    prints "$capture: jsonl" 0 dump --format jsonl "$file"
    prints "$capture: csv" 0 dump --format csv "$file"
    prints "$capture: info" 0 info "$file"
    prints "$capture: stats" 0 stats "$file"
    for view in events threads summary ${WHOLE:+cpus info snapshot}; do
        prints "$capture: $view" 0 render "$view" --size 120x40 --keys 'jj<Enter>' "$file"
    done
done

# Of Linux: names, descriptions that lie, a table of a million CPUs, pages that are none.
while read -r capture status; do
    file=$WORK/$capture.dat
    prints "$capture.dat: dump" "$status" dump "$file"
    prints "$capture.dat: jsonl" "$status" dump --format jsonl "$file"
    prints "$capture.dat: info" "$status" info "$file"
    prints "$capture.dat: stats" "$status" stats "$file"
    for view in events threads ${WHOLE:+summary info}; do
        prints "$capture.dat: $view" "$status" render "$view" --size 120x40 --keys 'jj<Enter>' "$file"
    done
done <<'ROWS'
names 0
lies 0
cpus 1
pages 1
ROWS

for capture in names ends same back moves; do
    exits "$capture: export" 0 timeout 600 "$TRACETUI" export --format fxt -o "$WORK/exported.fxt" "$WORK/$capture.fxt"
done

for file in "$WORK"/crowd.* "$WORK/processes.fxt"; do
    prints "${file##*/}: dump" 0 dump "$file"
    prints "${file##*/}: stats" 0 stats "$file"
    prints "${file##*/}: threads" 0 render threads --size 120x40 --keys 'jj<Enter>' "$file"
done

prints "a bomb: refused" 2 info --spool-limit 16M "$WORK/bomb.gz"
says "... and told" 'spool limit' "$WORK/err"
one_line "... in one line" "$WORK/err"

# within NAME THREADS ARGUMENTS...: resident at most 64 MB, 4 times the file (its own pages included)
# and 200 bytes per thread. Uses the release build, since a sanitizer's memory would count.
within() {
    local name=$1 most=$((65536 + (4 * $(wc -c <"$crowd") + 200 * $2) / 1024)) kb
    shift 2
    if ! kb=$($HOSTILE peak timeout 600 build/release/tracetui "$@" --no-cache "$crowd"); then
        not_ok "$name" "exit status not 0"
    elif [ "$kb" -gt "$most" ]; then
        not_ok "$name" "$kb KB, at most $most KB"
    else
        ok "$name"
    fi
}

# crowds: the memory of commands with captures of a million threads
crowds() {
    mkdir "$WORK/crowd"
    count=${HOSTILE_CROWD:-1000000}
    HOSTILE_THREADS=$count $HOSTILE make "$WORK/crowd" || exit 2
    for capture in threads inline; do
        crowd=$WORK/crowd/$capture.fxt
        within "a crowd ($capture): memory of info" "$count" info
        within "a crowd ($capture): memory of dump" "$count" dump
        for by in thread process cpu pair event total; do
            within "a crowd ($capture): memory of stats --by $by" "$count" stats --by $by
        done
        for view in events threads cpus summary info snapshot; do
            within "a crowd ($capture): memory of $view" "$count" render $view --size 120x40
        done
    done
    # Per format: the capture that needs the most memory and is within the bound (docs/reliability.md).
    crowd=$WORK/crowd/crowd.kev
    for by in thread process pair; do
        within "a crowd of QNX: memory of stats --by $by" "$count" stats --by $by
    done
    for view in threads summary; do
        within "a crowd of QNX: memory of $view" "$count" render $view --size 120x40
    done
    crowd=$WORK/crowd/crowd.trx # lanes are 65,532, the others share one
    within "a crowd of ThreadX: memory of stats" 65532 stats --by thread
    within "a crowd of ThreadX: memory of Summary" 65532 render summary --size 120x40
    crowd=$WORK/crowd/crowd.btrace
    within "a crowd of BTrace: memory of dump" "$count" dump
    within "a crowd of BTrace: memory of stats --by process" "$count" stats --by process
    crowd=$WORK/crowd/processes.fxt
    within "a crowd of processes: memory of info" "$count" info
    within "a crowd of processes: memory of stats --by pair" "$count" stats --by pair
    within "a crowd of processes: memory of CPUs" "$count" render cpus --size 120x40
}
needs_release
[ -z "${WHOLE:-}" ] || crowds
crowd=$WORK/cpus.fxt
within "65,536 CPUs: memory of stats" 0 stats --by cpu
within "65,536 CPUs: memory of CPUs" 0 render cpus --size 120x40

for capture in names ends same back cpus threads; do
    $HOSTILE screen "$TRACETUI" "$WORK/$capture.fxt"
done
$HOSTILE kill "$TRACETUI" samples/demo.kev
$HOSTILE shrink "$TRACETUI" samples/demo.kev
$HOSTILE close "$TRACETUI" samples/demo.kev

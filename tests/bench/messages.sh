#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Indexing captures of messages, locks and interrupts with and without their rows.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/bench/lib.sh
one=""
if command -v taskset >/dev/null 2>&1 && taskset -c 0 true 2>/dev/null; then
    one="taskset -c 0"
fi
all=

# measure SCENARIO FORMAT NAME EVENTS: prints the rows of a capture; its result is in $result
measure() {
    local file=$folder/$1-$4.$2
    [ -s "$file" ] || "$variant/ttsim" --scenario "$1" --seed 1 --events "$4" --format "$2" -o "$file" || exit 2
    # shellcheck disable=SC2086
    result=$($one "$variant/tests/bench/bench_messages" "$file" "$pairs") || exit 2
    all="$all${all:+,}\"$1 $2\":$result"
    row "$3, $1: index with messages, of without" "$(field messages "$result")" "1.2 / 1.1"
    row "... with locks and other objects" "$(field locks "$result")" "1.2 / 1.1"
    row "... with interrupts" "$(field interrupts "$result")" "1.2 / 1.1"
    row "... with all of these" "$(field all "$result")"
}
large=${BENCH_EVENTS:-4000000}
measure mixed kev QNX "$large"
measure inversion kev QNX "$((large / 4))"
measure chatty kev QNX "$large"
row "memory of a message, bytes" "$(field bytes_a_message "$result")" "at most 16"
measure chatty fxt Fuchsia "$((large / 4))"
measure chatty trx ThreadX "$((large / 4))"
measure chatty btrace BTrace "$((large / 4))"
printf '{%s}\n' "$all" >"$folder/messages.json"

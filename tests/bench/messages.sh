#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Indexing a capture of messages alone, with and without the rows of messages.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/bench/lib.sh
file=$folder/chatty.kev
[ -s "$file" ] ||
    "$variant/ttsim" --scenario chatty --seed 1 --events "${BENCH_EVENTS:-4000000}" -o "$file" || exit 2
one=""
if command -v taskset >/dev/null 2>&1 && taskset -c 0 true 2>/dev/null; then
    one="taskset -c 0"
fi
# shellcheck disable=SC2086
messages=$($one "$variant/tests/bench/bench_messages" "$file" "$pairs") || exit 2
row "index with messages, of without" "$(field with_of_without "$messages")" "at most 1.15"
row "memory of a message, bytes" "$(field bytes_a_message "$messages")" "at most 16"
printf '%s\n' "$messages" >"$folder/messages.json"

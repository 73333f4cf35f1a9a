#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Counts the bytes that keys send to terminals of 80x24, drawn by term/diff.h and by doupdate of curses: the same
# frames of samples/demo.kev. Prints rows, writes build/bench/terminal.json. The counts do not depend on the machine.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/bench/lib.sh
program=$variant/tests/screens/bytes_of_keys
times() { printf "%.0s$2" $(seq "$1"); }

# keys: prints a line per frame that is counted; `-` begins one that only leads there
keys() {
    cat <<LINES
<C-l>
-:1000<Enter>
j
-<PgDn>$(times 20 j)
j
$(times 20 k)
<PgDn>
<Enter>
j
B
-<Esc>20j
j
G$(times 21 k)
+
+
l
<C-l>
-3
j
+
l
<C-l>
-4j
j
j
<PgDn>
<C-l>
-5j
j
<PgDn>
<C-l>
-6j
j
<PgDn>
<C-l>
-7
l
<C-l>
LINES
}

# count TERMINAL ARGUMENT...: prints the bytes of each frame that is counted
count() {
    local terminal=$1
    shift
    keys | sed 's/^-//' | TERM=$terminal "$program" "$@" samples/demo.kev 2>/dev/null |
        paste - <(keys) | awk -F'\t' '$2 !~ /^-/ { print $1 }'
}

# compared TERMINAL NAME ARGUMENT...: prints a row with the bytes of this way of drawing, relative to those of diff
compared() {
    local terminal=$1 name=$2
    shift 2
    count "$terminal" "$@" >"$folder/terminal.other"
    local median sum
    median=$(paste "$folder/terminal.diff" "$folder/terminal.other" | awk '$1 > 0 { print $2 / $1 }' | median)
    sum=$(paste "$folder/terminal.diff" "$folder/terminal.other" | awk '{ a += $1; b += $2 } END { printf "%.2f", b / a }')
    row "... $name, of those: median of the keys; all" "$(printf '%.2f; %s' "$median" "$sum")"
    json="$json,\"$name\":{\"median\":$median,\"all\":$sum}"
}

all= json=
for terminal in xterm-256color screen-256color linux vt100; do
    json=
    count "$terminal" >"$folder/terminal.diff"
    row "$terminal, bytes by term/diff.h: $(wc -l <"$folder/terminal.diff") keys" \
        "$(awk '{ sum += $1 } END { print sum }' "$folder/terminal.diff")"
    row "... median of a key" "$(median <"$folder/terminal.diff")"
    compared "$terminal" "by curses" --curses
    compared "$terminal" "without REP" --without 68
    compared "$terminal" "without scrolling" --without 40
    compared "$terminal" "without ECH" --without 2
    all="$all${all:+,}\"$terminal\":{${json#,}}"
done
printf '{%s}\n' "$all" >"$folder/terminal.json"

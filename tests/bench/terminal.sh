#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Counts the bytes that keys send to terminals of 80x24: frames of samples/demo.kev in all views. Prints rows. The
# counts do not depend on the machine.
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

for terminal in xterm-256color screen-256color linux vt100; do
    keys | sed 's/^-//' | TERM=$terminal "$program" samples/demo.kev 2>/dev/null |
        paste - <(keys) | awk -F'\t' '$2 !~ /^-/ { print $1 }' >"$folder/terminal.keys"
    row "$terminal, bytes of $(wc -l <"$folder/terminal.keys") keys" \
        "$(awk '{ sum += $1 } END { print sum }' "$folder/terminal.keys")"
    row "... median of a key" "$(median <"$folder/terminal.keys")"
done

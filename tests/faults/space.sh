# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Unpacked data and pipes take at most half of the free space, or the --spool-limit.
. tests/lib/case.sh

SPACE=$BUILD/tests/faults/space
capture=samples/demo.kev
size=$(wc -c <$capture)
gzip -nc $capture >"$WORK/a.gz"

exits "enough: half of the free space is the size" 0 "$SPACE" $((2 * size)) info "$WORK/a.gz"
exits "not enough: one byte less" 2 "$SPACE" $((2 * size - 2)) info "$WORK/a.gz"
one_line "not enough: one line" "$WORK/err"
says "not enough: it says the limit" "a\.gz: unpacked: spool limit of $((size - 1)) bytes exceeded \(half of the free space; see --spool-limit\)" "$WORK/err"
exits "--spool-limit goes before" 0 "$SPACE" 1000 info --spool-limit "$size" "$WORK/a.gz"
exits "--spool-limit: one byte less" 2 "$SPACE" 1000000000 info --spool-limit $((size - 1)) "$WORK/a.gz"
says "--spool-limit: it says the limit" "spool limit of $((size - 1)) bytes exceeded$" "$WORK/err"
exits "what can be mapped needs no space" 0 "$SPACE" 0 info --no-cache $capture
for follow in "" -f; do
    # shellcheck disable=SC2086 # a word or none
    cat $capture | "$SPACE" $((2 * size - 2)) dump $follow - >"$WORK/out" 2>"$WORK/err"
    same_text "a pipe${follow:+, followed}: exit status" 2 "$?"
    says "a pipe${follow:+, followed}: it says the limit" "spool limit of $((size - 1)) bytes exceeded" "$WORK/err"
    # shellcheck disable=SC2086 # a word or none
    cat "$WORK/a.gz" | "$SPACE" $((2 * size - 2)) dump $follow - >"$WORK/out" 2>"$WORK/err"
    same_text "a compressed pipe${follow:+, followed}: exit status" 2 "$?"
    # shellcheck disable=SC2086 # a word or none
    cat "$WORK/a.gz" | "$SPACE" 1000 dump $follow - >"$WORK/out" 2>"$WORK/err"
    same_text "a compressed pipe that does not fit${follow:+, followed}: exit status" 2 "$?"
    says "a compressed pipe that does not fit${follow:+, followed}: it says the limit" "spool limit of 500 bytes exceeded" "$WORK/err"
done

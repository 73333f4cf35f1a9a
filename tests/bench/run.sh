#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Measures on captures that the simulator creates in build/bench/: runs the parts one after the
# other and joins their results in build/bench.json. `run.sh PART...` runs some of them.
# docs/performance.md has method and results.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/bench/lib.sh
if [ $# -eq 0 ]; then
    set -- index messages reopen dump cores disk growth memory numbers jobs ranges sql check frames terminal live slow echo filter peers
fi

processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
echo "$(uname -sm), ${processor:-unknown processor}, $(getconf _NPROCESSORS_ONLN) processors," \
    "load $(load)"
row what value "at least / aim"
: >"$folder/verdicts"
failed=0
json="{\"machine\":\"${processor//\"/}\",\"load\":\"$(load)\""
for name in "$@"; do
    if bash "tests/bench/$name.sh"; then
        json="$json,
\"$name\":$(cat "$folder/$name.json")"
    else
        echo "bench: $name failed" >&2
        failed=1
    fi
done
# Counts of figures that meet their bars, and the ones that do not.
of_bars() { cut -f1 "$folder/verdicts" | grep -c "^$1$"; }
of_aims() { cut -f2 "$folder/verdicts" | grep -c "^$1$"; }
met=$(of_bars met) missed=$(of_bars missed) reached=$(of_aims reached) ahead=$(of_aims ahead)
echo "$met of $((met + missed)) figures are at their bars, $reached of $((reached + ahead)) at their aims"
awk -F'\t' '$1 == "missed" { print "below its bar: " $3 ": " $4 " (" $5 ")" }' "$folder/verdicts"
printf '%s,\n"bars":{"met":%s,"missed":%s},"aims":{"reached":%s,"ahead":%s}}\n' "$json" \
    "$met" "$missed" "$reached" "$ahead" \
    >build/bench.json
echo "build/bench.json"
exit $failed

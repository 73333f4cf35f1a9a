#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Parts of messages and CPU time by client add up (tests/sim/message_sums.py), in the samples, the real captures
# and simulated ones, in random ranges: SUM_RANGES (2) of each.
. tests/lib/case.sh

if ! command -v python3 >/dev/null; then
    skip sums "python3 is not installed"
    exit 0
fi

check() { # check NAME CAPTURE...
    local name=$1
    shift
    if python3 tests/sim/message_sums.py "$TRACETUI" "${SUM_RANGES:-2}" "$@" >"$WORK/out" 2>&1; then
        ok "$name: $(tail -n 1 "$WORK/out")"
    else
        not_ok "$name" "$(head -n 3 "$WORK/out" | cut -c1-400 | tr '\n' ' ')"
    fi
}

check samples samples/*.kev samples/*.fxt samples/*.trx samples/*.btrace
captures=()
for file in ../shared/captures/{kev,trx}/*.{kev,trx}; do
    [ ! -f "$file" ] || captures+=("$file")
done
if [ ${#captures[@]} -gt 0 ]; then
    check "real captures" "${captures[@]}"
else
    skip "real captures" "../shared/captures is not there"
fi
for scenario in chatty chain mixed; do
    "$TTSIM" --scenario "$scenario" --seed 5 --events 3000 --kev-version 8.0 --lose 2 --kev-slots 300 -o "$WORK/$scenario.kev"
done
check "simulated, with losses" "$WORK"/*.kev

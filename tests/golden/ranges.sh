# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# stats: random ranges against their parts, and beyond the end of the capture.
# RANGE_SEEDS="7 8 9" and RANGE_ROUNDS=20 try others.
. tests/lib/case.sh

"$TTSIM" --format kev --kev-version 8.0 --cpus 4 --events 3000 --lose 6 -o "$WORK/lossy.kev"
for capture in samples/demo.kev samples/demo.fxt samples/demo.trx samples/demo.btrace "$WORK/lossy.kev"; do
    for seed in ${RANGE_SEEDS:-1}; do
        python3 tests/golden/ranges_random.py "$TRACETUI" "$seed" "${RANGE_ROUNDS:-1}" "$capture" >"$WORK/count" 2>"$WORK/differences"
        nothing "$(basename "$capture"): ranges agree (seed $seed)" "$WORK/differences"
        same_text "and numbers are compared" yes "$([ "$(cat "$WORK/count")" -gt 300 ] && echo yes)"
    done
done

# check judges a window beyond the end by the part that is in the capture.
exits "check, beyond the end" 0 "$TRACETUI" check --rule 'contended of object * <= 100% within ..10s' \
    --rule 'busy of server * <= 100% within 40%..10s' samples/demo.kev

# Percentages are those of check; unknown names are null.
run "$TRACETUI" stats --by object --format jsonl samples/demo.kev
same_text "unknown names are null" 0 "$(grep -c '"-"' "$WORK/out")"
share=$(grep -o '"contended_pct":[0-9.]*' "$WORK/out" | head -n 1 | cut -d: -f2)
run "$TRACETUI" check --rule "contended of object * <= 0%" samples/demo.kev
says "stats and check have the same percentages" "$share %" "$WORK/out"

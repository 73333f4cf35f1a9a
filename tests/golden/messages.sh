#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Errors and channels of messages, in the three forms of `dump --messages`.
. tests/lib/case.sh

"$TTSIM" --scenario timeouts --seed 3 --events 6000 --truth full -o "$WORK/run.kev"
dump() {
    "$TRACETUI" dump --no-cache --messages "$@" "$WORK/run.kev"
}

truth=$(grep -c '"t":"message".*"errno":16}' "$WORK/run.kev.truth.jsonl")
dump >"$WORK/text"
same_text "errors in the truth: three or more" yes "$([ "$truth" -ge 3 ] && echo yes)"
same_text "text: errors with a name" "$truth" "$(grep -c ' error  error=EBUSY ' "$WORK/text")"
dump --format csv >"$WORK/csv"
same_text "CSV: number and name" "$truth" "$(grep -c ',2,[0-9]*,message,error,16,EBUSY,' "$WORK/csv")"
dump --format jsonl >"$WORK/jsonl"
same_text "JSON: number and name" "$truth" "$(grep -c '"end":"error","errno":16,"error":"EBUSY",' "$WORK/jsonl")"
same_text "JSON: answers without an error" 0 "$(grep '"end":"reply"' "$WORK/jsonl" | grep -vc '"errno":null,"error":null,')"
same_text "channels" 2,3, "$(sed 's/.*"channel":\([0-9]*\),.*/\1/' "$WORK/jsonl" | grep '^[0-9]*$' | sort -u | tr '\n' ,)"
same_text "--filter: the errors" "$truth" "$(dump --filter event=MSG_ERROR | grep -c EBUSY)"
dump --filter event=MSG_ERROR | grep -v EBUSY >"$WORK/others"
nothing "--filter: nothing else" "$WORK/others"
same_text "clients that leave have no answer" 0 \
    "$(grep -E '"end":"(left|died)"' "$WORK/jsonl" | grep -vc '"reply_ns":null,"ended_ns":[0-9]')"
same_text "clients that leave: three or more" yes "$([ "$(grep -c '"end":"left"' "$WORK/jsonl")" -ge 3 ] && echo yes)"
same_text "clients that end: three or more" yes "$([ "$(grep -c '"end":"died"' "$WORK/jsonl")" -ge 3 ] && echo yes)"

# ---- messages from CPU to CPU

# in_all PLOT CAPTURE: the number of samples of a plot of the whole capture
in_all() { "$TRACETUI" render summary --no-config --no-cache --keys ":plot $1<Enter>z" "$2" | sed -n 's/^ \([0-9]*\) in all.*/\1/p'; }
"$TTSIM" --seed 3 --events 8000 --scenario chatty -o "$WORK/chatty.kev"
for capture in samples/demo.kev "$WORK/chatty.kev"; do
    same_text "$(basename "$capture"): crossings by the CPUs of the events" \
        "$(python3 tests/golden/crossings.py "$TRACETUI" "$capture")" "$(in_all crossings "$capture") 0"
done
for capture in samples/demo.{kev,btrace}; do
    same_text "$capture: migrations over time are those of the total" \
        "$("$TRACETUI" stats --by total --format jsonl "$capture" | grep -o '"migrations":[0-9]*' | cut -d : -f 2)" \
        "$(in_all migrations "$capture")"
done

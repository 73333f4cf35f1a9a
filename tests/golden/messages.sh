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

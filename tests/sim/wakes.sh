#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Wakes: the waker of each wakeup record of a .fxt is the thread of the truth, and missing where an
# interrupt woke; the scenarios with a known cause have it in the truth; a ThreadX capture locks a
# condition variable's own mutex again.
. tests/lib/case.sh

# wakers_of_truth: time, thread and waking thread ("-": an interrupt) of each wake
wakers_of_truth() {
    sed -n 's/.*"t":"wake","at":\([0-9]*\),"pid":[0-9]*,"tid":\([0-9]*\),.*"by":"\([a-z]*\)",\(.*\)/\1 \2 \3 \4/p' \
        "$WORK/run.truth.jsonl" |
        sed 's/ interrupt .*/ -/; s/ thread "by_pid":[0-9]*,"by_tid":\([0-9]*\),.*/ \1/'
}

wakers_of_file() {
    "$TRACETUI" dump --format jsonl "$WORK/run" | grep '"event":"thread_wakeup"' |
        sed 's/.*"ns":\([0-9]*\),.*"args":{"thread":\([0-9]*\),"weight":[0-9]*\(.*\)/\1 \2 \3/' |
        sed 's/ ,"waker":\([0-9]*\)}.*/ \1/; s/ }.*/ -/'
}

for scenario in mixed inversion chatty irqstorm overload churn chain convoy deadlock; do
    "$TTSIM" --format fxt --clock 1000000000 --scenario $scenario --seconds 0.06 --truth full -o "$WORK/run"
    wakers_of_truth | sort >"$WORK/truth"
    # A wakeup of a thread whose state before is not known is no wake.
    wakers_of_file | sort >"$WORK/file"
    [ "$(grep -c -- ' -$' "$WORK/truth")" -ge 5 ] || not_ok "wakers: $scenario" "hardly any interrupt woke"
    case $scenario in
    overload | deadlock) ;; # threads wait for time only, or for ever
    *) [ "$(grep -c -v -- ' -$' "$WORK/truth")" -ge 5 ] || not_ok "wakers: $scenario" "hardly any thread woke" ;;
    esac
    same_text "wakers: $scenario" "" "$(comm -23 "$WORK/truth" "$WORK/file" | head -n 3)"
done

names() { # PID/TID as NAME
    sed -n 's/.*"t":"sum_thread","pid":\([0-9]*\),"tid":\([0-9]*\),"name":"\([^"]*\)".*/\1 \2 \3/p' "$WORK/run.truth.jsonl"
}
waits() { # waiting thread, thread waited for, kind, and whether the wait ends
    names >"$WORK/names"
    sed -n 's/.*"t":"blocked_on","pid":\([0-9]*\),"tid":\([0-9]*\),"slot":[0-9]*,"on":"\([a-z]*\)","by_pid":\([0-9]*\),\("by_tid":\([0-9]*\),\)*\(.*"end":[0-9]*\)\(.*\)}/\1 \2 \3 \4 \6- \8/p' \
        "$WORK/run.truth.jsonl" |
        awk -v names="$WORK/names" '
            BEGIN { while ((getline line <names) > 0) { split(line, f, " "); name[f[1] " " f[2]] = f[1] "/" f[3] } }
            { sub(/-$/, "", $5); by = $5 == "" ? $4 : name[$4 " " $5]
              print name[$1 " " $2], $3, by, ($6 ~ /end_unknown/ ? "still" : "") }'
}
# The scenario's own processes begin at 4100.
"$TTSIM" --scenario chain --seconds 0.03 --truth full -o "$WORK/run"
same_text "chain: waits and their threads" \
    "4102/serve holder 4102/journal 
4101/serve server 4102/serve 
4100/ask server 4101/serve " "$(waits)"
"$TTSIM" --scenario deadlock --seconds 0.03 --truth full -o "$WORK/run"
same_text "deadlock: the two cycles, and their client" \
    "4100/credit holder 4100/debit still
4100/debit holder 4100/credit still
4101/serve server 4102/serve still
4102/serve receive 4101 still
4103/ask server 4101/serve still" "$(waits | grep still | sort)"

# TX_MUTEX entries of a thread that waits for a condition variable: it puts and gets one mutex only.
"$TTSIM" --format trx --cpus 1 --seconds 0.1 -o "$WORK/run"
same_text "trx: the mutex of a condition variable" 1 \
    "$("$TRACETUI" dump "$WORK/run" | grep 'devc-pty/echo .*MUTEX_' | grep -o 'mutex=[^ ]*' | sort -u | wc -l)"

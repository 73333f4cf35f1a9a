#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# --pace lets the file grow in pieces over time; at the end it is complete.
. tests/lib/case.sh

# sizes PID FILE: counts the sizes of the file while the process runs
sizes() {
    local seen=0 last=-1 now
    while kill -0 "$1" 2>/dev/null; do
        now=$(stat -c %s "$2" 2>/dev/null || echo 0)
        [ "$now" != "$last" ] && seen=$((seen + 1))
        last=$now
        sleep 0.01
    done
    echo "$seen"
}

# A busy machine may miss sizes while the file grows: a factor makes it grow more slowly then, up to
# 8 times.
grows_in_pieces() {
    local pace seen
    for pace in 1 0.5 0.25 0.125; do
        rm -f "$WORK/grown"
        # shellcheck disable=SC2086
        "$TTSIM" --seconds 0.4 --pace $pace $1 -o "$WORK/grown" &
        seen=$(sizes $! "$WORK/grown")
        wait
        [ "$seen" -lt 6 ] || break
    done
    echo "$seen"
}

for options in "--format fxt --piece random" "--format btrace --piece 100" "--format fxt"; do
    # shellcheck disable=SC2086
    "$TTSIM" --seconds 0.4 $options -o "$WORK/whole"
    seen=$(grows_in_pieces "$options")
    same "grown to the same bytes: $options" "$WORK/whole" "$WORK/grown"
    if [ "$seen" -ge 6 ]; then ok "grows in pieces: $options"; else
        not_ok "grows in pieces: $options" "seen with $seen sizes only"; fi
done

# In a .kev, buffers are then written before they are full; its events are the same.
"$TTSIM" --seconds 0.3 --truth sums -o "$WORK/whole"
"$TTSIM" --seconds 0.3 --pace 2 --piece 1000 --truth sums -o "$WORK/grown"
heard() { grep '"t":"sum_run"' "$1.truth.jsonl"; }
same_text "kev: the run is the same" "$(heard "$WORK/whole")" "$(heard "$WORK/grown")"
run "$TRACETUI" info --format jsonl "$WORK/grown"
says "kev: grown in pieces, no problems found" '"health":\{\}' "$WORK/out"

# It takes the simulated time divided by the factor.
start=$(date +%s%N)
"$TTSIM" --seconds 0.6 --pace 2 -o "$WORK/grown"
took=$((($(date +%s%N) - start) / 1000000))
if [ "$took" -ge 250 ]; then ok "0.6 s at twice the pace"; else
    not_ok "0.6 s at twice the pace" "took $took ms"; fi

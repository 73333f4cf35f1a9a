# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# `save`: parts of captures, cut at random, have the events, states and counts of the range, and a second
# save has the same bytes (save_same.py). SAVE_CUTS=N: N cuts of each capture (1; 4 with WHOLE=1); SAVE_SEEDS=N: N
# seeds of each kind of simulated capture (1).
. tests/lib/case.sh

CUTS=${SAVE_CUTS:-${WHOLE:+4}}
CUTS=${CUTS:-1}
SEEDS=${SAVE_SEEDS:-1}

# check NAME CAPTURE SEED [SELECTION...]
check() {
    local name=$1 capture=$2 seed=$3
    shift 3
    same_text "$name: parts are the same" "" \
        "$(python3 tests/golden/save_same.py "$TRACETUI" "$capture" "$WORK" "$CUTS" "$seed" "$@" 2>&1 | head -n 5)"
}

for capture in samples/*.kev samples/*.btrace samples/*.fxt samples/*.trx; do
    check "$capture" "$capture" 1
    "$TRACETUI" save "$capture" -o "$WORK/whole"
    same "$capture: without a range the file is copied" "$capture" "$WORK/whole"
done
for capture in ../shared/captures/kev/*.kev ../shared/captures/btrace/*.log ../shared/captures/trx/*.trx \
    ../shared/captures/fxt/*.fxt ../shared/captures/fxt/critical_path/*.fxt; do
    # In sched_new.fxt a thread runs on two CPUs at once: the first is not known to be left.
    [ ! -f "$capture" ] || [[ $capture = */sched_new.fxt ]] || check "$(basename "$capture")" "$capture" 1
done
check "demo.kev, a CPU" samples/demo.kev 2 --cpu 1
check "demo.kev, a thread" samples/demo.kev 3 --thread fusion
check "demo.kev, a filter" samples/demo.kev 4 --filter class=COMM

for ((seed = 1; seed <= SEEDS; seed++)); do
    while read -r format options; do
        # shellcheck disable=SC2086 # options are words
        "$TTSIM" --format "$format" --seed "$seed" --events 3000 $options -o "$WORK/run.$format" 2>"$WORK/err" ||
            not_ok "$options" "$(cat "$WORK/err")"
        check "seed $seed $format $options" "$WORK/run.$format" "$seed"
    done <<'RUNS'
kev --scenario chatty --kev-version 8.0
kev --scenario mixed --kev-version 8.0 --kev-buffers ring --kev-ring 8
kev --scenario churn --kev-mode fast
kev --scenario inversion --kev-version 6.4 --kev-buffers ring --kev-ring 8
kev --scenario mixed --lose 4
kev --scenario mixed --ties
kev --scenario mixed --interlace 3
kev --scenario mixed --kev-version 6.4 --endian big
btrace --scenario mixed
btrace --scenario churn --cpus 1
btrace --scenario inversion --btrace-ring 32
fxt --scenario mixed --fxt-providers 3
fxt --scenario chatty --fxt-sched legacy
fxt --scenario churn
trx --scenario mixed --cpus 1
trx --scenario churn --trx-ring 1000
RUNS
done

# ---- the output
"$TRACETUI" save samples/demo.kev --from 40% --to 50% -o "$WORK/part.kev"
run "$TRACETUI" save samples/demo.kev --from 40% --to 50% -o -
same "-o - is standard output" "$WORK/part.kev" "$WORK/out"
same_text "a part has no problems" 1 "$("$TRACETUI" info "$WORK/part.kev" | grep -c 'no problems found')"
same_text "a part begins as a capture does" "BUFFER TIME TIME TIME TIME PROCCREATE_NAME THCREATE THRUNNING" \
    "$("$TRACETUI" dump --format jsonl "$WORK/part.kev" | head -n 8 | sed 's/.*"event":"\([A-Z_]*\)".*/\1/' | xargs)"
run "$TRACETUI" save samples/demo.kev --from 50% --to 50% -o "$WORK/none"
same_text "an empty range is an error" "2 1" "$code $(grep -c 'no events in the range' "$WORK/err")"

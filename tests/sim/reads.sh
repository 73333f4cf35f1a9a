#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The decoders read every run completely, report only intended damage, and count as the writer does. SIM_SEEDS runs (100); the long form is SIM_SEEDS=10000.
. tests/lib/case.sh

variants=(
    "--kev-version 6.4 --kev-mode fast"
    "--kev-version 7.1 --kev-mode wide"
    "--kev-version 8.0 --kev-mode wide"
    "--kev-version 6.4 --kev-mode wide --endian big"
    "--kev-version 7.1 --kev-mode mixed"
    "--kev-version 8.0 --kev-mode fast"
    "--kev-version 7.1 --kev-buffers ring --kev-ring 2"
    "--kev-version 6.4 --start 4294960000 --clock 100000000"
    "--kev-version 7.1 --interlace 2"
    "--kev-version 6.4 --kev-mode mixed --interlace 1 --ties"
    "--format fxt"
    "--format fxt --fxt-sched legacy --fxt-providers 2"
    "--format trx --cpus 1"
    "--format trx --cpus 1 --trx-width 64 --trx-counter down --trx-ring 700"
    "--format btrace"
    "--format btrace --cpus 1"
    "--format ftrace"
    "--format ftrace --ftrace-version 6 --ftrace-long 32 --ftrace-kernel 3.10"
    "--format ftrace --ftrace-compress zstd --endian big --ftrace-page 8192"
    "--format ftrace --ftrace-compress zlib --ftrace-kernel 4.14 --cpus 7"
)
scenarios=(mixed inversion chatty irqstorm overload churn)

# field FILE KEY: the number of a key in a line of JSON
field() { sed -n "s/.*\"$2\":\([0-9]*\).*/\1/p" "$1"; }

wrong=0
check() { # check SEED OPTION...
    local seed=$1 expected_events expected_records
    shift
    "$TTSIM" --seed "$seed" --truth sums -o "$WORK/run" "$@"
    grep '"t":"file"' "$WORK/run.truth.jsonl" >"$WORK/file"
    expected_events=$(field "$WORK/file" events)
    expected_records=$(field "$WORK/file" records)
    run "$TRACETUI" info --format jsonl "$WORK/run"
    if [ "$code" -ne 0 ] || [ -s "$WORK/err" ]; then
        not_ok "read: $*, seed $seed" "exit status $code, $(head -c 200 "$WORK/err")"
    elif [ "$(field "$WORK/out" events)" != "$expected_events" ] ||
        [ "$(field "$WORK/out" records)" != "$expected_records" ]; then
        not_ok "read: $*, seed $seed" \
            "$(head -c 400 "$WORK/out") but there are $expected_events events in $expected_records"
    elif ! grep -q '"health":{}' "$WORK/out"; then
        not_ok "read: $*, seed $seed" "$(grep -o '"health":{.*' "$WORK/out")"
    else
        return
    fi
    wrong=$((wrong + 1))
}

seeds=${SIM_SEEDS:-100}
for ((seed = 1; seed <= seeds && wrong < 5; seed++)); do
    options=${variants[seed % ${#variants[@]}]}
    # Every variant is combined with every scenario, and some with a larger system.
    scenario=${scenarios[(seed / ${#variants[@]} + seed) % ${#scenarios[@]}]}
    more=
    [ $((seed % 10)) -eq 0 ] && more="--processes 5 --threads 40"
    # shellcheck disable=SC2086
    check "$seed" --scenario "$scenario" --events $((1000 + seed * 37 % 4000)) $options $more
done
[ "$wrong" -eq 0 ] && ok "$seeds runs are read whole"

# Every loss is reported, and nothing else.
for options in "--kev-version 6.4" "--kev-version 7.1" "--format fxt" "--format btrace" \
    "--format ftrace" "--format ftrace --cpus 1 --ftrace-compress zstd"; do
    # shellcheck disable=SC2086
    "$TTSIM" --events 20000 --lose 3 $options --truth sums -o "$WORK/run"
    losses=$(grep -c '"t":"loss"' "$WORK/run.truth.jsonl")
    run "$TRACETUI" info --format jsonl "$WORK/run"
    same_text "losses are said: $options" "\"health\":{\"lost\":$losses}" \
        "$(grep -o '"health":{[^}]*}' "$WORK/out")"
done

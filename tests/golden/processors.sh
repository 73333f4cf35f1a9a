# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The output does not depend on the number of CPUs: on one, a single thread decodes
# and publishes; on two, each has its own thread.
. tests/lib/case.sh

if ! command -v taskset >/dev/null 2>&1 || ! taskset -c 0,1 true 2>/dev/null; then
    skip "one processor and two" "no taskset, or no second processor"
    exit 0
fi
MODEL=$BUILD/tests/live/print_model
needs "$MODEL"
number=0
while read -r options; do
    number=$((number + 1))
    capture=$WORK/capture
    for ((seed = 1; seed <= ${PROCESSOR_SEEDS:-2}; seed++)); do
        # shellcheck disable=SC2086
        exits "a capture, seed $seed: $options" 0 \
            "$TTSIM" --seed "$((seed * 100 + number))" --events 40000 $options -o "$capture"
        exits "the model of seed $seed" 0 taskset -c 0 "$MODEL" "$capture"
        mv "$WORK/out" "$WORK/one"
        exits "... on two processors" 0 taskset -c 0,1 "$MODEL" "$capture"
        same "... is the same" "$WORK/one" "$WORK/out"
    done
    for command in "dump --format jsonl" "info --format jsonl" "stats --format jsonl"; do
        # shellcheck disable=SC2086
        exits "$command of $options" 0 taskset -c 0 "$TRACETUI" $command "$capture"
        mv "$WORK/out" "$WORK/one"
        # shellcheck disable=SC2086
        taskset -c 0,1 "$TRACETUI" $command "$capture" >"$WORK/two" 2>&1
        same "... on two processors" "$WORK/one" "$WORK/two"
    done
done <<'CAPTURES'
--format kev --cpus 2
--format kev --kev-version 8.0 --cpus 4 --lose 40
--format kev --kev-version 6.4 --interlace 3
--format kev --lose 20 --kev-buffers ring --cpus 3
--format fxt --fxt-providers 3
--format fxt --fxt-sched legacy --cpus 4
--format fxt --scenario churn --fxt-providers 4
--format kev --scenario irqstorm --cpus 4 --interlace 5
--format btrace --scenario churn --cpus 2
--format btrace --scenario mixed --cpus 4
--format trx --scenario inversion
--format trx --scenario mixed --cpus 2
CAPTURES

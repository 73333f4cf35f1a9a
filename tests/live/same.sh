# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# A capture followed piece by piece equals the finished file: events, intervals, numbers.
# LIVE_SEEDS (1) seeds of each kind; a piece is 1 byte, 7, 4095 or random.
. tests/lib/case.sh
CHECK=$BUILD/tests/live/check_live
SEEDS=${LIVE_SEEDS:-1}

simulate() { "$TTSIM" -o "$@" >/dev/null 2>"$WORK/err" || not_ok "ttsim $*" "$(cat "$WORK/err")"; }

# follows NAME OPTION...: check_live finds no difference
follows() {
    local name=$1
    shift
    if timeout 600 "$CHECK" to="$WORK/growing" "$@" >"$WORK/out" 2>&1 && grep -q '^same:' "$WORK/out"; then
        ok "$name"
    else
        not_ok "$name" "$(head -n 5 "$WORK/out")"
    fi
}

for ((seed = 1; seed <= SEEDS; seed++)); do
    simulate "$WORK/71.kev" --events 3000 --seed "$seed"
    simulate "$WORK/parted.kev" --events 3000 --seed "$seed" --interlace 5 --ties --endian big
    simulate "$WORK/lost.kev" --events 6000 --seed "$seed" --lose 3
    simulate "$WORK/80.kev" --events 6000 --seed "$seed" --kev-version 8.0 --cpus 4
    simulate "$WORK/80ring.kev" --events 6000 --seed "$seed" --kev-version 8.0 --cpus 4 --kev-buffers ring
    simulate "$WORK/one.fxt" --format fxt --events 3000 --seed "$seed"
    simulate "$WORK/four.fxt" --format fxt --events 6000 --seed "$seed" --fxt-providers 4
    simulate "$WORK/plain.btrace" --format btrace --events 3000 --seed "$seed"
    simulate "$WORK/64.btrace" --format btrace --events 3000 --seed "$seed" --btrace-stamps 64
    simulate "$WORK/buffer.trx" --format trx --events 3000 --seed "$seed"
    for file in "$WORK"/*.kev "$WORK"/*.fxt "$WORK"/*.btrace "$WORK"/*.trx; do
        name=$(basename "$file")
        follows "seed $seed: $name in random pieces" seed="$seed" pause=100 "$file"
        follows "seed $seed: $name, pieces of 4095" seed="$seed" piece=4095 pause=2000 rest=10 "$file"
        follows "seed $seed: $name through a pipe" seed="$seed" pipe=1 pause=50 "$file"
    done
    for file in 71.kev one.fxt plain.btrace buffer.trx; do
        follows "seed $seed: $file in pieces of 7, with a reader" seed="$seed" piece=7 pause=0 hold=1 \
            rest=20000 "$WORK/$file"
    done
done
for sample in samples/demo.kev samples/demo.fxt samples/demo.btrace samples/demo.trx; do
    follows "$(basename $sample) byte by byte" piece=1 pause=0 rest=50000 "$sample"
done
# It is opened when it has records of two of its four CPUs.
follows "demo.btrace: more CPUs than at first" piece=3000 pause=0 rest=1 still=30 samples/demo.btrace

# damaged PLACE SIZE SAMPLE: prints the sample with these bytes overwritten by letters
damaged() {
    head -c "$1" "$3"
    head -c "$2" /dev/zero | tr '\000' U
    tail -c +$(($1 + $2 + 1)) "$3"
}
size=$(wc -c <samples/demo.kev)
damaged 30000 500 samples/demo.kev >"$WORK/stretch.kev"
{ head -c 30000 samples/demo.kev; head -c 77 samples/demo.trx; tail -c +30001 samples/demo.kev; } >"$WORK/inserted.kev"
{ head -c 30000 samples/demo.kev; tail -c +30078 samples/demo.kev; } >"$WORK/deleted.kev"
damaged $((size - 900)) 900 samples/demo.kev >"$WORK/end.kev"
damaged 33296 500 samples/demo.trx >"$WORK/stretch.trx"
for file in stretch.kev inserted.kev deleted.kev stretch.trx; do
    follows "damaged: $file in random pieces" pause=100 "$WORK/$file"
    follows "damaged: $file, pieces of 4095" piece=4095 pause=2000 rest=10 "$WORK/$file"
    follows "damaged: $file through a pipe" pipe=1 pause=50 "$WORK/$file"
done
# Whether bytes at the end are damaged is known when no more can follow.
follows "damaged: end.kev through a pipe" pipe=1 pause=50 "$WORK/end.kev"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A run is defined by its options: the same options make the same bytes, other options other bytes;
# the committed captures are reproducible.
. tests/lib/case.sh

make_run() { # make_run NAME OPTION...
    local name=$1
    shift
    "$TTSIM" --events 4000 --truth full -o "$WORK/$name" "$@"
}

variants=(
    "--kev-version 6.4 --kev-mode fast"
    "--kev-version 7.1 --kev-mode mixed --endian big"
    "--kev-version 8.0"
    "--kev-buffers ring --kev-ring 3"
    "--lose 3 --kev-slots 200"
    "--format fxt --fxt-providers 3"
    "--format trx --cpus 1 --trx-ring 1000"
    "--format btrace --btrace-ring 32"
    "--format ftrace --ftrace-version 6 --ftrace-long 32"
    "--format ftrace --ftrace-compress zstd --lose 3"
)
for options in "${variants[@]}"; do
    # shellcheck disable=SC2086
    make_run one $options --seed 5
    # shellcheck disable=SC2086
    make_run two $options --seed 5
    # shellcheck disable=SC2086
    make_run three $options --seed 6
    same "same seed, same bytes: $options" "$WORK/one" "$WORK/two"
    same "same seed, same truth: $options" "$WORK/one.truth.jsonl" "$WORK/two.truth.jsonl"
    if cmp -s "$WORK/one" "$WORK/three"; then
        not_ok "another seed, other bytes: $options" "the bytes are the same"
    else
        ok "another seed, other bytes: $options"
    fi
done

# Neither the output file nor the truth changes the bytes of the capture.
"$TTSIM" --events 3000 -o - >"$WORK/piped"
"$TTSIM" --events 3000 --truth sums --truth-file "$WORK/sums" -o "$WORK/plain"
same "standard output gets the same bytes" "$WORK/plain" "$WORK/piped"

mkdir "$WORK/samples"
sh samples/remake.sh "$TTSIM" "$WORK/samples"
while read -r made; do
    same "remade: $made" "samples/$made" "$WORK/samples/$made"
done < <(cd "$WORK/samples" && find . -type f | sort | cut -c 3-)

exits "no output file: usage" 2 "$TTSIM"
exits "unknown option: usage" 2 "$TTSIM" --nonsense -o "$WORK/x"
exits "a value out of bounds: usage" 2 "$TTSIM" --cpus 65 -o "$WORK/x"
exits "options that exclude each other: usage" 2 "$TTSIM" --interlace 2 --lose 3 -o "$WORK/x"
exits "output that cannot be written" 2 "$TTSIM" -o "$WORK/no/such/folder"
exits "--help" 0 "$TTSIM" --help
for scenario in mixed inversion chatty irqstorm overload churn; do
    says "--help names $scenario" "^  $scenario " "$WORK/out"
done

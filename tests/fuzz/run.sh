#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds every tests/fuzz/fuzz_*.c with libFuzzer and runs it for FUZZ_SECONDS (30) seconds from the
# corpus in tests/fuzz/corpus/ and the samples. What breaks it is left in build/fuzz/.
set -u
cd "$(dirname "$0")/../.." || exit 2
seconds=${FUZZ_SECONDS:-30}
clang=${CLANG:-clang}
libs=${LIBS:--lpcre2-8 -lxxhash -lz -lzstd -linih} # make fuzz says which
if ! command -v "$clang" >/dev/null 2>&1; then
    echo "fuzz: this needs clang with libFuzzer" >&2
    exit 2
fi

out=build/fuzz
mkdir -p "$out"
flags=(-std=c11 -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64 -Iinclude -Isrc
    -DTT_VERSION='"fuzz"' -pthread -O1 -g -fno-omit-frame-pointer
    -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all)

# The library once for all targets; only what is newer than its object is compiled.
objects=()
for source in src/base/*.c src/format/*.c src/format/*/*.c src/trace/*.c src/analysis/*.c src/filter/*.c; do
    [ -f "$source" ] || continue
    object=$out/${source//\//_}.o
    objects+=("$object")
    if [ ! "$object" -nt "$source" ] || [ -n "$(find include src -name '*.h' -newer "$object" -print -quit)" ]; then
        "$clang" "${flags[@]}" -c -o "$object" "$source" || exit 1
    fi
done

failed=0
for source in tests/fuzz/fuzz_*.c; do
    name=$(basename "$source" .c)
    "$clang" "${flags[@]}" -fsanitize=fuzzer -o "$out/$name" "$source" "${objects[@]}" \
        $libs -lm || exit 1
    corpus=$out/$name.corpus
    mkdir -p "$corpus"
    seeds=()
    [ -d "tests/fuzz/corpus/$name" ] && seeds+=("tests/fuzz/corpus/$name")
    if [ "$name" = fuzz_open ]; then # the beginnings of the samples: small inputs run fast
        mkdir -p "$out/seeds"
        for sample in samples/*.kev samples/*.fxt samples/*.trx samples/*.btrace; do
            [ ! -f "$sample" ] || head -c 6000 "$sample" >"$out/seeds/$(basename "$sample")"
        done
        seeds+=("$out/seeds")
    fi
    echo "== $name for $seconds s"
    if "$out/$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=16384 \
        -print_final_stats=1 -artifact_prefix="$out/$name-" "$corpus" "${seeds[@]}" \
        >"$out/$name.log" 2>&1 </dev/null; then
        grep -aE 'stat::number_of_executed_units|stat::average_exec' "$out/$name.log"
    else
        failed=1
        tail -n 40 "$out/$name.log"
        echo "fuzz: $name broke; what did it is in $out/$name-*"
    fi
done
exit $failed

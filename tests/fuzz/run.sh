#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds every tests/fuzz/fuzz_*.c with libFuzzer and runs each for FUZZ_SECONDS (30) seconds,
# FUZZ_JOBS (one per CPU) at once, from tests/fuzz/corpus/NAME, tests/fuzz/found/NAME and the inputs
# that earlier runs found, in build/fuzz/NAME.corpus, with tests/fuzz/NAME.dict.
#
#     bash tests/fuzz/run.sh [NAME ...]      NAME: fuzz_kev, ...; all without
#
# Failing inputs are left in build/fuzz/NAME-*; to add one as a test, copy it to
# tests/fuzz/found/NAME. build/fuzz.json counts executions of this run, and of all runs
# since the file was created.
set -u
cd "$(dirname "$0")/../.." || exit 2
seconds=${FUZZ_SECONDS:-30}
jobs=${FUZZ_JOBS:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)}
clang=${CLANG:-clang}
libs=${LIBS:--lncursesw -ltinfo -lpcre2-8 -lxxhash -lz -lzstd -linih -ljansson -lsqlite3} # set by make fuzz
if ! command -v "$clang" >/dev/null 2>&1; then
    echo "fuzz: this needs clang with libFuzzer" >&2
    exit 2
fi

out=build/fuzz
mkdir -p "$out"
# shellcheck disable=SC2054 # commas within an option
flags=(-std=c11 -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64 -Iinclude -Isrc
    -DTT_VERSION='"fuzz"' -DTT_BLOCK_EVENTS=128u -DTT_FEED_WINDOW=64u
    -pthread -O1 -g -fno-omit-frame-pointer
    -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all)

# Builds the library once for all targets; compiles changed files only.
sh themes/embed.sh themes/*.theme >"$out/builtin.c.new"
cmp -s "$out/builtin.c.new" "$out/builtin.c" || mv "$out/builtin.c.new" "$out/builtin.c"
# The built-in terminals; make fuzz sets TERMINALS.
# shellcheck disable=SC2086 # a list of words
sh src/tui/term/terminals.sh ${TERMINALS:-xterm xterm-256color} >"$out/terminals.c.new"
cmp -s "$out/terminals.c.new" "$out/terminals.c" || mv "$out/terminals.c.new" "$out/terminals.c"
# flags_of SOURCE: comparisons in src/trace seldom involve bytes of the input, and tracing them for the
# fuzzer takes half of the time
flags_of() {
    case $1 in
    src/trace/*) echo -fno-sanitize-coverage=trace-cmp ;;
    esac
}
compile() {
    local object=$out/${1//\//_}.o
    if [ ! "$object" -nt "$1" ] || [ -n "$(find include src -name '*.h' -newer "$object" -print -quit)" ]; then
        # shellcheck disable=SC2046 # a list of words
        "$clang" "${flags[@]}" $(flags_of "$1") -c -o "$object" "$1" || touch "$out/failed"
    fi
}
wait_for_room() {
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do
        wait -n
    done
}
rm -f "$out/failed"
sources=()
for source in src/*/*.c src/*/*/*.c "$out/builtin.c" "$out/terminals.c"; do
    [ -f "$source" ] || continue
    sources+=("$source")
    wait_for_room
    compile "$source" &
done
wait
[ ! -e "$out/failed" ] || exit 1
objects=("${sources[@]//\//_}")
objects=("${objects[@]/#/$out/}")
objects=("${objects[@]/%/.o}")
rm -f "$out/liball.a"
ar rcs "$out/liball.a" "${objects[@]}" || exit 1

# seeds_of NAME: prints the directories of its inputs
seeds_of() {
    local folder
    for folder in "tests/fuzz/corpus/$1" "tests/fuzz/found/$1"; do
        [ ! -d "$folder" ] || echo "$folder"
    done
    case $1 in
    fuzz_open) # the beginnings of the samples: small inputs run fast
        mkdir -p "$out/seeds"
        for sample in samples/*.kev samples/*.fxt samples/*.trx samples/*.btrace samples/*.dat; do
            [ ! -f "$sample" ] || head -c 6000 "$sample" >"$out/seeds/$(basename "$sample")"
        done
        echo "$out/seeds"
        ;;
    fuzz_theme) echo themes ;;
    esac
}

run_target() {
    local name=$1 options=()
    [ ! -f "tests/fuzz/$name.dict" ] || options+=("-dict=tests/fuzz/$name.dict")
    # Each input reaches thousands of edges; computing their rarity takes longer than running.
    [ "$name" != fuzz_keep ] || options+=(-entropic=0)
    # shellcheck disable=SC2046 # folders without spaces
    if ! nice "$out/$name" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=2048 \
        -max_len=16384 -print_final_stats=1 -artifact_prefix="$out/$name-" "${options[@]}" \
        "$out/$name.corpus" $(seeds_of "$name") >"$out/$name.log" 2>&1 </dev/null; then
        touch "$out/$name.broke"
    fi
}

names=("$@")
if [ ${#names[@]} -eq 0 ]; then
    for source in tests/fuzz/fuzz_*.c; do
        names+=("$(basename "$source" .c)")
    done
fi
for name in "${names[@]}"; do
    # shellcheck disable=SC2086 # a list of words
    "$clang" "${flags[@]}" -fsanitize=fuzzer -o "$out/$name" "tests/fuzz/$name.c" \
        "$out/liball.a" $libs -lm || exit 1
    mkdir -p "$out/$name.corpus"
    rm -f "$out/$name.broke"
done
for name in "${names[@]}"; do
    wait_for_room
    run_target "$name" &
done
wait

# ---- the count ------------------------------------------------------------------------------------

# number_of NAME KEY: prints a target's number in build/fuzz.json, or 0
number_of() {
    local value
    value=$(sed -n "s/.*\"$1\": .*\"$2\": \([0-9]*\).*/\1/p" build/fuzz.json 2>/dev/null)
    echo "${value:-0}"
}
last_number() { grep -aoE "$2" "$out/$1.log" | tail -n 1 | grep -oE '[0-9]+$'; }

failed=0
lines=()
for source in tests/fuzz/fuzz_*.c; do
    name=$(basename "$source" .c)
    executions=0
    spent=0
    case " ${names[*]} " in
    *" $name "*)
        executions=$(last_number "$name" 'number_of_executed_units: +[0-9]+')
        executions=${executions:-$(last_number "$name" '^#[0-9]+')}
        executions=${executions:-0}
        spent=$seconds
        if [ -e "$out/$name.broke" ]; then
            failed=1
            tail -n 40 "$out/$name.log"
            echo "fuzz: $name broke; what did it is in $out/$name-*"
        fi
        edges=$(last_number "$name" 'cov: [0-9]+')
        printf '%-16s %9d executions in %d s, %d edges, %d inputs kept\n' "$name" "$executions" \
            "$spent" "${edges:-0}" "$(find "$out/$name.corpus" -type f | wc -l)"
        ;;
    esac
    lines+=("  \"$name\": {\"executions\": $executions, \"seconds\": $spent, \"all_executions\": $(($(number_of "$name" all_executions) + executions)), \"all_seconds\": $(($(number_of "$name" all_seconds) + spent))}")
done
{
    echo '{'
    printf '%s,\n' "${lines[@]}" | sed '$s/,$//'
    echo '}'
} >build/fuzz.json.new && mv build/fuzz.json.new build/fuzz.json
exit $failed

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Captures in the Common Trace Format: each event with its time, CPU, name and fields as babeltrace2 prints them, and
# the numbers of threads by a second implementation, on the samples, on simulated captures of every form, and on captures
# of others; with CTF 2, which babeltrace2 2.0 does not read, by a twin with the same streams.
. tests/lib/case.sh

same_as_babeltrace() { # same_as_babeltrace NAME CAPTURE [TWIN]
    run python3 tests/golden/ctf_same.py "$TRACETUI" "${@:2}"
    while read -r line; do ok "$1: $line"; done <"$WORK/out"
    while read -r line; do not_ok "$1" "$line"; done <"$WORK/err"
    [ -s "$WORK/out" ] || not_ok "$1" "nothing was compared"
}

same_as_viewer() { # same_as_viewer NAME CAPTURE
    run python3 tests/golden/zephyr_states.py "$TRACETUI" "$2"
    while read -r line; do ok "$1: $line"; done <"$WORK/out"
    while read -r line; do not_ok "$1" "$line"; done <"$WORK/err"
    [ -s "$WORK/out" ] || not_ok "$1" "no states were compared"
}

# events_of CAPTURE: the number of recorded events
events_of() {
    "$TRACETUI" dump --format jsonl "$1" 2>"$WORK/err" | grep -c '"derived":false'
}

if ! command -v babeltrace2 >/dev/null; then
    skip "captures in CTF as babeltrace2 reads them" "there is no babeltrace2"
    exit 0
fi

# ---- simulated captures
for options in "" "--lttng-header large --scenario chatty" "--endian big --scenario churn" "--ftrace-long 32 --scenario inversion" \
    "--endian big --ftrace-long 32 --lttng-contexts" "--ftrace-kernel 4.14 --lttng-packet 4096" "--ftrace-kernel 3.10" \
    "--cpus 64 --scenario irqstorm" "--lose 3 --lttng-contexts"; do
    # shellcheck disable=SC2086
    "$TTSIM" --format lttng --events 4000 $options -o "$WORK/run"
    same_as_babeltrace "ttsim lttng $options" "$WORK/run"
done
"$TTSIM" --format lttng --events 4000 -o "$WORK/run"
"$TTSIM" --format lttng --events 4000 --lttng-ctf 2 -o "$WORK/run2"
same_as_babeltrace "ttsim lttng --lttng-ctf 2" "$WORK/run2" "$WORK/run"
for release in 3.5 4.3 4.4 4.5 smp cpu; do
    "$TTSIM" --format zephyr --zephyr-release $release --events 2000 -o "$WORK/zephyr-$release"
    same_as_babeltrace "ttsim zephyr $release" "$WORK/zephyr-$release"
done
# Threads by the rules of Zephyr's viewer.
for release in 3.5 4.3 4.5 smp cpu; do
    cpus=()
    [[ $release = [0-9]* ]] && cpus=(--cpus 1)
    "$TTSIM" --format zephyr --zephyr-release $release "${cpus[@]}" --events 2000 -o "$WORK/viewed"
    same_as_viewer "ttsim zephyr $release" "$WORK/viewed"
done
# The packets of all CPUs in one stream, and slots of RAM in another order, at which babeltrace2 stops.
"$TTSIM" --format zephyr --zephyr-release link --events 2000 -o "$WORK/link"
same_as_babeltrace "ttsim zephyr link" "$WORK/link" "$WORK/zephyr-cpu"
"$TTSIM" --format zephyr --zephyr-release ram --events 2000 -o "$WORK/ram"
same_as_babeltrace "ttsim zephyr ram" "$WORK/ram" "$WORK/zephyr-4.5"

# A stream that grows after its first events were printed: the same lines as when it is complete.
grow() { # grow NAME CAPTURE STREAM
    rm -rf "$WORK/growing"
    cp -r "$2" "$WORK/growing"
    size=$(($(stat -c %s "$2/$3") / 2))
    head -c $size "$2/$3" >"$WORK/growing/$3"
    "$TRACETUI" dump "$2" >"$WORK/whole"
    timeout 300 "$TRACETUI" dump -f --until "n = $(($(events_of "$2") - 1))" "$WORK/growing" >"$WORK/out" 2>"$WORK/err" &
    while [ ! -s "$WORK/out" ] && kill -0 $! 2>/dev/null; do sleep 0.1; done
    tail -c +$((size + 1)) "$2/$3" >>"$WORK/growing/$3"
    wait
    same "$1: followed" "$WORK/whole" "$WORK/out"
}
"$TTSIM" --format zephyr --zephyr-release 4.5 --cpus 1 --events 4000 -o "$WORK/one"
grow "ttsim zephyr 4.5" "$WORK/one" channel0_0
"$TTSIM" --format lttng --scenario inversion --events 4000 -o "$WORK/one_cpu"
grow "ttsim lttng" "$WORK/one_cpu" channel0_0

# A file of the stream that appears later, as with trace-file rotation.
"$TTSIM" --format lttng --scenario inversion --events 4000 --lttng-packet 4096 -o "$WORK/later"
rm -rf "$WORK/later/index"
head -c $((20 * 4096)) "$WORK/later/channel0_0" >"$WORK/first"
tail -c +$((20 * 4096 + 1)) "$WORK/later/channel0_0" >"$WORK/second"
"$TRACETUI" dump "$WORK/later" >"$WORK/whole"
last=$(($(events_of "$WORK/later") - 1))
mv "$WORK/first" "$WORK/later/channel0_0"
timeout 300 "$TRACETUI" dump -f --until "n = $last" "$WORK/later" >"$WORK/out" 2>"$WORK/err" &
while [ ! -s "$WORK/out" ] && kill -0 $! 2>/dev/null; do sleep 0.1; done
mv "$WORK/second" "$WORK/later/channel0_0_1"
wait
same "a new file of a stream: followed" "$WORK/whole" "$WORK/out"

# A packet whose header is overwritten costs its own events; the next one is found by its magic number.
mkdir "$WORK/damaged"
cp "$WORK/later/metadata" "$WORK/damaged/"
cat "$WORK/later/channel0_0" "$WORK/later/channel0_0_1" >"$WORK/damaged/channel0_0"
printf '%040d' 0 | dd of="$WORK/damaged/channel0_0" bs=1 seek=$((5 * 4096)) conv=notrunc 2>"$WORK/err"
"$TRACETUI" dump --format jsonl "$WORK/damaged" 2>"$WORK/err" | grep -o '"ticks":[0-9]*\|"offset":[0-9]*' | paste - - >"$WORK/out"
"$TRACETUI" dump --format jsonl "$WORK/later" | grep -o '"ticks":[0-9]*\|"offset":[0-9]*' | paste - - >"$WORK/all"
"$TRACETUI" info "$WORK/damaged" >"$WORK/info" 2>"$WORK/err"
cut -f1 "$WORK/all" | sort >"$WORK/all.times"
cut -f1 "$WORK/out" | sort >"$WORK/out.times"
missing=$(($(wc -l <"$WORK/all") - $(wc -l <"$WORK/out")))
if [ $missing -gt 50 ] && [ $missing -lt 200 ] && [ -z "$(comm -13 "$WORK/all.times" "$WORK/out.times")" ] &&
    grep -q 'not_read  *1  bytes' "$WORK/info"; then
    ok "a damaged packet header: $missing events are missing"
else
    not_ok "a damaged packet header" "$missing events are missing: $(grep -A4 '^health' "$WORK/info")"
fi

# Through a pipe, with the metadata elsewhere: at once, and followed while it arrives.
"$TRACETUI" dump "$WORK/one" >"$WORK/whole"
"$TRACETUI" dump --metadata "$WORK/one/metadata" - <"$WORK/one/channel0_0" >"$WORK/out" 2>"$WORK/err"
same "standard input with --metadata" "$WORK/whole" "$WORK/out"
mkfifo "$WORK/fifo"
timeout 300 "$TRACETUI" dump -f --metadata "$WORK/one/metadata" - <"$WORK/fifo" >"$WORK/out" 2>"$WORK/err" &
{
    head -c 20000 "$WORK/one/channel0_0"
    while [ ! -s "$WORK/out" ] && kill -0 $! 2>/dev/null; do sleep 0.1; done
    tail -c +20001 "$WORK/one/channel0_0"
} >"$WORK/fifo"
wait
same "standard input with --metadata: followed" "$WORK/whole" "$WORK/out"

# Chunks of an archive, as after lttng rotate: streams go on in the next one.
"$TTSIM" --format lttng --events 4000 -o "$WORK/rotated"
for chunk in 1 2; do
    mkdir -p "$WORK/archive/chunk$chunk"
    cp "$WORK/rotated/metadata" "$WORK/archive/chunk$chunk/"
done
for stream in "$WORK"/rotated/channel0_*; do
    first=$(($(stat -c %s "$stream") / 2 / 8192 * 8192))
    head -c $first "$stream" >"$WORK/archive/chunk1/${stream##*/}"
    tail -c +$((first + 1)) "$stream" >"$WORK/archive/chunk2/${stream##*/}"
done
"$TRACETUI" stats --by thread --format csv "$WORK/rotated" >"$WORK/whole"
"$TRACETUI" stats --by thread --format csv "$WORK/archive" >"$WORK/out"
same "chunks of an archive: the same numbers" "$WORK/whole" "$WORK/out"
"$TRACETUI" dump "$WORK/rotated" >"$WORK/whole"
"$TRACETUI" dump "$WORK/archive" >"$WORK/out"
same "... and events" "$WORK/whole" "$WORK/out"

# ---- captures of others
captures=../shared/captures/ctf
if [ ! -d $captures ]; then
    skip "captures of others" "there are none here"
    exit 0
fi
for metadata in "$captures"/lttng-*/metadata "$captures"/lttng-kernel-ust/*/metadata "$captures"/{ust-*,perf-*,small/*,zephyr/*}/metadata; do
    capture=${metadata%/metadata}
    same_as_babeltrace "${capture#"$captures"/}" "$capture"
done
for capture in "$captures"/zephyr/{2.5-tracing-native_posix,3.5-tracing-qemu_x86,3.5-philosophers-qemu_x86}; do
    same_as_viewer "${capture#"$captures"/}" "$capture"
done
for twin in lttng-crash barectf-event-before-packet ev-disc-no-ts-begin-end smalltrace; do
    same_as_babeltrace "ctf2/$twin" $captures/ctf2/$twin $captures/small/$twin
done
same_as_babeltrace "ctf2/meta-variant-no-underscore" $captures/ctf2/meta-variant-no-underscore $captures/small/meta-variant-one-underscore

# ---- those at which babeltrace2 stops
exits "ctf2/vl-ints" 0 "$TRACETUI" dump $captures/ctf2/vl-ints
same_text "broken/valid-then-invalid: events" 2 "$(events_of $captures/broken/valid-then-invalid)"
same_text "broken/invalid-packet-size: events" 10 "$(events_of $captures/broken/invalid-packet-size)"
exits "broken/smalltrace" 2 "$TRACETUI" dump $captures/broken/smalltrace
says "broken/smalltrace" 'metadata, line 6: the version is not 1.8' "$WORK/err"
# Functions of a program are slices, in whose rows Events shows their durations.
"$TRACETUI" sql --format csv 'select count(*), sum(dur_ns is not null) > 0 from slices' $captures/ust-functions >"$WORK/out"
says "ust-functions: slices" '^[1-9][0-9]*,1$' "$WORK/out"
"$TRACETUI" render events --size 100x40 --keys 'G' $captures/ust-functions >"$WORK/out"
says "ust-functions: durations" 'func_(entry|exit)' "$WORK/out"

# Threads of Zephyr are addresses.
"$TRACETUI" dump "$WORK/one" | grep -qE ' zephyr/0x[0-9a-f]{8} ' && ok "addresses of threads" ||
    not_ok "addresses of threads" "$("$TRACETUI" dump "$WORK/one" | sed -n 100p)"

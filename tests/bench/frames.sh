#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Frames: times of FRAME_KEYS (300) random keys in each view of BENCH_FRAMES (100) million events, or of
# 10 if the disk is too small; and the bytes sent to the terminal, also of the worst of 120 moves by a line.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/bench/lib.sh
millions=${BENCH_FRAMES:-100}
has_room "$millions" || millions=10
make_crowd "${millions}000000"
frames=$("$variant/tests/bench/bench_frames" "$crowd" "${FRAME_KEYS:-300}" 200x60) || exit 2
[ "$millions" -le 16 ] || rm -f "$crowd"
make_crowd 4000000
sent=$("$variant/tests/bench/bench_frames" --bytes build/tracetui "$crowd") || exit 2
burst=$("$variant/tests/bench/bench_frames" --burst "$crowd" build/tracetui) || exit 2
view() { sed -n "s/.*\"$1\":{\(\"frame\".*\)/\1/p" <<<"$frames" | sed 's/}}.*/}}/'; }
for name in events threads cpus summary info messages snapshot; do
    of=$(view $name)
    row "a key in $name, $millions M events, ms: median" "$(part "$of" frame median_ms)" "10 / 1"
    row "... 99 of 100" "$(part "$of" frame p99_ms)"
    row "... the slowest" "$(part "$of" frame max_ms)"
    row "... the slowest in processor time" "$(part "$of" frame_cpu max_ms)" "2 / 1"
    row "... the slowest slice after it" "$(part "$of" slice_cpu max_ms)"
done
of=$(sed -n 's/.*"why":{\(.*\)/\1/p' <<<"$frames")
row "the Why pane opens, $millions M events, ms: median" "$(part "$of" open median_ms)" "50 / 10"
row "... the slowest" "$(part "$of" open max_ms)"
row "... the slowest in processor time" "$(part "$of" open_cpu max_ms)" "2 / 1"
row "a key in it, the slowest in processor time" "$(part "$of" frame_cpu max_ms)" "2 / 1"
for name in events threads cpus summary info messages snapshot; do
    row "bytes at 80x24, $name: a full frame" "$(part "$sent" $name full)" "6656 / 3584"
    row "... one line down" "$(part "$sent" $name down)" "450 / 150"
    row "... idle" "$(part "$sent" $name idle)" "at most 0"
done
# moves KEYS: the bytes of each of 60 lines down and 60 up after KEYS, sorted
moves() {
    { echo "$1" && yes j | head -n 60 && yes k | head -n 60; } |
        TERM=xterm-256color "$variant/tests/screens/bytes_of_keys" "$crowd" | tail -n +2 | sort -g
}
while read -r name keys; do
    of=$(moves "$keys") || exit 2
    row "a line down or up at 80x24, bytes: ${name//-/ }, median of 120" "$(median <<<"$of")" "450 / 225"
    row "... the worst" "$(tail -n 1 <<<"$of")" "450 / 225"
done <<'END'
Events 1:50%<Enter>
Events-with-the-detail-pane 1:50%<Enter><Enter>
Threads 20g
CPUs 30g
Summary 4g
Info 5g
Messages 6g
Snapshot 7g
Threads-zoomed-by-64 2:50%<Enter>++++++g
CPUs-zoomed-by-32 3:50%<Enter>+++++g
END
row "500 keys at once, ms: j in Events" "$(part "$burst" "1 j" ms)"
row "... j l in Threads" "$(part "$burst" "2 jl" ms)"
row "... l + h - in Threads" "$(part "$burst" "2 l+h-" ms)"
row "... l j in CPUs" "$(part "$burst" "3 lj" ms)"
row "... j l in Summary" "$(part "$burst" "4 jl" ms)"
printf '{"views":%s,"bytes":%s,"burst":%s}\n' "$frames" "$sent" "$burst" >"$folder/frames.json"

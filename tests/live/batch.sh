# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# dump -f and stats -f, --until and --timeout, and their messages when the file changes. Tests wait for
# output, without a limit that a slow machine could reach; only the tests of --timeout measure seconds.
. tests/lib/case.sh

# poll COMMAND...: true as soon as the command is; false after 200 s
poll() {
    local end=$((SECONDS + 200))
    while [ $SECONDS -lt $end ]; do
        "$@" && return 0
        sleep 0.05
    done
    return 1
}

# printed FILE [WHERE]: the output equals the file
printed() { cmp -s "$1" "${2:-$WORK/out}" 2>/dev/null; }

# begins ARGUMENTS...: starts dump -f in the background as $follower
begins() {
    : >"$WORK/out" # what was there before is not what is waited for
    "$TRACETUI" dump -f "$@" >"$WORK/out" 2>"$WORK/err" </dev/null &
    follower=$!
}

# ends: checks that nothing follows within a second, and ends the program
ends() {
    sleep 1
    kill "$follower"
    wait "$follower" 2>/dev/null
}

whole=$WORK/whole.kev
"$TTSIM" -o "$whole" --events 8000 --seed 2 2>/dev/null
"$TRACETUI" dump "$whole" >"$WORK/whole.txt"
half=$(($(wc -c <"$whole") / 2))

# grows FILE: writes half of the capture now and half slightly later
grows() {
    head -c "$half" "$whole" >"$1"
    sleep 0.3
    tail -c +$((half + 1)) "$whole" >>"$1"
}

grows "$WORK/grow.kev" &
begins "$WORK/grow.kev"
poll printed "$WORK/whole.txt"
ends
same "its lines are those of the finished file" "$WORK/whole.txt" "$WORK/out"
exits "dump -f stops when its time is over" 0 "$TRACETUI" dump -f --timeout 2s "$WORK/grow.kev"

# ---- each event once, in any order of arrival
# in_pieces FILE SEED: writes its bytes in pieces of random sizes
in_pieces() {
    local size at=0 piece sizes=(1 7 4095 16384)
    size=$(wc -c <"$1")
    RANDOM=$2
    while [ "$at" -lt "$size" ]; do
        piece=${sizes[RANDOM % 4]}
        [ $((RANDOM % 2)) -eq 0 ] || piece=$((RANDOM % 16384 + 1))
        tail -c +$((at + 1)) "$1" | head -c "$piece"
        at=$((at + piece))
        sleep "0.00$((RANDOM % 10))"
    done
}
# The name of a thread may follow its events in another piece, and so may earlier events of
# another provider: names and numbers are not compared.
lines_of() { cut -d, -f2-6,8- | sed 's/([^()]*)//g' | sort; }
# sorted_as: true if the output, in $WORK/lines, equals $WORK/sorted
sorted_as() {
    lines_of <"$WORK/out" >"$WORK/lines" 2>/dev/null
    printed "$WORK/sorted" "$WORK/lines"
}
# once NAME FILE SEED: the sorted lines equal those of the finished file
once() {
    local grown=$WORK/grown.${2##*.}
    "$TRACETUI" dump --format csv "$2" | lines_of >"$WORK/sorted"
    in_pieces "$2" "$3" | "$TRACETUI" dump -f --format csv - 2>"$WORK/err" |
        lines_of >"$WORK/out"
    same "each event once, through a pipe, seed $3: $1" "$WORK/sorted" "$WORK/out"
    rm -f "$grown"
    in_pieces "$2" "$3" >"$grown" &
    begins --format csv "$grown"
    poll sorted_as
    ends
    sorted_as
    same "each event once, from a file, seed $3: $1" "$WORK/sorted" "$WORK/lines"
}
for ((seed = 1; seed <= ${LIVE_SEEDS:-1}; seed++)); do
    simulate() { "$TTSIM" -o "$WORK/$1" --seed "$seed" "${@:2}" >/dev/null 2>&1; }
    simulate four.fxt --format fxt --events 3000 --fxt-providers 4
    simulate parted.kev --events 3000 --interlace 5 --ties --endian big
    simulate parts.btrace --format btrace --events 3000
    simulate buffer.trx --format trx --events 3000
    "$TRACETUI" dump --style traceprinter7 "$WORK/parted.kev" >"$WORK/text.txt"
    for file in four.fxt parted.kev parts.btrace buffer.trx text.txt; do
        once "$file" "$WORK/$file" "$seed"
    done
    # Thread names arrive after their events here: these lines omit them.
    simulate ring.kev --events 3000 --kev-version 8.0 --cpus 4 --kev-buffers ring
    "$TRACETUI" dump --format csv "$WORK/ring.kev" | cut -d, -f1-6 >"$WORK/sorted"
    in_pieces "$WORK/ring.kev" "$seed" | "$TRACETUI" dump -f --format csv - 2>"$WORK/err" |
        cut -d, -f1-6 >"$WORK/out"
    same "rings of four CPUs: each event once, in order, with its number, seed $seed" "$WORK/sorted" "$WORK/out"
done

# ---- pipes, --until, stats
(head -c "$half" "$whole"; sleep 0.3; tail -c +$((half + 1)) "$whole") |
    "$TRACETUI" dump -f - >"$WORK/out" 2>"$WORK/err"
same_text "a pipe ends: exit status" "0 0" "${PIPESTATUS[*]}"
same "a pipe ends: all lines" "$WORK/whole.txt" "$WORK/out"

(head -c $((half + 5)) "$whole") | "$TRACETUI" dump -f - >"$WORK/out" 2>"$WORK/err"
same_text "a pipe closed in mid-record: exit status" 1 "${PIPESTATUS[1]}"
says "and it says so" 'file ends inside a record' "$WORK/err"

last=$(tail -n 1 "$WORK/whole.txt")
(head -c "$half" "$whole"; sleep 0.3; tail -c +$((half + 1)) "$whole"; sleep 5) |
    "$TRACETUI" dump -f --until 'event = THCREATE and tid = 3' --timeout 100s - >"$WORK/out" 2>"$WORK/err"
same_text "--until: the event came" 0 "${PIPESTATUS[1]}"
says "and is the last line" 'THCREATE .*tid=3' <(tail -n 1 "$WORK/out")
if [ "$last" = "$(tail -n 1 "$WORK/out")" ]; then not_ok "nothing after it" "$last"; else ok "nothing after it"; fi

# The match begins a later block of 1024 events, or is in a later batch of a large file.
"$TTSIM" -o "$WORK/large.kev" --events 100000 --seed 3 2>/dev/null
for late in 1024 31000 99000; do
    before=$("$TRACETUI" dump --filter "time < #$late" "$WORK/large.kev" | wc -l)
    "$TRACETUI" dump -f --until "time >= #$late" --timeout 100s "$WORK/large.kev" >"$WORK/out" 2>"$WORK/err"
    same_text "--until: event $late came" 0 $?
    "$TRACETUI" dump "$WORK/large.kev" | head -n $((before + 1)) >"$WORK/expected"
    same "--until: it ends with event $late" "$WORK/expected" "$WORK/out"
done

exits "--until: it did not come" 3 "$TRACETUI" dump -f --until 'pid = 999999' --timeout 1s "$whole"
exits "--until: there never was a file" 3 "$TRACETUI" dump -f --until 'pid = 1' --timeout 300ms "$WORK/none.kev"
exits "--until without -f" 2 "$TRACETUI" dump --until 'pid = 1' "$whole"
exits "-f with --style" 2 "$TRACETUI" dump -f --style traceprinter "$whole"

cpus=$("$TRACETUI" stats --by cpu --format jsonl "$whole" | wc -l)
"$TRACETUI" stats --by cpu --format jsonl "$whole" >"$WORK/expected"
# The rest is written after the numbers of the first half have been printed twice.
twice() { [ "$(wc -l <"$WORK/out")" -ge $((2 * cpus)) ]; }
: >"$WORK/out"
(head -c "$half" "$whole"; poll twice; tail -c +$((half + 1)) "$whole") |
    "$TRACETUI" stats -f --interval 0.5 --by cpu --format jsonl - >>"$WORK/out" 2>"$WORK/err"
same_text "stats -f ends with the pipe" 0 "${PIPESTATUS[1]}"
tail -n "$cpus" "$WORK/out" >"$WORK/final"
same "its last numbers are those of the whole" "$WORK/expected" "$WORK/final"
times=$(($(wc -l <"$WORK/out") / cpus))
if [ "$times" -ge 3 ]; then ok "it printed several times"; else not_ok "it printed several times" "$times"; fi

# Tables: a line about the capture before each, and an empty line between two.
printed_twice() { [ "$(grep -c ' a second$' "$WORK/out")" -ge 2 ]; }
: >"$WORK/out"
(cat "$whole"; poll printed_twice) | "$TRACETUI" stats -f --interval 0.1 --by cpu - >>"$WORK/out" 2>"$WORK/err"
together=$(awk '/ a second$/ && before != "" { n++ } { before = $0 } END { print n + 0 }' "$WORK/out")
same_text "stats -f separates its tables by an empty line" 0 "$together"
same_text "... and has none before the first" 1 "$(head -n 1 "$WORK/out" | grep -c ' a second$')"

# ---- change
"$TTSIM" -o "$WORK/other.kev" --events 2000 --seed 9 2>/dev/null
"$TRACETUI" dump "$WORK/other.kev" >"$WORK/other.txt"
cat "$WORK/whole.txt" "$WORK/other.txt" >"$WORK/both.txt"
cp "$whole" "$WORK/a.kev"
begins "$WORK/a.kev"
poll printed "$WORK/whole.txt"
cp "$WORK/other.kev" "$WORK/new"
mv "$WORK/new" "$WORK/a.kev"
poll printed "$WORK/both.txt"
if kill -0 "$follower"; then ok "the file is replaced: dump -f continues"; else not_ok "the file is replaced: dump -f continues"; fi
ends
says "it says so" 'was replaced: reloaded' "$WORK/err"
same "it prints one and then the other" "$WORK/both.txt" "$WORK/out"

cp "$whole" "$WORK/b.kev"
begins --on-change keep --timeout 200s "$WORK/b.kev"
poll printed "$WORK/whole.txt"
cat "$WORK/other.kev" >"$WORK/b.kev"
wait "$follower"
same_text "rewritten with --on-change keep: no more events" 0 $?
says "keeping is reported" 'keeping the events read so far' "$WORK/err"
same "and prints the events read before, nothing else" "$WORK/whole.txt" "$WORK/out"

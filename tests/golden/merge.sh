# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# --merge: the parts of a split recording give the model of the whole; captures of different systems
# keep their events, threads and CPUs; clocks are aligned by dates, offsets and pairs of events.
# MERGE_SEEDS=N: N simulated runs of each kind (1). WHOLE=1: members of all pairs and triples of formats.
. tests/lib/case.sh

SEEDS=${MERGE_SEEDS:-1}
KEV=samples/demo.kev FXT=samples/demo.fxt

# ---- parts of one run ---------------------------------------------------------------------------

# without_flows: reads rows of blame. A flow that goes from file to file is not followed, so that the answer for which a
# thread waits is not known: what the whole capture calls an inversion is `lower` in the parts. Both are one row here.
without_flows() {
    awk -F, -v OFS=, '
        NF == 14 && $7 ~ /^(inversion|lower)$/ {
            key = $1 FS $2 FS $3 FS $4 FS $5 FS $6 FS "lower" FS $8 FS $9
            ready[key] += $10; blocked[key] += $11; idle[key] += $12; total[key] += $13
            next }
        { $14 = ""; print }
        END { for (key in ready) print key, ready[key], blocked[key], idle[key], total[key], "" }' | sort
}

# split SEED TABLES OPTION...: a run, and its files by CPU. Each file of a QNX trace has control records of its
# own, which only the table by event shows.
split() {
    local seed=$1 tables=$2 by cpu side
    shift 2
    "$TTSIM" --seed "$seed" --seconds 0.03 --cpus 3 "$@" -o "$WORK/whole" || not_ok "$*" "no run"
    for cpu in 0 1 2; do
        "$TTSIM" --seed "$seed" --seconds 0.03 --cpus 3 "$@" --only-cpu "$cpu" -o "$WORK/part$cpu"
    done
    for by in $tables; do
        "$TRACETUI" stats --by "$by" --format csv "$WORK/whole" | grep -v '^CONTROL,\(BUFFER\|TIME\),' | sort >"$WORK/whole.$by"
        "$TRACETUI" stats --by "$by" --format csv --merge --one-system "$WORK"/part[012] |
            grep -v '^CONTROL,\(BUFFER\|TIME\),' | sort >"$WORK/merged.$by"
        if [ "$by $*" = "blame --format fxt" ]; then
            for side in whole merged; do
                without_flows <"$WORK/$side.blame" >"$WORK/joined" && mv "$WORK/joined" "$WORK/$side.blame"
            done
        fi
        same "seed $seed $*: $by" "$WORK/whole.$by" "$WORK/merged.$by"
    done
}

for ((seed = 1; seed <= SEEDS; seed++)); do
    split "$seed" "thread process event cpu pair blame" --format kev
    split "$seed" "thread pair" --format kev --kev-version 8.0
    split "$seed" "thread cpu pair blame" --format fxt
    split "$seed" "thread process cpu pair blame" --format btrace
done

# ---- several systems ----------------------------------------------------------------------------

run "$TRACETUI" dump --merge "$KEV" "$FXT" --offset 1ms --format csv
mv "$WORK/out" "$WORK/merged.csv"
same_text "the columns begin with the capture" "capture,n,ticks" "$(head -n 1 "$WORK/merged.csv" | cut -d, -f 1-3)"
same_text "events are in order of time" "" "$(tail -n +2 "$WORK/merged.csv" | cut -d, -f 3 | sort -nc 2>&1)"
for capture in "$KEV" "$FXT"; do
    # Number, times and CPU are those of the merged capture.
    name=$(basename "$capture")
    "$TRACETUI" dump --format csv "$capture" | tail -n +2 | cut -d, -f 5- >"$WORK/own"
    grep "^$name," "$WORK/merged.csv" | cut -d, -f 6- >"$WORK/own.merged"
    same "the events of $name" "$WORK/own" "$WORK/own.merged"
done
cpus=$("$TRACETUI" info --format jsonl "$KEV" | sed 's/.*"cpus":\([0-9]*\).*/\1/')
first=$(grep '^demo.fxt,' "$WORK/merged.csv" | cut -d, -f 5 | grep . | sort -n | head -n 1)
same_text "the CPUs of the second capture follow" "$cpus" "$first"

"$TRACETUI" stats --by thread --format csv "$KEV" "$FXT" --offset 0s --merge | cut -d, -f 2-9 | sort >"$WORK/threads"
for capture in "$KEV" "$FXT"; do
    "$TRACETUI" stats --by thread --format csv "$capture" | tail -n +2 | cut -d, -f 1-8 | sort >"$WORK/own"
    same_text "threads of $capture run as long as in the capture alone" "" "$(comm -13 "$WORK/threads" "$WORK/own")"
done
# The events of the first capture fill one block, two blocks, or one and a part; its end is in the
# last block.
for events in 1024 2048 2050; do
    "$TTSIM" --seed 4 --events "$events" -o "$WORK/short.kev" || not_ok "$events events" "no run"
    "$TRACETUI" stats --by thread --format csv "$WORK/short.kev" "$FXT" --offset 0s --merge | cut -d, -f 2-9 | sort >"$WORK/threads"
    "$TRACETUI" stats --by thread --format csv "$WORK/short.kev" | tail -n +2 | cut -d, -f 1-8 | sort >"$WORK/own"
    same_text "$events events: no state runs on after the end" "" "$(comm -13 "$WORK/threads" "$WORK/own")"
done
same_text "a filter by capture" "$(grep -c '^demo.fxt,' "$WORK/merged.csv")" \
    "$("$TRACETUI" dump --merge "$KEV" "$FXT" --offset 1ms --filter 'capture = demo.fxt' | wc -l | tr -d ' ')"
same_text "a filter by a pattern of captures" "$(tail -n +2 "$WORK/merged.csv" | grep -vc '^demo.kev,')" \
    "$("$TRACETUI" dump --merge "$KEV" "$FXT" --filter 'capture !~ /kev$/' | wc -l | tr -d ' ')"
same_text "one file has no capture" 0 "$("$TRACETUI" dump "$KEV" --filter 'capture != x' | wc -l | tr -d ' ')"
for by in message object; do
    "$TRACETUI" stats --by "$by" --format csv "$KEV" "$FXT" --offset 0s --merge | cut -d, -f 2-11 | sort >"$WORK/rows"
    "$TRACETUI" stats --by "$by" --format csv "$KEV" | cut -d, -f 1-10 | sort >"$WORK/own"
    same_text "--by $by: the rows of the capture that ends later" "" "$(comm -13 "$WORK/rows" "$WORK/own" | head -n 3)"
done
for colors in never always; do
    run "$TRACETUI" dump --merge "$KEV" "$FXT" samples/demo.btrace --offset 0s --offset 3:0s --color="$colors"
    same_text "colours $colors: each line begins with its capture" "demo.btrace|demo.fxt   |demo.kev   " \
        "$(cut -c 1-11 "$WORK/out" | sort -u | paste -sd '|')"
done
"$TRACETUI" dump --merge "$KEV" "$FXT" samples/demo.btrace --offset 0s --offset 3:0s >"$WORK/plain"
run "$TRACETUI" dump --merge "$KEV" "$FXT" samples/demo.btrace --offset 0s --offset 3:0s --capture
same "--capture changes nothing" "$WORK/plain" "$WORK/out"
"$TRACETUI" dump "$KEV" >"$WORK/own"
sed -n 's/^demo.kev     //p' "$WORK/plain" | diff -b "$WORK/own" - >"$WORK/diff" || true
same_text "the rest of the line is the same" "" "$(cat "$WORK/diff")"
for by in thread cpu process pair; do
    "$TRACETUI" stats --by "$by" --merge "$KEV" "$FXT" --offset 0s >"$WORK/table"
    "$TRACETUI" stats --by "$by" --format csv --merge "$KEV" "$FXT" --offset 0s >"$WORK/csv"
    same_text "--by $by: a column of captures" "capture capture,demo.fxt,demo.kev" \
        "$(awk 'NR == 1 { print $1 }' "$WORK/table") $(cut -d, -f 1 "$WORK/csv" | sort -u | paste -sd ,)"
done
same_text "--by event: its rows are of all captures" class \
    "$("$TRACETUI" stats --by event --merge "$KEV" "$FXT" --offset 0s | awk 'NR == 1 { print $1 }')"
same_text "parts of one system have no such column" pid \
    "$("$TRACETUI" stats --format csv --merge --one-system "$KEV" "$KEV" | head -n 1 | cut -d, -f 1)"
run "$TRACETUI" render events --merge "$KEV" "$FXT" --offset 0s --size 80x20
says "Events has a column of captures" 'µs capture +C +thread' "$WORK/out"
says "... and the name of each event's" ' demo\.fxt ' "$WORK/out"
# The pane of an event has the arguments and the bytes that it has in its own file.
pane() { "$TRACETUI" render events "$@" --size 120x40 --keys '/BUFFER<Enter>n<Enter>' | grep -A 2 'offset 0x' | sed 's/.* offset/offset/; s/ *─*$//'; }
pane "$KEV" >"$WORK/own"
says "the pane of an event" 'offset 0x[0-9a-f]+, 16 bytes' "$WORK/own"
pane --merge "$KEV" "$FXT" --offset 0s >"$WORK/out"
same "... is that of its own file" "$WORK/own" "$WORK/out"
"$TRACETUI" dump --resolve "$KEV" >"$WORK/own"
"$TRACETUI" dump --resolve --merge "$KEV" "$FXT" --offset 0s | sed -n 's/^demo.kev     //p' | diff -b "$WORK/own" - >"$WORK/diff" || true
same_text "arguments that refer to threads are those of the own system" "" "$(cat "$WORK/diff")"
run "$TRACETUI" stats --by object --format csv --merge samples/demo.trx "$KEV" --clock 1000000 --offset 0s
says "objects have the names of their own system" '^demo.trx,.*,mutex/0,' "$WORK/out"
run "$TRACETUI" dump --merge "$KEV" "$FXT" --format jsonl
says "jsonl has the capture" '^\{"capture":"demo\.(kev|fxt)","n":0,' "$WORK/out"
run "$TRACETUI" dump --merge "$KEV" samples/demo.btrace samples/demo.trx --clock 1M --resolve
same_text "captures of all formats" 0 "$code"
for view in events threads cpus summary info messages snapshot; do
    exits "render $view" 0 "$TRACETUI" render "$view" --merge "$KEV" "$FXT" --size 100x30
done
run "$TRACETUI" render threads --merge "$KEV" "$FXT" --size 100x60 --keys gg
says "the lanes have the heading of their capture" '^.demo\.kev *$' "$WORK/out"
run "$TRACETUI" render threads --merge "$KEV" "$FXT" --size 100x200
says "and that of the second one" '^.demo\.fxt *$' "$WORK/out"

# gutter SIZE KEYS: the headings and CPUs of the view, in order
gutter() {
    "$TRACETUI" render cpus --merge "$KEV" "$FXT" --size "$1" --keys "$2" |
        sed -n 's/^ \(demo\.[a-z]*\) *$/\1/p; s/^[^ ]\{0,1\}  *\([0-9]\)  *[0-9]* .*/\1/p' | head -n 10 | tr '\n' ' '
}
same_text "CPUs: a heading above the CPUs of each capture" "demo.kev 0 1 2 3 demo.fxt 4 5 6 7 " "$(gutter 80x24 gg)"
same_text "and in the first line of a part of them" "demo.fxt 7 " "$(gutter 80x15 G)"
for command in "why --worst delay" "at 1ms" "measure --begin kind=switch --end kind=state" "stats --by message" \
    "stats --by object" "stats --by interrupt" "export -o $WORK/x.fxt" "dump --messages" "dump --jobs"; do
    # shellcheck disable=SC2086 # words
    exits "$command" 0 "$TRACETUI" $command --merge "$KEV" "$FXT" samples/demo.trx --clock 1M
done

# ---- members of several formats -----------------------------------------------------------------

# simulate NAME OPTION...: a capture that is a member
simulate() {
    local name=$1
    shift
    "$TTSIM" --events 700 --cpus 2 "$@" -o "$WORK/$name" || not_ok "$*" "no run"
}

# combinations NAME...: the ordered pairs and triples of captures
combinations() {
    local a b c
    for a in "$@"; do
        for b in "$@"; do
            [ "$a" = "$b" ] || echo "$WORK/$a,$WORK/$b"
            for c in "$@"; do
                [ "$a" = "$b" ] || [ "$a" = "$c" ] || [ "$b" = "$c" ] || echo "$WORK/$a,$WORK/$b,$WORK/$c"
            done
        done
    done
}

# Both have all ordered pairs of formats between them.
merges=(k.kev,f.fxt,t.trx,b.btrace b.btrace,t.trx,f.fxt,e.kev)
for ((seed = 1; seed <= SEEDS; seed++)); do
    simulate k.kev --seed "$seed" --scenario answers
    simulate e.kev --seed "$((seed + 100))" --kev-version 8.0 --lose 8
    simulate f.fxt --seed "$((seed + 200))" --format fxt
    simulate t.trx --seed "$((seed + 300))" --format trx --trx-queues --events 500
    simulate b.btrace --seed "$((seed + 400))" --format btrace
    members=("${merges[@]/#/$WORK/}")
    members=("${members[@]//,/,$WORK/}")
    if [ -n "${WHOLE:-}" ]; then
        mapfile -t members < <(combinations k.kev f.fxt t.trx b.btrace && combinations e.kev f.fxt t.trx b.btrace)
    fi
    python3 tests/lib/merge_members.py "$TRACETUI" --clock 1M "${members[@]}" >"$WORK/out" 2>&1
    same_text "seed $seed: members keep the numbers that they have alone" "" "$(cut -c 1-600 "$WORK/out" | head -n 5)"
done
for order in "samples/demo.trx $KEV" "$KEV samples/demo.trx"; do
    # shellcheck disable=SC2086 # words
    same_text "$order: names of events of both formats" 588 "$("$TRACETUI" dump --merge $order --offset 0s --clock 1M \
        --filter 'event = THREADY' | wc -l | tr -d ' ')"
done

# ---- clocks -------------------------------------------------------------------------------------

# extent NUMBER KEY OPTION...: a number of a capture in `info` of the merged captures
extent() {
    local number=$1 key=$2
    shift 2
    "$TRACETUI" info --format jsonl --merge "$@" | python3 -c "
import json, sys
print(json.loads(sys.stdin.read())['captures'][$number - 1]['$key'])"
}
cp "$KEV" "$WORK/copy.kev"
mkdir "$WORK/other"
cp "$KEV" "$WORK/other/demo.kev"
same_text "by dates: equal headers" "$(extent 1 first_ticks "$KEV" "$WORK/copy.kev")" \
    "$(extent 2 first_ticks "$KEV" "$WORK/copy.kev")"
same_text "a name that two files have gets the directory" "other/demo.kev" "$(extent 2 name "$KEV" "$WORK/other/demo.kev")"
same_text "the same file twice" "demo.kev#2" "$(extent 2 name "$KEV" "$KEV" | sed 's,.*/,,')"
hz=$("$TRACETUI" info --format jsonl "$KEV" | sed 's/.*"clock_hz":\([0-9]*\).*/\1/')
begin=$(extent 1 first_ticks "$KEV" "$WORK/copy.kev" --offset 2s)
same_text "an offset" "$((begin + 2 * hz))" "$(extent 2 first_ticks "$KEV" "$WORK/copy.kev" --offset 2:2s)"
begin=$(extent 1 first_ticks "$KEV" "$WORK/copy.kev" --offset -2s)
same_text "a negative offset" "$((begin - 2 * hz))" "$(extent 2 first_ticks "$KEV" "$WORK/copy.kev" --offset -2s)"
same_text "one pair of events" 0 "$(extent 2 residual_ticks "$KEV" "$WORK/copy.kev" --align '#100' '#100')"
same_text "the same events have the same time" "$(extent 1 last_ticks "$KEV" "$WORK/copy.kev" --align '#5' '#5')" \
    "$(extent 2 last_ticks "$KEV" "$WORK/copy.kev" --align 'n = 5' '2:#5')"
same_text "no drift between equal clocks" 0 \
    "$(extent 2 drift_ppb "$KEV" "$WORK/copy.kev" --align '#10' '#10' --align '1:#900' '2:#900')"
drift=$(extent 2 drift_ppb "$KEV" "$WORK/copy.kev" --align '#10' '#10' --align '#900' '#890')
if [ "$drift" -lt 0 ]; then ok "a drift"; else not_ok "a drift" "$drift"; fi
residual=$(extent 2 residual_ticks "$KEV" "$WORK/copy.kev" --align '#10' '#10' --align '#500' '#510' --align '#900' '#900')
if [ "$residual" -gt 0 ]; then ok "a residual"; else not_ok "a residual" "$residual"; fi
run "$TRACETUI" info --merge "$KEV" "$WORK/copy.kev" --align '#10' '#10' --align '#900' '#890'
says "info has the alignment" 'copy\.kev .*; time by events, pairs: 2, residual: 0 ns, drift: -[0-9.]+ ppm' "$WORK/out"
says "info has the overlap" '^  overlap  ' "$WORK/out"

# ---- errors -------------------------------------------------------------------------------------

# refuses NAME MESSAGE OPTION...
refuses() {
    local name=$1 message=$2
    shift 2
    exits "$name" 2 "$TRACETUI" dump --merge "$@"
    one_line "$name: one line" "$WORK/err"
    says "$name: message" "$message" "$WORK/err"
}
refuses "one capture" "expected 2 to 64 captures" "$KEV"
refuses "an offset of the reference" "captures 2 to 2 have an offset" "$KEV" "$FXT" --offset 1:1s
refuses "an offset that is no time" "not a duration" "$KEV" "$FXT" --offset 40%
refuses "an unknown capture" "no capture with this number" "$KEV" "$FXT" --align '#1' '3:#1'
refuses "a pair without the reference" "one of the two events must be of capture 1" "$KEV" "$FXT" --align '2:#1' '2:#1'
refuses "an event that is missing" "no event at or after" "$KEV" "$FXT" --align '#99999999' '#1'
refuses "a filter without a match" "no event matches" "$KEV" "$FXT" --align 'event = NOSUCH' '#1'
refuses "a wrong filter" "nosuch" "$KEV" "$FXT" --align 'nosuch = 1' '#1'
refuses "pairs that contradict each other" "contradict each other" "$KEV" "$FXT" --align '#1' '#900' --align '#900' '#1'
refuses "a capture without a clock" "add --clock HZ" "$KEV" samples/demo.trx
refuses "one system with an offset" "without --offset and --align" "$KEV" "$FXT" --one-system --offset 1s
refuses "two clocks in one system" "different rates" "$KEV" samples/demo.btrace --one-system
refuses "a ThreadX buffer and another capture as one system" "only some captures are ThreadX buffers" samples/demo.trx samples/demo.kev --one-system
refuses "a style" "no style" "$KEV" "$FXT" --style traceprinter
refuses "following" "followed" "$KEV" "$FXT" -f
exits "a missing file" 2 "$TRACETUI" dump --merge "$KEV" "$WORK/missing.kev"
exits "no capture" 2 "$TRACETUI" dump --merge "$KEV" README.md
exits "alignment without --merge" 2 "$TRACETUI" dump "$KEV" --offset 1s

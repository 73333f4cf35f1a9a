# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The text of QNX's traceprinter reads back as the .kev that it was printed from, in each of its forms; what is no event
# in it is reported with its line.
. tests/lib/case.sh
needs "$TTSIM" samples/demo.kev

# text FILE STYLE: prints a .kev
text() { "$TRACETUI" dump --style "$2" "$1" 2>/dev/null; }
# joined: the form of -n, with all arguments on the line of their event
joined() {
    awk '/^t:0x|^TRACE|^ --|TRACE_.*::/ { if (NR > 1) printf "\n"; printf "%s", $0; next }
        { sub(/^ */, " "); printf "%s", $0 } END { printf "\n" }'
}
# columns: another order of columns: -p "e:%06e t:%014t c:0x%010c CPU:%02C %-16Z:%-18z"
columns() {
    awk '/^t:0x/ { n++; time = substr($1, 5); sub(/^t:0x[0-9a-f]* /, "")
        printf "e:%06d t:%s c:0x%s %s\n", n, "0.000.016us", time, $0; next } { print }'
}
# is_same NAME KEV TEXT
is_same() {
    python3 tests/golden/tpt_same.py "$TRACETUI" "$WORK" "$2" "$3" >"$WORK/differ" 2>&1
    nothing "$1" "$WORK/differ"
}

# ---- every form of a capture ---------------------------------------------------------------------
for style in traceprinter traceprinter7; do
    text samples/demo.kev $style >"$WORK/demo.txt"
    is_same "$style" samples/demo.kev "$WORK/demo.txt"
    joined <"$WORK/demo.txt" >"$WORK/joined.txt"
    is_same "$style -n" samples/demo.kev "$WORK/joined.txt"
    sed 's/$/\r/' "$WORK/demo.txt" >"$WORK/crlf.txt"
    is_same "$style, lines that end with CR and LF" samples/demo.kev "$WORK/crlf.txt"
    # 6.4 writes no line end after a failed call.
    awk '/errno:[0-9]+$/ { printf "%s", $0; next } { print }' "$WORK/demo.txt" >"$WORK/glued.txt"
    is_same "$style, failed calls without a line end" samples/demo.kev "$WORK/glued.txt"
    exits "$style: it is sound" 0 "$TRACETUI" info "$WORK/demo.txt"
    says "$style: info names it" "format +text of QNX's traceprinter, 7\.1\.0" "$WORK/out"
    form=$([ $style = traceprinter ] && echo "of 6.3 to 6.6" || echo "of 7.x and 8.0")
    says "$style: info names the form" "form +$form" "$WORK/out"
    says "$style: info names the printer" "printer +version 1\.02" "$WORK/out"
    says "$style: there is nothing wrong with it" "no problems found" "$WORK/out"
done
columns <"$WORK/demo.txt" >"$WORK/columns.txt"
is_same "columns of -p" samples/demo.kev "$WORK/columns.txt"

# Times without cycles are microseconds.
awk '/^t:0x/ { n += 7; sub(/^t:0x[0-9a-f]*/, sprintf("t:%d.%03d.%03dus", int(n / 1000000), int(n / 1000) % 1000, n % 1000)) } { print }' \
    "$WORK/demo.txt" | grep -v 'CONTROL .*TIME' >"$WORK/micro.txt"
exits "microseconds" 0 "$TRACETUI" info "$WORK/micro.txt"
says "... are the clock" "clock +1,000,000 Hz" "$WORK/out"
says "... and times" "time +0\.000000000 \.\. 0\.0237" "$WORK/out"

# ---- simulated captures --------------------------------------------------------------------------
for version in 6.4 7.1 8.0; do
    for scenario in mixed churn timeouts; do
        for mode in fast wide; do
            "$TTSIM" --kev-version $version --kev-mode $mode --scenario $scenario --seed 7 --events 1500 -o "$WORK/sim.kev" \
                >/dev/null 2>&1
            style=$([ $mode = fast ] && echo traceprinter || echo traceprinter7)
            [ $scenario != churn ] || style=traceprinter
            text "$WORK/sim.kev" $style >"$WORK/sim.txt"
            is_same "$version, $scenario, $mode, $style" "$WORK/sim.kev" "$WORK/sim.txt"
        done
    done
done
"$TTSIM" --kev-version 6.4 --endian big --kev-mode wide --seed 7 --events 1500 -o "$WORK/big.kev" >/dev/null 2>&1
text "$WORK/big.kev" traceprinter >"$WORK/big.txt"
is_same "big-endian" "$WORK/big.kev" "$WORK/big.txt"
"$TTSIM" --kev-version 8.0 --kev-dropped --lose 3 --seed 7 --events 6000 -o "$WORK/lost.kev" >/dev/null 2>&1
text "$WORK/lost.kev" traceprinter7 >"$WORK/lost.txt"
is_same "records that are lost" "$WORK/lost.kev" "$WORK/lost.txt"

# ---- without a header, and within the output of a script ------------------------------------------
sed -n '/KERNEL EVENTS/,$p' "$WORK/demo.txt" | tail -n +2 >"$WORK/bare.txt"
exits "without a header" 0 "$TRACETUI" info "$WORK/bare.txt"
says "... the release is inferred" "release +7\.x \(inferred\)" "$WORK/out"
"$TRACETUI" stats --format csv --clock 1G "$WORK/bare.txt" 2>/dev/null >"$WORK/a"
"$TRACETUI" stats --format csv samples/demo.kev >"$WORK/b"
same "... and the threads are those of the capture" "$WORK/b" "$WORK/a"
{ echo "tracing for 5 s"; echo "done: 12 buffers"; cat "$WORK/demo.txt"; echo "end of the trace"; } >"$WORK/wrapped.txt"
is_same "between the lines of a script" samples/demo.kev "$WORK/wrapped.txt" | grep -v "health"
grep -v '^health' "$WORK/differ" >"$WORK/rest"
nothing "between the lines of a script all events are there" "$WORK/rest"

# ---- what any format can ---------------------------------------------------------------------------
"$TRACETUI" dump --follow --timeout 1s "$WORK/demo.txt" >"$WORK/a" 2>/dev/null
"$TRACETUI" dump "$WORK/demo.txt" >"$WORK/b"
same "followed" "$WORK/b" "$WORK/a"
"$TRACETUI" dump <"$WORK/demo.txt" - >"$WORK/a"
same "from a pipe" "$WORK/b" "$WORK/a"
exits "merged with its .kev" 0 "$TRACETUI" stats --merge samples/demo.kev "$WORK/demo.txt"
exits "save has an error" 2 "$TRACETUI" save --from 10ms --to 20ms -o "$WORK/part.txt" "$WORK/demo.txt"

# ---- bad input -------------------------------------------------------------------------------------
# health NAME KIND LINE FILE: one report of the kind, at this line
health() {
    run "$TRACETUI" info "$4"
    says "$1" "^ +$2 +[0-9]+ .*first at line $3$" "$WORK/out"
}
lines=$(wc -l <"$WORK/demo.txt")
half=$(grep -n '^t:0x.*THRUNNING' "$WORK/demo.txt" | sed -n '300s/:.*//p')
{ head -n $((half - 1)) "$WORK/demo.txt"; echo "some words"; echo "and more"; tail -n +$half "$WORK/demo.txt"; } >"$WORK/bad.txt"
health "lines that are no events" other_line $half "$WORK/bad.txt"
same_text "... are one report" 1 "$("$TRACETUI" info --format jsonl "$WORK/bad.txt" | grep -o '"other_line":[0-9]*' | cut -d: -f2)"
"$TRACETUI" stats --format csv "$WORK/bad.txt" >"$WORK/a"
same "... and nothing is lost" "$WORK/a" <("$TRACETUI" stats --format csv samples/demo.kev)
{ head -n $((half - 1)) "$WORK/demo.txt"; head -c 1000000 /dev/zero | tr '\0' x; echo; tail -n +$half "$WORK/demo.txt"; } >"$WORK/bad.txt"
health "a line of 1 MB" other_line $half "$WORK/bad.txt"
{ head -n $((half - 1)) "$WORK/demo.txt"; printf 'a\0b\0\n'; tail -n +$half "$WORK/demo.txt"; } >"$WORK/bad.txt"
health "NUL bytes" other_line $half "$WORK/bad.txt"
sed "${half}s/pid:.*/pid:x/" "$WORK/demo.txt" >"$WORK/bad.txt"
health "an event without its arguments" malformed $half "$WORK/bad.txt"
same_text "... has exit status 1" 1 "$("$TRACETUI" info "$WORK/bad.txt" >/dev/null 2>&1; echo $?)"
# The time of the first event of its CPU, which is near enough to be right.
cpu=$(sed -n "${half}s/.* CPU:\([0-9]*\) .*/\1/p" "$WORK/demo.txt")
earlier=$(head -n $((half - 1)) "$WORK/demo.txt" | grep "^t:0x.* CPU:$cpu " | head -n 1 | sed 's/ .*//')
sed "${half}s/t:0x[0-9a-f]*/$earlier/" "$WORK/demo.txt" >"$WORK/bad.txt"
health "a time that goes back" time_back $half "$WORK/bad.txt"
extent() { "$TRACETUI" info "$1" 2>/dev/null | sed -n '/^  events/p; /^  time/p'; }
for digits in 000000001 9; do
    sed "${half}s/t:0x[0-9a-f]\{${#digits}\}/t:0x$digits/" "$WORK/demo.txt" >"$WORK/bad.txt"
    health "a damaged time: $digits" bad_time $half "$WORK/bad.txt"
    same_text "... does not stretch the capture" "$(extent "$WORK/demo.txt")" "$(extent "$WORK/bad.txt")"
done
text samples/demo.kev traceprinter >"$WORK/other.txt"
{ head -n $((half - 1)) "$WORK/other.txt"; tail -n +$half "$WORK/demo.txt"; } >"$WORK/mixed.txt"
python3 - "$WORK" <<'PYTHON'
import sys
# The form changes in the middle: the first half of the events of one, the second half of the other.
def events(name):
    text = open(f"{sys.argv[1]}/{name}").read()
    head, body = text.split(" -- KERNEL EVENTS -- \n")
    parts = ("\n" + body).split("\nt:0x")[1:]
    return head, ["t:0x" + part.rstrip("\n") + "\n" for part in parts]
head, old = events("other.txt")
_, new = events("demo.txt")
with open(f"{sys.argv[1]}/mixed.txt", "w") as out:
    out.write(head + " -- KERNEL EVENTS -- \n" + "".join(old[:2000]) + "".join(new[2000:]))
PYTHON
is_same "the form changes in the middle" samples/demo.kev "$WORK/mixed.txt"
for at in 0 1 700 5000 12345 99999; do
    head -c $at "$WORK/demo.txt" >"$WORK/cut.txt"
    run "$TRACETUI" dump "$WORK/cut.txt"
    [ "$code" -le 2 ] && ok "cut at $at" || not_ok "cut at $at" "status $code"
done
{ head -c 4096 /dev/zero; cat "$WORK/demo.txt"; } >"$WORK/binary"
exits "bytes that are no text, with events after them" 2 "$TRACETUI" info "$WORK/binary"

# ---- printed again -----------------------------------------------------------------------------------

# Arguments of two words may be on the line of their event: the text does not have the slots.
for style in traceprinter traceprinter7; do
    for file in demo wide4 fast1; do
        text samples/$file.kev $style >"$WORK/own.txt"
        "$TRACETUI" dump --style $style "$WORK/own.txt" | joined | sed 's/  *$//' >"$WORK/a"
        same "$file: --style $style of the text is the text" <(joined <"$WORK/own.txt" | sed 's/  *$//') "$WORK/a"
    done
done

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Logs: each form of lines; their times beside a capture by date, offset and pairs; lanes, filters, SQL; bad input;
# forms of the configuration.
. tests/lib/case.sh
needs samples/demo.kev samples/demo.dat

KEV=samples/demo.kev
# lines FILE: level, thread and arguments of each event
lines() { "$TRACETUI" dump "$@" 2>"$WORK/err" | awk '{ $1 = ""; print }' | sed 's/^ - //; s/  */ /g'; }

# ---- forms ---------------------------------------------------------------------------------------
# form NAME EXPECTED: reads lines of standard input; `info` names the form
form() {
    cat >"$WORK/form.log"
    same_text "$1" "$2" "$(lines "$WORK/form.log")"
    "$TRACETUI" info "$WORK/form.log" >"$WORK/out"
    says "$1: info names it" "form +$1" "$WORK/out"
}
form slog2info 'devb/0 LOG INFO text="mounted" buffer="default*" code="8900"
devb/0 LOG ERROR text="down" buffer="default" code="1"' <<'END'
Dec 04 03:05:54.082    devb.20485              default*  8900  5  mounted
Dec 04 03:05:54.970    devb.20485              default   1  2  down
END
form "syslog \(RFC 3164\)" 'su/0 LOG FATAL text="failed" host="box"
log/0 LOG LINE text="usb" name="kernel" host="box"' <<'END'
<34>Oct 11 22:14:15 box su[12]: failed
Oct 11 22:14:16 box kernel: usb
END
form "syslog \(RFC 5424\)" 'app/0 LOG NOTICE text="text" host="h" message="ID4" data="[x@1 a="]"]"' <<'END'
<165>1 2025-01-21T19:12:22.5Z h app 77 ID4 [x@1 a="]"] text
END
form logcat '1234/1240 LOG ERROR text="a: b" tag="Tag"
12/0 LOG DEBUG text="x" tag="T"' <<'END'
01-21 19:12:22.090  1234  1240 E Tag: a: b
01-21 19:12:22.091 D/T( 12): x
END
form dlt 'log/0 LOG WARNING text="a b" name="TEST" context="EXPL" ecu="ECU1"
CEM/0 LOG INFO text="x" context="CTX" ecu="ECU1"' <<'END'
2025/01/21 19:12:22.090974   28995094 000 ECU1 TEST EXPL log warn V 1 [a b]
7390 2025/01/21 19:12:22.190974 16.0780 252 ECU1 CEM CTX 668 log info verbose 1 x
END
form "ISO 8601" 'log/0 LOG ERROR text="[main] ERROR com.a - x"' <<'END'
2025-01-21 19:12:22,250 [main] ERROR com.a - x
END
form dmesg 'log/0 LOG WARNING text="usb 1-1: x"
7/7 LOG LINE text="task"' <<'END'
<4>[    5.123456] usb 1-1: x
[    6.000000][    T7] task
END
form seconds 'log/0 LOG WARNING text="WARN: text"' <<'END'
12.5: WARN: text
END

# times FILE: ticks of each event
times() { "$TRACETUI" dump --format csv "$@" 2>"$WORK/err" | tail -n +2 | cut -d, -f 2 | paste -sd' '; }
printf '%s\n' '23:59:59.5 a' '00:00:00.5 b' >"$WORK/day.log"
same_text "midnight is no step back" "1000000000" "$(times "$WORK/day.log" | awk '{ print $2 - $1 }')"
printf '%s\n' 'Dec 31 23:59:59 h a: b' 'Jan  1 00:00:01 h a: b' >"$WORK/year.log"
same_text "... nor is the last day of a year" "2000000000" "$(times "$WORK/year.log" | awk '{ print $2 - $1 }')"
printf '%s\n' '2025-01-21T20:12:22+01:00 a' '2025-01-21T19:12:23Z b' >"$WORK/zone.log"
same_text "a zone counts" "1000000000" "$(times "$WORK/zone.log" | awk '{ print $2 - $1 }')"

# ---- beside a capture ----------------------------------------------------------------------------
# The date of the capture, and the times of its first and a later event.
wall=$("$TRACETUI" sql --format csv 'select wall_clock_s from captures' $KEV | tail -n 1)
hz=$("$TRACETUI" sql --format csv 'select clock_hz from captures' $KEV | tail -n 1)
first=$("$TRACETUI" dump --format csv $KEV | sed -n 2p | cut -d, -f 2)
# at TICKS: the date of an instant of the capture with milliseconds
at() { awk -v t="$1" -v hz="$hz" -v w="$wall" 'BEGIN { printf "%d %03d", w + int(t / hz), int(t % hz * 1000 / hz) }'; }
read -r second milli <<<"$(at $((first + hz / 50)))"
{
    date -u -d "@$second" "+%Y-%m-%dT%H:%M:%S.${milli}Z INFO: by date"
    date -u -d "@$second" "+%b %d %H:%M:%S.$milli devb.20485 default* 8900 3 without a year"
    date -u -d "@$second" "+%H:%M:%S.$milli without a date"
} >"$WORK/dated"
sed -n 1p "$WORK/dated" >"$WORK/iso.log"
sed -n 2p "$WORK/dated" >"$WORK/slog2.log"
sed -n 3p "$WORK/dated" >"$WORK/clock.log"
expected=$(awk -v s="$second" -v w="$wall" -v m="$milli" -v hz="$hz" 'BEGIN { printf "%.0f", (s - w + m / 1000) * hz }')
for log in iso slog2 clock; do
    run "$TRACETUI" dump --format csv --log "$WORK/$log.log" $KEV
    mv "$WORK/out" "$WORK/merged.csv"
    grep "^$log.log," "$WORK/merged.csv" >"$WORK/own"
    same_text "$log: the line is at its date" "$expected" "$(cut -d, -f 3 "$WORK/own")"
done
same_text "all events of the capture are as without the log" "" \
    "$(grep '^demo.kev,' "$WORK/merged.csv" | cut -d, -f 3- | diff - <("$TRACETUI" dump --format csv $KEV | tail -n +2 | cut -d, -f 2-) | head -n 3)"
"$TRACETUI" info --log "$WORK/iso.log" $KEV >"$WORK/out"
says "info names the alignment" "iso.log +log; time by date" "$WORK/out"
same_text "there are no more CPUs" "$("$TRACETUI" info $KEV | grep '^  CPUs')" "$(grep '^  CPUs' "$WORK/out")"
for by in thread cpu; do
    "$TRACETUI" stats --by $by --format csv $KEV | cut -d, -f 1-8 >"$WORK/expected"
    "$TRACETUI" stats --by $by --format csv --log "$WORK/iso.log" $KEV | cut -d, -f 2-9 >"$WORK/actual"
    same_text "stats --by $by has the rows of the capture" "" "$(grep -vxF -f "$WORK/actual" "$WORK/expected")"
done

printf '%s\n' '<3>[    1.000000] one' '[    1.000100] two' >"$WORK/dmesg.log"
# own OPTION...: ticks of the lines
own() { "$TRACETUI" dump --format csv --log "$WORK/dmesg.log" $KEV "$@" 2>"$WORK/err" | grep '^dmesg' | cut -d, -f 3 | paste -sd' '; }
same_text "seconds since the start" "$hz $(awk -v hz="$hz" 'BEGIN { printf "%.0f", hz * 1.0001 }')" "$(own)"
same_text "--offset" "$(awk -v f="$first" -v hz="$hz" 'BEGIN { printf "%.0f", f + hz / 100 }')" "$(own --offset 10ms | cut -d' ' -f 1)"
second=$("$TRACETUI" dump --format csv $KEV | sed -n 1001p | cut -d, -f 2)
same_text "--align" "$second" "$(own --align '#999' '#1' | cut -d' ' -f 2)"
awk -v a="$first" -v b="$second" -v hz="$hz" 'BEGIN { printf "[%.6f] one\n[%.6f] two\n", a / hz - 3, b / hz - 2.999999 }' >"$WORK/dmesg.log"
same_text "pairs correct the drift" "$first $second" "$(own --align '#0' '2:#0' --align '#999' '2:#1')"

# ---- lanes, filters, SQL -------------------------------------------------------------------------
read -r process thread <<<"$("$TRACETUI" sql --format csv 'select pid, tid from threads where tid > 1 limit 1' $KEV | tail -n 1 | tr , ' ')"
{
    date -u -d "@$wall" "+%Y-%m-%d 01:00:00.000 $process $thread E Tag: of a thread of the capture"
    date -u -d "@$wall" "+%Y-%m-%d 01:00:00.001 $process 999 I Tag: of no thread of the capture"
    date -u -d "@$wall" "+%Y-%m-%d 01:00:00.002 ERROR: of no process"
} >"$WORK/cat.log"
name=$("$TRACETUI" dump $KEV --thread "$process/$thread" | awk 'NR == 1 { print $3 }')
"$TRACETUI" dump --log "$WORK/cat.log" $KEV --offset 1ms --filter 'class = LOG' >"$WORK/out"
says "a line is on the lane of its thread" "$name .*LOG +ERROR +text=\"of a thread" "$WORK/out"
says "... or on one of the log" "$process/999 +LOG +INFO" "$WORK/out"
says "... which has a lane for the others" "cat.log/0 +LOG +ERROR +text=\"ERROR: of no process" "$WORK/out"
same_text "filters see the class" 3 "$(wc -l <"$WORK/out")"
same_text "... the level" 2 "$("$TRACETUI" dump --log "$WORK/cat.log" $KEV --filter 'class = LOG and event = ERROR' | wc -l)"
same_text "... and the log" 3 "$("$TRACETUI" dump --log "$WORK/cat.log" $KEV --filter 'capture = cat.log' | wc -l)"
run "$TRACETUI" sql --format csv "select event, count(*) from events where class = 'LOG' group by event order by event" --log "$WORK/cat.log" $KEV
same_text "SQL sees them" "ERROR,2 INFO,1" "$(tail -n +2 "$WORK/out" | paste -sd' ')"
run "$TRACETUI" render threads --log "$WORK/cat.log" $KEV --offset 1ms --size 100x30
says "lanes have the log below its name" "cat.log" "$WORK/out"

# ---- bad input -----------------------------------------------------------------------------------
# health NAME KIND LINE FILE: one problem of this kind, at this line
health() {
    "$TRACETUI" info "$4" >"$WORK/info" 2>&1
    says "$1" "^  $2 +1 .*line $3\$" "$WORK/info"
}
printf '%s\n' '[    1.5] a' 'Oct 11 22:14:15 box kernel: b' '[    1.6] c' >"$WORK/bad.log"
"$TRACETUI" info "$WORK/bad.log" >"$WORK/info"
says "another form in the middle" '^  line_form +2 .*first at line 2' "$WORK/info"
same_text "... continues where it is" "1500000000 1500000000 1600000000" "$(times "$WORK/bad.log")"
printf '%s\n' '[    1.5] a' 'no time' 'no time' '[    1.6] c' >"$WORK/bad.log"
health "lines without a time are one report" line_time 2 "$WORK/bad.log"
same_text "... have that of the line before" "1500000000 1500000000 1500000000 1600000000" "$(times "$WORK/bad.log")"
printf '%s\n' '[    1.5] a' '[    1.4] b' '[    1.6] c' >"$WORK/bad.log"
health "a time that goes back" time_back 2 "$WORK/bad.log"
same_text "... is shown at its time" '"b" "a" "c"' "$(lines "$WORK/bad.log" | sed 's/.*text=//' | paste -sd' ')"
{
    echo '[    1.5] a'
    printf '\0\0\0[    1.6] b\n[    1.7] c\0d\n'
} >"$WORK/bad.log"
exits "NUL bytes" 1 "$TRACETUI" info --log "$WORK/bad.log"
says "... are reported" '^  malformed +2 .*line 2' "$WORK/out"
same_text "... and the lines are there" 3 "$("$TRACETUI" dump --log "$WORK/bad.log" 2>/dev/null | wc -l)"
{
    printf '[    1.5] '
    head -c 1000000 /dev/zero | tr '\0' x
    printf '\n[    1.6] after\n'
} >"$WORK/bad.log"
health "a line of 1 MB" long_line 1 "$WORK/bad.log"
same_text "... is an event, and so is the next one" 2 "$("$TRACETUI" dump "$WORK/bad.log" | wc -l)"
printf 'Oct 11 22:14:15 box a: b\n' >"$WORK/bad.log"
health "no year" header 1 "$WORK/bad.log"
printf 'no time\n' >"$WORK/bad.log"
exits "a text without times is no log" 2 "$TRACETUI" info --log "$WORK/bad.log"
says "... says so" "no line with a time" "$WORK/err"
: >"$WORK/empty.log"
exits "an empty file is none" 2 "$TRACETUI" info --log "$WORK/empty.log" $KEV
exits "two captures need --merge" 2 "$TRACETUI" dump --log "$WORK/iso.log" $KEV $KEV
exits "--one-system has no logs" 2 "$TRACETUI" dump --merge --one-system --log "$WORK/iso.log" $KEV $KEV
exits "--style is of one capture" 2 "$TRACETUI" dump --style traceprinter --log "$WORK/iso.log" $KEV

# ---- forms of the configuration ------------------------------------------------------------------
printf '[logs]\nmine = ^(?<level>[A-Z])(?<time>[0-9.]+) (?<process>\\w+)/(?<thread>\\w+) (?<text>.*)\n' >"$WORK/config.ini"
printf '%s\n' 'E12.5 app/main hello' 'W12.6 77/78 more' >"$WORK/own.log"
run "$TRACETUI" dump --config "$WORK/config.ini" --log "$WORK/own.log"
says "a form of the configuration" 'log/0 +LOG +ERROR +text="hello" name="app" thread="main"' "$WORK/out"
says "... with numbers" '77/78 +LOG +WARNING +text="more"' "$WORK/out"
for bad in '(' '^x' '(?<text>.*)'; do
    printf '[logs]\nmine = %s\n' "$bad" >"$WORK/bad.ini"
    exits "the form $bad is none" 2 "$TRACETUI" dump --config "$WORK/bad.ini" --log "$WORK/own.log"
    says "... says so" "log form mine: " "$WORK/err"
done

# ---- following -----------------------------------------------------------------------------------
# The log and the capture grow in turn; what is printed is what the complete files have.
half=$(($(wc -c <$KEV) / 2))
head -c $half $KEV >"$WORK/grow.kev"
sed -n 1p "$WORK/cat.log" >"$WORK/grow.log"
"$TRACETUI" dump -f --until 'arg.text ~ /the end/' --timeout 120s --format csv --log "$WORK/grow.log" "$WORK/grow.kev" --offset 1ms \
    >"$WORK/followed" 2>"$WORK/err" &
follower=$!
for ((i = 0; i < 600; i++)); do
    grep -q '^grow.log' "$WORK/followed" 2>/dev/null && break
    sleep 0.1
done
tail -c +$((half + 1)) $KEV >>"$WORK/grow.kev"
sed -n 2p "$WORK/cat.log" >>"$WORK/grow.log"
date -u -d "@$wall" "+%Y-%m-%d 02:00:00.000 ERROR: of no process, the end" >>"$WORK/grow.log"
wait $follower
same_text "following ends at the last line" 0 $?
"$TRACETUI" dump --format csv --log "$WORK/grow.log" "$WORK/grow.kev" --offset 1ms | cut -d, -f 1,3- | sort >"$WORK/complete"
same_text "what is followed is what the complete files have" "" \
    "$(cut -d, -f 1,3- "$WORK/followed" | sort | diff - "$WORK/complete" | head -n 4)"

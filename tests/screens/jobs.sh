# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Deadlines of jobs in the lanes and in Summary, job-ending states in the configuration, and the Measure
# pane: its screens, its keys, and that its numbers are those of `stats`, `dump --jobs` and `measure`.
. tests/lib/case.sh
. tests/lib/rendered.sh

DEMO=samples/demo.kev
LIMITS=':deadline sensor/1=150us,/^fusion/=200us<Enter>'
PAIRS=':measure event = MSG_SENDV and kind = enter -> event = MSG_SENDV and kind = exit --same thread<Enter>'

golden jobs-the-next-miss-in-its-lane 120x40 threads kev "${LIMITS}D"
for size in 80x24 100x30; do
    golden "jobs-misses:their legend at $size" $size threads kev "${LIMITS}D" 2,6
    golden "jobs-misses:the lines below at $size" $size threads kev "${LIMITS}D" bottom
done
golden jobs-why-of-a-miss 120x40 threads kev "${LIMITS}Db"
golden jobs-list-of-misses 80x24 threads kev "${LIMITS}:deadline<Enter>j"
golden jobs-misses:in-summary 120x40 summary kev "${LIMITS}:stats job<Enter>" 3,14
golden measure-pairs-of-events 200x60 threads kev "$PAIRS"
golden measure-in-other-sizes:80x24 80x24 threads kev "$PAIRS"
golden measure-in-other-sizes:in-ascii 120x40 events+ascii kev "$PAIRS" 2,16
golden measure-reactions-to-an-interrupt 80x24 cpus kev ':measure --interrupt 35 --thread sensor/2<Enter>jj'
golden measure-over-time:pairs 120x40 threads kev "${PAIRS}dp"
golden measure-over-time:reactions 80x24 cpus kev ':measure --interrupt 35 --thread sensor/2<Enter>dp..'
golden jobs-a-deadline-among-responses:histogram 80x24 summary kev "${LIMITS}:plot response_max of sensor/1<Enter>" 3,22
golden jobs-a-deadline-among-responses:over-time 80x24 summary kev "${LIMITS}:plot times response_max of sensor/1<Enter>" 10,24
golden jobs-a-deadline-among-responses:in-ascii 80x24 summary+ascii kev "${LIMITS}:plot times response_max of fusion/1<Enter>xz" 3,22
at "the number of misses" 80x24 threads kev "$LIMITS" '^ [0-9]+ of [0-9]+ jobs'
at "to the second longest pair" 80x24 threads kev "${PAIRS}j<Enter>" 'selected 1\.446 ms'
for size in 40x10 41x11 300x100 20x5 1x1; do sized "the Measure pane" $size threads kev "$PAIRS"; done
screens_draw

# ---- deadlines -----------------------------------------------------------------------------------
# visited KEYS: the times of the cursor after each D
for jobs in "sensor/1=150us" "/^fusion/=200us,sensor/1=150us"; do
    want=$("$TRACETUI" dump --jobs --deadline "$jobs" --format jsonl $DEMO | grep -c '"deadline_missed":true')
    run "$TRACETUI" render threads --keys ":deadline $jobs<Enter>" $DEMO
    grep -q "^ $want of " "$WORK/out" && ok "$jobs: $want misses" || not_ok "$jobs" "not $want: $(tail -n 2 "$WORK/out")"
done
# D visits each miss once and begins again: of the thread with three, the third D is the longest, the fourth the first.
for keys in D DD DDD DDDD; do
    run "$TRACETUI" render threads --keys ":deadline sensor/1=150us<Enter>$keys" $DEMO
    grep -o 'response [^;]*' "$WORK/out"
done >"$WORK/visited"
same_text "D goes from miss to miss" "response 154.5 µs, late by 4.515 µs
response 160.7 µs, late by 10.73 µs
response 151.8 µs, late by 1.806 µs
response 154.5 µs, late by 4.515 µs" "$(cat "$WORK/visited")"
# The list has the late jobs of dump --jobs.
rm -f "$WORK/misses.csv"
run "$TRACETUI" render threads --keys "${LIMITS}:deadline<Enter>w<C-u>write $WORK/misses.csv<Enter>" $DEMO
cut -d, -f2-4 "$WORK/misses.csv" | tail -n +2 | sort >"$WORK/b"
"$TRACETUI" dump --jobs --deadline sensor/1=150us,/^fusion/=200us --format jsonl $DEMO | python3 -c '
import json, sys
for job in map(json.loads, sys.stdin):
    if job["deadline_missed"]:
        print(job["ready_ns"], job["end_ns"], job["response_ns"], sep=",")' | sort >"$WORK/a"
same "the misses of dump --jobs" "$WORK/a" "$WORK/b"
run "$TRACETUI" render threads --keys ':deadline absent=1ms<Enter>' $DEMO
grep -q "no thread 'absent' in the capture" "$WORK/out" && ok "a thread that is not there" || not_ok "a thread that is not there" "$(tail -n 2 "$WORK/out")"
run "$TRACETUI" render threads --keys 'D' $DEMO
grep -q "no deadlines: set them" "$WORK/out" && ok "D without deadlines" || not_ok "D without deadlines" "$(tail -n 2 "$WORK/out")"

# ---- events of a row in Jobs ---------------------------------------------------------------------
# place KEYS: the selection after these keys and Enter, in the row of fusion/1
place() {
    run "$TRACETUI" render summary --size 120x40 --keys ":stats job<Enter>jjjjjjj$1<Enter>" $DEMO
    grep -o 'selected [^,]*' "$WORK/out"
}
jobs=$("$TRACETUI" dump --jobs --thread fusion/1 --format csv $DEMO | cut -d, -f7,8,9,16 | tail -n +2)
same_text "the longest response" "selected 1.732 ms" "$(place llllll)"
same_text "the job that ran longest" "selected 99.49 µs" "$(place lll)"
same_text "... is that of dump --jobs" 99495 "$(sort -t, -k3 -n <<<"$jobs" | tail -n 1 | cut -d, -f1)"
same_text "the longest period" "selected 5.026 ms" "$(place llll)"
same_text "... is that of dump --jobs" 5026471 "$(cut -d, -f4 <<<"$jobs" | sort -n | tail -n 1)"
same_text "the period of the jitter" "selected 668.2 µs" "$(place lllll)"
same_text "... is the shortest of dump --jobs" 668291 "$(cut -d, -f4 <<<"$jobs" | sort -n | sed '/^$/d' | head -n 1)"

# ---- the configuration ---------------------------------------------------------------------------
printf '[settings]\ndeadline = sensor/1=150us,absent/1=1ms\njob_ends = kev:+REPLY trx:SLEEP\n' >"$WORK/config"
"$TRACETUI" stats --by job --job-ends +REPLY --deadline sensor/1=150us --format csv $DEMO | as_summary | sort >"$WORK/a"
rm -f "$WORK/table.csv"
run "$TRACETUI" render summary --config "$WORK/config" --keys ":stats job<Enter>w<C-u>write $WORK/table.csv<Enter>" $DEMO
sort "$WORK/table.csv" >"$WORK/b"
same "job_ends and deadline of the configuration" "$WORK/a" "$WORK/b"
for line in 'job_ends = kev:+NOTHING' 'job_ends = SLEEP' 'deadline = sensor' 'deadline = /(/=1ms'; do
    printf '[settings]\n%s\n' "$line" >"$WORK/config"
    run "$TRACETUI" render summary --config "$WORK/config" $DEMO
    same_text "refused: $line" 2 "$code"
done

# ---- the pane has the numbers of measure -----------------------------------------------------------
rm -f "$WORK/pairs.csv"
run "$TRACETUI" render threads --keys "${PAIRS}w<C-u>write $WORK/pairs.csv<Enter>" $DEMO
"$TRACETUI" measure --begin 'event = MSG_SENDV and kind = enter' --end 'event = MSG_SENDV and kind = exit' --same thread \
    --format csv $DEMO | sort >"$WORK/a"
cut -d, -f1-3 "$WORK/pairs.csv" | sort >"$WORK/b"
same "the pairs of measure" "$WORK/a" "$WORK/b"
run "$TRACETUI" render threads --keys ':measure --interrupt 0x23 --thread sensor/2<Enter>'"w<C-u>write $WORK/reactions.csv<Enter>" $DEMO
"$TRACETUI" measure --interrupt 35 --thread sensor/2 --format csv $DEMO | cut -d, -f1-3 | sort >"$WORK/a"
cut -d, -f1-3 "$WORK/reactions.csv" | sort >"$WORK/b"
same "the reactions of measure" "$WORK/a" "$WORK/b"
for bad in foo 'cpu = 1 -> ' '--interrupt x --thread sensor/2' '--interrupt 35' 'cpu = 1 -> cpu = 2 --same colour' 'stat = 1 -> cpu = 2' '--interrupt 35 --thread absent'; do
    run "$TRACETUI" render events --keys ":measure $bad<Enter>" $DEMO
    grep -q 'measure:' "$WORK/out" && not_ok "refused: $bad" "$(sed -n 2p "$WORK/out")" || ok "refused: $bad"
done

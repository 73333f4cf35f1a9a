# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Plots: each cell equals what tests/screens/plots.py draws from the samples that other commands print.
. tests/lib/case.sh
. tests/lib/rendered.sh

DEMO=samples/demo.kev

golden plot-histogram-of-delays 80x24 summary kev ':plot delay_max of logger/1<Enter>' 3,22
golden plot-jobs-over-time 120x40 summary kev ':plot times response_max of sensor/1<Enter>..z' 3,38
golden plot-jobs-over-time:in-ascii 80x24 summary+ascii kev ':plot times response_max of sensor/1<Enter>' 3,22
golden plot-load-by-process 80x24 summary kev ':plot load process<Enter>' 3,22
golden plot-load-by-process:by-thread-in-ascii 120x40 summary+ascii kev ':plot load<Enter>z' 3,38
golden plot-switches-per-second 80x24 summary kev ':plot switches<Enter>' 3,22
golden plot-values-of-all-rows 80x24 summary kev ':plot rows run<Enter>x' 3,22
at "a number without samples" 80x24 summary kev ':plot delay_max of procnto/3<Enter>' '^  no samples in this range'
screens_draw

# numbers NAME PLOT: the screen in $WORK/screen and the numbers of the plot in $WORK/plot.csv
numbers() {
    rm -f "$WORK/plot.csv"
    run "$TRACETUI" render summary --keys ":plot $2<Enter>:write $WORK/plot.csv<Enter>" $DEMO
    mv "$WORK/out" "$WORK/screen"
    [ -s "$WORK/plot.csv" ] || not_ok "$1" "no numbers: $(tail -n 2 "$WORK/screen" | head -n 1)"
}

# drawn NAME KIND ARGUMENTS...: the screen is as drawn from the numbers
drawn() {
    local wrong
    wrong=$(python3 tests/screens/plots.py "$2" "$WORK/screen" "$WORK/plot.csv" 6 68 "${@:3}" 2>&1)
    same_text "$1" "" "$wrong"
}

# jobs_of THREAD: a line per job in $WORK/jobs.csv: end, length
jobs_of() {
    "$TRACETUI" dump --jobs --thread "$1" --format csv $DEMO |
        awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i; print "end,length"} NR > 1 {print $at["end_ns"] "," $at["response_ns"]}' >"$WORK/jobs.csv"
}

jobs_of netmgr/2
numbers "many jobs over time" 'times response_max of netmgr/2'
drawn "21 jobs equal dump --jobs, dot by dot" dots "$WORK/jobs.csv" 0

jobs_of sensor/1
numbers "jobs over time" 'times response_max of sensor/1'
drawn "jobs over time equal dump --jobs, dot by dot" dots "$WORK/jobs.csv" 114000
same_text "each job is in one column" "$(($(wc -l <"$WORK/jobs.csv") - 1))" \
    "$(awk -F, 'NR > 1 {n += $3} END {print n}' "$WORK/plot.csv")"

# The pane of :measure has the pairs of measure, dot by dot.
PAIRS='event = MSG_SENDV and kind = enter -> event = MSG_SENDV and kind = exit --same thread'
rm -f "$WORK/plot.csv"
run "$TRACETUI" render events --keys ":measure $PAIRS<Enter>dp:write $WORK/plot.csv<Enter>" $DEMO
mv "$WORK/out" "$WORK/screen"
"$TRACETUI" measure --begin "${PAIRS% -> *}" --end 'event = MSG_SENDV and kind = exit' --same thread --format csv $DEMO |
    awk -F, 'NR == 1 {print "end,length"} NR > 1 {print $2 "," $3}' >"$WORK/pairs.csv"
wrong=$(python3 tests/screens/plots.py dots "$WORK/screen" "$WORK/plot.csv" 7 68 "$WORK/pairs.csv" 0 2>&1)
same_text "36 pairs over time equal measure, dot by dot" "36 " "$(($(wc -l <"$WORK/pairs.csv") - 1)) $wrong"

numbers "a histogram of jobs" 'histogram response_max of sensor/1'
drawn "the bars of a histogram" histogram
same_text "the bins count dump --jobs" \
    "$(awk -F, 'FNR == 1 {next} NR == FNR {v[n++] = $2; next} {c = 0; for (i = 0; i < n; i++) c += v[i] >= $1 && v[i] < $2; print c}' "$WORK/jobs.csv" "$WORK/plot.csv")" \
    "$(awk -F, 'NR > 1 {print $3}' "$WORK/plot.csv")"

numbers "events per second" events
drawn "the bars of events per second" rate
"$TRACETUI" dump --format jsonl $DEMO |
    python3 -c 'import json, sys
for line in sys.stdin: print(json.loads(line)["ns"])' >"$WORK/times" 2>"$WORK/err"
same_text "events per column equal dump" \
    "$(python3 -c '
import csv, sys
times = [int(t) for t in open(sys.argv[1])]
for r in csv.DictReader(open(sys.argv[2])):
    print(sum(int(r["from_ns"]) <= t < int(r["to_ns"]) for t in times))' "$WORK/times" "$WORK/plot.csv")" \
    "$(awk -F, 'NR > 1 {print $3}' "$WORK/plot.csv")"

numbers "the load of a thread" 'load run of sh/4'
same_text "the load of a thread sums to its run time" \
    "$("$TRACETUI" stats --thread sh/4 --format csv $DEMO | awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i} NR == 2 {print int($at["run_ns"] / 1000)}')" \
    "$(awk -F, '$3 ~ /^sh\/4/ {n += $4} END {print int(n / 1000)}' "$WORK/plot.csv")"

run "$TRACETUI" render summary --keys ':plot nonsense<Enter>' $DEMO
same_text "an unknown plot is named" 1 "$(grep -c 'no plot "nonsense"' "$WORK/out")"

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What stats prints of the samples, in every form; windows, threads, CPUs; sums that must agree.
# After a wanted change: REMAKE=1 bash tests/golden/stats.sh build/release, and read the difference.
. tests/lib/case.sh

expected=tests/golden/expected
capture=samples/demo.kev
if [ ! -f $capture ]; then
    skip "stats" "there is no $capture"
    exit 0
fi
stats() { "$TRACETUI" stats --format csv "$@"; }
# column KEY: the values of a column of CSV without quoted fields
column() { awk -F, -v key="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == key) at = i; next } { print $at }'; }
sum() { column "$1" | awk '{ s += $1 } END { printf "%d\n", s }'; }

# ---- the committed texts ------------------------------------------------------------------------
for sample in demo fast1; do
    for by in thread cpu process pair event total; do
        for form in table csv jsonl; do
            run "$TRACETUI" stats --by $by --format $form samples/$sample.kev
            name=$expected/$sample.kev.stats.$by.$form
            [ -z "${REMAKE:-}" ] || cp "$WORK/out" "$name"
            same "$sample by $by as $form" "$name" "$WORK/out"
        done
    done
done
run "$TRACETUI" stats $capture
same "a table by thread without being asked" $expected/demo.kev.stats.thread.table "$WORK/out"

# ---- the forms say the same ---------------------------------------------------------------------
if command -v jq >/dev/null 2>&1; then
    for by in thread cpu process pair event total; do
        stats --by $by $capture >"$WORK/csv"
        "$TRACETUI" stats --by $by --format jsonl $capture |
            jq -r '[.[] | if . == null then "" elif type == "number" then tostring else . end] | join(",")' >"$WORK/jsonl"
        tail -n +2 "$WORK/csv" | sed -E 's/(\.[0-9]*[1-9])0+(,|$)/\1\2/g; s/\.0+(,|$)/\1/g' >"$WORK/plain"
        same "csv and jsonl by $by" "$WORK/plain" "$WORK/jsonl"
        same_text "and their keys" "$(head -n 1 "$WORK/csv")" \
            "$("$TRACETUI" stats --by $by --format jsonl $capture | head -n 1 | jq -r 'keys_unsorted | join(",")')"
    done
else
    skip "csv and jsonl" "no jq here"
fi

# ---- windows ------------------------------------------------------------------------------------
# The CPUs' times are the window, always.
check_window() {
    local name=$1 length=$2
    shift 2
    stats --by cpu "$@" $capture |
        awk -F, -v length_="$length" 'NR > 1 && $2 + $3 + $4 + $5 + $6 != length_ { bad = 1 } END { exit bad || NR < 2 }' &&
        ok "$name" || not_ok "$name" "$(stats --by cpu "$@" $capture | tr '\n' ' ')"
}
check_window "the CPUs' times are the window" 51366203
check_window "from" 41366203 --from 10ms
check_window "to" 10000000 --to 10ms
check_window "from and to" 1234567 --from 7ms --to 8234567ns
check_window "an instant" 0 --from 7ms --to 7ms
check_window "before the capture" 0 --from -3ms --to -1ms
check_window "behind it" 0 --from 1s --to 2s
check_window "from before it on" 1000 --from -3ms --to 1000ns

# What happened in a window's parts is what happened in it.
for key in run_ns irq_ns switches_in voluntary preempted unknown_out migrations slices delay_count wait_count sleep_ns ipc_ns; do
    whole=$(stats $capture | sum $key)
    parts=0
    for window in '--to 11ms' '--from 11ms --to 11001us' '--from 11001us --to 40ms' '--from 40ms'; do
        # shellcheck disable=SC2086 # words are meant
        parts=$((parts + $(stats $window $capture | sum $key)))
    done
    same_text "$key adds up over windows" "$whole" "$parts"
done
# Each CPU alone, together: all but what came before a thread's first run.
for key in run_ns irq_ns switches_in voluntary preempted unknown_out migrations slices delay_count; do
    parts=0
    for cpu in 0 1 2 3; do
        parts=$((parts + $(stats --cpu $cpu --from 5ms --to 45ms $capture | sum $key)))
    done
    same_text "$key adds up over CPUs" "$(stats --from 5ms --to 45ms $capture | sum $key)" "$parts"
done
same_text "CPU 2's run time, by threads and by CPU" \
    "$(stats --by cpu --cpu 2 $capture | awk -F, 'NR == 2 { print $2 + $3 }')" "$(stats --cpu 2 $capture | sum run_ns)"
same_text "switches by pair and by CPU" "$(stats --by cpu $capture | sum switches)" "$(stats --by pair $capture | sum count)"
same_text "switches by pair of one CPU" "$(stats --by cpu --cpu 1 $capture | sum switches)" "$(stats --by pair --cpu 1 $capture | sum count)"

# ---- threads ------------------------------------------------------------------------------------
stats --thread sh $capture >"$WORK/some"
same_text "threads of a process" 5 "$(tail -n +2 "$WORK/some" | wc -l)"
same_text "their sum is the process" "$(stats --by process --thread sh $capture | sum run_ns)" "$(sum run_ns <"$WORK/some")"
same_text "a process of some threads" 2 "$(stats --by process --thread sh/4 --thread sh/5 $capture | column threads)"
"$TRACETUI" stats --by pair --thread sh/4 $capture | tail -n +2 >"$WORK/pairs"
same_text "pairs with a thread" "$(wc -l <"$WORK/pairs")" "$(grep -c 'sh/4 ' "$WORK/pairs")"
idle=$(stats $capture | column idle | grep -c 1)
same_text "idle threads are shown" 4 "$idle"
busy=$(stats --by cpu $capture | sum busy_ns)
same_text "and left out of processes" "$busy" "$(stats --by process $capture | sum run_ns)"
same_text "as in the table's last line" "total $((busy / 1000 / 1000)).$(printf %03d $((busy / 1000 % 1000)))" \
    "$("$TRACETUI" stats $capture | awk '$1 == "total" { print $1, $2 }')"

# ---- events -------------------------------------------------------------------------------------
stats --by event $capture >"$WORK/events"
same_text "events of all names" "$("$TRACETUI" dump $capture | wc -l)" "$(sum count <"$WORK/events")"
"$TRACETUI" dump --format csv $capture | awk -F, 'NR > 1 { n[$8 " " $9]++ } END { for (k in n) print k, n[k] }' | sort >"$WORK/counted"
awk -F, 'NR > 1 { print $1, $2, $3 }' "$WORK/events" | sort >"$WORK/numbers"
same "as dump lists them" "$WORK/counted" "$WORK/numbers"
# Durations of interrupts, from the lines that dump prints: nested on each CPU.
"$TRACETUI" dump --format csv $capture | awk -F, '
    $9 == "INT_ENTR" { at[$4, ++depth[$4]] = $2 }
    $9 == "INT_EXIT" && depth[$4] > 0 { d = $2 - at[$4, depth[$4]--]; n++; s += d; if (d > max) max = d }
    END { print n, int(s / n), max }' >"$WORK/counted"
of_event() { awk -F, -v name="$1" '$2 == name && $1 != "KER_EXIT" { print $8, $9, $12 }' "$WORK/events"; }
same_text "how long interrupts take" "$(cat "$WORK/counted")" "$(of_event INT_ENTR)"
"$TRACETUI" dump --format csv $capture | awk -F, '
    $8 == "KER_CALL" { at[$5, $6] = $2; call[$5, $6] = $9 }
    $8 == "KER_EXIT" && call[$5, $6] == $9 { if ($9 == "MSG_SENDV") { d = $2 - at[$5, $6]; n++; s += d; if (d > max) max = d }; call[$5, $6] = "" }
    END { print n, int(s / n), max }' >"$WORK/counted"
same_text "how long a kernel call takes" "$(cat "$WORK/counted")" "$(of_event MSG_SENDV)"
"$TRACETUI" dump --format csv $capture | awk -F, '
    $9 == "THRUNNING" { if (last != "") { n++; s += $2 - last; if ($2 - last > max) max = $2 - last }; last = $2 }
    END { print int(s / n), max }' >"$WORK/counted"
same_text "how far apart events are" "$(cat "$WORK/counted")" "$(awk -F, '$2 == "THRUNNING" { print $5, $7 }' "$WORK/events")"
for key in count duration_count; do
    parts=0
    for window in '--to #500' '--from #500 --to 21ms' '--from 21ms --to 21ms' '--from 21ms'; do
        # shellcheck disable=SC2086 # words are meant
        parts=$((parts + $(stats --by event $window $capture | sum $key)))
    done
    same_text "$key of events adds up over windows" "$(sum $key <"$WORK/events")" "$parts"
done
same_text "events of a thread" "$("$TRACETUI" dump --thread sh/4 --cpu 0,1 $capture | wc -l)" \
    "$(stats --by event --thread sh/4 --cpu 0,1 $capture | sum count)"
# fxt FILE NAME DURATIONS SUM: what Perfetto says of the slices of a name
fxt() {
    local file=../shared/captures/fxt/$1.fxt
    if [ -f "$file" ]; then
        same_text "slices of $1: $2" "$3 $4" \
            "$(stats --by event "$file" | awk -F, -v name="$2" '$2 == name { print $8, $8 * $9 }')"
    else
        skip "slices of $1: $2" "there is no $file"
    fi
}
fxt all_records outer 1 1000
fxt all_records inner 1 400
fxt all_records complete 1 1000
fxt all_records as 1 100
fxt all_records evt 0 0
fxt end_without_begin open2 1 9
fxt end_without_begin open 0 0
fxt simple_trace_reconstructed begin_end_ref 2 1320000000
fxt simple_trace_reconstructed begin_end_inline 1 250000000
fxt simple_trace_reconstructed complete_inline 1 40000000

# ---- one thread on two CPUs ---------------------------------------------------------------------
two=../shared/captures/fxt/sched_new.fxt
if [ -f $two ]; then
    stats $two >"$WORK/two"
    same_text "who is seen on a second CPU has left the first" "8 8 8" \
        "$(stats --by cpu $two | sum switches) $(sum switches_in <"$WORK/two") $(sum switches_out <"$WORK/two")"
    same_text "nobody says why" 1 "$(sum unknown_out <"$WORK/two")"
else
    skip "who is seen on a second CPU has left the first" "there is no $two"
fi

# ---- the total ----------------------------------------------------------------------------------
"$TRACETUI" stats --by total --format csv $capture >"$WORK/total"
same_text "switches of the total" "$(stats --by cpu $capture | sum switches)" "$(column context_switches <"$WORK/total")"
same_text "preemptions of the total" "$(stats $capture | awk -F, 'NR > 1 && $NF == 0' | awk -F, '{ s += $14 } END { print s }')" \
    "$(column preemptions <"$WORK/total")"
same_text "interrupts of the total" "$(stats --by cpu $capture | sum irq_count)" "$(column interrupts <"$WORK/total")"
same_text "nobody counts inversions" "" "$(column inversions_deterministic <"$WORK/total")"
for key in context_switches preemptions suspensions resumptions interrupts nested_interrupts delay_count events; do
    parts=0
    for window in '--to 3ms' '--from 3ms --to 26ms' '--from 26ms'; do
        # shellcheck disable=SC2086 # words are meant
        parts=$((parts + $(stats --by total $window $capture | column $key)))
    done
    same_text "$key of the total adds up over windows" "$(column $key <"$WORK/total")" "$parts"
done

# ---- what TraceX says of the same captures ------------------------------------------------------
# tracex NAME SWITCHES... as its dump prints them: totals, then ticks and least free stack by thread
tracex() {
    local file=../shared/captures/trx/$1.trx keys
    if [ ! -f "$file" ]; then
        skip "TraceX's numbers of $1" "there is no $file"
        return
    fi
    keys='context_switches preemptions suspensions resumptions interrupts nested_interrupts inversions_deterministic inversions_nondeterministic'
    for key in $keys; do
        stats --by total "$file" | column "$key"
    done | paste -sd' ' >"$WORK/numbers"
    same_text "TraceX's statistics of $1" "$2" "$(cat "$WORK/numbers")"
    stats "$file" >"$WORK/threads"
    paste -d' ' <(column run_ticks <"$WORK/threads") <(column stack_min <"$WORK/threads") \
        <(column stack_size <"$WORK/threads") <(column thread <"$WORK/threads") | grep -v '^0 ' >"$WORK/numbers"
    same_text "its ticks and stacks by thread" "$3" "$(paste -sd';' "$WORK/numbers")"
    same_text "its ticks in interrupts" "$4" "$(stats --by cpu "$file" | column irq_ticks)"
    for key in $keys; do
        parts=0
        for window in '--to #100' '--from #100 --to #146' '--from #146 --to 90%' '--from 90%'; do
            # shellcheck disable=SC2086 # words are meant
            parts=$((parts + $(stats --by total $window "$file" | column "$key")))
        done
        same_text "$key of $1 adds up over windows" "$(stats --by total "$file" | column "$key")" "$parts"
    done
}
tracex demo_threadx "18 5 16 19 3 0 0 0" \
    "79507 924 1020 thread 1;70828 916 1020 thread 2;1492 908 1020 System Timer Thread;1076 908 1020 thread 7;1047 916 1020 thread 4;843 908 1020 thread 6;657 916 1020 thread 3" 756
tracex demo_netx_tcp "79 12 60 60 0 0 11 8" \
    "325000 1568 2048 thread 0;252000 1404 2048 NetX IP Instance 1;204000 1396 2048 NetX IP Instance 0;168000 1568 2048 thread 1" 0

# TraceX printed nothing of this one: its rules, by the model of the unit tests.
wrapped=../shared/captures/trx/gen_up_le32_wrapped.trx
if [ -f $wrapped ]; then
    same_text "a RESUME moves TraceX's current thread" "254 82 41" "$("$TRACETUI" stats --by total --format csv $wrapped >"$WORK/wrapped"
        echo "$(column context_switches <"$WORK/wrapped") $(column preemptions <"$WORK/wrapped") $(column interrupts <"$WORK/wrapped")")"
else
    skip "a RESUME moves TraceX's current thread" "there is no $wrapped"
fi

# ---- no clock -----------------------------------------------------------------------------------
trx=../shared/captures/trx/demo_threadx.trx
if [ -f $trx ]; then
    says "without a clock keys end in _ticks" 'run_ticks.*delay_max_at_ticks' <(stats $trx)
    same_text "and none in _ns" 0 "$(stats $trx | grep -c _ns)"
    same_text "with one they end in _ns" 79507000 "$(stats --clock 1M --thread 'thread 1' $trx | column run_ns)"
else
    skip "without a clock" "there is no $trx"
fi

# ---- filters ------------------------------------------------------------------------------------
filtered() { "$TRACETUI" dump --filter "$1" $capture | wc -l; }
for filter in 'cpu = 0' 'class = THREAD' 'dur > 10us' 'REPLY'; do
    same_text "events that match $filter" "$(filtered "$filter")" \
        "$(stats --by event --filter "$filter" $capture | sum count)"
done
same_text "by event a CPU is the same as a filter" "$(stats --by event --cpu 1 $capture)" \
    "$(stats --by event --filter 'cpu = 1' $capture)"
for by in thread process pair total; do
    same_text "by $by a process is the same as a filter" "$(stats --by $by --thread 4100 $capture)" \
        "$(stats --by $by --filter 'pid = 4100' $capture)"
done
same_text "threads that had a matching event in the range" \
    "$("$TRACETUI" dump --format csv --filter 'event = THREADY' --from 10ms --to 12ms $capture |
        column tid | wc -l)" \
    "$(stats --by event --filter 'event = THREADY' --from 10ms --to 12ms $capture | sum count)"
same_text "their names" \
    "$("$TRACETUI" dump --format jsonl --filter 'event = THREADY' --from 10ms --to 12ms $capture |
        sed -E 's/.*"pid":([0-9]+),"tid":([0-9]+).*/\1 \2/' | sort -u)" \
    "$(stats --filter 'event = THREADY' --from 10ms --to 12ms $capture |
        awk -F, 'NR > 1 { print $1, $2 }' | sort -u)"
same_text "CPUs that had one" 1 \
    "$(stats --by cpu --filter 'cpu = 1 and event = THRUNNING' $capture | column cpu)"
same_text "a filter and CPUs that have nothing in common" 0 \
    "$(stats --by event --filter 'cpu = 1' --cpu 0 $capture | sum count)"
exits "a filter that cannot be" 2 "$TRACETUI" stats --filter 'cpu = x' $capture
says "says where" 'column 7' "$WORK/err"

# ---- wrong words --------------------------------------------------------------------------------
exits "text is the table" 0 "$TRACETUI" stats --format text $capture
same "as it is" $expected/demo.kev.stats.thread.table "$WORK/out"
exits "--by something else" 2 "$TRACETUI" stats --by name $capture
says "says what there is" 'thread, cpu, process, pair, event, total' "$WORK/err"
exits "--by with dump" 2 "$TRACETUI" dump --by cpu $capture
exits "--format table with dump" 2 "$TRACETUI" dump --format table $capture
exits "--thread with --by cpu" 2 "$TRACETUI" stats --by cpu --thread sh $capture
exits "an unknown thread" 2 "$TRACETUI" stats --thread nobody $capture
nothing "prints nothing" "$WORK/out"
exits "two files" 0 "$TRACETUI" stats --by cpu --format csv $capture samples/fast1.kev
same_text "have a header each" 2 "$(grep -c '^cpu,' "$WORK/out")"

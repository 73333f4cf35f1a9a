# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The keys of stats of every sample, in every format: exactly these, in this order.
. tests/lib/case.sh

classes='unknown= running= ipc= lock= sleep= wait= stopped= dead='
delays='delay_count delay_mean= delay_p50= delay_p95= delay_p99= delay_max= delay_max_at='
preempted_waits='preempted_wait_count preempted_wait_mean= preempted_wait_p50= preempted_wait_p95=
    preempted_wait_p99= preempted_wait_max= preempted_wait_max_at='
waits='wait_count wait_mean= wait_p50= wait_p95= wait_p99= wait_max= wait_max_at='
ready_by='ready_higher= ready_equal= ready_lower= ready_occupied= ready_interrupt= ready_kernel= ready_idle=
    ready_unknown='
slices='slices slice_mean= slice_max= slice_max_at='
running="run= run_pct irq= switches_in switches_out voluntary preempted unknown_out migrations
    $slices ready= $ready_by $delays $preempted_waits $waits $classes"
clients='self= imposed= imposed_gross= charged='
durations='duration_count duration_mean= duration_p50= duration_p99= duration_max= duration_max_at='

# keys_of BY FORMAT UNIT: prints all keys; a key that ends in = is a time
keys_of() {
    case $1 in
    thread)
        echo "pid tid process thread priority priority_min priority_max $running idle"
        [ "$2" != trx ] || echo "suspensions resumptions stack_min stack_size"
        echo "$clients"
        ;;
    process) echo "pid process threads $running running_any= $clients" ;;
    cpu) echo "cpu busy= idle= irq= kernel= unknown= irq_count switches busy_pct" ;;
    pair) echo "cpu from_pid from_tid from to_pid to_tid to count" ;;
    blame) echo "pid tid thread by_pid by_tid by cause cpu vector ready= blocked= idle= total= total_pct" ;;
    inversion)
        echo "pid tid thread priority holder_pid holder_tid holder by_pid by_tid by by_priority object wait from= to= dur="
        [ "$2" != trx ] || echo "kind begin_event end_event"
        ;;
    service) echo "pid tid thread class event count rate_hz first_at=" ;;
    event) echo "class event count rate_hz period_mean= period_p99= period_max= $durations" ;;
    total)
        echo "window= events processes threads cpus busy= idle= irq= kernel= unknown="
        echo "context_switches preemptions time_slices suspensions resumptions"
        echo "interrupts nested_interrupts inversions_deterministic inversions_nondeterministic"
        echo "migrations delay_count delay_mean= delay_max= delay_max_at="
        echo "preempted_wait_count preempted_wait_max="
        ;;
    esac | tr -s ' \n' '\n\n' | sed "/^$/d; s/=\$/_$3/" | paste -sd,
}

# check NAME FILE FORMAT UNIT OPTION...
check() {
    local name=$1 file=$2 format=$3 unit=$4 by
    shift 4
    needs "$file"
    for by in thread process cpu pair event total blame inversion service; do
        case "$by $*" in blame*--cpu* | inversion*--cpu*) continue ;; esac
        keys_of $by "$format" "$unit" >"$WORK/keys"
        "$TRACETUI" stats --by $by --format csv "$@" "$file" | head -n 1 >"$WORK/csv"
        same "$name by $by, csv" "$WORK/keys" "$WORK/csv"
        # A name of a thread or event may contain text like a key, but without a quote before it.
        "$TRACETUI" stats --by $by --format jsonl "$@" "$file" >"$WORK/all"
        [ $by != inversion ] || [ -s "$WORK/all" ] || continue # many captures have no inversions
        head -n 1 "$WORK/all" | grep -oE '[{,]"[a-z_0-9]+":' | tr -d '{",:' | paste -sd, >"$WORK/jsonl"
        same "$name by $by, jsonl" "$WORK/keys" "$WORK/jsonl"
        same_text "$name by $by, all lines of jsonl" 1 \
            "$(while read -r line; do grep -oE '[{,]"[a-z_0-9]+":' <<<"$line" | paste -sd' '; done \
                < <(head -n 20 "$WORK/all") | sort -u | wc -l)"
        # Every key is documented.
        tr ',' '\n' <"$WORK/keys" | sed -E 's/_(ns|ticks)$//' | while read -r key; do
            [ $by = total ] && key=${key/#delay_*/delay_...} && key=${key/#preempted_wait_*/preempted_wait_...}
            grep -qF "\`$key\`" docs/metrics.md || echo "$key"
        done >"$WORK/untold"
        nothing "$name by $by, docs/metrics.md has all" "$WORK/untold"
    done
}

check "QNX" samples/demo.kev kev ns
check "Fuchsia" samples/demo.fxt fxt ns
check "BTrace" samples/demo.btrace btrace ns
check "ThreadX" samples/demo.trx trx ticks
check "ThreadX with a clock" samples/demo.trx trx ns --clock 1M
check "a window, a thread and CPUs" samples/demo.kev kev ns --from 1ms --to 20ms --cpu 0,1

# The table has the same columns with and without a clock, with units.
for by in thread process cpu event; do
    "$TRACETUI" stats --by $by samples/demo.trx | head -n 1 | tr -s ' ' >"$WORK/ticks"
    "$TRACETUI" stats --by $by --clock 1M samples/demo.trx | head -n 1 | sed -E 's: (ms|µs|/?s)\b::g' |
        tr -s ' ' >"$WORK/units"
    same "the table by $by without a clock has the same columns" "$WORK/ticks" "$WORK/units"
done

# `info` and the total count the same threads and processes: without idle ones.
for file in samples/demo.*; do
    for key in threads processes; do
        "$TRACETUI" info --format jsonl "$file" | grep -oE "\"$key\":[0-9]+" >"$WORK/info"
        "$TRACETUI" stats --by total --format jsonl "$file" | grep -oE "\"$key\":[0-9]+" >"$WORK/total"
        same "$file: info and stats have the same number of $key" "$WORK/info" "$WORK/total"
    done
done

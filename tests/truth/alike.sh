# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# One run of the simulator, written in every format: the same threads run on the same CPUs in the
# same order, and at the same times where the format keeps the run's clock. A ThreadX kernel logs at
# other times, so that only the order of its captures is compared.
. tests/lib/case.sh

# switches FORMAT WHAT: the list of the capture; WHAT is `times` (from the second switch of each CPU
# on, which every format records) or `order`.
switches() {
    "$BUILD/tests/truth/list_switches" "$WORK/x.$1" |
        awk -v what="$2" '
            # ThreadX has no processes: a name is "process/thread", or the process if there is
            # nothing else. In Linux the first thread of a process has the name of the process.
            { sub(/ [^ ]*\//, " "); sub(/ (tracelogger|sh)$/, " main") }
            !($1 in seen) { seen[$1] = 0 }
            { seen[$1]++ }
            seen[$1] == 2 { base[$1] = $2 }
            seen[$1] >= 2 { print $1, what == "times" ? $2 - base[$1] : "", $3 }'
}

compare() { # compare NAME FORMATS OPTION...
    local name=$1 formats=$2 format
    shift 2
    for format in kev $formats; do
        "$TTSIM" --format "$format" --clock "${clock:-100000000}" -o "$WORK/x.$format" "$@" ||
            not_ok "$name" "no $format"
    done
    switches kev times >"$WORK/kev.times"
    switches kev order >"$WORK/kev.order"
    if [ "$(wc -l <"$WORK/kev.times")" -lt 20 ]; then
        not_ok "$name" "hardly any switches"
    fi
    for format in $formats; do
        case $format in
        trx) what=order ;;
        *) what=times ;;
        esac
        switches "$format" $what >"$WORK/$format.$what"
        same "$name: $format as kev ($what)" "$WORK/kev.$what" "$WORK/$format.$what"
    done
}

for seed in 1 2 3; do
    clock=1000000000 compare "mixed, four CPUs, of Linux and Zephyr, seed $seed" "ftrace lttng zephyr" --scenario mixed --seed $seed --seconds 0.05
    for scenario in chatty irqstorm; do
        clock=1000000000 compare "$scenario of Linux, seed $seed" "ftrace lttng" --scenario $scenario --seed $seed --seconds 0.03
    done
    compare "inversion, one CPU, seed $seed" "fxt btrace trx" --scenario inversion --seed $seed --seconds 0.05
    compare "mixed, four CPUs, seed $seed" "fxt btrace" --scenario mixed --seed $seed --seconds 0.05
done

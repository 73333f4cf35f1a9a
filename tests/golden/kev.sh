# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# QNX captures: both byte orders, both printers, per-CPU rings. Names and losses are in tests/cases/.
. tests/lib/case.sh

captures=../shared/captures/kev

# ---- captures rebuilt from a listing of QNX's traceprinter, in both byte orders ------------------
if [ ! -f "$captures/synthetic-seed-le.kev" ]; then
    skip "both byte orders of one capture" "$captures is not there"
else
    for style in traceprinter traceprinter7; do
        for order in le be; do
            exits "$style, $order" 0 "$TRACETUI" dump --style $style "$captures/synthetic-seed-$order.kev"
            grep -v _ENDIAN "$WORK/out" >"$WORK/$order"
        done
        same "$style prints the same of both byte orders" "$WORK/le" "$WORK/be"
    done
    for order in le be; do
        "$TRACETUI" dump --format jsonl "$captures/synthetic-seed-$order.kev" |
            sed -E 's/"offset":"?[0-9]+"?//' >"$WORK/$order"
    done
    same "dump says the same of both byte orders" "$WORK/le" "$WORK/be"
fi

# ---- captures without their beginning ------------------------------------------------------------
# rows FILE FROM [OPTION...]: time, CPU, class, event and arguments of the events from this offset on
rows() {
    local file=$1 from=$2
    shift 2
    "$TRACETUI" sql "select ts_ticks, cpu, class, event, args from events where offset >= $from order by n" \
        --format csv "$@" "$file" 2>/dev/null
}
needs samples/demo.kev
for gone in 30000 90001 100; do
    tail -c +$((gone + 1)) samples/demo.kev >"$WORK/cut.kev"
    for clock in "" "--clock 1G"; do
        # shellcheck disable=SC2086 # two words, or none
        exits "cut at $gone $clock: info" 1 "$TRACETUI" info --format jsonl $clock "$WORK/cut.kev"
        rate=null
        [ -z "$clock" ] || rate=1000000000
        says "cut at $gone $clock: the clock is the option's" "\"clock_hz\":$rate,\"cpus\":4," "$WORK/out"
        # shellcheck disable=SC2086
        rows "$WORK/cut.kev" 0 $clock >"$WORK/rest"
        rows samples/demo.kev "$gone" >"$WORK/all"
        same "cut at $gone $clock: the events are those of the whole" "$WORK/all" "$WORK/rest"
    done
done
"$TRACETUI" stats --clock 1G --format csv "$WORK/cut.kev" 2>/dev/null | cut -d, -f1-9 >"$WORK/rest"
"$TRACETUI" stats --format csv samples/demo.kev | cut -d, -f1-9 >"$WORK/all"
same "cut in the header: the threads run as in the whole" "$WORK/all" "$WORK/rest"
for bytes in "head -c 100000 /dev/zero" "head -c 100000 $TRACETUI" "cat docs/format-kev.md"; do
    $bytes >"$WORK/other.kev"
    exits "$bytes is no capture" 2 "$TRACETUI" info "$WORK/other.kev"
done

# ---- simulated captures --------------------------------------------------------------------------
needs "$TTSIM"
for version in 6.4 7.1 8.0; do
    for mode in fast wide mixed; do
        name="$version $mode"
        for order in little big; do
            "$TTSIM" --kev-version $version --kev-mode $mode --endian $order --seed 11 --events 4000 \
                -o "$WORK/$order.kev" >/dev/null 2>&1
            exits "$name, $order-endian" 0 "$TRACETUI" dump "$WORK/$order.kev"
            mv "$WORK/out" "$WORK/$order"
        done
        # Words of text are other numbers in the other byte order.
        for order in little big; do
            sed -E 's/( d[0-9]+=|msg\[[0-9]\]=)0x[0-9a-f]+(\([^)]*\))?/\1/g' "$WORK/$order" >"$WORK/$order.texts"
        done
        same "$name: the same events in both byte orders" "$WORK/little.texts" "$WORK/big.texts"
        # The characters have the same order in both files.
        for order in little big; do
            grep -oE 'msg\[[0-9]\]=0x[0-9a-f]+\([^)]*\)' "$WORK/$order" | sed -E 's/0x[0-9a-f]+//' \
                >"$WORK/$order.texts"
        done
        # "data", read from a big-endian file
        [ "$mode" = fast ] || says "$name: messages hold text" 'msg\[2\]=0x64617461' "$WORK/big"
        same "$name: the same texts in both byte orders" "$WORK/little.texts" "$WORK/big.texts"
        awk '$1 + 0 < last { back++ } { last = $1 + 0 } END { exit back > 0 }' "$WORK/little" &&
            ok "$name: in the order of time" || not_ok "$name: in the order of time"
        events=$(wc -l <"$WORK/little")
        for style in traceprinter traceprinter7; do
            exits "$name: $style" 0 "$TRACETUI" dump --style $style "$WORK/little.kev"
            same_text "$name: $style prints every event" "$events" "$(grep -c '^t:0x' "$WORK/out")"
        done
        exits "$name: info" 0 "$TRACETUI" info "$WORK/little.kev"
        says "$name: nothing is wrong" 'no problems found' "$WORK/out"
    done
done

# ---- values that the simulator writes --------------------------------------------------------------
sporadic='low_priority=10 param.S*ss_max_repl=3 param.S*ss_repl_period.tv_sec=0'
sporadic="$sporadic param.S*ss_repl_period.tv_nsec=40000000 param.S*ss_init_budget.tv_sec=0"
sporadic="$sporadic param.S*ss_init_budget.tv_nsec=5000000"
for version in 6.4 7.1 8.0; do
    "$TTSIM" --kev-version $version --seed 11 --events 20000 -o "$WORK/sporadic.kev" >/dev/null 2>&1
    "$TRACETUI" dump "$WORK/sporadic.kev" 2>/dev/null | grep -E 'KER_CALL +SCHED_SET' >"$WORK/out"
    says "$version: SCHED_SET has sporadic parameters" "${sporadic//S\*/(__)?}\$" "$WORK/out"
done

# ---- what QNX's own reader of 6.4 can read -----------------------------------------------------------
# header_values FILE: the values of the header, one a line
header_values() {
    LC_ALL=C sed -z -n '1s/TRACE_HEADER_END::.*//p' <"$1" | tr '\0' '\n' |
        sed 's/TRACE_[A-Z_]*::/\n/g'
}
"$TTSIM" --kev-version 6.4 --kev-mode wide --events 400 --seed 123456789 --cpus 2 --load 100 \
    --scenario mixed --threads 4 --processes 2 -o "$WORK/long options.kev" >/dev/null 2>&1
for file in samples/demo.kev samples/fast1.kev samples/wide4.kev "$WORK/long options.kev"; do
    name=${file##*/}
    same_text "$name: the last key's value is short" "-d1" \
        "$(LC_ALL=C grep -aoE 'TRACE_TRACELOGGER_ARGS::[ -~]*TRACE_HEADER_END::' "$file" |
            sed -E 's/^TRACE_TRACELOGGER_ARGS::(.*)TRACE_HEADER_END::.*/\1/')"
    # It reads 99 bytes at a time, and treats a second T in a value as the next key.
    header_values "$file" | awk 'length > 63 || gsub(/T/, "T") > 1 { bad = 1 } END { exit bad }' &&
        ok "$name: values fit the reader's window" || not_ok "$name: values fit the reader's window"
done

# 7.x's form has the whole 64-bit time; 6.4's its low half. Neither is sorted.
"$TTSIM" --kev-version 8.0 --seed 3 --events 9000 -o "$WORK/rings.kev" >/dev/null 2>&1
"$TRACETUI" dump --style traceprinter7 "$WORK/rings.kev" 2>/dev/null |
    sed -nE 's/^t:0x0*([0-9a-f]+) CPU:.*/\1/p' >"$WORK/times"
awk '{ t = sprintf("%16s", $1); gsub(/ /, "0", t) } t < last { back++ } { last = t }
     END { exit !(NR > 5000 && back > 0) }' "$WORK/times" &&
    ok "rings of CPUs are printed in file order" ||
    not_ok "rings of CPUs are printed in file order"
"$TRACETUI" dump --style traceprinter "$WORK/rings.kev" 2>/dev/null | grep '^t:' >"$WORK/out"
if grep -qvE '^t:0x[0-9a-f]{8} CPU:[0-9]{2} ' "$WORK/out"; then
    not_ok "times of 6.4's form are low halves" "$(grep -vE '^t:0x[0-9a-f]{8} CPU' "$WORK/out" | head -n 1)"
else
    ok "times of 6.4's form are low halves"
fi

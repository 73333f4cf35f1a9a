# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# `export`: the exported FXT follows the rules of Perfetto's importer (export_rules.py), and, read
# again, has the same switches, states, run times and wakes as the capture (export_same.py).
# EXPORT_SEEDS=N: N seeds of each kind of simulated capture (1).
. tests/lib/case.sh

SEEDS=${EXPORT_SEEDS:-1}

# check NAME CAPTURE [SELECTION...]
check() {
    local name=$1 capture=$2 format=()
    shift 2
    [[ $capture != *.fxt ]] || format=(--fxt)
    if ! "$TRACETUI" export --no-cache "$capture" "$@" -o "$WORK/exported.fxt" 2>"$WORK/err" &&
        [ -s "$WORK/err" ] && ! grep -q offset "$WORK/err"; then
        not_ok "$name" "$(head -n 1 "$WORK/err")"
        return
    fi
    python3 tests/golden/export_rules.py "$WORK/exported.fxt" "${format[@]}" >"$WORK/rules" 2>&1
    same_text "$name: the importer's rules" "" "$(grep -v '^run' "$WORK/rules" | head -n 5)"
    [ $# -gt 0 ] || same_text "$name: the same numbers" "" \
        "$(python3 tests/golden/export_same.py "$TRACETUI" "$capture" "$WORK/exported.fxt" "$WORK/rules" 2>&1 | head -n 5)"
}

for capture in samples/*.kev samples/*.fxt samples/*.trx samples/*.btrace; do
    check "$capture" "$capture"
done
for capture in ../shared/captures/{kev,trx}/*.{kev,trx} ../shared/captures/fxt/critical_path/*.fxt; do
    [ ! -f "$capture" ] || check "$(basename "$capture")" "$capture"
done

for capture in ../shared/cases/bc.btrace; do
    [ ! -f "$capture" ] || check "$(basename "$capture")" "$capture"
done

# ---- JSON

# check_json NAME CAPTURE [SELECTION...]: each object has the fields of its record
check_json() {
    local name=$1 capture=$2
    shift 2
    "$TRACETUI" export --no-cache "$capture" "$@" -o "$WORK/exported.fxt" 2>"$WORK/err"
    "$TRACETUI" dump --format chrome-json --no-cache "$capture" "$@" -o "$WORK/exported.json" 2>"$WORK/err"
    same_text "$name: JSON has the records of the export" "" \
        "$(python3 tests/golden/chrome_json.py "$WORK/exported.json" "$WORK/exported.fxt" 2>&1 | head -n 5)"
}

for capture in samples/demo.*; do
    check_json "$capture" "$capture"
done
for capture in ../shared/captures/fxt/{all_records,flows,koid_gt32,sched_new}.fxt; do
    [ ! -f "$capture" ] || check_json "$(basename "$capture")" "$capture"
done
[ ! -f ../shared/cases/bc.btrace ] || check_json bc.btrace ../shared/cases/bc.btrace --from 30%
check_json "a part of demo.fxt" samples/demo.fxt --from 20% --to 50% --cpu 0-1
sed -i '/"ph":"k"/{s/"state":[0-9]*/"state":9/;:all;n;b all}' "$WORK/exported.json"
same_text "a wrong field is seen" 1 \
    "$(python3 tests/golden/chrome_json.py "$WORK/exported.json" "$WORK/exported.fxt" | wc -l)"

# ---- parts of a capture
for selection in "--from 30% --to 60%" "--thread fusion" "--cpu 1" "--filter class=INT" "--to 10%" "--from #2000"; do
    # shellcheck disable=SC2086 # options are words
    check "demo.kev $selection" samples/demo.kev $selection
done
check "demo.fxt, a range" samples/demo.fxt --from 20% --to 50%

# ---- simulated captures
for ((seed = 1; seed <= SEEDS; seed++)); do
    while read -r name options; do
        # shellcheck disable=SC2086
        "$TTSIM" --seed "$seed" --events 6000 $options -o "$WORK/run.$name" 2>"$WORK/err" ||
            not_ok "$options" "$(cat "$WORK/err")"
        check "seed $seed $options" "$WORK/run.$name"
    done <<'RUNS'
kev --format kev --scenario mixed
kev --format kev --scenario chatty --kev-version 8.0
kev --format kev --scenario churn --kev-mode fast
kev --format kev --scenario inversion --kev-version 6.4 --kev-buffers ring --kev-ring 8
kev --format kev --scenario mixed --lose 4
kev --format kev --scenario mixed --ties
kev --format kev --scenario mixed --kev-version 8.0 --cpus 8
fxt --format fxt --scenario mixed --fxt-providers 3
fxt --format fxt --scenario chatty --fxt-sched legacy
trx --format trx --scenario mixed
trx --format trx --scenario inversion --cpus 1
btrace --format btrace --scenario mixed
btrace --format btrace --scenario churn --cpus 1
RUNS
done

# The last event before a loss is an answer: what is lost becomes unknown after it.
"$TTSIM" --seed 3 --events 6000 --scenario mixed --lose 4 -o "$WORK/answer.kev" 2>"$WORK/err"
check "an answer with the last event before a loss" "$WORK/answer.kev"

# ---- the output
run "$TRACETUI" export --format fxt samples/demo.kev
cp "$WORK/out" "$WORK/piped.fxt"
run "$TRACETUI" export samples/demo.kev -o -
same "-o - is standard output" "$WORK/piped.fxt" "$WORK/out"
"$TRACETUI" export samples/demo.kev -o "$WORK/file.fxt"
same "a file has the same bytes" "$WORK/piped.fxt" "$WORK/file.fxt"
code=$("$TRACETUI" export samples/demo.kev | head -c 10 >/dev/null; echo "${PIPESTATUS[0]}")
same_text "a closed pipe is no failure" 0 "$code"

# The checks detect violations: an end without a begin, and a run that is missing.
"$TRACETUI" export samples/demo.kev --cpu 1 -o "$WORK/exported.fxt"
python3 tests/golden/export_rules.py "$WORK/exported.fxt" >"$WORK/rules"
same_text "a missing CPU is seen" 1 "$(python3 tests/golden/export_same.py "$TRACETUI" samples/demo.kev \
    "$WORK/exported.fxt" "$WORK/rules" | grep -c 'CPU 0: switches')"
python3 - samples/demo.fxt "$WORK/bad.fxt" <<'PYTHON'
import sys
data = open(sys.argv[1], "rb").read()
open(sys.argv[2], "wb").write(data + bytes.fromhex("4400000000000000") * 2)
PYTHON
same_text "a wrong record is seen" 1 \
    "$(($(python3 tests/golden/export_rules.py "$WORK/bad.fxt" 2>&1 | grep -vc '^run') > 0))"

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# check: every measure has the value of the command that prints it, the limit at the value passes and one
# unit below fails (check_values.py; CHECK_ROWS=1000 for all rows); the reports are read by their
# consumers; losses make exactly the rules undecided that they could change. The output is in
# tests/cases/check.test.
. tests/lib/case.sh

if ! command -v python3 >/dev/null; then
    skip "check" "python3 is not installed"
    exit 0
fi

# ---- values ---------------------------------------------------------------------------------------
for sample in demo.kev wide4.kev fast1.kev demo.fxt demo.trx demo.btrace; do
    run env CHECK_ROWS="${CHECK_ROWS:-2}" python3 tests/golden/check_values.py "$TRACETUI" "samples/$sample"
    [ "$code" -eq 0 ] && ok "$sample: $(tail -n 1 "$WORK/out")" ||
        not_ok "$sample" "$(head -n 3 "$WORK/out" "$WORK/err" | cut -c1-400)"
done

# ---- times of measure ------------------------------------------------------------------------------
# value KEY: a number of the last line of measure
begin='event = INT_ENTR' end='event = THRUNNING'
"$TRACETUI" measure --begin "$begin" --end "$end" --same cpu --format jsonl samples/demo.kev | tail -n 1 >"$WORK/measure"
for quantile in count min mean p50 p95 p99 max; do
    key=$quantile unit=
    [ $quantile = count ] || key=${quantile}_ns unit=ns
    value=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$WORK/measure" "$key")
    rule="$quantile time from {$begin} to {$end} same cpu <="
    exits "$quantile time: the limit at the value passes" 0 "$TRACETUI" check --rule "$rule $value$unit" samples/demo.kev
    exits "$quantile time: one tick below fails" 3 "$TRACETUI" check --rule "$rule $((value - 1))$unit" samples/demo.kev
done

# ---- counts ------------------------------------------------------------------------------------------
count=$("$TRACETUI" dump --filter 'event = THREADY' samples/demo.kev | wc -l)
exits "a count is that of dump" 0 "$TRACETUI" check --rule "count of {event = THREADY} = $count" samples/demo.kev
count=$("$TRACETUI" dump --from 10ms --to 20ms --filter 'event = THREADY' samples/demo.kev | wc -l)
exits "a window is that of --from and --to" 0 "$TRACETUI" check \
    --rule "count of {event = THREADY} = $count within 10ms..20ms" samples/demo.kev

# ---- readers of reports ------------------------------------------------------------------------------
cat >"$WORK/rules.check" <<'RULES'
a & b: lost = 0
failed: delay max of thread sensor/1 < 1us
undecided: busy of cpu 9 < 1%
RULES
junit() { "$TRACETUI" check --format junit "$@" "$WORK/rules.check" samples/demo.kev >"$WORK/junit.xml" 2>/dev/null; }
cat >"$WORK/read.py" <<'PYTHON'
import sys

import junitparser

xml = junitparser.JUnitXml.fromfile(sys.argv[1])
for suite in xml:
    for case in suite:
        print(suite.name, case.name, *(type(r).__name__ for r in case.result), sep=", ")
    print(suite.tests, suite.failures, suite.errors, suite.skipped)
PYTHON
if /usr/bin/python3 -c 'import junitparser' 2>/dev/null; then
    junit
    same_text "junitparser reads the report" "samples/demo.kev, a & b
samples/demo.kev, failed, Failure
samples/demo.kev, undecided, Error
3 1 1 0" "$(/usr/bin/python3 "$WORK/read.py" "$WORK/junit.xml" 2>&1)"
    junit --undecided pass
    same_text "accepted undecided rules are skipped" "samples/demo.kev, undecided, Skipped" \
        "$(/usr/bin/python3 "$WORK/read.py" "$WORK/junit.xml" 2>&1 | sed -n 3p)"
else
    skip "junitparser reads the report" "python3-junitparser is not installed"
fi
# The schema, for every verdict, text that XML has to escape, several captures, and one that is missing.
if command -v xmllint >/dev/null; then
    printf 'a & b: never {event = THREADY and /[<&>]?\x22\x01?]]>?/}\nnever {thread ~ /\303\244/}\nu: busy of cpu 9 < 1%%\n' >"$WORK/odd.check"
    count=0
    for options in "" "--undecided pass"; do
        for rules in "$WORK/rules.check" "$WORK/odd.check" samples/checks/qnx.check; do
            # shellcheck disable=SC2086 # words
            "$TRACETUI" check --format junit $options "$rules" samples/demo.kev samples/demo.fxt none.kev \
                samples/demo.trx >"$WORK/schema.xml" 2>/dev/null
            xmllint --noout --nonet --schema tests/golden/junit.xsd "$WORK/schema.xml" 2>"$WORK/err" && count=$((count + 1)) ||
                not_ok "the report of $rules has the schema" "$(head -n 3 "$WORK/err")"
        done
    done
    same_text "reports have the schema" 6 "$count"
    # The schema does detect errors.
    sed 's/ classname="[^"]*"//' "$WORK/schema.xml" >"$WORK/wrong.xml"
    exits "a case without a class is seen" 3 xmllint --noout --nonet --schema tests/golden/junit.xsd "$WORK/wrong.xml"
else
    skip "reports have the schema" "xmllint is not installed"
fi
{
    echo "cat <<'TAP'"
    "$TRACETUI" check --format tap --undecided pass "$WORK/rules.check" samples/demo.kev
    echo TAP
} >"$WORK/report.sh"
run prove -e bash "$WORK/report.sh"
says "prove reads the TAP report" 'Failed test: +2$' "$WORK/out"

# ---- the prompt of --explain ---------------------------------------------------------------------------
run timeout 3000 python3 tests/golden/check_ask.py "$TRACETUI"
[ "$code" -eq 0 ] && ok "the prompt of --explain: $(tail -n 1 "$WORK/out")" ||
    not_ok "the prompt of --explain" "$(head -n 3 "$WORK/out" "$WORK/err" | cut -c1-600)"

# ---- losses -------------------------------------------------------------------------------------------
# Verdicts on captures that lost records never contradict those on the complete ones.
needs "$TTSIM"
# shellcheck disable=SC2086 # a list of seeds
run python3 tests/golden/check_losses.py "$TRACETUI" "$TTSIM" ${CHECK_SEEDS:-2 3}
[ "$code" -eq 0 ] && ok "losses: $(tail -n 1 "$WORK/out")" ||
    not_ok "losses" "$(head -n 3 "$WORK/out" "$WORK/err" | cut -c1-400)"

# ---- docs/ci.md -----------------------------------------------------------------------------------------
# Every command line of the page that calls tracetui, with a stand-in for the recording; those with -f are
# followed for a moment.
mkdir "$WORK/ci"
cp samples/demo.kev "$WORK/ci/test.kev"
cp samples/checks/qnx.check "$WORK/ci/limits.check"
printf '#!/bin/sh\n' >"$WORK/ci/run-on-target"
chmod +x "$WORK/ci/run-on-target"
mkdir "$WORK/bin"
ln -s "$PWD/$TRACETUI" "$WORK/bin/tracetui"
grep -E 'tracetui check|^prove|run-on-target test' docs/ci.md | grep -v '^`' |
    sed -E "s/^ *(- |run: |sh '|COMMAND |run )+//; s/--timeout 60s/--timeout 1s/; s/'$//; s/test\.kev\)$/test.kev/; s/^run: //" |
    sed -E "s/^(tracetui check --rule)/\1/" >"$WORK/commands"
count=0
while IFS= read -r command; do
    (cd "$WORK/ci" && PATH=$WORK/bin:$PATH timeout 600 bash -c "$command" >"$WORK/out" 2>"$WORK/err") &&
        count=$((count + 1)) || not_ok "docs/ci.md: $command" "$(cat "$WORK/out" "$WORK/err" | head -n 3)"
done <"$WORK/commands"
same_text "the commands of docs/ci.md pass" 1 "$((count >= 10))"
same_text "its report is well-formed" 0 "$(python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$WORK/ci/report.xml" >/dev/null 2>&1; echo $?)"

# ---- a capture that grows -------------------------------------------------------------------------------
# shellcheck disable=SC2086 # a list of seeds
run python3 tests/golden/check_live.py "$TRACETUI" "$TTSIM" ${CHECK_LIVE_SEEDS:-1 2}
[ "$code" -eq 0 ] && ok "live: $(tail -n 1 "$WORK/out")" ||
    not_ok "live" "$(head -n 3 "$WORK/out" "$WORK/err" | cut -c1-400)"

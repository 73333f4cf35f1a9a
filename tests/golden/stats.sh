# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# stats: the long tables of a sample in all formats, equal numbers in all formats, filters. Short tables are
# in tests/cases/stats.test, sums in tests/unit/analysis/test_sums.c.
# After an intended change: REMAKE=1 bash tests/golden/stats.sh build/release; read the difference.
. tests/lib/case.sh

expected=tests/golden/expected
capture=samples/demo.kev
needs $capture
stats() { "$TRACETUI" stats --format csv "$@"; }
# sum: adds up the third column of CSV, which is `count` by event
sum() { echo $(($(tail -n +2 | cut -d, -f3 | paste -sd+))); }

# ---- the committed texts ------------------------------------------------------------------------
for by in thread process pair event; do
    for form in table csv jsonl; do
        run "$TRACETUI" stats --by $by --format $form $capture
        name=$expected/demo.kev.stats.$by.$form
        [ -z "${REMAKE:-}" ] || cp "$WORK/out" "$name"
        same "by $by as $form" "$name" "$WORK/out"
    done
done
exits "--format text is the table" 0 "$TRACETUI" stats --format text $capture
same "text" $expected/demo.kev.stats.thread.table "$WORK/out"
run "$TRACETUI" stats $capture
same "the default is a table by thread" $expected/demo.kev.stats.thread.table "$WORK/out"

# ---- the formats have equal numbers ---------------------------------------------------------------------
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

# ---- events ---------------------------------------------------------------------------------------
same_text "events of all names" "$("$TRACETUI" dump $capture | wc -l)" "$(stats --by event $capture | sum)"
"$TRACETUI" dump --format csv $capture | tail -n +2 | cut -d, -f8,9 | sort | uniq -c |
    sed -E 's/^ *([0-9]+) (.*)/\2,\1/' | sort >"$WORK/counted"
stats --by event $capture | tail -n +2 | cut -d, -f1-3 | sort >"$WORK/numbers"
same "events of each name as dump lists them" "$WORK/counted" "$WORK/numbers"
same_text "events of a thread" "$("$TRACETUI" dump --thread sh/4 --cpu 0,1 $capture | wc -l)" \
    "$(stats --by event --thread sh/4 --cpu 0,1 $capture | sum)"
same_text "threads with an event of a pair" "$(stats --by pair --thread sh/4 $capture | tail -n +2 | wc -l)" \
    "$(stats --by pair $capture | grep -c 'sh/4 ')"

# ---- filters ------------------------------------------------------------------------------------
filtered() { "$TRACETUI" dump --filter "$1" $capture | wc -l; }
for filter in 'cpu = 0' 'class = THREAD' 'dur > 10us' 'REPLY'; do
    same_text "events that match $filter" "$(filtered "$filter")" \
        "$(stats --by event --filter "$filter" $capture | sum)"
done
same_text "by event a CPU is the same as a filter" "$(stats --by event --cpu 1 $capture)" \
    "$(stats --by event --filter 'cpu = 1' $capture)"
for by in thread process pair total; do
    same_text "by $by a process is the same as a filter" "$(stats --by $by --thread 4100 $capture)" \
        "$(stats --by $by --filter 'pid = 4100' $capture)"
done
same_text "threads that had a matching event in the range" \
    "$("$TRACETUI" dump --format csv --filter 'event = THREADY' --from 10ms --to 12ms $capture |
        tail -n +2 | wc -l)" \
    "$(stats --by event --filter 'event = THREADY' --from 10ms --to 12ms $capture | sum)"
same_text "their names" \
    "$("$TRACETUI" dump --format jsonl --filter 'event = THREADY' --from 10ms --to 12ms $capture |
        sed -E 's/.*"pid":([0-9]+),"tid":([0-9]+).*/\1 \2/' | sort -u)" \
    "$(stats --filter 'event = THREADY' --from 10ms --to 12ms $capture |
        tail -n +2 | cut -d, -f1,2 | tr , ' ' | sort -u)"
same_text "CPUs that had one" 1 \
    "$(stats --by cpu --filter 'cpu = 1 and event = THRUNNING' $capture | tail -n +2 | cut -d, -f1)"
same_text "a filter and CPUs that have nothing in common" 0 \
    "$(stats --by event --filter 'cpu = 1' --cpu 0 $capture | sum)"

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# tracetui sql: the queries of docs/sql.md, counts and sums of all tables, outputs, limits.
. tests/lib/case.sh

DEMO=samples/demo.kev
EXPECTED=tests/golden/expected/sql.csv

variables=$(env -u MAKEFLAGS -u MAKELEVEL -u SQL make -pn CC="${CC:-cc} -nostdinc" clean 2>/dev/null)
same_text "without sqlite3.h the program is built without SQLite" "SQL := 0" "$(grep '^SQL :=' <<<"$variables")"

if [ "$("$TRACETUI" --version | grep -c 'without SQL')" = 1 ]; then
    exits "without SQLite the command fails" 2 "$TRACETUI" sql "select 1" $DEMO
    says "and names the reason" 'built without SQL' "$WORK/err"
    run "$TRACETUI" render events --keys ':sql select 1<Enter>' $DEMO
    says "and :sql, too" 'built without SQL' "$WORK/out"
    skip "queries" "built without SQLite"
    exit 0
fi

# The queries of the document, in one run.
awk '/^```sql/ { on = 1; next } /^```/ { on = 0 } on' docs/sql.md >"$WORK/all.sql"
same_text "the document has queries" 60 "$(grep -c ';$' "$WORK/all.sql")"
exits "they run" 0 "$TRACETUI" sql --no-cache --format csv -f "$WORK/all.sql" $DEMO
[ -z "${REMAKE:-}" ] || cp "$WORK/out" "$EXPECTED"
same "they have the expected rows" "$EXPECTED" "$WORK/out"

# Commands with a dot, as QUERY and among statements: aligned, whole words, no mark-up.
exits ".tables is a query" 0 "$TRACETUI" sql .tables $DEMO
says "... with every table" '^irqs                Interrupts in order of time\.$' "$WORK/out"
same_text "... no mark-up, no line of more than 80 columns" "0 0" \
    "$(grep -cF -e '`' -e '](' "$WORK/out") $(grep -cE '^.{81}' "$WORK/out")"
same_text "... and the rest of an entry is below its beginning" "0" \
    "$(grep -cvE '^([a-z_]+ +| {20})[^ ]' "$WORK/out")"
exits ".schema, too" 0 "$TRACETUI" sql '.schema threads' $DEMO
says "... with types" '^utid                INTEGER  Key: ' "$WORK/out"
printf 'select 41 + 1;\n.schema irqs\nselect 43 + 1' >"$WORK/mixed.sql"
exits "... among statements" 0 "$TRACETUI" sql -f "$WORK/mixed.sql" $DEMO
same_text "... in their order" "42 44" "$(grep -oE "^ +4[24]$" "$WORK/out" | xargs)"
says "... with the columns" '^cpu ' "$WORK/out"
exits "an unknown command is an error" 2 "$TRACETUI" sql .nothing $DEMO
says "... that names the known ones" 'no command "\.nothing"; there are \.tables, \.schema TABLE' "$WORK/err"
exits "so is an unknown table" 2 "$TRACETUI" sql '.schema thread' $DEMO
says "... by name" 'no table "thread"; \.tables lists them' "$WORK/err"

# The same queries on a copy of the tables in plain SQLite.
exits "the tables are copied" 0 "$TRACETUI" sql --no-cache --to "$WORK/demo.sqlite" $DEMO
python3 tests/golden/sql_same.py plain "$TRACETUI" $DEMO "$WORK/demo.sqlite" docs/sql.md >"$WORK/count" 2>"$WORK/differences"
nothing "queries have the same rows in plain SQLite" "$WORK/differences"
same_text "queries that are compared" 59 "$(cat "$WORK/count")"

# The same queries on exported CSV.
python3 tests/golden/sql_csv.py "$TRACETUI" $DEMO docs/sql.md "$WORK" >"$WORK/count" 2>"$WORK/differences"
nothing "queries have the same rows on exported CSV" "$WORK/differences"
same_text "queries that the CSV can answer" 53 "$(cat "$WORK/count")"

exits "a copy replaces no file" 2 "$TRACETUI" sql --to "$WORK/demo.sqlite" $DEMO
exits "rows of a query are copied" 0 "$TRACETUI" sql --to "$WORK/rows.sqlite" "select 5 as five" $DEMO
same_text "as table result" 5 "$(sqlite3 "$WORK/rows.sqlite" 'select five from result')"

# Interrupts of QNX 8 have no end.
"$TTSIM" --format kev --kev-version 8.0 --events 4000 -o "$WORK/deliver.kev"
# Ticks of 7 MHz are no whole nanoseconds.
"$TTSIM" --format kev --clock 7000000 --events 4000 -o "$WORK/odd.kev"
"$TTSIM" --format kev --kev-version 8.0 --cpus 4 --events 3000 --lose 6 -o "$WORK/lossy.kev"
for file in samples/demo.kev samples/demo.fxt samples/demo.trx samples/demo.btrace "$WORK/deliver.kev" \
    "$WORK/odd.kev" "$WORK/lossy.kev"; do
    run python3 tests/golden/sql_same.py sums "$TRACETUI" $file
    same_text "$(basename "$file"): counts and sums are those of info, stats and dump" "0 " "$code $(tail -n 3 "$WORK/err")"
done

# Random conditions on all tables, beside plain SQLite. SQL_SEEDS="7 8 9" and SQL_QUERIES=5000 try others.
"$TTSIM" --format kev --cpus 2 --events 3000 --ties --clock 100000 -o "$WORK/ties.kev"
for files in samples/demo.kev samples/demo.fxt samples/demo.trx samples/demo.btrace "$WORK/lossy.kev" "$WORK/ties.kev" \
    "samples/demo.trx samples/demo.btrace samples/demo.kev"; do
    for seed in ${SQL_SEEDS:-1}; do
        # shellcheck disable=SC2086
        python3 tests/golden/sql_random.py "$TRACETUI" "$seed" "${SQL_QUERIES:-120}" $files >"$WORK/count" 2>"$WORK/differences"
        nothing "$(basename -a $files | xargs): random queries (seed $seed) have the same rows in plain SQLite" "$WORK/differences"
        same_text "and none is omitted" "${SQL_QUERIES:-120}" "$(cat "$WORK/count")"
    done
done

# Times beyond 2^63 are null or texts, which ORDER BY does not have where the tables have them.
python3 - "$WORK/far.fxt" <<'EOF'
import struct, sys

def event(ticks):
    return struct.pack('<QQQQ8s8s', 4 | 6 << 4 | 0x8003 << 32 | 0x8002 << 48, ticks, 5, 6, b'cat', b'ev')

ticks = [2 ** 63 - 2, 2 ** 63 - 1, 2 ** 63, 10 ** 19]
open(sys.argv[1], 'wb').write(struct.pack('<QQQ', 0x0016547846040010, 1 | 2 << 4, 10 ** 9) + b''.join(map(event, ticks)))
EOF
for column in ts_ns ts_ticks; do
    run "$TRACETUI" sql --format csv "select $column from events order by +$column" "$WORK/far.fxt"
    expected=$(cat "$WORK/out")
    run "$TRACETUI" sql --format csv "select $column from events order by $column" "$WORK/far.fxt"
    same_text "rows in order of $column, beyond 2^63" "$expected" "$(cat "$WORK/out")"
done

# Several captures.
run "$TRACETUI" sql -j 2 --format csv "select capture, count(*) as jobs from jobs group by capture order by 1" \
    samples/demo.kev samples/demo.trx
same_text "several captures" "capture,jobs samples/demo.kev,256 samples/demo.trx,345" "$(xargs <"$WORK/out")"
exits "one of them is unusable" 2 "$TRACETUI" sql "select count(*) from captures" $DEMO "$WORK/none.kev"
same_text "the others are queried" "count(*) 1" "$(xargs <"$WORK/out")"

# Outputs.
values="select 1 as a, 'x,\"y' as b, null as c, 2.5 as d, x'0aff' as e, 9007199254740993 as f"
run "$TRACETUI" sql --format jsonl "$values" $DEMO
same_text "jsonl" '{"a":1,"b":"x,\"y","c":null,"d":2.5,"e":"0aff","f":"9007199254740993"}' "$(cat "$WORK/out")"
run "$TRACETUI" sql --format csv "$values" $DEMO
same_text "csv" '1,"x,""y",,2.5,0aff,9007199254740993' "$(tail -n 1 "$WORK/out")"
run "$TRACETUI" sql "$values" $DEMO
same_text "table" '1  x,"y  -  2.5  0aff  9007199254740993' "$(tail -n 1 "$WORK/out")"
same_text "standard input" "1 1 2 2" "$(echo 'select 1; select 2' | "$TRACETUI" sql $DEMO | xargs)"
exits "a mistake" 2 "$TRACETUI" sql "select nothing_known from events" $DEMO
says "has its message" 'no such column: nothing_known' "$WORK/err"

# Views and macros of the configuration.
printf '%s\n' '[sql]' 'idle = select thread from threads' 'idle = where is_idle' \
    'longest(table, column) = select * from $table order by $column desc' >"$WORK/defined"
definitions="select (select count(*) from idle), response_ns from (@longest(jobs, response_ns)) limit 1"
run "$TRACETUI" sql --format csv --config "$WORK/defined" "$definitions" $DEMO
found=$(tail -n 1 "$WORK/out")
same_text "definitions of --config" "4,$(echo 'select max(response_ns) from jobs' | "$TRACETUI" sql $DEMO | tail -n 1 | xargs)" "$found"
mkdir -p "$XDG_CONFIG_HOME/tracetui"
cp "$WORK/defined" "$XDG_CONFIG_HOME/tracetui/config"
run "$TRACETUI" sql --format csv "$definitions" samples/demo.kev
same_text "definitions of the user" "0 $found" "$code $(tail -n 1 "$WORK/out")"
exits "--no-config reads none" 2 "$TRACETUI" sql --no-config "$definitions" $DEMO
echo 'wrong = selec 1' >>"$WORK/defined"
exits "an invalid view" 2 "$TRACETUI" sql --config "$WORK/defined" "select 1" $DEMO
says "has its place and name" 'configuration: wrong:' "$WORK/err"
exits "a missing configuration" 2 "$TRACETUI" sql --config "$WORK/nothing" "select 1" $DEMO

# Queries that would write, or never end.
exits "writing is not permitted" 2 "$TRACETUI" sql "attach '$WORK/x' as x" $DEMO
exits "an endless query is stopped" 2 "$TRACETUI" sql --timeout 50ms \
    "with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c" $DEMO
says "by the time limit" 'time limit of 50 ms' "$WORK/err"
exits "a huge join is stopped" 2 "$TRACETUI" sql --timeout 50ms \
    "select count(*) from events a, events b, events c, events d where a.args < d.args" $DEMO
exits "memory is limited" 2 "$TRACETUI" sql --memory-limit 8M \
    "with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from (select distinct x from c)" $DEMO
says "by --memory-limit" 'more memory than the limit of 8 MB' "$WORK/err"

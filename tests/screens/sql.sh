# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# :sql: rows, sorted, with a selected column; wide rows; no rows; a mistake. Screens have no run time.
. tests/lib/case.sh
. tests/lib/rendered.sh

DEMO=samples/demo.kev
if "$TRACETUI" --version | grep -q 'without SQL'; then
    skip "screens of :sql" "built without SQLite"
    exit 0
fi

# sql NAME FILE KEYS ARGUMENTS...: the screen after :sql and keys, with N for the run time of the query
sql() {
    local name=$1 file=$2 keys=$3
    shift 3
    run "$TRACETUI" render events --keys ":sql $keys" "$@" $DEMO
    sed -E -i '/sql: /{s/ {2,}/  /g; s/[0-9,]+ ms/N ms/;}' "$WORK/out"
    same_text "$name: exit status" 0 "$code"
    [ -z "${UPDATE_SCREENS:-}" ] || cp "$WORK/out" "$EXPECTED/$file"
    same "$name" "$EXPECTED/$file" "$WORK/out"
}

# All rows are within the first 200, on which the widths of columns depend.
rows='select thread, cpu, ts_ns, dur_ns from states limit 150<Enter>lllo<C-d>jj'
wide='select * from jobs limit 150<Enter>llllllo'
sql "rows at 80x24" sql-80x24.txt "$rows"
sql "rows at 120x40" sql-120x40.txt "$rows" --size 120x40
sql "rows in ASCII" sql-ascii.txt "$rows" --ascii
sql "rows at 120x40 in ASCII" sql-ascii-120x40.txt "$rows" --size 120x40 --ascii
sql "rows in mono" sql-mono.txt "$rows" --format ansi --theme mono
sql "rows at 120x40 in mono" sql-mono-120x40.txt "$rows" --size 120x40 --format ansi --theme mono
sql "wide rows at 80x24" sql-wide-80x24.txt "$wide"
sql "wide rows at 120x40" sql-wide-120x40.txt "$wide" --size 120x40
sql "no rows" sql-none.txt 'select * from jobs where 0<Enter>'
sql "a mistake" sql-error.txt 'select thraed from threads<Enter>'

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# No cell of CSV is a spreadsheet formula, for any names in a capture; numbers stay numbers.
. tests/lib/case.sh

if ! command -v python3 >/dev/null 2>&1; then
    skip "csv" "no python3 here"
    exit 0
fi

# check NAME FILE: its text cells do not begin as formulas do, the apostrophe is reversible
cat >"$WORK/check.py" <<'PY'
import csv, re, sys
rows = list(csv.reader(open(sys.argv[1], encoding='utf-8', newline='')))
marked = 0
for row in rows:
    assert len(row) == len(rows[0]), row
    for cell in row:
        number = re.fullmatch(r'-?[0-9]+(\.[0-9]+)?', cell)
        assert number or cell[:1] not in tuple('=+-@\t\r'), cell
        if cell.startswith("'"):
            assert cell[1:2] in tuple("=+-@\t\r'"), cell
            marked += 1
print('marked' if marked else 'none marked')
PY
check() { same_text "$1" "marked" "$(python3 "$WORK/check.py" "$2" 2>&1 | tail -n 1)"; }

# The names of a sample, changed so that each begins like a formula.
for first in = + - @ "'"; do
    cp samples/demo.fxt "$WORK/hostile.fxt"
    python3 - "$WORK/hostile.fxt" "$first" <<'PY'
import re, sys
data = open(sys.argv[1], 'rb').read()
# Words in lower case: their first letter becomes the sign; only names have that form.
data = re.sub(rb'(?<![ -~])[a-z](?=[a-z_-]{3,})', sys.argv[2].encode(), data)
open(sys.argv[1], 'wb').write(data)
PY
    "$TRACETUI" dump --format csv "$WORK/hostile.fxt" >"$WORK/dump.csv" 2>/dev/null
    check "dump, names that begin with $first" "$WORK/dump.csv"
    "$TRACETUI" stats --by thread --format csv "$WORK/hostile.fxt" >"$WORK/stats.csv" 2>/dev/null
    check "stats, names that begin with $first" "$WORK/stats.csv"
    "$TRACETUI" stats --by event --format csv "$WORK/hostile.fxt" >"$WORK/event.csv" 2>/dev/null
    check "stats --by event, names that begin with $first" "$WORK/event.csv"
    rm -f "$WORK/events.csv" "$WORK/summary.csv"
    "$TRACETUI" render events --keys ":write $WORK/events.csv<Enter>" "$WORK/hostile.fxt" >/dev/null 2>&1
    check ":write of events, names that begin with $first" "$WORK/events.csv"
    "$TRACETUI" render summary --keys ":write $WORK/summary.csv<Enter>" "$WORK/hostile.fxt" >/dev/null 2>&1
    check ":write of a table, names that begin with $first" "$WORK/summary.csv"
done

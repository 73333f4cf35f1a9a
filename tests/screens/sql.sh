# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# :sql: rows, sorted, with a selected column; wide rows; no rows; a mistake. Screens have no run time.
. tests/lib/case.sh
. tests/lib/rendered.sh

if "$TRACETUI" --version | grep -q 'without SQL'; then
    skip "screens of :sql" "built without SQLite"
    exit 0
fi

# All rows are within the first 200, on which the widths of columns depend.
rows='select thread, cpu, ts_ns, dur_ns from states limit 150<Enter>lllo<C-d>jj'
wide='select * from jobs limit 150<Enter>llllllo'
golden sql-rows-of-states:80x24 80x24 events kev ":sql $rows" 3,21
golden sql-rows-of-states:120x40 120x40 events kev ":sql $rows" 3,37
golden sql-rows-of-states:in-ascii 80x24 events+ascii kev ":sql $rows" 3,12
golden sql-rows-wider-than-the-screen:80x24 80x24 events kev ":sql $wide" 3,21
golden sql-rows-wider-than-the-screen:120x40 120x40 events kev ":sql $wide" 3,12
at "no rows" 80x24 events kev ':sql select * from jobs where 0<Enter>' '^ no rows'
at "a mistake" 80x24 events kev ':sql select thraed from threads<Enter>' 'no such column: thraed'
screens_draw

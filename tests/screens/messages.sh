# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The Messages view and the marks of a message in the lanes: their screens; the numbers are those of `stats`.
. tests/lib/case.sh
. tests/lib/rendered.sh

DEMO=samples/demo.kev

golden messages-of-pairs 120x40 messages kev '' 3,38
for size in 80x24 120x40; do
    for table in 'servers :stats server<Enter>' 'channels :stats channel<Enter>' 'objects :stats object<Enter>' 'cpu :stats matrix<Enter>' 'single :stats single<Enter>'; do
        golden "messages-tables:${table%% *} at $size" $size messages kev "${table#* }" 3,11
        golden "messages-tables:${table%% *} at $size, the sums" $size messages kev "${table#* }" bottom
    done
done
at "processes of one name carry their numbers" 80x24 messages kev '' '^ pidin \(8204\) +procnto '
at "... in threads, too" 120x40 summary kev '' 'pidin/1 main \(8204\)'
at "... or Symbian's generation" 80x24 messages btrace '' 'pidin.exe \([0-9]*\)  *devc-pty'
at "others are without those" 80x24 messages btrace '' 'netmgr.exe  *io-blk.exe'
at "processes have a column for it" 80x24 summary kev ':stats process<Enter>' 'pidin  *8204'
golden messages-spread-of-rounds 80x24 messages kev jd 3,22
golden messages-the-longest-in-the-lanes 80x24 messages kev ':stats single<Enter><Enter>'
golden messages-the-longest-in-the-lanes:from-the-server 80x24 messages+ascii kev ':stats single<Enter><Enter>s'
golden messages-tables:of-symbian 80x24 messages btrace '' 3,11
if [ -f ../shared/captures/fxt/sched_new.fxt ]; then
    at "no message" 80x24 messages ../shared/captures/fxt/sched_new.fxt '' '^ This capture contains no message'
else
    skip "no message" "../shared/captures is not there"
fi
at "time of which BTrace records nothing is not lost data" 80x24 messages btrace '' '^ █+~~~~~'
at "... and has words" 80x24 messages btrace '' 'service  running  5.5 %  not recorded 94.4 %'
at "... also of threads" 80x24 summary btrace '' 'crunch1: not recorded 58.8 %  RUNNING'
at "a number without a group has its unit" 80x24 summary kev ':stats inversion<Enter>' ' by +µs$'
screens_draw

for by in message server channel matrix; do
    rm -f "$WORK/table.csv"
    run "$TRACETUI" render messages --keys ":stats $by<Enter>:write $WORK/table.csv<Enter>" $DEMO
    run "$TRACETUI" stats --by $by --format csv $DEMO
    # The columns of `stats` in the order of its keys; rows without order. An unknown name is - there.
    columns() {
        awk -F, -v keys="$(head -1 "$WORK/out")" '
            NR == 1 { n = split(keys, key, ","); for (i = 1; i <= NF; i++) place[$i] = i; next }
            {
                line = ""
                for (i = 1; i <= n; i++)
                    if (key[i] in place && key[i] !~ /^(kind|rate_hz|busy_pct|waiting_mean)$/) line = line "," $place[key[i]]
                print line
            }' "$1" | sed "s/'-//g" | sort
    }
    columns "$WORK/out" >"$WORK/a"
    columns "$WORK/table.csv" >"$WORK/b"
    same_text "$by: some rows" 1 "$(($(wc -l <"$WORK/a") > 3))"
    same "the numbers by $by are those of stats" "$WORK/a" "$WORK/b"
done

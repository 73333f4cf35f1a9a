# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The Messages view and the marks of a message in the lanes: their screens; the numbers are those of `stats`.
. tests/lib/case.sh
. tests/lib/rendered.sh

DEMO=samples/demo.kev

# messages NAME FILE ARGUMENTS...: the view of the demo
messages() { rendered "$1" "$2" messages "${@:3}" $DEMO; }

messages "pairs at 80x24" messages-80x24.txt
messages "pairs at 120x40" messages-120x40.txt --size 120x40
messages "pairs at 40x10" messages-40x10.txt --size 40x10
messages "servers" messages-servers.txt --keys ']'
messages "channels in ASCII" messages-channels-ascii.txt --ascii --keys ']]'
messages "objects" messages-objects.txt --keys ':stats object<Enter>'
messages "CPU time by client" messages-cpu.txt --keys ':stats matrix<Enter>'
messages "CPU time by client at 120x40" messages-cpu-120x40.txt --size 120x40 --keys ':stats matrix<Enter>'
messages "servers at 120x40" messages-servers-120x40.txt --size 120x40 --keys ']'
messages "channels" messages-channels.txt --keys ']]'
messages "channels at 120x40, mono" messages-channels-mono-120x40.txt --size 120x40 --color never --keys ']]'
messages "objects at 120x40" messages-objects-120x40.txt --size 120x40 --keys ':stats object<Enter>'
messages "single messages" messages-single.txt --keys ':stats single<Enter>'
messages "pairs in ASCII, mono" messages-ascii-mono.txt --ascii --color never
messages "single messages at 120x40, mono" messages-single-mono.txt --size 120x40 --color never --keys ':stats single<Enter>'
messages "the spread of rounds" messages-spread.txt --keys 'jd'
messages "client and server of the longest message" messages-lanes.txt --keys ':stats single<Enter><Enter>'
messages "the marks in ASCII, from the server" messages-marks-ascii.txt --ascii --keys ':stats single<Enter><Enter>s'
rendered "Symbian" messages-symbian.txt messages samples/demo.btrace
rendered "no message" messages-none.txt messages ../shared/captures/fxt/sched_new.fxt

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

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Which delay was the worst, why, who was in the way, what changed: at most three keys from any view and pane.
. tests/lib/case.sh
. tests/lib/rendered.sh

for view in events threads cpus summary info messages snapshot; do
    at "$view: the worst delay" 80x24 $view kev Qd 'logger/1 writer.* 1\.95'
    at "$view: why, and who was in the way" 80x24 $view kev Qd 'netmgr/2 worker'
    at "$view: the worst message" 80x24 $view kev Qm 'logger/1 writer.* 2\.14'
    at "$view: the worst inversion" 80x24 $view kev Qi 'INVERSION'
    at "$view: the next worst delay" 80x24 $view kev Qdn 'logger/1 writer delay 890'
    at "$view: what changed between two files" 120x24 $view kev ':open samples/fast1.kev<Enter>Qc' 'A: demo.kev  *B: fast1.kev'
done
# From any pane and list: NAME|VIEW|KEYS
while IFS='|' read -r name view keys; do
    at "$name: the worst delay, and who was in the way" 80x24 "$view" kev "${keys}Qd" 'netmgr/2 worker +1\.677 ms|1\.677 ms +85 % .*netmgr/2'
    at "$name: the worst inversion" 80x24 "$view" kev "${keys}Qi" 'INVERSION'
    at "$name: what changed between two files" 120x24 "$view" kev ":open samples/fast1.kev<Enter>:view.$view<Enter>${keys}Qc" 'A: demo.kev  *B: fast1.kev'
    at "$name: another key asks nothing" 80x24 "$view" kev "${keys}Qx<Esc>" '\? help|Esc close|q quit|Enter go'
    at "$name: a view" 80x24 "$view" kev "${keys}5" '\[5 Inf\]'
done <<'PANES'
fields|events|20j<Enter><Tab>
columns|events|c
columns by name|events|c/th<Enter>
marks|events|ma10jmb"
filters|events|:filter cpu = 0<Enter>e
messages|events|:say hello<Enter>!
help|events|?
Why|threads|jjb
help of Why|threads|jjb?
Misses|threads|:deadline /./=150us<Enter>:deadline<Enter>j
Measure|threads|:measure kind = enter -> kind = exit --same thread<Enter>
Check|threads|:check samples/checks/qnx.check<Enter>
Diff|threads|:diff samples/wide4.kev<Enter>
Align|threads|:diff samples/wide4.kev<Enter>:align THRUNNING<Enter>
SQL|events|:sql select name from threads<Enter>
places|threads|:goto 1us<Enter>:goto 2us<Enter>:history<Enter>
results|threads|:measure event = THRUNNING -> event = THREADY --same thread<Enter><Esc>:results<Enter>
plot|summary|:plot run of procnto/1<Enter>
PANES
at "a question over the list of marks keeps them" 80x24 events kev 'ma"Qd<Esc>"' 'a  0.000 000 000'
at "... and over that of filters" 80x24 events kev ':filter cpu = 0<Enter>eQd<Esc>e' 'cpu = 0'
at "the worst delay of Fuchsia" 80x24 events fxt Qd 'logger/.*writer.* 1\.95'
at "the worst delay of ThreadX" 80x24 events trx Qd 'sh/crunch2'
at "the worst message of Symbian" 80x24 events btrace Qm 'netmgr.exe'
at "no inversion of Symbian" 80x24 events btrace Qi 'no inversion of any thread'
at "a miss needs a deadline" 80x24 summary kev Qs 'no deadlines are set'
at "the worst miss" 80x24 summary kev ':deadline sensor/1=150us,/^fusion/=200us<Enter>Qs' 'fusion/1 fuse'
at "the next miss" 80x24 summary kev ':deadline sensor/1=150us,/^fusion/=200us<Enter>Qsn' 'fusion/1 fuse miss 515'
at "the questions" 80x24 info kev Q 'd worst delay .* c changes'
at "back to where the question was" 80x24 summary kev 'jjQd<BS>' '^▌sh/5 crunch3'
screens_draw

run "$TRACETUI" render threads --keys ':zoom 10ms..20ms<Enter>vllvQc' samples/demo.kev
says "with a selection: what is before it" 'A: 0.000 000 000..0.010' "$WORK/out"
run "$TRACETUI" render threads --keys 'vlllvQc' samples/demo.kev
says "... at the beginning: what is after it" 'B: 0.000 000 000..0.00' "$WORK/out"

# ---- filters of what the cursor is on: one key each, undone by the key that goes back

# listed NAME VIEW CAPTURE KEYS FILTER: Events then lists what `dump --filter` prints
listed() {
    rm -f "$WORK/listed.txt"
    run "$TRACETUI" render "$2" --keys "$4:view.events<Enter>:write $WORK/listed.txt<Enter>" "samples/demo.$3"
    "$TRACETUI" dump ${5:+--filter "$5"} "samples/demo.$3" >"$WORK/dumped.txt" 2>/dev/null
    same "$1" "$WORK/dumped.txt" "$WORK/listed.txt"
}
listed "only this thread" events kev ':#1205<Enter>jT' 'thread = sh/1'
listed "without this event" events kev ':#1205<Enter>X' 'not event = INT_EXIT'
listed "both" events kev ':#1205<Enter>jTgX' 'thread = sh/1 and not event = THCREATE'
listed "... back to the first" events kev ':#1205<Enter>jTgX<BS>' 'thread = sh/1'
listed "... back to all" events kev ':#1205<Enter>jTgX<BS><BS><BS>' ''
listed "... and forward" events kev ':#1205<Enter>jTgX<BS><BS><BS><C-t>' 'thread = sh/1'
listed "... another one instead" events kev ':#1205<Enter>jT<BS>kX' 'not event = INT_EXIT'
listed "only this message" events kev ':28.7ms<Enter>/logger\/1.*THREPLY<Enter>S' \
    'thread in (logger/1, io-blk/2) and time in 28635303ns..30780293ns'
listed "only the thread of a lane" threads kev 'jT' 'thread = sh/3'
listed "only the thread of a row" summary kev 'jT' 'thread = sh/3'
listed "without the events of a row" summary kev ':stats event<Enter>X' 'not event = THRUNNING'
for capture in fxt trx btrace; do
    event=$("$TRACETUI" dump --from 50% --format csv samples/demo.$capture | sed -n 2p)
    thread=$(cut -d, -f7 <<<"$event")
    listed "only this thread of $capture" events $capture ':50%<Enter>T' "thread = ${thread%% *}"
    listed "without this event of $capture" events $capture ':50%<Enter>X' "not event = $(cut -d, -f9 <<<"$event")"
done
at "a row without a thread" 80x24 summary kev ':stats cpu<Enter>T' 'no thread is here'
screens_draw

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Events, Threads, CPUs, Info and Snapshot of the demo run in all formats and of real captures; what the size
# of the screen changes in any view; the lines around the views.
. tests/lib/case.sh
. tests/lib/rendered.sh

CAPTURES=../shared/captures
MARKS=':10ms<Enter>ma:30ms<Enter>mb'

# ---- around the views ----------------------------------------------------------------------------

views='events threads cpus summary info messages snapshot'
for view in $views; do
    golden "tabs:$view" 80x24 "$view" kev '' tabs
    golden "footers:$view" 80x24 "$view" kev '' last
done
for width in 40 60 100 120 200; do
    golden "tabs:of $width columns" ${width}x24 cpus kev '' tabs
    golden "footers:of $width columns" ${width}x24 threads kev '' last
done
for width in 40 80 120; do
    for table in thread process service inversion message server object single; do
        golden "tabs:the tables of $table in $width columns" ${width}x24 summary kev ":stats $table<Enter>" 2,3
    done
done
golden "tabs:the tables of ThreadX" 80x24 summary trx ':stats netx<Enter>' 2,3
golden "tabs:the tables of a selection" 80x24 summary kev ':zoom 10ms..30ms<Enter>vllv4r' 2,3
at "a key lists the tables" 80x24 threads kev a "process +Processes"
at "a key groups Messages by server" 80x24 messages kev B 'Messages by server'
at "a key groups Events by thread" 80x24 summary kev ':stats event<Enter>B' 'Events by thread'
golden "tabs:of the second of two files" 120x24 info trx '' tabs
golden "tabs:in ASCII" 80x24 events+ascii kev '' tabs
for pane in 'fields:events:<Enter>' 'marks:events:ma"' 'filters:events:e' 'columns:events:c' 'help:events:?' \
    'why:threads:b' 'misses:threads::deadline sensor/1=150us<Enter>:deadline<Enter>' \
    'measure:threads::measure --interrupt 35 --thread sensor/2<Enter>' 'check:threads::check tests/screens/demo.check<Enter>' \
    'diff:threads::diff 0s..20ms<Enter>' 'align:threads::diff 0s..20ms<Enter>:align<Enter>' 'plot:summary:d' 'a mark:events:m'; do
    IFS=: read -r name view keys <<<"$pane"
    golden "footers:$name" 120x24 "$view" kev "$keys" last
done
golden "footers:prompt" 120x24 events kev ':' last
golden "status-lines:a filter" 80x24 events kev 'fcpu = 1<Enter>jjj' last
golden "status-lines:a search" 80x24 events kev '/REC_MESSAGE<Enter>nn' last
golden "status-lines:two marks" 80x24 events kev 'jmajjjmbg' last
golden "status-lines:two marks in 120 columns" 120x24 events kev 'jmajjjmbg' last
golden "status-lines:a message that continues" 60x24 events kev ':set time never<Enter>' 22,24
golden "status-lines:a prompt with a mistake" 80x24 events kev ':12x' 22,24
golden "status-lines:the smallest" 40x10 events kev ':50%<Enter>' last
golden "status-lines:lanes of a filter" 120x24 threads kev 'fthread ~ ^io-<Enter>' last
golden "status-lines:misses" 80x24 threads kev ':deadline sensor/1=150us,/^fusion/=200us<Enter>' last

# ---- what the size changes -----------------------------------------------------------------------

for view in $views; do
    key= lines=heading
    [ "$view" != summary ] && [ "$view" != messages ] || lines=3,8 # the line of the tables is in tabs.txt
    [ "$view" != events ] && [ "$view" != snapshot ] || key=':27.8ms<Enter>'
    for size in 40x10 60x15 80x24 100x30 120x40 160x24 200x60; do
        golden "headings:$view at $size" $size "$view" kev "$key" $lines
        golden "bottoms:$view at $size" $size "$view" kev "$key" bottom
    done
done

golden smallest-screens:threads 40x10 threads kev ''
golden smallest-screens:cpus 40x10 cpus kev ''
golden smallest-screens:summary 40x10 summary kev '' 3,8
golden smallest-screens:messages 40x10 messages kev '' 3,8
golden smallest-screens:info 40x10 info kev ''
golden "smallest-screens:fields of an event" 40x10 events kev ':50%<Enter><Enter>'

# ---- Events --------------------------------------------------------------------------------------

golden events-of-all-kinds 120x40 events kev ':27.8ms<Enter>'
golden event-fields-and-bytes 120x40 events kev ':50%<Enter><Enter><Tab>'
golden event-fields-in-200-columns 200x60 events kev ':50%<Enter><Enter>'
TABS='<Tab><Tab><Tab><Tab><Tab><Tab><Tab><Tab><Tab><Tab><Tab><Tab><Tab><Tab><Tab>'
golden event-field-far-down-in-a-low-pane 80x12 events kev ":26.073918ms<Enter><Enter>$TABS"
golden event-times:absolute 80x24 events kev t 2,6
golden event-times:delta 80x24 events kev tt 2,6
golden event-times:ticks 80x24 events kev ttt 2,6
golden events-from-the-longest-call 100x24 events kev o
golden events-of-real-captures:symbian 80x24 events $CAPTURES/btrace/ulogger.log ''
golden events-of-real-captures:fields-of-qnx-6 120x40 events $CAPTURES/kev/synthetic-seed-le.kev ':50%<Enter><Enter>'
golden help-begins-with-the-view 80x24 events kev '?'
golden list-of-columns 80x24 events kev 'cjj<Space>'
golden list-of-marks:on-the-second-one 80x24 events kev 'jmajjmbmc"j'
golden list-of-marks:longer-than-the-screen 80x12 events kev 'jmajmbjmcjmdjmejmfjmgjmhjmi"jjjjjjjj'

# ---- Threads -------------------------------------------------------------------------------------

golden threads-states-and-legend 80x24 threads kev ''
# The example of the demo: the wait for the mutex, its end, and the events in between.
golden threads-inversion-ordered-by-running 120x40 threads kev ':26.9ms<Enter>+++++o'
golden threads-selected-range 120x40 threads kev ':26.9ms<Enter>++++v>>v'
golden threads-folded-processes 80x24 threads kev Z 2,10
golden threads-pinned-on-top 80x24 threads kev 'jpjjpG'
golden threads-without-idle-ones 80x24 threads kev ':22ms<Enter>++++i'
golden threads-marks-on-the-axis 80x24 threads kev "$MARKS" 2,8
golden threads-in-their-sequence 80x24 threads kev ':26.9ms<Enter>x'
golden threads-window-of-two-milliseconds 80x24 threads kev ':zoom 26.8ms..28.7ms<Enter>'
golden threads-slices-and-counters 120x40 threads fxt ':50%<Enter>++++'
golden threads-of-other-formats:slices 80x24 threads fxt ':26.9ms<Enter>++++' 2,14
golden threads-of-other-formats:threadx 80x24 threads trx '' 2,14
golden threads-of-other-formats:symbian 80x24 threads btrace '' 2,14
# Off the CPU without a reason, and lost data.
"$TTSIM" --format btrace --lose 3 --seed 3 --events 3000 -o "$WORK/lost.btrace"
golden threads-of-other-formats:symbian-with-losses 80x24 threads "$WORK/lost.btrace" '' 2,16
golden threads-of-real-captures:netx-tcp 80x24 threads $CAPTURES/trx/demo_netx_tcp.trx ''
golden threads-of-real-captures:threadx 120x40 threads $CAPTURES/trx/demo_threadx.trx '' 2,18
golden threads-of-real-captures:a-wrapped-ring 80x24 threads $CAPTURES/trx/gen_up_le32_wrapped.trx '++++'
golden threads-of-real-captures:qnx-6 120x40 threads $CAPTURES/kev/synthetic-seed-be.kev '' 2,18
golden threads-of-real-captures:sched 80x24 threads $CAPTURES/fxt/sched_new.fxt '..' 2,16
golden threads-of-real-captures:nested-slices 80x24 threads $CAPTURES/fxt/simple_trace_reconstructed.fxt 'jj:50%<Enter>'
golden threads-of-real-captures:counters 80x24 threads $CAPTURES/fxt/all_records.fxt 'G$'
golden threads-of-real-captures:symbian 120x40 threads $CAPTURES/btrace/ulogger.log ':50%<Enter>+++' 2,18

# ---- CPUs ----------------------------------------------------------------------------------------

golden cpus-with-the-threads-of-one 120x40 cpus kev ''
golden cpus-window-of-two-milliseconds 80x24 cpus kev ':zoom 26.8ms..28.7ms<Enter>'
golden cpus-in-their-sequence 80x24 cpus kev ':26.9ms<Enter>x'
golden cpus-of-other-formats:threadx 80x24 cpus trx '' 2,16
golden cpus-of-other-formats:symbian 80x24 cpus btrace '' 2,16
golden cpus-of-real-captures:smp 80x24 cpus $CAPTURES/trx/gen_smp_le64_4core.trx ''
golden cpus-of-real-captures:sched 120x40 cpus $CAPTURES/fxt/sched_new.fxt '' 2,20
golden cpus-of-real-captures:threadx 80x24 cpus+ascii $CAPTURES/trx/demo_threadx.trx ''

# ---- Info ----------------------------------------------------------------------------------------

golden info-from-the-top 200x60 info kev ''
golden info-health-and-counts 120x40 info kev G
golden info-counts-by-name 80x24 info kev 'o}}}}}'
golden info-of-threadx 80x24 info trx ''
golden info-of-real-captures:netx-tcp 120x40 info $CAPTURES/trx/demo_netx_tcp.trx ''
golden info-of-real-captures:symbian 120x40 info $CAPTURES/btrace/ulogger.log ''
golden info-of-real-captures:slices 80x24 info+ascii $CAPTURES/fxt/simple_trace_reconstructed.fxt ''

# ---- Snapshot ------------------------------------------------------------------------------------

golden snapshot-of-threads 120x40 snapshot kev ':27.8ms<Enter>'
for format in fxt trx btrace; do
    golden "snapshot-of-other-formats:$format" 80x24 snapshot $format ':50%<Enter>' 2,16
done

screens_draw

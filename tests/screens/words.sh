# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Words on the screen: a thread has one label, marks and positions count as readers do, and a view that has nothing to
# show says why.
. tests/lib/case.sh
. tests/lib/rendered.sh

# ---- one label
for view in threads cpus snapshot; do
    at "a thread of Fuchsia has one label: $view" 160x50 $view fxt ':20ms<Enter>' 'sh/10485763 crunch1'
done
at "... in Events" 160x50 events fxt '/crunch1<Enter>' 'sh/10485763 crunch1'
at "... in Summary" 160x50 summary fxt '' '^▌sh/10485763 crunch1'
at "... in Messages" 160x50 messages fxt ':stats single<Enter>' '^▌logger/7340033 writer +io-blk/3145730 serve'
at "... in an explanation" 160x50 messages fxt 'Qd' '^▌logger/7340033 writer +8 '
at "... and in its title" 160x50 messages fxt 'Qd' 'why: logger/7340033 writer delay'
at "... with the thread in its way" 160x50 messages fxt 'Qd' '^ netmgr/8388610 worker .* 87 %'
at "a thread of Symbian has its hexadecimal number" 160x50 snapshot btrace ':40%<Enter>' 'sh.exe\[100041af\]0010/0xc8007800 crunch1'
at "threads of two processes with one name differ in CPUs" 80x40 cpus kev '' 'pidin/1 main \(8204\)'

at "... also where a name is shortened" 80x40 summary kev '' '^ pidin/main \(8204\)'
at "... and in Symbian" 120x50 summary btrace '' '^ pidin.exe/main \(14\)'

# ---- positions and marks
at "a derived event has a place, too" 80x24 snapshot trx ':40%<Enter>' 'before the 811th of 2,000 events'
at "... after the last one" 80x24 events samples/demo.trx 'G' '(of|after the last of) 2,000 events'
at "marks in lanes have the cursor's time" 80x24 threads kev 'mallllllmb' 'a\.\.b 5\.815 ms, 457 events, 5,815,041 ticks'
at "... which the status line has" 80x24 threads kev 'mallllllmb' '^ 0\.005 815 041 s '
at "one event" 80x24 events kev 'majmb' 'a\.\.b 0 ns, 1 event, 0 ticks'
at "the first match" 80x24 events kev '/THREPLY<Enter>' '/THREPLY  1st of 37 matches .* 47th of 3,400 events'
at "the third match" 80x24 events kev '/THREPLY<Enter>nn' '/THREPLY  3rd of 37 matches'
at "how to undo a quick filter" 80x24 events kev ':#1205<Enter>X' 'not event = INT_EXIT  \^O shows the others again'
at "what :write writes fits on the line" 80x24 summary kev 'w' 'write FILE: write the view; .csv a table, .svg the screen, .html a report'

# ---- nothing to show
while read -r capture known; do
    at "Snapshot of $capture before the first state" 80x24 snapshot "$capture" '' "no thread's state is known yet; the first one at $known"
    at "Why of $capture before the first state" 80x24 threads "$capture" b 'no state of this thread is known before [0-9]'
done <<'STARTS'
trx 244
fxt 0\.000 022 292
btrace 0\.000 004 690
STARTS
at "Messages of Linux" 80x24 messages samples/demo.dat '' 'This capture contains no message\.'
at "a miss without deadlines" 80x24 events kev Qs 'no deadlines are set: :deadline sensor/1=2ms'

# ---- legends
at "a legend has user events, mixed cells and ended threads" 80x24 threads kev '' '▓┼• mix s stop _ dead ◆ event'
at "... at full length where there is room" 120x40 threads kev '' 'sleep w wait ▓┼• mix s stopped _ dead ◆ user event'
at "a legend leaves out what is not on the screen" 80x24 cpus trx '' '█ a thread · idle ▓• many  '
screens_draw

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Which delay was the worst, why, who was in the way, what changed: at most three keys from any view.
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

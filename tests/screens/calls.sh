# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The flame graph of calls: its screens, zoom and the way back, and the longest call.
. tests/lib/case.sh
. tests/lib/rendered.sh

golden calls-of-all-threads 80x24 threads fxt ':calls<Enter>jl'
golden calls-in-other-forms:inverted 100x30 threads fxt ':calls<Enter>oj' 1,4
golden calls-in-other-forms:zoomed 80x24 threads fxt ':calls sensor<Enter>jl<Enter>'
golden calls-in-other-forms:time-on-a-cpu 80x24 threads fxt ':calls sensor<Enter>tjl'
golden calls-in-other-forms:in-ascii 80x24 threads+ascii fxt ':calls sensor<Enter>j' 1,4
golden calls-in-other-forms:without-slices 80x24 threads trx ':calls<Enter>' 1,4
at "Enter on the zoomed bar goes to the longest call" 80x24 threads fxt ':calls sensor<Enter>j<Enter><Enter>' 'selected 4\.862 ms'
at "the way back leads out of the zoom" 80x24 threads fxt ':calls sensor<Enter>jl<Enter><C-o>' 'INTERRUPT_WAIT.*TIMER_TIMEOUT.*SYNC_SEM_WAIT'
at "Esc leads out of the zoom" 80x24 threads fxt ':calls sensor<Enter>jl<Enter><Esc>' 'TIMER_TIMEOUT, 9 calls'
at "Esc closes the pane" 80x24 threads fxt ':calls sensor<Enter><Esc>' 'legend|RUNNING|ready'
at "of a selection" 80x24 threads fxt ':calls sensor<Enter>r' 'sensor, all'
for size in 40x10 41x11 300x100 20x5 1x1; do sized "the calls" $size threads fxt ':calls<Enter>jl<Enter>'; done
screens_draw

run "$TRACETUI" render threads --keys ":calls<Enter>w<C-u>write $WORK/pane.folded<Enter>" samples/demo.fxt
run "$TRACETUI" export --format folded samples/demo.fxt -o "$WORK/export.folded"
same "w writes folded stacks, as export does" "$WORK/export.folded" "$WORK/pane.folded"

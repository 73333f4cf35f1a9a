# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The Why pane, on simulated captures whose answer is known by their making (tests/cases/why.test).
. tests/lib/case.sh
. tests/lib/rendered.sh

for scenario in chain convoy deadlock inversion; do
    "$TTSIM" --scenario $scenario --seed 1 --events 2000 -o "$WORK/$scenario.kev"
done
"$TTSIM" --format trx --scenario chain --seed 1 --events 2000 -o "$WORK/chain.trx"

# The client of the chain waits for its reply; the cursor is where the less urgent thread runs.
CLIENT='/THREPLY<Enter>2:38ms<Enter>b'
golden why-a-reply-is-late 80x24 events "$WORK/chain.kev" "$CLIENT"
golden why-a-reply-is-late-in-120-columns 120x40 events "$WORK/chain.kev" "$CLIENT"
golden why-in-small-screens:40x10 40x10 events "$WORK/chain.kev" "$CLIENT"
golden why-in-small-screens:60x20 60x20 threads kev ':26.9ms<Enter>b'
golden why-other-pieces:the-first 80x24 events+ascii "$WORK/chain.kev" "${CLIENT}g" 2,14
golden why-other-pieces:the-second 80x24 events "$WORK/chain.kev" "${CLIENT}gj" 2,14
golden why-other-pieces:the-cause-of-one 80x24 events "$WORK/chain.kev" "$CLIENT>"
golden why-other-pieces:the-next-longest-interval 80x24 events "$WORK/chain.kev" "${CLIENT}n"
golden why-other-pieces:zoomed 80x24 events "$WORK/chain.kev" "${CLIENT}zjt" 2,14
golden why-in-a-convoy 80x24 events "$WORK/convoy.kev" '/THMUTEX<Enter>nnnb'
golden why-in-a-deadlock 80x24 events "$WORK/deadlock.kev" '/THMUTEX<Enter>GNb'
golden why-in-an-inversion 80x24 threads "$WORK/inversion.kev" '4ljb'
golden why-in-threadx 80x24 threads "$WORK/chain.trx" ':50%<Enter>jb'
screens_draw

# The keys that follow the cause, on the status line of Threads.
# status NAME PATTERN KEYS
status() {
    run "$TRACETUI" render threads --keys "/THREPLY<Enter>2:38ms<Enter>$3" "$WORK/chain.kev"
    says "$1" "$2" "$WORK/out"
}
status "a reply is a message to the server" 'message to front/1 serve, REPLY' ''
status "to the server" 'front/1 serve  REPLY .*' 'B'
status "to the holder, and what it does" 'held by store/2 journal, READY' 'BB'
status "to the thread that has its CPU" 'displaced by video/1 decode' 'BBB'
status "and that one runs" 'it runs: it waits for nothing' 'BBBBB'
status "to the waker" 'woken by front/1 serve' 'U'
status "and back" 'panel/1 ask  REPLY for' "U''"

# The output of the pane is the output of the command.
run "$TRACETUI" render events --keys "${CLIENT}w<C-u>write $WORK/pane.txt<Enter>" "$WORK/chain.kev"
run "$TRACETUI" why --worst wait -n 99 "$WORK/chain.kev"
head=$(head -1 "$WORK/pane.txt")
[ -n "$head" ] && grep -xF -A40 -- "$head" "$WORK/out" | sed '/^$/,$d' >"$WORK/command.txt"
same "the written text is that of why" "$WORK/command.txt" "$WORK/pane.txt"

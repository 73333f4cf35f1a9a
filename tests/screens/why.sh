# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The Why pane, on simulated captures whose answer is known by their making (tests/cases/why.test).
. tests/lib/case.sh
. tests/lib/rendered.sh

for scenario in chain convoy deadlock inversion; do
    "$TTSIM" --scenario $scenario --seed 1 --events 2000 -o "$WORK/$scenario.kev"
done
"$TTSIM" --format trx --scenario chain --seed 1 --events 2000 -o "$WORK/chain.trx"

# why SCENARIO EXPECTED VIEW KEYS [OPTION...]
why() {
    local scenario=$1 file=$2 view=$3 keys=$4
    shift 4
    rendered "why in $scenario: $file" "$file" "$view" --keys "$keys" "$@" "$WORK/$scenario"
}

# The client of the chain waits for its reply; the cursor is where the less urgent thread runs.
CLIENT='/THREPLY<Enter>2:38ms<Enter>b'
why chain.kev why-80x24.txt events "$CLIENT"
why chain.kev why-120x40.txt events "$CLIENT" --size 120x40
why chain.kev why-40x10.txt events "$CLIENT" --size 40x10
why chain.kev why-ascii.txt events "${CLIENT}g" --ascii
why chain.kev why-mono.txt events "${CLIENT}gj" --color never
why chain.kev why-followed.txt events "$CLIENT>"
why chain.kev why-next.txt events "${CLIENT}n"
why chain.kev why-zoomed.txt events "${CLIENT}zjt"
why convoy.kev why-convoy.txt events '/THMUTEX<Enter>nnnb'
why deadlock.kev why-deadlock.txt events '/THMUTEX<Enter>GNb'
why inversion.kev why-inversion.txt threads '4ljb'
why chain.trx why-trx.txt threads ':50%<Enter>jb'

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

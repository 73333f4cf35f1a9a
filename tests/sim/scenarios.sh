#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Each scenario has the properties in docs/simulator.md, in the dump or in the truth.
. tests/lib/case.sh

simulate() { # simulate OPTION...: leaves $WORK/run, its truth and its dump
    "$TTSIM" --truth full -o "$WORK/run" "$@"
    "$TRACETUI" dump "$WORK/run" >"$WORK/dump"
}
truth() { grep "\"t\":\"$1\"" "$WORK/run.truth.jsonl"; }
# at_least NAME WANTED GOT
at_least() {
    if [ "$3" -ge "$2" ]; then ok "$1"; else not_ok "$1" "$3, wanted at least $2"; fi
}
# number KEY: of each line on standard input
number() { sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p"; }

# ---- mixed -----------------------------------------------------------------------------------

simulate --scenario mixed --seconds 0.3
for name in procnto tracelogger io-blk devc-pty sensor fusion logger netmgr hmi sh pidin; do
    says "mixed: process $name" "PROCCREATE_NAME.*name=\"$name\"" "$WORK/dump"
done
for event in THSEND THREPLY THRECEIVE THMUTEX THCONDVAR THSEM THJOIN THINTR THNANOSLEEP THWAITPAGE \
    THSIGWAITINFO THSIGSUSPEND THSTOPPED THWAITTHREAD THDEAD SND_MESSAGE REC_MESSAGE \
    REPLY_MESSAGE SND_PULSE REC_PULSE SIGNAL PAGEWAIT MMAP MUNMAP PATHMGR_OPEN SLOG TIMER \
    PROCDESTROY SCHED_YIELD SCHED_SET THREAD_CREATE THREAD_DESTROY INT_HANDLER_ENTR; do
    says "mixed: $event" " $event " "$WORK/dump"
done
says "mixed: user text" 'text="frame 12"' "$WORK/dump"
says "mixed: a 32-bit program has 32-bit locks" 'devc-pty/[0-9]+ .*SYNC_CONDVAR_WAIT +sync_p=0x8[0-9a-f]{6} ' \
    "$WORK/dump"
at_least "mixed: threads migrate" 20 "$(truth switch | grep -c '"migration":1')"
# fusion waits for the mutex while the worker, of lower priority, has the CPU that the logger needs.
inversions=$(awk '
    / THMUTEX / && /fusion\/1/ { waits = 1; ran = 0 }
    / THRUNNING / && /netmgr\/2/ && waits { ran = 1 }
    / THREADY / && /fusion\/1/ && waits { n += ran; waits = 0 }
    END { print n + 0 }' "$WORK/dump")
at_least "mixed: priority inversion" 5 "$inversions"

# ---- inversion -------------------------------------------------------------------------------

simulate --scenario inversion --seconds 0.5
# Process 4100 is "plain", 4101 "lending"; thread 3 of each is the high one. 1 ms is 10^6 ticks.
waits() { truth interval | grep "\"pid\":$1,\"tid\":3,\"state\":\"MUTEX\"" |
    sed 's/.*"start":\([0-9]*\),"end":\([0-9]*\).*/\1 \2/' | awk '{ print int(($2 - $1) / 100000) }'; }
at_least "inversion: high waits every round" 48 "$(waits 4100 | wc -l)"
same_text "inversion: plain, 3 to 4 ms each" "" "$(waits 4100 | awk '$1 < 30 || $1 > 40')"
same_text "inversion: lending, less than 2 ms each" "" "$(waits 4101 | awk '$1 > 20')"
at_least "inversion: low runs at the priority it was lent" 40 \
    "$(grep -c 'THRUNNING .*pid=4101 tid=1 priority=31' "$WORK/dump")"

# ---- chatty ----------------------------------------------------------------------------------

simulate --scenario chatty --events 60000
rate=$(truth sum_run | sed 's/.*"start":\([0-9]*\),"end":\([0-9]*\),"switches":\([0-9]*\).*/\1 \2 \3/' |
    awk '{ printf "%d", $3 / (($2 - $1) / 1e9) }')
at_least "chatty: switches a second" 100000 "$rate"
at_least "chatty: messages" 3000 "$(truth sum_run | number messages)"
says "chatty: a server asks another" 'registry/[0-9]+ .*KER_CALL +MSG_SENDV' "$WORK/dump"
says "chatty: clients queue" ' THSEND ' "$WORK/dump"

# ---- irqstorm --------------------------------------------------------------------------------

simulate --scenario irqstorm --events 60000
at_least "irqstorm: nested interrupts" 50 "$(truth sum_run | number nested)"
irq=$(truth sum_cpu | number irq | awk '{ n += $1 } END { print n }')
span=$(truth sum_run | sed 's/.*"start":\([0-9]*\),"end":\([0-9]*\).*/\1 \2/' | awk '{ print 2 * ($2 - $1) }')
at_least "irqstorm: per cent of the CPUs' time in interrupts" 5 $((100 * irq / span))

# ---- overload --------------------------------------------------------------------------------

simulate --scenario overload --seconds 2
at_least "overload: long waits of the preempted (ms)" 10 \
    $(($(truth sum_thread | number preempted_max | sort -n | tail -n 1) / 1000000))
at_least "overload: starving threads are ready all the time (ms)" 1990 \
    $(($(truth sum_thread | grep '"name":"report' | number ready | sort -n | head -n 1) / 1000000))
same_text "overload: the control loop never waits 1 ms" "" "$(truth sum_thread |
    grep '"name":"loop"' | number sch_max | awk '$1 > 1000000')"
at_least "overload: deadlines met" 390 "$(grep -c 'text="deadline [0-9]* met"' "$WORK/dump")"
same_text "overload: no CPU is ever idle" "0 0 " "$(truth sum_cpu | number idle | tr '\n' ' ')"
says "overload: threads yield" ' SCHED_YIELD ' "$WORK/dump"

# ---- churn -----------------------------------------------------------------------------------

simulate --scenario churn --seconds 0.5
at_least "churn: processes die" 200 "$(grep -c ' PROCDESTROY ' "$WORK/dump")"
at_least "churn: pids are reused" 100 "$(truth sum_thread | grep -c '"instance":')"
at_least "churn: tids are reused in a process" 3 "$(sed -n 's/.*THCREATE *pid=\(4101 tid=[0-9]*\).*/\1/p' \
    "$WORK/dump" | sort | uniq -c | awk '$1 > 2' | wc -l)"

# ---- crash -----------------------------------------------------------------------------------

simulate --scenario crash --seconds 0.3
at_least "crash: servers end" 10 "$(grep -c 'PROCDESTROY.*pid=' "$WORK/dump")"
left=$(truth message | grep '"left":')
at_least "crash: clients in REPLY" 10 "$(grep -c '"received":' <<<"$left")"
at_least "crash: clients in SEND" 10 "$(grep -vc '"received":' <<<"$left")"

# ---- queues ----------------------------------------------------------------------------------

simulate --scenario queues --format trx --trx-queues --events 3000
at_least "queues: entries" 500 "$(truth entry | wc -l)"
at_least "queues: senders wait for a full queue" 30 "$(grep -c 'flood.*THREAD_SUSPEND.*QUEUE_SUSP' "$WORK/dump")"

# ---- timeouts --------------------------------------------------------------------------------

simulate --scenario timeouts --seconds 0.5
at_least "timeouts: clients leave" 50 "$(truth message | grep -c '"left":')"
at_least "timeouts: clients end" 50 "$(truth message | grep -c '"died":')"
at_least "timeouts: errors" 20 "$(truth message | grep -c '"errno":16')"
at_least "timeouts: pulses of the kernel at a timeout" 20 "$(grep -c ' SND_PULSE_UN ' "$WORK/dump")"

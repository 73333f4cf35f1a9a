#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Reads the record chains with od and awk, independently: every record begins at the end of the previous
# one, the last ends with the file, and the counts are the writer's.
. tests/lib/case.sh

# told KEY...: prints numbers of the line "file" of the truth
told() {
    local key
    for key in "$@"; do
        sed -n "s/.*\"t\":\"file\".*\"$key\":\([0-9]*\).*/\1/p" "$WORK/run.truth.jsonl"
    done | tr '\n' ' '
}
simulate() { "$TTSIM" --truth sums -o "$WORK/run" "$@"; }

# ---- QNX: 16-byte slots after a text header and a system page -------------------------------------

kev() { # kev NAME PER-CPU OPTION...
    local name=$1 per_cpu=$2 begin
    shift 2
    simulate --events 20000 "$@"
    begin=$(LC_ALL=C grep -aob 'TRACE_HEADER_END::' "$WORK/run" | cut -d: -f1)
    begin=$((begin + 18 + $(LC_ALL=C grep -aom1 'SYSPAGE_LEN::[0-9]*' "$WORK/run" |
        cut -d: -f3)))
    tail -c +$((begin + 1)) "$WORK/run" | od -An -v -t u4 -w16 | awk -v per_cpu="$per_cpu" '
        {
            part = int($1 / 1073741824); cpu = int($1 / 16777216) % 64
            class = int($1 / 1024) % 32; event = $1 % 1024
            slots++
            if (part < 2) { events++; count[class]++ }
            if (class != 1 && part < 2 && (cpu, high[cpu]) in last && $2 < last[cpu, high[cpu]])
                print "time of CPU " cpu " goes back at slot " NR
            if (class == 1 && event == 1) high[cpu] = $3 + ($2 < $4)
            if (part < 2) last[cpu, high[cpu]] = $2
            if (class == 1 && event == 2) {
                ring = per_cpu ? cpu : 0
                if (ring in sequence && $3 != sequence[ring] + 1) print "sequence at slot " NR
                sequence[ring] = $3
                # The count leads from one BUFFER slot to the next.
                if (due && NR != due) print "BUFFER at slot " NR ", expected at " due
                due = NR + $4
            }
            if (part >= 2 && !((cpu, class, event, $2) in open))
                print "part without a beginning at slot " NR
            if (part == 1) open[cpu, class, event, $2] = 1
            if (part == 3) delete open[cpu, class, event, $2]
        }
        END {
            for (k in open) print "an event has no end"
            if (due != slots + 1 + (per_cpu ? 1 : 0)) print "the last count leads to " due
            print events, slots, count[1] + 0, count[2] + 0, count[3] + 0, count[4] + 0
        }' >"$WORK/read"
    same_text "slots: $name" "$(told events records class1 class2 class3 class4)" \
        "$(cat "$WORK/read") "
}
kev "6.4" 0 --kev-version 6.4 --kev-mode fast
kev "6.4, clock rolls over" 0 --kev-version 6.4 --kev-mode wide --start 4294000000
kev "7.1" 0 --kev-version 7.1
kev "7.1, fast, small buffers" 0 --kev-version 7.1 --kev-mode fast --kev-slots 64 --scenario churn
kev "7.1, events parted, times shared" 0 --interlace 2 --ties --kev-slots 100
kev "8.0" 1 --kev-version 8.0
kev "8.0, many CPUs" 1 --kev-version 8.0 --cpus 9 --scenario chatty

# ---- Fuchsia: words, the size of a record is in its first ----------------------------------------

fxt() { # fxt NAME OPTION...
    local name=$1
    shift
    simulate --format fxt --events 20000 "$@"
    od -An -v -t u4 -w8 "$WORK/run" | awk '
        NR == 1 && ($1 != 1174667280 || $2 != 1463416) { print "no magic number: " $1, $2 }
        NR == 1 || NR == due {
            type = $1 % 16
            size = int($1 / 16) % 4096
            if (type == 15) size = int($1 / 16) + ($2 % 16) * 268435456
            if (size == 0) { print "a record of size 0 at word " NR; exit }
            due = NR + size
            records++
            count[type]++
        }
        END {
            if (due != NR + 1) print "the last record ends at word " due ", the file at " NR + 1
            print records, count[2] + 0, count[4] + 0, count[7] + 0, count[8] + 0
        }' >"$WORK/read"
    same_text "records: $name" "$(told records class2 class4 class7 class8)" \
        "$(cat "$WORK/read") "
}
fxt "fxt"
fxt "fxt with a large record of more words than 12 bits say" --fxt-large
fxt "fxt, legacy switches, three providers" --fxt-sched legacy --fxt-providers 3
fxt "fxt, processes that come and go" --scenario churn
fxt "fxt with losses" --lose 3

# ---- BTrace: bytes, the size of a record is its first, rounded up to 4 ----------------------------

btrace() { # btrace NAME OPTION...
    local name=$1
    shift
    simulate --format btrace --events 20000 "$@"
    od -An -v -t u1 -w4 "$WORK/run" | awk '
        NR == 1 { due = 1 }
        NR == due {
            if ($1 < 4 || $1 > 116) { print "a record of size " $1 " at word " NR; exit }
            due = NR + int(($1 + 3) / 4)
            records++
            category = $3
            second = $2 % 2 == 1 ? NR + 1 : 0
            if (!second) count[category]++
        }
        NR == second && $1 % 4 < 2 { count[category]++ }
        END {
            if (due != NR + 1) print "the last record ends at word " due ", the file at " NR + 1
            print records, count[3] + 0, count[4] + 0, count[23] + 0
        }' >"$WORK/read"
    same_text "records: $name" "$(told records class3 class4 class23)" "$(cat "$WORK/read") "
}
btrace "btrace, 4 CPUs"
btrace "btrace, 1 CPU" --cpus 1
btrace "btrace, 1 CPU, stamps of 64 bits" --cpus 1 --btrace-stamps 64
btrace "btrace, free running" --btrace-ring 40
btrace "btrace with losses" --lose 3

# Records of the kernel's writers: the order at a thread's end, ids that are not reused, the
# extension words of each category, the place of the tick count.
writers() { # writers NAME SEEN CPUS OPTION...   SEEN: what the capture has
    local name=$1 seen=$2 cpus=$3
    shift 3
    simulate --format btrace --cpus "$cpus" --events 20000 "$@"
    od -An -v -t u4 -w4 "$WORK/run" | awk -v smp="$((cpus > 1))" '
        { word[NR] = $1 }
        # The value of one flag of a record.
        function has(flag) { return int(flags / flag) % 2 }
        END {
            for (at = 1; at <= NR; at += int((size + 3) / 4)) {
                size = word[at] % 256; flags = int(word[at] / 256) % 256
                category = int(word[at] / 65536) % 256; sub_category = int(word[at] / 16777216)
                if (size < 4) { print "a record of size " size; exit }
                data = at + 1 + has(1) + has(2) + has(4) + has(8) + has(16) + has(32)
                key = category "/" sub_category
                if (key == "15/0") period = word[data] % 16777216 * 2 ^ (int(word[data] / 16777216) - 256)
                if (smp && !has(1)) print "a record without its CPU: " key
                if (category == 4 && has(8) != (sub_category == 6)) print "context of " key
                if (category == 17 && has(8) != (sub_category != 3)) print "context of " key
                if (category == 17 && has(16) != (!smp && sub_category != 3)) print "program counter of " key
                if (category == 5) {
                    time = word[at + 1 + has(1)] + (has(4) ? word[at + 2 + has(1)] * 4294967296 : 0)
                    behind = time * period * 1000 - word[at + size / 4 - 1]
                    if (behind < -1 || behind > 2) print "a tick that is " behind " ms late"
                    ticks++
                }
                if (category == 17) fast++
                if (category == 3 && sub_category == 1) ending[word[data]] = 1
                if (category == 3 && sub_category == 0) delete ending[word[data]]
                if (category == 3 && sub_category == 3) {
                    if (!(word[data] in ending)) print "EThreadDestroy before ENanoThreadDestroy"
                    delete ending[word[data]]
                    ends++
                }
                if (category == 3 && sub_category == 6) {
                    if (word[data + 2] in ids) print "id " word[data + 2] " for two threads"
                    ids[word[data + 2]] = 1
                    if (word[data] in addresses) reused++
                    addresses[word[data]] = 1
                }
            }
            print (ends ? " ends" : "") (reused ? " reuse" : "") (ticks ? " ticks" : "") (fast ? " mutexes" : "")
        }' >"$WORK/read"
    same_text "writers: $name" " $seen" "$(head -n 3 "$WORK/read")"
}
for cpus in 1 2; do
    writers "btrace, threads, $cpus CPUs" "ends reuse" $cpus --scenario churn
    writers "btrace, services, $cpus CPUs" "ends reuse ticks mutexes" $cpus --scenario mixed
done

# ---- ThreadX: a header of pointers, a registry, a ring -------------------------------------------

trx() { # trx NAME ENTRIES-IN-RING OPTION...
    local name=$1 ring=$2
    shift 2
    simulate --format trx --events 8000 --trx-ring "$ring" "$@"
    od -An -v -t u4 -w4 "$WORK/run" | awk -v ring="$ring" '
        { word[NR - 1] = $1 }
        END {
            base = word[2]; registry = word[3]; registry_end = word[5]
            first = word[6]; end = word[7]; oldest = word[8]
            if (word[0] != 1415074882) print "no TXTB: " word[0]
            if (registry != base + 48 || first != registry_end) print "the parts do not join"
            if ((registry_end - registry) % 48 != 0) print "no whole number of objects"
            if (end - first != 32 * ring || base + 4 * NR != end) print "the ring has another size"
            if ((oldest - first) % 32 != 0) print "the oldest is not at an entry"
            for (at = (first - base) / 4; at < NR; at += 8) {
                if (word[at] == 0) continue
                entries++
                id = word[at + 2] % 65536
                count[id]++
            }
            print entries
            if (entries < ring) print count[1] + 0, count[2] + 0, count[3] + 0
        }' >"$WORK/read"
    if [ "$ring" -gt 8000 ]; then
        same_text "entries: $name" "$(told events resumptions suspensions interrupts)" \
            "$(tr '\n' ' ' <"$WORK/read")"
    else
        same_text "entries: $name" "$(told events)" "$(tr '\n' ' ' <"$WORK/read")"
    fi
}
trx "trx, with room" 9000
trx "trx, one CPU" 9000 --cpus 1
trx "trx, come round" 1500 --cpus 1 --trx-bits 24 --trx-counter down

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# ThreadX captures: dump compared with TraceX's text, and in other containers. `info` and single lines are
# in tests/cases/, errors in tests/cases/errors.test.
. tests/lib/case.sh

captures=../shared/captures/trx

# number, ticks, id's context and the first 16 characters of the thread, of TraceX's text
tracex_events() {
    awk '/Trace Events/ { inside = 1 }
         inside && /I1:/ { thread = substr($0, 82, 31); sub(/ \(.*/, "", thread); sub(/ +$/, "", thread)
                           print $1, $2 + 0, thread }' "$1"
}

# the same of jsonl
our_events() {
    sed -nE 's/^\{"n":([0-9]+),"ticks":"?([0-9]+)"?,.*"thread":"([^"]{0,16})[^"]*","class".*/\1 \2 \3/p' |
        sed 's/ *$//'
}

hex_dump() { od -An -v -tx1 "$1" | tr -d ' '; }

if [ ! -d "$captures" ]; then
    skip "ThreadX captures" "$captures is not there"
else
    for name in demo_threadx demo_netx_tcp; do
        tracex_events "$captures/$name.dump.txt" >"$WORK/expected"
        exits "$name: dump" 0 "$TRACETUI" dump --format jsonl "$captures/$name.trx"
        our_events <"$WORK/out" >"$WORK/actual"
        same "$name: numbers, times and contexts as TraceX printed them" "$WORK/expected" \
            "$WORK/actual"

        # Beside the paths of the files, in lines 3 and 4, the dump is TraceX's.
        exits "$name: dump --style tracex" 0 "$TRACETUI" dump --style tracex "$captures/$name.trx"
        sed 3,4d "$captures/$name.dump.txt" >"$WORK/expected"
        sed 3,4d "$WORK/out" >"$WORK/actual"
        same "$name: the raw trace dump as TraceX wrote it" "$WORK/expected" "$WORK/actual"

        "$TRACETUI" dump "$captures/$name.trx" >"$WORK/plain"
        hex_dump "$captures/$name.trx" >"$WORK/$name.txt"
        exits "$name as a hex dump" 0 "$TRACETUI" dump "$WORK/$name.txt"
        same "$name as a hex dump: the same lines" "$WORK/plain" "$WORK/out"
        "$TRACETUI" dump - <"$WORK/$name.txt" >"$WORK/out"
        same "$name as a hex dump on standard input: the same lines" "$WORK/plain" "$WORK/out"

        if command -v python3 >/dev/null; then
            exits "$name: waits for objects as in TraceX's text" 0 python3 tests/golden/trx_objects.py \
                "$TRACETUI" "$captures/$name.trx" "$captures/$name.dump.txt"
        else
            skip "$name: waits for objects" "python3 is not installed"
        fi

        if command -v python3 >/dev/null; then
            exits "$name: tables as in TraceX's text" 0 python3 tests/golden/trx_tables.py "$TRACETUI" \
                "$captures/$name.trx" "$captures/$name.dump.txt"
        else
            skip "$name: tables" "python3 is not installed"
        fi

        head -c 20000 "$captures/$name.trx" >"$WORK/cut.trx"
        exits "$name cut short" 1 "$TRACETUI" dump "$WORK/cut.trx"
    done
fi

# ---- FileX and NetX by instance, computed by hand -------------------------------------------------

# buffer_of REGISTRY EVENTS: prints a trace buffer as a hex dump; a line of the registry is
# "type address name parameter1 parameter2", one of the events "thread id word1 word2 word3 word4 priority", 10 ticks
# apart
buffer_of() {
    awk 'function word(value) {
             printf "%02x%02x%02x%02x\n", value % 256, int(value / 256) % 256, int(value / 65536) % 256, int(value / 16777216)
         }
         function number(text,    i, value) {
             if (text !~ /^0x/) return text + 0
             for (i = 3; i <= length(text); i++) value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
             return value
         }
         function text(name,    i) {
             for (i = 1; i <= 32; i++) printf "%02x", i <= length(name) ? index(bytes, substr(name, i, 1)) + 31 : 0
             print ""
         }
         BEGIN { for (i = 32; i < 127; i++) bytes = bytes sprintf("%c", i) }
         FNR == NR { type[++objects] = $1; address[objects] = $2; name[objects] = $3; first[objects] = $4; second[objects] = $5; next }
         { event[++events] = $0 }
         END {
             start = 48 + 48 * objects; end = start + 32 * events
             word(number("0x54585442")); word(4294967295); word(0); word(48); word(32 * 65536); word(start)
             word(start); word(end); word(start); word(0); word(0); word(0)
             for (i = 1; i <= objects; i++) {
                 word(type[i] * 256); word(number(address[i])); word(number(first[i])); word(number(second[i]))
                 text(name[i])
             }
             for (i = 1; i <= events; i++) {
                 words = split(event[i], w, " ")
                 word(number(w[1])); word(words > 6 ? number(w[7]) : 10); word(w[2]); word(10 * (i - 1))
                 for (k = 3; k <= 6; k++) word(number(w[k]))
             }
         }' "$1" "$2"
}

cat >"$WORK/registry" <<'END'
1 0x100 main
9 0x1000 disk
10 0x2000 log.txt
11 0x3000 eth0
12 0x4000 pool
13 0x5000 web
14 0x6000 dns
END
cat >"$WORK/events" <<'END'
0x100 261 0x1000 0 0 0
0x100 206 0x1000 7 4 0
0x100 247 0x1000 0x2000 0 1
0x100 254 0x2000 0 100 90
0x100 248 0x2000 0 64 50
0x100 248 0x2000 0 64 14
0x100 207 0x1000 7 2 0
0x100 201 0x1000 7 1 16
0x100 202 0x1000 1 0 0
0x100 203 0x1000 3 0 0
0x100 204 0x1000 0 0 0
0x100 205 0x1000 0 0 0
0x100 243 0x2000 0 90 0
0x100 257 0x1000 0 0 3
0x100 255 0x1000 0 0 0
0x100 258 0x1000 0 0 0
0x100 269 0 0 0 0
0x100 386 0x4000 0x7000 0 5
0x100 386 0x4000 0 0 0
0x100 301 0x3000 0x1020304 0x7000 0
0x100 303 0x3000 0x1020304 0x7000 0
0x100 300 0x3000 0x1020304 0x7000 0
0x100 302 0x3000 0x1020304 0x7000 0
0x100 309 0x3000 0x1020304 0x7000 60
0x100 308 0x3000 0x1020304 0x7000 40
0x100 362 0x3000 0x1020304 0 8
0x100 304 0x3000 0x1020304 0x7000 0x1234
0x100 304 0x3000 0x1020304 0x7000 0x8001234
0x100 401 0x3000 0x5000 0x1020304 80
0x100 407 0x3000 0x5000 0 0
0x100 421 0x5000 0x7000 500 1
0x100 419 0x5000 0x7000 300 1
0x100 322 0x3000 0x5000 0x7000 1
0x100 436 0x6000 0x7000 77 0x1020304
0x100 434 0x3000 0x6000 0x7000 33
0x100 394 0x7000 0xaaaaaaaa 6 0
0x100 394 0x7000 0 6 0
0x100 394 0x9000 0xaaaaaaaa 6 0
0x100 419 0x5555 0x7000 11 1
END
buffer_of "$WORK/registry" "$WORK/events" >"$WORK/made.txt"

# values_of BY: the values of each instance that are not 0, as key=value
values_of() {
    "$TRACETUI" stats --by "$1" --format csv "$WORK/made.txt" |
        awk -F, 'NR == 1 { split($0, key); next }
                 { printf "%s %s:", $1, $2
                   for (i = 4; i <= NF; i++) if ($i != 0) printf " %s=%s", key[i], $i
                   print "" }'
}

cat >"$WORK/expected" <<'END'
media disk: operations=11 media_opens=1 media_closes=1 media_aborts=1 media_flushes=1 directory_reads=1 directory_writes=1 directory_misses=1 sector_reads=4 sector_writes=2 sector_misses=1 errors=4
file log.txt: operations=5 file_opens=1 file_closes=1 file_reads=2 file_writes=1 bytes_read=64 bytes_written=90
 unknown: operations=1
END
values_of filex >"$WORK/actual"
same "stats --by filex" "$WORK/expected" "$WORK/actual"

cat >"$WORK/expected" <<'END'
ip eth0: operations=9 arp_requests_sent=1 arp_requests_received=1 arp_responses_sent=1 arp_responses_received=1 pings_sent=1 ping_responses=1 ip_packets_sent=1 ip_bytes_sent=60 ip_packets_received=1 ip_bytes_received=40
packet pool pool: operations=4 allocations=2 empty_allocations=1 releases=2 invalid_releases=1 errors=2
tcp socket web: operations=5 tcp_client_connections=1 tcp_server_connections=1 tcp_packets_sent=1 tcp_bytes_sent=500 tcp_packets_received=1 tcp_bytes_received=300 errors=1
udp socket dns: operations=2 udp_packets_sent=1 udp_bytes_sent=77 udp_packets_received=1 udp_bytes_received=33
packet pool unknown: operations=1 releases=1
tcp socket : operations=1 tcp_packets_received=1 tcp_bytes_received=11
END
values_of netx >"$WORK/actual"
same "stats --by netx" "$WORK/expected" "$WORK/actual"

# A packet is found in its pool if it was allocated before the range.
"$TRACETUI" stats --by netx --format csv --from '#35' --to '#36' "$WORK/made.txt" | cut -d, -f1-4 >"$WORK/actual"
printf '%s\n' 'kind,name,address,operations' 'packet pool,pool,16384,1' >"$WORK/expected"
same "stats --by netx of a range" "$WORK/expected" "$WORK/actual"

"$TRACETUI" dump --style tracex "$WORK/made.txt" |
    sed -n '/^Media Statistics/,/^\*\*\*\*.*Popular/ { s/^  \(.*\): *\([0-9]*\)$/\2/p }' | paste -sd' ' >"$WORK/actual"
echo "1 1 1 1 1 1 1 1 1 64 90 4 2 1 1 1 1 1 2 3 1 1 1 1 1 60 1 40 1 1 1 500 2 311 1 77 1 33" >"$WORK/expected"
same "dump --style tracex has the same figures" "$WORK/expected" "$WORK/actual"

# ---- execution profile and stacks -----------------------------------------------------------------

printf '%s\n' '1 0x100 main 0x8000 0x400' '1 0x200 worker 0x9000 1000' '1 0x300 unused 0xa000 512' >"$WORK/registry"
# main runs 10 ticks, then the system is idle for 10; an interrupt takes 20, until the handler ends.
cat >"$WORK/events" <<'END'
0x100 68 0x4000 0 0 0
0x100 2 0x100 5 0x8180 0
0xffffffff 3 0 7 0 0 0
0xffffffff 1 0x200 5 0 0x200 0
0x200 112 5 0 0x9100 0
0x200 112 5 0 0x8fff 0
END
buffer_of "$WORK/registry" "$WORK/events" >"$WORK/made.txt"
cat >"$WORK/expected" <<'END'
context,events,time_ticks,time_pct
main,2,10,20.0000
worker,2,10,20.0000
unused,0,0,0.0000
idle,0,10,20.0000
Interrupt,2,20,40.0000
END
"$TRACETUI" stats --by profile --format csv "$WORK/made.txt" | cut -d, -f3- >"$WORK/actual"
same "stats --by profile" "$WORK/expected" "$WORK/actual"
cat >"$WORK/expected" <<'END'
thread,size,used,used_pct,min,min_event,min_at_ticks
main,1024,640,62,384,1,10
worker,1000,1000,100,0,6,50
unused,512,,,,,
END
"$TRACETUI" stats --by stack --format csv "$WORK/made.txt" | cut -d, -f3- >"$WORK/actual"
same "stats --by stack: a pointer below the stack is an overflow" "$WORK/expected" "$WORK/actual"
"$TRACETUI" stats --by profile --from 5t --to 25t --thread worker --thread Interrupt --format csv "$WORK/made.txt" |
    cut -d, -f3-5 | sed 1d >"$WORK/actual"
printf '%s\n' worker,0,0 Interrupt,1,5 >"$WORK/expected"
same "stats --by profile of a range and of threads" "$WORK/expected" "$WORK/actual"

# A capture that begins inside an interrupt: TraceX's library counts the interrupt without begin and end only.
cat >"$WORK/events" <<'END'
0xffffffff 4 0 7 0 0 0
0x100 68 0x4000 0 0 0
0xffffffff 69 0x4000 0 0 0 0x100
0x100 68 0x4000 0 0 0
END
buffer_of "$WORK/registry" "$WORK/events" >"$WORK/made.txt"
same_text "an interrupt that began before the capture is not counted" 1 \
    "$("$TRACETUI" stats --by total --format jsonl "$WORK/made.txt" | sed 's/.*"interrupts":\([0-9]*\).*/\1/')"
same_text "nor in the raw trace dump" "Interrupts:          1" \
    "$("$TRACETUI" dump --style tracex "$WORK/made.txt" | grep '^Interrupts:')"

# ---- buffers that a system fills in turn -----------------------------------------------------------
"$TTSIM" --format trx --seed 4 --events 900 -o "$WORK/whole.trx" >/dev/null 2>&1
exits "a capture in three buffers" 0 python3 tests/golden/trx_parts.py "$WORK/whole.trx" "$WORK" 3
"$TRACETUI" dump "$WORK/whole.trx" >"$WORK/events"
"$TRACETUI" stats --format csv "$WORK/whole.trx" | cut -d, -f2- >"$WORK/sums"
for name in cat padded append; do
    "$TRACETUI" dump "$WORK/$name.trx" >"$WORK/out"
    same "$name: the events are those of one buffer" "$WORK/events" "$WORK/out"
    exits "$name: nothing is lost" 0 "$TRACETUI" info "$WORK/$name.trx"
    says "$name: info has the number of buffers" 'buffers +[23], one after the other' "$WORK/out"
    "$TRACETUI" stats --format csv "$WORK/$name.trx" | cut -d, -f2- >"$WORK/out"
    same "$name: the threads ran as in one buffer" "$WORK/sums" "$WORK/out"
done
"$TRACETUI" dump --merge --one-system "$WORK"/part?.trx >"$WORK/out"
same "--merge --one-system joins a file for each buffer" "$WORK/events" "$WORK/out"
"$TRACETUI" info --merge --one-system "$WORK"/part?.trx >"$WORK/out"
grep -q out_of_order "$WORK/out" && not_ok "their times follow each other" "$(cat "$WORK/out")"
"$TRACETUI" info --merge --one-system "$WORK/part1.trx" "$WORK/part0.trx" >"$WORK/out"
says "files in another order are reported" '^ +out_of_order +1 ' "$WORK/out"
"$TRACETUI" dump "$WORK/twice.trx" >"$WORK/twice"
"$TRACETUI" dump "$WORK/again.trx" >"$WORK/out"
same "entries that two buffers have in common are there once" "$WORK/twice" "$WORK/out"
exits "a buffer of another system is not read" 1 "$TRACETUI" info "$WORK/other.trx"
says "... and reported" 'not_read +1 ' "$WORK/out"
for at in 1 47 48 100 5000 9000; do
    head -c $(($(wc -c <"$WORK/cat.trx") - at)) "$WORK/cat.trx" >"$WORK/cut.trx"
    run "$TRACETUI" dump "$WORK/cut.trx"
    [ "$code" -le 1 ] && ok "buffers cut $at bytes before the end" || not_ok "buffers cut at $at" "status $code"
done

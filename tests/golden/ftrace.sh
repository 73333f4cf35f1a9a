# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Captures of Linux: each event and each raw field as trace-cmd prints them, and the numbers of threads by the rules of
# perf sched latency and KernelShark, on the sample, on simulated files of every form, and on captures of others.
. tests/lib/case.sh

same_as_trace_cmd() { # same_as_trace_cmd NAME FILE
    run python3 tests/golden/ftrace_same.py "$TRACETUI" "$2"
    while read -r line; do ok "$1: $line"; done <"$WORK/out"
    while read -r line; do not_ok "$1" "$line"; done <"$WORK/err"
    [ -s "$WORK/out" ] || not_ok "$1" "nothing was compared"
}

if ! command -v trace-cmd >/dev/null; then
    skip "captures of Linux as trace-cmd reads them" "there is no trace-cmd"
    exit 0
fi

same_as_trace_cmd "demo.dat" samples/demo.dat
for options in "--ftrace-version 6 --scenario chatty" "--ftrace-compress zstd --scenario irqstorm" \
    "--endian big --scenario churn" "--ftrace-long 32 --scenario inversion" \
    "--endian big --ftrace-long 32 --ftrace-version 6" "--ftrace-kernel 3.10" "--ftrace-kernel 4.14" \
    "--ftrace-kernel 6.1 --ftrace-page 8192" "--ftrace-page 65536 --cpus 64 --ftrace-compress zstd" "--lose 3"; do
    # shellcheck disable=SC2086
    "$TTSIM" --format ftrace --events 8000 $options -o "$WORK/run.dat"
    same_as_trace_cmd "ttsim $options" "$WORK/run.dat"
done
for file in ../shared/captures/ftrace/*.dat; do
    [ -e "$file" ] || { skip "captures of others" "there are none here"; break; }
    same_as_trace_cmd "${file##*/}" "$file"
done

# The inversion that was recorded, and resolved by inheritance: 434 (96) waits in FUTEX_LOCK_PI for what 431 (98) holds.
file=../shared/captures/ftrace/pi.dat
if [ -e $file ]; then
    run "$TRACETUI" stats --by object --format jsonl $file
    says "pi.dat: the wait for the futex" '"object":140210899832832,.*"wait_max_ns":753389,.*"waiter_tid":434,.*"holder_tid":431' "$WORK/out"
    run "$TRACETUI" why --worst lock -n 1 $file
    says "pi.dat: its holder ran" '^ +753.3 µs +95 % +pip_stress-431 +running +ran' "$WORK/out"
    says "pi.dat: woken by the holder" 'futex +unlock by pip_stress-431' "$WORK/out"
fi

# ---- markers that begin and end slices, which the simulator does not write
"$TTSIM" --format ftrace --ftrace-version 6 --scenario mixed --events 8000 -o "$WORK/run.dat"
python3 - "$WORK/run.dat" "$WORK/slices.dat" <<'PYTHON'
import re, sys
data, begun = open(sys.argv[1], "rb").read(), {}
def marker(match):
    """A value becomes the begin of a slice, the next one of the same thread its end."""
    pid = match[1]
    begun[pid] = not begun.get(pid, False)
    text = b"B|" + pid + b"|frame" if begun[pid] else b"E|" + pid
    return text + b"\n" + b"\0" * (len(match[0]) - len(text) - 1)
open(sys.argv[2], "wb").write(re.sub(rb"C\|(\d+)\|progress-\d+\|\d+\n", marker, data))
PYTHON
"$TRACETUI" dump --filter 'event = print' "$WORK/slices.dat" >"$WORK/prints"
begins=$(grep -c 'buf="B|[0-9]*|frame' "$WORK/prints")
same_text "slices of markers" "$begins" \
    "$("$TRACETUI" sql "select count(*) from slices where name = 'frame'" "$WORK/slices.dat" --format csv | tail -n 1)"

# ---- damaged pages: what is later than the next page of the CPU is not read, nor a page whose own time is not in order
"$TTSIM" --format ftrace --ftrace-version 6 --scenario mixed --events 8000 -o "$WORK/run.dat"
"$TRACETUI" sql "select max(ts_ns) from events" "$WORK/run.dat" --format csv >"$WORK/whole"
python3 - "$WORK/run.dat" "$WORK" <<'PYTHON'
import struct, sys
data = open(sys.argv[1], "rb").read()
offset, = struct.unpack_from("<Q", data, data.index(b"flyrecord\0") + 10)
for name, at, size in ("records", offset + 4096 * 3 + 1000, 300), ("time", offset + 4096 * 3, 8):
    open(f"{sys.argv[2]}/{name}.dat", "wb").write(data[:at] + b"\x7e" * size + data[at + size:])
PYTHON
for part in records time; do
    "$TRACETUI" sql "select max(ts_ns) from events" "$WORK/$part.dat" --format csv >"$WORK/out" 2>"$WORK/err"
    same "damaged $part of a page: the end of the capture" "$WORK/whole" "$WORK/out"
    run "$TRACETUI" info "$WORK/$part.dat"
    same_text "damaged $part of a page: status" 1 "$code"
    says "damaged $part of a page: most events are read" '^  events +7,[89]' "$WORK/out"
done

# ---- forms of bytes: a name whose description has been made a UUID (%pU)
python3 - "$WORK/run.dat" "$WORK/form.dat" <<'PYTHON'
import sys
data = open(sys.argv[1], "rb").read()
assert data.count(b"field:char comm[16];") and data.count(b'"comm=%s pid=%d')
data = data.replace(b"field:char comm[16];", b"field:u8   comm[16];").replace(b'"comm=%s pid=%d', b'"comm=%pU id=%d')
open(sys.argv[2], "wb").write(data)
PYTHON
"$TRACETUI" dump --filter 'event = sched_waking' "$WORK/form.dat" >"$WORK/out"
says "the form of a UUID" ' comm="6469736b-5f69-7271-0000-000000000000" pid=' "$WORK/out"

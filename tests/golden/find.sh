# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# --find: captures inside larger files, and the GDB script that saves a ThreadX buffer.
. tests/lib/case.sh
dump=$WORK/memory.bin
# noise N SEED: prints N pseudo-random bytes, the same each time
noise() {
    printf '%b' "$(awk -v n="$1" -v seed="$2" 'BEGIN { for (i = 0; i < n; i++) {
        seed = (seed * 16807) % 2147483647; printf "\\0%03o", int(seed / 65536) % 256 } }')"
}
noise 70001 7 >"$WORK/noise"
noise 5000 11 >"$WORK/noise2"

# as_file NAME FILE: the capture inside $dump has the events of the file
as_file() {
    exits "$1" 0 "$TRACETUI" dump --find "$dump"
    "$TRACETUI" dump "$2" >"$WORK/expected"
    same "$1: the events" "$WORK/expected" "$WORK/out"
}

# big_endian FROM TO: a buffer with all words in the other byte order; those of the registry's slots begin with
# bytes, and names stay
big_endian() {
    python3 - "$1" "$2" <<'PYTHON'
import struct
import sys

data = bytearray(open(sys.argv[1], "rb").read())
wide = data[4:8] == bytes(4)
word, header, half = (8, 96, 32) if wide else (4, 48, 16)
name_size = struct.unpack_from("<H", data, half + 2)[0]
base, end = (struct.unpack_from("<Q" if wide else "<I", data, 8 * 2 if wide else 8)[0],
             struct.unpack_from("<Q" if wide else "<I", data, 48 if wide else 24)[0])


def turn(at, size):
    data[at : at + size] = data[at : at + size][::-1]


for at in range(0, header, word):
    if at == half:
        turn(at, 2)
        turn(at + 2, 2)
    else:
        turn(at, word)
slot = 4 * word + name_size
for at in range(header, end - base, slot):
    for i in range(1, 4):
        turn(at + i * word, word)
for at in range(end - base, len(data), word):
    turn(at, word)
open(sys.argv[2], "wb").write(data)
PYTHON
}

"$TTSIM" --format trx --events 500 --trx-width 64 -o "$WORK/wide.trx"
big_endian samples/demo.trx "$WORK/big.trx"
big_endian "$WORK/wide.trx" "$WORK/bigwide.trx"
for file in samples/demo.trx "$WORK"/{big,wide,bigwide}.trx samples/demo.kev samples/fast1.kev samples/demo.btrace; do
    name=$(basename "$file")
    cat "$WORK/noise" "$file" "$WORK/noise2" >"$dump"
    as_file "$name among noise" "$file"
    { head -c 100000 /dev/zero; cat "$file"; head -c 4096 /dev/zero; } >"$dump"
    as_file "$name among zeros" "$file"
    cp "$file" "$dump"
    as_file "$name alone" "$file"
done
for file in ../shared/captures/trx/*.trx; do
    [ -e "$file" ] || { skip "real buffers" "no ../shared/captures"; break; }
    cat "$WORK/noise" "$file" "$WORK/noise2" >"$dump"
    as_file "$(basename "$file")" "$file"
done

# ---- the commands
cat "$WORK/noise" samples/demo.trx "$WORK/noise2" >"$dump"
exits "info" 0 "$TRACETUI" info --find "$dump"
says "info: the place" 'found at +offset 0x11171, 66,?592 bytes' "$WORK/out"
while read -r line; do
    # shellcheck disable=SC2086 # words
    "$TRACETUI" $line samples/demo.trx >"$WORK/expected"
    # shellcheck disable=SC2086 # words
    exits "$line" 0 "$TRACETUI" $line --find "$dump"
    same "$line: as the file" "$WORK/expected" "$WORK/out"
done <<'COMMANDS'
stats
why --worst delay -n 1
at 50%
dump --format jsonl --to 10%
COMMANDS
exits "check" 0 "$TRACETUI" check -e 'lost = 0' --find "$dump"
exits "render" 0 "$TRACETUI" render threads --find "$dump"
exits "save" 0 "$TRACETUI" save --find "$dump" -o "$WORK/saved.trx"
same "save: the bytes of the buffer" samples/demo.trx "$WORK/saved.trx"
exits "standard input" 0 bash -c 'cat "$1" | "$2" stats --find -' - "$dump" "$TRACETUI"
gzip -c "$dump" >"$WORK/memory.gz"
exits "a compressed image" 0 "$TRACETUI" stats --find "$WORK/memory.gz"

# ---- several
cat "$WORK/noise" samples/demo.trx "$WORK/noise2" samples/demo.kev samples/demo.btrace "$WORK/noise2" "$WORK/big.trx" >"$dump"
exits "several" 2 "$TRACETUI" stats --find "$dump"
nothing "several: no output" "$WORK/out"
sed 's/, [0-9,]* records$//' "$WORK/err" >"$WORK/list"
cat >"$WORK/expected" <<LIST
tracetui: --find=1: ThreadX event trace at offset 0x11171, 66,592 bytes
tracetui: --find=2: QNX kernel event trace at offset 0x22919, $(stat -c %s samples/demo.kev | sed ':a;s/\B[0-9]\{3\}\>/,&/;ta') bytes
LIST
head -n 2 "$WORK/list" >"$WORK/first"
same "several: the list" "$WORK/expected" "$WORK/first"
says "several: records" '^tracetui: --find=1: .* bytes, 2,000 records$' "$WORK/err"
says "several: the advice" "contains 4 trace buffers; choose one: --find=NUMBER" "$WORK/err"
number=0
for file in samples/demo.trx samples/demo.kev samples/demo.btrace "$WORK/big.trx"; do
    number=$((number + 1))
    "$TRACETUI" dump "$file" >"$WORK/expected"
    exits "--find=$number" 0 "$TRACETUI" dump --find=$number "$dump"
    same "--find=$number: the events" "$WORK/expected" "$WORK/out"
done
exits "a number that is too large" 2 "$TRACETUI" dump --find=5 "$dump"
says "a number that is too large: the reason" '--find=5: contains 4' "$WORK/err"
for word in 0 x 1x '' -1; do
    exits "--find=$word" 2 "$TRACETUI" dump --find="$word" "$dump"
done
exits "-f" 2 "$TRACETUI" dump -f --find "$dump"

# ---- the commands of docs/capturing.md
mkdir "$WORK/bin" && ln -s "$(pwd)/$TRACETUI" "$WORK/bin/tracetui"
commands=0
while read -r line; do
    line=${line%%  #*}
    commands=$((commands + 1))
    cat "$WORK/noise" samples/demo.trx >"$WORK/memory.bin"
    [[ $line != *=2* ]] || cat "$WORK/noise2" "$WORK/big.trx" >>"$WORK/memory.bin"
    exits "capturing: $line" 0 env PATH="$WORK/bin:$PATH" bash -c "cd '$WORK' && $line"
done < <(sed -n '/^tracetui .*--find/p' docs/capturing.md)
same_text "capturing: commands" 2 "$commands"

# ---- false headers: each of these has one wrong word
cp samples/demo.trx "$WORK/false.trx"
# put OFFSET BYTES: a copy of the demo with these bytes
put() {
    cp samples/demo.trx "$WORK/false.trx"
    # shellcheck disable=SC2059 # bytes
    printf "$2" | dd of="$WORK/false.trx" bs=1 seek="$1" conv=notrunc status=none
}
while read -r name offset bytes; do
    put "$offset" "$bytes"
    cat "$WORK/noise" "$WORK/false.trx" "$WORK/noise2" >"$dump"
    exits "false: $name" 2 "$TRACETUI" dump --find "$dump"
    says "false: $name: nothing found" 'contains no trace buffer' "$WORK/err"
done <<'WORDS'
identification 0 \x43
base 8 \x01
registry-start 12 \x34
reserved-half-word 16 \x01
name-size-0 18 \x00
name-size-64 18 \x40
registry-end 20 \x24
buffer-start 24 \x24
buffer-end-before-start 31 \x00
buffer-end-inside-an-entry 28 \x21
oldest-outside 35 \x7f
oldest-inside-an-entry 32 \xa4
first-constant 36 \xab
third-constant 44 \xcd
registry-flag 48 \x02
registry-type 49 \xf0
WORDS
{ cat "$WORK/noise"; printf 'BTXTTXTBBTXT TRACE_HEADER_BEGIN:: TRACE_HEADER_END:: X'; cat "$WORK/noise2"; } >"$dump"
exits "identifications alone" 2 "$TRACETUI" dump --find "$dump"
printf 'TRACE_HEADER_BEGIN::TRACE_SYSPAGE_LEN::16TRACE_HEADER_END::' >>"$dump"
cat "$WORK/noise" >>"$dump"
exits "a header without buffers" 2 "$TRACETUI" dump --find "$dump"
exits "a page of the documents" 2 "$TRACETUI" dump --find docs/format-kev.md
: >"$WORK/empty"
exits "an empty file" 2 "$TRACETUI" dump --find "$WORK/empty"
# A false header before the true one.
put 8 '\x01'
cat "$WORK/false.trx" "$WORK/noise2" samples/demo.trx >"$dump"
as_file "after a false header" samples/demo.trx

# ---- cut at the end of the file
{ cat "$WORK/noise"; head -c 40000 samples/demo.trx; } >"$dump"
head -c 40000 samples/demo.trx >"$WORK/cut.trx"
"$TRACETUI" dump "$WORK/cut.trx" >"$WORK/expected" 2>/dev/null
cut=$?
exits "a cut buffer: as the cut file" "$cut" "$TRACETUI" dump --find "$dump"
same "a cut buffer: the events" "$WORK/expected" "$WORK/out"
run "$TRACETUI" info --find "$dump"
says "a cut buffer: info" 'cut at the end of the file' "$WORK/out"
{ cat "$WORK/noise"; head -c 1000 samples/demo.trx; } >"$dump"
exits "cut in the registry" 2 "$TRACETUI" dump --find "$dump"
{ cat "$WORK/noise"; head -c 60000 samples/demo.kev; } >"$dump"
head -c 60000 samples/demo.kev >"$WORK/cut.kev"
"$TRACETUI" dump "$WORK/cut.kev" >"$WORK/expected" 2>/dev/null
exits "a cut .kev: as the cut file" $? "$TRACETUI" dump --find "$dump"
same "a cut .kev: the events" "$WORK/expected" "$WORK/out"

# ---- the GDB script
if ! command -v gdb >/dev/null || ! command -v cc >/dev/null || ! cc -no-pie -g -o "$WORK/target" tests/golden/threadx_target.c 2>"$WORK/err"; then
    skip "the GDB script" "no gdb, or no compiler: $(head -c 200 "$WORK/err")"
    exit 0
fi
memory=0x$(nm "$WORK/target" | awk '$3 == "memory" { print $1 }')
stopped=(timeout 1000 gdb -nx -batch -ex 'source samples/threadx.gdb' -ex 'break target_stopped' -ex 'run samples/demo.trx')
"${stopped[@]}" -ex "tracetui-save $WORK/symbol.trx" -ex "tracetui-save $WORK/search.trx $memory $memory+262144" \
    -ex "tracetui-save $WORK/none.trx $memory $memory+3000" -ex 'tracetui-save' \
    -ex "dump binary memory $WORK/ram.bin $memory $memory+262144" "$WORK/target" >"$WORK/out" 2>"$WORK/err"
if ! grep -q '^Breakpoint 1, ' "$WORK/out"; then
    skip "the GDB script" "gdb cannot run programs here: $(tail -n 1 "$WORK/err")"
    exit 0
fi
says "the GDB script: what it saved" '^trace buffer at 0x[0-9a-f]+: 66592 bytes, room for 2000 events$' "$WORK/out"
says "the GDB script: nothing there" '^no trace buffer found$' "$WORK/out"
says "the GDB script: usage" '^usage: tracetui-save FILE' "$WORK/out"
same "the GDB script: by symbol and by search" "$WORK/symbol.trx" "$WORK/search.trx"
same_text "the GDB script: no file of nothing" "" "$(ls "$WORK/none.trx" 2>/dev/null)"
"$TRACETUI" dump samples/demo.trx >"$WORK/expected"
exits "the GDB script: the events" 0 "$TRACETUI" dump "$WORK/symbol.trx"
same "the GDB script: the events are those of the target" "$WORK/expected" "$WORK/out"
exits "the memory that GDB saved" 0 "$TRACETUI" dump --find "$WORK/ram.bin"
same "the memory that GDB saved: the events" "$WORK/expected" "$WORK/out"

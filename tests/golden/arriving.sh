# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Commands index pipes and compressed files while they arrive: output, messages and exit status are those
# of the complete file. The captures are larger than what is read before a capture is opened (2 MB).
. tests/lib/case.sh

simulate() { "$TTSIM" -o "$@" >/dev/null 2>"$WORK/err" || not_ok "ttsim $*" "$(cat "$WORK/err")"; }
simulate "$WORK/71.kev" --events 80000 --seed 2
simulate "$WORK/80.kev" --events 80000 --seed 2 --kev-version 8.0 --cpus 4 --kev-buffers ring --lose 3
simulate "$WORK/parted.kev" --events 80000 --seed 2 --interlace 5 --ties --endian big
simulate "$WORK/four.fxt" --format fxt --events 90000 --seed 2 --fxt-providers 4
simulate "$WORK/64.btrace" --format btrace --events 120000 --seed 2 --btrace-stamps 64
simulate "$WORK/buffer.trx" --format trx --events 90000 --seed 2
# cut inside a record, and damaged after what is read first
head -c 2500003 "$WORK/71.kev" >"$WORK/cut.kev"
{ head -c 2300000 "$WORK/four.fxt"; head -c 5000 /dev/urandom; tail -c +2305001 "$WORK/four.fxt"; } >"$WORK/hurt.fxt"
{ head -c 2300000 "$WORK/64.btrace"; head -c 100 /dev/zero; tail -c +2300051 "$WORK/64.btrace"; } >"$WORK/hurt.btrace"
head -c 3000000 /dev/zero >"$WORK/zeros"

# record NAME COMMAND...: output, messages and exit status of a command on standard input
record() {
    local name=$1
    shift
    "$TRACETUI" "$@" - >"$WORK/$name" 2>"$WORK/$name.err"
    echo "exit $?" >>"$WORK/$name.err"
}
# alike NAME: the recordings `whole` and `piped` agree
alike() {
    if cmp -s "$WORK/whole" "$WORK/piped" && cmp -s "$WORK/whole.err" "$WORK/piped.err"; then
        ok "$1"
    else
        not_ok "$1" "$(diff "$WORK/whole.err" "$WORK/piped.err" | head -n 4) $(diff "$WORK/whole" "$WORK/piped" | head -n 4)"
    fi
}

for file in "$WORK"/*.kev "$WORK"/*.fxt "$WORK"/*.btrace "$WORK"/*.trx "$WORK/zeros"; do
    name=$(basename "$file")
    for words in "info --format jsonl" "stats --format csv" "dump --format csv"; do
        # A regular file is not copied.
        # shellcheck disable=SC2086 # words are meant
        record whole $words <"$file"
        # shellcheck disable=SC2086 # words are meant
        cat "$file" | record piped $words
        alike "$name: $words of a pipe"
    done
    record whole info <"$file"
    pieces="61 4097"
    [ "$name" != cut.kev ] || pieces="7 $pieces"
    for bytes in $pieces; do
        dd if="$file" bs=$bytes status=none | record piped info
        alike "$name: info of a pipe, $bytes bytes at a time"
    done
    gzip -1c "$file" >"$WORK/packed.gz"
    record piped info <"$WORK/packed.gz"
    alike "$name: info of a gzip file"
    cat "$WORK/packed.gz" | record piped info
    alike "$name: info of a gzip pipe"
    if command -v zstd >/dev/null 2>&1; then
        zstd -q -1 -c "$file" >"$WORK/packed.zst"
        record piped info <"$WORK/packed.zst"
        alike "$name: info of a zstd file"
        head -c 1000000 "$WORK/packed.zst" >"$WORK/cut.zst"
        record whole info <"$WORK/cut.zst"
        cat "$WORK/cut.zst" | record piped info
        alike "$name: info of a zstd pipe that was cut"
    fi
done

# ---- other commands -----------------------------------------------------------------------------------
for words in "why --worst delay -n 3" "at 40%" "check samples/checks/qnx.check" "measure --list" \
    "export --format chrome" "dump --style traceprinter" "save --from 10% --to 20% -o $WORK/part.kev"; do
    # shellcheck disable=SC2086 # words are meant
    record whole $words <"$WORK/71.kev"
    # shellcheck disable=SC2086 # words are meant
    cat "$WORK/71.kev" | record piped $words
    alike "$words"
done
"$TRACETUI" sql 'select count(*), max(ticks) from events' - <"$WORK/71.kev" >"$WORK/whole" 2>&1
cat "$WORK/71.kev" | "$TRACETUI" sql 'select count(*), max(ticks) from events' - >"$WORK/piped" 2>&1
same "sql" "$WORK/whole" "$WORK/piped"

# ---- errors ---------------------------------------------------------------------------------------------
gzip -1c "$WORK/71.kev" >"$WORK/packed.gz"
for limit in 100 2000000 2500000; do
    "$TRACETUI" info --spool-limit $limit "$WORK/packed.gz" >"$WORK/out" 2>"$WORK/err"
    same_text "--spool-limit $limit: exit status" 2 "$?"
    says "--spool-limit $limit" "packed.gz: unpacked: spool limit of $limit bytes exceeded$" "$WORK/err"
    one_line "--spool-limit $limit: one line" "$WORK/err"
done
size=$(wc -c <"$WORK/packed.gz")
{ head -c $((size - 9)) "$WORK/packed.gz"; printf 'x'; tail -c 8 "$WORK/packed.gz"; } >"$WORK/damaged.gz"
"$TRACETUI" info --format jsonl "$WORK/damaged.gz" >"$WORK/out" 2>"$WORK/err"
same_text "damage at the end: exit status" 1 "$?"
says "damage at the end: it is counted" '"container":1' "$WORK/out"
says "damage at the end: its place" 'damaged.gz: offset 0x[0-9a-f]+: damaged container: ' "$WORK/err"

# A writer is read to its end, whatever becomes of the input.
for file in damaged.gz zeros; do
    { cat "$WORK/$file"; echo "$?" >"$WORK/writer"; } | "$TRACETUI" info - >/dev/null 2>&1
    same_text "$file: the writer gets no signal" 0 "$(cat "$WORK/writer")"
done
"$TRACETUI" info - <&- >"$WORK/out" 2>"$WORK/err"
same_text "standard input is closed: exit status" 2 "$?"
one_line "standard input is closed: one line" "$WORK/err"

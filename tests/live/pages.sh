# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Pages that trace-cmd writes while it records (OUT.cpu0, OUT.cpu1, ...): with the descriptions of a partial trace.dat, of a
# finished one and of a tracing directory, complete and growing; and a trace.dat that is waited for.
. tests/lib/case.sh

if ! command -v python3 >/dev/null; then
    skip pages "python3 is not installed"
    exit 0
fi

# poll COMMAND...: true as soon as the command is; false after 200 s
poll() {
    local end=$((SECONDS + 200))
    while [ $SECONDS -lt $end ]; do
        "$@" && return 0
        sleep 0.05
    done
    return 1
}

# printed LINES: the output has as many
printed() { [ "$(wc -l <"$WORK/out")" -ge "$1" ]; }

"$TTSIM" --format ftrace --ftrace-version 6 --scenario mixed --events 6000 -o "$WORK/whole.dat"
"$TRACETUI" dump "$WORK/whole.dat" >"$WORK/whole.txt"
python3 tests/live/pages.py divide "$WORK/whole.dat" "$WORK/made"

for metadata in part.dat ../whole.dat; do
    "$TRACETUI" dump --metadata "$WORK/made/$metadata" "$WORK/made/trace.dat.cpu1" >"$WORK/out" 2>"$WORK/err"
    same "pages described by $metadata" "$WORK/whole.txt" "$WORK/out"
done
# The symbols of a kernel are not in its tracing directory.
"$TRACETUI" dump --metadata "$WORK/made/tracing" "$WORK/made/trace.dat.cpu1" >"$WORK/out" 2>"$WORK/err"
sed -E 's/(=0x[0-9a-f]{16})\([a-z_]+\)/\1/' "$WORK/whole.txt" >"$WORK/bare.txt"
same "pages described by a tracing directory" "$WORK/bare.txt" "$WORK/out"
"$TRACETUI" stats --format csv "$WORK/whole.dat" >"$WORK/whole.csv"
"$TRACETUI" stats --format csv --metadata "$WORK/made/part.dat" "$WORK/made/trace.dat.cpu0" >"$WORK/out"
same "their statistics" "$WORK/whole.csv" "$WORK/out"

# ---- descriptions that are none
mkdir "$WORK/empty"
exits "an empty directory has none" 2 "$TRACETUI" info --metadata "$WORK/empty" "$WORK/made/trace.dat.cpu0"
says "which is said" 'no descriptions of events can be read there' "$WORK/err"
exits "files of other names are no pages" 2 "$TRACETUI" info --metadata "$WORK/made/part.dat" "$WORK/whole.dat"
says "which is said, too" 'no OUT.cpuN of trace-cmd' "$WORK/err"

# ---- pages that grow: all lines, those of a CPU that is late after those of others
mkdir "$WORK/grows"
for file in "$WORK"/made/trace.dat.cpu*; do : >"$WORK/grows/${file##*/}"; done
: >"$WORK/out"
"$TRACETUI" dump -f --metadata "$WORK/made/part.dat" "$WORK/grows/trace.dat.cpu0" >"$WORK/out" 2>"$WORK/err" </dev/null &
follower=$!
python3 tests/live/pages.py grow "$WORK/made" "$WORK/grows" 1
poll printed "$(wc -l <"$WORK/whole.txt")"
kill "$follower"
wait "$follower" 2>/dev/null
sort "$WORK/whole.txt" >"$WORK/expected"
sort "$WORK/out" >"$WORK/sorted"
same "pages that grow" "$WORK/expected" "$WORK/sorted"

# ---- trace.dat appears when the recording ends, and is written then
: >"$WORK/out"
"$TRACETUI" dump -f "$WORK/late.dat" >"$WORK/out" 2>"$WORK/err" </dev/null &
follower=$!
size=$(wc -c <"$WORK/whole.dat")
poll grep -q waiting "$WORK/err" && ok "it waits for trace.dat" || not_ok "it waits for trace.dat" "$(cat "$WORK/err")"
for part in 100 3000 $((size / 2)); do
    head -c "$part" "$WORK/whole.dat" >"$WORK/late.dat"
    sleep 0.1
done
tail -c +$((size / 2 + 1)) "$WORK/whole.dat" >>"$WORK/late.dat"
poll cmp -s "$WORK/whole.txt" "$WORK/out"
kill "$follower"
wait "$follower" 2>/dev/null
same "a trace.dat that is written" "$WORK/whole.txt" "$WORK/out"

# ---- on the screen
. tests/lib/screen.sh
"$TTSIM" --format ftrace --ftrace-version 6 --scenario mixed --events 60000 -o "$WORK/whole.dat"
"$TRACETUI" dump "$WORK/whole.dat" >"$WORK/whole.txt"
python3 tests/live/pages.py divide "$WORK/whole.dat" "$WORK/made"
for file in "$WORK"/made/trace.dat.cpu*; do head -c 8192 "$file" >"$WORK/grows/${file##*/}"; done
screen_open 100x24
screen_start -f --metadata "$WORK/made/part.dat" "$WORK/grows/trace.dat.cpu0"
screen_wait "pages on the screen: LIVE" 'LIVE '
thousands() { sed 's/\(...\)$/,\1/'; }
tail -c +8193 "$WORK/made/trace.dat.cpu0" >>"$WORK/grows/trace.dat.cpu0"
"$TRACETUI" dump --metadata "$WORK/made/part.dat" "$WORK/grows/trace.dat.cpu0" >"$WORK/first.txt"
screen_wait "what comes of a CPU is there" "of $(wc -l <"$WORK/first.txt" | thousands)"
screen_still "$WORK/still"
for cpu in 1 2 3; do
    tail -c +8193 "$WORK/made/trace.dat.cpu$cpu" >>"$WORK/grows/trace.dat.cpu$cpu"
done
screen_wait "what comes of the others is there" "of $(wc -l <"$WORK/whole.txt" | thousands)"
# An end has its begin, also on a CPU whose pages come later.
if screen_has 'health'; then
    not_ok "pages that come apart are no problem" "$(screen_text | grep health)"
else
    ok "pages that come apart are no problem"
fi
screen_keys q
screen_wait "it ends" 'status=0'

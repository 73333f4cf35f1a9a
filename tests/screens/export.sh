# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# `:export` and `:write FILE.fxt` write what `tracetui export` writes: the capture, the selection, the events
# that pass the filters.
. tests/lib/case.sh

# in_program CAPTURE KEYS...: types keys and writes $WORK/program.fxt.
in_program() {
    local capture=$1
    shift
    rm -f "$WORK/program.fxt"
    "$TRACETUI" render threads "$capture" --no-cache --size 100x20 \
        --keys "$*:export $WORK/program.fxt<Enter>" >"$WORK/screen"
}

for capture in samples/demo.*; do
    in_program "$capture"
    "$TRACETUI" export --no-cache "$capture" -o "$WORK/command.fxt"
    same "$capture" "$WORK/command.fxt" "$WORK/program.fxt"
done

in_program samples/demo.kev ":filter class = INT_ENTR<Enter>"
"$TRACETUI" export samples/demo.kev --filter 'class = INT_ENTR' -o "$WORK/command.fxt"
same "the events that pass the filter" "$WORK/command.fxt" "$WORK/program.fxt"

in_program samples/demo.kev ":10ms<Enter>" v ":15ms<Enter>"
# Times of the first event, and of the marks at the begin and the end of the selection, in ns.
times() { "$TRACETUI" dump "$1" --format jsonl "${@:2}" | sed -E 's/.*"ns":([0-9]+).*/\1/'; }
first=$(times samples/demo.kev | head -n 1)
mapfile -t marks < <(times "$WORK/program.fxt" --filter 'class = tracetui')
"$TRACETUI" export samples/demo.kev --from "$((marks[0] - first))ns" --to "$((marks[1] + 1 - first))ns" \
    -o "$WORK/command.fxt"
same "the selection" "$WORK/command.fxt" "$WORK/program.fxt"

"$TRACETUI" render threads samples/demo.kev --keys ":write $WORK/named.fxt<Enter>" >"$WORK/screen"
"$TRACETUI" export samples/demo.kev -o "$WORK/command.fxt"
same ":write FILE.fxt" "$WORK/command.fxt" "$WORK/named.fxt"

# ---- :save writes what `tracetui save` writes
saved() { "$TRACETUI" render threads samples/demo.kev --no-cache --size 100x20 --keys "$1:save $WORK/$2.kev<Enter>" >"$WORK/screen"; }
saved "" whole
same ":save copies the capture" samples/demo.kev "$WORK/whole.kev"
saved ":filter class = COMM<Enter>" filtered
"$TRACETUI" save samples/demo.kev --filter 'class = COMM' -o "$WORK/command.kev"
same ":save of the events that pass the filter" "$WORK/command.kev" "$WORK/filtered.kev"
saved ":10ms<Enter>v:15ms<Enter>" selected
same_text ":save of the selection" "1 1" "$(grep -c 'events written to' "$WORK/screen") $("$TRACETUI" info "$WORK/selected.kev" |
    grep -cE 'time +0.000000000 .. 0.00[45]')"

# ---- refused
refused() {
    "$TRACETUI" render threads "$WORK/run.kev" --size 100x12 --keys ":export$1<Enter>" >"$WORK/screen"
    same_text "$2" 1 "$(grep -c "$2" "$WORK/screen")"
}
cp samples/demo.kev "$WORK/run.kev"
refused " $WORK/named.fxt" "exists"
refused "! $WORK/run.kev" "the output file is the capture"
refused " -" "standard output is the screen"
same "the capture is unchanged" samples/demo.kev "$WORK/run.kev"

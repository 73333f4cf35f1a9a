# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# `:write FILE.fxt` writes what `tracetui export` writes, `:write FILE.kev` what `tracetui save` writes: the capture,
# the selection, the events that pass the filters. `:export` and `:save` do so whatever the name of the file.
. tests/lib/case.sh

# in_program CAPTURE KEYS...: types keys and writes $WORK/program.fxt.
in_program() {
    local capture=$1
    shift
    rm -f "$WORK/program.fxt"
    "$TRACETUI" render threads "$capture" --no-cache --size 100x20 \
        --keys "$*:write $WORK/program.fxt<Enter>" >"$WORK/screen"
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

"$TRACETUI" render threads samples/demo.kev --keys ":export $WORK/named.fxt<Enter>" >"$WORK/screen"
"$TRACETUI" export samples/demo.kev -o "$WORK/command.fxt"
same ":export FILE" "$WORK/command.fxt" "$WORK/named.fxt"

# ---- FILE.kev: what `tracetui save` writes
saved() { "$TRACETUI" render threads samples/demo.kev --no-cache --size 100x20 --keys "$1:write $WORK/$2.kev<Enter>" >"$WORK/screen"; }
saved "" whole
same ":write FILE.kev copies the capture" samples/demo.kev "$WORK/whole.kev"
saved ":filter class = COMM<Enter>" filtered
"$TRACETUI" save samples/demo.kev --filter 'class = COMM' -o "$WORK/command.kev"
same "... with the events that pass the filter" "$WORK/command.kev" "$WORK/filtered.kev"
saved ":10ms<Enter>v:15ms<Enter>" selected
same_text "... of the selection" "1 1" "$(grep -c 'events written to' "$WORK/screen") $("$TRACETUI" info "$WORK/selected.kev" |
    grep -cE 'time +0.000000000 .. 0.00[45]')"

"$TRACETUI" render threads samples/demo.kev --keys ":save $WORK/any.name<Enter>" >"$WORK/screen"
same ":save FILE" samples/demo.kev "$WORK/any.name"
"$TRACETUI" render threads samples/demo.trx --keys ":write $WORK/whole.trx<Enter>" >"$WORK/screen"
same "a ThreadX capture" samples/demo.trx "$WORK/whole.trx"
"$TRACETUI" render threads samples/demo.kev --keys ":sa<Tab>" >"$WORK/screen"
says "Tab does not offer the earlier names" '^:say( |$)' "$WORK/screen"

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

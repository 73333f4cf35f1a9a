# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Captures that are truncated or overwritten: the rest is used, damage is reported once with its place,
# and the exit status is 1; with a truncated header it is 2.
. tests/lib/case.sh

capture=samples/demo.kev
needs $capture
size=$(wc -c <$capture)
header=$(grep -aob 'TRACE_HEADER_END' $capture | head -n 1 | cut -d: -f1)
if [ -n "$header" ]; then ok "the sample has a header"; else not_ok "the sample has a header" "no TRACE_HEADER_END"; fi

# ---- cut in the header -----------------------------------------------------------------------------
for part in 3 $((header / 2)) "$header" $((header + 10)); do
    head -c "$part" $capture >"$WORK/cut.kev"
    exits "cut in the header at $part" 2 "$TRACETUI" dump "$WORK/cut.kev"
    one_line "cut in the header at $part says one line" "$WORK/err"
    says "cut in the header at $part has the place" 'cut\.kev: (offset 0x[0-9a-f]+: )?[a-z]' "$WORK/err"
    nothing "cut in the header at $part prints nothing" "$WORK/out"
done
sed 's/TRACE_HEADER_END/TRACE_HEADER_XXX/' $capture >"$WORK/endless.kev"
exits "a header without end" 2 "$TRACETUI" info "$WORK/endless.kev"
one_line "a header without end says one line" "$WORK/err"
says "a header without end says so" 'offset 0x[0-9a-f]+: .*header' "$WORK/err"

# ---- cut in the events -------------------------------------------------------------------------------
before=0
# in_slot PLACE: prints the middle of the next slot
in_slot() { echo $(($1 + (size - $1) % 16 + 8)); }
for part in $(in_slot 5003) $(in_slot 20001) $(in_slot 50007) $((size - 1)); do
    head -c "$part" $capture >"$WORK/cut.kev"
    exits "cut at $part" 1 "$TRACETUI" dump "$WORK/cut.kev"
    one_line "cut at $part says one line" "$WORK/err"
    says "cut at $part has the place" "cut\.kev: offset 0x[0-9a-f]+: file ends inside" "$WORK/err"
    lines=$(wc -l <"$WORK/out")
    if [ "$lines" -gt "$before" ]; then
        ok "cut at $part uses the rest"
    else
        not_ok "cut at $part uses the rest" "$lines lines, $before with less of the file"
    fi
    before=$lines
    exits "cut at $part: info" 1 "$TRACETUI" info --format jsonl "$WORK/cut.kev"
    says "cut at $part: info counts it" '"health":\{[^}]*"truncated":1' "$WORK/out"
    "$TRACETUI" dump - <"$WORK/cut.kev" >"$WORK/piped" 2>/dev/null
    same_text "cut at $part from a pipe: exit status" 1 "$?"
    "$TRACETUI" dump -o "$WORK/kept" "$WORK/cut.kev" 2>/dev/null
    same "cut at $part: -o keeps what there is" "$WORK/piped" "$WORK/kept"
done
gzip -c $capture | head -c 20000 >"$WORK/cut.kev.gz"
run "$TRACETUI" dump "$WORK/cut.kev.gz"
if [ "$code" -eq 1 ] || [ "$code" -eq 2 ]; then
    ok "half a compressed capture"
else
    not_ok "half a compressed capture" "exit status $code"
fi
one_line "half a compressed capture says one line" "$WORK/err"

# ---- overwritten ---------------------------------------------------------------------------------------
# Any bytes: no crash, no hang, at most one line of errors, and all other events are printed.
for byte in 000 377 125; do
    for at in 4000 30000 100000; do
        cp $capture "$WORK/bad.kev"
        head -c 512 /dev/zero | tr '\000' "\\$byte" |
            dd of="$WORK/bad.kev" bs=1 seek=$at conv=notrunc status=none
        run timeout 2000 "$TRACETUI" dump "$WORK/bad.kev"
        lines=$(wc -l <"$WORK/out")
        if [ "$code" -le 1 ] && [ "$lines" -gt 2000 ] && [ "$(wc -l <"$WORK/err")" -eq "$code" ]; then
            ok "512 bytes of \\$byte at $at"
        else
            not_ok "512 bytes of \\$byte at $at" "exit status $code, $lines lines, $(head -c 300 "$WORK/err")"
        fi
    done
done

# ---- cut at the front ------------------------------------------------------------------------------------
# Also in the middle of a record: the events after the cut are at their places.
# places_after CAPTURE BYTES: where the recorded events are, without those before BYTES
places_after() {
    "$TRACETUI" dump --no-cache --format csv "$1" 2>/dev/null |
        awk -F, -v least="$2" '$NF == 0 && $(NF - 3) >= least { print $(NF - 3) - least }' # offset, length, inferred, derived
}
for format in kev fxt btrace; do
    for cut in 9 1001 5000 20001 30003; do
        tail -c +$((cut + 1)) samples/demo.$format >"$WORK/front.$format"
        places_after samples/demo.$format $cut >"$WORK/whole"
        places_after "$WORK/front.$format" 0 >"$WORK/rest"
        # The rest of a record after the cut may look like one: up to two records are lost with it.
        lost=$(comm -23 <(sort "$WORK/whole") <(sort "$WORK/rest") | wc -l)
        added=$(comm -13 <(sort "$WORK/whole") <(sort "$WORK/rest") | wc -l)
        if [ -s "$WORK/rest" ] && [ "$lost" -le 2 ] && [ "$added" -eq 0 ]; then
            ok "$format, $cut bytes cut at the front"
        else
            not_ok "$format, $cut bytes cut at the front" "$lost events lost, $added added"
        fi
    done
done

# ---- damaged in the middle -------------------------------------------------------------------------------
# 500 bytes of each format: the exit status and the message have the first stretch, info lists it; over it states are
# unknown, rules are undecided, and waits end for a reason that is lost.
for format in kev fxt trx btrace; do
    at=$(($(wc -c <samples/demo.$format) / 2))
    cp samples/demo.$format "$WORK/dam.$format"
    head -c 500 /dev/zero | tr '\000' U | dd of="$WORK/dam.$format" bs=1 seek=$at conv=notrunc status=none
    exits "$format, damaged: dump" 1 "$TRACETUI" dump --no-cache --format csv "$WORK/dam.$format"
    one_line "$format, damaged: one line" "$WORK/err"
    says "$format, damaged: the message has the stretch" 'offset 0x[0-9a-f]+: stretch of damaged bytes: [45][0-9]+ bytes ' "$WORK/err"
    cp "$WORK/out" "$WORK/rows"
    exits "$format, damaged: info" 1 "$TRACETUI" info --no-cache "$WORK/dam.$format"
    says "$format, damaged: info lists the stretch" '^    [45][0-9]+ bytes at 0x[0-9a-f]+$' "$WORK/out"
    # The events before and after it, in the order of time; the last columns are offset, length, inferred, derived.
    place=$(sed -n 's/^    [0-9,]* bytes at \(0x[0-9a-f]*\)$/\1/p' "$WORK/out")
    read -r before after < <(awk -F, -v at=$((place)) '$NF == 0 {
        offset = $(NF - 3) + 0
        if (last > 0 && last < at && offset > at) { print row, $1; exit }
        last = offset
        row = $1
    }' "$WORK/rows")
    judge() { "$TRACETUI" check --no-cache --rule "busy of cpu 0 < 1 % within $1" "$WORK/dam.$format" 2>/dev/null; }
    judge "#$before..#$after" >"$WORK/out"
    says "$format, damaged: a rule over it is undecided" '1 undecided' "$WORK/out"
    says "$format, damaged: because records are lost" 'records are lost' "$WORK/out"
    run "$TRACETUI" stats --no-cache --by cpu --from "#$before" --to "#$after" --format csv "$WORK/dam.$format"
    same_text "$format, damaged: sums have no part of it" "$(awk -F, 'NR == 1 {
        for (i = 1; i <= NF; i++) { if ($i ~ /^(busy|idle|irq|kernel)_(ns|ticks)$/) { sum[i] = 1 } }
        next
    } { for (i in sum) { total += $i } } END { print total + 0 }' "$WORK/out")" 0
    [ $format = btrace ] && continue # records no wakes
    "$TRACETUI" why --no-cache --each wait "$WORK/dam.$format" >"$WORK/out" 2>/dev/null
    says "$format, damaged: why has the reason of unknown ones" 'records were lost' "$WORK/out"
    "$TRACETUI" why --no-cache --each wait samples/demo.$format >"$WORK/out" 2>/dev/null
    grep 'records were lost' "$WORK/out" >"$WORK/lost"
    nothing "$format, intact: why does not" "$WORK/lost"
done

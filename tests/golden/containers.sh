# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Damaged compressed captures: never a shorter capture without a message. gzip -t and zstd -t decide
# which files are valid.
. tests/lib/case.sh

capture=samples/demo.kev
mkdir "$WORK/gz" "$WORK/zst"
gzip -nc $capture >"$WORK/whole.gz"
{ head -c 60000 $capture | gzip -nc; tail -c +60001 $capture | gzip -nc; } >"$WORK/members.gz"

# octal N: prints a byte in octal
octal() { printf '\\%03o' "$1"; }
# flip FILE AT OUT: changes one byte
flip() {
    local byte
    byte=$(od -An -tu1 -j "$2" -N 1 "$1")
    cp "$1" "$3"
    # shellcheck disable=SC2059 # an escape is meant
    printf "$(octal $(((byte ^ 0x55) & 255)))" | dd of="$3" bs=1 seek="$2" conv=notrunc status=none
}
# vary KIND: creates damaged and intact files
vary() {
    local kind=$1 file name size at
    for file in "$WORK"/*."$kind"; do
        name=$(basename "$file" ".$kind")
        size=$(wc -c <"$file")
        cp "$file" "$WORK/$kind/$name-same.$kind"
        for at in 4 9 12 5000 $((size / 2)) $((size - 9)) $((size - 6)) $((size - 1)); do
            flip "$file" "$at" "$WORK/$kind/$name-flip$at.$kind"
        done
        for at in 1 4 8 $((size / 2)); do
            head -c $((size - at)) "$file" >"$WORK/$kind/$name-cut$at.$kind"
        done
        { cat "$file"; printf garbage; } >"$WORK/$kind/$name-garbage.$kind"
        { cat "$file"; head -c 512 /dev/zero; } >"$WORK/$kind/$name-zeros.$kind"
    done
}
# judged KIND: exit status and message of each file agree with the reference tool, whose messages are in $WORK/judge. Damage that leaves nothing to print is unusable input, 2.
judged() {
    local kind=$1 file bad=0 files=0 unusable=0 expected
    for file in "$WORK/$kind"/*; do
        files=$((files + 1))
        expected=0
        ! grep -qF "$(basename "$file")" "$WORK/judge" || expected=1
        run "$TRACETUI" info --format jsonl "$file"
        if [ "$code" -eq 2 ] && grep -qE 'offset 0x[0-9a-f]+: damaged container: ' "$WORK/err"; then
            code=1
            unusable=$((unusable + 1))
        elif [ "$code" -eq 1 ] && ! grep -qE '"health":\{[^}]*"container":1' "$WORK/out"; then
            not_ok "$kind: $(basename "$file")" "no health: $(head -c 200 "$WORK/err")"
        fi
        if [ "$code" -ne $expected ]; then
            not_ok "$kind: $(basename "$file")" "exit status $code, expected $expected: $(head -c 200 "$WORK/err")"
        elif [ "$code" -eq 1 ] && ! grep -qE 'offset 0x[0-9a-f]+: damaged container: ' "$WORK/err"; then
            not_ok "$kind: $(basename "$file")" "said: $(head -c 200 "$WORK/err")"
        else
            bad=$((bad + expected))
        fi
    done
    if [ "$bad" -gt 20 ] && [ "$unusable" -lt $((bad / 2)) ]; then
        ok "$kind: the damaged files are said to be damaged, and only these"
    else
        not_ok "$kind: the judge" "$bad of $files are damaged, $unusable unusable: $(head -c 300 "$WORK/judge")"
    fi
}

vary gz
for file in "$WORK"/gz/*; do # it ends with the first bad one
    gzip -t "$file" 2>>"$WORK/judge"
done
judged gz
if command -v zstd >/dev/null 2>&1; then
    zstd -q -c $capture >"$WORK/whole.zst"
    { head -c 60000 $capture | zstd -q -c; printf 'Z*M\030\003\000\000\000xyz'; tail -c +60001 $capture | zstd -q -c; } >"$WORK/frames.zst"
    vary zst
    zstd -q -t "$WORK"/zst/* >"$WORK/judge" 2>&1
    judged zst
    { printf 'Z*M\030\003\000\000\000xyz'; cat "$WORK/whole.zst"; } >"$WORK/skip.zst"
    exits "a skippable frame first" 0 "$TRACETUI" info "$WORK/skip.zst"
else
    skip "zst: damage" "no zstd here"
fi

# ---- every command, and standard input -------------------------------------------------------------------
size=$(wc -c <"$WORK/whole.gz")
flip "$WORK/whole.gz" $((size - 7)) "$WORK/sum.gz"
where=$(printf '0x%x' $((size - 8)))
for words in dump info stats; do
    # shellcheck disable=SC2086 # words are meant
    exits "a wrong sum: $words" 1 "$TRACETUI" $words "$WORK/sum.gz"
    says "a wrong sum: $words: the place" "sum\.gz: offset $where: damaged container: incorrect data check" "$WORK/err"
    one_line "a wrong sum: $words says one line" "$WORK/err"
done
for view in events threads info; do
    exits "a wrong sum: render $view" 1 "$TRACETUI" render $view "$WORK/sum.gz"
    says "a wrong sum: render $view says so" "sum\.gz: offset $where: damaged container: incorrect data check" "$WORK/err"
done
"$TRACETUI" dump "$WORK/sum.gz" 2>/dev/null >"$WORK/sum.out"
"$TRACETUI" dump $capture >"$WORK/whole.out"
same "a wrong sum: what was unpacked is there" "$WORK/whole.out" "$WORK/sum.out"
"$TRACETUI" dump - <"$WORK/sum.gz" >/dev/null 2>"$WORK/err"
same_text "a wrong sum on standard input: exit status" 1 "$?"
says "a wrong sum on standard input: the place" "^tracetui: -: offset $where: damaged container" "$WORK/err"
cat "$WORK/sum.gz" | timeout 600 "$TRACETUI" dump -f - >/dev/null 2>"$WORK/err"
same_text "a wrong sum, followed through a pipe: exit status" 1 "$?"
says "a wrong sum, followed through a pipe: the place" "^tracetui: -: offset $where: damaged container" "$WORK/err"
"$TRACETUI" render info --size 100x60 --keys G "$WORK/sum.gz" >"$WORK/out" 2>/dev/null
says "a wrong sum: health on the screen" 'container.*damaged container' "$WORK/out"
says "a wrong sum: its offset on the screen" "$where.*incorrect data check" "$WORK/out"
"$TRACETUI" render events --size 100x20 "$WORK/sum.gz" >"$WORK/out" 2>/dev/null
says "a wrong sum: the status line" 'health 1' "$WORK/out"

# ---- hex text around a ThreadX capture ----------------------------------------------------------------------
trx=samples/demo.trx
od -An -v -tx1 -w16 $trx | tr -d ' ' | awk '{
    sum = length($0) / 2; for (i = 1; i < length($0); i += 2) sum += 16 * (index("0123456789abcdef", substr($0, i, 1)) - 1) + index("0123456789abcdef", substr($0, i + 1, 1)) - 1
    n = int(length($0) / 2); a = at % 65536; at += n; sum += int(a / 256) + a % 256
    printf ":%02x%04x00%s%02x\n", n, a, $0, (256 - sum % 256) % 256 } END { print ":00000001ff" }' >"$WORK/good.hex"
exits "Intel HEX" 0 "$TRACETUI" info "$WORK/good.hex"
sed '100s/..$/zz/' "$WORK/good.hex" >"$WORK/line.hex"
sed '100s/:10\(....\)00\(..\)/:10\10055/' "$WORK/good.hex" >"$WORK/sums.hex"
for name in line sums; do
    exits "Intel HEX, damaged: $name" 1 "$TRACETUI" info --format jsonl "$WORK/$name.hex"
    says "Intel HEX, damaged: $name is counted" '"container":1' "$WORK/out"
    says "Intel HEX, damaged: $name: the place" 'offset 0x[0-9a-f]+: damaged container: ' "$WORK/err"
done

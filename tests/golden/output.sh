# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Destinations of output and sources of input: files, pipes, compressed, full, closed.
. tests/lib/case.sh

capture=samples/demo.kev
needs $capture
dump() { "$TRACETUI" dump "$@"; }

exits "a sound capture" 0 "$TRACETUI" dump $capture
nothing "a sound capture says nothing" "$WORK/err"
cp "$WORK/out" "$WORK/whole"
lines=$(wc -l <"$WORK/whole")
if [ "$lines" -gt 1000 ]; then ok "enough events to be of use"; else not_ok "enough events to be of use" "$lines"; fi

# The same output for every source.
"$TRACETUI" $capture >"$WORK/plain"
same "without a command and a terminal it dumps" "$WORK/whole" "$WORK/plain"
dump - <$capture >"$WORK/stdin"
same "standard input is as the file" "$WORK/whole" "$WORK/stdin"
cat $capture | dump - >"$WORK/pipe"
same "a pipe is as the file" "$WORK/whole" "$WORK/pipe"
gzip -c $capture >"$WORK/demo.kev.gz"
dump "$WORK/demo.kev.gz" >"$WORK/gz"
same "gzip is as the file" "$WORK/whole" "$WORK/gz"
dump - <"$WORK/demo.kev.gz" >"$WORK/gzpipe"
same "gzip on standard input is as the file" "$WORK/whole" "$WORK/gzpipe"
if command -v zstd >/dev/null 2>&1; then
    zstd -q -c $capture >"$WORK/demo.kev.zst"
    dump "$WORK/demo.kev.zst" >"$WORK/zst"
    same "zstd is as the file" "$WORK/whole" "$WORK/zst"
else
    skip "zstd is as the file" "no zstd here"
fi
cp $capture "$WORK/no-extension"
dump "$WORK/no-extension" >"$WORK/named"
same "the name does not matter" "$WORK/whole" "$WORK/named"

# Two files are one after the other.
dump $capture "$WORK/no-extension" >"$WORK/two"
same "two files" <(cat "$WORK/whole" "$WORK/whole") "$WORK/two"
exits "a good and a missing file" 2 "$TRACETUI" dump $capture "$WORK/missing"
same "the good one is printed" "$WORK/whole" "$WORK/out"
one_line "the missing one is said" "$WORK/err"

# -o
mkdir "$WORK/o"
exits "-o" 0 "$TRACETUI" dump -o "$WORK/o/result" $capture
nothing "-o prints nothing" "$WORK/out"
same "-o writes the same" "$WORK/whole" "$WORK/o/result"
same_text "-o leaves nothing else" "result" "$(ls -A "$WORK/o")"
exits "-o with unusable input" 2 "$TRACETUI" dump -o "$WORK/o/result" "$WORK/missing"
same "-o leaves the old file after a failure" "$WORK/whole" "$WORK/o/result"
exits "-o into a missing folder" 2 "$TRACETUI" dump -o "$WORK/nowhere/result" $capture
one_line "-o into a missing folder says one line" "$WORK/err"
ln -s result "$WORK/o/link"
exits "-o to a link" 0 "$TRACETUI" dump --to 50% -o "$WORK/o/link" $capture
if [ -L "$WORK/o/link" ]; then ok "-o keeps the link"; else not_ok "-o keeps the link" "it is a file now"; fi
rm -f "$WORK/o/link"
mkdir "$WORK/far"
ln -s ../far/made "$WORK/o/dangling"
exits "-o to a link that leads to nothing" 0 "$TRACETUI" dump -o "$WORK/o/dangling" $capture
if [ -L "$WORK/o/dangling" ]; then ok "-o keeps that link"; else not_ok "-o keeps that link" "it is a file now"; fi
same "-o makes what the link names" "$WORK/whole" "$WORK/far/made"
same_text "-o leaves nothing else there" "made" "$(ls -A "$WORK/far")"
ln -sf ../nowhere/made "$WORK/o/dangling"
exits "-o to a link into a missing folder" 2 "$TRACETUI" dump -o "$WORK/o/dangling" $capture
rm -f "$WORK/o/dangling"
cp $capture "$WORK/o/capture"
exits "-o onto the capture itself" 2 "$TRACETUI" dump -o "$WORK/o/capture" "$WORK/o/capture"
same "the capture is as it was" $capture "$WORK/o/capture"

# Output that fails.
if [ -w /dev/full ]; then
    "$TRACETUI" dump $capture >/dev/full 2>"$WORK/err"
    same_text "a full disk: exit status" 2 "$?"
    one_line "a full disk says one line" "$WORK/err"
    exits "-o to a full disk" 2 "$TRACETUI" dump -o /dev/full $capture
else
    skip "a full disk" "there is no /dev/full"
fi
"$TRACETUI" dump $capture >&- 2>"$WORK/err"
same_text "closed standard output: exit status" 2 "$?"

# Closed standard descriptors are not reused for a file: no message is written to it.
"$TRACETUI" dump -o "$WORK/o/closed" --filter 'pid = 4294967295' --thread unknown $capture <&- >&- 2>&-
same_text "all closed: exit status" 2 "$?"
"$TRACETUI" dump -o "$WORK/o/closed" $capture <&- >&- 2>&-
same_text "all closed, -o: exit status" 0 "$?"
same "all closed: -o has the output" "$WORK/whole" "$WORK/o/closed"
head -c 40000 $capture >"$WORK/cut"
"$TRACETUI" dump "$WORK/cut" >"$WORK/cut.expected" 2>/dev/null
"$TRACETUI" dump -o "$WORK/o/closed" "$WORK/cut" <&- 2>&-
same_text "damage that cannot be reported: exit status" 1 "$?"
same "it is not in the output" "$WORK/cut.expected" "$WORK/o/closed"
"$TRACETUI" dump - <&- >"$WORK/out" 2>"$WORK/err"
same_text "closed standard input: exit status" 2 "$?"
nothing "closed standard input: no output" "$WORK/out"

# A file size limit is a write error and does not kill the program. The counts of lines that a sanitizer's build writes
# at its end would reach the limit too.
mkdir "$WORK/limit"
(
    ulimit -f 16
    LLVM_PROFILE_FILE=/dev/null exec "$TRACETUI" dump -o "$WORK/limit/result" $capture 2>"$WORK/err"
)
same_text "ulimit -f: exit status" 2 "$?"
says "ulimit -f says why" 'result: write: File too large' "$WORK/err"
one_line "ulimit -f says one line" "$WORK/err"
same_text "ulimit -f leaves nothing behind" "" "$(ls -A "$WORK/limit")"
(
    ulimit -f 4
    LLVM_PROFILE_FILE=/dev/null exec "$TRACETUI" render events --size 200x24 --keys ":write $WORK/limit/result<Enter>" $capture
) 2>"$WORK/err" | cat >"$WORK/out"
says "ulimit -f: :write reports the failure" 'not written: .*: File too large' "$WORK/out"
same_text "ulimit -f: :write leaves nothing behind" "" "$(ls -A "$WORK/limit")"

# A closed pipe ends the program silently.
"$TRACETUI" dump $capture $capture $capture 2>"$WORK/err" | head -n 1 >"$WORK/first"
codes=("${PIPESTATUS[@]}")
same_text "a closed pipe: exit status" 0 "${codes[0]}"
nothing "a closed pipe says nothing" "$WORK/err"
same "a closed pipe got its line" <(head -n 1 "$WORK/whole") "$WORK/first"

# A signal while writing leaves neither a result nor a temporary file.
mkdir "$WORK/s"
many=()
for _ in $(seq 200); do many+=("$capture"); done
"$TRACETUI" dump -o "$WORK/s/result" "${many[@]}" 2>/dev/null &
writer=$!
for _ in $(seq 200); do
    [ -z "$(ls -A "$WORK/s")" ] || break
    sleep 0.02
done
kill -TERM $writer 2>/dev/null
wait $writer
code=$?
if [ "$code" -eq 143 ]; then
    same_text "a signal leaves nothing behind" "" "$(ls -A "$WORK/s")"
else
    same_text "too late for the signal, all is written" "0 result" "$code $(ls -A "$WORK/s")"
fi

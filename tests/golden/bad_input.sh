# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What is no capture: one clear line that says what and where, nothing printed, exit status 2.
. tests/lib/case.sh

# refused NAME PATTERN ARGUMENTS...: of dump and info alike
refused() {
    local name=$1 pattern=$2 command
    shift 2
    for command in dump info; do
        exits "$name: $command" 2 "$TRACETUI" "$command" "$@"
        one_line "$name: $command says one line" "$WORK/err"
        says "$name: $command says why" "^tracetui: .*$pattern" "$WORK/err"
        nothing "$name: $command prints nothing" "$WORK/out"
    done
}

printf 'Dear diary,\ntoday I traced nothing.\n' >"$WORK/text"
: >"$WORK/empty"
mkdir "$WORK/folder"
head -c 100000 /dev/zero >"$WORK/zeros"
printf 'compressed text' | gzip >"$WORK/text.gz"
head -c 12 "$WORK/text.gz" >"$WORK/cut.gz"

refused "a text file" "text: .*not a capture" "$WORK/text"
refused "an empty file" "empty" "$WORK/empty"
refused "a directory" "folder: is a directory" "$WORK/folder"
refused "a missing file" "missing: .*No such file" "$WORK/missing"
refused "zeros" "zeros: .*not a capture" "$WORK/zeros"
refused "compressed text" "text\.gz: .*not a capture" "$WORK/text.gz"
refused "half a gzip file" "cut\.gz: " "$WORK/cut.gz"
refused "a name that would drive a terminal" 'a\\e\[31mb: ' "$WORK/a$(printf '\033')[31mb"
refused "empty standard input" "-: .*empty" -

"$TRACETUI" dump - <"$WORK/text" >"$WORK/out" 2>"$WORK/err"
same_text "text on standard input: exit status" 2 "$?"
says "text on standard input says why" "not a capture" "$WORK/err"

# Names come from a file or a pipe, of a bounded size, also where the format takes none.
head -c 5000000 /dev/zero | tr '\0' 'x' >"$WORK/huge"
for sample in samples/demo.kev samples/demo.fxt samples/demo.trx samples/demo.btrace; do
    refused "--names with a folder, $sample" "folder: Is a directory" --names "$WORK/folder" $sample
    refused "--names with a device, $sample" "/dev/zero: names are read from a file or a pipe" \
        --names /dev/zero $sample
    refused "--names with nothing, $sample" "missing: No such file" --names "$WORK/missing" $sample
done
for sample in samples/demo.kev samples/demo.trx; do
    refused "--names with 5 MB, $sample" "huge: File too large" --names "$WORK/huge" $sample
    mkfifo "$WORK/endless"
    yes >"$WORK/endless" 2>/dev/null &
    exits "--names with an endless pipe, $sample" 2 "$TRACETUI" info --names "$WORK/endless" $sample
    wait $!
    rm "$WORK/endless"
done

# Nobody but root reads everything; as root, step down.
cp "$WORK/text" "$WORK/locked"
chmod 000 "$WORK/locked"
if [ "$(id -u)" -ne 0 ]; then
    refused "no permission" "locked: .*Permission denied" "$WORK/locked"
elif command -v setpriv >/dev/null 2>&1; then
    chmod 755 "$WORK"
    cp "$TRACETUI" "$WORK/tracetui"
    run setpriv --reuid=65534 --regid=65534 --clear-groups "$WORK/tracetui" dump "$WORK/locked"
    same_text "no permission: exit status" 2 "$code"
    says "no permission: says why" "locked: .*Permission denied" "$WORK/err"
else
    skip "no permission" "run by root, and there is no setpriv"
fi

# Usage: also one line, also 2.
for words in "--nonsense x" "dump --format xml x" "dump --from 3 x" "dump --cpu x x" "info --format csv x" "dump -X x"; do
    # shellcheck disable=SC2086 # words are meant
    exits "usage: $words" 2 "$TRACETUI" $words
    one_line "usage: $words says one line" "$WORK/err"
done
exits "no arguments" 2 "$TRACETUI"
one_line "no arguments says one line" "$WORK/err"

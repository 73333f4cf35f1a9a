# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Input that cannot be read and depends on the system: permissions, endless pipes. The other errors are in
# tests/cases/errors.test.
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

# Names come from a file or a pipe of bounded size, also where the format has no names.
for sample in samples/demo.kev samples/demo.trx; do
    mkfifo "$WORK/endless"
    yes >"$WORK/endless" 2>/dev/null &
    exits "--names with an endless pipe, $sample" 2 "$TRACETUI" info --names "$WORK/endless" $sample
    wait $!
    rm "$WORK/endless"
done

# Root may read everything; as root, the program runs as another user.
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

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The README says what is: its screen is one that the program draws, its commands run.
# After a wanted change of the screen: REMAKE=1 bash tests/house/readme.sh build/release
. tests/lib/case.sh
export LC_ALL=C.UTF-8 TZ=UTC

run "$TRACETUI" render events --keys ':#1205<Enter><Enter>' samples/demo.kev
cp "$WORK/out" "$WORK/screen"
if [ -n "${REMAKE:-}" ]; then
    awk -v screen="$WORK/screen" '
        /^```text$/ && !done { print; while ((getline line < screen) > 0) print line; skip = 1; done = 1; next }
        /^```$/ { skip = 0 }
        !skip' README.md >"$WORK/readme" && cp "$WORK/readme" README.md
fi
awk '/^```text$/ { on = 1; next } /^```$/ { on = 0 } on' README.md >"$WORK/shown"
same "the screen in the README" "$WORK/shown" "$WORK/screen"

# Its commands for scripts, on the sample; jq and what follows a pipe are left out.
grep -E '^tracetui (info|dump|render) ' README.md | sed 's/ *#.*//; s/ *|.*//; s/^tracetui //; s/capture\.kev/samples\/demo.kev/' >"$WORK/commands"
count=0
while IFS= read -r command; do
    # shellcheck disable=SC2086 # words are meant
    exits "$command" 0 "$TRACETUI" $command
    count=$((count + 1))
done <"$WORK/commands"
if [ "$count" -ge 5 ]; then ok "commands were found"; else not_ok "commands were found" "$count"; fi

# Each format that --help lists, by its first extension, and nothing that is not there.
"$TRACETUI" --help | sed -n '/content:$/,/^$/p' | sed -n 's/^  [^.]* \(\.[a-z]*\).*/\1/p' | sort >"$WORK/formats"
missing=$(while IFS= read -r extension; do
    grep -q -F "\`$extension\`" README.md || echo "$extension"
done <"$WORK/formats")
same_text "the formats are there" "" "$missing"
if [ "$(wc -l <"$WORK/formats")" -ge 1 ]; then ok "--help lists formats"; else not_ok "--help lists formats"; fi

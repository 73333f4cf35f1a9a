# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The table of options, --help and the manual agree.
. tests/lib/case.sh

run "$TRACETUI" --help
cp "$WORK/out" "$WORK/help"
same_text "--help is good" 0 "$code"
grep -oE -- '--[a-z][a-z-]+' "$WORK/help" | sort -u >"$WORK/help.options"
# In the manual: the tagged list entries. -o and -h have their long names.
grep -E '^\.It Fl ' docs/tracetui.1 | grep -oE 'Fl -[a-z][a-z-]+' | sed 's/Fl /-/' | sort -u >"$WORK/manual.options"
if [ "$(wc -l <"$WORK/help.options")" -gt 10 ]; then
    ok "--help lists options"
else
    not_ok "--help lists options" "$(cat "$WORK/help.options")"
fi
same "manual and --help have the same options" "$WORK/help.options" "$WORK/manual.options"

grep -oE '^  tracetui [a-z]+ ' "$WORK/help" | awk '{ print $2 }' | sort >"$WORK/help.commands"
sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESCRIPTION/s/^\.Cm \([a-z]*\)$/\1/p' docs/tracetui.1 | sort >"$WORK/manual.commands"
same "manual and --help have the same commands" "$WORK/help.commands" "$WORK/manual.commands"

while read -r command; do
    exits "$command --help" 0 "$TRACETUI" "$command" --help
    says "$command --help has its usage" "tracetui $command " "$WORK/out"
    exits "$command without a file" 2 "$TRACETUI" "$command"
    one_line "$command without a file says one line" "$WORK/err"
done <"$WORK/help.commands"

exits "--version is good" 0 "$TRACETUI" --version
version=$(sed -n 's/^VERSION *:= *//p' Makefile)
same_text "--version is that of the Makefile" "tracetui $version" "$(head -n 1 "$WORK/out")"
says "--version names the formats" '^formats: .*kev.*fxt.*trx.*btrace' "$WORK/out"
says "--version names the libraries" \
    '^libraries: ncurses [0-9.]+, PCRE2 [0-9.]+ with(out)? JIT, xxHash [0-9.]+, zlib [0-9.]+, zstd [0-9.]+, inih, jansson [0-9.]+, SQLite [0-9.]+$' \
    "$WORK/out"
same_text "--version asks the libraries" "$(pkg-config --modversion libpcre2-8 libzstd 2>/dev/null | tr '\n' ' ')" \
    "$(sed -nE 's/.*PCRE2 ([0-9.]+) .*zstd ([0-9.]+),.*/\1 \2 /p' "$WORK/out")"

if command -v mandoc >/dev/null 2>&1; then
    run mandoc -Tlint -Wwarning docs/tracetui.1
    same_text "the manual is clean" "" "$(cat "$WORK/out" "$WORK/err")"
else
    skip "the manual is clean" "no mandoc here"
fi

# Every target in help exists, and every public target is in help.
make -s help | awk '{ for (i = 1; i <= NF && $i ~ /^[a-z-]+$/ && i <= 3; i++) print $i; }' >"$WORK/targets"
public=(all deps demo test check bench fuzz asan tsan coverage format install uninstall static deb clean)
missing=$(printf '%s\n' "${public[@]}" | grep -v -x -F -f "$WORK/targets")
same_text "the targets are in help" "" "$missing"
exits "the targets are there" 0 make -n "${public[@]}"

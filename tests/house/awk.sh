# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The awk programs of the scripts run with mawk, the awk of a new Debian system: it has the syntax of POSIX, in
# which `print a > b ? c : d` writes to a file.
. tests/lib/case.sh

if ! command -v mawk >/dev/null; then
    skip "awk programs" "mawk is not installed"
    exit 0
fi

# not_posix: reads awk programs, separated by NUL, and prints those that mawk rejects, or that compare in a print
not_posix() {
    local program
    while IFS= read -r -d '' program; do
        if ! mawk -W dump "$program" >/dev/null 2>"$WORK/err" ||
            grep -qE 'printf?\s[^(]*[,"]\s*[A-Za-z0-9_$]+ > [^"]*\?' <<<"${program//$'\n'/ }"; then
            printf '%s %s\n' "$program" "$(head -n 1 "$WORK/err")"
        fi
    done
}

# programs FILE...: the programs in single quotes
programs() {
    python3 -c '
import re, sys
for path in sys.argv[1:]:
    for found in re.finditer(r"\bawk\b(?:(?: |\\\n)+-[Fv] ?(?:[^\s\x27\"]*(?:\x27[^\x27]*\x27|\"[^\n]*?\"(?= ))|[^\s\x27\"]+))*(?: |\\\n)+\x27([^\x27]*)\x27",
                             open(path).read()):
        sys.stdout.write(found[1] + "\0")' "$@"
}

mapfile -t files < <(git grep -lw awk -- '*.sh' .ci tests/lib Makefile | grep -v '^tests/house/awk.sh$')
programs "${files[@]}" >"$WORK/programs"
same_text "there are programs" yes "$([ "$(tr -dc '\0' <"$WORK/programs" | wc -c)" -gt 50 ] && echo yes)"
same_text "mawk accepts the programs of the scripts" "" "$(not_posix <"$WORK/programs")"
for file in $(git ls-files '*.awk'); do
    same_text "mawk accepts $file" 0 "$(mawk -W dump -f "$file" >/dev/null 2>&1; echo $?)"
done
printf '%s\0' 'BEGIN { printf "%s%s", NR > 1 ? "," : "[", $1 }' 'BEGIN { printf "%s", NR > 1 ? "," : "[" }' >"$WORK/wrong"
same_text "wrong ones are found" 2 "$(not_posix <"$WORK/wrong" | grep -c '?')"

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Rules for every source file.
. tests/lib/case.sh

sources() {
    if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        git ls-files -co --exclude-standard "$@"
    else
        find . -path ./build -prune -o -type f -print | sed 's|^\./||' |
            while IFS= read -r f; do
                for pattern in "$@"; do
                    # shellcheck disable=SC2254 # a pattern is meant
                    case $f in $pattern) echo "$f" ;; esac
                done
            done | sort -u
    fi
}

code_files() { sources '*.c' '*.h' '*.sh' '*.theme' '.ci/run' 'Makefile'; }

# of_files COMMAND...: runs it on the files of standard input that exist
of_files() {
    while IFS= read -r f; do
        [ ! -f "$f" ] || printf '%s\0' "$f"
    done | xargs -0 "$@"
}

missing=$(code_files | of_files awk '
    FNR == 1 { files[FILENAME] }
    FNR <= 3 && /SPDX-License-Identifier: Apache-2\.0/ { delete files[FILENAME] }
    END { for (file in files) print file }')
same_text "every source names its licence" "" "$missing"

large=$(sources '*.c' '*.h' '*.sh' | of_files wc -l | awk '$1 > 800 && $2 != "total"')
same_text "no file over 800 lines" "" "$large"

count=$(code_files | wc -l)
if [ "$count" -gt 20 ]; then ok "the list of sources is not empty"; else not_ok "the list of sources is not empty" "$count"; fi

# In the library errors are values: nothing prints or exits. snprintf does not print.
below=$(grep -rnE '(^|[^[:alnum:]_])(exit|_exit|abort|v?printf|v?fprintf|puts|putchar|perror)[[:space:]]*\(' \
    src/base src/format src/trace src/analysis src/filter src/check 2>/dev/null |
    grep -vE '^[^:]+:[0-9]+:[[:space:]]*(/?\*|//)' |
    grep -v 'TT_PRINTF')
same_text "no exit and no printf below the program" "" "$below"

# No unbounded string functions.
unsafe=$(grep -rnE '(^|[^[:alnum:]_])(strcpy|strcat|sprintf|vsprintf|gets)[[:space:]]*\(' src samples tests --include='*.c' --include='*.h')
same_text "no unbounded string functions" "" "$unsafe"

# Absolute paths of one machine.
paths=$(code_files | grep -v '^tests/house/sources\.sh$' | cat - <(sources '*.md' '*.1') | sort -u |
    of_files grep -nHE '(^|[^[:alnum:]./_-])/(home|root|work|mnt|opt|Users)/')
same_text "no paths of one machine" "" "$paths"

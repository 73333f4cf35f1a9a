# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Every header compiles on its own: it includes the headers that it needs. One whose comment names
# _XOPEN_SOURCE compiles with it.
. tests/lib/case.sh

# errors OPTION HEADER...: the errors and warnings of headers that are compiled alone
errors() {
    # shellcheck disable=SC2086 # CC may be several words
    ${CC:-cc} -std=c11 -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64 -Wall -Wextra -Iinclude -Isrc -Itests/unit/kit \
        -fsyntax-only -x c "$@" 2>&1 | grep -E '(error|warning):'
}

echo 'int f(size_t n);' >"$WORK/alone.h"
errors -DTT_ALONE "$WORK/alone.h" >"$WORK/out"
says "a header without its includes is found" "size_t" "$WORK/out"

needs='^ \*.* _XOPEN_SOURCE 700'
mapfile -t headers < <(git ls-files '*.h')
mapfile -t posix < <(grep -L "$needs" "${headers[@]}")
mapfile -t xopen < <(grep -l "$needs" "${headers[@]}")
same_text "every header compiles on its own" "" "$(errors -DTT_ALONE "${posix[@]}"; errors -D_XOPEN_SOURCE=700 "${xopen[@]}")"
same_text "all headers are compiled" "${#headers[@]}" "$((${#posix[@]} + ${#xopen[@]}))"

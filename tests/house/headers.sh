# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Every header compiles on its own: it includes the headers that it needs. One whose comment names
# _XOPEN_SOURCE compiles with it.
. tests/lib/case.sh

# first_error HEADER: its first error or warning
first_error() {
    local flags=(-std=c11 -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64 -Wall -Wextra -Iinclude -Isrc -Itests/unit/kit)
    grep -q '^ \*.* _XOPEN_SOURCE 700' "$1" && flags+=(-D_XOPEN_SOURCE=700)
    # shellcheck disable=SC2086 # CC may be several words
    ${CC:-cc} "${flags[@]}" -fsyntax-only -include "$1" -x c /dev/null 2>&1 | grep -m 1 -E '(error|warning):'
}

echo 'int f(size_t n);' >"$WORK/alone.h"
first_error "$WORK/alone.h" >"$WORK/out"
says "a header without its includes is found" "size_t" "$WORK/out"
same_text "every header compiles on its own" "" "$(git ls-files '*.h' | while read -r header; do first_error "$header"; done)"

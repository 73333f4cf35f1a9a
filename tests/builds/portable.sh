# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The POSIX-only build compiles without a warning, and its unit tests pass, as tests of Criterion: each in
# a process of its own, so none depends on another.
. tests/lib/case.sh

made() { env -u MAKEFLAGS -u MAKELEVEL -u VARIANT make -s --no-print-directory VARIANT=portable FRAMEWORK=criterion -j2 "$@"; }
exits "the portable build has no warning" 0 made CFLAGS=-Werror build/portable/unit-tests
[ "$code" -eq 0 ] || exit 0
build/portable/unit-tests --jobs 2 --tap="$WORK/tap" >"$WORK/out" 2>"$WORK/err" </dev/null
same_text "its unit tests end well" 0 $?
grep -a '^not ok' "$WORK/tap"
grep -a '^ok' "$WORK/tap"

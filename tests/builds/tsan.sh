# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The tests of threads under the thread sanitizer: `make tsan`.
. tests/lib/case.sh

run env -u MAKEFLAGS -u MAKELEVEL -u VARIANT -u RUN_DIR -u TAP_COUNTS -u BUILD_DIR -u TIMES make -s --no-print-directory tsan
grep -a '^not ok' "$WORK/out"
says "make tsan: $(tail -n 1 "$WORK/out")" '^[1-9][0-9]* passed, 0 failed' "$WORK/out"
same_text "make tsan: exit status" 0 "$code"

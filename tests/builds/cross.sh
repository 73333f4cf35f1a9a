# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The program on other machines, as far as their compilers and emulators are installed: `make cross`.
. tests/lib/case.sh

needs_release
run env -u MAKEFLAGS -u MAKELEVEL -u VARIANT -u TAP_COUNTS bash tests/cross.sh
grep -aE '^(not )?ok ' "$WORK/out"
same_text "make cross: exit status" 0 "$code"

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints the table of terminals that the program carries: terminals.sh NAME...
# A terminal that this machine does not know, or a machine without infocmp, leaves its line out.
set -eu
echo '/* Made by src/tui/term/terminals.sh. */'
echo '#include <stddef.h>'
echo
echo '#include "tui/term/terminals.h"'
echo
echo 'const struct tt_terminal tt_terminals[] = {'
for name in "$@"; do
    description=$(infocmp -Q2 "$name" 2>/dev/null | sed -n '/^b64:/,$p' | tr -d '\n') || description=
    if [ -n "$description" ]; then
        printf '    {"%s", "%s"},\n' "$name" "$description"
    else
        echo "terminals: $name is not described here and left out" >&2
    fi
done
echo '    {NULL, NULL},'
echo '};'

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints C source that holds the theme files given as arguments: embed.sh FILE...
set -eu
echo '/* Made from themes/ by themes/embed.sh. */'
echo '#include <stddef.h>'
echo
echo '#include "tui/draw/builtin_themes.h"'
echo
echo 'const struct tt_builtin_theme tt_builtin_themes[] = {'
for file in "$@"; do
    printf '    {"%s",\n' "$(basename "$file" .theme)"
    sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/     "/' -e 's/$/\\n"/' "$file"
    echo '    },'
done
echo '    {NULL, NULL},'
echo '};'

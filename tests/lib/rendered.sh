# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# For tests of what `render` prints; source it after tests/lib/case.sh.
# UPDATE_SCREENS=1 rewrites the expected screens; read the difference before committing.

EXPECTED=tests/screens/expected
export LC_ALL=C.UTF-8

# rendered NAME FILE ARGUMENTS...: `render` prints the text of tests/screens/expected/FILE, and
# exits with at most DAMAGED (0)
rendered() {
    local name=$1 file=$2
    shift 2
    run "$TRACETUI" render "$@"
    # The memory of an index is not tested here.
    sed -i 's/[0-9,]* bytes of memory/N bytes of memory/' "$WORK/out"
    if [ "$code" -gt "${DAMAGED:-0}" ]; then
        not_ok "$name" "exit status $code: $(cat "$WORK/err")"
    elif [ -n "${UPDATE_SCREENS:-}" ]; then
        cp "$WORK/out" "$EXPECTED/$file"
        ok "$name"
    else
        same "$name" "$EXPECTED/$file" "$WORK/out"
    fi
}

# as_summary: copies the CSV of `stats` to standard output without the columns that Summary lacks:
# CPU time by client, the last four of threads and processes
as_summary() {
    awk 'NR == 1 { cuts = /,self_[a-z]+,imposed_[a-z]+,imposed_gross_[a-z]+,charged_[a-z]+$/ }
         cuts { sub(/(,[^,]*)(,[^,]*)(,[^,]*)(,[^,]*)$/, "") }
         { print }'
}

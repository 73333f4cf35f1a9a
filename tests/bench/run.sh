#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Measures, on captures that the simulator makes in build/bench/: runs the parts one after the
# other and joins what they write to build/bench.json. `run.sh PART...` runs some of them.
# docs/performance.md says how it is measured and what came out.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/bench/lib.sh
if [ $# -eq 0 ]; then
    set -- index reopen dump cores growth memory numbers frames live echo filter peers
fi

processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
echo "$(uname -sm), ${processor:-unknown processor}, $(getconf _NPROCESSORS_ONLN) processors," \
    "load $(load)"
row what value "at least / aim"
failed=0
json="{\"machine\":\"${processor//\"/}\",\"load\":\"$(load)\""
for name in "$@"; do
    if bash "tests/bench/$name.sh"; then
        json="$json,
\"$name\":$(cat "$folder/$name.json")"
    else
        echo "bench: $name failed" >&2
        failed=1
    fi
done
printf '%s}\n' "$json" >build/bench.json
echo "build/bench.json"
exit $failed

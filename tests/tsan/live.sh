# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Following with concurrent readers: rows and lanes are read while blocks grow and timelines are
# rebuilt.
. tests/lib/case.sh
CHECK=$BUILD/tests/live/check_live

follows() {
    local name=$1
    shift
    if timeout 1500 "$CHECK" to="$WORK/growing" hold=1 "$@" >"$WORK/out" 2>"$WORK/err" &&
        grep -q '^same:' "$WORK/out"; then
        ok "$name"
    else
        not_ok "$name" "$(head -n 5 "$WORK/out" "$WORK/err")"
    fi
}

follows "a file of one stream, byte by byte in parts" piece=5 pause=0 rest=3000 samples/demo.kev
follows "through a pipe" pipe=1 pause=50 samples/demo.btrace
follows "a snapshot" pause=50 samples/demo.trx
"$TTSIM" -o "$WORK/80.kev" --events 4000 --seed 4 --kev-version 8.0 --cpus 4 2>/dev/null
"$TTSIM" -o "$WORK/four.fxt" --format fxt --events 4000 --seed 4 --fxt-providers 4 2>/dev/null
follows "a ring for each CPU" pause=50 rest=50 "$WORK/80.kev"
follows "four providers" pause=50 rest=50 "$WORK/four.fxt"

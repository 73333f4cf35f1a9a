# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The threads of a filter under ThreadSanitizer: in the blocks of dump, and in a run over a whole
# trace, which a style with its own order needs.
. tests/lib/case.sh

"$TTSIM" --scenario mixed --seed 4 --events 40000 -o "$WORK/x.kev" || exit 2
for filter in 'state = READY and dur > 10us' 'thread ~ /^io-/ or arg.pid = 1' '/MSG_/ and not /REC/' \
    'priority > 10 and n > 100'; do
    exits "dump: $filter" 0 "$TRACETUI" dump --filter "$filter" "$WORK/x.kev"
    nothing "no race in dump: $filter" "$WORK/err"
    exits "a whole run: $filter" 0 "$TRACETUI" dump --style traceprinter --filter "$filter" "$WORK/x.kev"
    nothing "no race in a whole run: $filter" "$WORK/err"
done

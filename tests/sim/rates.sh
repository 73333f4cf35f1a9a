#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The simulator is fast and its memory does not grow. Measured on the release build:
# sanitizers change both.
. tests/lib/case.sh

ttsim=build/release/ttsim
needs_release

# user SECONDS of CPU that a command takes, in ms
user_ms() {
    local TIMEFORMAT=%U
    { time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ printf "%d", $1 * 1000 }'
}

# The engine makes 5 million events a second; half of that is required here. On a slower machine the
# limit is scaled by the time of gzip for a million of them: 0.75 s on the machine of that figure.
events=3000000
most=$((events / 2500))
"$ttsim" --events 1000000 -o "$WORK/reference" >/dev/null 2>&1
reference=$(user_ms gzip -1 -c "$WORK/reference")
rm -f "$WORK/reference"
[ "$most" -ge $((reference * 8 / 5)) ] || most=$((reference * 8 / 5))
for options in "--kev-mode wide" "--scenario chatty --kev-mode fast" "--scenario irqstorm"; do
    # shellcheck disable=SC2086
    ms=$(user_ms "$ttsim" --events $events $options -o /dev/null)
    if [ "$ms" -lt "$most" ]; then
        ok "rate: $options"
    else
        not_ok "rate: $options" "$events events took $ms ms of CPU, at most $most"
    fi
done

# 24 MB of address space is little more than the program with its libraries and buffers.
for options in "" "--kev-version 8.0" "--kev-buffers ring" "--format fxt" "--format btrace" \
    "--scenario churn --truth full --truth-file /dev/null"; do
    # shellcheck disable=SC2086
    if (ulimit -v 24000 && "$ttsim" --events 3000000 $options -o /dev/null) 2>"$WORK/err"; then
        ok "constant memory: $options"
    else
        not_ok "constant memory: $options" "$(head -c 200 "$WORK/err")"
    fi
done

# A clock whose ticks are longer than what interrupts cost: the traced system never starts.
"$ttsim" --kev-version 7.1 --cpus 2 --ties --lose 8 --clock 1000 -o /dev/null 2>"$WORK/err"
same_text "a clock that is too slow: exit status" 2 "$?"
says "a clock that is too slow" '^ttsim: mixed: the system does not start' "$WORK/err"

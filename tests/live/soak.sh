# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Following at 1 MB/s for LIVE_SOAK (6) seconds while keys are typed at random: nothing is reported,
# memory stays below the file's size and LIVE_SOAK_MB (400) megabytes.
. tests/lib/case.sh
. tests/lib/screen.sh

# Memory is measured: the allocator returns freed memory.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}quarantine_size_mb=4"

seconds=${LIVE_SOAK:-6}
"$TTSIM" -o "$WORK/whole.kev" --events $((seconds * 28000)) --seed 3 2>/dev/null
size=$(wc -c <"$WORK/whole.kev")
head -c 65536 "$WORK/whole.kev" >"$WORK/grow.kev"
screen_open 100x30
screen_start -f "$WORK/grow.kev"
screen_wait "soak: LIVE" 'LIVE '
pid=$(pgrep -f "tracetui -f $WORK/grow.kev" | head -n 1)
(
    for ((at = 65536; at < size; at += 100000)); do
        tail -c +$((at + 1)) "$WORK/whole.kev" | head -c 100000
        sleep 0.1 # the rate: 1 MB/s
    done >>"$WORK/grow.kev"
) &
writer=$!
keys=(j k g G 1 2 3 4 5 Tab t Enter Escape F W h l + - 0 n N J K z i o PageDown PageUp '}' '{' m a)
RANDOM=${LIVE_SEED:-7}
end=$((SECONDS + seconds))
while [ $SECONDS -lt $end ] && kill -0 "$pid" 2>/dev/null; do
    screen_keys "${keys[RANDOM % ${#keys[@]}]}"
    sleep 0.05
done
wait "$writer"
if kill -0 "$pid" 2>/dev/null; then ok "soak: it runs on"; else not_ok "soak: it runs on" "$(screen_text | tail -n 5)"; fi
used=$(awk '/^VmRSS/ { print int($2 / 1024) }' "/proc/$pid/status" 2>/dev/null)
most=$((${LIVE_SOAK_MB:-400} + size / 1000000))
if [ "${used:-0}" -le "$most" ]; then ok "soak: memory ($used MB of $most)"; else not_ok "soak: memory" "$used MB"; fi
screen_keys Escape Escape 1 G
screen_wait "soak: at its end" "of $(sed ':a;s/\B[0-9]\{3\}\>/,&/;ta' <<<$((seconds * 28000)))"
screen_keys C-c
screen_wait "soak: ends well" 'status=0'

# ---- late data
# Providers write in turn, so that lanes are rebuilt repeatedly: replaced ones are freed.
# Memory at the end is about that of the finished file.
"$TTSIM" -o "$WORK/whole.fxt" --format fxt --events 600000 --fxt-providers 4 --seed 3 >/dev/null 2>&1
size=$(wc -c <"$WORK/whole.fxt")
head -c 65536 "$WORK/whole.fxt" >"$WORK/late.fxt"
memory() { awk '/^VmRSS/ { print int($2 / 1024) }' "/proc/$(pgrep -f "tracetui .*$1" | head -n 1)/status"; }
# steady COMMAND...: prints the command's output once it is the same ten times
steady() {
    local last='' now same=0 checks
    for ((checks = 0; same < 10 && checks < 600; checks++)); do
        now=$("$@")
        if [ "$now" = "$last" ]; then same=$((same + 1)); else same=0; fi
        last=$now
        sleep 0.05
    done
    echo "$now"
}
events_said() { screen_text | grep -oE ' of [0-9,]+' | head -n 1; }
others_said() { [ "$(events_said)" != "$1" ]; }

screen_start -f "$WORK/late.fxt"
screen_wait "late data: LIVE" 'LIVE '
for ((at = 65536; at < size; at += 400000)); do
    said=$(events_said)
    tail -c +$((at + 1)) "$WORK/whole.fxt" | head -c 400000 >>"$WORK/late.fxt"
    screen_keys $((at / 400000 % 4 + 1)) 1 # drawn by each view, counted by Events
    poll others_said "$said" || not_ok "late data: byte $at is taken" "still $said"
done
screen_keys 1 G
screen_wait "late data: at its end" 'of 600,000'
followed=$(steady memory "$WORK/late.fxt") # what was replaced is freed once it is not drawn
screen_keys C-c
screen_wait "late data: ends well" 'status=0'
screen_start "$WORK/whole.fxt"
screen_wait "late data: the finished file" ' of [0-9,]+ (events|match(es)?) *$'
screen_keys 2 3 4 1 G
screen_wait "... at its end" 'of 600,000'
opened=$(steady memory "$WORK/whole.fxt")
screen_keys C-c
if [ "$followed" -le $((opened * 5 / 4 + 8)) ]; then ok "late data: memory ($followed MB, opened when finished $opened)"; else not_ok "late data: memory" "$followed MB, opened when finished $opened"; fi

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Following on the screen: LIVE, paused and followed again, each change of the file,
# the end of a pipe, and silence without new data. LIVE_IDLE (4) seconds of silence are measured.
. tests/lib/case.sh
. tests/lib/screen.sh

"$TTSIM" -o "$WORK/whole.kev" --events 6000 --seed 2 2>/dev/null
"$TTSIM" -o "$WORK/other.kev" --events 2500 --seed 5 2>/dev/null
"$TTSIM" -o "$WORK/one.trx" --format trx --events 3000 --seed 2 2>/dev/null
"$TTSIM" -o "$WORK/two.trx" --format trx --events 3000 --seed 3 2>/dev/null
half=$(($(wc -c <"$WORK/whole.kev") / 2 + 5))
first_half() { head -c "$half" "$WORK/whole.kev"; }
other_half() { tail -c +$((half + 1)) "$WORK/whole.kev"; }
leave() {
    screen_keys q
    screen_wait "$1" "status=$2"
}

# begin_in VIEW: sets the view in which the program begins
begin_in() {
    mkdir -p "$WORK/config/tracetui"
    printf '[settings]\nview = %s\n' "$1" >"$WORK/config/tracetui/config"
}

begin_in auto
screen_open 100x24
first_half >"$WORK/a.kev"
screen_start -f "$WORK/a.kev"
screen_wait "half a file: LIVE" 'LIVE '
screen_wait "it begins in Threads, which view = auto chooses" '\[2 Threads\]'
screen_wait "its lanes are in the order of run times" '▌ +[0-9]+ crunch'
screen_wait "the overview and the load of the system are whole" ' system +[0-9]+ [▁▂▃▄▅▆▇█ ]{40}'
screen_keys 1
screen_keys k k k
screen_wait "back: held" 'PAUSED \+0 new'
other_half >>"$WORK/a.kev"
screen_wait "what comes is counted" 'PAUSED \+[1-9]'
screen_wait "all events are there" 'of 6,000'
screen_keys G
screen_wait "G follows" '6,000th of 6,000 .*LIVE [0-9]'
screen_keys F
screen_wait "F holds" 'held: F or G'
screen_keys F
screen_wait "F follows" 'following'
screen_keys 2 W
screen_wait "the last second" 'the last 1 s'

chmod 0 "$WORK/a.kev"
screen_wait "permission lost: said" 'is no longer readable'
chmod 600 "$WORK/a.kev"
rm "$WORK/a.kev"
screen_wait "deleted: said" 'was deleted'
screen_keys 1
screen_wait "deleted: still explorable" 'of 6,000'
cp "$WORK/other.kev" "$WORK/a.kev"
screen_wait "another of that name: reloaded" 'was replaced: reloaded'
screen_wait "its events" 'of 2,500'
cat "$WORK/whole.kev" >"$WORK/a.kev"
screen_wait "rewritten in place: reloaded" '(rewritten|truncated): reloaded'
screen_wait "the new events" 'of 6,000'
: >"$WORK/a.kev"
screen_wait "truncated to zero: said" 'was truncated: waiting'
cat "$WORK/other.kev" >"$WORK/a.kev"
screen_wait "filled again: reloaded" 'of 2,500'
truncate -s 20000 "$WORK/a.kev"
screen_wait "cut under the mapped end: reloaded" 'truncated: reloaded'
leave "and it ends well" 0
begin_in events

# The Messages view counts new messages.
first_half >"$WORK/m.kev"
asked() { "$TRACETUI" stats --by message --no-cache --format csv "$1" 2>/dev/null | awk -F, '$2 == "sensor" && $4 == "fusion" { print $6; exit }'; }
few=$(asked "$WORK/m.kev")
most=$(asked "$WORK/whole.kev")
screen_start -f "$WORK/m.kev"
screen_keys 6
screen_wait "messages of half a file" "sensor +fusion +[1-9]"
other_half >>"$WORK/m.kev"
screen_wait "the messages that come are counted" "sensor +fusion +$most "
same_text "they are more" yes "$([ "$most" -gt "$few" ] && echo yes)"
leave "and it ends well" 0

cp "$WORK/one.trx" "$WORK/b.trx"
screen_start -f "$WORK/b.trx"
screen_wait "a ThreadX buffer: LIVE" 'LIVE '
cat "$WORK/two.trx" >"$WORK/b.trx"
screen_wait "written again: reloaded" '(rewritten|truncated): reloaded'
leave "and it ends well" 0

cp "$WORK/whole.kev" "$WORK/c.kev"
screen_start -f --on-change keep "$WORK/c.kev"
screen_wait "keep: LIVE" 'LIVE '
cat "$WORK/other.kev" >"$WORK/c.kev"
screen_wait "keep: said" 'keeping the events read so far'
screen_keys g
screen_wait "keep: explorable" '1st of 6,000'
leave "keep: it ends well" 0

# A pipe closed inside a record: the events read so far stay; and its writer is killed.
screen_keys -l "clear; head -c $half $WORK/whole.kev | $HERE/$TRACETUI -f -; echo status=\$?"
screen_keys Enter
screen_wait "a pipe ends: said" 'the pipe ended'
screen_keys g
screen_wait "a pipe ends: explorable" '1st of'
screen_keys q
screen_wait "a pipe's events are asked for before they are lost" 'quitting loses these events'
screen_keys j
screen_await '2nd of'
screen_keys q
screen_wait "... again after another key" 'q again quits'
leave "half a record was left: exit status" 1
mkfifo "$WORK/pipe"
(first_half; exec sleep 600) >"$WORK/pipe" &
writer=$!
screen_keys -l "clear; $HERE/$TRACETUI -f - <$WORK/pipe; echo status=\$?"
screen_keys Enter
screen_wait "a writer that waits: LIVE" 'LIVE '
kill -9 "$writer"
screen_wait "the writer is killed: said" 'the pipe ended'
screen_keys q
screen_await 'q again quits'
leave "its half record is damage" 1

# ---- silence
cp "$WORK/whole.kev" "$WORK/d.kev"
screen_start -f "$WORK/d.kev"
screen_wait "idle: LIVE" 'LIVE '
screen_record "$WORK/bytes"
pid=$(pgrep -f "tracetui -f $WORK/d.kev" | head -n 1)
ticks() { awk '{ print $14 + $15 }' "/proc/$pid/stat" 2>/dev/null || echo 0; }
seconds=${LIVE_IDLE:-4}
# idles: true if in one of ten periods of $seconds no byte is sent and at most 0.5 % of a CPU is
# used. On a busy machine the rate disappears late from the status line, hence several attempts. CPU
# time has ticks of 1/100 s: 0.5 % is half a tick a second, plus one for the resolution.
idles() {
    local try before
    for ((try = 0; try < 10; try++)); do
        : >"$WORK/bytes"
        before=$(ticks)
        sleep "$seconds"
        used=$(($(ticks) - before))
        [ -s "$WORK/bytes" ] || [ $((used * 2)) -gt $((seconds + 2)) ] || return 0
    done
    return 1
}
if idles; then
    ok "idle: no bytes to the terminal, less than 0.5 % of a CPU"
else
    not_ok "idle: no bytes to the terminal, less than 0.5 % of a CPU" \
        "$(wc -c <"$WORK/bytes") bytes, $used ticks in $seconds s"
fi
server pipe-pane -t 0
leave "idle: it ends well" 0

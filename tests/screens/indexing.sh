# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# A large capture: the first screen appears immediately, and everything works during indexing.
# BIG_EVENTS is its size; 30000000 make 1 GB. If the index is complete before the screen is read,
# the capture is doubled until it is not, so that the result does not depend on the machine's speed.
. tests/lib/case.sh
. tests/lib/screen.sh

BIG=$WORK/big.kev
needs "$TTSIM"
events=${BIG_EVENTS:-2000000}

# event_of: prints the time of the cursor's line
event_of() { screen_text | sed -n 's/^▌ *\([0-9.]* [0-9]* [0-9]*\) .*/\1/p'; }

number_of() { screen_text | grep -oE '[0-9,]+(st|nd|rd|th) of'; }
went_on() { [ -n "$(number_of)" ] && [ "$(number_of)" != "$before" ]; }

screen_open 80x24
for ((larger = 0; ; larger++)); do
    "$TTSIM" -o "$BIG" --events "$events" || exit 1
    screen_start "$BIG"
    screen_await 'indexing|events *$'
    screen_text >"$WORK/first"
    ! grep -q 'indexing' "$WORK/first" && [ "$larger" -lt 4 ] || break
    screen_keys q
    screen_await '^status='
    events=$((events * 2))
done
says "the first screen appears during indexing" 'indexing [0-9]+ % [0-9.,]+ ?[kM]? ev' "$WORK/first"
says "... with events" '^.+0\.000 000 000' "$WORK/first"
lines=$(grep -c '' "$WORK/first")
filled=$(sed -n '3,22p' "$WORK/first" | grep -cE '^.+[0-9]\.[0-9]{3} [0-9]{3} [0-9]{3} ')
same_text "... in every line" "20 of 24" "$filled of $lines"

# The current end, half of it, and the next event of this thread, during indexing.
screen_keys -l ':50%'
screen_keys Enter
screen_wait "half of it" 'of the events indexed so far|[0-9]{3},[0-9]{3}(st|nd|rd|th) of'
before=$(number_of)
screen_keys J
went_on_or_has_no_thread() { went_on || screen_text | grep -q 'belongs to no thread'; }
# How much is indexed decides which event is half of it; from one without a thread, the next line is tried.
for ((tries = 0; tries < 20; tries++)); do
    poll went_on_or_has_no_thread
    ! went_on || break
    screen_keys j
    poll went_on
    before=$(number_of)
    screen_keys J
done
went_on && ok "the next event of this thread" || not_ok "the next event of this thread" "$(screen_text | tail -n 2)"
here=$(event_of)
screen_keys 5
screen_wait "Info meanwhile" 'events +[0-9,]+ in [0-9,]+ records'
screen_keys 1
screen_await '\[1 Ev\]'
screen_wait "indexing ends" ' of [0-9,]+ (events|match(es)?) *$'
same_text "the cursor stays with its event" "$here" "$(event_of)"
screen_keys G
screen_wait "the end" "$(sed ':a;s/\B[0-9]\{3\}\>/,&/;ta' <<<"$events")th of"
screen_keys g
screen_wait "and the beginning" '1st of'

# A search without a match continues until Esc.
screen_keys -l ':0'
screen_keys Enter
screen_keys -l '}'
screen_wait "a search comes to an end or shows its progress" 'searching|([2-9]|[0-9]{2})(st|nd|rd|th) of|no later event'
screen_keys Escape
screen_keys q
screen_await '^status=0'

# Quitting in the middle of indexing.
screen_start "$BIG"
screen_await 'indexing|events *$'
screen_keys q
screen_wait "quitting while indexing" '^status=0'
screen_start "$BIG"
screen_await 'indexing|events *$'
kill -TERM "$(pgrep -P "$(server display-message -p -t 0 '#{pane_pid}')" -x tracetui)"
screen_wait "TERM while indexing" '^status=143'

# Lanes, slices and counters of the events indexed so far are drawn, and grow.
half=$(($(wc -c <"$HERE/samples/demo.fxt") * 6 / 10 / 8 * 8))
head -c $half "$HERE/samples/demo.fxt" >"$WORK/half.fxt"
count=$("$TRACETUI" dump "$WORK/half.fxt" 2>/dev/null | wc -l)
screen_start --follow "$WORK/half.fxt"
screen_await "[0-9]+(st|nd|rd|th) of $count events"
# In the order of numbers, not of run times, the lanes with slices come first.
screen_keys 2 o o o o
screen_await 'lanes by process and thread number'
screen_wait "lanes of what is there" 'cpu-00'
screen_wait "... with slices" '^ +slices +.*━'
# The last lane in the order of run times is in a slice that has not ended.
screen_keys o G
screen_wait "... known up to now" ' for [0-9.]+ .s so far'
tail -c +$((half + 1)) "$HERE/samples/demo.fxt" >>"$WORK/half.fxt"
screen_wait "the rest of them" 'of 2,001 '
screen_keys 0 G
screen_wait "... in lanes of their own" 'pidin/main'
screen_keys q q
screen_await '^status=0'

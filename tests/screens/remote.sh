# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Captures on other machines on the screen: following, messages about the connection, cancelling.
. tests/lib/case.sh
. tests/lib/remote.sh
. tests/lib/screen.sh
export FAKE=$WORK/fake
mkdir -p "$FAKE"
fake_shell "$WORK/rsh"
demo=samples/demo.kev

head -c 60000 "$demo" >"$WORK/grow.kev"
screen_open 80x24 "FAKE=$FAKE"
screen_start --no-config --no-session -f --remote-shell "$WORK/rsh" "far:$WORK/grow.kev"
screen_wait "the beginning" '1,67[0-9](st|nd|rd|th) of 1,67[0-9] events +LIVE'
end_connection
screen_wait "the connection is lost" 'far: connection lost after 60000 bytes:'
tail -c +60001 "$demo" >>"$WORK/grow.kev"
screen_wait "connected again" 'far: connected again'
screen_wait "all of it" '3,400th of 3,400|connected again .*LIVE'
cp samples/fast1.kev "$WORK/next" && mv "$WORK/next" "$WORK/grow.kev"
screen_wait "replaced" 'the file was replaced: reloaded'
screen_keys q
screen_wait "q asks" 'q again quits'
screen_keys q
screen_wait "the end" "$PROMPT"

printf '#!/bin/sh\n>%s\necho tracetui-remote-1 plain 1 5000000\nexec sleep 1000\n' "$WORK/started" >"$WORK/hangs"
chmod +x "$WORK/hangs"
screen_start --no-config --no-session --remote-shell "$WORK/hangs" "$demo" far:/hangs
screen_wait "a local capture" 'demo.kev'
screen_keys :next Enter
poll test -e "$WORK/started"
screen_keys Escape
screen_wait "Esc cancels an open that waits" 'far:/hangs: cancelled'
screen_keys q
screen_wait "the end of both" "$PROMPT"

# ---- a capture of more than 2 MB, while it arrives
"$TTSIM" --seed 3 --events 100000 -o "$WORK/large.kev"
cat >"$WORK/holds" <<HOLDS
#!/bin/sh
echo tracetui-remote-1 plain 1 $(wc -c <"$WORK/large.kev")
head -c 3000000 "$WORK/large.kev"
while [ ! -e "$WORK/go" ]; do sleep 0.05; done
tail -c +3000001 "$WORK/large.kev"
HOLDS
chmod +x "$WORK/holds"
screen_start --no-config --no-session --remote-shell "$WORK/holds" far:/large.kev
screen_wait "what has arrived is shown" '1st of 82,9[0-9]+ events +receiving 83 % 82\.9 k ev'
: >"$WORK/go"
screen_wait "then all of it" '1st of 100,000 events *$'
screen_keys q
screen_wait "its end" "$PROMPT"

rm "$WORK/go"
screen_start --no-config --no-session --remote-shell "$WORK/holds" far:/large.kev
screen_wait "the same again" '1st of 82,9[0-9]+ events +receiving 83 %'
screen_keys q
screen_wait "the end does not wait for the rest" "$PROMPT"

# The same, stored as a compressed file.
zstd -q -o "$WORK/large.kev.zst" "$WORK/large.kev"
stored=$(wc -c <"$WORK/large.kev.zst")
cat >"$WORK/holds" <<HOLDS
#!/bin/sh
echo tracetui-remote-1 plain 1 $stored
head -c $((stored - 100000)) "$WORK/large.kev.zst"
while [ ! -e "$WORK/go" ]; do sleep 0.05; done
tail -c 100000 "$WORK/large.kev.zst"
HOLDS
screen_start --no-config --no-session --remote-shell "$WORK/holds" far:/large.kev.zst
screen_wait "what has arrived of a compressed file" "receiving $(((stored - 100000) * 100 / stored)) % [1-9]"
: >"$WORK/go"
screen_wait "then all of the compressed file" '1st of 100,000 events *$'
screen_keys q
screen_wait "the end of the compressed file" "$PROMPT"

rm -f "$FAKE/count"
echo 800000 >"$FAKE/cut"
screen_start --no-config --no-session --remote-shell "$WORK/rsh" "far:$WORK/large.kev"
screen_wait "a connection is lost and made again" 'connecting again *$| of [0-9,]+ events *$'
screen_keys 5
screen_wait "the rest has arrived" 'events +100,000 in '
same_text "by two connections" 2 "$(cat "$FAKE/count")"
screen_keys q

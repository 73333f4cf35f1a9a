# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Pipes and compressed files: a line of progress before the first screen, which needs 2 MB, or 64 KB if they come
# slowly; then the capture while the rest arrives.
. tests/lib/case.sh
. tests/lib/screen.sh

KEEP_SESSIONS=1
demo=samples/demo.kev

# hold NAME FILE BYTES: writes the first bytes of the file to the pipe NAME, and the rest when NAME.go exists;
# $holder writes
hold() {
    mkfifo "$1"
    { head -c "$3" "$2" && poll test -e "$1.go" && tail -c +"$(($3 + 1))" "$2"; } >"$1" &
    holder=$!
}

screen_open 80x24
hold "$WORK/slow.kev" "$demo" 60000
screen_start --no-config --no-session "$WORK/slow.kev"
screen_wait "a pipe that waits" '^slow\.kev: 0\.0 MB, [0-9.]+ MB/s \(Ctrl-C cancels\)'
: >"$WORK/slow.kev.go"
screen_wait "then the capture" '1st of 3,400 events *$'
screen_keys q
screen_wait "the end" "$PROMPT"
screen_text >"$WORK/after"
grep -F 'Ctrl-C' "$WORK/after" >"$WORK/left"
nothing "the line was erased" "$WORK/left"

hold "$WORK/held.kev" "$demo" 60000
screen_start --no-config --no-session "$WORK/held.kev"
screen_wait "another pipe" '^held\.kev: 0\.0 MB'
screen_keys C-c
screen_wait "Ctrl-C cancels" '^status=130'
kill "$holder"

# ---- more than 64 KB that come slowly
hold "$WORK/few.kev" "$demo" 100000
screen_start --no-config --no-session "$WORK/few.kev"
screen_wait "few events are shown" '1st of 2,048 events +receiving 100 KB 2,048 ev'
: >"$WORK/few.kev.go"
screen_wait "then all of them" '1st of 3,400 events *$'
screen_keys q
screen_wait "the end of few" "$PROMPT"

# A ThreadX ring is shown when it is complete.
hold "$WORK/ring.trx" samples/demo.trx 66500
screen_start --no-config --no-session "$WORK/ring.trx"
screen_wait "a ring waits" '^ring\.trx: 0\.0 MB'
: >"$WORK/ring.trx.go"
screen_wait "all of the ring" '1st of 2,000 events *$'
screen_keys q
screen_wait "the end of the ring" "$PROMPT"

# ---- more than 2 MB
"$TTSIM" --seed 3 --events 100000 -o "$WORK/large.kev"
hold "$WORK/long.kev" "$WORK/large.kev" 3000000
screen_start --no-config --no-session "$WORK/long.kev"
screen_wait "a pipe that waits is shown" '^ long\.kev  QNX 7\.1\.0'
screen_wait "... with what has arrived" '1st of 82,9[0-9]+ events +receiving 3 MB 82\.9 k ev'
screen_keys F
screen_wait "it is not followed" '^ the file is still arriving'
screen_keys 1
screen_wait "its events are shown" '^▌0\.000 000 000 '
: >"$WORK/long.kev.go"
screen_wait "then all of it" '1st of 100,000 events *$'
screen_keys q
screen_wait "the end of the pipe" "$PROMPT"

hold "$WORK/left.kev" "$WORK/large.kev" 3000000
screen_start --no-config --no-session "$WORK/left.kev"
screen_wait "another one" '1st of 82,9[0-9]+ events +receiving 3 MB'
screen_keys q
screen_wait "the end does not wait for the rest" "$PROMPT"
kill "$holder"

hold "$WORK/much.kev" "$WORK/large.kev" 3000000
screen_start --no-config --no-session --spool-limit 3M "$WORK/much.kev"
screen_wait "one with more than the limit" 'receiving 3 MB'
: >"$WORK/much.kev.go"
screen_wait "what came before is shown" '^ unpacked: spool limit of 3145728 bytes exceeded'
screen_keys q
screen_wait "the exit status is that of a failure" '^status=2'

gzip -1c "$WORK/large.kev" | head -c 900000 >"$WORK/cut.kev.gz"
screen_start --no-config --no-session "$WORK/cut.kev.gz"
screen_wait "a damaged file" '^ the compressed file is damaged: see Info .*health [0-9]+ *$'
screen_keys 5 '}}}}'
screen_wait "its damage" ' ends inside a gzip member'
screen_keys q
screen_wait "its end" "$PROMPT"

# ---- a session, which is found by the first 16 MB
"$TTSIM" --seed 3 --events 500000 -o "$WORK/huge.kev"
screen_start --no-config "$WORK/huge.kev"
screen_wait "a capture of more than 16 MB" '500,000 events *$'
screen_keys 1
screen_keys -l ':400000'
screen_keys Enter
screen_wait "a place" '400,001st of 500,000'
screen_keys m a
screen_wait "its mark" '^ mark a'
screen_keys q
screen_wait "the end of the session" "$PROMPT"
hold "$WORK/some.kev" "$WORK/huge.kev" 3000000
screen_start --no-config "$WORK/some.kev"
screen_wait "the same through a pipe" 'receiving 3 MB'
screen_keys 4
screen_wait "another view" '\[4 Sum\]'
: >"$WORK/some.kev.go"
screen_wait "all of it" '1st of 500,000 events *$'
screen_wait "in the view of the user" '\[4 Sum\]'
screen_keys 1 "'" a
screen_wait "the mark is there" '400,001st of 500,000'
screen_keys q

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# HOST:PATH is read through a remote shell: the output is that for a local file, no shell interprets
# names of files, lost connections are made again. tests/live/remote.sh does so with sshd.
. tests/lib/case.sh
. tests/lib/remote.sh
TOP=$(pwd)
export FAKE=$WORK/fake
mkdir -p "$FAKE" "$WORK/far"
fake_shell "$WORK/rsh"
SHELL_OPTION=(--remote-shell "$WORK/rsh -p 2222 -o 'Two Words'")
demo=$TOP/samples/demo.kev
"$TRACETUI" dump "$demo" >"$WORK/expected"

reset() { rm -rf "$FAKE" && mkdir "$FAKE"; }
# dumps NAME PATH: dump of the remote file prints the events of the demo
dumps() {
    exits "$1" 0 "$TRACETUI" dump "${SHELL_OPTION[@]}" "far:$2"
    same "$1: the events" "$WORK/expected" "$WORK/out"
}

# ---- the commands
while read -r line; do
    # shellcheck disable=SC2086 # words
    "$TRACETUI" $line -o "$WORK/local" -- "$demo" 2>"$WORK/local.err"
    # shellcheck disable=SC2086 # words
    exits "$line" $? "$TRACETUI" $line -o "$WORK/remote" "${SHELL_OPTION[@]}" -- "far:$demo"
    sed -i "s|far:$demo|$demo|g" "$WORK/remote"
    same "$line: as a local file" "$WORK/local" "$WORK/remote"
done <<'COMMANDS'
dump --format csv --to 20%
stats
why --worst delay -n 2
at 50%
measure --begin event=THREADY --end event=THRUNNING --same thread
check -e lost=0
diff --from-a 0% --to-a 50% --from-b 50%
save --to 10%
render threads
COMMANDS
exits "info" 0 "$TRACETUI" info "${SHELL_OPTION[@]}" "far:$demo"
says "info: events" '^ *events +3,?400' "$WORK/out"
exits "export" 0 "$TRACETUI" export -o "$WORK/remote" "${SHELL_OPTION[@]}" "far:$demo"
exits "two files, one of them remote" 0 "$TRACETUI" stats "${SHELL_OPTION[@]}" "$demo" "far:$demo"

# ---- the command line
reset
dumps "one connection" "$demo"
same_text "options, then -- and the host" "-p 2222 -o Two Words -- far" "$(head -n 6 "$FAKE/arguments" | tr '\n' ' ' | sed 's/ $//')"
same_text "one command" 8 "$(wc -l <"$FAKE/arguments")"
reset
mkdir -p "$WORK/far/--"
# shellcheck disable=SC2016 # names
names=('a b' "it's" '$(touch pwned)' '`touch pwned`' '-x' $'new\nline' $'end\n' 'é ü' $'\001\033[31m' 'a:b' '*' 'bang!'
    'back\slash' 'back\' '"q"' ';touch pwned' '~' '%d%b' $'\377\376' '--/x' '&' '| touch pwned' '#' '{a,b}' "'" "''\\''")
for name in "${names[@]}"; do
    cp "$demo" "$WORK/far/$name"
    run "$TRACETUI" dump "${SHELL_OPTION[@]}" "far:$WORK/far/$name"
    same "the file $(printf %q "$name")" "$WORK/expected" "$WORK/out"
done
same_text "nothing was run" "" "$(find . "$WORK" -name pwned)"
# The commands differ only at the end: in numbers, and names of harmless bytes between quotes.
same_text "no byte of a name that a shell interprets" "" \
    "$(grep '^exec sh' "$FAKE/arguments" | sed "s/^exec sh -c '[^']*' tracetui whole //" |
        LC_ALL=C grep -avE "^[0-9]+ [01] '[A-Za-z0-9/._+,@:=\\-]*'\$")"
scripts=$(grep '^exec sh' "$FAKE/arguments" | sed "s/^\(exec sh -c '[^']*'\).*/\1/" | sort -u)
same_text "one script" 1 "$(wc -l <<<"$scripts")"
same_text "of characters that shells keep between quotes" "" "$(grep -o '[!\\]' <<<"$scripts")"
(cd "$WORK/far" && "$TOP/$TRACETUI" dump "${SHELL_OPTION[@]}" 'far:~/../a b' >"$WORK/out" 2>&1)
(cd "$WORK/far" && "$TOP/$TRACETUI" dump "${SHELL_OPTION[@]}" 'far:a b' >"$WORK/out")
same "a relative name" "$WORK/expected" "$WORK/out"
(cd "$WORK/far" && "$TOP/$TRACETUI" dump "${SHELL_OPTION[@]}" 'far:~/a b' >"$WORK/out")
same "a name in the home directory" "$WORK/expected" "$WORK/out"

# ---- which names are remote
reset
cp "$demo" "$WORK/far/far:file.kev"
(cd "$WORK/far" && "$TOP/$TRACETUI" dump "${SHELL_OPTION[@]}" far:file.kev >"$WORK/out")
same "a file of that name is opened" "$WORK/expected" "$WORK/out"
(cd "$WORK/far" && "$TOP/$TRACETUI" dump "${SHELL_OPTION[@]}" ./far:file.kev "$WORK/far/far:file.kev" >"$WORK/out")
same_text "./ and / are local" 6800 "$(grep -vc '^$' "$WORK/out")"
same_text "without a connection" "" "$(ls "$FAKE")"
# A line per refusal: the name, then the message.
while IFS='|' read -r name message; do
    exits "refused: $name" 2 "$TRACETUI" dump "${SHELL_OPTION[@]}" -- "$name"
    says "refused: $name: the reason" "$message" "$WORK/err"
    nothing "refused: $name: no output" "$WORK/out"
done <<'NAMES'
-oProxyCommand=touch:/x|the name of a host does not begin with '-'
[-oProxyCommand]:/x|not the name of a host
a b:/x|not the name of a host: 'a b'
$(id):/x|not the name of a host
h;id:/x|not the name of a host
h:|the path is missing
[]:/x|not the name of a host
NAMES
same_text "refused without a connection" "" "$(ls "$FAKE")"
exits "an IPv6 address" 0 "$TRACETUI" dump "${SHELL_OPTION[@]}" "user@[::1]:$demo"
same_text "without its brackets" "user@::1" "$(sed -n 6p "$FAKE/arguments")"

# ---- files that cannot be read
exits "missing" 2 "$TRACETUI" dump "${SHELL_OPTION[@]}" far:/no/file
says "missing: the reason" '^tracetui: far:/no/file: open: No such file' "$WORK/err"
exits "a directory" 2 "$TRACETUI" dump "${SHELL_OPTION[@]}" far:/tmp
says "a directory: the reason" 'is a directory' "$WORK/err"
exits "a device" 2 "$TRACETUI" dump "${SHELL_OPTION[@]}" far:/dev/null
says "a device: the reason" 'is not a regular file' "$WORK/err"
exits "no capture" 2 "$TRACETUI" dump "${SHELL_OPTION[@]}" "far:$TOP/LICENSE"
exits "larger than allowed" 2 "$TRACETUI" dump --spool-limit 1K "${SHELL_OPTION[@]}" "far:$demo"
says "larger than allowed: the reason" 'spool limit of 1024 bytes exceeded' "$WORK/err"

# ---- the remote shell
touch "$FAKE/refuse"
exits "no connection" 2 "$TRACETUI" dump "${SHELL_OPTION[@]}" "far:$demo"
same_text "no connection: one message" "tracetui: far:$demo: no connection to far: far side refuses" "$(cat "$WORK/err")"
reset
exits "no such program" 2 "$TRACETUI" dump --remote-shell /no/program "far:$demo"
says "no such program: the reason" 'cannot run /no/program' "$WORK/err"
exits "a program that does nothing" 2 "$TRACETUI" dump --remote-shell true "far:$demo"
says "a program that does nothing: the reason" 'true ended with status 0' "$WORK/err"
exits "an open quote" 2 "$TRACETUI" dump --remote-shell "ssh 'x" "far:$demo"
says "an open quote: the reason" 'not a command for the remote shell' "$WORK/err"
exits "a long command" 2 "$TRACETUI" dump --remote-shell "$(printf 'x%.0s' {1..1100})" "far:$demo"
printf '#!/bin/sh\nyes x | head -c 70000\n' >"$WORK/noise"
chmod +x "$WORK/noise"
exits "another answer" 2 "$TRACETUI" dump --remote-shell "$WORK/noise" "far:$demo"
printf '#!/bin/sh\necho tracetui-remote-1 strange 1 2\n' >"$WORK/noise"
exits "an answer of another version" 2 "$TRACETUI" dump --remote-shell "$WORK/noise" "far:$demo"
says "an answer of another version: the reason" 'answer of the host is not understood' "$WORK/err"
mkdir -p "$XDG_CONFIG_HOME/tracetui"
printf '[settings]\nremote_shell = %s\n' "$WORK/rsh" >"$XDG_CONFIG_HOME/tracetui/config"
exits "the setting remote_shell" 0 "$TRACETUI" dump "far:$demo"
same "the setting remote_shell: the events" "$WORK/expected" "$WORK/out"
exits "the option comes first" 2 "$TRACETUI" dump --remote-shell false "far:$demo"
rm -r "$XDG_CONFIG_HOME/tracetui"
exits "a configuration file" 0 "$TRACETUI" render events "${SHELL_OPTION[@]}" "far:$demo"

# ---- other output of the far side
reset
printf 'Welcome!\ntracetui\nno newline: ' >"$FAKE/banner"
printf 'Warning: \033[31mred\033[0m\r\n\nlast line' >"$FAKE/err"
dumps "a login shell that prints" "$demo"
same_text "its messages are escaped" 'tracetui: far: Warning: \e[31mred\e[0m
tracetui: far: last line' "$(cat "$WORK/err")"

# ---- compression
reset
mkdir -p "$WORK/bin"
for program in sh cat ls tail printf; do ln -sf "$(command -v "$program")" "$WORK/bin/$program"; done
echo "$WORK/bin" >"$FAKE/path"
dumps "no compressor on the far side" "$demo"
ln -sf "$(command -v gzip)" "$WORK/bin/gzip"
dumps "gzip on the far side" "$demo"
gzip -c "$demo" >"$WORK/far/demo.kev.gz"
cp "$WORK/far/demo.kev.gz" "$WORK/far/packed"
dumps "a compressed file" "$WORK/far/demo.kev.gz"
dumps "a compressed file by content" "$WORK/far/packed"
head -c 20000 "$WORK/far/demo.kev.gz" >"$WORK/far/cut.kev.gz"
exits "a damaged compressed file" 1 "$TRACETUI" dump "${SHELL_OPTION[@]}" "far:$WORK/far/cut.kev.gz"

# ---- connections that are lost
# A block of zstd contains 128 KB.
"$TTSIM" --format kev --scenario mixed --events 20000 -o "$WORK/far/large.kev"
for compressor in none gzip zstd; do
    reset
    rm -f "$WORK/bin/gzip"
    [ "$compressor" = none ] || ln -sf "$(command -v "$compressor")" "$WORK/bin/$compressor"
    echo "$WORK/bin" >"$FAKE/path"
    printf '150000\n140000\n-\n' >"$FAKE/cut"
    exits "lost twice, $compressor" 0 "$TRACETUI" save -o "$WORK/saved" "${SHELL_OPTION[@]}" "far:$WORK/far/large.kev"
    "$TRACETUI" save -o "$WORK/local" "$WORK/far/large.kev"
    same "lost twice, $compressor: the bytes" "$WORK/local" "$WORK/saved"
    same_text "lost twice, $compressor: connections" 3 "$(cat "$FAKE/count")"
    says "lost twice, $compressor: the message" '^tracetui: far: connection lost after [0-9]+ bytes: connecting again$' "$WORK/err"
done
reset
echo "$WORK/bin" >"$FAKE/path"
echo 1000 >"$FAKE/cut"
exits "lost without progress" 2 "$TRACETUI" dump "${SHELL_OPTION[@]}" "far:$demo"
says "lost without progress: the reason" 'connection to far lost after 0 bytes' "$WORK/err"
rm -f "$WORK"/bin/{gzip,zstd}
reset
echo "$WORK/bin" >"$FAKE/path"
printf '10000\n0\n' >"$FAKE/cut"
exits "lost, then refused" 2 "$TRACETUI" dump "${SHELL_OPTION[@]}" "far:$demo"

# ---- files that grow
# follows NAME STATUS UNTIL: a dump that follows $WORK/far/grow.kev, in the background
follows() {
    : >"$WORK/followed" # tests wait for its new lines
    "$TRACETUI" dump -f --timeout 110s "${SHELL_OPTION[@]}" --until "$1" "far:$WORK/far/grow.kev" \
        >"$WORK/followed" 2>"$WORK/follow.err" &
    follower=$!
}
has_lines() { [ "$(cat "$WORK/followed" 2>/dev/null | wc -l)" -ge "$1" ]; }
gone() { ! kill -0 "$1" 2>/dev/null; }
reset
head -c 40000 "$demo" >"$WORK/far/grow.kev"
follows 'time >= #3399'
await has_lines 1000 && ok "the beginning" || not_ok "the beginning" "$(wc -l <"$WORK/followed") lines"
tail -c +40001 "$demo" | head -c 40000 >>"$WORK/far/grow.kev"
await has_lines 2000 && ok "more" || not_ok "more" "$(wc -l <"$WORK/followed") lines"
end_connection
tail -c +80001 "$demo" >>"$WORK/far/grow.kev"
wait "$follower"
same_text "until the last event" 0 $?
same "the events of a growing file" "$WORK/expected" "$WORK/followed"
# Bytes may arrive after those of the lines that were awaited.
same_text "a connection that is made again" 'tracetui: far: connection lost after N bytes: connecting again
tracetui: far: connected again' "$(sed -E 's/after [4-8][0-9]{4} bytes/after N bytes/' "$WORK/follow.err")"
await gone "$(cat "$FAKE/pid")" && ok "the remote shell ends" || not_ok "the remote shell ends" "it runs"

for how in replaced truncated; do
    reset
    cp samples/fast1.kev "$WORK/far/grow.kev"
    follows 'time >= #3399'
    await has_lines 1350 && ok "$how: before" || not_ok "$how: before" "$(wc -l <"$WORK/followed") lines"
    if [ $how = replaced ]; then
        cp "$demo" "$WORK/far/next" && mv "$WORK/far/next" "$WORK/far/grow.kev"
    else
        head -c 20000 "$demo" >"$WORK/far/grow.kev"
        await grep -q 'was truncated: reloaded' "$WORK/follow.err"
        tail -c +20001 "$demo" >>"$WORK/far/grow.kev"
    fi
    wait "$follower"
    same_text "$how: until the last event" 0 $?
    says "$how: the message" "grow.kev: the file was $how: reloaded" "$WORK/follow.err"
    tail -n 3400 "$WORK/followed" >"$WORK/out"
    same "$how: the new events" "$WORK/expected" "$WORK/out"
done

# While the connection is away.
reset
cp samples/fast1.kev "$WORK/far/grow.kev"
follows 'time >= #3399'
await has_lines 1350 && ok "before the refusal" || not_ok "before the refusal" "$(wc -l <"$WORK/followed") lines"
touch "$FAKE/refuse"
cp "$demo" "$WORK/far/next" && mv "$WORK/far/next" "$WORK/far/grow.kev"
end_connection
await grep -q 'no connection to far: far side refuses' "$WORK/follow.err" && ok "a refusal is reported" ||
    not_ok "a refusal is reported" "$(cat "$WORK/follow.err")"
rm "$FAKE/refuse"
wait "$follower"
same_text "replaced meanwhile: until the last event" 0 $?
reset
exits "-f of a compressed file" 0 "$TRACETUI" dump -f --timeout 100s "${SHELL_OPTION[@]}" "far:$WORK/far/packed"
same "-f of a compressed file: the events" "$WORK/expected" "$WORK/out"
exits "-f of a missing file" 2 "$TRACETUI" dump -f --timeout 100s "${SHELL_OPTION[@]}" far:/no/file
exits "-f without an answer" 2 "$TRACETUI" dump -f --timeout 100s --remote-shell false far:/no/file

# ---- cancelling
if command -v python3 >/dev/null; then
    reset
    run python3 tests/golden/remote_cancel.py "$TRACETUI" "$WORK/hanging"
    same_text "Esc and signals cancel" "" "$(cat "$WORK/out" "$WORK/err")"
else
    skip "Esc and signals cancel" "no python3"
fi

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# HOST:PATH through OpenSSH: a server on the loopback with keys and a configuration of its own, names of
# files that a shell would interpret, login shells that are not POSIX shells, connections that end.
. tests/lib/case.sh
. tests/lib/remote.sh
TOP=$(pwd)

SSHD=$(PATH=$PATH:/usr/sbin:/sbin command -v sshd)
for program in "${SSHD:-sshd}" ssh ssh-keygen; do
    command -v "$program" >/dev/null || {
        skip "captures through ssh" "no $program (package openssh-server)"
        exit 0
    }
done

# ---- the server
dir=$WORK/ssh
mkdir -m 700 "$dir"
for key in host user other; do ssh-keygen -q -t ed25519 -N '' -f "$dir/$key" || exit 1; done
cat "$dir/user.pub" >"$dir/authorized"
server=
stop() { [ -z "$server" ] || kill "$server" 2>/dev/null; }
trap 'stop; rm -rf "$WORK"' EXIT
# The server needs this directory if it runs as root.
[ "$(id -u)" -ne 0 ] || mkdir -p /run/sshd

answers() { (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }
start() {
    local try
    for try in 1 2 3 4 5 6 7 8; do
        port=$((20000 + (RANDOM * 32768 + RANDOM) % 40000))
        cat >"$dir/config" <<CONFIG
Port $port
ListenAddress 127.0.0.1
HostKey $dir/host
AuthorizedKeysFile $dir/authorized
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
$1
CONFIG
        "$SSHD" -D -e -f "$dir/config" 2>"$dir/log" &
        server=$!
        sleep 0.1
        while kill -0 "$server" 2>/dev/null; do
            if answers; then
                printf '[127.0.0.1]:%s %s\n' "$port" "$(cut -d ' ' -f 1,2 "$dir/host.pub")" >"$dir/known"
                ssh=(ssh -F none -p "$port" -i "$dir/user" -o "UserKnownHostsFile=$dir/known" -o IdentitiesOnly=yes
                    -o ConnectTimeout=60)
                return 0
            fi
            sleep 0.05
        done
    done
    return 1
}
if ! start "" || ! "${ssh[@]}" -o BatchMode=yes 127.0.0.1 true 2>"$dir/err"; then
    skip "captures through ssh" "sshd does not run here: $(tail -n 1 "$dir/log" "$dir/err" 2>/dev/null | tr '\n' ' ')"
    exit 0
fi
through=(--remote-shell "${ssh[*]}")

demo=$TOP/samples/demo.kev
"$TRACETUI" dump "$demo" >"$WORK/expected"
mkdir "$WORK/far"

# ---- files
for command in dump stats info; do
    "$TRACETUI" "$command" "$demo" | sed 's|^.*demo.kev$||' >"$WORK/local"
    exits "$command" 0 "$TRACETUI" "$command" "${through[@]}" "127.0.0.1:$demo"
    sed -i 's|^.*demo.kev$||' "$WORK/out"
    grep -vi 'cache' "$WORK/local" >"$WORK/local.rest"
    grep -vi 'cache' "$WORK/out" >"$WORK/out.rest"
    same "$command: as a local file" "$WORK/local.rest" "$WORK/out.rest"
    nothing "$command: no message" "$WORK/err"
done
exits "check" 0 "$TRACETUI" check -e 'lost = 0' "${through[@]}" "127.0.0.1:$demo"
# shellcheck disable=SC2016 # names
names=('a b' "it's" '$(touch pwned)' '`touch pwned`' '-x' $'new\nline' $'end\n' 'é ü' $'\001\033[31m' 'a:b' 'bang!'
    'back\slash\' '"q";touch pwned' '%d%b' $'\377\376')
for name in "${names[@]}"; do
    cp "$demo" "$WORK/far/$name"
    run "$TRACETUI" dump "${through[@]}" "127.0.0.1:$WORK/far/$name"
    same "the file $(printf %q "$name")" "$WORK/expected" "$WORK/out"
done
same_text "nothing was run" "" "$(find . "$HOME" "$WORK" -maxdepth 3 -name pwned 2>/dev/null)"
exits "missing" 2 "$TRACETUI" dump "${through[@]}" "127.0.0.1:$WORK/none"
says "missing: the reason" 'open: No such file or directory' "$WORK/err"

# ---- the connection
denied=(--remote-shell "${ssh[*]} -i $dir/other -o IdentityFile=none")
denied=("${denied[@]//$dir\/user/$dir\/other}")
exits "a key that the server does not accept" 2 "$TRACETUI" dump "${denied[@]}" "127.0.0.1:$demo"
says "a key that the server does not accept: the reason" 'no connection to 127.0.0.1: .*Permission denied' "$WORK/err"
exits "a port without a server" 2 "$TRACETUI" dump --remote-shell "ssh -F none -p 1" "127.0.0.1:$demo"
says "a port without a server: the reason" 'no connection to 127.0.0.1: .*[Cc]onnect' "$WORK/err"

# ---- a file that grows
has_lines() { [ "$(cat "$WORK/followed" 2>/dev/null | wc -l)" -ge "$1" ]; }
head -c 40000 "$demo" >"$WORK/far/grow.kev"
"$TRACETUI" dump -f --timeout 110s --until 'time >= #3399' "${through[@]}" "127.0.0.1:$WORK/far/grow.kev" \
    >"$WORK/followed" 2>"$WORK/follow.err" &
follower=$!
await has_lines 1000 && ok "the beginning" || not_ok "the beginning" "$(cat "$WORK/follow.err")"
tail -c +40001 "$demo" | head -c 40000 >>"$WORK/far/grow.kev"
await has_lines 2000 && ok "more" || not_ok "more" "$(cat "$WORK/follow.err")"
first=$(pgrep -P "$follower" -x ssh)
kill -KILL "$first"
tail -c +80001 "$demo" >>"$WORK/far/grow.kev"
wait "$follower"
same_text "until the last event" 0 $?
same "the events of a growing file" "$WORK/expected" "$WORK/followed"
says "a connection that is made again" 'connected again' "$WORK/follow.err"
no_ssh() { [ -z "$(pgrep -f "$WORK/far/grow.kev")" ]; }
await no_ssh && ok "nothing of it runs any more, here or there" || not_ok "processes that remain" "$(pgrep -af "$WORK/far/grow.kev")"
same_text "no child is left" "" "$(pgrep -P "$follower")"

# ---- other login shells of the account, as far as they are installed
for login in csh tcsh fish zsh ksh; do
    program=$(command -v "$login") || continue
    stop
    start "ForceCommand SSH_ORIGINAL_COMMAND=\"\$SSH_ORIGINAL_COMMAND\" exec $program -c \"\$SSH_ORIGINAL_COMMAND\""
    through=(--remote-shell "${ssh[*]}")
    for name in "bang!" "it's" '$(touch pwned)' $'new\nline'; do
        [ -e "$WORK/far/$name" ] || continue
        run "$TRACETUI" dump "${through[@]}" "127.0.0.1:$WORK/far/$name"
        same "$login: the file $(printf %q "$name")" "$WORK/expected" "$WORK/out"
    done
done

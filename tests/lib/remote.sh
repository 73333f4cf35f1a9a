# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# For tests of captures on other machines. Source it after tests/lib/case.sh.
#
#     fake_shell FILE        writes a remote shell that runs the command on this machine
#     await COMMAND...       waits until the command succeeds; false after two minutes
#     end_connection         ends the last connection: the shell on this machine and its children
#
# The fake logs its arguments to $FAKE/arguments, one per line with newlines as octal escapes, and its
# number of connections to $FAKE/count. Files in $FAKE change it:
#
#     banner    printed before the answer            err     printed on standard error
#     path      the PATH of the far side             cut     bytes after which connections are cut, one
#                                                            number per connection; "-" does not cut
#     refuse    exists: connections fail

await() {
    local end=$((SECONDS + 120))
    while [ $SECONDS -lt $end ]; do
        "$@" && return 0
        sleep 0.05
    done
    return 1
}

end_connection() {
    local shell children
    shell=$(cat "$FAKE/pid")
    children=$(pgrep -P "$shell")
    # The shell ends first: it would report the death of a child on standard error.
    # shellcheck disable=SC2086 # numbers
    kill "$shell" $children 2>/dev/null
}

fake_shell() {
    cat >"$1" <<'FAKE'
#!/usr/bin/env bash
{ printf '%s\n' "${@//$'\n'/\\012}"; echo ---; } >>"$FAKE/arguments"
count=$(($(cat "$FAKE/count" 2>/dev/null || echo 0) + 1))
echo "$count" >"$FAKE/count"
echo $$ >"$FAKE/pid"
[ ! -e "$FAKE/err" ] || cat "$FAKE/err" >&2
[ ! -e "$FAKE/refuse" ] || { echo "far side refuses" >&2; exit 255; }
[ ! -e "$FAKE/banner" ] || cat "$FAKE/banner"
while [ $# -gt 0 ] && [ "$1" != -- ]; do shift; done
command=$3
cut=-
[ ! -e "$FAKE/cut" ] || cut=$(sed -n "${count}p" "$FAKE/cut")
[ ! -e "$FAKE/path" ] || export PATH="$(cat "$FAKE/path")"
case ${cut:--} in
-) exec /bin/sh -c "$command" ;;
*)
    /bin/sh -c "$command" | /usr/bin/head -c "$cut"
    exit 255
    ;;
esac
FAKE
    chmod +x "$1"
}

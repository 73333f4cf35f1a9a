# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Installation of missing packages, with replacements of dpkg-query, apt-get, sudo and id.
. tests/lib/case.sh

bin=$WORK/bin
mkdir "$bin"
stand_in() {
    printf '#!/bin/sh\n%s\n' "$2" >"$bin/$1"
    chmod +x "$bin/$1"
}
# A package is installed if $WORK/installed contains its name.
stand_in dpkg-query "for last; do :; done; grep -qx \"\$last\" '$WORK/installed' && printf installed"
stand_in apt-get "echo \"apt-get \$*\" >>'$WORK/calls'; exec sh '$WORK/apt'"
stand_in id 'echo "$UID_SHOWN"'
stand_in sudo "[ -e '$WORK/may-sudo' ] || exit 1; [ \"\$1\" = -n ] && shift; exec \"\$@\""

deps() {
    : >"$WORK/calls"
    run env PATH="$bin:$PATH" UID_SHOWN="$1" sh tests/deps.sh "$2"
}
: >"$WORK/installed"
echo 'exit 0' >"$WORK/apt"

deps 0 build
same_text "root installs what is missing" 0 "$code"
says "with one call of apt-get" '^apt-get install .* libncurses-dev .*libzstd-dev' "$WORK/calls"
same_text "and only one" 1 "$(wc -l <"$WORK/calls")"
if grep -q criterion "$WORK/calls"; then
    not_ok "building needs nothing of the tests" "$(cat "$WORK/calls")"
else
    ok "building needs nothing of the tests"
fi
tr ' ' '\n' <"$WORK/calls" | grep -E '^(lib|zlib)' >"$WORK/installed"

deps 0 build
same_text "nothing missing: good" 0 "$code"
nothing "nothing missing: nothing said" "$WORK/out"
nothing "nothing missing: nothing called" "$WORK/calls"

deps 0 test
says "the tests need more" 'libcriterion-dev' "$WORK/calls"
if grep -q libpcre2 "$WORK/calls"; then
    not_ok "installed packages are not requested" "$(cat "$WORK/calls")"
else
    ok "installed packages are not requested"
fi

deps 1000 test
same_text "neither root nor sudo: not good" 1 "$code"
says "neither root nor sudo: lists the missing packages" 'libcriterion-dev' "$WORK/err"
nothing "neither root nor sudo: nothing called" "$WORK/calls"

: >"$WORK/may-sudo"
deps 1000 test
same_text "with sudo: good" 0 "$code"
says "with sudo: apt-get is called" 'libcriterion-dev' "$WORK/calls"

# Stale lists: the first attempt fails; after an update it works.
cat >"$WORK/apt" <<SH
[ "\$(wc -l <'$WORK/calls')" -ge 2 ]
SH
deps 0 test
same_text "old lists of packages: good in the end" 0 "$code"
says "old lists of packages: updated" '^apt-get update' "$WORK/calls"

echo 'echo "E: no network"; exit 100' >"$WORK/apt"
deps 0 test
same_text "no network: not good" 1 "$code"
says "no network: says why" 'no network' "$WORK/err"

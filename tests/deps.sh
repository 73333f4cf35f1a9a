#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Installs the Debian packages that are missing: sh tests/deps.sh [build|test|ci|browser|fleet]
# `build`: the packages for the program; `test` (the default): those for the tests too; `browser`: Chromium, of
# 120 MB, in which a test opens the page of `report`; without it that case is skipped.
# `ci`: clang, with which the tests also count lines (without it gcc builds them), a faster linker, ccache, and what
# `make deb` needs; about 160 MB to download.
# `fleet`: a ClickHouse server, 13 MB to download and 10 s to install, for tests/golden/fleet.sh; without it its cases
# are skipped.
# Prints and does nothing if all are installed.
set -u

BUILD='libncurses-dev libpcre2-dev libxxhash-dev zlib1g-dev libzstd-dev libinih-dev libjansson-dev libsqlite3-dev'
TEST="$BUILD libcriterion-dev libvterm-dev tmux ripgrep zstd mandoc python3 python3-junitparser libxml2-utils procps pkgconf sqlite3 openssh-client openssh-server"

case ${1:-test} in
build) wanted=$BUILD ;;
test) wanted=$TEST ;;
ci)
    version=$(apt-cache show clang 2>/dev/null | sed -n 's/^Depends:.*clang-\([0-9][0-9]*\).*/\1/p' | head -n 1)
    wanted="clang libclang-rt-${version:-14}-dev llvm lld ccache build-essential debhelper lintian debootstrap"
    ;;
browser) wanted=chromium ;;
fleet) wanted='clickhouse-server clickhouse-client' ;;
*)
    echo "usage: sh tests/deps.sh [build|test|ci|browser|fleet]" >&2
    exit 2
    ;;
esac

if ! command -v dpkg-query >/dev/null 2>&1; then
    exit 0 # no Debian: what is missing shows in the build
fi

missing=
for package in $wanted; do
    state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)
    [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
    as_root=
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root=sudo
else
    echo "deps: not root: please install$missing" >&2
    exit 1
fi

echo "deps: installing$missing"
install() {
    # shellcheck disable=SC2086 # a list of words
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing </dev/null >"$log" 2>&1
}
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
if ! install; then
    $as_root apt-get update -qq </dev/null >/dev/null 2>&1
    if ! install; then
        tail -n 5 "$log" >&2
        echo "deps: could not install$missing" >&2
        exit 1
    fi
fi

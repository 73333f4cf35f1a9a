#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Builds the Debian packages with dpkg-buildpackage:
#
#     sh docs/packaging/deb.sh DIRECTORY [OBJECTS]
#
# copies the tracked files to DIRECTORY/tracetui-VERSION, docs/packaging/debian as its debian/, and leaves
# the packages in DIRECTORY. OBJECTS, such as build/release, is a finished build that is packed instead of
# a new one. DEBFULLNAME and DEBEMAIL replace the maintainer, as in other Debian tools.
set -eu
cd "$(dirname "$0")/../.."
directory=$1
objects=${2:-}
version=$(sed -n 's/^VERSION *:= *//p' Makefile)
tree=$directory/tracetui-$version

rm -rf "$tree"
mkdir -p "$tree"
if git rev-parse --git-dir >/dev/null 2>&1; then
    git ls-files -z
else
    find . -path ./build -prune -o \( -type f -o -type l \) -print0
fi | tar -c --null -T - | tar -x -C "$tree"
cp -R docs/packaging/debian "$tree/debian"
if [ -n "$objects" ]; then
    mkdir -p "$tree/build"
    tar -c --exclude='*/tests' "$objects" | tar -x -C "$tree"
fi
if [ -n "${DEBEMAIL:-}" ]; then
    sed -i "s|the tracetui authors <tracetui@localhost>|${DEBFULLNAME:-the tracetui authors} <$DEBEMAIL>|" \
        "$tree/debian/control" "$tree/debian/changelog"
fi

log=$directory/log
if ! (cd "$tree" && env -u MAKEFLAGS -u MAKELEVEL dpkg-buildpackage -us -uc -b ${objects:+-nc}) >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    exit 1
fi
rm -rf "$tree"

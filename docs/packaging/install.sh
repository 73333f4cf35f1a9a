#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Commands of `make install` and `make uninstall`, with one list of files:
#
#     sh docs/packaging/install.sh install|uninstall|list
#
# Environment: PREFIX (/usr/local), DESTDIR (a staging folder before it, or nothing), LIBDIR
# (PREFIX/lib), ZSHDIR (directory of zsh completions), and for install LIBRARY (libtracetui.a) and VERSION.
# `uninstall` removes the files and the directories that become empty, except standard system directories.
set -eu
cd "$(dirname "$0")/../.."

PREFIX=${PREFIX:-/usr/local}
DESTDIR=${DESTDIR:-}
LIBRARY=${LIBRARY:-build/release/libtracetui.a}
VERSION=${VERSION:-0}
LIBDIR=${LIBDIR:-$PREFIX/lib}
ZSHDIR=${ZSHDIR:-$PREFIX/share/zsh/site-functions}

# Lines of: mode, source, destination. A source @NAME.in has its @WORDS@ filled in.
files() {
    share=$PREFIX/share
    echo "755 build/tracetui $PREFIX/bin/tracetui"
    echo "644 $LIBRARY $LIBDIR/libtracetui.a"
    echo "644 @docs/packaging/tracetui.pc.in $LIBDIR/pkgconfig/tracetui.pc"
    for header in include/tracetui/*.h; do
        echo "644 $header $PREFIX/$header"
    done
    echo "644 docs/tracetui.1 $share/man/man1/tracetui.1"
    echo "644 docs/completions/tracetui.bash $share/bash-completion/completions/tracetui"
    echo "644 docs/completions/_tracetui $ZSHDIR/_tracetui"
    echo "644 docs/completions/tracetui.fish $share/fish/vendor_completions.d/tracetui.fish"
    for theme in themes/*.theme; do
        echo "644 $theme $share/tracetui/$theme"
    done
    find samples/demo.* -type f | sort | while read -r sample; do
        echo "644 $sample $share/tracetui/$sample"
    done
    echo "644 samples/threadx.gdb $share/tracetui/threadx.gdb"
    for page in README.md docs/*.md; do
        echo "644 $page $share/doc/tracetui/$page"
    done
}

put() {
    install -d "$(dirname "$DESTDIR$3")"
    case $2 in
    @*)
        sed -e "s|@PREFIX@|$PREFIX|g" -e "s|@LIB@|${LIBDIR#"$PREFIX"}|g" \
            -e "s|@VERSION@|$VERSION|g" "${2#@}" >"$DESTDIR$3"
        ;;
    *) install -m "$1" "$2" "$DESTDIR$3" ;;
    esac
    chmod "$1" "$DESTDIR$3"
}

# Folders that belong to the system, not to us, even when they are empty.
is_kept() {
    case $DESTDIR$1 in
    / | /usr | /usr/local | /usr/bin | /usr/lib | /usr/include | /usr/share | /usr/share/man | \
        /usr/share/man/man1 | /usr/share/doc | /usr/share/zsh | /usr/share/zsh/* | \
        /usr/local/bin | /usr/local/lib | /usr/local/include | /usr/local/share | \
        /usr/local/share/man | /usr/local/share/man/man1 | /usr/local/share/zsh | \
        /usr/local/share/zsh/site-functions) return 0 ;;
    esac
    [ -L "$DESTDIR$1" ]
}

# Goes up from a folder for as long as that is empty.
take_empty() {
    folder=$1
    while [ -n "$folder" ] && ! is_kept "$folder"; do
        rmdir "$DESTDIR$folder" 2>/dev/null || [ ! -e "$DESTDIR$folder" ] || return 0
        folder=${folder%/*}
    done
}

case ${1:-} in
install)
    files | while read -r mode from to; do
        put "$mode" "$from" "$to"
    done
    echo "installed $DESTDIR$PREFIX/bin/tracetui"
    ;;
uninstall)
    files | while read -r mode from to; do
        rm -f "$DESTDIR$to"
    done
    files | while read -r mode from to; do
        take_empty "${to%/*}"
    done
    ;;
list)
    files | while read -r mode from to; do
        echo "$DESTDIR$to"
    done
    ;;
*)
    echo "usage: sh docs/packaging/install.sh install|uninstall|list" >&2
    exit 2
    ;;
esac

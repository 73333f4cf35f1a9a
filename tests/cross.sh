#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Looks at all sources with the compilers of other machines: 32 bits, big-endian, ARM. Headers of the
# libraries are this machine's; nothing is linked or run. bash tests/cross.sh [COMPILER ...]
set -u
cd "$(dirname "$0")/.." || exit 2
[ $# -gt 0 ] || set -- i686-linux-gnu-gcc s390x-linux-gnu-gcc aarch64-linux-gnu-gcc
headers=$(mktemp -d) || exit 2
trap 'rm -rf "$headers"' EXIT
for header in pcre2.h xxhash.h zlib.h zconf.h zstd.h zstd_errors.h ini.h curses.h ncurses.h \
    ncurses_dll.h term.h unctrl.h; do
    for folder in /usr/include "/usr/include/$(cc -print-multiarch 2>/dev/null)"; do
        [ ! -f "$folder/$header" ] || ln -sf "$folder/$header" "$headers/$header"
    done
done
failed=0
for compiler; do
    if ! command -v "$compiler" >/dev/null; then
        echo "skip $compiler: not installed"
        continue
    fi
    said=$(for source in src/*.c src/*/*.c src/*/*/*.c; do
        "$compiler" -std=c11 -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64 -Wall -Wextra -Wshadow \
            -Wconversion -Wstrict-prototypes -fsyntax-only -isystem "$headers" -Iinclude -Isrc \
            '-DTT_VERSION="cross"' "$source" 2>&1
    done | grep -E '(error|warning): ')
    if [ -n "$said" ]; then
        failed=1
        echo "not ok $compiler: $(wc -l <<<"$said") warnings"
        echo "$said"
    else
        echo "ok $compiler"
    fi
done
exit $failed

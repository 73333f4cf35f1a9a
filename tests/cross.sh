#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The program on other machines: 32 bits (i686), big-endian (s390x), ARM (aarch64).
#
#     bash tests/cross.sh [MACHINE ...]       JOBS (2) at once
#
# Each is built with its cross compiler without a warning, and run by this processor if possible,
# else by qemu-user. The output of dump, info, stats and render for every sample is compared with that of
# the native program (build/release); the golden tests and the unit tests run as well.
# Libraries of the other machine come as Debian packages, unpacked below build/cross/MACHINE/root:
# nothing is installed. Missing tools are reported as skipped.
set -u
cd "$(dirname "$0")/.." || exit 2
[ $# -gt 0 ] || set -- i686 s390x aarch64
export LC_ALL=C.UTF-8 TZ=UTC
jobs=${JOBS:-2}
failed=0
packages='libc-bin libc6-dev libncurses-dev libpcre2-dev libxxhash-dev zlib1g-dev libzstd-dev libinih-dev libjansson-dev libsqlite3-dev libvterm-dev'

not_ok() {
    failed=1
    echo "not ok - $1: $2"
}

# debian_name MACHINE: prints Debian's name of it
debian_name() {
    case $1 in
    i686) echo i386 ;;
    aarch64) echo arm64 ;;
    *) echo "$1" ;;
    esac
}

# interpreter MACHINE: the dynamic loader
interpreter() {
    case $1 in
    i686) echo /lib/ld-linux.so.2 ;;
    s390x) echo /lib/ld64.so.1 ;;
    aarch64) echo /lib/ld-linux-aarch64.so.1 ;;
    esac
}

# emulator MACHINE: the command before a program of it; empty if this processor runs it
emulator() {
    [ "$1" != i686 ] || [ "$(uname -m)" != x86_64 ] || return 0
    [ "$1" != "$(uname -m)" ] || return 0
    local name=$1
    [ "$name" != i686 ] || name=i386
    command -v "qemu-$name" || command -v "qemu-$name-static"
}

# fetch_libraries MACHINE ROOT: uses apt with separate lists and state, so that no architecture is added
# to this system
fetch_libraries() {
    local arch apt=$2.apt
    arch=$(debian_name "$1")
    rm -rf "$2" "$apt"
    mkdir -p "$2" "$apt/sources" "$apt/lists" "$apt/cache" "$apt/state"
    : >"$apt/state/status"
    if [ -f /etc/apt/sources.list.d/debian.sources ]; then
        cp /etc/apt/sources.list.d/debian.sources "$apt/sources/"
    else
        cp /etc/apt/sources.list "$apt/sources/debian.list"
    fi
    local options=(-qq -y -o "APT::Architecture=$arch" -o "APT::Architectures=$arch"
        -o APT::Install-Recommends=0 -o APT::Sandbox::User=root -o Debug::NoLocking=1
        -o "Dir::State=$apt/state" -o "Dir::State::status=$apt/state/status"
        -o "Dir::State::lists=$apt/lists" -o "Dir::Cache=$apt/cache"
        -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$apt/sources")
    # Lists that cannot be fetched may not be needed.
    apt-get "${options[@]}" update >"$apt/log" 2>&1
    # shellcheck disable=SC2086 # a list of words
    if ! apt-get "${options[@]}" --download-only install $packages >>"$apt/log" 2>&1; then
        tail -n 2 "$apt/log"
        return 1
    fi
    local package link
    for package in "$apt"/cache/archives/*.deb; do
        dpkg -x "$package" "$2" || return 1
    done
    # Absolute links of that system would point into this one.
    find "$2" -type l -lname '/*' | while read -r link; do
        ln -sf "$(realpath -s -m --relative-to="$(dirname "$link")" "$2/$(readlink "$link")")" "$link"
    done
    rm -rf "$apt"
    touch "$2/.whole"
}

# build_for MACHINE ROOT FOLDER: no warning in shipped code; tests may convert small 64-bit numbers
build_for() {
    local prefix=$1-linux-gnu libraries cc
    libraries=$("$prefix-gcc" -print-multiarch)
    cc="$(command -v ccache) $prefix-gcc --sysroot=$2"
    for_machine() {
        nice make -s -k --no-print-directory -j"$jobs" B="$3" CC="${cc# }" AR="$prefix-ar" \
            LDFLAGS="-Wl,--dynamic-linker=$2$(interpreter "$1") -Wl,-rpath,$2/lib/$libraries:$2/usr/lib/$libraries" \
            "${@:4}"
    }
    for_machine "$1" "$2" "$3" CFLAGS='-Werror -Wno-psabi' "$3/tracetui" "$3/ttsim" >"$3.log" 2>&1 &&
        for_machine "$1" "$2" "$3" CFLAGS='-Wno-psabi -Wno-conversion' "$3/unit-tests" >>"$3.log" 2>&1
}

# wrap FOLDER ROOT EMULATOR: creates a directory of programs for the tests, each run by the
# emulator. A locale has the byte order of its machine.
wrap() {
    local name
    mkdir -p "$1/run"
    for name in tracetui ttsim unit-tests; do
        printf '#!/bin/sh\nLOCPATH="%s/usr/lib/locale" exec %s "%s" "$@"\n' "$2" "$3" "$PWD/$1/$name" >"$1/run/$name"
        chmod +x "$1/run/$name"
    done
}

# printed FILE COMMAND...: stores output, errors and exit status, without the memory of the index,
# which depends on the machine
printed() {
    local file=$1
    shift
    "$@" >"$file.out" 2>"$file.err" </dev/null
    echo "exit status $?" >>"$file.out"
    cat "$file.out" "$file.err" | sed 's/  *[0-9,]* bytes of memory/ N bytes of memory/' >"$file"
}

# compare MACHINE FOLDER: runs every command on every sample; one case per sample
compare() {
    local sample command wrong
    for sample in samples/*.kev samples/*.fxt samples/*.trx samples/*.btrace; do
        wrong=
        while read -r -a command; do
            printed "$2/got" "$2/run/tracetui" "${command[@]}" "$sample"
            printed "$2/wanted" build/release/tracetui "${command[@]}" "$sample"
            if ! cmp -s "$2/got" "$2/wanted"; then
                wrong="$wrong; ${command[*]}"
            fi
        done <<'END'
dump
dump --format jsonl
dump --format csv
info
info --format json
stats
stats --by cpu
stats --by process
stats --by pair
stats --by event --format csv
render events --size 80x24
render threads --size 100x30
render cpus --size 100x30
render summary --size 120x40
render info --size 100x30
END
        if [ -n "$wrong" ]; then
            not_ok "$1: $sample" "not as here: ${wrong#; }"
        else
            echo "ok - $1: $sample prints as here"
        fi
    done
}

# suites MACHINE FOLDER EMULATOR: the golden tests and the unit tests
suites() {
    local file out=$2/out
    for file in tests/golden/*.sh; do
        if [ -n "$3" ] && [ "$file" = tests/golden/filter.sh ]; then
            echo "ok - $file # SKIP it holds hostile expressions to a time that no emulator keeps"
            continue
        fi
        bash "$file" "$2/run" 2>&1 </dev/null
    done >"$out"
    "$2/run/unit-tests" --timeout 30000 >>"$out" 2>&1 </dev/null
    grep -aE '^not ok ' "$out" | sed "s/^not ok - /not ok - $1: /"
    grep -aE '^ok .*# SKIP' "$out" | sed "s/^ok - /ok - $1: /"
    echo "$1: $(grep -aE '^ok ' "$out" | grep -vc '# SKIP') passed, $(grep -acE '^not ok ' "$out") failed, $(grep -acE '^ok .*# SKIP' "$out") skipped; all of it in $out"
    ! grep -qaE '^not ok ' "$out" && grep -qaE '^ok ' "$out" || failed=1
}

nice make -s --no-print-directory -j"$jobs" build/release/tracetui >/dev/null || exit 2
for machine; do
    folder=build/cross/$machine
    root=$PWD/$folder/root
    mkdir -p "$folder"
    if ! command -v "$machine-linux-gnu-gcc" >/dev/null; then
        echo "ok - $machine # SKIP $machine-linux-gnu-gcc is not installed"
        continue
    fi
    if [ ! -e "$root/.whole" ] && ! why=$(fetch_libraries "$machine" "$root"); then
        echo "ok - $machine # SKIP its libraries cannot be had: $why"
        continue
    fi
    if ! build_for "$machine" "$root" "$folder/build"; then
        not_ok "$machine: it builds without a warning" "$(grep -m3 -E 'error|warning' "$folder/build.log")"
        continue
    fi
    echo "ok - $machine: it builds without a warning"
    if ! run=$(emulator "$machine"); then
        echo "ok - $machine # SKIP no qemu-user to run it"
        continue
    fi
    wrap "$folder/build" "$root" "$run"
    if ! "$folder/build/run/tracetui" --version </dev/null >/dev/null 2>&1; then
        echo "ok - $machine # SKIP it does not start here"
        continue
    fi
    compare "$machine" "$folder/build"
    suites "$machine" "$folder/build" "$run"
done
exit $failed

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# `make static`: one binary that opens each sample in a root directory with a configuration and
# nothing else, with terminal types that it has no terminfo entry for.
. tests/lib/case.sh
. tests/lib/screen.sh

needs_release
if ! env -u MAKEFLAGS -u MAKELEVEL make -s --no-print-directory static >"$WORK/made" 2>&1; then
    if grep -q 'cannot find -l' "$WORK/made"; then
        skip "static" "static libraries are missing here: $(grep -o 'cannot find -l[^ :]*' "$WORK/made" | head -n 1)"
    else
        not_ok "make static" "$(head -n 3 "$WORK/made")"
    fi
    exit 0
fi
ok "make static"
same_text "it asks for no shared library" "" "$(readelf -d build/tracetui-static 2>/dev/null | grep NEEDED)"

mkdir "$WORK/root"
cp -r build/tracetui-static samples/demo.* "$WORK/root/"
if chroot "$WORK/root" /tracetui-static --version >/dev/null 2>&1; then
    enter="chroot $WORK/root"
elif unshare -r chroot "$WORK/root" /tracetui-static --version >/dev/null 2>&1; then
    enter="unshare -r chroot $WORK/root"
else
    skip "static in an empty root" "changing the root takes rights that are not here"
    exit 0
fi

# shellcheck disable=SC2086 # words are meant
for sample in samples/demo.*; do
    name=/${sample##*/}
    "$TRACETUI" dump "$sample" >"$WORK/expected" 2>/dev/null
    $enter /tracetui-static dump "$name" >"$WORK/out" 2>/dev/null
    same "static: dump $name" "$WORK/expected" "$WORK/out"
done

printf '[settings]\nview = events\n' >"$WORK/root/config"
screen_open 80x24
for terminal in xterm-256color screen vt100; do
    for sample in samples/demo.*; do
        name=${sample##*/}
        screen_keys -l "clear; TERM=$terminal $enter /tracetui-static --no-session --config /config /$name; echo status=\$?"
        screen_keys Enter
        screen_wait "static: $name under $terminal" "^ ?$name  .*\[1 Ev\]"
        screen_wait "... all of it" 'indexed 100 %|event [0-9,]+ of'
        screen_keys 2
        screen_wait "... its threads" '^ ?\[?.*\[2 Thr'
        screen_keys q
        screen_wait "... and quits" '^status=[01]$'
    done
done

# Unknown terminals are reported.
screen_keys -l "clear; TERM=hardly-known $enter /tracetui-static /demo.kev; echo status=\$?"
screen_keys Enter
screen_wait "static: an unknown terminal is reported" 'TERM=hardly-known is not known|no terminfo database'
screen_wait "... with its status" '^status=2$'

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# `make install` into a directory: program and library work from there; `make uninstall` leaves
# nothing.
. tests/lib/case.sh

# The release build, which is installed, for any variant of the tests.
needs_release
install_make() { run env -u MAKEFLAGS -u MAKELEVEL make -s --no-print-directory DESTDIR="$WORK/dest" "$@"; }

install_make install
same_text "make install is good" 0 "$code"
root=$WORK/dest/usr/local
missing=
for file in bin/tracetui lib/libtracetui.a lib/pkgconfig/tracetui.pc include/tracetui/trace.h \
    share/man/man1/tracetui.1 share/bash-completion/completions/tracetui \
    share/zsh/site-functions/_tracetui share/fish/vendor_completions.d/tracetui.fish \
    share/tracetui/themes/default.theme share/tracetui/samples/demo.kev share/doc/tracetui/README.md; do
    [ -s "$root/$file" ] || missing="$missing $file"
done
same_text "it puts everything there" "" "$missing"
same_text "every header" "$(cd include/tracetui && echo *.h)" "$(cd "$root/include/tracetui" && echo *.h)"
exits "the installed program runs" 0 "$root/bin/tracetui" info "$root/share/tracetui/samples/demo.kev"

# A program against the library, found by pkg-config alone.
if command -v pkg-config >/dev/null 2>&1; then
    flags=$(PKG_CONFIG_PATH=$root/lib/pkgconfig pkg-config --define-prefix --cflags --libs tracetui)
    # shellcheck disable=SC2086 # words are meant
    run ${CC:-cc} -o "$WORK/longest" samples/longest_delays.c $flags
    same_text "a program compiles by pkg-config: $(head -n 3 "$WORK/err")" 0 "$code"
    for file in samples/demo.*; do
        exits "it opens $file" 0 "$WORK/longest" "$file"
        sed 1d "$WORK/out" | tr ' ' , | sort >"$WORK/longest.rows"
        "$TRACETUI" sql --format csv "select coalesce(dur_ns, dur_ticks), coalesce(end_ns, end_ticks), pid, tid
            from (select *, lag(class) over thread before, lead(class) over thread after from states
                window thread as (partition by utid order by ts_ticks))
            where class = 'ready' and after = 'running' and before in ('ipc', 'lock', 'condition', 'sleep', 'wait')
            order by dur_ticks desc, utid, ts_ticks limit 10" "$file" | sed 1d | sort >"$WORK/queried.rows"
        same "... and finds the delays that SQL finds" "$WORK/queried.rows" "$WORK/longest.rows"
    done
    same_text "it has at most 100 lines" 1 "$(($(wc -l <samples/longest_delays.c) <= 100))"
    run env PKG_CONFIG_PATH="$root/lib/pkgconfig" pkg-config --modversion tracetui
    same_text "pkg-config tells the version" "$(sed -n 's/^VERSION *:= *//p' Makefile)" "$(cat "$WORK/out")"
else
    skip "a program against the library" "no pkg-config here"
fi

# Each header compiles alone.
alone=
for header in include/tracetui/*.h; do
    name=$(basename "$header")
    echo "#include <tracetui/$name>" | ${CC:-cc} -std=c11 -fsyntax-only -I"$root/include" -xc - 2>"$WORK/err" ||
        alone="$alone $name"
done
same_text "each header compiles alone" "" "$alone"

echo mine >"$root/share/doc/note"
install_make uninstall
same_text "make uninstall is good" 0 "$code"
same_text "it leaves what is not its own" "$root/share/doc/note" "$(find "$WORK/dest" ! -type d)"
rm "$root/share/doc/note"
install_make uninstall
nothing "twice is good" "$WORK/err"
install_make install
install_make uninstall
same_text "it leaves nothing" "$WORK/dest" "$(find "$WORK/dest")"

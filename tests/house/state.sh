# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# No mutable state at file level: .data, .bss and thread-local storage of all objects except those
# of tui contain only this list.
. tests/lib/case.sh

# Signal handlers have no arguments.
allowed='(sigbus_guard|atomic_file|key_mode|judge_live|sql_prompt)\.o '

# Without sanitizers: those add state of their own.
variant=build/release
needs_release

mutable() {
    nm -A -f sysv "$@" 2>/dev/null | awk -F'|' '
        NF == 7 { for (i = 1; i <= 7; i++) gsub(/^ +| +$/, "", $i)
            if ($4 ~ /OBJECT|TLS|COMMON/ && $7 ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*|COMMON)/ &&
                $7 !~ /^\.data\.rel\.ro/) { sub(/^.*\//, "", $1); sub(/:/, " ", $1); print $1 " " $7 } }'
}

mapfile -t objects < <(find $variant/src -name '*.o' ! -path "$variant/src/tui/*")
found=$(mutable "${objects[@]}" | grep -vE "^($allowed)")
same_text "no mutable state outside tui" "" "$found"

# The check detects state.
cat >"$WORK/state.c" <<'C'
int visible = 1;
static int hidden;
static _Thread_local int local;
static const char *const table[] = {"a"};
int use(int i) { static int kept; kept += i; hidden += kept; local++; return hidden + local + table[0][i]; }
C
${CC:-cc} -O0 -fPIE -c -o "$WORK/state.o" "$WORK/state.c"
same_text "state is seen where there is some" 4 "$(mutable "$WORK/state.o" | wc -l)"

# The library needs no screen.
curses=$(nm -u $variant/libtracetui.a 2>/dev/null | grep -wE 'initscr|newterm|endwin|setupterm|waddnstr|wrefresh' | sort -u)
same_text "no curses in the library" "" "$curses"

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Colours by role, on small screens: which role each cell has, that every theme gives it the style of that role,
# in 256 and 16 colours and without, and that ASCII replaces each glyph by its own form.
. tests/lib/case.sh

command -v python3 >/dev/null || {
    skip "roles" "no python3 here"
    exit 0
}
export LC_ALL=C.UTF-8
DEMO=samples/demo.kev
roles() { python3 tests/screens/roles.py "$@" 2>&1; }
roles theme >"$WORK/roles.theme"

# NAME|VIEW|KEYS|SIZE; 66x20 without one
small='events|events|:27.8ms<Enter>/THREPLY<Enter>
marks|events|jmajjmbk:filter exclude cpu = 1<Enter>
fields|events|:50%<Enter><Enter><Tab><Tab>|120x24
filters|events|fcpu = 1<Enter>elclass = THREAD<Enter><Esc>
columns|events|cj
help|events|?
prompt|events|:12x
lanes|threads||80x44
slices|threads|:open samples/demo.fxt<Enter>:26.9ms<Enter>++++
threads|threads|:zoom 26ms..29ms<Enter>jj
selected|threads|:26.9ms<Enter>++++v>>
sequence|threads|:26.9ms<Enter>x
misses|threads|:deadline sensor/1=150us,/^fusion/=200us<Enter>D
message|threads|:view.messages<Enter>:stats single<Enter><Enter>
why|threads|:26.9ms<Enter>b
cpus|cpus|:zoom 26ms..29ms<Enter>j
cpusequence|cpus|:26.9ms<Enter>x
summary|summary|jll
load|summary|:plot load process<Enter>
times|summary|:plot times response_max of sensor/1<Enter>
messages|messages|j
snapshot|snapshot|:27.8ms<Enter>jj
info|info|j
measure|threads|:measure --interrupt 35 --thread sensor/2<Enter>j
check|events|:check tests/screens/demo.check<Enter>
diff|threads|:diff 0s..20ms<Enter>j
align|threads|:diff 0s..20ms<Enter>:align<Enter>
sql|events|:sql select thread, cpu from states limit 20<Enter>'

# draw DIRECTORY OPTION...: draws all of them there, as ANSI if there are colours
draw() {
    local name view keys size kind=txt
    mkdir "$WORK/$1"
    [[ $* != *--color* ]] || kind=ansi
    while IFS='|' read -r name view keys size; do
        printf ':size %s\n:view.%s\n<F12>%s\n:picture %s\n:restart\n' "${size:-66x20}" "$view" "$keys" "$WORK/$1/$name.$kind"
    done <<<"$small" >"$WORK/script"
    run "$TRACETUI" render events --script "$WORK/script" "${@:2}" $DEMO
    same_text "$1: all are drawn" "0 $(wc -l <<<"$small")" "$code $(find "$WORK/$1" -type f | wc -l)"
}
each() { cut -d '|' -f 1 <<<"$small" | grep -v "${1:-^$}"; }

draw roles --color 256 --theme "$WORK/roles.theme"
# Times are those of the query.
# shellcheck disable=SC2046 # a name is a word
roles map "$WORK/roles" $(each sql) >"$WORK/map"
[ -z "${UPDATE_SCREENS:-}" ] || cp "$WORK/map" tests/screens/expected/roles-of-cells.txt
same "the roles of all cells" tests/screens/expected/roles-of-cells.txt "$WORK/map"
# Roles that these screens do not have: those of other formats, of damage, and of more threads.
used=$(sed 's/:[0-9]*//g' "$WORK/map" | tr ' +' '\n\n' | sort -u)
same_text "roles that no screen has" "counter.many cpu.selected event lost progress state.unknown" \
    "$(comm -23 <(grep -oE '^[a-z.0-9]+ = [0-9d]' "$WORK/roles.theme" | cut -d ' ' -f 1 | sort) <(echo "$used") | xargs)"

for theme in default dark light mono high-contrast colour-blind; do
    draw "$theme" --color 256 --theme "$theme"
    # shellcheck disable=SC2046
    roles check "$theme" 256 "$WORK/roles" "$WORK/$theme" $(each sql) >"$WORK/wrong"
    nothing "$theme: each cell has the style of its role" "$WORK/wrong"
done
for theme in default light; do
    draw "$theme-16" --color 16 --theme "$theme"
    # shellcheck disable=SC2046
    roles check "$theme" 16 "$WORK/roles" "$WORK/$theme-16" $(each sql) >"$WORK/wrong"
    nothing "$theme in 16 colours: each role has a style of its own" "$WORK/wrong"
done

draw plain
draw ascii --ascii
# shellcheck disable=SC2046
roles ascii "$WORK/plain" "$WORK/ascii" $(each 'load\|times\|sql') >"$WORK/wrong"
nothing "ASCII has the form of each glyph" "$WORK/wrong"

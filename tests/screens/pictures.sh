# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Pictures: `render --format svg` and `html` have the cells and the styles of the screen, for every view, and
# `:write FILE.svg` and `FILE.html` write the same.
. tests/lib/case.sh

# same_cells NAME PICTURE ANSI: and every style has a colour of its own
same_cells() {
    local name=$1 found
    found=$(python3 tests/screens/picture_cells.py "$2" "$3" 2>&1)
    if [[ $found =~ ^([0-9]+)\ styles,\ ([0-9]+)\ of\ them\ different$ ]] && [ "${BASH_REMATCH[1]}" = "${BASH_REMATCH[2]}" ]; then
        ok "$name: $found"
    else
        not_ok "$name" "$found"
    fi
}

for view in events threads cpus summary info snapshot; do
    for theme in default light; do
        options=(samples/demo.kev --size 110x30 --theme "$theme" --no-cache)
        "$TRACETUI" render "$view" "${options[@]}" --format ansi >"$WORK/ansi"
        for kind in svg html; do
            "$TRACETUI" render "$view" "${options[@]}" --format "$kind" -o "$WORK/it.$kind"
            same_cells "$view, $theme, $kind" "$WORK/it.$kind" "$WORK/ansi"
        done
    done
done
"$TRACETUI" render threads samples/demo.fxt --format ansi --theme light >"$WORK/light"
"$TRACETUI" render threads samples/demo.fxt --format ansi --color always --theme light >"$WORK/same"
same "--format ansi is --color always" "$WORK/light" "$WORK/same"
"$TRACETUI" render threads samples/demo.fxt --format text >"$WORK/text"
"$TRACETUI" render threads samples/demo.fxt >"$WORK/plain"
same "--format text is the default" "$WORK/plain" "$WORK/text"

# ---- :write
for kind in svg html; do
    "$TRACETUI" render threads samples/demo.kev --no-cache --size 90x20 --format "$kind" >"$WORK/expected.$kind"
    "$TRACETUI" render threads samples/demo.kev --no-cache --size 90x20 --format "$kind" \
        --keys ":write $WORK/written.$kind<Enter>" >/dev/null
    same ":write FILE.$kind" "$WORK/expected.$kind" "$WORK/written.$kind"
done

# The comparison sees another character and another colour.
sed 's/demo/dmeo/' "$WORK/expected.svg" >"$WORK/bad.svg"
"$TRACETUI" render threads samples/demo.kev --no-cache --size 90x20 --format ansi >"$WORK/ansi"
same_text "another character is seen" 1 \
    "$(python3 tests/screens/picture_cells.py "$WORK/bad.svg" "$WORK/ansi" | grep -c 'on the screen')"
awk '/font-weight/ && !done { sub(/ font-weight="bold"/, ""); done = 1 } 1' "$WORK/expected.svg" >"$WORK/bad.svg"
same_text "another style is seen" 1 \
    "$(($(python3 tests/screens/picture_cells.py "$WORK/bad.svg" "$WORK/ansi" | grep -c ' is .* and ') +
        $(python3 tests/screens/picture_cells.py "$WORK/bad.svg" "$WORK/ansi" | awk '/styles/ && $1 != $3' | wc -l) > 0))"

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The documents are correct: every command in them is run, every screen is drawn.
#
#   commands  lines of ```sh blocks and of the manual's .Dl; captures that they name (capture.kev,
#             run.fxt, ...) are the samples. `make TARGET` is only looked up. Commands with
#             "not run by the tests" or ssh are not run.
#   screens   ```text blocks below a line <!-- tracetui render ... -->
#   pictures  files of docs/pictures, shown below a line <!-- tracetui render ... --format svg ... -->
#
# `make docs` rewrites screens and pictures after an intended change: this file with REMAKE=1, and
# without the commands.
. tests/lib/case.sh
export LC_ALL=C.UTF-8 TZ=UTC
TOP=$(pwd)

# ---- a place to run them: captures by any name, the programs, and a jq that lets through if there
# is none
play=$WORK/play
mkdir -p "$play/bin" "$play/state" "$play/cache"
ln -s "$TOP/$TRACETUI" "$play/bin/tracetui"
ln -s "$TOP/$TTSIM" "$play/bin/ttsim"
ln -s "$TOP/samples" "$play/samples"
ln -s "$TOP/$BUILD" "$play/build"
command -v jq >/dev/null 2>&1 || { printf '#!/bin/sh\nexec cat\n' >"$play/bin/jq" && chmod +x "$play/bin/jq"; }

capture_named() {
    local name=$1 kind=${1##*.}
    [ "$kind" != gz ] && [ "$kind" != zst ] || return 0
    [ -e "$play/$name" ] || { mkdir -p "$play/$(dirname "$name")" && cp "samples/demo.$kind" "$play/$name"; }
}

not_run() { [[ $1 == *'not run by the tests'* || $1 =~ (^|[^[:alnum:]])ssh\  ]]; }

# run_shown PAGE LINE
run_shown() {
    local page=$1 line=$2 name target
    if not_run "$line"; then
        return
    fi
    line=${line%%  #*}
    count=$((count + 1))
    case $line in
    'make'*)
        # The targets only: their effects are tested elsewhere.
        code=0
        for target in $(sed -E 's/^make *//; s/[A-Z]+=[^ ]*//g' <<<"$line"); do
            grep -q "^$target:" Makefile || code=1
        done
        ;;
    *)
        for name in $(grep -oE "[A-Za-z0-9_/-]+\.(kev|fxt|trx|btrace|dat)\b" <<<"$line" | sort -u); do
            [[ $line =~ -o\ *$name ]] || capture_named "$name"
        done
        printf '%s\n' "$line" >"$WORK/line.sh"
        run env PATH="$play/bin:$PATH" XDG_STATE_HOME="$play/state" XDG_CACHE_HOME="$play/cache" \
            timeout 300 bash -o pipefail -c "cd '$play' && . '$WORK/line.sh'"
        [ "$code" -ne 124 ] || [[ $line != *' -f '* ]] || code=0 # follows for ever
        ;;
    esac
    same_text "$page: $line$([ "$code" -eq 0 ] || head -n 1 "$WORK/err")" 0 "$code"
}

# shown_commands PAGE: prints its commands, one per line; \ at the end continues a line
shown_commands() {
    case $1 in
    *.md) awk '/^```sh/ { on = 1; next } /^```/ { on = 0 } on && !/^ *(#|$)/' "$1" ;;
    *) sed -n 's/^\.Dl \(tracetui [^:].*\)/\1/p' "$1" | sed 's/\\&//g; s/\\-/-/g; s/\\(aq/'\''/g; s/\\e/\\/g' ;;
    esac | sed -e ':a' -e '/\\$/N; s/\\\n *//; ta'
}

count=0
if [ -n "${REMAKE:-}" ]; then
    shown_commands() { :; }
fi
for page in README.md docs/*.md docs/tracetui.1; do
    while IFS= read -r line <&3; do
        run_shown "$page" "$line"
    done 3< <(shown_commands "$page")
done
[ -n "${REMAKE:-}" ] || same_text "commands were found" 1 "$((count >= 15))"

# A wrong command is detected, and an exempt one is not run.
failing=$(run_shown page 'tracetui dump --no-such-option capture.kev')
same_text "a wrong command fails" "not ok" "${failing:0:6}"
same_text "what needs ssh is not run" "" "$(run_shown page 'ssh target cat /dev/null')"

# ---- screens
screens=0
for page in README.md docs/*.md; do
    grep -q '^<!-- tracetui render ' "$page" || continue
    cp "$page" "$WORK/page"
    : >"$WORK/made"
    copying=1
    arguments=
    while IFS= read -r line || [ -n "$line" ]; do
        case $line in
        '<!-- tracetui render '*) arguments=${line#<!-- tracetui } && arguments=${arguments% -->} ;;
        '```text')
            if [ -n "$arguments" ]; then
                printf '%s\n' "$line" >>"$WORK/made"
                eval "\"$TRACETUI\" $arguments" >>"$WORK/made" 2>"$WORK/err" || cat "$WORK/err" >>"$WORK/made"
                screens=$((screens + 1))
                copying=0
                arguments=
            fi
            ;;
        '```') copying=1 ;;
        esac
        [ $copying -eq 0 ] || printf '%s\n' "$line" >>"$WORK/made"
    done <"$WORK/page"
    [ -z "${REMAKE:-}" ] || cp "$WORK/made" "$page"
    same "$page: its screens (make docs rewrites them)" "$page" "$WORK/made"
done
same_text "screens were found" 1 "$((screens >= 2))"

# ---- pictures: PAGE:ARGUMENTS, and the path in the line below
pictures=0
for page in README.md docs/*.md; do
    while IFS= read -r arguments && IFS= read -r path; do
        path=$(dirname "$page")/$path
        eval "\"$TRACETUI\" $arguments" >"$WORK/picture.svg" 2>"$WORK/err"
        [ -z "${REMAKE:-}" ] || cp "$WORK/picture.svg" "$path"
        same "$path (make docs draws it)" "$path" "$WORK/picture.svg"
        pictures=$((pictures + 1))
    done < <(awk '/^<!-- tracetui render .*--format svg/ { sub(/^<!-- tracetui /, ""); sub(/ -->$/, ""); print
            getline; gsub(/^!\[[^]]*\]\(|\)$/, ""); print }' "$page")
done
same_text "pictures were found" 1 "$((pictures >= 2))"
same_text "a page has each of the pictures" "$pictures" "$(find docs/pictures -name '*.svg' | wc -l)"

# ---- required names in the README
# Each format that --help lists, by its first extension.
"$TRACETUI" --help | sed -n '/Formats:$/,/^$/p' | sed -n 's/^  [^.]* \(\.[a-z]*\).*/\1/p' | sort >"$WORK/formats"
missing=$(while IFS= read -r extension; do
    grep -q -F "\`$extension\`" README.md || echo "$extension"
done <"$WORK/formats")
same_text "the formats are in the README" "" "$missing"
same_text "--help lists formats" 1 "$(($(wc -l <"$WORK/formats") >= 1))"
# Each page is reachable from it.
missing=$(for page in docs/*.md docs/tracetui.1; do
    grep -q -F "$page" README.md || echo "$page"
done)
same_text "every page is named in the README" "" "$missing"
# Links point to existing files.
missing=$(for page in README.md docs/*.md; do
    grep -oE '\]\([^)#:]+\)' "$page" | sed 's/^](//; s/)$//' | while read -r link; do
        [ -e "$(dirname "$page")/$link" ] || echo "$page: $link"
    done
done)
same_text "links lead somewhere" "" "$missing"
# Each format's page has the sections on decoded, inferred and unknown facts.
missing=$(for page in docs/format-*.md; do
    for word in '[Dd]ecoded' '[Ii]nferred' '[Nn]ot known'; do
        grep -qE "^#+ .*$word" "$page" || echo "$page: no heading with $word"
    done
done)
same_text "the pages of formats say how sure they are" "" "$missing"

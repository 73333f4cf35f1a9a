# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Plays docs/tutorial.md in a terminal: types every block of keys and checks that all lines of the
# following block of screen are on the screen, in order.
. tests/lib/case.sh
. tests/lib/screen.sh

PAGE=docs/tutorial.md

# lines_stand: true if the lines of $WORK/block are on the screen, in their order
lines_stand() {
    screen_text | sed 's/ *$//' >"$WORK/now"
    awk 'NR == FNR { want[++n] = $0; next } at < n && $0 == want[at + 1] { at++ }
         END { exit at < n }' "$WORK/block" "$WORK/now"
}

# check_block STEP
check_block() {
    if poll lines_stand; then
        ok "$1"
    else
        not_ok "$1" "the page has a line that is not on the screen"
        diff "$WORK/block" "$WORK/now" | sed 's/^/    /'
    fi
}

screen_open 80x24
screen_start --no-config samples/demo.kev
screen_await ' of [0-9,]+ (events|match(es)?) *$'

step=start count=0 block=
while IFS= read -r line || [ -n "$line" ]; do
    case $line in
    '```keys') block=keys ;;
    '```screen')
        block=screen
        : >"$WORK/block"
        ;;
    '```')
        if [ "$block" = screen ]; then
            count=$((count + 1))
            check_block "screen $count, after $step"
        fi
        block=
        ;;
    *)
        if [ "$block" = keys ]; then
            step=$line
            for key in $line; do screen_keys "$key"; done
        elif [ "$block" = screen ]; then
            printf '%s\n' "$line" >>"$WORK/block"
        fi
        ;;
    esac
done <$PAGE
screen_wait "the last key leaves" '^status=0'
same_text "all screens of the page were compared" "$(grep -c '^```screen' $PAGE)" "$count"
same_text "the page answers each question" "1 1 1" \
    "$(for keys in 'd' 'Q i' 'Q c'; do grep -A 1 '^```keys' $PAGE | grep -cx "$keys"; done | xargs)"

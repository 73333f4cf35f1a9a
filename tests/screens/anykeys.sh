# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Keys at random, screens of random sizes, captures intact and damaged: the program must print a
# screen of the right size and nothing else. The sequence is the same in every run.
. tests/lib/case.sh

KEYS=(j k h l g G J K H L '{' '}' '[' ']' t c o O q 1 5 y m a "'" : '50%' 1234 0.01s 'x' n
    '<Down>' '<Up>' '<Left>' '<Right>' '<PgDn>' '<PgUp>' '<Home>' '<End>' '<Enter>' '<Enter>'
    '<Tab>' '<S-Tab>' '<Esc>' '<Space>' '<BS>' '<C-d>' '<C-u>' '<C-l>' '<F1>' '?' 'ä' '日'
    '<C-n>' '<C-p>' '<C-w>' '<C-k>' M)
RANDOM=20
mapfile -t captures < <(ls samples/*.kev ../shared/captures/*/*.{trx,fxt,kev} 2>/dev/null)

bad=0
count=${ANYKEYS:-150}
for ((i = 0; i < count; i++)); do
    capture=${captures[RANDOM % ${#captures[@]}]}
    width=$((RANDOM % 5 == 0 ? RANDOM % 50 + 1 : RANDOM % 180 + 40))
    height=$((RANDOM % 5 == 0 ? RANDOM % 12 + 1 : RANDOM % 60 + 8))
    keys=
    for ((j = RANDOM % 40; j > 0; j--)); do
        keys+=${KEYS[RANDOM % ${#KEYS[@]}]}
    done
    view=$([ $((RANDOM % 3)) -eq 0 ] && echo info || echo events)
    ascii=$([ $((RANDOM % 4)) -eq 0 ] && echo --ascii)
    # shellcheck disable=SC2086 # no option is no argument
    run "$TRACETUI" render $view $ascii --size ${width}x$height --keys "$keys" "$capture"
    lines=$(wc -l <"$WORK/out")
    widest=$(wc -L <"$WORK/out")
    if [ "$code" -gt 1 ]; then
        # An unusable capture is reported in one line and shows no screen.
        [ "$code" -eq 2 ] && [ "$(wc -l <"$WORK/err")" -eq 1 ] && [ "$lines" -eq 0 ] && continue
    elif [ "$lines" -eq "$height" ] && [ "$widest" -le "$width" ]; then
        continue
    fi
    bad=$((bad + 1))
    echo "    status $code, $lines lines of $height, $widest columns of $width: $view $ascii '$keys' $capture"
    head -n 20 "$WORK/err"
done
if [ "$bad" -eq 0 ]; then ok "$count random sequences of keys"; else not_ok "$count random sequences of keys" "$bad failed"; fi

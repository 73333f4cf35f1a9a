# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Keys at random, screens of random sizes, captures intact and damaged: the program must draw a
# screen of the right size and nothing else. The sequence is the same in every run.
. tests/lib/case.sh

KEYS=(j k h l g G J K H L '{' '}' '[' ']' t c o O q 1 5 y m a "'" : '50%' 1234 0.01s 'x' n
    '<Down>' '<Up>' '<Left>' '<Right>' '<PgDn>' '<PgUp>' '<Home>' '<End>' '<Enter>' '<Enter>'
    '<Tab>' '<S-Tab>' '<Esc>' '<Space>' '<BS>' '<C-d>' '<C-u>' '<C-l>' '<F1>' '?' 'ä' '日'
    '<C-n>' '<C-p>' '<C-w>' '<C-k>' M '<C-o>' '<C-o>' '<C-t>' '<C-g>' '<C-r>' '@' '<BS>' b)
RANDOM=20
mapfile -t captures < <(ls samples/*.kev ../shared/captures/*/*.{trx,fxt,kev} 2>/dev/null)
count=${ANYKEYS:-150} parts=()

# One process draws all of them; a capture that cannot be opened leaves the sample.
mkdir "$WORK/screens"
for ((i = 0; i < count; i++)); do
    capture=${captures[RANDOM % ${#captures[@]}]}
    width=$((RANDOM % 5 == 0 ? RANDOM % 50 + 1 : RANDOM % 180 + 40))
    height=$((RANDOM % 5 == 0 ? RANDOM % 12 + 1 : RANDOM % 60 + 8))
    keys=
    for ((j = RANDOM % 40; j > 0; j--)); do
        keys+=${KEYS[RANDOM % ${#KEYS[@]}]}
    done
    view=$([ $((RANDOM % 3)) -eq 0 ] && echo info || echo events)
    glyphs=$([ $((RANDOM % 4)) -eq 0 ] && echo ascii || echo utf8)
    parts+=("$width $height $view $glyphs $capture $keys")
    printf ':size %dx%d\n:open %s\n:set glyphs %s\n:view.%s\n<F12>%s\n:picture %s\n:restart\n' "$width" "$height" \
        "$capture" "$glyphs" "$view" "$keys" "$WORK/screens/$i"
done >"$WORK/script"
run "$TRACETUI" render events --script "$WORK/script" samples/demo.kev
if [ "$code" -le 1 ]; then ok "a script plays them"; else not_ok "a script plays them" "status $code: $(head -n 20 "$WORK/err")"; fi

bad=0 drawn=0
for ((i = 0; i < count; i++)); do
    read -r width height view glyphs capture keys <<<"${parts[i]}"
    if [ ! -e "$WORK/screens/$i" ]; then
        [[ $keys == *q* ]] && continue # it may have quit
        echo "    no screen: ${parts[i]}"
    else
        drawn=$((drawn + 1))
        lines=$(wc -l <"$WORK/screens/$i")
        widest=$(wc -L <"$WORK/screens/$i")
        [ "$lines" -ne "$height" ] || [ "$widest" -gt "$width" ] || continue
        echo "    $lines lines of $height, $widest columns of $width: $view $glyphs '$keys' $capture"
    fi
    bad=$((bad + 1))
done
if [ "$bad" -eq 0 ] && [ "$drawn" -gt $((count / 2)) ]; then
    ok "$count random sequences of keys"
else
    not_ok "$count random sequences of keys" "$bad failed, $drawn drawn"
fi

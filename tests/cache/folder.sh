#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The directory of the index cache: bounded in size, its failures harmless.
. tests/lib/case.sh
. tests/lib/cache.sh

total() { find "$CACHE" -type f -printf '%s\n' 2>/dev/null | awk '{ n += $1 } END { print n + 0 }'; }

for i in 1 2 3 4; do
    "$TTSIM" --scenario mixed --events 400000 --seed "$i" --format kev -o "$WORK/$i.kev" || exit 2
done
settle
for i in 1 2 3 4; do "$TRACETUI" info --no-cache "$WORK/$i.kev" >"$WORK/$i.expected"; done

# ---- size ------------------------------------------------------------------------------------

"$TRACETUI" info "$WORK/1.kev" >/dev/null
one=$(total)
first=$(kept_files)
limit=$((one * 5 / 2)) # two of them, and not a third
"$TRACETUI" info --cache-limit $limit "$WORK/2.kev" >/dev/null
same_text "two are kept" 2 "$(kept_count)"
sleep 0.05
"$TRACETUI" info --cache-limit $limit "$WORK/1.kev" >/dev/null # it is used: now the other is older
sleep 0.05
"$TRACETUI" info --cache-limit $limit "$WORK/3.kev" >/dev/null
same_text "a third takes the place of one" 2 "$(kept_count)"
[ -e "$first" ] && ok "that was not used lately" || not_ok "that was not used lately" "$(ls "$CACHE")"
[ "$(total)" -le "$limit" ] && ok "all are within the limit" || not_ok "all are within the limit" "$(total)"
"$TRACETUI" info --cache-limit 1K "$WORK/4.kev" >"$WORK/now"
same "one that may not be kept is read as well" "$WORK/4.expected" "$WORK/now"
same_text "and nothing had to go for it" 2 "$(kept_count)"
echo mine >"$CACHE/index-of-a-book"
echo mine >"$CACHE/notes"
"$TRACETUI" info --cache-limit $limit "$WORK/4.kev" >/dev/null
same_text "what else is in the folder stays" "mine mine" \
    "$(cat "$CACHE/index-of-a-book" "$CACHE/notes" | xargs)"

# ---- unusable directories --------------------------------------------------------------------

rm -rf "$CACHE"
: >"$WORK/file"
for place in /dev/null "$WORK/file" /proc/self; do
    XDG_CACHE_HOME=$place "$TRACETUI" info "$WORK/1.kev" >"$WORK/now" 2>"$WORK/err"
    same_text "no place in $(basename "$place") is no error" "0 " "$? $(cat "$WORK/err")"
    same "and nothing is missing" "$WORK/1.expected" "$WORK/now"
done
env -u XDG_CACHE_HOME HOME="$WORK/home" "$TRACETUI" info "$WORK/1.kev" >/dev/null
same_text "without XDG_CACHE_HOME it is ~/.cache" 1 \
    "$(find "$WORK/home/.cache/tracetui" -name 'index-*' | wc -l)"

# ---- two processes, and one that is killed -----------------------------------------------------

for i in 1 2 3 4 5 6; do
    "$TRACETUI" info "$WORK/1.kev" >"$WORK/at-once.$i" 2>&1 &
done
wait
for i in 1 2 3 4 5 6; do cmp -s "$WORK/1.expected" "$WORK/at-once.$i" || echo "$i"; done >"$WORK/bad"
same_text "several at once print what one prints" "" "$(cat "$WORK/bad")"
same_text "and keep one index" "1 0" "$(kept_count) $(unfinished_files | grep -c .)"

rm -rf "$CACHE"
for i in 0 1 2 3 4 5 6 7 8 9; do
    "$TRACETUI" stats "$WORK/1.kev" >/dev/null 2>&1 &
    victim=$!
    sleep "0.0$((i * 7))"
    kill -9 "$victim"
    wait "$victim"
    "$TRACETUI" info --cache-limit 1K "$WORK/1.kev" 2>&1 | cmp -s "$WORK/1.expected" - ||
        echo "after $i"
    rm -f "$CACHE"/index-????????????????
done >"$WORK/bad" 2>/dev/null
same_text "one that is killed leaves nothing wrong" "" "$(cat "$WORK/bad")"
mkdir -p "$CACHE"
echo half >"$CACHE/index-0123456789abcdef.Ab3xYz"
touch -d '2 hours ago' "$CACHE/index-0123456789abcdef.Ab3xYz"
"$TRACETUI" info "$WORK/2.kev" >/dev/null
[ ! -e "$CACHE/index-0123456789abcdef.Ab3xYz" ] && ok "what it left is removed later" ||
    not_ok "what it left is removed later"

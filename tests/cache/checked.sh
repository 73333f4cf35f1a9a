#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# An index cache that is damaged, foreign or of another capture is detected and rebuilt.
. tests/lib/case.sh
. tests/lib/cache.sh

capture=$WORK/capture.kev
large_capture kev "$capture"

# answers [FILE] [OPTION...]: prints the output to compare
answers() {
    local file=${1:-$capture}
    shift
    "$TRACETUI" info "$@" "$file" && "$TRACETUI" stats --by thread --format csv "$@" "$file"
}

# is_taken FILE [OPTION...]: true if the index came from the cache
is_taken() {
    local file=$1
    shift
    "$TRACETUI" render info --size 120x50 "$@" "$file" | grep -q ', from the index cache'
}

# kept_again NAME: the cache is not used, the output is right, and the rewritten cache is used the next time
kept_again() {
    if is_taken "$capture"; then
        not_ok "$1: it is noticed" "it was taken"
    else
        ok "$1: it is noticed"
    fi
    answers "$capture" >"$WORK/now" 2>&1
    same "$1: what is printed is right" "$WORK/expected" "$WORK/now"
    is_taken "$capture" && ok "$1: the index cache was rebuilt" || not_ok "$1: the index cache was rebuilt"
}

# flip FILE OFFSET: inverts one bit of a byte
flip() {
    python3 -c '
import sys
with open(sys.argv[1], "r+b") as file:
    file.seek(int(sys.argv[2]))
    byte = file.read(1)
    file.seek(int(sys.argv[2]))
    file.write(bytes([byte[0] ^ 16]))' "$1" "$2"
}

answers "$capture" --no-cache >"$WORK/expected" 2>&1
answers "$capture" >/dev/null 2>&1
kept=$(kept_files)
same_text "its folder is private" 700 "$(stat -c %a "$CACHE")"
same_text "and so is the file" 600 "$(stat -c %a "$kept")"

# ---- the cache file --------------------------------------------------------------------------

# In the header, in sections and in the directory; the unit tests change every bit of a small one.
for part in 3 24 70 size/2 size-8; do
    size=$(stat -c %s "$kept")
    flip "$kept" $((part))
    kept_again "a bit of byte $part of $size"
done
truncate -s $((size / 2)) "$kept"
kept_again "cut in half"
: >"$kept"
kept_again "empty"
head -c 1000000 /dev/urandom >"$kept"
kept_again "other bytes"
rm "$kept" && mkdir "$kept"
answers "$capture" >"$WORK/now" 2>&1
same "a folder in its place: what is printed is right" "$WORK/expected" "$WORK/now"
rmdir "$kept"
kept_again "nothing there"
if [ "$(id -u)" -eq 0 ]; then
    chown 65534 "$kept"
    kept_again "another person's"
else
    skip "a cache of another user" "only root can change the owner of files"
fi

# ---- the capture -----------------------------------------------------------------------------

touch "$capture"
settle
kept_again "the capture was touched"
cp -p "$capture" "$WORK/sound"
flip "$capture" 20000
touch -r "$WORK/sound" "$capture"
settle
answers "$capture" --no-cache >"$WORK/expected" 2>&1
kept_again "a byte was changed and the time restored"
tail -c 360000 "$WORK/sound" >>"$capture"
settle
answers "$capture" --no-cache >"$WORK/expected" 2>&1
kept_again "it has grown"
cp -p "$WORK/sound" "$capture"
settle
answers "$capture" --no-cache >"$WORK/expected" 2>&1
kept_again "it was restored"

# ---- options of decoding ---------------------------------------------------------------------

printf '[user]\n7 = seven\n' >"$WORK/names"
for option in "--clock 5M" "--names $WORK/names"; do
    # shellcheck disable=SC2086
    is_taken "$capture" $option && not_ok "${option%% *} makes another index" || ok "${option%% *} makes another index"
done

# ---- captures without a cache ------------------------------------------------------------------

rm -rf "$CACHE"
"$TRACETUI" info samples/demo.kev >/dev/null
cat "$capture" | "$TRACETUI" info - >/dev/null
zstd -q "$capture" -o "$WORK/capture.zst" && "$TRACETUI" info "$WORK/capture.zst" >/dev/null
same_text "no index cache of a small capture or of one without a file" 0 "$(kept_count)"

# ---- a format with types from the file, and functions and markers that are types ----------------
capture=$WORK/capture.dat
large_capture ftrace "$capture" 200000
answers "$capture" --no-cache >"$WORK/expected" 2>&1
answers "$capture" >/dev/null 2>&1
is_taken "$capture" && ok "ftrace: the index cache is used" || not_ok "ftrace: the index cache is used"
answers "$capture" >"$WORK/now" 2>&1
same "ftrace: what is printed is right" "$WORK/expected" "$WORK/now"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The index of a capture that has grown is resumed from the cache: the result equals that of the whole
# file, bit for bit. An index that cannot be resumed is rebuilt.
. tests/lib/case.sh
. tests/lib/cache.sh

capture=$WORK/capture

# grow FILE SIZE: the capture becomes the first SIZE bytes of the file
grow() {
    head -c "$2" "$1" | tail -c +$(($(stat -c %s "$capture" 2>/dev/null || echo 0) + 1)) >>"$capture"
    settle
}

# is_resumed: true if the index was resumed from the cache of a shorter file
is_resumed() {
    "$TRACETUI" render info --size 150x50 "$capture" 2>/dev/null | grep -q ' bytes from the index cache'
}

# copy NAME: copies the cache directory to NAME
copy() { rm -rf "${WORK:?}/$1" && mkdir "$WORK/$1" && cp -r "$CACHE/." "$WORK/$1/"; }
put_back() { rm -rf "$CACHE" && mkdir -p "$CACHE" && cp -r "$WORK/$1/." "$CACHE/"; }

# steps NAME FILE SIZE...: indexed at the first size, resumed at each other one and at the end; the cache
# is then equal, byte by byte, to that of the whole file
steps() {
    local name=$1 file=$2 size
    shift 2
    rm -rf "$CACHE" "$capture"
    grow "$file" "$1"
    "$TRACETUI" info "$capture" >/dev/null 2>&1
    shift
    for size in "$@" "$(stat -c %s "$file")"; do
        [ "$(stat -c %s "$capture")" -lt "$size" ] || continue
        grow "$file" "$size"
        copy before
        is_resumed && ok "$name: resumed at $size" || not_ok "$name: resumed at $size"
        put_back before
        "$TRACETUI" info "$capture" >"$WORK/info.with" 2>&1
        same_text "$name: one index is kept of it" 1 "$(kept_count)"
        copy with
        rm -rf "$CACHE"
        "$TRACETUI" info "$capture" >"$WORK/info.without" 2>&1
        same "$name: the same is said of it at $size" "$WORK/info.without" "$WORK/info.with"
        copy without
        diff -rq "$WORK/without" "$WORK/with" >"$WORK/differ" &&
            ok "$name: the same is kept of it at $size" ||
            not_ok "$name: the same is kept of it at $size" "$(cat "$WORK/differ")"
        put_back with
    done
}

# ---- resumed at any size -----------------------------------------------------------------------

sim() { "$TTSIM" --scenario "$1" --seed "$2" --events "$3" -o "$WORK/file" "${@:4}" || exit 2; }

sim mixed 1 300000 --format kev
steps "kev" "$WORK/file" 8400000 8400001 8900017
sim churn 2 250000 --format kev --lose 40
steps "kev with losses" "$WORK/file" 8500013
sim mixed 3 330000 --format fxt
steps "fxt" "$WORK/file" 8400000 8400003 8900017
sim churn 4 400000 --format fxt --fxt-sched legacy --lose 30
steps "fxt with losses" "$WORK/file" 8500013
sim mixed 5 400000 --format btrace
steps "btrace" "$WORK/file" 8400000 8700017
sim churn 6 360000 --format btrace --lose 40
steps "btrace with losses" "$WORK/file" 8410933 8437878

# ---- rebuilt -----------------------------------------------------------------------------------

# made_anew NAME: the index is rebuilt, not resumed
made_anew() {
    settle
    copy before
    is_resumed && not_ok "$1: it is rebuilt" || ok "$1: it is rebuilt"
    put_back before
    "$TRACETUI" info --no-cache "$capture" >"$WORK/expected" 2>&1
    "$TRACETUI" info "$capture" >"$WORK/now" 2>&1
    same "$1: what is said of it is right" "$WORK/expected" "$WORK/now"
}

# begin: the capture becomes a part of the file and is indexed
begin() {
    rm -rf "$CACHE" "$capture"
    grow "$WORK/file" 9000000
    "$TRACETUI" info "$capture" >/dev/null 2>&1
}

# sample_free OFFSET: prints 1 if no sample of the identity of 9,000,000 bytes has that byte
sample_free() { echo $(($1 % (9000000 / 65) >= 4096 && $1 > 65536 && $1 < 9000000 - 65536)); }

# overwrite OFFSET: changes one byte
overwrite() { printf '\377' | dd of="$capture" bs=1 seek="$1" conv=notrunc status=none; }

sim mixed 8 300000 --format kev
begin
truncate -s 8600000 "$capture"
made_anew "truncated"
begin
overwrite 20001
grow "$WORK/file" 9500000
made_anew "changed at its beginning, and grown"
begin
overwrite $((9000000 / 65 * 20 + 1001))
grow "$WORK/file" 9500000
made_anew "changed where a sample is, and grown"
# Between the samples, where the output depends on it: a time stamp of the middle.
begin
overwrite 5000028
grow "$WORK/file" 9500000
same_text "changed in the middle, and grown: no sample is there" 1 "$(sample_free 5000028)"
made_anew "changed in the middle, and grown"
begin
grow "$WORK/file" 9500000
"$TRACETUI" render info --size 150x50 "$capture" >"$WORK/screen"
says "Info has what was compared" 'of the first 9,000,000 bytes from the index cache \(all compared\)' "$WORK/screen"
begin
overwrite 8999000
grow "$WORK/file" 9500000
made_anew "changed at its end, and grown"
begin
kept=$(kept_files)
printf '\377' | dd of="$kept" bs=1 seek=$(($(stat -c %s "$kept") / 2)) conv=notrunc status=none
grow "$WORK/file" 9500000
made_anew "what was kept is damaged, and it has grown"
sim mixed 9 300000 --format kev --kev-version 8.0
begin
grow "$WORK/file" 9500000
made_anew "a capture whose threads are distinguished by time"
same_text "and what was kept of it before is removed" 1 "$(kept_count)"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A capture that has grown, or was cut or changed, is indexed again; its new index cache replaces the
# one before.
. tests/lib/case.sh
. tests/lib/cache.sh

capture=$WORK/capture

# grow SIZE: the capture becomes the first SIZE bytes of the file
grow() {
    head -c "$1" "$WORK/file" | tail -c +$(($(stat -c %s "$capture" 2>/dev/null || echo 0) + 1)) >>"$capture"
    settle
}

# begin: the capture becomes a part of the file and is indexed
begin() {
    rm -rf "$CACHE" "$capture"
    grow 8500013
    "$TRACETUI" info "$capture" >/dev/null 2>&1
}

is_taken() { "$TRACETUI" render info --size 150x50 "$capture" 2>/dev/null | grep -q ', from the index cache'; }

# made_anew NAME: the index is rebuilt, and then taken from the cache
made_anew() {
    settle
    is_taken && not_ok "$1: it is rebuilt" || ok "$1: it is rebuilt"
    "$TRACETUI" info --no-cache "$capture" >"$WORK/expected" 2>&1
    "$TRACETUI" info "$capture" >"$WORK/now" 2>&1
    same "$1: what is said of it is right" "$WORK/expected" "$WORK/now"
    is_taken && ok "$1: the new index is taken" || not_ok "$1: the new index is taken"
    same_text "$1: one index is kept of it" 1 "$(kept_count)"
}

# overwrite OFFSET: changes one byte
overwrite() { printf '\377' | dd of="$capture" bs=1 seek="$1" conv=notrunc status=none; }

for format in kev fxt btrace; do
    large_capture "$format" "$WORK/file"
    begin
    grow 8900017
    made_anew "$format has grown"
done
large_capture kev "$WORK/file"
begin
truncate -s 8400000 "$capture"
made_anew "truncated"
begin
overwrite 5000028
made_anew "changed in the middle, where no sample is"
begin
overwrite 20001
grow 8900017
made_anew "changed at its beginning, and grown"
mv "$capture" "$WORK/moved"
capture=$WORK/moved
made_anew "moved"

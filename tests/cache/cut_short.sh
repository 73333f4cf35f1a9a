#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# An index cache that is truncated while in use: this is detected, and the capture is indexed again.
. tests/lib/case.sh
. tests/lib/cache.sh
. tests/lib/screen.sh

capture=$WORK/a.kev
large_capture kev "$capture"
"$TRACETUI" render threads --size 100x22 --no-cache "$capture" >"$WORK/expected"
"$TRACETUI" info "$capture" >/dev/null

screen_open 100x24
screen_start "$capture"
screen_wait "it is shown" '2nd of|of 400,000'
truncate -s 100000 "$(kept_files)"
screen_keys 2
screen_wait "cut short: reported, and indexed again" 'truncated: indexing again'
screen_keys 4
screen_wait "numbers are there" 'ran'
screen_keys 5
screen_wait "and it is kept again" 'index .*, cached'
screen_keys q
screen_wait "and it ends well" 'status=0'
same_text "the cache file is complete" 1 "$(kept_count)"
"$TRACETUI" render threads --size 100x22 "$capture" >"$WORK/now"
same "and the answers are right" "$WORK/expected" "$WORK/now"

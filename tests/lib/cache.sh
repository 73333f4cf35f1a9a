# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# For the tests of the index cache; source it after tests/lib/case.sh. $CACHE is its directory, empty at
# first.

CACHE=$XDG_CACHE_HOME/tracetui

# large_capture FORMAT FILE [EVENTS]: makes a capture that is large enough for the cache, and settles
large_capture() {
    needs_release
    build/release/ttsim --scenario mixed --events "${3:-400000}" --format "$1" -o "$2" || exit 2
    [ "$(stat -c %s "$2")" -gt 8388608 ] || not_ok "a large capture" "it is small"
    settle
}

# settle: waits until the last modification time is in the past
settle() { sleep 0.15; }

kept_files() { find "$CACHE" -type f -name 'index-????????????????' 2>/dev/null | sort; }
kept_count() { kept_files | grep -c . ; }
unfinished_files() { find "$CACHE" -type f -name 'index-*.*' 2>/dev/null; }

# has NAME TEXT WHERE: WHERE contains the text
has() {
    case $3 in
    *"$2"*) ok "$1" ;;
    *) not_ok "$1" "no '$2' in: $3" ;;
    esac
}

# everything FILE OPTION...: prints the output of all commands of $PROGRAM ($TRACETUI); before_each is called
# before each. The reference without a cache comes from the release build: it has no part of the cache.
before_each() { :; }
everything() {
    local file=$1 by view
    shift
    tracetui info "$@" "$file"
    tracetui info --format jsonl "$@" "$file"
    tracetui dump "$@" "$file" | cksum
    tracetui dump --format csv --filter 'cpu = 0' "$@" "$file" | cksum
    for by in thread cpu process pair event total; do
        tracetui stats --by "$by" --format csv "$@" "$file"
        tracetui stats --by "$by" --format csv --from 30% --to 45% "$@" "$file"
    done
    for view in events threads cpus summary info snapshot; do
        # Memory and source of the index may differ.
        tracetui render "$view" --size 120x50 "$@" "$file" | grep -v ' index  '
        tracetui render "$view" --size 80x24 --keys ':50%<Enter>+++<Enter>jj' "$@" "$file" |
            grep -v ' index  '
    done
}
tracetui() {
    before_each
    "${PROGRAM:-$TRACETUI}" "$@"
}

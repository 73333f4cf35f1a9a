# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# For the tests of the cache, behind tests/lib/case.sh: the folder is empty, $CACHE is where kept
# files go.

CACHE=$XDG_CACHE_HOME/tracetui

# large_capture FORMAT FILE [EVENTS]: one that is worth keeping, and was not written just now
large_capture() {
    "$TTSIM" --scenario mixed --events "${3:-400000}" --format "$1" -o "$2" || exit 2
    [ "$(stat -c %s "$2")" -gt 8388608 ] || not_ok "a large capture" "it is small"
    settle
}

# settle: the time of what was written last is past
settle() { sleep 0.15; }

kept_files() { find "$CACHE" -type f -name 'index-????????????????' 2>/dev/null | sort; }
kept_count() { kept_files | grep -c . ; }
unfinished_files() { find "$CACHE" -type f -name 'index-*.*' 2>/dev/null; }

# has NAME TEXT WHERE: the text is somewhere in it
has() {
    case $3 in
    *"$2"*) ok "$1" ;;
    *) not_ok "$1" "no '$2' in: $3" ;;
    esac
}

# everything FILE OPTION...: whatever the commands say of it; before_each is called before each
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
    for view in events threads cpus summary info; do
        # What the index takes, and where it came from, is its own affair.
        tracetui render "$view" --size 120x50 "$@" "$file" | grep -v ' index  '
        tracetui render "$view" --size 80x24 --keys ':50%<Enter>+++<Enter>jj' "$@" "$file" |
            grep -v ' index  '
    done
}
tracetui() {
    before_each
    "$TRACETUI" "$@"
}

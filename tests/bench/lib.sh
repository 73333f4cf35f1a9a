# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# For the parts of `make bench`. A part is a script of its own: it prints rows, and writes one JSON
# value to build/bench/NAME.json, which run.sh joins. Ratios are computed pair by pair: A and B run
# in alternation, and the median of the pairs' ratios counts, so that drift of the machine's speed
# affects single pairs only. BENCH_PAIRS (5) is the number of pairs.

variant=build/release
folder=build/bench
mkdir -p "$folder"
export LC_ALL=C.UTF-8
# The index cache is used only where it is measured.
export XDG_CACHE_HOME=/dev/null
pairs=${BENCH_PAIRS:-5}

# judge WHAT VALUE BAR: records for run.sh whether a figure meets its bar: "BAR / AIM", where more is
# better if the aim is the larger number, "at least N" or "at most N". Other bars are ignored.
judge() {
    awk -v what="$1" -v value="$2" -v bar="$3" '
    function reaches(bar, more) {
        return value ~ /^[0-9.]+$/ && (more ? value + 0 >= bar + 0 : value + 0 <= bar + 0)
    }
    BEGIN {
        if (split(bar, word, " ") != 3 || bar !~ /^(at (least|most)|[0-9.]+ \/) [0-9.]+$/) {
            exit
        }
        if (word[1] == "at") {
            met = reaches(word[3], word[2] == "least")
            aim = "none"
        } else {
            more = word[3] + 0 > word[1] + 0
            met = reaches(word[1], more)
            aim = reaches(word[3], more) ? "reached" : "ahead"
        }
        printf "%s\t%s\t%s\t%s\t%s\n", met ? "met" : "missed", aim, what, value, bar
    }' >>"$folder/verdicts"
}

# row WHAT VALUE [BAR]: prints a row. A name that begins with dots continues the previous one.
subject=
row() {
    printf '%-48s %12s   %s\n' "$1" "$2" "${3:-}"
    case $1 in
    ...*) judge "$subject $1" "$2" "${3:-}" ;;
    *)
        subject=$1
        judge "$1" "$2" "${3:-}"
        ;;
    esac
}
field() { sed -n "s/.*\"$1\":\"\{0,1\}\([^,}\"]*\).*/\1/p" <<<"$2"; }
# part OBJECT KEY FIELD: prints a number of the object at KEY
part() { sed -n "s/.*\"$2\":{\([^}]*\)}.*/\1/p" <<<"$1" | sed -n "s/.*\"$3\":\([0-9.]*\).*/\1/p"; }
million() { awk -v n="$1" -v s="$2" 'BEGIN { printf "%.2f", n / s / 1e6 }'; }
milliseconds() { awk -v s="$1" 'BEGIN { printf "%.1f", s * 1e3 }'; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.3f", a / b }'; }
# median: prints the median of the numbers on standard input, one per line
median() { sort -g | awk '{ v[NR] = $1 } END { printf "%s", v[int((NR + 1) / 2)] }'; }

# once COMMAND...: prints the seconds of one run; discards its output
once() {
    local start end
    start=$(date +%s%N)
    "$@" >/dev/null 2>&1 </dev/null || { echo "bench: failed: $*" >&2; return 1; }
    end=$(date +%s%N)
    awk -v ns=$((end - start)) 'BEGIN { printf "%.6f", ns / 1e9 }'
}

# seconds COMMAND...: prints the median of the runs
seconds() {
    local i
    for ((i = 0; i < pairs; i++)); do
        once "$@" || return 1
        echo
    done | median
}

# make_capture EVENTS FORMAT: creates the capture if missing; its path is in $capture
make_capture() {
    capture=$folder/mixed-$1.$2
    if [ ! -s "$capture" ]; then
        build/ttsim --scenario mixed --events "$1" --format "$2" -o "$capture.new" &&
            mv "$capture.new" "$capture" || exit 2
    fi
}

# has_room MILLIONS: true if the disk has room for a capture of that many million events, and a reserve
has_room() {
    local free
    free=$(df -Pk "$folder" 2>/dev/null | awk 'NR == 2 { print int($4 / 1024) }')
    [ "${free:-0}" -gt $((40 * $1 + 2000)) ]
}

# make_crowd EVENTS: creates a capture of many threads on many CPUs; its path is in $crowd
make_crowd() {
    crowd=$folder/crowd-$1.kev
    if [ ! -s "$crowd" ]; then
        build/ttsim --cpus 64 --processes 100 --threads 1900 --events "$1" -o "$crowd.new" &&
            mv "$crowd.new" "$crowd" || exit 2
    fi
}

load() { cut -d' ' -f1 /proc/loadavg 2>/dev/null || echo unknown; }

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# For the parts of `make bench`. A part is a script of its own: it prints rows, and writes one JSON
# value to build/bench/NAME.json, which run.sh joins. Ratios are taken pair by pair: A and B run in
# turn, and the median of the pairs' ratios counts, so that drift of the machine's speed affects single
# pairs only. BENCH_PAIRS (5) is the number of pairs.

variant=build/release
folder=build/bench
mkdir -p "$folder"
export LC_ALL=C.UTF-8
# Nothing is kept, and nothing taken, but where that is measured.
export XDG_CACHE_HOME=/dev/null
pairs=${BENCH_PAIRS:-5}

# judge WHAT VALUE BAR: notes for run.sh whether a figure is at its bar: "LEAST / AIM", where more is
# better if the aim is the larger number, "at least N" or "at most N". Nothing else is judged.
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

# row WHAT VALUE [BAR]: prints it. Of a name that begins with dots the rest is the last one's.
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
# part OBJECT KEY FIELD: a number of the object that stands under KEY
part() { sed -n "s/.*\"$2\":{\([^}]*\)}.*/\1/p" <<<"$1" | sed -n "s/.*\"$3\":\([0-9.]*\).*/\1/p"; }
million() { awk -v n="$1" -v s="$2" 'BEGIN { printf "%.2f", n / s / 1e6 }'; }
milliseconds() { awk -v s="$1" 'BEGIN { printf "%.1f", s * 1e3 }'; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.3f", a / b }'; }
# median: of the numbers on standard input, one a line
median() { sort -g | awk '{ v[NR] = $1 } END { printf "%s", v[int((NR + 1) / 2)] }'; }

# once COMMAND...: seconds it takes, its output thrown away
once() {
    local start end
    start=$(date +%s%N)
    "$@" >/dev/null 2>&1 </dev/null || { echo "bench: failed: $*" >&2; return 1; }
    end=$(date +%s%N)
    awk -v ns=$((end - start)) 'BEGIN { printf "%.6f", ns / 1e9 }'
}

# seconds COMMAND...: the median of the runs
seconds() {
    local i
    for ((i = 0; i < pairs; i++)); do
        once "$@" || return 1
        echo
    done | median
}

# make_capture EVENTS FORMAT: its path in $capture, made where it is not there yet
make_capture() {
    capture=$folder/mixed-$1.$2
    if [ ! -s "$capture" ]; then
        build/ttsim --scenario mixed --events "$1" --format "$2" -o "$capture.new" &&
            mv "$capture.new" "$capture" || exit 2
    fi
}

# has_room MILLIONS: is there disk for a capture of so many million events, and some to spare?
has_room() {
    local free
    free=$(df -Pk "$folder" 2>/dev/null | awk 'NR == 2 { print int($4 / 1024) }')
    [ "${free:-0}" -gt $((40 * $1 + 2000)) ]
}

# make_crowd EVENTS: one of many threads on many CPUs, its path in $crowd
make_crowd() {
    crowd=$folder/crowd-$1.kev
    if [ ! -s "$crowd" ]; then
        build/ttsim --cpus 64 --processes 100 --threads 1900 --events "$1" -o "$crowd.new" &&
            mv "$crowd.new" "$crowd" || exit 2
    fi
}

load() { cut -d' ' -f1 /proc/loadavg 2>/dev/null || echo unknown; }

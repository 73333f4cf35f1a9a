# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# For the shell tests: a test file starts with
#
#     . tests/lib/case.sh
#
# and is run from the top of the tree as `bash FILE BUILD_DIR`, or by `prove -e bash FILE :: BUILD_DIR`.
# It has $BUILD, $TRACETUI, $TTSIM and an empty directory $WORK, and prints its cases as TAP with ok,
# not_ok, skip or one of the checks below.

BUILD=${1:-build/release}
TRACETUI=$BUILD/tracetui
TTSIM=$BUILD/ttsim
WORK=$(mktemp -d) || exit 2
trap 'rm -rf "$WORK"' EXIT
# Tests neither read nor write the user's files.
export XDG_CONFIG_HOME=$WORK/config XDG_STATE_HOME=$WORK/state XDG_CACHE_HOME=$WORK/cache

# The plan comes last, when all cases are known.
exec > >(exec awk -f tests/lib/tap.awk)

# wait [PID...]: without arguments for the background jobs alone, not for the process that writes the plan
wait() {
    local pids=$*
    [ -n "$pids" ] || pids=$(jobs -p)
    # shellcheck disable=SC2086 # a list of numbers
    [ -z "$pids" ] || builtin wait $pids
}

# In TAP a # begins a directive.
ok() { printf 'ok - %s\n' "${1//#/\\#}"; }
not_ok() {
    local text="$1: ${2:-}"
    printf 'not ok - %s\n' "${text//#/\\#}"
}
skip() { printf 'ok - %s # SKIP %s\n' "${1//#/\\#}" "$2"; }

# needs FILE...: fails the test without these files, which are part of the checkout or built with the tests
needs() {
    local file
    for file; do
        [ -e "$file" ] || {
            not_ok "$file" "it is missing"
            exit 1
        }
    done
}

# needs_release: builds the release variant if it is missing, for results that a sanitizer would
# change; tests that run at the same time wait for it
needs_release() {
    local built=(build/tracetui build/ttsim build/release/tracetui build/release/ttsim build/release/libtracetui.a)
    local file missing=
    for file in "${built[@]}"; do [ -e "$file" ] || missing=$file; done
    [ -n "$missing" ] || return 0
    mkdir -p build
    (
        ! command -v flock >/dev/null || flock 9
        env -u MAKEFLAGS -u MAKELEVEL -u VARIANT make -s --no-print-directory all
    ) 9>build/.release-lock >"$WORK/made" 2>&1 || {
        not_ok "the release build" "$(tail -n 3 "$WORK/made")"
        exit 1
    }
    needs "${built[@]}"
}

# same NAME EXPECTED ACTUAL: two files are equal, byte by byte
same() {
    if cmp -s "$2" "$3"; then
        ok "$1"
    else
        not_ok "$1" "$3 is not as $2"
        diff "$2" "$3" 2>&1 | head -n 20 | sed 's/^/    /'
    fi
}

# same_text NAME EXPECTED ACTUAL: two texts are equal
same_text() {
    if [ "$2" = "$3" ]; then
        ok "$1"
    else
        not_ok "$1" "expected '$2', got '$3'"
    fi
}

# run COMMAND...: leaves $WORK/out, $WORK/err and the exit status in $code
run() {
    "$@" >"$WORK/out" 2>"$WORK/err" </dev/null
    code=$?
}

# exits NAME STATUS COMMAND...: runs it and checks its exit status; leaves out and err as run does
exits() {
    local name=$1 expected=$2
    shift 2
    run "$@"
    if [ "$code" -eq "$expected" ]; then
        ok "$name"
    else
        not_ok "$name" "exit status $code, expected $expected"
        head -n 5 "$WORK/err" | sed 's/^/    /'
    fi
}

# says NAME PATTERN FILE: a line of the file matches the extended regular expression
says() {
    if grep -aqE -- "$2" "$3"; then
        ok "$1"
    else
        not_ok "$1" "no line matches '$2' in: $(head -c 300 "$3")"
    fi
}

# one_line NAME FILE: the file is exactly one line
one_line() {
    local lines
    lines=$(wc -l <"$2")
    if [ "$lines" -eq 1 ]; then
        ok "$1"
    else
        not_ok "$1" "$lines lines: $(head -c 300 "$2")"
    fi
}

# nothing NAME FILE: the file is empty
nothing() {
    if [ -s "$2" ]; then
        not_ok "$1" "expected nothing, got: $(head -c 300 "$2")"
    else
        ok "$1"
    fi
}

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Runs the command-line cases in tests/cases/*.test:
#
#     # a comment; the last one before a command is the case's name
#     $ tracetui stats --by cpu --format csv samples/demo.kev | cut -d, -f1,7
#     > a second line of the command, if it has one
#     expected standard output, line by line
#     ! expected standard error, line by line
#     ? 2                      the exit status, if it is not 0
#
# A case ends at the next `$` or `#` line. Empty lines separate cases. An output line that is empty or
# begins with one of # $ > ! ? \ has a \ before it. The exit status of a pipe is that of its last command
# that failed.
#
# The cases of a file run one after the other, by bash, in an empty directory of their own, in which
# `samples` and `tests` are those of the tree, `captures` is ../shared/captures and `misread` ../shared/cases; cases
# with `captures/` or `misread/` are skipped where there are none. `tracetui` and `ttsim` are the programs under test.
#
#     bash tests/golden/cases.sh build/asan               all files
#     CASES=errors bash tests/golden/cases.sh build/asan  one file
#     REMAKE=1 bash tests/golden/cases.sh build/asan      rewrites what is expected; read the difference
. tests/lib/case.sh

ROOT=$(pwd)
CAPTURES=$ROOT/../shared/captures
MISREAD=$ROOT/../shared/cases

# tracetui and ttsim as commands
mkdir "$WORK/bin"
ln -s "$ROOT/$TRACETUI" "$WORK/bin/tracetui"
ln -s "$ROOT/$TTSIM" "$WORK/bin/ttsim"
PATH=$WORK/bin:$PATH

# escaped FILE: output as a .test file has it
escaped() { sed -e 's/^[#$>!?\\]/\\&/' -e 's/^$/\\/' "$1"; }

# answer COMMAND: runs it and prints what a .test file has after it
answer() {
    local code
    (cd "$dir" && exec bash -o pipefail -c "$1") >"$WORK/out" 2>"$WORK/err" </dev/null
    code=$?
    [ ! -s "$WORK/out" ] || escaped "$WORK/out"
    [ ! -s "$WORK/err" ] || sed 's/^/! /' "$WORK/err"
    [ $code -eq 0 ] || echo "? $code"
}

# finish: runs the case that was read and compares
finish() {
    [ -n "$command" ] || return 0
    local place="${file##*/}:$line $name" actual
    if [[ $command == *captures/* && ! -d $CAPTURES ]] || [[ $command == *misread/* && ! -d $MISREAD ]]; then
        skip "$place" "no captures here"
        actual=$expected
    else
        actual=$(answer "$command")
        if [ -n "${REMAKE:-}" ]; then
            ok "$place"
        elif [ "$actual" = "$expected" ]; then
            ok "$place"
        else
            not_ok "$place" "$command"
            diff <(printf '%s\n' "$expected") <(printf '%s\n' "$actual") | sed 's/^/    /'
        fi
    fi
    [ -z "$actual" ] || printf '%s\n' "$actual" >>"$WORK/remade"
    command=
    expected=
}

# run_file FILE
run_file() {
    local file=$1 dir text number=0 name='' line=0 command='' expected=''
    dir=$(mktemp -d "$WORK/case.XXXXXX")
    ln -s "$ROOT/samples" "$ROOT/tests" "$dir"
    ln -s "$CAPTURES" "$dir/captures"
    ln -s "$MISREAD" "$dir/misread"
    : >"$WORK/remade"
    while IFS= read -r text || [ -n "$text" ]; do
        number=$((number + 1))
        case $text in
        '#'*)
            finish
            name=${text#\#}
            name=${name# }
            ;;
        '$ '*)
            finish
            command=${text#\$ }
            line=$number
            ;;
        '> '*) command+=$'\n'${text#> } ;;
        '') finish ;;
        *)
            expected+=${expected:+$'\n'}$text
            continue
            ;;
        esac
        printf '%s\n' "$text" >>"$WORK/remade"
    done <"$file"
    finish
    [ -z "${REMAKE:-}" ] || cp "$WORK/remade" "$file"
}

for file in tests/cases/${CASES:-*}.test; do
    run_file "$file"
done

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Commands over several files: the same output as file by file, in the order of the files, for any number of
# processes; an unusable or damaged file loses no other one.
. tests/lib/case.sh

good='samples/demo.kev samples/wide4.kev samples/fast1.kev samples/demo.fxt samples/demo.trx samples/demo.btrace'
# shellcheck disable=SC2086 # a list of files
needs $good
"$TTSIM" --events 1000 --seed 9 -o "$WORK/nine.kev"
head -c 9000 "$WORK/nine.kev" >"$WORK/cut.kev"
echo 'no capture' >"$WORK/text.kev"
cp "$WORK/nine.kev" "$WORK/a,\"b.kev"
# shellcheck disable=SC2206 # a list of files
files=($good "$WORK/cut.kev" "$WORK/none.kev" "$WORK/text.kev" "$WORK/a,\"b.kev" "$WORK/nine.kev")

# one_by_one FORMAT COMMAND...: the expected output of the command over the files, and its messages
one_by_one() {
    local format=$1 file header='' text
    shift
    : >"$WORK/expected"
    : >"$WORK/expected.err"
    for file in "${files[@]}"; do
        "$TRACETUI" "$@" --format "$format" "$file" >"$WORK/one" 2>>"$WORK/expected.err"
        [ -s "$WORK/one" ] || continue
        case $format in
        csv)
            text=$file
            [[ $file != *[,\"]* ]] || text="\"${file//\"/\"\"}\""
            [ "$(head -n 1 "$WORK/one")" = "$header" ] || sed -n '1s/^/capture,/p' "$WORK/one"
            header=$(head -n 1 "$WORK/one")
            LABEL=$text awk 'NR > 1 { print ENVIRON["LABEL"] "," $0 }' "$WORK/one"
            ;;
        jsonl)
            LABEL="{\"capture\":\"${file//\"/\\\"}\"," awk '{ print ENVIRON["LABEL"] substr($0, 2) }' "$WORK/one"
            ;;
        *)
            [ -z "$header" ] || [ "$1" = dump ] || echo
            header=text
            cat "$WORK/one"
            ;;
        esac >>"$WORK/expected"
    done
}

# all_at_once NAME FORMAT COMMAND...
all_at_once() {
    local name=$1 format=$2 number
    shift 2
    one_by_one "$format" "$@"
    for number in 1 2 7; do
        exits "$name, $number at a time" 2 "$TRACETUI" "$@" --format "$format" -j $number "${files[@]}"
        same "$name, $number at a time: the output" "$WORK/expected" "$WORK/out"
        same "$name, $number at a time: the messages" "$WORK/expected.err" "$WORK/err"
    done
}
all_at_once "dump in CSV" csv dump
all_at_once "dump as text" text dump
all_at_once "stats as tables" table stats
all_at_once "stats in JSON lines" jsonl stats
all_at_once "stats by total" csv stats --by total
all_at_once "info" text info
all_at_once "info in JSON lines" jsonl info
all_at_once "jobs" csv dump --jobs
all_at_once "messages" jsonl dump --messages
all_at_once "at" csv at 50%

# check judges files in threads; its report has the order of the files.
rules=(--rule 'count of {event = MSG_ERROR} <= 3' --rule 'count of {kind = switch} >= 1')
exits "check, one at a time" 2 "$TRACETUI" check "${rules[@]}" -j 1 "${files[@]}"
cp "$WORK/out" "$WORK/checked"
cp "$WORK/err" "$WORK/checked.err"
same_text "check, one at a time: the captures that it judges" 9 "$(grep -c ': 2 rules' "$WORK/checked")"
for number in 2 7; do
    exits "check, $number at a time" 2 "$TRACETUI" check "${rules[@]}" -j $number "${files[@]}"
    same "check, $number at a time: the output" "$WORK/checked" "$WORK/out"
    same "check, $number at a time: the messages" "$WORK/checked.err" "$WORK/err"
done

# Exit status: the worst.
exits "good files" 0 "$TRACETUI" stats samples/demo.kev samples/demo.fxt
exits "a damaged one" 1 "$TRACETUI" stats samples/demo.kev "$WORK/cut.kev" samples/demo.fxt

# -o: nothing if a capture is unusable, unless --keep-going.
exits "-o with an unusable file" 2 "$TRACETUI" stats -o "$WORK/result" --format csv samples/demo.kev "$WORK/none.kev"
same_text "-o writes nothing then" no "$([ -e "$WORK/result" ] && echo yes || echo no)"
exits "-o --keep-going" 2 "$TRACETUI" stats -k -o "$WORK/result" --format csv samples/demo.kev "$WORK/none.kev" samples/fast1.kev
"$TRACETUI" stats --format csv samples/demo.kev samples/fast1.kev >"$WORK/two"
same "-o --keep-going writes the others" "$WORK/two" "$WORK/result"

# One file: the name on request, also while it grows.
"$TRACETUI" dump --format csv --capture samples/demo.kev >"$WORK/out"
"$TRACETUI" dump --format csv samples/demo.kev | sed '1s/^/capture,/; 2,$s|^|samples/demo.kev,|' >"$WORK/expected"
same "--capture" "$WORK/expected" "$WORK/out"
"$TRACETUI" dump -f --until 'event = BUFFER' --format csv --capture samples/demo.kev >"$WORK/out" 2>"$WORK/err"
same_text "--capture with -f" "$(head -n 2 "$WORK/expected")" "$(head -n 2 "$WORK/out")"
exits "--capture with text" 2 "$TRACETUI" dump --capture samples/demo.kev
# shellcheck disable=SC2002 # a pipe is meant
cat samples/demo.kev | "$TRACETUI" stats --by cpu - - >"$WORK/out" 2>"$WORK/err"
one_line "standard input is read once" "$WORK/err"

# children PID: the processes of a command
children() { pgrep -P "$1"; }

# A signal ends the command and its processes, which wait for a reader here.
mkfifo "$WORK/fifo"
"$TRACETUI" dump -j 2 samples/demo.kev samples/demo.kev samples/demo.kev >"$WORK/fifo" 2>/dev/null &
command=$!
exec 3<"$WORK/fifo"
for ((i = 0; i < 600; i++)); do
    own=$(children $command)
    [ -z "$own" ] || break
    sleep 0.05
done
kill -TERM $command
wait $command 2>/dev/null
same_text "a signal: exit status" 143 "$?"
exec 3<&-
for ((i = 0; i < 600; i++)); do
    # shellcheck disable=SC2086 # a list of numbers
    kill -0 $own 2>/dev/null || break
    sleep 0.05
done
left=no
for pid in $own; do kill -0 "$pid" 2>/dev/null && left=yes; done
same_text "a signal ends its processes" no "$left"

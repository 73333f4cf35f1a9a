# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# dump --filter: the same events as a regex search in dump's output, in every format;
# messages, exit statuses, and bounded time for hostile patterns. WHOLE=1: every pattern on every capture.
. tests/lib/case.sh

capture=tests/filter/small.kev
filtered() { "$TRACETUI" dump --filter "$@" 2>"$WORK/err"; }

# ---- fifty patterns on a capture of each format, compared with rg -P -S ----------------------------
cat >"$WORK/patterns" <<'PATTERNS'
timeout|EINTR
REC_MESSAGE
rec_message
Rec_message
thread
idle$
^ +0\.0000
\bpid=1\b
[0-9]{4}
(?i)RUNNING
(?-i)running
io-blk|sensor|fusion
^.{16}[01]
~
^ +[0-9.]+ +1 
KER_(CALL|EXIT) +MSG_
name="[a-m]
=0x[0-9a-f]+
(?<==)1(?!\d)
\btid=(\d+).*=\1\b
\(RR\)
\(rr\)
\Aa|z\Z
\s{8,}
\S+/\d+ \w+
[[:upper:]]{6}
[[:punct:]]{2}
\p{Lu}_\p{Lu}
\pL\d\pL
e{2}
.*serve.*priority
[^ -~]
\x{2026}|\\x
"
'
\\
\.
\d+\.\d+
(?:a|e|i)(?:n|r){1,2}
(?=.*pid)(?=.*tid)
^(?!.*THREAD)
sched|wakeup|context
queue|semaphore
Interrupt
ENewThreadContext|EIrq
procnto.exe
blocked\)|SUSP
ISR_|IRQ
kernel:[is]
stack_ptr=0x2[01]
weight=1[0-9]
-
procnto|devc
(?:io)-blk
rec_mess(age)?x?
pip?e
msg_send\w+
THRE+ADY
priority{1,2}=
[p]riority|policy
sem_?wait
\Qio-blk\E
x01|x41|x1b
\x49\x53R
(?x) th read
(?i)ThReAd|IO-BLK
kernel|KERNEL
nanosleep\b|timer_\-
true|null
worker-1$
(thr)ead.*\1ead
frames? shown|vsync|
msg\[[0-9]+\]
blocked\(|recv_?id
PATTERNS
fifty=$(wc -l <"$WORK/patterns")
if [ "$fifty" -ge 50 ]; then ok "fifty patterns and more"; else not_ok "fifty patterns and more" "$fifty"; fi
own=() others=()
files=(tests/filter/small.*)
[ -z "${WHOLE:-}" ] || files+=(samples/*.kev samples/*.fxt samples/*.trx samples/*.btrace ../shared/captures/*/*)
for file in "${files[@]}"; do
    case $file in
    tests/* | samples/*) [ ! -f "$file" ] || own+=("$file") && continue ;;
    esac
    [ ! -f "$file" ] || ! "$TRACETUI" dump "$file" >"$WORK/lines" 2>/dev/null || [ ! -s "$WORK/lines" ] ||
        others+=("$file")
done
[ -z "${WHOLE:-}" ] || [ -d ../shared/captures ] || skip "captures of others" "there are none here"
if rg -P x /dev/null 2>/dev/null; [ $? -ne 1 ]; then
    skip "the same events as rg -P -S" "no rg with PCRE2 here"
else
    # differing PROGRAM FILE...: prints the patterns with other events than rg's, and the files where.
    # One command filters all files, since a process per file would take most of the time.
    differing() {
        local program=$1 file pattern n=100
        shift
        rm -rf "$WORK/dumps" && mkdir "$WORK/dumps"
        for file; do
            "$program" dump "$file" >"$WORK/dumps/$n" 2>/dev/null
            n=$((n + 1))
        done
        while IFS= read -r pattern; do
            rg -N -P -S --no-filename --sort path -e "$pattern" "$WORK/dumps" >"$WORK/expected"
            "$program" dump --filter "$pattern" "$@" >"$WORK/part" 2>"$WORK/err"
            cmp -s "$WORK/expected" "$WORK/part" && continue
            n=100
            for file; do
                rg -N -P -S -e "$pattern" "$WORK/dumps/$n" >"$WORK/expected"
                "$program" dump --filter "$pattern" "$file" 2>"$WORK/err" | cmp -s "$WORK/expected" - ||
                    echo "'$pattern' in $file"
                n=$((n + 1))
            done
        done <"$WORK/patterns"
    }
    # The files of the tree are read under the sanitizers, the many others by the release build.
    needs_release
    same_text "the same events as rg -P -S in ${#own[@]} captures of the tree" "" "$(differing "$TRACETUI" "${own[@]}")"
    [ ${#others[@]} -eq 0 ] ||
        same_text "the same events as rg -P -S in ${#others[@]} other captures" "" \
            "$(differing build/release/tracetui "${others[@]}")"
fi

# ---- forms of output, ranges, styles ---------------------------------------------------------------
"$TRACETUI" dump "$capture" >"$WORK/whole"
filtered 'event = REC_MESSAGE' "$capture" >"$WORK/text"
same "text" <(grep REC_MESSAGE "$WORK/whole") "$WORK/text"
count=$(wc -l <"$WORK/text")
"$TRACETUI" dump --format jsonl "$capture" | grep '"event":"REC_MESSAGE"' >"$WORK/expected"
filtered 'event = REC_MESSAGE' --format jsonl "$capture" >"$WORK/part"
same "jsonl keeps its numbers" "$WORK/expected" "$WORK/part"
filtered 'event = REC_MESSAGE' --format csv "$capture" >"$WORK/part"
same_text "csv" $((count + 1)) "$(wc -l <"$WORK/part")"
filtered 'event = REC_MESSAGE' --style traceprinter "$capture" | grep -a '^t:' >"$WORK/part"
"$TRACETUI" dump --style traceprinter "$capture" | grep -a '^t:.*REC_MESSAGE' >"$WORK/expected"
same "a style of its own order" "$WORK/expected" "$WORK/part"
filtered 'class = COMM' --cpu 0 --from 10ms "$capture" >"$WORK/part"
same "together with a range and a CPU" <(awk '$2 == 0 && $1 >= 0.010 && / COMM /' "$WORK/whole") "$WORK/part"
filtered 'time in 10ms..20ms and class = COMM' "$capture" >"$WORK/part"
same "a range inside of it" <(awk '$1 >= 0.010 && $1 < 0.020 && / COMM /' "$WORK/whole") "$WORK/part"
gzip -c "$capture" >"$WORK/small.kev.gz"
filtered 'event = REC_MESSAGE' "$WORK/small.kev.gz" >"$WORK/part"
same "compressed" "$WORK/text" "$WORK/part"
filtered 'event = REC_MESSAGE' - <"$capture" >"$WORK/part"
same "standard input" "$WORK/text" "$WORK/part"
filtered 'nothing has this' "$capture" >"$WORK/part"
nothing "no match prints nothing" "$WORK/part"
exits "no match is no failure" 0 "$TRACETUI" dump --filter 'nothing has this' "$capture"

run "$TRACETUI" info --format jsonl --filter 'class = COMM or event = THREADY' "$capture"
"$TRACETUI" dump --format jsonl --filter 'class = COMM or event = THREADY' "$capture" >"$WORK/part"
says "info counts what matches" "\"matching\":$(wc -l <"$WORK/part")," "$WORK/out"
says "info counts what matches by class" "\"COMM\":$(grep -c '"class":"COMM"' "$WORK/part")[,}]" "$WORK/out"
run "$TRACETUI" info --filter 'class = COMM' "$capture"
says "info lists what matches" "COMM REC_MESSAGE +$(grep -c '"event":"REC_MESSAGE"' "$WORK/part")\$" "$WORK/out"

counts_as_dump() { # WHAT OPTION...: info counts the events that dump prints
    local what=$1
    shift
    run "$TRACETUI" info --format jsonl "$@" "$capture"
    "$TRACETUI" dump "$@" "$capture" >"$WORK/part"
    says "info counts $what" "\"matching\":$(wc -l <"$WORK/part")," "$WORK/out"
}
counts_as_dump "a range" --from 20% --to '#2000'
counts_as_dump "a thread's events" --thread 1
counts_as_dump "a CPU's events" --cpu 0
counts_as_dump "what matches on a CPU in a range" --from 30% --cpu 0 --filter 'class = COMM'
counts_as_dump "an empty range" --from 1s --to 1s

# Many pieces and threads: in order, each once.
"$TTSIM" --scenario mixed --seed 9 --events 60000 -o "$WORK/large.kev"
"$TRACETUI" dump "$WORK/large.kev" >"$WORK/whole"
for pattern in 'THRUNNING|MSG_SEND' 'priority=1[0-5]' '^ +0\.1.*idle'; do
    filtered "/$pattern/" "$WORK/large.kev" >"$WORK/part"
    same "many pieces: $pattern" <(grep -E "$pattern" "$WORK/whole") "$WORK/part"
done
filtered 'cpu = 1 and not class = THREAD' "$WORK/large.kev" >"$WORK/part"
same "many pieces: terms" <(awk '$2 == 1' "$WORK/whole" | grep -v '^.\{42,\} *THREAD  ' | grep -vE ' THREAD +TH') "$WORK/part"

# ---- errors ----------------------------------------------------------------------------------------
wrong() { # NAME FILTER SAYS
    exits "$1: exit status" 2 "$TRACETUI" dump --filter "$2" "$capture"
    one_line "$1: one line" "$WORK/err"
    says "$1: what and where" "$3" "$WORK/err"
    nothing "$1: prints nothing" "$WORK/out"
}
junk=$(head -c 9000 /dev/urandom | base64 -w 0 | head -c 10240)
wrong "10 kB of junk" "$junk" '^tracetui: --filter: the filter is too long: 10240 bytes'
junk=$(printf '(%.0s' $(seq 5000))
wrong "5000 parentheses" "$junk" '^tracetui: --filter: column [0-9]+: '
junk=$(printf 'not %.0s' $(seq 2000))
exits "2000 nots" 0 timeout 2000 "$TRACETUI" dump --filter "${junk}cpu = 0" "$capture"
same_text "an even number of them" "$(filtered 'cpu = 0' "$capture" | wc -l)" "$(wc -l <"$WORK/out")"

# ---- hostile patterns: bounded, and never reported as "no match" -----------------------------------

# spent: sets $seconds to the processor time of all commands of this shell, which does not depend on the
# load. (`times` in a subshell would report the subshell.)
spent() {
    times >"$WORK/times"
    seconds=$(awk 'NR == 2 { split($1 "m" $2, t, /[ms]+/); print int(t[1] * 60 + t[2] + t[3] * 60 + t[4]) }' "$WORK/times")
}

for pattern in '(a+)+$' '(\w+\s*)+$' '(.*)(.*)(.*)(.*)(.*)(.*)(.*)x{9}' '^(([a-z])+.)+[A-Z]([a-z])+$'; do
    spent
    start=$seconds
    run timeout 600 "$TRACETUI" dump --filter "$pattern" "$WORK/large.kev"
    spent
    took=$((seconds - start))
    if { [ "$code" -eq 0 ] || { [ "$code" -eq 4 ] && [ -s "$WORK/err" ]; }; } && [ $took -le 40 ]; then
        ok "60,000 lines against $pattern"
    else
        not_ok "60,000 lines against $pattern" "exit $code after $took s"
    fi
done
run "$TRACETUI" dump --filter '(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)x{9}' "$WORK/large.kev"
nothing "what is undecided is not printed" "$WORK/out"
says "what is undecided is counted" 'large.kev: --filter: [0-9]+ events omitted as undecided' "$WORK/err"
same_text "and has an exit status of its own" 4 "$code"
run "$TRACETUI" dump --filter 'not /(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)x{9}/' "$WORK/large.kev"
says "nor does not make it a match" 'undecided' "$WORK/err"
for words in "info --filter" "stats --filter" "stats --by event --filter" "dump --format csv --thread 1 --filter"; do
    # shellcheck disable=SC2086 # words are meant
    run "$TRACETUI" $words '(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)x{9}' "$WORK/large.kev"
    same_text "so it has: $words" 4 "$code"
done
exits "a missing file is worse" 2 "$TRACETUI" info --filter '(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)x{9}' \
    "$WORK/large.kev" "$WORK/missing"

exits "a word that is no field is an error, not a regex" 2 "$TRACETUI" dump --filter 'thred = fuse' "$capture"
nothing "... with no events" "$WORK/out"
exits "... but not between slashes" 0 "$TRACETUI" dump --filter '/thred = fuse/' "$capture"

# ---- paths of processes -------------------------------------------------------------------------
# A process whose name is a path is shown by its base name everywhere, and found by both.

LC_ALL=C sed 's|devc-pty|u/s/pt-7|g' samples/demo.kev >"$WORK/paths.kev"
for command in stats dump "render summary --size 120x60" "render threads --size 120x60" "stats --by process" "dump --format csv"; do
    # shellcheck disable=SC2086 # words are meant
    run "$TRACETUI" $command "$WORK/paths.kev"
    if grep -a "pt-7" "$WORK/out" | grep -av "name=" | grep -aq 'u/s/'; then
        not_ok "base names: $command" "$(grep -m1 'u/s/' "$WORK/out")"
    else
        says "base names: $command" 'pt-7' "$WORK/out"
    fi
done
for thread in pt-7/2 u/s/pt-7/2 "pt-7/2 serve" "u/s/pt-7/2 serve"; do
    same_text "--thread $thread" 48 "$("$TRACETUI" dump --thread "$thread" "$WORK/paths.kev" | wc -l)"
    same_text "thread = $thread" 48 "$("$TRACETUI" dump --filter "thread = \"$thread\"" "$WORK/paths.kev" | wc -l)"
done
for term in '= pt-7' '= u/s/pt-7' '~ ^pt-7$' '~ ^u/s'; do
    same_text "process $term" 162 "$("$TRACETUI" dump --filter "process $term" "$WORK/paths.kev" | wc -l)"
done
run "$TRACETUI" render events --size 100x24 --keys 'fthread = pt-7/2<Enter><Enter>' "$WORK/paths.kev"
says "the fields have the path" 'u/s/pt-7 \(' "$WORK/out"

# ---- the manual of the language --------------------------------------------------------------------
# Every line of a "filter" block in docs/filter.md is parsed as documented: as terms, or as a regex.
examples=0
while IFS= read -r example; do
    case $example in '' | \#*) continue ;; esac
    examples=$((examples + 1))
    run "$TRACETUI" dump --filter "$example" "$capture"
    if [ "$code" -ne 0 ] || [ -s "$WORK/err" ]; then
        not_ok "example: $example" "exit $code: $(head -c 200 "$WORK/err")"
    fi
done < <(sed -n '/^```filter/,/^```$/p' docs/filter.md | grep -v '^```')
if [ "$examples" -ge 30 ]; then ok "the manual's examples"; else not_ok "the manual's examples" "$examples of them"; fi
# A block "filter wrong" has a filter and, after " -> ", the message.
while IFS= read -r example; do
    case $example in *' -> '*) ;; *) continue ;; esac
    run "$TRACETUI" dump --filter "${example% -> *}" "$capture"
    if [ "$code" -eq 2 ] && grep -qF -- "${example##* -> }" "$WORK/err"; then
        ok "the manual's error: ${example% -> *}"
    else
        not_ok "the manual's error: ${example% -> *}" "exit $code: $(cat "$WORK/err")"
    fi
done < <(sed -n '/^```wrong/,/^```$/p' docs/filter.md)
# The page has every field.
undocumented=
for field in time n offset cpu pid tid process thread class event kind state priority dur arg.NAME \
    inferred derived malformed; do
    grep -qF "| \`$field\`" docs/filter.md || undocumented="$undocumented $field"
done
same_text "the manual has every field" "" "$undocumented"

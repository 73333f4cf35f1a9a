# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Filters: the prompt, the list of filters, the Events view.
. tests/lib/case.sh
. tests/lib/screen.sh
. tests/lib/rendered.sh

DEMO=samples/demo.kev

# ---- what is shown is what dump prints ---------------------------------------------------------

# shows NAME FILTER: as many events as `dump --filter` prints, and the first of them on top
shows() {
    local name=$1 filter=$2 count first
    count=$("$TRACETUI" dump --filter "$filter" $DEMO 2>/dev/null | wc -l)
    run "$TRACETUI" render events --size 200x12 --keys "f$filter<Enter>g" $DEMO
    first=$("$TRACETUI" dump --filter "$filter" $DEMO 2>/dev/null | head -n 1 | awk '{print $1}')
    count=$(printf "%d" "$count" | sed ':a; s/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/; ta')
    if grep -q "1st of $count matches" "$WORK/out" &&
        sed -n 3p "$WORK/out" | tr -d ' ' | grep -qF "$first"; then
        ok "$name"
    else
        not_ok "$name" "not $count events from $first on: $(sed -n '3p;11p' "$WORK/out")"
    fi
}

export LC_ALL=C.UTF-8
shows "a regex" 'REC_MESSAGE'
shows "a term" 'cpu = 2'
shows "terms" 'thread ~ ^io- and not class = THREAD'
shows "a state" 'state = READY and cpu in 0..1'

# Tab completes the names of what an argument refers to.
run "$TRACETUI" render events --size 90x12 --keys 'farg.pid = fu<Tab>' $DEMO
says "Tab completes the process of a pid" '^filter: arg.pid = fusion' "$WORK/out"
run "$TRACETUI" render events --size 90x12 --keys 'farg.owner = sens<Tab>' $DEMO
says "Tab completes the thread of an owner" '^filter: arg.owner = "?sensor/' "$WORK/out"

# The list of filters in small and large terminals.
for size in 40x10 80x24 200x60; do
    run "$TRACETUI" render events --size $size --keys 'fcpu = 0<Enter>exclass = CONTROL<Enter>lstate = READY<Enter>rready ones<Enter>KJ<Tab><Space>' $DEMO
    widest=$(wc -L <"$WORK/out")
    if [ "$(wc -l <"$WORK/out")" -eq "${size#*x}" ] && [ "$widest" -le "${size%x*}" ] &&
        grep -q 'ready' "$WORK/out"; then
        ok "the list of filters at $size"
    else
        not_ok "the list of filters at $size" "$(cat "$WORK/out")"
    fi
done

# ---- lanes and numbers ---------------------------------------------------------------------------

# Lanes are those of threads with a visible event; E shows the others too.
pick='thread ~ ^io-'
run "$TRACETUI" render threads --size 120x40 --filter "$pick" $DEMO
"$TRACETUI" dump --format jsonl --filter "$pick" $DEMO | grep -o '"thread":"[^"]*"' | sort -u | wc -l >"$WORK/owners"
if grep -q " $(cat "$WORK/owners") of 36 threads" "$WORK/out" && grep -q 'disk_irq' "$WORK/out" &&
    ! grep -q 'crunch' "$WORK/out"; then
    ok "lanes of what is left"
else
    not_ok "lanes of what is left" "$(cat "$WORK/owners") threads: $(cat "$WORK/out")"
fi
run "$TRACETUI" render threads --size 120x40 --filter "$pick" --keys E $DEMO
says "E shows all lanes" 'crunch' "$WORK/out"
# begins_dim PATTERN: of the lines with it, how many are dim from their beginning, and how many there are
begins_dim() { echo "$(grep -E "$1" "$WORK/out" | grep -c $'^ \033\\[0;2m') of $(grep -cE "$1" "$WORK/out")"; }
run "$TRACETUI" render threads --size 120x70 --color 16 --filter "$pick" --keys E $DEMO
same_text "... those without a match dim" '2 of 2' "$(begins_dim 'crunch[13]')"
same_text "... and those with one as always" '0 of 1' "$(begins_dim 'disk_irq')"
run "$TRACETUI" render events --size 120x40 --color 16 --filter 'event = THRUNNING' --keys 'Egjjj' $DEMO
same_text "E shows events without a match dim" "$(grep -c 'PROCTHREAD_NAME' "$WORK/out") of $(grep -c 'PROCTHREAD_NAME' "$WORK/out")" \
    "$(begins_dim PROCTHREAD_NAME)"
same_text "... and those with one as always" '0 of 1' "$(begins_dim ' 0.000 .*THRUNNING')"
says "... and counts all of them" '^ *.* [0-9,]+(st|nd|rd|th) of 3,400 events' "$WORK/out"
run "$TRACETUI" render threads --size 120x40 --filter "$pick" --keys 'f<C-u><Enter>' $DEMO
says "no filter shows all lanes" 'crunch' "$WORK/out"
run "$TRACETUI" render threads --size 120x40 --filter "$pick" --keys 'exclass = COMM<Enter>q' $DEMO
"$TRACETUI" dump --format jsonl --filter "$pick and not class = COMM" $DEMO | grep -o '"thread":"[^"]*"' | sort -u | wc -l >"$WORK/owners"
says "lanes of the whole stack" " $(cat "$WORK/owners") of 36 threads" "$WORK/out"
run "$TRACETUI" render cpus --size 120x40 --filter "$pick" $DEMO
if grep -q ' 2 of 36 threads' "$WORK/out" && grep -q 'threads on CPU 0' "$WORK/out"; then
    ok "CPUs with a filter"
else
    not_ok "CPUs with a filter" "$(cat "$WORK/out")"
fi

# Summary has the numbers of `stats --filter`, for each table.
for by in thread cpu process pair event; do
    filter='event = REC_MESSAGE and cpu in 0..1'
    rm -f "$WORK/summary.csv"
    run "$TRACETUI" render summary --size 80x24 --filter "$filter" --keys ":stats $by<Enter>rr:write $WORK/summary.csv<Enter>" $DEMO
    "$TRACETUI" stats --by $by --filter "$filter" --format csv $DEMO | as_summary | sort >"$WORK/stats.csv"
    sort -o "$WORK/summary.csv" "$WORK/summary.csv"
    if [ "$(wc -l <"$WORK/summary.csv")" -ge 2 ]; then
        same "the Summary by $by as stats --filter has it" "$WORK/stats.csv" "$WORK/summary.csv"
    else
        not_ok "the Summary by $by as stats --filter has it" "$(cat "$WORK/out")"
    fi
done

# ---- on a terminal -------------------------------------------------------------------------------

screen_open 80x24 "XDG_STATE_HOME=$WORK"
screen_start $DEMO
screen_await ' of [0-9,]+ (events|match(es)?) *$'
screen_keys f
screen_wait "the prompt of a filter" '^filter:'
screen_keys -l 'thread ~ ^io-'
screen_wait "it filters while it is typed" ' [0-9,]+ events   Tab completes'
screen_keys Enter
screen_wait "the status line counts" ' of [0-9,]+ matches'
screen_keys e
screen_wait "the list of filters" '^── filters'
screen_keys x
screen_keys -l 'class = THREAD'
screen_keys Enter
screen_wait "one that excludes" 'exclude +class = THREAD +[0-9]'
server resize-window -x 120 -y 30
screen_wait "resized, the list stays" 'these together +[0-9]'
server resize-window -x 80 -y 24
screen_keys Space
screen_wait "switched off" '^▌  exclude'
screen_keys d
screen_wait "deleted" '^▌✓ include'
screen_keys Escape
screen_keys f C-u Enter
screen_wait "an empty line clears it" 'filter removed'
screen_keys f
screen_keys -l 'thred = fuse'
screen_wait "a field that is none is an error at once" '^ +\^ unknown field thred, did you mean thread'
screen_keys Enter
screen_wait "... and cannot be entered" '^ +\^ unknown field thred, did you mean thread'
screen_keys Escape

# Plain text without a match so far: the list stays until Enter.
screen_keys f C-u
screen_keys -l 'REC_MESSAGE'
screen_await '^ [0-9,]+ events'
screen_keys -l 'zz'
screen_wait "no event so far: said so" '^ 0 events'
screen_wait "... and the list stays" 'REC_MESSAGE +rcvid'
screen_keys Enter
screen_wait "... until it is taken" 'no event passes the filters'
screen_keys f C-u Enter
screen_wait "... and cleared" 'filter removed'

# Errors: a message with its position; the last valid filter stays.
screen_keys f
screen_keys -l 'cpu = 1'
screen_keys Enter
screen_await ' of [0-9,]+ matches'
screen_keys f C-u
screen_keys -l 'a(b'
screen_wait "what is wrong, and where" '\^ the regex: missing closing'
screen_keys Enter
screen_wait "Enter does not take it" '\^ the regex: missing closing'
screen_keys Escape
screen_wait "the last good one stays" 'cpu = 1 .* of [0-9,]+ matches'

# A runaway pattern is bounded, 10 kB of junk are refused, and keys still work.
screen_keys f C-u
screen_keys -l '^(.*?,?){12}x$'
screen_keys Enter
screen_wait "a pattern that runs away ends" '12\}x\$ .*matches *$'
screen_keys f C-u
screen_keys -l '(a+)+$'
screen_keys Enter
screen_keys j
screen_wait "(a+)+\$ ends" '\(a\+\)\+\$ .*matches'
head -c 10240 /dev/urandom | base64 -w 0 | head -c 10240 >"$WORK/junk"
screen_keys f
server load-buffer "$WORK/junk"
server paste-buffer -p -t 0
screen_wait "10 kB of junk: said so" 'too long|is longer'
screen_keys Escape
screen_wait "... and the filter before is back" '\(a\+\)\+\$ .*matches'
screen_keys q
screen_wait "it ends well" '^status=0'

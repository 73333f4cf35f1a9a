# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The Summary view: its screens, its keys, and that its numbers are those of `stats`.
. tests/lib/case.sh
. tests/lib/rendered.sh

DEMO=samples/demo.kev

golden summary-of-threads-in-200-columns 200x60 summary kev '' 3,58
# Each table: its heading and first rows, and the sums below it. The line of the tables is in tabs.txt.
for table in 'threads thread' 'cpus cpu' 'processes process' 'switches pair' 'events event' 'jobs job' 'interrupts interrupt' \
    'services service'; do
    for size in 80x24 120x40; do
        golden "summary-tables:${table% *} at $size" $size summary kev ":stats ${table#* }<Enter>" 3,11
        golden "summary-tables:${table% *} at $size, the sums" $size summary kev ":stats ${table#* }<Enter>" bottom
    done
done
golden summary-tables:blame 80x24 summary kev ':stats blame<Enter>' 3,11
golden summary-tables:inversions 80x24 summary kev ':stats inversion<Enter>' 3,11
golden summary-tables:profile-of-threadx 80x24 summary trx ':stats profile<Enter>' 3,11
golden summary-tables:stacks-of-threadx 80x24 summary trx ':stats stack<Enter>' 3,11
golden summary-tables:filex-in-a-capture-without-it 80x24 summary trx ':stats filex<Enter>' 3,11
golden summary-of-a-range:marks 80x24 summary kev ':10ms<Enter>ma:20ms<Enter>mb4r' 3,8
golden summary-of-a-range:marks,-the-sums 80x24 summary kev ':10ms<Enter>ma:20ms<Enter>mb4r' bottom
golden summary-of-a-range:view 80x24 summary kev ':zoom 26.8ms..28.7ms<Enter>4' 3,8
golden summary-of-a-range:view,-the-sums 80x24 summary kev ':zoom 26.8ms..28.7ms<Enter>4' bottom
golden summary-inversion-explained 80x24 summary kev ':stats inversion<Enter>b'
golden summary-list-of-columns 80x24 summary kev 'cjjj<Space>' 3,22
golden summary-spread-of-delays 80x24 summary kev 'illllllllldjjj' 3,22
golden summary-spread-of-delays:in-ascii 80x24 summary+ascii kev d 3,22
at "Blame leaves out idle waits" 80x24 summary kev ':stats blame<Enter>jj' '^▌logger/1 writer .*netmgr/worker .* higher'
at "the line below Blame has the cause once" 80x24 summary kev ':stats blame<Enter>i' 'tracelogger/1, unfinished 51'
at "Enter on an interrupt leads to the longest" 80x24 summary kev ':stats interrupt<Enter><Enter>' '\[2 Thr\]'
at "... which is selected" 80x24 summary kev ':stats interrupt<Enter><Enter>' 'selected '
at "Enter on a stack leads to the event of its minimum" 80x24 summary trx ':stats stack<Enter><Enter>' '\[1 Ev\]'
CAPTURES=../shared/captures
golden summary-of-real-captures:netx-tcp 80x24 summary $CAPTURES/trx/demo_netx_tcp.trx '' 3,14
golden summary-of-real-captures:slices 80x24 summary $CAPTURES/fxt/simple_trace_reconstructed.fxt ':stats event<Enter>' 3,14
golden summary-of-real-captures:sched 120x40 summary $CAPTURES/fxt/sched_new.fxt '' 3,14
golden summary-of-real-captures:threadx 80x24 summary+ascii $CAPTURES/trx/demo_threadx.trx '' 3,14
golden summary-of-real-captures:smp 200x60 summary $CAPTURES/trx/gen_smp_le64_4core.trx '' 3,14
screens_draw
run "$TRACETUI" render summary --keys ':stats blame<Enter>' --size 80x40 $DEMO
same_text "Blame leaves out handlers that wait for their interrupt" 0 "$(grep -c '_irq .* interrupt ' "$WORK/out")"
run "$TRACETUI" render summary --keys ':stats blame<Enter>i' --size 80x40 $DEMO
same_text "... which i shows" 1 "$(($(grep -c '_irq .* interrupt ' "$WORK/out") > 0))"
run "$TRACETUI" render summary --size 40x60 --keys c $DEMO
same_text "columns without room are marked, those that are not chosen are not" "1 0" \
    "$(grep -c 'switches slices  too narrow' "$WORK/out") $(grep -c ' pid  too narrow' "$WORK/out")"

# A Fuchsia instant of thread 1/2: a thread without states, and so without percentages.
printf '\020\000\004FxT\026\000\144\000\000\000\001\200\001\200' >"$WORK/event.fxt"
for word in 1 1 2 c n; do
    case $word in [0-9]) printf "\\00$word\\000\\000\\000\\000\\000\\000\\000" ;; *) printf "$word\\000\\000\\000\\000\\000\\000\\000" ;; esac
done >>"$WORK/event.fxt"
run "$TRACETUI" render summary "$WORK/event.fxt"
same_text "no colon after a thread without percentages" ' 1/2' "$(sed -n 23p "$WORK/out")"

for size in 40x10 41x11 80x24 200x60 300x100 1x1; do
    for keys in '' ']d' '[d' 'c'; do sized "keys '$keys'" $size summary kev "$keys"; done
done
screens_draw

# ---- the numbers are those of stats ------------------------------------------------------------

# as_stats NAME KEYS FILE ARGUMENTS...: all rows and columns of the table that these keys select equal those of
# `stats ARGUMENTS`, once tables_written has written them
tables=()
mkdir "$WORK/tables"
as_stats() {
    local number=${#tables[@]}
    tables+=("$1")
    [ "$3" = $DEMO ] || echo ":open $3" >>"$WORK/tables.script"
    printf ':view.summary\n<F12>%s\n:write %s\n:restart\n' "$2" "$WORK/tables/$number.csv" >>"$WORK/tables.script"
    "$TRACETUI" stats --format csv "${@:4}" "$3" 2>"$WORK/err" | as_summary | sort >"$WORK/tables/$number.stats"
}

# written NAME KEYS: the table that these keys select, written as $WORK/table.csv
written() {
    printf ':view.summary\n<F12>%s\n:write! %s\n' "$2" "$WORK/table.csv" >"$WORK/table.script"
    rm -f "$WORK/table.csv"
    run "$TRACETUI" render events --script "$WORK/table.script" $DEMO
    [ -f "$WORK/table.csv" ] || not_ok "$1" "no file: $(tail -n 2 "$WORK/out" | head -n 1)"
}

tables_written() {
    local number
    run "$TRACETUI" render events --script "$WORK/tables.script" $DEMO
    for number in "${!tables[@]}"; do
        # Rows of events have an order of their own in print.
        sort "$WORK/tables/$number.csv" >"$WORK/tables/$number.sorted"
        if [ "$(wc -l <"$WORK/tables/$number.stats")" -lt 2 ]; then
            not_ok "${tables[number]}" "stats printed nothing to compare with"
        else
            same "${tables[number]}" "$WORK/tables/$number.stats" "$WORK/tables/$number.sorted"
        fi
    done
}

as_stats "threads as stats has them" '' $DEMO --by thread
as_stats "CPUs as stats has them" ':stats cpu<Enter>' $DEMO --by cpu
as_stats "processes as stats has them" ':stats process<Enter>' $DEMO --by process
as_stats "pairs as stats has them" ':stats pair<Enter>' $DEMO --by pair
as_stats "events as stats has them" ':stats event<Enter>' $DEMO --by event
as_stats "jobs as stats has them" ':stats job<Enter>' $DEMO --by job
as_stats "interrupts as stats has them" ':stats interrupt<Enter>' $DEMO --by interrupt
as_stats "services as stats has them" ':stats service<Enter>' $DEMO --by service
as_stats "the profile as stats has it" ':stats profile<Enter>' samples/demo.trx --by profile
as_stats "stacks as stats has them" ':stats stack<Enter>' samples/demo.trx --by stack
as_stats "blame as stats has it" ':stats blame<Enter>i' $DEMO --by blame
as_stats "inversions as stats has them" ':stats inversion<Enter>' $DEMO --by inversion
for table in thread cpu process pair event job interrupt blame inversion; do
    as_stats "$table of a range as stats has it" ":500<Enter>ma:1500<Enter>mb4r:stats $table<Enter>$([ $table != blame ] || echo i)" $DEMO \
        --by "$table" --from '#500' --to '#1500'
done
for file in ../shared/captures/trx/*.trx; do
    if [ -f "$file" ]; then
        as_stats "ThreadX: threads as stats has them" '' "$file" --by thread
        break
    fi
    skip "ThreadX: threads as stats has them" "$file is not there"
done

tables_written

# The order on the screen is the order in the file; idle threads are last.
written "sorted by name" "<Left><Left><Left>o"
tail -n +2 "$WORK/table.csv" | cut -d, -f4 >"$WORK/names"
{ grep -v ' idle$' "$WORK/names" | LC_ALL=C sort && grep ' idle$' "$WORK/names" | LC_ALL=C sort; } >"$WORK/sorted"
same "sorted by name" "$WORK/sorted" "$WORK/names"
same_text "idle threads are last" 4 "$(tail -n 4 "$WORK/names" | grep -c ' idle$')"
# Several lines may have the largest number: only the numbers are compared.
written "sorted by slices" lloO
same_text "sorted by slices, upwards" "$(tail -n +2 "$WORK/table.csv" | cut -d, -f15 | sort -n)" \
    "$(tail -n +2 "$WORK/table.csv" | cut -d, -f15)"

# ---- keys --------------------------------------------------------------------------------------

# under NAME EXPECTED KEYS: the row that these keys select is in the last line of the view
under() { at "$1" 80x24 summary kev "$3" "^ $2:"; }

"$TRACETUI" stats --format csv $DEMO | tail -n +2 | cut -d, -f4 >"$WORK/names"
{ grep -v ' idle$' "$WORK/names" && grep ' idle$' "$WORK/names"; } >"$WORK/rows"
row() { sed -n "$1p" "$WORK/rows"; }

under "the first row has run most" "$(row 1)" ''
under "down and up" "$(row 3)" 'jjjk'
under "the last row" "$(tail -n 1 "$WORK/rows")" 'G'
under "the end and back" "$(row 1)" 'Gg'
under "sorting keeps the row" "$(row 4)" 'jjjllo'
under "... and in reverse" "$(row 4)" 'jjjlloO'
under "another table and back keeps the row" "$(row 4)" 'jjj]]['"["
under "hiding idle ones keeps the row" "$(row 4)" 'jjji'
screens_draw

# tests/unit/tui/test_maximum.c compares the selection with the numbers.
down=$(printf 'j%.0s' $(seq 2 "$(grep -n '^logger/1 writer$' "$WORK/rows" | cut -d: -f1)"))
run "$TRACETUI" render summary --size 120x40 --keys "$down<Enter>" $DEMO
says "Enter leads to Threads" '\[2 Threads\]' "$WORK/out"
says "... selects the longest delay" 'selected 1\.950 ms' "$WORK/out"
says "... and names what ran meanwhile" 'logger/1 writer: sch delay of 1\.950 ms; CPU 1 ran netmgr/2 worker' "$WORK/out"
run "$TRACETUI" render summary --keys 'G<Enter>' $DEMO
says "a row without delays has nowhere to go" '\[4 Sum\]' "$WORK/out"

run "$TRACETUI" render summary --keys 'r' $DEMO
says "no selection, then all" 'all ' "$WORK/out"
run "$TRACETUI" render threads --keys '++vllllllllllv4r' $DEMO
says "what is selected in the lanes" 'selection ' "$WORK/out"
run "$TRACETUI" render threads --keys '+++4' $DEMO
says "what the lanes show" 'view 0\.0000[0-9]*\.\.0\.006' "$WORK/out"

# ---- writing -----------------------------------------------------------------------------------

printf 'keep me' >"$WORK/there.csv"
run "$TRACETUI" render summary --size 200x24 --keys "w<C-u>write $WORK/there.csv<Enter>" $DEMO
says "a file that is there is not replaced" 'file exists' "$WORK/out"
same_text "... and stays" 'keep me' "$(cat "$WORK/there.csv")"
run "$TRACETUI" render summary --size 200x24 --keys "w<C-u>write! $WORK/there.csv<Enter>" $DEMO
says "unless asked to" '^pid,tid,' "$WORK/there.csv"
cp $DEMO "$WORK/copy.kev"
run "$TRACETUI" render summary --size 200x24 --keys "w<C-u>write! $WORK/copy.kev<Enter>" "$WORK/copy.kev"
same "the capture itself is never replaced" $DEMO "$WORK/copy.kev"
run "$TRACETUI" render summary --size 200x24 --keys "w<C-u>write $WORK/no/such/folder<Enter>" $DEMO
says "what cannot be written is said" 'No such file' "$WORK/out"
run "$TRACETUI" render summary --keys "w" $DEMO
says "the prompt has a name ready" '^:write demo-thread\.csv' "$WORK/out"
run "$TRACETUI" render info --keys ":write $WORK/info.txt<Enter>" $DEMO
says "without a table the frame is written" '^   events  *3,400' "$WORK/info.txt"

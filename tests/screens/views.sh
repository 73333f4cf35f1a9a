# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The views over time and the Summary as `render` prints them: on the demo run in all formats and on
# real captures, at three sizes, in UTF-8, in ASCII, in colours and without.
. tests/lib/case.sh
. tests/lib/rendered.sh

CAPTURES=../shared/captures
DAMAGED=1 # some of the captures are, which render says by its exit status

# printed FILE ARGUMENTS...: a case is called as its file
printed() { rendered "$1" "$@"; }

# real FILE CAPTURE ARGUMENTS...: the same of a capture that may not be there
real() {
    local file=$1 capture=$CAPTURES/$2
    shift 2
    if [ -f "$capture" ]; then printed "$file" "$@" "$capture"; else skip "$file" "$capture is not there"; fi
}

DEMO=samples/demo.kev
for size in 80x24 120x40 200x60 40x10; do
    printed threads-$size.txt threads --size $size $DEMO
    printed cpus-$size.txt cpus --size $size $DEMO
done
for view in threads cpus; do
    printed $view-ascii.txt $view --ascii $DEMO
    printed $view-16.txt $view --color 16 $DEMO
    printed $view-256.txt $view --color 256 --theme dark $DEMO
    printed $view-mono.txt $view --color 256 --theme mono $DEMO
    printed $view-light.txt $view --color 256 --theme light $DEMO
    printed $view-window.txt $view --from 26.8ms --to 28.7ms $DEMO
    printed $view-sequence.txt $view --keys ':26.9ms<Enter>x' $DEMO
done
# The example of the demo: the wait for the mutex, its end, and the events in between.
INVERSION=':26.9ms<Enter>+++++o'
printed threads-inversion.txt threads --size 120x40 --keys "$INVERSION" $DEMO
printed threads-selected.txt threads --size 120x40 --keys ':26.9ms<Enter>++++v>>v' $DEMO
printed threads-on-dark.txt threads --color 256 --keys ':set background dark<Enter>:26.9ms<Enter>++++v>>v' $DEMO
printed threads-on-light.txt threads --color 256 --keys ':set background light<Enter>:26.9ms<Enter>++++v>>v' $DEMO
printed threads-folded.txt threads --keys 'Z' $DEMO
printed threads-pinned.txt threads --keys 'jpjjpG' $DEMO
printed threads-idle.txt threads --keys ':22ms<Enter>++++i' $DEMO
printed threads-marks.txt threads --keys ':10ms<Enter>ma:30ms<Enter>mb' $DEMO

# Slices and counters.
printed slices-80x24.txt threads --keys ':26.9ms<Enter>++++' samples/demo.fxt
printed slices-120x40.txt threads --size 120x40 --keys ':50%<Enter>++++' samples/demo.fxt
printed slices-ascii.txt threads --ascii --keys ':26.9ms<Enter>++++' samples/demo.fxt
printed threads-trx.txt threads samples/demo.trx
printed threads-btrace.txt threads samples/demo.btrace
printed cpus-trx.txt cpus samples/demo.trx
printed cpus-btrace.txt cpus samples/demo.btrace

real threads-tcp.txt trx/demo_netx_tcp.trx threads
real threads-threadx.txt trx/demo_threadx.trx threads --size 120x40
real cpus-smp.txt trx/gen_smp_le64_4core.trx cpus
real threads-wrapped.txt trx/gen_up_le32_wrapped.trx threads --keys '++++'
real threads-qnx-6.txt kev/synthetic-seed-be.kev threads --size 120x40
real threads-sched.txt fxt/sched_new.fxt threads --keys '..'
real threads-slices.txt fxt/simple_trace_reconstructed.fxt threads --keys 'jj:50%<Enter>'
real threads-counters.txt fxt/all_records.fxt threads --keys 'G$'
real threads-symbian.txt btrace/ulogger.log threads
real summary-tcp.txt trx/demo_netx_tcp.trx summary
real summary-slices.txt fxt/simple_trace_reconstructed.fxt summary --keys ']]]]'
real info-tcp.txt trx/demo_netx_tcp.trx info --size 120x40
real events-symbian.txt btrace/ulogger.log events


# The tables, in colours and without, and of a window.
for view in summary info; do
    printed $view-16.txt $view --color 16 $DEMO
    printed $view-mono.txt $view --color 256 --theme mono $DEMO
done
printed summary-256.txt summary --color 256 --theme dark $DEMO
printed summary-light.txt summary --color 256 --theme light $DEMO
printed events-light.txt events --color 256 --theme light $DEMO
printed summary-window.txt summary --from 26.8ms --to 28.7ms $DEMO
printed info-ascii.txt info --ascii --keys G $DEMO
printed info-40x10.txt info --size 40x10 $DEMO
printed info-200x60.txt info --size 200x60 $DEMO
printed events-mono.txt events --color 256 --theme mono $DEMO
real summary-sched.txt fxt/sched_new.fxt summary --size 120x40
real cpus-sched.txt fxt/sched_new.fxt cpus --size 120x40
real cpus-threadx.txt trx/demo_threadx.trx cpus --ascii
real summary-threadx.txt trx/demo_threadx.trx summary --ascii
real summary-smp.txt trx/gen_smp_le64_4core.trx summary --size 200x60
real info-symbian.txt btrace/ulogger.log info --size 120x40
real threads-symbian-120x40.txt btrace/ulogger.log threads --size 120x40 --keys ':50%<Enter>+++'
real info-slices.txt fxt/simple_trace_reconstructed.fxt info --ascii
real events-qnx-6.txt kev/synthetic-seed-le.kev events --size 120x40 --keys ':50%<Enter><Enter>'
# The other views in every size and kind of colours; Threads and CPUs are above.
for view in events summary info snapshot; do
    case $view in
    events | snapshot) keys=':27.8ms<Enter>' ;;
    *) keys=j ;;
    esac
    for size in 80x24 120x40 200x60; do
        printed all-$view-$size.txt $view --size $size --keys "$keys" $DEMO
    done
    wide=(--size 100x30 --keys "$keys" "$DEMO")
    printed all-$view-dark.txt $view --color 256 --theme dark "${wide[@]}"
    printed all-$view-light.txt $view --color 256 --theme light "${wide[@]}"
    printed all-$view-16.txt $view --color 16 "${wide[@]}"
    printed all-$view-mono.txt $view --color 256 --theme mono "${wide[@]}"
    printed all-$view-ascii.txt $view --ascii "${wide[@]}"
done
printed snapshot-waits.txt snapshot --keys ':27.8ms<Enter>]' $DEMO
printed snapshot-cpus.txt snapshot --keys ':27.8ms<Enter>]]' $DEMO
printed snapshot-fxt.txt snapshot --keys ':50%<Enter>' samples/demo.fxt
printed snapshot-trx.txt snapshot --keys ':50%<Enter>' samples/demo.trx
printed snapshot-btrace.txt snapshot --keys ':50%<Enter>' samples/demo.btrace
printed events-longest.txt events --size 100x24 --keys 'o' $DEMO
# A field far down in the bytes, in a low pane.
TABS='<Tab><Tab><Tab><Tab><Tab><Tab><Tab><Tab><Tab><Tab><Tab><Tab><Tab><Tab><Tab>'
printed detail-80x12.txt events --size 80x12 --keys ":26.073918ms<Enter><Enter>$TABS" $DEMO
printed info-trx.txt info samples/demo.trx
printed filtered-80x24.txt events --keys 'fcpu = 1<Enter>jjj' $DEMO
printed why-60x20.txt threads --size 60x20 --keys ':26.9ms<Enter>b' $DEMO
printed marks-go.txt events --keys 'jmajjmbmc"j<Enter>' $DEMO
# More marks than lines, with the last one selected.
printed marks-80x12.txt events --size 80x12 --keys 'jmajmbjmcjmdjmejmfjmgjmhjmi"jjjjjjjj' $DEMO
# The sums of each window are those of `stats`.
run "$TRACETUI" render threads --size 60x12 --from 26.8ms --to 28.7ms $DEMO
if [ "$(wc -l <"$WORK/out")" -eq 12 ] && [ "$(wc -L <"$WORK/out")" -le 60 ]; then
    ok "60x12 is kept"
else
    not_ok "60x12 is kept" "$(wc -l <"$WORK/out") lines, $(wc -L <"$WORK/out") columns"
fi
for view in threads cpus; do
    for size in 40x10 41x11 300x100 1x1 80x9; do
        run "$TRACETUI" render $view --size $size samples/demo.fxt
        same_text "$view: $size is kept" "${size#*x}" "$(wc -l <"$WORK/out")"
    done
done

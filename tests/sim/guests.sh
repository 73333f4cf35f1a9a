#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A host and its guest, merged without options, have the runs, places and stolen times that the simulator knows
# (tests/sim/guests.py); and what the capture of a host lacks or contradicts is one line of health.
. tests/lib/case.sh

# simulate SEED OPTION...: writes host.kev, guest.kev and the truth of both
simulate() {
    "$TTSIM" --scenario hypervisor --seed "$1" --seconds 0.05 --clock 1000000000 "${@:2}" --truth sums \
        --guest "$WORK/guest.kev" -o "$WORK/host.kev"
}

for options in "--cpus 1" "--kev-version 8.0 --cpus 2" "--cpus 1 --endian big --kev-mode mixed --guest-back 12345678901"; do
    for seed in 1 2; do
        # shellcheck disable=SC2086 # options are words
        simulate $seed $options
        same_text "seed $seed, $options" "" \
            "$(python3 tests/sim/guests.py "$TRACETUI" "$WORK/host.kev" "$WORK/guest.kev" 2>"$WORK/err")"
        [[ $(cat "$WORK/err") = *"runs"* ]] || not_ok "it compares" "$(cat "$WORK/err")"
    done
done

# A guest with Linux, whose tracer uses the cycle counter.
"$TTSIM" --scenario hypervisor --cpus 1 --seconds 0.05 --clock 1000000000 --truth sums --guest "$WORK/guest.dat" -o "$WORK/host.kev"
sed -i 's/\[local\] \(global .*\) x86-tsc/local \1 [x86-tsc]/' "$WORK/guest.dat"
same_text "a guest with Linux" "" \
    "$(python3 tests/sim/guests.py "$TRACETUI" "$WORK/host.kev" "$WORK/guest.dat" 2>"$WORK/err")"
[[ $(cat "$WORK/err") = *"runs"* ]] || not_ok "it compares" "$(cat "$WORK/err")"

# ---- what a host lacks or contradicts ----------------------------------------------------------------

# broken HOW FILE: replaces host.kev or guest.kev by one that is broken
broken() {
    python3 tests/sim/guests_broken.py "$1" "$WORK/$2.kev" "$WORK/broken.kev" && mv "$WORK/broken.kev" "$WORK/$2.kev"
}
# health FILE...: the lines of health, without numbers
health() {
    "$TRACETUI" info --no-cache "$@" | awk '/^health/ { on = 1; next } /^$/ { on = 0 } on' | sed 's/ *[0-9]\+ .*//; s/^ *//'
}
# aligned: how the guest was aligned
aligned() {
    "$TRACETUI" info --no-cache --merge "$WORK/host.kev" "$WORK/guest.kev" | sed -n 's/^  guest.kev .*time by \([a-z_]*\).*/\1/p'
}

for how in absent hostile changes rate; do
    simulate 1 --cpus 1
    if [ $how = rate ]; then broken $how guest; else broken $how host; fi
    same_text "$how: one entry of health" guest "$(health --merge "$WORK/host.kev" "$WORK/guest.kev")"
    same_text "$how: by date" date "$(aligned)"
    "$TRACETUI" info --no-cache --merge "$WORK/host.kev" "$WORK/guest.kev" | grep -q "not by clockcycles_offset: " ||
        not_ok "$how" "info has no reason"
done
broken absent host
same_text "an offset of the user is as good" "" \
    "$(health --merge "$WORK/host.kev" "$WORK/guest.kev" --offset 1ms | grep guest)"

simulate 1 --cpus 1
whole=$("$TRACETUI" stats --no-cache --format csv "$WORK/host.kev" | awk -F, '$4 == "qvm/1 vcpu0" { print $11 }')
broken exits host
same_text "runs without an end" unfinished "$(health "$WORK/host.kev")"
half=$("$TRACETUI" stats --no-cache --format csv "$WORK/host.kev" | awk -F, '$4 == "qvm/1 vcpu0" { print $11 }')
[ "$half" -gt 0 ] && [ "$half" -lt "$whole" ] && ok "count as nothing" || not_ok "count as nothing" "$half of $whole"
same_text "the guest is still known" clockcycles_offset "$(aligned)"
simulate 1 --cpus 1
broken cycles host
same_text "cycles of a later time" time_range "$(health "$WORK/host.kev")"

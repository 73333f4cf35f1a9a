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

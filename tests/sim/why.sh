#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# `why` equals a second implementation (tests/sim/why.py) that has the simulator's truth alone: every
# wake, and the pieces of every delay, preempted wait and wait. WHY_SEEDS runs (12) with three scenarios
# each; the long form is WHY_SEEDS=200.
. tests/lib/case.sh
SCRIPT=tests/sim/why.py
EVENTS=1200
. tests/lib/truth.sh

check_seeds ${WHY_SEEDS:-12}

# An interrupt is open when the capture begins: who woke a thread in it is not known.
check 168 irqstorm --kev-version 6.4 --kev-mode fast
check 189 irqstorm --kev-version 6.4 --kev-mode wide --endian big

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Snapshots at random instants equal the simulator's truth (tests/sim/at.py): states, times, CPUs,
# priorities, and the thread it waits for. AT_SEEDS runs (4) with three scenarios each, at AT_INSTANTS (40)
# instants; the long form is AT_SEEDS=60 AT_INSTANTS=1000.
. tests/lib/case.sh
SCRIPT=tests/sim/at.py
ARGUMENTS=${AT_INSTANTS:-40}
. tests/lib/truth.sh

# An id of a message is reused, and the records of the CPUs are in separate buffers.
check 9 chatty --kev-version 8.0 --kev-mode wide
# A mutex passes from thread to thread in a wait that does not end in the capture, before the threads of
# the CPUs are known, and around lost records.
ARGUMENTS=${AT_INSTANTS:-200} check 19 convoy --kev-version 8.0 --kev-mode wide
check 33 convoy --kev-version 7.1 --kev-buffers ring --kev-ring 2
ARGUMENTS=${AT_INSTANTS:-100} check 51 convoy --kev-version 8.0 --kev-mode fast --lose 3 --kev-slots 200

check_seeds ${AT_SEEDS:-4}

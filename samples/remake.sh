#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Makes the committed captures again, byte for byte:  sh samples/remake.sh TTSIM DIRECTORY
set -eu
ttsim=$1
to=$2

# The clock's low word wraps in the middle of demo.kev.
"$ttsim" --scenario mixed --seed 16 --events 3400 --start 12850901888 -o "$to/demo.kev"
"$ttsim" --scenario inversion --kev-version 6.4 --kev-mode fast --seed 3 --events 1350 \
    -o "$to/fast1.kev"
"$ttsim" --scenario chatty --seed 5 --events 780 -o "$to/wide4.kev"

# The same scenario in the other formats.
"$ttsim" --format fxt --scenario mixed --seed 16 --events 2000 -o "$to/demo.fxt"
"$ttsim" --format trx --scenario mixed --seed 16 --cpus 1 --events 2500 --trx-ring 2000 \
    -o "$to/demo.trx"
"$ttsim" --format btrace --scenario mixed --seed 16 --events 3000 -o "$to/demo.btrace"
"$ttsim" --format ftrace --scenario mixed --seed 16 --events 2200 -o "$to/demo.dat"

# Directories in the Common Trace Format.
"$ttsim" --format lttng --scenario mixed --seed 16 --events 1500 -o "$to/demo.lttng"
"$ttsim" --format zephyr --scenario mixed --seed 16 --events 1500 -o "$to/demo.zephyr"

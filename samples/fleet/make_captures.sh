#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Simulates a fleet: sh make_captures.sh FOLDER. Writes 100 small captures, 20 of each of five builds, as
# FOLDER/BUILD/RUN.kev, and FOLDER/labels.jsonl, a line per capture with its build, board and run.
# Build 2.3 lets the ADC's thread run longer, at a priority above that of sensor/1. TTSIM is the simulator.
set -eu
folder=$1
ttsim=${TTSIM:-ttsim}

options_of() { # BUILD: the options of its runs
    case $1 in
    2.2) echo --thread-load netmgr/rx=300 ;;
    2.3) echo --thread-load sensor/adc=5000 ;;
    2.4) echo --thread-load logger/writer=200 ;;
    2.5) echo --load 80 ;;
    esac
}

mkdir -p "$folder"
: >"$folder/labels.jsonl"
seed=0
for build in 2.1 2.2 2.3 2.4 2.5; do
    mkdir -p "$folder/$build"
    for run in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20; do
        seed=$((seed + 1))
        board=A
        [ $((seed % 2)) -eq 0 ] || board=B
        lose=
        [ $((seed % 23)) -ne 0 ] || lose='--kev-slots 200 --lose 6'
        # shellcheck disable=SC2046,SC2086 # lists of options
        "$ttsim" --cpus 1 --events 1200 --seed $seed $(options_of $build) $lose -o "$folder/$build/$run.kev"
        echo "{\"capture\":\"$build/$run.kev\",\"build\":\"$build\",\"board\":\"$board\",\"run\":$((seed % 20))}" \
            >>"$folder/labels.jsonl"
    done
done

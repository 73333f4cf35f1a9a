# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# A capture of many threads on many CPUs, FRAME_EVENTS (4000000) of them: its path in $crowd.
crowd=$folder/crowd-${FRAME_EVENTS:-4000000}.kev
if [ ! -s "$crowd" ]; then
    build/ttsim --cpus 64 --processes 100 --threads 1900 --events "${FRAME_EVENTS:-4000000}" \
        -o "$crowd.new" && mv "$crowd.new" "$crowd" || exit 2
fi

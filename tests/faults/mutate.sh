# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The first bytes of every header flipped, and random damage; WHOLE=1: every byte, and more damage. MUTATIONS=100000
# for the long run, with FILE_SECONDS=36000 for tests/run.sh.
. tests/lib/case.sh

MUTATE=$BUILD/tests/faults/mutate
SMALL=tests/filter/small
export MUTATIONS=${MUTATIONS:-${WHOLE:+500}}
export MUTATIONS=${MUTATIONS:-100} FLIPPED=${FLIPPED:-${WHOLE:+1024}}
export FLIPPED=${FLIPPED:-96}

# Small, so that a case takes a millisecond; whole records at the end do not matter.
head -c 6000 $SMALL.kev >"$WORK/qnx.kev"
head -c 8000 $SMALL.fxt >"$WORK/fuchsia.fxt"
head -c 9000 $SMALL.trx >"$WORK/threadx.trx"
head -c 6000 $SMALL.btrace >"$WORK/symbian.btrace"
"$TTSIM" --format ftrace --ftrace-version 6 --cpus 1 --events 60 -o "$WORK/linux6.dat"
"$TTSIM" --format ftrace --ftrace-compress zstd --cpus 1 --events 60 -o "$WORK/linux7.dat"
if command -v python3 >/dev/null; then
    python3 tests/golden/perf_data.py "$WORK/linux6.dat" "$WORK/linux.data"
else
    cp "$WORK/linux6.dat" "$WORK/linux.data"
fi
gzip -9 <"$WORK/symbian.btrace" >"$WORK/symbian.gz"
zstd -q <"$WORK/symbian.btrace" >"$WORK/symbian.zst"

for capture in qnx.kev fuchsia.fxt threadx.trx symbian.btrace linux6.dat linux7.dat linux.data; do
    "$MUTATE" "$WORK/$capture" </dev/null
done
for capture in symbian.gz symbian.zst; do # nearly all of it is refused at once
    FLIPPED=64 MUTATIONS=$((MUTATIONS / 4)) "$MUTATE" "$WORK/$capture" </dev/null
done

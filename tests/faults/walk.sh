# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Failures of every allocation and file operation, in every command that writes; WHOLE=1: for every format in each.
. tests/lib/case.sh

WALK=$BUILD/tests/faults/walk
SMALL=tests/filter/small

# Beginnings of captures, long enough for every kind of record, and fast.
head -c 16000 $SMALL.kev >"$WORK/a.kev"
head -c 16000 $SMALL.fxt >"$WORK/a.fxt"
cp $SMALL.trx "$WORK/a.trx"
cp $SMALL.btrace "$WORK/a.btrace"
"$TTSIM" --format ftrace --ftrace-compress zstd --cpus 1 --events 60 -o "$WORK/a.dat"
gzip -9 <"$WORK/a.btrace" >"$WORK/a.gz"
zstd -q <"$WORK/a.btrace" >"$WORK/a.zst"
printf '[user]\n1 = one\n[interrupt]\n0x25 = eth0\n' >"$WORK/names"

walk() { "$WALK" "$@" </dev/null; }

for format in kev fxt trx btrace dat; do
    walk "dump $format" -- dump "$WORK/a.$format"
done
for format in kev dat ${WHOLE:+fxt trx btrace}; do
    walk "render events $format" -- render events --size 80x24 "$WORK/a.$format"
done
for format in kev ${WHOLE:+fxt trx btrace dat}; do
    walk "info $format" -- info "$WORK/a.$format"
    walk "stats $format" -- stats "$WORK/a.$format"
done
for view in threads cpus summary; do
    walk "render $view" -- render "$view" --size 100x30 "$WORK/a.kev"
done
for by in pair event ${WHOLE:+cpu process total}; do
    walk "stats --by $by" -- stats --by "$by" --format csv "$WORK/a.kev"
done
walk "dump of gzip" -- dump "$WORK/a.gz"
walk "dump of zstd" -- dump "$WORK/a.zst"
gzip -9 <samples/demo.kev >"$WORK/pieces.gz" # it takes several reads
zstd -q <samples/demo.kev >"$WORK/pieces.zst"
walk "info of gzip in pieces" -- info "$WORK/pieces.gz"
walk "info of zstd in pieces" -- info "$WORK/pieces.zst"
walk "dump of standard input" --stdin "$WORK/a.btrace" -- dump -
walk "dump --filter" -- dump --filter 'class = COMM or /r.*d=/' "$WORK/a.kev"
walk "dump to a file" --output "$WORK/out.txt" -- dump --format jsonl -o "$WORK/out.txt" "$WORK/a.kev"
walk "dump of a range" -- dump --from 10% --to 60% --cpu 0 "$WORK/a.kev"
walk "dump in another style" -- dump --style traceprinter "$WORK/a.kev"
walk "dump with names" -- dump --names "$WORK/names" "$WORK/a.kev"
ln -s out.txt "$WORK/out.link"
walk "dump to a link" --output "$WORK/out.txt" -- dump -o "$WORK/out.link" "$WORK/a.kev"
walk "a written file" --output "$WORK/written.txt" -- \
    render events --size 80x24 --keys ":write $WORK/written.txt<Enter>" "$WORK/a.kev"

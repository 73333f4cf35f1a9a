# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# lanes: random state machines, intervals and values against a second implementation over what dump prints
# (lanes.py; LANES=200 for the long form). The output is in tests/cases/lanes.test.
. tests/lib/case.sh

if ! command -v python3 >/dev/null; then
    skip lanes "python3 is not installed"
    exit 0
fi

for sample in demo.kev demo.fxt demo.trx demo.btrace; do
    run python3 tests/golden/lanes.py "$TRACETUI" samples/$sample "${LANES:-6}" "${LANES_SEED:-1}"
    [ "$code" -eq 0 ] && ok "$sample: $(tail -n 1 "$WORK/out")" || not_ok "$sample" "$(head -n 1 "$WORK/out" "$WORK/err" | cut -c1-600)"
done

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# CPU time by client: the columns of threads and processes have the values of `stats --by imposed`.
. tests/lib/case.sh

# clients NAME COUNT CAPTURE OPTION...: COUNT threads have servers
clients() {
    local name=$1 count=$2
    shift 2
    python3 tests/golden/clients.py "$TRACETUI" "$@" >"$WORK/count" 2>"$WORK/differences"
    nothing "$name: rows as in --by imposed" "$WORK/differences"
    same_text "$name: threads with servers" "$count" "$(cat "$WORK/count")"
}

clients "QNX" 8 samples/demo.kev
clients "QNX, a range" 6 samples/demo.kev --from 10ms --to 30ms
clients "QNX, a process" 2 samples/demo.kev --thread netmgr
clients "BTrace" 13 samples/demo.btrace
clients "BTrace, a range" 6 samples/demo.btrace --from 10ms --to 30ms
clients "ThreadX: only posts" 0 samples/demo.trx
clients "Fuchsia: only posts" 0 samples/demo.fxt
clients "no messages" 0 samples/fast1.kev

# With --cpu the values are not computed; the text table does not have the columns.
"$TRACETUI" stats --by thread --cpu 0 --format jsonl samples/demo.kev |
    grep -o '"self_ns":.*' | sort -u >"$WORK/cpu"
same_text "--cpu" '"self_ns":null,"imposed_ns":null,"imposed_gross_ns":null,"charged_ns":null}' \
    "$(cat "$WORK/cpu")"
"$TRACETUI" stats --by thread samples/demo.kev | grep -E 'imposed|charged' >"$WORK/table"
nothing "the text table" "$WORK/table"

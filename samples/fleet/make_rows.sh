#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writes the rows of all captures below a folder: sh make_rows.sh FOLDER. A file per table, in JSON lines, each
# row with its capture: FOLDER/totals.jsonl, threads.jsonl, ... TRACETUI is the program.
set -eu
tracetui=${TRACETUI:-tracetui}
rules=$(cd "$(dirname "$0")" && pwd)/fleet.check
cd "$1"

# over COMMAND...: the command over all captures, a thousand in a call, in the order of their names
over() {
    find . -name '*.kev' | sed 's|^\./||' | LC_ALL=C sort | tr '\n' '\0' | xargs -0 -n 1000 "$tracetui" "$@"
}
for table in total thread cpu event message; do
    over stats --by $table --format jsonl --capture >${table}s.jsonl
done
over stats --by job --deadline sensor/1=1ms --format jsonl --capture >jobs.jsonl
# Exit status 3: a rule failed, 4: one is undecided; xargs then ends with 123.
over check --rules "$rules" --format jsonl >checks.jsonl || [ $? -eq 123 ]

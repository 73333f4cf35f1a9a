#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Judges the lines of the program that a run of the tests reached: bash tests/coverage.sh DIRECTORY [-v]
#
#     COUNTS=DIRECTORY make test && bash tests/coverage.sh DIRECTORY      or: make coverage
#
# Reads the counts that the programs of build/asan, built by clang, left in DIRECTORY. Prints a table per
# directory of src, and the files below 90 %; with -v a line per file. Exit status 1 if a directory is below
# its bound. A file that never ran counts with all its lines.
set -u
cd "$(dirname "$0")/.." || exit 2
export LC_ALL=C.UTF-8
counts=${1:?directory of counts}
verbose=${2:-}

# Directory and least percentage of lines: what the tests of every `make test` reach, less some lines that only
# some schedules of threads and rare tests reach.
BOUNDS='base 94.7
format 95.5
trace 96.0
filter 95.4
analysis 95.6'
# A file with fewer lines that are not reached is not listed.
SLACK_LINES=4

profdata=$(command -v llvm-profdata llvm-profdata-14 | head -n 1)
cov=$(command -v llvm-cov llvm-cov-14 | head -n 1)
if [ -z "$profdata" ] || [ -z "$cov" ]; then
    echo "coverage: no llvm-profdata or llvm-cov: sh tests/deps.sh ci" >&2
    exit 2
fi
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

if ! "$profdata" merge --sparse --failure-mode=all -o "$work/counts" "$counts"/*.profraw 2>"$work/err" ||
    ! "$cov" export --summary-only --instr-profile="$work/counts" build/asan/unit-tests --object build/asan/tracetui \
        >"$work/json" 2>>"$work/err"; then
    head -n 5 "$work/err" >&2
    echo "coverage: no counts in $counts" >&2
    exit 2
fi

python3 - "$work/json" "$BOUNDS" "$SLACK_LINES" "$verbose" <<'PYTHON'
import json
import sys

path, bounds, slack, verbose = sys.argv[1:]
bounds = {row.split()[0]: float(row.split()[1]) for row in bounds.splitlines()}
rooms, files = {}, []
with open(path, encoding="utf-8") as source:
    for entry in json.load(source)["data"][0]["files"]:
        name = entry["filename"]
        name = name[name.find("src/") :] if "src/" in name else name
        lines = entry["summary"]["lines"]
        if not name.startswith("src/") or not name.endswith(".c") or not lines["count"]:
            continue
        room = name.split("/")[1] if name.count("/") > 1 else "main.c"
        total = rooms.setdefault(room, [0, 0, 0])
        total[0] += lines["count"]
        total[1] += lines["covered"]
        total[2] += 1
        files.append((name, lines["count"], lines["covered"]))
for name, count, covered in sorted(files):
    if verbose:
        print(f"{100 * covered / count:6.1f} % of {count:4d}  {name}")
for room, (count, covered, number) in sorted(rooms.items()):
    bound = f", at least {bounds[room]} %" if room in bounds else ""
    print(f"{100 * covered / count:6.1f} % of {count:5d}  src/{room}, {number} files{bound}")
for name, count, covered in sorted(files):
    if covered < 0.9 * count and count - covered > int(slack):
        print(f"below 90 %: {name}: {100 * covered / count:.1f} % of {count}")
low = [room for room in bounds if room not in rooms or 100 * rooms[room][1] < bounds[room] * rooms[room][0]]
for room in low:
    print(f"src/{room} is below its bound")
print("coverage: failed" if low else "coverage: every directory has its bound")
sys.exit(1 if low else 0)
PYTHON

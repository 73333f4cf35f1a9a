#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares a .kev and its text from traceprinter: every table of SQL but what a text does not contain.

usage: tpt_same.py TRACETUI DIRECTORY KEV TEXT
Prints the tables that differ, with a row of each side.
"""
import os
import sqlite3
import subprocess
import sys

# Places in the file; the number of an event, since events of equal time have the order of the file; the form of a
# call (32 or 64 bits) where both print alike.
NOT_IN_TEXT = {
    "*": {"capture", "path", "format", "bytes", "records", "offset", "length", "type_id", "event_id", "n"},
    "captures": {"wall_clock_s"},
    "types": {"code", "type_id", "events"},
}
# Of the health of a .kev: slots are no lines.
SLOTS_ONLY = {"orphan_part", "unfinished", "count_mismatch", "time_back"}


def tables(tracetui, directory, name, path):
    database = os.path.join(directory, name + ".db")
    if os.path.exists(database):
        os.remove(database)
    subprocess.run([tracetui, "sql", "--to", database, path], stderr=subprocess.DEVNULL, check=False)
    connection = sqlite3.connect(database)
    result = {}
    for (table,) in connection.execute("select name from sqlite_master where type = 'table'").fetchall():
        cursor = connection.execute(f'select * from "{table}"')
        columns = [column[0] for column in cursor.description]
        kept = [i for i, column in enumerate(columns)
                if column not in NOT_IN_TEXT["*"] | NOT_IN_TEXT.get(table, set())]
        rows = [tuple(row[i] for i in kept) for row in cursor]
        if table == "types":
            rows = set(rows)
        if table == "wakes":  # which interrupt is the clock's is in the system page
            rows = [tuple("interrupt" if value == "timer" else value for value in row) for row in rows]
        if table == "health":
            rows = [row for row in rows if row[0] not in SLOTS_ONLY]
        result[table] = sorted(map(repr, rows))
    return result


def main():
    tracetui, directory, kev, text = sys.argv[1:5]
    ours, theirs = tables(tracetui, directory, "kev", kev), tables(tracetui, directory, "text", text)
    for table in sorted(set(ours) | set(theirs)):
        if table == "facts":
            continue
        left, right = ours.get(table, []), theirs.get(table, [])
        if left != right:
            only = [[row for row in a if row not in set(b)][:1] for a, b in ((left, right), (right, left))]
            print(f"{table}: {len(left)} and {len(right)} rows; {only[0]} {only[1]}")
    if not ours.get("events") or not ours.get("states"):
        print("no events")


main()

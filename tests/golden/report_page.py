# SPDX-License-Identifier: Apache-2.0
"""Reads a page of `report` with a strict parser.

    report_page.py structure PAGE               its headings, tables and pictures, a line each
    report_page.py numbers PAGE PROGRAM         compares the tables with the CSV of the commands below them

Both print a line beginning with BAD for each fault: a tag that is not closed or unknown, an attribute with code,
a resource from elsewhere, an id that is not unique, a link to nothing, a figure that differs.
"""

import csv
import io
import json
import shlex
import subprocess
import sys
from html.parser import HTMLParser

TAGS = set(
    "html head meta title style body h1 h2 h3 nav ol li a main section footer p code pre div table thead tbody"
    " tr th td svg rect text".split()
)
ATTRIBUTES = set("lang charset name content href id class width height viewbox x y textlength".split())


class Page(HTMLParser):
    """The text of a page by section: its heading, its table, its lines and its commands."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.sections, self.faults = [], [], [], [], []
        self.title = ""

    def handle_decl(self, decl):
        if decl != "DOCTYPE html":
            self.faults.append(f"declaration {decl}")

    def handle_comment(self, data):
        self.faults.append(f"comment {data[:40]}")

    def handle_pi(self, data):
        self.faults.append(f"instruction {data[:40]}")

    def handle_starttag(self, tag, attrs):
        if tag not in TAGS:
            self.faults.append(f"tag {tag}")
        for name, value in attrs:
            if name not in ATTRIBUTES:
                self.faults.append(f"attribute {name} of {tag}")
            if name == "href":
                self.links.append(value)
            if name == "id":
                self.ids.append(value)
        if tag == "section":
            self.sections.append({"id": dict(attrs)["id"], "rows": [], "parts": [], "code": [], "pre": [], "svg": 0})
        if tag == "tr":
            self.sections[-1]["rows"].append([])
        if tag in ("td", "th"):
            self.sections[-1]["rows"][-1].append("")
        if tag in ("h3", "code", "pre"):
            self.sections[-1]["parts" if tag == "h3" else tag].append("")
        if tag == "svg":
            self.sections[-1]["svg"] += 1
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        if tag != "rect" or "svg" not in self.open:
            self.faults.append(f"tag {tag}/")

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes nothing")

    def handle_data(self, data):
        if self.open[-1:] == ["title"]:
            self.title += data
        if self.open[-1:] == ["style"] and any(word in data for word in ("url(", "@import", "</", "expression")):
            self.faults.append("the style sheet loads something")
        if not self.sections:
            return
        section = self.sections[-1]
        place = self.open[-1] if self.open else ""
        if place in ("td", "th"):
            section["rows"][-1][-1] += data
        elif place in ("h3", "code", "pre"):
            section["parts" if place == "h3" else place][-1] += data


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    page = Page()
    page.feed(data.decode("utf-8"))
    page.close()
    faults = page.faults
    faults += [f"not closed: {tag}" for tag in page.open]
    faults += [f"id {own} twice" for own in set(page.ids) if page.ids.count(own) > 1]
    faults += [f"link {link}" for link in page.links if link[:1] != "#" or link[1:] not in page.ids]
    faults += [f"no link to {own}" for own in page.ids if "#" + own not in page.links]
    if len(data) >= 1000000:
        faults.append(f"{len(data)} bytes")
    for fault in faults:
        print("BAD", fault)
    return page


# ---- numbers

AT, SHARE, ID, REASON = "at", "share", "id", "reason"
# Units of times, and a thousandth of each in nanoseconds.
SCALES = {"us": 1, "µs": 1, "ms": 1000, "s": 1000000}
# By section: the number to sort by, and the keys of the columns with their units.
COLUMNS = {
    "threads": ("run_ns", "thread priority run_ns:ms run_pct:share switches_in voluntary:reason preempted:reason"
                          " migrations"),
    "processes": ("run_ns", "pid:id process threads run_ns:ms run_pct:share switches_in voluntary:reason"
                            " preempted:reason migrations"),
    "delays": ("delay_max_ns", "thread priority delay_count delay_mean_ns:us delay_p99_ns:us delay_max_ns:us"
                               " delay_max_at_ns:at"),
    "blocked": ("wait_max_ns", "thread priority wait_count wait_mean_ns:us wait_p99_ns:us wait_max_ns:us"
                               " wait_max_at_ns:at"),
    "misses": ("misses", "thread count response_max_ns:us response_max_at_ns:at run_max_ns:us jitter_ns:us misses"),
    "cpus": (None, "cpu busy_ns:ms idle_ns:ms irq_ns:ms kernel_ns:ms unknown_ns:ms irq_count switches"
                   " busy_pct:share"),
    "jobs": (None, "thread count response_max_ns:us response_max_at_ns:at run_max_ns:us jitter_ns:us misses"),
    "inversions": (None, "thread priority holder by by_priority wait from_ns:at dur_ns:us kind?"),
    "servers": (None, "server kind count rate_hz round_mean_ns:us round_p99_ns:us round_max_ns:us"
                      " round_max_at_ns:at queue_mean_ns:us queue_max_ns:us service_mean_ns:us service_max_ns:us"
                      " errors error busy_pct:share waiting_mean waiting_max serving_max"),
    "objects": (None, "process kind object name waits wait_sum_ns:us wait_mean_ns:us wait_p99_ns:us wait_max_ns:us"
                      " wait_max_at_ns:at waiter holds hold_mean_ns:us hold_max_ns:us holder contended_pct:share"
                      " waiting_mean waiting_max"),
}


def shown(row, key, unit, first_ns, addresses):
    """Returns a value of CSV as a table shows it. `addresses`: numbers of processes are."""
    value = row[key]
    if value == "":
        return "-"
    if unit == ID:
        return hex(int(value)) if addresses else value
    if unit == REASON: # the format records no reasons
        known = row["voluntary"] != "0" or row["preempted"] != "0" or row["unknown_out"] == "0"
        return value if known else "-"
    if unit in SCALES:
        thousandths = int(value) // SCALES[unit]
        return f"{thousandths // 1000}.{thousandths % 1000:03}"
    if unit == AT:
        at = int(value) - first_ns
        return f"{at // 10**9}.{at % 10**9:09}"
    if unit == SHARE:
        return value[:-2]
    return value.removeprefix("'")


def run(program, words):
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    return done.stdout


def expected(section, program, first_ns, addresses):
    order, keys = COLUMNS[section["id"]]
    words = shlex.split(section["code"][0])[1:]
    if "csv" not in words:
        words += ["--format", "csv"]
    rows = list(csv.DictReader(io.StringIO(run(program, words))))
    if order:
        rows = [row for row in rows if int(row[order] or 0) > 0 and row.get("idle", "0") == "0"]
        rows.sort(key=lambda row: -int(row[order]))
    columns = [key.split(":") + [""] for key in keys.split()]
    columns = [column for column in columns if not column[0].endswith("?") or column[0][:-1] in rows[0]]
    headings = section["rows"][0]
    for column, heading in zip(columns, headings):
        if column[1] in SCALES: # the unit suits the largest value of the rows
            column[1] = heading.split()[-1]
    return [[shown(row, key.rstrip("?"), unit, first_ns, addresses) for key, unit, *_ in columns] for row in rows[:10]]


def compare(page, program):
    for section in page.sections:
        if section["id"] not in COLUMNS:
            continue
        capture = shlex.split(section["code"][0])[-1]
        info = json.loads(run(program, ["info", "--format", "jsonl", capture]))
        first_ns = int(info["first_ticks"]) * 10**9 // int(info["clock_hz"] or 10**9)
        ours = section["rows"][1:]
        theirs = expected(section, program, first_ns, info["format"] == "btrace")
        if len(ours) != len(theirs):
            print(f"BAD {section['id']}: {len(ours)} rows, {len(theirs)} of the command")
        for mine, other in zip(ours, theirs):
            if mine != other:
                print(f"BAD {section['id']}: {mine}, of the command {other}")
                break
        print(section["id"], len(ours))


def structure(page):
    print("title", page.title)
    for section in page.sections:
        print("section", section["id"])
        if section["rows"]:
            print("  columns", "|".join(section["rows"][0]))
            print("  rows", len(section["rows"]) - 1)
        for part in section["parts"]:
            print("  part", part)
        if section["svg"]:
            print("  pictures", section["svg"])
        if section["pre"] and section["id"] != "capture":
            print("  lines", sum(text.count("\n") for text in section["pre"]))
        for words in section["code"]:
            print("  command", words)


what, path = sys.argv[1:3]
parsed = read(path)
if what == "structure":
    structure(parsed)
else:
    compare(parsed, sys.argv[3])

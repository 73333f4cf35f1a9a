# SPDX-License-Identifier: Apache-2.0
"""Compares a picture with the screen that `render` prints in colours.

    picture_cells.py PICTURE ANSI

PICTURE is an .svg or .html file, ANSI the same screen by --format ansi. Parses the picture with Python's
parsers, and prints a line per difference: cells with other characters, or a style that is painted in two
ways.
"""

import re
import sys
import xml.etree.ElementTree as tree
from html.parser import HTMLParser

MARGIN, WIDTH, HEIGHT, BASELINE = 8.0, 8.4, 18.0, 13.8


def svg_cells(path):
    cells, backs = {}, {}
    for item in tree.parse(path).getroot():
        name = item.tag.rsplit("}", 1)[1]
        if item.get("x") is None:
            continue
        x = round((float(item.get("x")) - MARGIN) / WIDTH)
        if name == "rect":
            y = round((float(item.get("y")) - MARGIN) / HEIGHT)
            for column in range(x, x + round(float(item.get("width")) / WIDTH)):
                backs[y, column] = item.get("fill")
        elif name == "text":
            y = round((float(item.get("y")) - MARGIN - BASELINE) / HEIGHT)
            if round(float(item.get("textLength")) / WIDTH) != len(item.text):
                print(f"line {y}: {item.text!r} has another length")
            style = item.get("fill"), item.get("font-weight"), item.get("text-decoration")
            for column, char in enumerate(item.text, x):
                cells[y, column] = char, style
    return {place: (cells.get(place, (" ", None))[0],
                    (cells.get(place, (" ", None))[1] if cells.get(place, " ")[0] != " " else None,
                     backs.get(place)))
            for place in cells.keys() | backs.keys()}


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.cells, self.open, self.pre, self.style, self.y, self.x = {}, [], False, None, 0, 0

    def handle_starttag(self, tag, attrs):
        if tag != "meta":
            self.open.append(tag)
        self.pre = self.pre or tag == "pre"
        if tag == "pre":
            self.y = -1  # the first newline belongs to the tag
        if tag == "span":
            self.style = dict(attrs)["style"]

    def handle_endtag(self, tag):
        if self.open.pop() != tag:
            print(f"</{tag}> closes nothing")
        if tag == "span":
            self.style = None
        self.pre = self.pre and tag != "pre"

    def handle_data(self, data):
        for char in data if self.pre else "":
            if char == "\n":
                self.y, self.x = self.y + 1, 0
            else:
                self.cells[self.y, self.x] = char, self.style
                self.x += 1


def html_cells(path):
    page = Page()
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if not text.startswith("<!DOCTYPE html>"):
        print("no document type")
    page.feed(text)
    page.close()
    if page.open:
        print(f"not closed: {page.open}")
    return page.cells


def ansi_cells(path):
    cells, style = {}, "0"
    with open(path, encoding="utf-8") as file:
        for y, line in enumerate(file.read().splitlines()):
            x = 0
            for sgr, char in re.findall(r"\x1b\[([0-9;]*)m|(.)", line):
                if char:
                    cells[y, x] = char, style
                    x += 1
                else:
                    style = sgr
    return cells


picture, screen = sys.argv[1:]
ours = svg_cells(picture) if picture.endswith(".svg") else html_cells(picture)
theirs = ansi_cells(screen)
painted = {}
for place in sorted(ours.keys() | theirs.keys()):
    a, b = ours.get(place, (" ", None)), theirs.get(place, (" ", None))
    if a[0] != b[0]:
        print(f"line {place[0]}, column {place[1]}: {a[0]!r}, on the screen {b[0]!r}")
        break
    if b[0] != " " and painted.setdefault(b[1], a[1]) != a[1]:
        print(f"line {place[0]}, column {place[1]}: {b[1]} is {painted[b[1]]} and {a[1]}")
        break
print(f"{len(painted)} styles, {len(set(map(str, painted.values())))} of them different")

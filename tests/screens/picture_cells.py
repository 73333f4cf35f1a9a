# SPDX-License-Identifier: Apache-2.0
"""Compares pictures with the screens that `render` prints in colours.

    picture_cells.py <LIST

A line of LIST is: dark or light, the screen by --format ansi, the picture (.svg or .html). Parses each
picture with Python's parsers, computes the colours of each cell from the sequences of the screen, and prints
a line per picture: the number of its cells and styles, or the first difference.
"""

import re
import sys
import xml.etree.ElementTree as tree
from html.parser import HTMLParser

MARGIN, WIDTH, HEIGHT, BASELINE = 8.0, 8.4, 18.0, 13.8

# The 16 basic colours, then text and background of cells without a colour.
PALETTES = {
    "dark": (
        "1e1e1e e06c75 6cc070 d7ba5a 6a9fd8 c586c0 4ec9c9 d0d0d0"
        " 808080 ff8a80 9be29b f5e08a 9cc4f5 e5a5e5 86e6e6 ffffff d0d0d0 1e1e1e"
    ).split(),
    "light": (
        "1c1c1c b3261e 1d7a30 8a6100 1f5fbf 8e3a9d 007a80 9a9a9a"
        " 6b6b6b d13c33 2f9444 a97800 3b7ddd a957b8 0a949b ffffff 1c1c1c ffffff"
    ).split(),
}
TEXT, BACK = 16, 17
BLANK = " ", None


class Different(Exception):
    """The first difference of a picture and its screen."""


# ---- styles: (text colour, background or None, bold, italic, underline)


def color(palette, number):
    """Returns a colour of the usual 256 as rrggbb."""
    if number < 16:
        return palette[number]
    if number >= 232:
        return f"{8 + 10 * (number - 232):02x}" * 3
    levels = 0, 95, 135, 175, 215, 255
    number -= 16
    return "".join(f"{levels[i]:02x}" for i in (number // 36, number // 6 % 6, number % 6))


def mixed(a, b):
    """Returns the dim form of the colour a on b: five eighths of it."""
    parts = (int(a[i : i + 2], 16) * 5 + int(b[i : i + 2], 16) * 3 for i in (0, 2, 4))
    return "".join(f"{part // 8:02x}" for part in parts)


def style_of(palette, sgr):
    """Returns the style that a colour sequence stands for."""
    fg = bg = None
    attributes = set()
    numbers = [int(n or 0) for n in sgr.split(";")]
    while numbers:
        n = numbers.pop(0)
        if n in (38, 48):
            value = color(palette, numbers[1])
            del numbers[:2]
            fg, bg = (value, bg) if n == 38 else (fg, value)
        elif 30 <= n <= 37 or 90 <= n <= 97:
            fg = color(palette, n - 30 if n < 90 else n - 82)
        elif 40 <= n <= 47 or 100 <= n <= 107:
            bg = color(palette, n - 40 if n < 100 else n - 92)
        elif n in (39, 49):
            fg, bg = (None, bg) if n == 39 else (fg, None)
        elif n == 0:
            fg = bg = None
            attributes = set()
        else:
            attributes.add(n)
    has_back = bg is not None or 7 in attributes
    fg, bg = fg or palette[TEXT], bg or palette[BACK]
    if 2 in attributes:
        fg = mixed(fg, bg)
    if 7 in attributes:
        fg, bg = bg, fg
    return fg, bg if has_back else None, 1 in attributes, 3 in attributes, 4 in attributes


# ---- cells: {(line, column): (character, style)}


def svg_cells(path, palette):
    cells, backs = {}, {}
    for item in tree.parse(path).getroot():
        name = item.tag.rsplit("}", 1)[1]
        if item.get("x") is None:
            continue
        x = round((float(item.get("x")) - MARGIN) / WIDTH)
        if name == "rect":
            y = round((float(item.get("y")) - MARGIN) / HEIGHT)
            for column in range(x, x + round(float(item.get("width")) / WIDTH)):
                backs[y, column] = item.get("fill")[1:]
        elif name == "text":
            y = round((float(item.get("y")) - MARGIN - BASELINE) / HEIGHT)
            if round(float(item.get("textLength")) / WIDTH) != len(item.text):
                raise Different(f"line {y}: {item.text!r} has another length")
            fg = item.get("fill", "#" + palette[TEXT])[1:]
            style = (item.get("font-weight") == "bold", item.get("font-style") == "italic",
                     item.get("text-decoration") == "underline")
            for column, char in enumerate(item.text, x):
                cells[y, column] = char, (fg, None, *style)
    for place, back in backs.items():
        char, style = cells.get(place, (" ", (palette[TEXT], None, False, False, False)))
        cells[place] = char, (style[0], back, *style[2:])
    return cells


class Page(HTMLParser):
    """The cells of the <pre> of a page."""

    def __init__(self, palette):
        super().__init__()
        self.plain = palette[TEXT], None, False, False, False
        self.cells, self.open, self.pre, self.style, self.y, self.x = {}, [], False, self.plain, 0, 0

    def handle_starttag(self, tag, attrs):
        if tag != "meta":
            self.open.append(tag)
        self.pre = self.pre or tag == "pre"
        if tag == "pre":
            self.y = -1  # the first newline belongs to the tag
        if tag == "span":
            css = dict(part.split(":") for part in dict(attrs)["style"].split(";"))
            self.style = (css["color"][1:], css["background"][1:] if "background" in css else None,
                          css.get("font-weight") == "bold", css.get("font-style") == "italic",
                          css.get("text-decoration") == "underline")

    def handle_endtag(self, tag):
        if self.open.pop() != tag:
            raise Different(f"</{tag}> closes nothing")
        if tag == "span":
            self.style = self.plain
        self.pre = self.pre and tag != "pre"

    def handle_data(self, data):
        for char in data if self.pre else "":
            if char == "\n":
                self.y, self.x = self.y + 1, 0
            else:
                self.cells[self.y, self.x] = char, self.style
                self.x += 1


def html_cells(path, palette):
    page = Page(palette)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if not text.startswith("<!DOCTYPE html>"):
        raise Different("no document type")
    page.feed(text)
    page.close()
    if page.open:
        raise Different(f"not closed: {page.open}")
    return page.cells


def ansi_cells(path, palette):
    cells, style = {}, style_of(palette, "0")
    with open(path, encoding="utf-8") as file:
        for y, line in enumerate(file.read().splitlines()):
            x = 0
            for sgr, char in re.findall(r"\x1b\[([0-9;]*)m|(.)", line):
                if char:
                    cells[y, x] = char, style
                    x += 1
                else:
                    style = style_of(palette, sgr)
    return cells


def seen(cell):
    """Returns what can be seen of a cell: a blank has no text colour."""
    char, style = cell
    if char == " " and not style[4]:
        return " ", style[1]
    return char, style


def compare(theme, screen, picture):
    palette = PALETTES[theme]
    ours = (svg_cells if picture.endswith(".svg") else html_cells)(picture, palette)
    theirs = ansi_cells(screen, palette)
    empty = " ", style_of(palette, "0")
    for place in sorted(ours.keys() | theirs.keys()):
        a, b = seen(ours.get(place, empty)), seen(theirs.get(place, empty))
        if a != b:
            raise Different(f"line {place[0]}, column {place[1]}: {a}, on the screen {b}")
    return f"{len(theirs)} cells in {len(set(style for _, style in theirs.values()))} styles"


for row in sys.stdin:
    theme, screen, picture = row.split()
    try:
        print(picture, compare(theme, screen, picture), sep=": ")
    except (Different, tree.ParseError) as error:
        print(picture, f"DIFFERENT {error}", sep=": ")

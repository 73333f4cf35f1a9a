# SPDX-License-Identifier: Apache-2.0
"""Roles of the cells of a screen, from its colours: a theme of the tests gives each role a colour of its own.

    roles.py theme                        prints that theme
    roles.py map DIRECTORY NAME...        prints the roles of screens, drawn with it as NAME.ansi; the first line, the
                                          status line and the footer only of `events` and `prompt`
    roles.py check THEME COLORS DIRECTORY DRAWN NAME...   the same screens, drawn with a theme of themes/, have in each
                                          cell the style that the theme has for its roles; prints what differs
    roles.py ascii DIRECTORY DRAWN NAME...   the same screens in ASCII (NAME.txt) have the ASCII form of each glyph

A role is the foreground, an overlay the background. The rules are those of src/tui/draw/theme.h, written again.
"""
import re
import sys

NAMES = "black red green yellow blue magenta cyan white".split()
COLORS = {n: i for i, n in enumerate(NAMES)} | {"bright-" + n: i + 8 for i, n in enumerate(NAMES)}
ATTRS = {1: "bold", 2: "dim", 3: "italic", 4: "underline", 7: "reverse"}


def lines_of(name):
    text = open("themes/%s.theme" % name, encoding="utf-8").read()
    return re.findall(r"^([\w.]+) = (.*)$", text, re.M)


def roles():
    """All names of roles, and those that are overlays, from docs/themes.md."""
    rows = re.findall(r"^\| `([\w.]+)` \| `[^`]*` \| (.*) \|$", open("docs/themes.md", encoding="utf-8").read(), re.M)
    known = [name for name, _ in lines_of("default")]
    names = [(name, help) for name, help in rows if name in known and not name.startswith("glyph.")]
    return [name for name, _ in names], {name for name, help in names if "(overlay)" in help or name == "field"}


def color(word):
    if word == "default":
        return None
    if word.startswith("#"):
        return nearest(*(int(word[i : i + 2], 16) for i in (1, 3, 5)))
    return COLORS[word] if word in COLORS else int(word)


def nearest(r, g, b):
    """The nearest of the 240 colours after the 16."""
    cube = [0, 95, 135, 175, 215, 255]
    found = []
    for i in range(216):
        found.append((16 + i, cube[i // 36], cube[i // 6 % 6], cube[i % 6]))
    for i in range(24):
        found.append((232 + i, 8 + 10 * i, 8 + 10 * i, 8 + 10 * i))
    return min(found, key=lambda c: (c[1] - r) ** 2 + (c[2] - g) ** 2 + (c[3] - b) ** 2)[0]


def styles(theme):
    found = {}
    for name, value in lines_of("default") + lines_of(theme):
        words = value.split()
        if name in ("name", "background") or name.startswith("glyph."):
            continue
        attrs = set(words[2].split(",")) if len(words) > 2 and not words[2].startswith("#") else set()
        found[name] = (color(words[0]), color(words[1]), attrs)
    return found


def cells(path):
    """Rows of (character, foreground, background, attributes)."""
    for line in open(path, encoding="utf-8").read().split("\n")[:-1]:
        row, fg, bg, attrs = [], None, None, set()
        for codes, char in re.findall(r"\x1b\[([\d;]*)m|(.)", line):
            if char:
                row.append((char, fg, bg, frozenset(attrs)))
                continue
            numbers = [int(n or 0) for n in codes.split(";")]
            while numbers:
                n = numbers.pop(0)
                if n == 0:
                    fg, bg, attrs = None, None, set()
                elif n in ATTRS:
                    attrs.add(ATTRS[n])
                elif n in (38, 48):
                    numbers.pop(0)
                    value = numbers.pop(0)
                    fg, bg = (value, bg) if n == 38 else (fg, value)
                elif 30 <= n <= 37 or 90 <= n <= 97:
                    fg = n - 30 if n < 90 else n - 82
                elif 40 <= n <= 47 or 100 <= n <= 107:
                    bg = n - 40 if n < 100 else n - 92
        yield row


def roles_of(cell, names):
    """The role and the overlay of a cell drawn with the theme of the tests."""
    return tuple(names[n - 16] if n is not None else None for n in cell[1:3])


def print_map(directory, name):
    names, _ = roles()
    rows = list(cells("%s/%s.ansi" % (directory, name)))
    print("==", name)
    for row in rows if name in ("events", "prompt") else rows[1:-2]:
        runs = []
        for cell in row:
            role, over = roles_of(cell, names)
            name = (role or "text") + ("+" + over if over else "")
            if runs and runs[-1][0] == name:
                runs[-1][1] += 1
            else:
                runs.append([name, 1])
        print(" ".join("%s:%d" % (name, n) for name, n in runs))


def style_of(theme, role, over):
    fg, bg, attrs = theme[role or "text"]
    attrs = set(attrs)
    if over:
        upper = theme[over]
        fg = upper[0] if upper[0] is not None else fg
        bg = upper[1] if upper[1] is not None else bg
        if "bold" in upper[2]:
            attrs.discard("dim")
        attrs |= upper[2]
    return fg, bg, attrs


def check(theme_name, colors, path, drawn, name):
    names, _ = roles()
    theme = styles(theme_name)
    wrong = cells_seen = 0
    seen = {}
    cursor = theme["cursor"]
    is_bar = cursor[1] != theme["text"][1] or bool(cursor[2] & {"reverse", "underline"})
    for y, (row, other) in enumerate(zip(cells(path), cells(drawn), strict=True)):
        for x, (cell, shown) in enumerate(zip(row, other)):
            role, over = roles_of(cell, names)
            if cell[0] != shown[0]:
                continue  # without colours a mixed cell of a lane shows another state
            if over == "cursor" and not is_bar and not cursor[2] <= shown[3]:
                over = None  # a cursor that is no bar covers the beginning of the line only
            fg, bg, attrs = style_of(theme, role, over)
            if colors < 256 and fg == bg is not None:
                fg = 7 if bg % 8 < 4 else 0  # a glyph on its own colour could not be read
            cells_seen += 1
            if colors < 256:  # a theme of more colours has the nearest ones: each pair of roles one style
                good = all(c is None or c < 16 for c in shown[1:3])
                good &= seen.setdefault((role, over), shown[1:4]) == shown[1:4] or shown[0] == " "
                if all(c is None or c < 16 for c in (fg, bg)):
                    good &= shown[0] == " " or shown[1:4] == (fg, bg, attrs)
            else:
                # A blank has no foreground; without a reverse or an underline no attribute is seen either.
                good = shown[2] == bg if shown[0] == " " else shown[1:4] == (fg, bg, attrs)
            if not good and wrong < 5:
                print("line %d, column %d, %r is %s+%s: %s, not %s" % (y, x, shown[0], role, over, shown[1:], (fg, bg, attrs)))
            wrong += not good
    if wrong or cells_seen < 100:
        print("%s: %d of %d cells are wrong" % (name, wrong, cells_seen))


def ascii_forms(path, drawn, name):
    forms = {}
    for glyph, value in lines_of("default"):
        if glyph.startswith("glyph."):
            utf8, plain = re.fullmatch(r'"(.)" "(.)"', value).groups()
            forms.setdefault(utf8, set()).add(plain)
    rows, others = (open(p, encoding="utf-8").read().split("\n") for p in (path, drawn))
    wrong, changed = [], 0
    for y, (row, other) in enumerate(zip(rows, others, strict=True)):
        if len(row) != len(other):
            wrong.append("line %d: %d columns, %d in ASCII" % (y, len(row), len(other)))
        for x, (a, b) in enumerate(zip(row, other)):
            changed += a != b
            if b not in forms.get(a, {a}) or b > "~":
                wrong.append("line %d, column %d: %r became %r" % (y, x, a, b))
    has_glyphs = any(a > "~" for row in rows for a in row)
    for line in wrong[:5] if wrong else ["nothing is another glyph"] if has_glyphs and not changed else []:
        print("%s: %s" % (name, line))


def main(command, arguments):
    if command == "theme":
        all_names, overlays = roles()
        print("name = roles")
        for number, role in enumerate(all_names):
            print("%s = %s" % (role, "default %d" % (16 + number) if role in overlays else "%d default" % (16 + number)))
    elif command == "map":
        for name in arguments[1:]:
            print_map(arguments[0], name)
    elif command == "check":
        theme, colors, directory, drawn = arguments[:4]
        for name in arguments[4:]:
            check(theme, int(colors), "%s/%s.ansi" % (directory, name), "%s/%s.ansi" % (drawn, name), name)
    else:
        directory, drawn = arguments[:2]
        for name in arguments[2:]:
            ascii_forms("%s/%s.txt" % (directory, name), "%s/%s.txt" % (drawn, name), name)


main(sys.argv[1], sys.argv[2:])

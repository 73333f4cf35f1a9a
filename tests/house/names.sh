# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Names in src and include: a pointer has no name of one letter, the first parameter of a function has the name of its
# type in docs/contributing.md, and a static function's name is in fewer than five files.
. tests/lib/case.sh

cat >"$WORK/names.py" <<'PYTHON'
import collections, glob, os, re, sys

receivers = dict(re.findall(r"^\| `struct (\w+)` \| `(\w+)` \|$", open("docs/contributing.md").read(), re.M))
letters, others, statics = [], [], collections.defaultdict(set)
root = sys.argv[1]
paths = [path for end in ("src/**/*.[ch]", "include/**/*.h") for path in glob.glob(root + end, recursive=True)]
for path in sorted(paths):
    text = re.sub(r"/\*.*?\*/", "", open(path).read(), flags=re.S)
    text = re.sub(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", "", text, flags=re.M | re.S)
    for group in re.findall(r"\(([^(){};]*\bstruct \w+ \*(?:const )?\w+[^(){};]*)\)", text):
        pointers = re.findall(r"struct (\w+) \*(?:const )?(\w+)\s*(?=,|$)", group)
        letters += [f"{path}: struct {kind} *{name}" for kind, name in pointers if len(name) == 1]
        first = re.match(r"(?:const )?struct (\w+) \*(?:const )?(\w+)\s*(?:,|$)", group)
        if first and [kind for kind, _ in pointers].count(first[1]) == 1:
            wanted = receivers.get(first[1], first[2])
            if first[2] not in (wanted, wanted + "s"):
                others.append(f"{path}: struct {first[1]} *{first[2]}, not {wanted}")
    for name in re.findall(r"^static (?:\w+ )*\**(\w+)\([^;{]*\)\s*\{", text, re.M):
        if name == name.lower():
            statics[name].add(path)
many = [f"{name}: {len(files)} files" for name, files in sorted(statics.items()) if len(files) > 4]
print(len(receivers), len(letters), len(others), len(many))
print("\n".join(sorted(set(letters)) + sorted(set(others)) + many), file=sys.stderr)
PYTHON

run python3 "$WORK/names.py" ""
read -r receivers letters others many <"$WORK/out"
wrong=$(head -n 5 "$WORK/err" | paste -sd ';')
same_text "docs/contributing.md has the names of receivers" 1 "$((receivers >= 40))"
same_text "no pointer to a struct has a name of one letter: $wrong" 0 "$letters"
same_text "the first parameter of a type has its name: $wrong" 0 "$others"
same_text "no static function has the name of those of four other files: $wrong" 0 "$many"

# The same checks on sources that are wrong.
mkdir -p "$WORK/wrong/src"
for number in 1 2 3 4 5; do
    printf 'static int put(struct tt_other *t)\n{\n}\nint tt_x(struct tt_capture *whole, int n)\n{\n}\n'
done | split -l 6 - "$WORK/wrong/src/file" --additional-suffix=.c
run python3 "$WORK/names.py" "$WORK/wrong/"
same_text "what is wrong is found" "5 5 1" "$(cut -d' ' -f2- "$WORK/out")"

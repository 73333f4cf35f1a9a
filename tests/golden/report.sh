# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# `report`: the page is well-formed, has no scripts and no resources from elsewhere, its tables have
# the numbers of the commands that it names, names from a capture remain text, and it is smaller
# than 1 MB. A browser of the system draws it, if there is one (sh tests/deps.sh browser installs
# it). REMAKE=1 writes the expected structures again.
. tests/lib/case.sh
# Names in UTF-8.
export LC_ALL=C.UTF-8

# page NAME FILE: no fault in the page
page() {
    python3 tests/golden/report_page.py structure "$2" >"$WORK/structure" 2>&1
    same_text "$1: the page" "" "$(grep -v '^ *\(title\|section\|columns\|rows\|part\|pictures\|lines\|command\) ' "$WORK/structure" | head -n 5)"
}

# numbers NAME FILE: the tables have the numbers of the commands
numbers() {
    python3 tests/golden/report_page.py numbers "$2" "$TRACETUI" >"$WORK/numbers" 2>&1
    same_text "$1: the numbers" "" "$(grep -vE '^[a-z]+ [0-9]+$' "$WORK/numbers" | tail -n 5)"
    same_text "$1: tables were compared" 1 "$(($(wc -l <"$WORK/numbers") >= 4))"
}

for kind in kev fxt trx btrace; do
    options=(--no-cache)
    [ $kind != trx ] || options+=(--clock 1M)
    [ $kind != kev ] || options+=(--from 10ms --to 45ms -n 2 --deadline 'sensor/1=150us,/^fusion/=200us')
    "$TRACETUI" report "samples/demo.$kind" "${options[@]}" -o "$WORK/$kind.html" 2>"$WORK/err"
    nothing "demo.$kind: no message" "$WORK/err"
    page "demo.$kind" "$WORK/$kind.html"
    [ -z "${REMAKE:-}" ] || cp "$WORK/structure" "tests/golden/expected/demo.$kind.report"
    same "demo.$kind: the structure" "tests/golden/expected/demo.$kind.report" "$WORK/structure"
    numbers "demo.$kind" "$WORK/$kind.html"
done
"$TRACETUI" report --no-cache - <samples/demo.fxt >"$WORK/stdin.html" 2>"$WORK/err"
page "standard input" "$WORK/stdin.html"
LC_ALL=C "$TRACETUI" report --no-cache samples/demo.fxt >"$WORK/c.html"
same "the same page in another locale" "$WORK/fxt.html" "$WORK/c.html"

# The explanations are those of why, line by line.
"$TRACETUI" why --no-cache --worst delay samples/demo.fxt | sed 's/  *$//' >"$WORK/why"
python3 - "$WORK/fxt.html" >"$WORK/lines" <<'PYTHON'
import html, re, sys
page = open(sys.argv[1], encoding="utf-8").read()
section = re.search('<section id="delay">.*?</section>', page, re.S).group(0)
print("".join(html.unescape(text) for text in re.findall("<pre>\n(.*?)</pre>", section, re.S)), end="")
PYTHON
same_text "the lines of why" "" "$(grep -vxFf "$WORK/why" "$WORK/lines")"
same_text "... all but the heads" "$(($(grep -c . "$WORK/why") - 5))" "$(grep -c . "$WORK/lines")"

# ---- options
"$TRACETUI" report --no-cache samples/demo.btrace --title '<b>Late & "sore"</b>' >"$WORK/title.html"
page "a title" "$WORK/title.html"
says "a title" '^title <b>Late & "sore"</b>$' "$WORK/structure"
exits "two files" 2 "$TRACETUI" report samples/demo.kev samples/demo.fxt
says "two files" 'report accepts one file' "$WORK/err"
exits "a wrong deadline" 2 "$TRACETUI" report samples/demo.kev --deadline 'sensor' -o "$WORK/none.html"
same_text "... writes nothing" "" "$(ls "$WORK/none.html" 2>/dev/null)"
head -c 50000 samples/demo.kev >"$WORK/cut.kev"
exits "a damaged capture" 1 "$TRACETUI" report "$WORK/cut.kev" -o "$WORK/cut.html"
page "a damaged capture" "$WORK/cut.html"
says "... with its damage" 'trunc|damaged|cut' "$WORK/cut.html"

# ---- from within the program: the same page, of the selection, with the deadlines that are set
# inside KEYS
inside() {
    "$TRACETUI" render threads samples/demo.kev --no-cache --keys "$1" >"$WORK/screen" 2>"$WORK/err"
}
"$TRACETUI" report --no-cache samples/demo.kev -o "$WORK/whole.html"
inside ":write $WORK/inside.html<Enter>"
same ":write FILE.html" "$WORK/whole.html" "$WORK/inside.html"
says ":write FILE.html" "the report written to /" "$WORK/screen"
inside ":report $WORK/inside.page<Enter>"
same ":report takes any name" "$WORK/whole.html" "$WORK/inside.page"
inside ":deadline sensor/1=150us<Enter>:set job_ends kev:+MUTEX trx:SLEEP<Enter>:20ms<Enter>v:40ms<Enter>v:write $WORK/part.html<Enter>"
page ":write of a selection" "$WORK/part.html"
says "... has its range" '^ *command .*--from [0-9]*t --to [0-9]*t ' "$WORK/structure"
says "... and the states that end a job" 'job-ends' "$WORK/structure"
says "... and the deadlines" '^ *section misses' "$WORK/structure"
numbers ":write of a selection" "$WORK/part.html"
echo old >"$WORK/old.html"
inside ":write $WORK/old.html<Enter>"
says "a file that exists is kept" 'not written|exists' "$WORK/screen"
same_text "a file that exists is kept" old "$(cat "$WORK/old.html")"

# ---- hostile names
python3 - "$WORK/hostile.fxt" <<'PYTHON'
import sys
data = open("samples/demo.fxt", "rb").read()
for name, other in ((b"logger", b"</pre>"), (b"resolver", b"<script>"), (b"writer", b"<b>&\"'"), (b"worker", b"&#60;i"),
                    (b"filter", b"\x1b[31m\n"), (b"render", "‮éé".encode()[:6].ljust(6))):
    assert name in data and len(name) == len(other), name
    data = data.replace(name, other)
open(sys.argv[1], "wb").write(data)
PYTHON
cp "$WORK/hostile.fxt" "$WORK/<img src=x onerror='alert(1)'>.fxt"
"$TRACETUI" report --no-cache "$WORK/<img src=x onerror='alert(1)'>.fxt" >"$WORK/hostile.html" 2>"$WORK/err"
page "hostile names" "$WORK/hostile.html"
says "... stay text" '^  part pre>/[0-9]+ <b>&"'"'"' delay' "$WORK/structure"
says "... in the name of the file" '<img src=x' "$WORK/structure"
same_text "... without control characters" "" "$(LC_ALL=C tr -d '\n -~\200-\377' <"$WORK/hostile.html")"

# ---- size
"$TTSIM" --cpus 32 --processes 100 --threads 1000 --events 60000 -o "$WORK/crowd.fxt" --format fxt
"$TRACETUI" report --no-cache "$WORK/crowd.fxt" -n 2000 -o "$WORK/crowd.html" 2>"$WORK/err"
page "a crowd" "$WORK/crowd.html"
says "... is cut" 'more are left out: the page would exceed 1 MB' "$WORK/crowd.html"
same_text "... and not before" 1 "$(($(stat -c %s "$WORK/crowd.html") > 600000))"

# ---- a browser
browser=$(command -v chromium || command -v chromium-browser)
if [ -z "$browser" ]; then
    skip "a browser draws the page" "no chromium here: sh tests/deps.sh browser"
else
    # shot NAME [OPTION...]
    shot() {
        local name=$1
        shift
        HOME=$WORK timeout 600 "$browser" --headless=new --no-sandbox --disable-gpu --user-data-dir="$WORK/browser" \
            --host-resolver-rules='MAP * ~NOTFOUND' --window-size=1240,2400 --screenshot="$WORK/$name.png" "$@" \
            "file://$WORK/kev.html" >"$WORK/browser.log" 2>&1
    }
    shot light
    shot dark --blink-settings=preferredColorScheme=0
    for name in light dark; do
        # The colour of a corner: the background of the page.
        python3 - "$WORK/$name.png" >"$WORK/$name.color" 2>&1 <<'PYTHON'
import struct, sys, zlib
data = open(sys.argv[1], "rb").read()
width, height, depth, color = struct.unpack(">IIBB", data[16:26])
packed, at = b"", 8
while at < len(data):
    size, kind = struct.unpack(">I4s", data[at:at + 8])
    packed += data[at + 8:at + 8 + size] if kind == b"IDAT" else b""
    at += size + 12
line = zlib.decompress(packed)[:1 + width * 3]
print("%02x%02x%02x" % tuple(line[1:4]), "different" if len(set(zlib.decompress(packed))) > 20 else "blank")
PYTHON
    done
    same_text "a browser draws the page" "ffffff different" "$(cat "$WORK/light.color")"
    same_text "... dark where that is preferred" "1e1e1e different" "$(cat "$WORK/dark.color")"
fi

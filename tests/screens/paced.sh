# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Status reports after frames: at most two are unanswered, an answer is never read as a key, however
# it arrives, and none is left for the shell.
. tests/lib/case.sh

command -v python3 >/dev/null || {
    skip "paced frames" "no python3 here"
    exit 0
}
"$TTSIM" -o "$WORK/whole.kev" --events 6000 --seed 2 2>/dev/null

# paced TERM ANSWER...: follows a file that grows in 20 steps, with an open prompt, on a terminal that
# answers each status report with these parts. Prints: whether it was queried, the maximum of
# unanswered queries, whether no key was read between those of a command, what the shell found in
# its input.
paced() {
    TRACETUI=$TRACETUI WHOLE=$WORK/whole.kev GROWING=$WORK/growing.kev timeout 300 python3 - "$@" <<'END'
import os, pty, re, select, sys, time
term = sys.argv[1]
answer = [part.encode().decode('unicode_escape').encode() for part in sys.argv[2:]]
whole, growing = open(os.environ['WHOLE'], 'rb').read(), os.environ['GROWING']
steps = [len(whole) * i // 20 for i in range(21)]
open(growing, 'wb').write(whole[:steps[5]])
pid, fd = pty.fork()
if pid == 0:
    os.environ.update(TERM=term, LINES='24', COLUMNS='80')
    os.execvp('bash', ['bash', '-c', '"$TRACETUI" --no-config --no-session -f "$GROWING"; echo; echo ended;'
                       'IFS= read -r -t 1 -n 9 left; printf "left=%q.\\n" "$left"'])
out, asked, answered, most = b'', 0, 0, 0
def take(seconds):
    global out, asked, answered, most
    if not select.select([fd], [], [], seconds)[0]:
        return False
    try:
        data = os.read(fd, 65536)
    except OSError:
        return False
    out += data
    asked = out.count(b'\x1b[5n')
    most = max(most, asked - answered)
    while answer and not quits and answered < asked:
        for part in answer:
            os.write(fd, part)
            if part is not answer[-1]:
                time.sleep(0.04)  # more than curses waits behind an Esc
        answered += 1
    if b'\x1b[c' in data:
        os.write(fd, b'\x1b[?62c')
    return bool(data)
def await_text(text):
    end = time.time() + 60
    while text not in out and time.time() < end:
        take(0.2)
quits = False
await_text(b'LIVE')
os.write(fd, b':')
for a, b in zip(steps[5:], steps[6:]):
    with open(growing, 'ab') as file:
        file.write(whole[a:b])
    take(0.05)
os.write(fd, b'77')
await_text(b'77')
while take(2.5):  # longer than a late answer is waited for
    pass
os.write(fd, b'\r')
while take(2.5):
    pass
quits = True  # the answer to this frame comes when the program quits
os.write(fd, b'\x0c')
await_text(b'78th of 6,000')  # a key between would have changed the command
while take(0.3):
    pass
os.write(fd, b'q' + b'\x1b[0n' * (asked - answered) if answer else b'q')
await_text(b'left=')
while take(0.3):
    pass
text = out.decode(errors='replace')
clean = '78th of 6,000' in text
left = re.findall(r'left=(.*)\.', text)
print('once' if asked == 1 else 'asked' if asked else 'never', most if answer else '-', 'clean' if clean else 'stray', left[-1] if left else 'none')
END
}

# in_flight TERM ANSWER...: paced with "most" instead of the maximum of queries, if it is one or two
in_flight() { paced "$@" | sed -E 's/^asked [12] /asked most /'; }

same_text "a terminal that answers" "asked most clean ''" "$(in_flight xterm-256color '\x1b[0n')"
same_text "... in pieces" "asked most clean ''" "$(in_flight xterm-256color '\x1b[' '0' 'n')"
# Esc without a further byte within a tenth of a second is a key: on a busy machine the next byte
# may come later.
for ((try = 0; try < 10; try++)); do
    found=$(in_flight xterm-256color '\x1b' '[0n')
    [ "$found" != "asked most clean ''" ] || break
done
same_text "... its first byte alone" "asked most clean ''" "$found"
same_text "one that does not answer is asked once" "once - clean ''" "$(paced xterm-256color)"
same_text "an old one that answers" "asked most clean ''" "$(in_flight vt100 '\x1b[0n')"
same_text "an old one that does not" "once - clean ''" "$(paced vt100)"

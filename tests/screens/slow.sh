# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# A terminal on a slow line: waiting keys are handled together with one frame, no frame is sent
# before the previous one is read, and input during a frame does not leave half of it.
. tests/lib/case.sh

command -v python3 >/dev/null || {
    skip "a slow line" "no python3 here"
    exit 0
}

# slow TERM KEYS [LATE]: reads 200 bytes every 20 ms; types KEYS at once after the first frame;
# LATE is typed separately when a frame has begun. Prints the bytes of the first frame, those of the
# answer, the exit status, and whether the last two lines of the screen arrived.
slow() {
    TRACETUI=$TRACETUI timeout 600 python3 - "$@" <<'END'
import fcntl, os, pty, re, select, struct, sys, termios, time
term, keys = sys.argv[1], sys.argv[2].encode()
late = sys.argv[3].encode().decode('unicode_escape').encode() if len(sys.argv) > 3 else b''
pid, fd = pty.fork()
if pid == 0:
    os.environ.update(TERM=term)
    os.environ.pop('TMUX', None)
    time.sleep(0.3)
    os.execv(os.environ['TRACETUI'], ['tracetui', '--no-session', '--ascii', 'samples/demo.kev'])
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack('HHHH', 60, 200, 0, 0))
out = b''
# A busy machine may start late; after that, a silence of this length is the end.
def read_on(until_quiet, type_late=b'', begins=False):
    global out
    begun = len(out)
    while True:
        patience = 60 if begins and len(out) == begun else until_quiet
        if not select.select([fd], [], [], patience)[0]:
            return len(out) - begun
        try:
            data = os.read(fd, 200)
        except OSError:
            return len(out) - begun
        if not data:
            return len(out) - begun
        out += data
        if type_late and len(out) - begun >= 200:
            os.write(fd, type_late)
            type_late = b''
        time.sleep(0.02)
first = read_on(2.0, b'' if keys else late, True)
os.write(fd, keys)
answer = read_on(2.0, late if keys else b'', bool(keys))
text = re.sub(rb'\x1b[\[(][0-9;?]*[a-zA-Z0-9$]|\x0e|\x0f|\0', b'', out)
os.write(fd, b'q')
read_on(1.0)
_, status = os.waitpid(pid, 0)
print(first, answer, 'status', status, 'whole' if b'quit' in text and b' events' in text else 'torn')
END
}

for term in vt100 xterm-256color; do
    read -r first answer _ status whole < <(slow $term "$(printf 'GgGgGgGgGgGgGgGgGgGg%.0s' 1 2 3 4 5)")
    same_text "$term: the first frame is complete" "0 whole" "$status $whole"
    # A hundred movements to the other end of the list: only a few frames are sent.
    if [ "$answer" -lt $((first * 6)) ]; then
        ok "$term: a hundred pages, few frames"
    else
        not_ok "$term: a hundred pages, few frames" "$answer bytes, the first frame had $first"
    fi
    read -r _ _ _ status whole < <(slow $term '' '\x1b[?64;1c')
    same_text "$term: an answer in the middle of a frame does not tear it" "0 whole" "$status $whole"
done

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Synchronized output (mode 2026) if the terminal supports it, however its answer arrives.
. tests/lib/case.sh

command -v python3 >/dev/null || {
    skip "synchronized output" "no python3 here"
    exit 0
}

# The keys below are those of Events.
mkdir -p "$XDG_CONFIG_HOME/tracetui" && printf '[settings]\nview = events\n' >"$XDG_CONFIG_HOME/tracetui/config"

# frames TERM ANSWER...: a terminal that answers so, in pieces; prints whether frames were sent as
# synchronized ones, whether each has an end, and the exit status
frames() {
    TRACETUI=$TRACETUI timeout 60 python3 - "$@" <<'END'
import os, pty, select, sys, time
answer = [part.encode().decode('unicode_escape').encode() for part in sys.argv[2:]]
term = sys.argv[1]
pid, fd = pty.fork()
if pid == 0:
    os.environ.update(TERM=term, LINES='24', COLUMNS='80')
    os.execv(os.environ['TRACETUI'], ['tracetui', '--no-session', 'samples/demo.kev'])
out, keys, quiet = b'', b'jq', 0
while True:
    ready, _, _ = select.select([fd], [], [], 0.5)
    if ready:
        try:
            data = os.read(fd, 65536)
        except OSError:
            break
        if not data:
            break
        out += data
    if answer and b'\x1b[?2026$p' in out:
        for part in answer:
            os.write(fd, part)
            time.sleep(0.05)
        answer = []
    elif not ready and b'BUFFER' in out and keys:
        os.write(fd, keys[:1])
        keys = keys[1:]
_, status = os.waitpid(pid, 0)
begins, ends = out.count(b'\x1b[?2026h'), out.count(b'\x1b[?2026l')
print('asked' if b'\x1b[?2026$p' in out else 'not asked', 'some' if begins else 'none',
      'paired' if begins == ends else 'not paired', status)
END
}

same_text "a terminal that can" "asked some paired 0" "$(frames xterm-256color '\x1b[?2026;2$y\x1b[?64;1c')"
same_text "... its answer in pieces" "asked some paired 0" "$(frames xterm-256color '\x1b[?2026' ';2$y\x1b[?6' '4;1c')"
same_text "one that cannot" "asked none paired 0" "$(frames xterm-256color '\x1b[?2026;0$y\x1b[?64;1c')"
same_text "one that does not support the query" "asked none paired 0" "$(frames xterm-256color '\x1b[?1;2c')"
same_text "one that never answers" "asked none paired 0" "$(frames xterm-256color)"
same_text "an old one is not queried" "not asked none paired 0" "$(frames vt100)"

# SPDX-License-Identifier: Apache-2.0
"""Captures made to hurt, and the program in a terminal of its own.

    python3 hostile.py make FOLDER              writes the captures
    python3 hostile.py plain FILE...            exit 1 if a file has bytes that command a terminal
    python3 hostile.py screen PROGRAM CAPTURE   all views in a terminal, paged through; what came out is checked
    python3 hostile.py kill PROGRAM CAPTURE     every signal that ends a program, at random moments
    python3 hostile.py shrink PROGRAM CAPTURE   it is cut short while it is followed on the screen
    python3 hostile.py close PROGRAM CAPTURE    the terminal is closed under it
    python3 hostile.py peak COMMAND...          runs it; prints the most memory it had, in kB

The last five print the cases as the shell tests do. The captures are written from the description
of the Fuchsia trace format alone.
"""
import fcntl, gzip, os, pty, random, re, resource, select, shutil, signal, struct, subprocess, sys, tempfile, termios, time

EVIL = [b'\x1b]0;EVIL\x07', b'\x1b[31;7mEVIL', b'\x1bPEVIL\x1b\\', b'\x1b]52;c;RVZJTA==\x07',
        b'\xc2\x9b31mEVIL', '\u202eEVIL\u202c'.encode(), '\u2066EVIL\u2069'.encode(),
        '\u200fEVIL\u061c'.encode(), b'EVIL\r\nEVIL\x08\x7f\x00\x0b', b'\xff\xfeEVIL\xc0\x80\xed\xa0\x80',
        b'\x1b[2J\x1b[HEVIL', b'\x1b[?1049lEVIL', 'e\u0301\u0301\u0301 \u4e2d\u6587 \u200bEVIL'.encode()]
BAD = re.compile(rb'[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8b-\x8f\xaa-\xae]|\xe2\x81[\xa0-\xaf]|\xd8\x9c')


# ---- the captures ---------------------------------------------------------------------------------

def record(kind, fields, *parts):
    body = b''.join(parts)
    body += b'\0' * (-len(body) % 8)
    return struct.pack('<Q', kind | (len(body) // 8 + 1) << 4 | fields) + body

def padded(text):
    return text + b'\0' * (-len(text) % 8)

def word(value):
    return struct.pack('<Q', value & (1 << 64) - 1)

MAGIC = struct.pack('<Q', 0x0016547846040010)
CLOCK = record(1, 0, word(1000000000))

def inline(text):
    return 0x8000 | len(text)

def kernel_object(kind, koid, name, process=None):
    args = b'' if process is None else record(8, inline(b'process') << 16, padded(b'process'), word(process))
    return record(7, kind << 16 | inline(name) << 24 | (process is not None) << 40, word(koid), padded(name), args)

def instant(ts, process, thread, category, name, arg=None):
    args = b'' if arg is None else record(6, inline(arg) << 16 | inline(arg) << 32, padded(arg), padded(arg))
    return record(4, (arg is not None) << 20 | inline(category) << 32 | inline(name) << 48,
                  word(ts), word(process), word(thread), padded(category), padded(name), args)

def switch(ts, cpu, leaving, coming):
    return record(8, cpu << 20 | 2 << 36 | 1 << 60, word(ts), word(leaving), word(coming))

def names():
    out = [MAGIC, CLOCK]
    for i, evil in enumerate(EVIL):
        out += [kernel_object(1, 100 + i, evil + b' process'), kernel_object(2, 200 + i, evil + b' thread', 100 + i)]
    for n in range(6):
        for i, evil in enumerate(EVIL):
            at = 1000000 * n + 1000 * i
            out += [instant(at, 100 + i, 200 + i, evil, evil + b' event', evil), switch(at + 500, i % 4, 200 + i, 200 + (i + 1) % len(EVIL))]
    long = (b'\x1b[31mEVIL ' * 4000)[:30000]
    out += [kernel_object(1, 900, long), kernel_object(2, 901, long, 900), instant(9000000, 900, 901, b'long', long),
            switch(9100000, 0, 200, 901), switch(9200000, 0, 901, 200)]
    return b''.join(out)

def ends():
    times = [0, 1, (1 << 63) - 1, 1 << 63, (1 << 64) - 2, (1 << 64) - 1]
    return MAGIC + CLOCK + b''.join(instant(t, 1, 2, b'end', b'at') for t in times) + b''.join(
        switch(t, 0, 2, 3 if i % 2 else 2) for i, t in enumerate(times))

def same():
    return MAGIC + CLOCK + b''.join(instant(77, 1, 2 + i % 5, b'c', b'same') for i in range(5000)) + b''.join(
        switch(77, i % 3, 2 + i % 5, 2 + (i + 1) % 5) for i in range(2000))

def back():
    return MAGIC + CLOCK + b''.join(instant(10**9 - i * 1000, 1, 2, b'c', b'back') + switch(
        10**9 - i * 1000 - 500, i % 2, 2 + i % 3, 2 + (i + 1) % 3) for i in range(20000))

def cpus():
    return MAGIC + CLOCK + b''.join(switch(i * 10, i, 5, 7 + i % 100) for i in range(65536))

# Each thread moves to the next CPU at one time, then two threads change places at one time.
def moves():
    count = 60000
    return MAGIC + CLOCK + b''.join(switch(100, i, 0, i + 2) for i in range(count)) + b''.join(
        switch(200, i, i + 2, (i + 1) % count + 2) for i in range(count)) + b''.join(
        switch(300, i % 2, 2 + (i // 2 + i) % 2, 2 + (i // 2 + i + 1) % 2) for i in range(2000))

def threads(count):
    return MAGIC + CLOCK + b''.join(switch(i * 10, i % 4, 10 + i, 11 + i) for i in range(count))

# Threads named in the events themselves, not by the scheduler: the event's process and thread are inline.
def inline_threads(count):
    return MAGIC + CLOCK + b''.join(struct.pack('<QQQQ', 4 | 4 << 4, i * 10, 5, 100 + i) for i in range(count))

# A process for each thread.
def inline_processes(count):
    return MAGIC + CLOCK + b''.join(struct.pack('<QQQQ', 4 | 4 << 4, i * 10, 5 + 2 * i, 6 + 2 * i) for i in range(count))

# QNX: each slot says that a thread runs, one of two of a process. The clock has 32 bits.
def kev_threads(count):
    head = b''.join(b'TRACE_%s::%s' % item for item in (
        (b'HEADER_BEGIN', b''), (b'FILE_NAME', b'crowd'), (b'DATE', b'Mon Nov  3 10:15:00 2025'), (b'VER_MAJOR', b'1'),
        (b'VER_MINOR', b'01'), (b'LITTLE_ENDIAN', b'TRUE'), (b'ENCODING', b'16 byte events'),
        (b'BOOT_DATE', b'Mon Nov  3 09:00:00 2025'), (b'CYCLES_PER_SEC', b'1000000000'), (b'CPU_NUM', b'4'),
        (b'SYSNAME', b'QNX'), (b'SYS_RELEASE', b'7.1.0'), (b'HEADER_END', b'')))
    return head + b''.join(struct.pack('<IIII', 0x1000 | 1 | (i % 4) << 24, 1000 + i, 10 + i // 2, 1 + i % 2) for i in range(count))

# ThreadX: a ring without a registry, each event of another thread.
def trx_threads(count):
    base, start = 0x10000000, 0x10000030
    end = start + 32 * count
    head = struct.pack('<IIIIHHIIIIIII', 0x54585442, 0xffffffff, base, start, 0, 32, start, start, end, start,
                       0xaaaaaaaa, 0xbbbbbbbb, 0xcccccccc)
    return head + b''.join(struct.pack('<IIIIIIII', 0x20000000 + 64 * i, 1 + i % 30, 10, 10 * i, 0, 0, 0, 0) for i in range(count))

# Symbian: each record says that a thread runs.
def btrace_threads(count):
    return b''.join(struct.pack('<BBBBII', 12, 0x0a, 4, 6, 10 + i, 0x80000000 + 64 * i) for i in range(count))

# Linux, version 6: formats as a recording has them, and the pages of each CPU.
COMMON = (b'\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n'
          b'\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n'
          b'\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n'
          b'\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n')
SWITCH = (b'\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:1;\n\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n'
          b'\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n'
          b'\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:1;\n\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n'
          b'\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n')

def counted(text, form='<Q'):
    return struct.pack(form, len(text)) + text

def event_format(name, number, fields, print_format):
    return counted(b'name: %s\nID: %d\nformat:\n%s%s\nprint fmt: %s\n' % (name, number, COMMON, fields, print_format))

def dat_record(number, tid, body):
    body = struct.pack('<HBBi', number, 0, 0, tid) + body
    body += b'\0' * (-len(body) % 4)
    return struct.pack('<II', 5 << 5, len(body) + 4) + body if len(body) > 112 else struct.pack('<I', len(body) // 4 | 5 << 5) + body

def dat_switch(before, after, state, names=(b'a', b'b')):
    return dat_record(1, before, struct.pack('<16siiq16sii', names[0][:16], before, 120, state, names[1][:16], after, 120))

def dat_pages(records, start):
    pages, page = [], b''
    for one in list(records) + [None]:
        if one is None or len(page) + len(one) > 4080:
            pages.append(struct.pack('<QQ', start + len(pages) * 1000, len(page)) + page.ljust(4080, b'\0'))
            page = b''
        page += one or b''
    return b''.join(pages)

def dat(systems, cpus, commands=b'', count=None, table=None):
    head = b'\x17\x08\x44tracing6\0\0\x08' + struct.pack('<I', 4096)
    head += b'header_page\0' + counted(b'\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n'
                                       b'\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n'
                                       b'\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n')
    head += b'header_event\0' + counted(b'') + struct.pack('<I', 0)
    head += struct.pack('<I', len(systems))
    for name, formats in systems:
        head += name + b'\0' + struct.pack('<I', len(formats)) + b''.join(formats)
    head += counted(b'', '<I') + counted(b'', '<I') + counted(commands)
    head += struct.pack('<I', len(cpus) if count is None else count) + b'options  \0' + struct.pack('<H', 0) + b'flyrecord\0'
    at = (len(head) + 16 * len(cpus) + 4095) // 4096 * 4096
    places = b''
    for pages in cpus:
        places += struct.pack('<QQ', at, len(pages))
        at += len(pages)
    head += places if table is None else table
    return head + b'\0' * (-len(head) % 4096) + b''.join(cpus)

SCHED = (b'sched', [event_format(b'sched_switch', 1, SWITCH, b'"%s", REC->prev_comm')])

def dat_threads(count):
    return dat([SCHED], [dat_pages((dat_switch(10 + 2 * i + n, 12 + 2 * i + n, i % 3) for i in range(count // 2)), 1000) for n in range(2)])

def dat_names():
    out, marks = [], []
    for i, evil in enumerate(EVIL):
        marks += [event_format(evil.replace(b'\n', b' ') + b'_mark', 10 + i, b'\tfield:char %s[];\toffset:8;\tsize:0;\tsigned:1;\n'
                               % evil.replace(b'\n', b' ').replace(b';', b''), b'"%s", REC->text')]
    for n in range(6):
        for i, evil in enumerate(EVIL):
            out += [dat_switch(100 + i, 100 + (i + 1) % len(EVIL), n % 3, (evil, EVIL[(i + 1) % len(EVIL)])),
                    dat_record(10 + i, 100 + i, evil + b'\0')]
    return dat([SCHED, (b'evil', marks), (EVIL[0], [])], [dat_pages(out, 1000)], b''.join(b'%d %s\n' % (100 + i, e) for i, e in enumerate(EVIL)))

# Descriptions that lie: fields outside of the record, overlapping ones, sizes of nothing and of everything, numbers twice,
# print formats without an end.
def dat_lies():
    wrong = [b'\tfield:int a;\toffset:4294967295;\tsize:4;\tsigned:1;\n\tfield:int b;\toffset:8;\tsize:4294967295;\tsigned:1;\n',
             b'\tfield:char c[4294967295];\toffset:8;\tsize:0;\tsigned:1;\n', b'\tfield:u64 d[7];\toffset:9;\tsize:3;\tsigned:0;\n',
             b'\tfield:__data_loc char[] e;\toffset:8;\tsize:4;\tsigned:1;\n\tfield:__rel_loc int[] f;\toffset:12;\tsize:4;\tsigned:1;\n',
             b'\tfield:;\toffset:;\tsize:;\tsigned:;\n', b'\tfield:' + b'long ' * 5000 + b'g;\toffset:8;\tsize:8;\tsigned:1;\n']
    prints = [b'"%s', b'"%d", ' + b'(' * 20000, b'"%lx", REC->a ? REC->b :', b'__print_flags(REC->a, "|", ' + b'{ 0x1, "S" }, ' * 5000,
              b'"%s", __print_symbolic(REC->b, { 18446744073709551616, "x" }', b'"%pS %*.*s %llu%', b'']
    formats = [event_format(b'lie%d' % i, 2 + i % 9, fields, prints[i % len(prints)]) for i, fields in enumerate(wrong * 3)]
    records = [dat_record(1 + i % 12, 7, bytes((i * 37 + k * 11) & 255 for k in range(i % 200))) for i in range(3000)]
    return dat([SCHED, (b'lies', formats), (b'lies', formats)], [dat_pages(records, 5)])

# A table of a million CPUs, which the file does not have.
def dat_cpus():
    return dat([SCHED], [dat_pages([dat_switch(1, 2, 0)], 10)], count=1000000)

# Pages that are none: zeros, lengths beyond the page, records beyond the length, times at the end of 64 bits.
def dat_pages_broken():
    good = dat_pages([dat_switch(1 + i % 5, 1 + (i + 1) % 5, i % 2) for i in range(50)], 1000)[:4096]
    return dat([SCHED], [bytes(4096) + good + struct.pack('<QQ', 9000, 0x7ffffff) + b'\xff' * 4080 + struct.pack('<QQ', (1 << 64) - 1, 4080) +
                         good[16:] + struct.pack('<QQ', 9000, 4080) + b'\x1d\0\0\0' * 1020 + good])

DATS = (('names', dat_names), ('lies', dat_lies), ('cpus', dat_cpus), ('pages', dat_pages_broken))

CROWDS = (('threads.fxt', threads), ('inline.fxt', inline_threads), ('processes.fxt', inline_processes),
          ('crowd.kev', kev_threads), ('crowd.trx', trx_threads), ('crowd.btrace', btrace_threads), ('crowd.dat', dat_threads))

def make(folder):
    for name in ('names', 'ends', 'same', 'back', 'cpus', 'moves'):
        with open(f'{folder}/{name}.fxt', 'wb') as out:
            out.write(globals()[name]())
    for name, written in DATS:
        with open(f'{folder}/{name}.dat', 'wb') as out:
            out.write(written())
    for name, crowd in CROWDS:
        with open(f'{folder}/{name}', 'wb') as out:
            out.write(crowd(int(os.environ.get('HOSTILE_THREADS', '30000'))))
    with gzip.open(f'{folder}/bomb.gz', 'wb', 9) as out:
        out.write(names())
        for _ in range(64):
            out.write(bytes(1 << 20))


# ---- the program in a terminal ----------------------------------------------------------------------

END_OF_IT = b'(the program has ended)'

def begin_session():
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    # The program inherits the signals that nohup and a shell's & ignore.
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)


class Terminal:
    def __init__(self, program, capture, *more):
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack('HHHH', 30, 100, 0, 0))
        self.before = termios.tcgetattr(self.slave)
        self.text = b''
        options = 'handle_segv=0:handle_sigbus=0:handle_abort=0:handle_sigfpe=0:handle_sigill=0'
        given = os.environ.get('ASAN_OPTIONS')
        environment = dict(os.environ, TERM='xterm-256color', LC_ALL='C.UTF-8', ASAN_OPTIONS=f'{given}:{options}' if given else options)
        self.child = subprocess.Popen([program, *more, capture], stdin=self.slave, stdout=self.slave, stderr=self.slave,
                                      env=environment, start_new_session=True,
                                      preexec_fn=begin_session)

    def read(self, seconds):
        end = time.monotonic() + seconds
        while True:
            left = end - time.monotonic()
            ready, _, _ = select.select([self.master], [], [], max(left, 0))
            if not ready:
                return
            try:
                self.text += os.read(self.master, 65536)
            except OSError:
                return

    def until(self, what, seconds=200):
        end = time.monotonic() + seconds
        while what not in self.text and time.monotonic() < end:
            self.read(0.05)
        return what in self.text

    def keys(self, text):
        os.write(self.master, text.encode())

    def ended(self, seconds=200):
        end = time.monotonic() + seconds
        while self.child.poll() is None and time.monotonic() < end:
            self.read(0.02)
        if self.child.poll() is None:
            self.child.kill()
            self.child.wait()
            return False
        # The last output may still be in the terminal's buffer: bytes written now follow it.
        os.write(self.slave, END_OF_IT)
        return self.until(END_OF_IT)

    def close(self):
        for fd in (self.master, self.slave):
            try:
                os.close(fd)
            except OSError:
                pass


def case(good, name, why=''):
    print(f'ok {name}' if good else f'not ok {name}: {why}')

PAGE_DOWN, PAGE_UP = '\x1b[6~', '\x1b[5~'

def screen(program, capture):
    name = os.path.splitext(os.path.basename(capture))[0]
    # The first view depends on the capture: here it is the list of events, whatever the capture.
    with tempfile.NamedTemporaryFile('w', suffix='.config') as settings:
        settings.write('[settings]\nview = events\n')
        settings.flush()
        terminal = Terminal(program, capture, '--no-cache', '--config', settings.name)
        there = terminal.until(b'[1 Events]')
    case(there, f'{name}: it comes up', terminal.text[-200:])
    for view in '12345':
        for key in (view, 'j', '\r', '\t', '\t', PAGE_DOWN, PAGE_DOWN, 'G', PAGE_UP, 'l', '+', 'o', '\x1b', 'g'):
            terminal.keys(key)
            terminal.read(0.1)
    for key in ('?', 'q', '1', ':40%\r', 'g', '/EVIL\r', 'n', 'l'):
        terminal.keys(key)
        terminal.read(0.15)
    terminal.keys('\x1b')
    terminal.read(0.3)
    for _ in range(4):
        if terminal.child.poll() is None:
            terminal.keys('q')
            terminal.read(0.3)
    case(terminal.ended(60) and terminal.child.returncode == 0, f'{name}: it ends', terminal.child.returncode)
    found = [evil for evil in EVIL if evil in terminal.text and evil != EVIL[-1]]
    case(not found, f'{name}: no sequence of the file reaches the terminal', found)
    if name == 'names':
        case(b'\\e[31;7mEVIL' in terminal.text, f'{name}: they are shown nevertheless')
    # The output without the program's own sequences has printable characters only.
    rest = re.sub(rb'\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][A-Z0-9]|[=>78cDEHMNZ])', b'', terminal.text)
    bad = BAD.search(re.sub(rb'[\r\n\x08\x0e\x0f\x07]', b'', rest))
    case(not bad, f'{name}: no other control characters', bad and rest[max(bad.start() - 20, 0):bad.end() + 20])
    titles = [t for t in re.findall(rb'\x1b\]([^\x07\x1b]*)', terminal.text) if b'EVIL' in t]
    case(not titles, f'{name}: no title is set by the file', titles)
    terminal.close()

# Signals that do not end it, or stop and continue it; 32 and 33 are used by the C library.
NOT_DEADLY = {signal.SIGKILL, signal.SIGSTOP, signal.SIGCONT, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU,
              signal.SIGCHLD, signal.SIGURG, signal.SIGWINCH, 32, 33}
# A closed pipe and a limit of the file's size are reported by write().
LIVES_ON = {signal.SIGPIPE, signal.SIGXFSZ}
OFTEN = {signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT,
         signal.SIGUSR1}

def kill(program, capture):
    random.seed(int(os.environ.get('SEED', '1')))
    rounds = int(os.environ.get('KILLS', '4'))
    for number in range(1, signal.SIGRTMAX + 1):
        if number in NOT_DEADLY:
            continue
        why = None
        for _ in range(rounds if number in OFTEN else 1):
            terminal = Terminal(program, capture)
            terminal.until(b'\x1b[?1049h')
            keys = random.choice(['', 'jjjj', ':12', '2ll', '4', '?'])
            terminal.keys(keys)
            terminal.read(random.random() * 0.3)
            os.kill(terminal.child.pid, number)
            if number in LIVES_ON:
                terminal.read(0.1)
                if terminal.child.poll() is not None:
                    why = 'it ended'
                else:
                    os.kill(terminal.child.pid, signal.SIGTERM)
            if not terminal.ended():
                why = 'it does not end'
            text = terminal.text
            after = termios.tcgetattr(terminal.slave)
            # A program that had to be killed fails all of these checks: the first reason counts.
            if after != terminal.before:
                why = why or 'the modes of the terminal are others'
            if text.rfind(b'\x1b[?1049l') < text.rfind(b'\x1b[?1049h'):
                why = why or 'the alternate screen is left on'
            if b'\x1b[?1000h' in text and text.rfind(b'\x1b[?1000l') < text.rfind(b'\x1b[?1000h'):
                why = why or 'the mouse is left on'
            if b'\x1b[?25l' in text and max(text.rfind(b'\x1b[?25h'), text.rfind(b'\x1b[?12l\x1b[?25h')) < text.rfind(b'\x1b[?25l'):
                why = why or 'the cursor is left hidden'
            wanted = -(signal.SIGTERM if number in LIVES_ON else number)
            if terminal.child.returncode != wanted:
                why = why or f'it ended with {terminal.child.returncode}, not {wanted}'
            terminal.close()
            if why:
                why += f' after the keys {keys!r}: {text[-160:]!r}'
                break
        name = signal.Signals(number).name if number <= signal.SIGSYS else f'real-time signal {number}'
        case(not why, f'{name} at a random moment', why)

def shrink(program, capture):
    random.seed(int(os.environ.get('SEED', '1')))
    whole = open(capture, 'rb').read()
    folder = tempfile.mkdtemp()
    path = f'{folder}/shrinking{os.path.splitext(capture)[1]}'
    bad = []
    for run in range(int(os.environ.get('SHRINKS', '20'))):
        with open(path, 'wb') as out:
            out.write(whole)
        terminal = Terminal(program, '-f', path)
        if not terminal.until(b'LIVE'):
            bad.append(f'run {run}: it does not follow')
        for _ in range(6):
            terminal.keys(random.choice(['G', 'g', '2', '3', '4', '1', '1\r', 'f.\r', '/e\r', '1G' + PAGE_UP]))
            with open(path, 'r+b') as file:
                file.truncate(random.choice([0, 1, 4096, random.randrange(len(whole))]))
                terminal.read(random.random() * 0.1)
                if random.random() < 0.7:
                    file.seek(0)
                    file.write(whole)
            terminal.read(random.random() * 0.1)
        with open(path, 'r+b') as file:
            file.write(whole)
        terminal.keys('\x1b')
        terminal.read(0.3)
        for _ in range(4):
            if terminal.child.poll() is None:
                terminal.keys('q')
                terminal.read(0.3)
        if not terminal.ended() or terminal.child.returncode not in (0, 1):
            bad.append(f'run {run}: it ended with {terminal.child.returncode}: {terminal.text[-160:]!r}')
        if termios.tcgetattr(terminal.slave) != terminal.before:
            bad.append(f'run {run}: the modes of the terminal are others')
        terminal.close()
    shutil.rmtree(folder)
    case(not bad, 'a file that is cut short under a live screen', bad)

def close(program, capture):
    for keys in ('', ':12', '2'):
        terminal = Terminal(program, capture)
        terminal.until(b'\x1b[?1049h')
        terminal.keys(keys)
        terminal.read(0.1)
        os.close(terminal.master)
        os.close(terminal.slave)
        begun = time.monotonic()
        while terminal.child.poll() is None and time.monotonic() - begun < 10:
            time.sleep(0.02)
        good = terminal.child.poll() is not None
        if not good:
            terminal.child.kill()
            terminal.child.wait()
        case(good, f'the terminal is closed under it after {keys!r}', 'it goes on')

def plain(*paths):
    for path in paths:
        with open(path, 'rb') as file:
            bad = BAD.search(file.read())
        if bad:
            print(f'{bad.group()!r} at {bad.start()}')
            return 1
    return 0

def peak(command):
    code = subprocess.call(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
    return code


if __name__ == '__main__':
    what, arguments = sys.argv[1], sys.argv[2:]
    sys.exit({'make': make, 'screen': screen, 'kill': kill, 'shrink': shrink, 'close': close, 'plain': plain,
              'peak': lambda *command: peak(command)}[what](*arguments) or 0)

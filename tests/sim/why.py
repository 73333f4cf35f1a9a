# SPDX-License-Identifier: Apache-2.0
"""A second implementation of explanations, from the simulator's truth alone.

    python3 why.py PROGRAM CAPTURE [TRUTH]

Computes every wake, and the pieces of every delay, preempted wait, wait and message, by the rules of
docs/causes.md, and compares them with `PROGRAM why`. Prints what differs; exit status 1 if anything does.
The clock of the capture must be 1 GHz: a tick is a nanosecond then.

Where a format has less than the truth, the program must say `unknown`:
- .fxt names threads as wakers, and no interrupts; legacy records have no wakes.
- The flows of .fxt show which wakes are by messages and replies; the others have no kind.
- BTrace has threads that run again. A client that does not run between a send and the completion of the
  message is woken by the server that completes it; the other wakes are unknown.
- .trx of one CPU alone: on several a displaced thread has no entry. Start the clock below 2^32.
- A wake where the capture lacks what ran on the CPU (`unseen`: a loss, the beginning of a ring).
"""
import bisect, json, os, subprocess, sys

# Formats that identify threads by address: the first address, and the bytes per thread.
ADDRESSES = {'btrace': (0xc8000000, 0x400), 'trx': (0x20400000, 0x100)}
OTHER_NAMES = {'fast_mutex': 'mutex', 'semaphore': 'sem'}
WAITING = ('ipc', 'lock', 'sleep', 'wait')
UNSURE = 'unsure'  # the program may find the part of a message wait
MESSAGE_FORMATS = ('kev', 'btrace')  # .fxt and .trx have no answers
AWAITS_REPLY = ('send', 'reply', 'net_send', 'net_reply')
LOCKS = ('mutex', 'rwlock_read', 'rwlock_write', 'mutex_susp', 'fast_mutex')
DEEPEST = 64
SHOWN = 12  # differences printed
CUT_INTERRUPT = 4000  # ticks of an interrupt that a loss cuts, at most


class Interval:
    def __init__(self, line):
        self.start, self.end = line['start'], line['end']
        self.state, self.klass = line['state'], line['class']
        self.cpu = line.get('cpu')
        self.begin_known = 'start_unknown' not in line
        self.end_known = 'end_unknown' not in line


class Steps:
    """Values that hold from a time on."""

    def __init__(self):
        self.times, self.values = [], []

    def add(self, at, value):
        if self.times and self.times[-1] == at:
            self.values[-1] = value
        else:
            self.times.append(at)
            self.values.append(value)

    def at(self, time):
        i = bisect.bisect_right(self.times, time) - 1
        return self.values[i] if i >= 0 else None

    def between(self, start, end):
        """The times inside (start, end)."""
        return self.times[bisect.bisect_right(self.times, start):bisect.bisect_left(self.times, end)]


class Truth:
    def __init__(self, path):
        self.threads = {}     # (pid, tid): intervals by time
        self.wakes = {}       # (pid, tid): {time: line}
        self.priorities = {}  # (pid, tid): Steps
        self.idle, self.names = set(), {}
        self.delays = {'sch': [], 'preempted': []}  # (thread, start, end)
        self.messages = {}  # (pid, tid): lines by time of send
        self.unsent = {}  # those without a send
        self.flows = {}  # .fxt: (client, server): messages
        self.same_ids = {}  # (pid, tid): threads
        self.horizon = float('inf')  # a loss that the capture does not show begins here
        runs, interrupts, losses = {}, {}, []
        self.losses = losses
        messages, lives = [], {}
        lines = [json.loads(text) for text in open(path)]
        if lines[0]['format'] == 'trx':
            from_first_entry(lines)
        for line in lines:
            kind, thread = line['t'], self.thread(line)
            if kind == 'run':
                self.format, self.cpus, self.kernel = line['format'], line['cpus'], line.get('kernel')
            elif kind == 'interval':
                interval = Interval(line)
                self.threads.setdefault(thread, []).append(interval)
                if interval.klass == 'running':
                    runs.setdefault(interval.cpu, []).append((interval, thread))
            elif kind == 'wake':
                self.wakes.setdefault(thread, {})[line['at']] = line
            elif kind == 'priority' and 'seen' in line:
                self.priorities.setdefault(thread, Steps()).add(line['at'], line['priority'])
            elif kind == 'delay' and line['kind'] in self.delays:
                self.delays[line['kind']].append((thread, line['start'], line['end']))
            elif kind == 'message' and self.format in MESSAGE_FORMATS:
                messages.append(line)
            elif kind == 'message' and self.format == 'fxt':
                server = line['server_pid'], line['server_tid']
                self.flows.setdefault((thread, server), []).append(line)
            elif kind == 'interrupt':
                interrupts.setdefault(line['cpu'], []).append(line)
            elif kind == 'loss':
                losses.append(line)
            elif kind == 'lost_end':
                self.horizon = min(self.horizon, line['start'])
            elif kind == 'sum_thread':
                lives[line['pid'], line['tid'], line.get('life')] = thread
                self.names[thread] = line['name']
                self.same_ids.setdefault((line['pid'], line['tid']), []).append(thread)
                if line['idle']:
                    self.idle.add(thread)
            elif kind == 'sum_run':
                self.start, self.end = line['start'], line['end']
                if self.format == 'trx':  # the last entry has the next thread, before it runs
                    self.horizon = min(self.horizon, self.end - 1)
        for line in messages:
            thread = lives.get((line['pid'], line['tid'], line.get('life')))
            into = self.messages if 'sent' in line else self.unsent
            into.setdefault(thread, []).append(line)
        for messages in self.messages.values():
            messages.sort(key=lambda m: m['sent'])
        for intervals in self.threads.values():
            intervals.sort(key=lambda i: (i.start, i.end))
        if self.format == 'trx':
            for intervals in self.threads.values():
                stay_dead(intervals)
        self.begins = {t: [i.start for i in intervals] for t, intervals in self.threads.items()}
        self.on_cpu = {c: self.occupants(c, runs.get(c, []), losses) for c in range(self.cpus)}
        self.vectors = {c: innermost(interrupts.get(c, [])) for c in range(self.cpus)}

    def thread(self, line, by=''):
        """The thread that a line of the truth is about: (process, thread), or its address."""
        if line['t'] == 'run' or by + 'tid' not in line:
            return None
        if self.format not in ADDRESSES:
            return line[by + 'pid'], line[by + 'tid']
        if by + 'slot' not in line:
            return None
        base, size = ADDRESSES[self.format]
        return base + line[by + 'slot'] * size

    def told(self, line, by=''):
        """The thread that a line of the program is about."""
        if line[by + 'tid'] is None:
            return None
        if self.format not in ADDRESSES:
            return line[by + 'pid'], line[by + 'tid']
        return line[by + 'tid'] & 0xffffffff

    def occupants(self, cpu, runs, losses):
        """What is on a CPU: a thread, 'kernel' between two, None where it is not known."""
        steps = Steps()
        steps.add(0, None)
        for interval, thread in sorted(runs, key=lambda r: r[0].start):
            steps.add(interval.start, thread)
            steps.add(interval.end, 'kernel' if interval.end_known else None)
        for loss in losses:
            if self.one_stream() or loss['stream'] == cpu:
                if steps.at(loss['start']) in ('kernel', None):
                    i = bisect.bisect_right(steps.times, loss['start'])
                    steps.times.insert(i, loss['start'])
                    steps.values.insert(i, None)
                # A run before the loss may end in it, by an event of another CPU: what follows is lost.
                for i, time in enumerate(steps.times):
                    if loss['start'] <= time < loss['end'] and steps.values[i] == 'kernel':
                        steps.values[i] = None
        return steps

    def gap(self, start, end):
        """Whether records are lost after `start` and before `end`."""
        return any(a < end and b > start for a, b in ((l['start'], l['end']) for l in self.losses))

    def message_at(self, thread, time):
        """The message whose answer the thread waits for, or None."""
        messages = self.messages.get(thread, [])
        i = bisect.bisect_right(messages, time, key=lambda m: m['sent']) - 1
        ends = [messages[i][key] for key in ('replied', 'lost', 'left', 'died', 'error') if i >= 0 and key in messages[i]]
        return messages[i] if i >= 0 and all(end > time for end in ends) else None

    def answered(self, thread, i):
        """The message whose answer a thread waits for before its interval `i`, where no record has the wait."""
        intervals = self.threads.get(thread, [])
        if self.format != 'btrace' or i == 0 or intervals[i - 1].klass != 'running':
            return None
        run = intervals[i - 1]
        message = self.message_at(thread, run.end)
        if message is None or message['sent'] < run.start or 'lost' in message:
            return None
        until = intervals[i].start if i < len(intervals) else float('inf')
        replied = message.get('replied', message.get('error', until))
        return message if replied <= until and not self.gap(message['sent'], replied) else None

    def interval_end(self, thread, i):
        """The end of the interval `i` of a thread."""
        return self.threads[thread][i].end if i >= 0 else float('inf')

    def server_of(self, message):
        """The thread that answers a message, or has received it."""
        threads = self.same_ids.get((message['server_pid'], message['server_tid']), [])
        at = message.get('replied', message.get('error', message.get('received')))
        running = [t for t in threads for i in self.threads.get(t, []) if at is not None and i.start <= at <= i.end]
        # A record has the thread that wrote it, also after a loss, when no run is known.
        return running[0] if running else threads[0] if len(threads) == 1 else None

    def one_stream(self):
        return self.kernel != '8.0'


def innermost(lines):
    """The vector of the innermost interrupt on a CPU, or None."""
    marks = sorted([(l['start'], 1, l['depth'], l['vector']) for l in lines] +
                   [(l['end'], 0, l['depth'], l['vector']) for l in lines])
    steps, stack = Steps(), {}
    for at, begins, depth, vector in marks:
        if begins:
            stack[depth] = vector
        else:
            stack.pop(depth, None)
        steps.add(at, stack[max(stack)] if stack else None)
    return steps


def stay_dead(intervals):
    """A control block is dead until it is used again."""
    for interval, after in zip(intervals, intervals[1:]):
        if interval.klass == 'dead':
            interval.end = after.start


def from_first_entry(lines):
    """A .trx counts its time from its first entry."""
    base = next(line['start'] for line in lines if line['t'] == 'sum_run')
    for line in lines:
        for key in ('at', 'start', 'end'):
            if key in line:
                line[key] -= base


class Explainer:
    part = None  # of the wait for an answer that is explained
    owed = True  # all waits above are for locks and answers: others have no victims
    beyond = False  # a wake after the horizon was needed

    def __init__(self, truth):
        self.truth = truth

    def explain(self, thread, start, end):
        self.pieces, self.part, self.beyond = [], None, False
        self.walk(thread, start, end, (thread,), None)
        return merged(self.pieces)

    def piece(self, start, end, depth, thread, state, cause, by=None, vector=None, kind=None):
        if end > start:
            self.pieces.append((start, end, depth, thread, state, cause, by, vector, self.part, kind, self.owed))

    def walk(self, thread, start, end, stack, kind):
        truth, depth = self.truth, len(stack) - 1
        if depth > DEEPEST:
            self.piece(start, end, depth, thread, None, 'deep', kind=kind)
            return
        intervals = truth.threads.get(thread, [])
        i = max(bisect.bisect_right(truth.begins.get(thread, []), start) - 1, 0)
        while start < end:
            while i < len(intervals) and intervals[i].end <= start:
                i += 1
            if i == len(intervals) or intervals[i].start > start:
                until = min(end, intervals[i].start) if i < len(intervals) else end
                answer = truth.answered(thread, i)
                if answer is not None:
                    start = self.answer(thread, answer, start, until, stack, kind)
                self.piece(start, until, depth, thread, 'UNKNOWN', 'unknown', kind=kind)
                start = until
                continue
            interval = intervals[i]
            until = min(end, interval.end)
            if interval.klass == 'running':
                self.running(thread, interval, start, until, depth, kind)
            elif interval.klass == 'ready':
                self.ready(thread, intervals, i, start, until, depth, kind)
            elif interval.klass in WAITING:
                last = i
                while (last + 1 < len(intervals) and intervals[last + 1].start == intervals[last].end and
                       intervals[last + 1].klass in WAITING):
                    last += 1
                until = min(end, intervals[last].end)
                around = self.part
                for a, b, self.part in self.parts(thread, intervals[last], start, until):
                    self.blocked(thread, intervals[last], a, b, stack, kind)
                self.part = around
            else:
                self.piece(start, until, depth, thread, interval.state, interval.klass, kind=kind)
            start = until

    def answer(self, thread, message, start, end, stack, kind):
        """A wait for an answer that no record has; returns its end."""
        around, received = self.part, message.get('received')
        end = min(end, message.get('replied', message.get('error', end)))
        cut = end if received is None else max(start, min(received, end))
        for a, b, self.part in ((start, cut, 'queued'), (cut, end, 'served')):
            server = self.truth.server_of(message) if a < b else None
            if server in stack:
                self.piece(a, b, len(stack) - 1, thread, 'UNKNOWN', 'handover', kind=kind)
            elif server is not None:
                self.walk(server, a, b, stack + (server,), 'reply')
        self.part = around
        return max(start, end)

    def running(self, thread, interval, start, end, depth, kind):
        vectors = self.truth.vectors[interval.cpu]
        cuts = [start] + vectors.between(start, end) + [end]
        for a, b in zip(cuts, cuts[1:]):
            vector = vectors.at(a)
            if vector is None:
                self.piece(a, b, depth, thread, interval.state, 'work', thread, kind=kind)
            else:
                self.piece(a, b, depth, thread, interval.state, 'interrupt', None, vector, kind)

    def cpu_of(self, intervals, i):
        """The CPU of the run that ends the ready state; without one that on which the thread ran last."""
        after = intervals[i + 1] if i + 1 < len(intervals) else None
        if after and after.klass == 'running' and follows(after, intervals[i]):
            return after.cpu
        for interval in reversed(intervals[:i]):
            if interval.klass == 'running':
                return interval.cpu
        return None

    def ready(self, thread, intervals, i, start, end, depth, kind):
        state, cpu = intervals[i].state, self.cpu_of(intervals, i)
        if cpu is None:
            self.piece(start, end, depth, thread, state, 'unknown', kind=kind)
            return
        self.ready_for(cpu, thread, state, start, end, depth, kind)

    def ready_for(self, cpu, thread, state, start, end, depth, kind):
        """The pieces of a ready time for the occupants of a CPU."""
        truth = self.truth
        vectors, occupants = truth.vectors[cpu], truth.on_cpu[cpu]
        cuts = {start, end} | set(vectors.between(start, end)) | set(occupants.between(start, end))
        for other in {occupants.at(t) for t in cuts} | {thread}:
            if other in truth.priorities:
                cuts |= set(truth.priorities[other].between(start, end))
        cuts = sorted(cuts)
        for a, b in zip(cuts, cuts[1:]):
            vector, occupant = vectors.at(a), occupants.at(a)
            if vector is not None:
                self.piece(a, b, depth, thread, state, 'interrupt', None, vector, kind)
            elif occupant is None or occupant == 'kernel':
                self.piece(a, b, depth, thread, state, occupant or 'unknown', kind=kind)
            elif occupant in truth.idle:
                self.piece(a, b, depth, thread, state, 'idle', kind=kind)
            else:
                self.piece(a, b, depth, thread, state, self.rank(occupant, thread, a), occupant, kind=kind)

    def rank(self, occupant, thread, at):
        none = Steps()
        other = self.truth.priorities.get(occupant, none).at(at)
        own = self.truth.priorities.get(thread, none).at(at)
        if other is None or own is None:
            return 'occupied'
        return 'higher' if other > own else 'lower' if other < own else 'equal'

    def parts(self, thread, last, start, end):
        """A wait before its message is received, and after that; other waits whole."""
        if last.state.lower() not in AWAITS_REPLY:
            return [(start, end, self.part)]
        message = self.truth.message_at(thread, last.start)
        if message is None:
            steps = [m.get(step) for m in self.truth.unsent.get(thread, []) for step in ('received', 'replied')]
            unsure = any(step is not None and last.start < step <= last.end for step in steps)
            return [(start, end, UNSURE if unsure else self.part)]
        received = message.get('received')
        if 'client_unseen' in message:
            return [(start, end, UNSURE)]
        if received is None or self.truth.gap(message['sent'], received):
            known = received is None and 'replied' not in message and 'lost' not in message
            return [(start, end, 'queued' if known else self.part)]
        cut = max(start, min(received, end))
        return [piece for piece in ((start, cut, 'queued'), (cut, end, 'served')) if piece[0] < piece[1]]

    def blocked(self, thread, last, start, end, stack, kind):
        truth, depth = self.truth, len(stack) - 1
        wake = truth.wakes.get(thread, {}).get(last.end)
        by, waker, vector, why = self.seen(wake)
        self.beyond |= last.end > truth.horizon
        if not last.end_known and last.end >= truth.end:
            self.piece(start, end, depth, thread, last.state, 'unfinished', kind=kind)
        elif by == 'interrupt':
            cause = 'timer' if why == 'timer' else 'interrupt'
            self.piece(start, end, depth, thread, last.state, cause, None, vector, why)
        elif by == 'unknown':
            self.piece(start, end, depth, thread, last.state, 'unknown', kind=kind)
        elif waker in stack:
            self.piece(start, end, depth, thread, last.state, 'handover', None, None, kind)
        else:
            above = self.owed
            self.owed = above and self.owes(last.state.lower(), why)
            self.walk(waker, start, end, stack + (waker,), why)
            self.owed = above

    def owes(self, state, why):
        """Whether a wait is for a lock or an answer, as far as the capture tells: states of .fxt have no names."""
        return why in ('reply', 'error') or (self.truth.format != 'fxt' and (state in LOCKS or state in AWAITS_REPLY))

    def seen(self, wake):
        """The waker of a wake as the capture has it: by, thread, vector, kind."""
        # A wakeup record of .fxt has its waker, whatever was lost before it.
        if wake is None or ('unseen' in wake and self.truth.format != 'fxt'):
            return 'unknown', None, None, None
        if wake['by'] == 'thread':
            return 'thread', self.truth.thread(wake, 'by_'), None, wake['kind']
        if self.truth.format == 'fxt':
            return 'unknown', None, None, None
        kind = wake['kind']
        if self.truth.format == 'trx' and wake['state'] != 'SLEEP':
            kind = 'interrupt'  # no entry has the expiry of a timer
        return 'interrupt', None, wake['vector'], kind


# ---- sums over a window ---------------------------------------------------------------------------

READY_BY = ('higher', 'equal', 'lower', 'occupied', 'interrupt', 'kernel', 'idle', 'unknown')


def clipped(intervals, start, end):
    """The indexes of intervals in a window, and the parts of them inside."""
    for i, interval in enumerate(intervals):
        a, b = max(interval.start, start), min(interval.end, end)
        if a < b:
            yield i, a, b


def ready_by(truth, thread, start, end):
    """What had the CPU while a thread was ready."""
    explainer, sums = Explainer(truth), dict.fromkeys(READY_BY, 0)
    explainer.pieces = []
    intervals = truth.threads[thread]
    for i, a, b in clipped(intervals, start, end):
        if intervals[i].klass == 'ready':
            explainer.ready(thread, intervals, i, a, b, 0, None)
    for piece in explainer.pieces:
        sums[piece[5]] += piece[1] - piece[0]
    return sums


def stretches(truth, thread, start, end):
    """Explanations of the ready and blocked time of a thread, and whether they need what the capture lacks."""
    explainer, intervals = Explainer(truth), truth.threads[thread]
    first = None
    for i, a, b in clipped(intervals, start, end):
        if intervals[i].klass == 'ready' or intervals[i].klass in WAITING:
            if first is not None and last == a:
                last = b
                continue
            if first is not None:
                yield explainer.explain(thread, first, last), explainer.beyond
            first, last = a, b
    if first is not None:
        yield explainer.explain(thread, first, last), explainer.beyond


def blame(truth, thread, start, end):
    """{(by, cause, vector): [ready, blocked]}, and the inversions (start, end, holder, by); whether they are not all known."""
    sums, inversions, unfinished = {}, [], False
    for pieces, beyond in stretches(truth, thread, start, end):
        unfinished |= beyond
        for a, b, depth, other, state, cause, by, vector, _, _, owed in pieces:
            unfinished |= cause == 'unfinished'
            if cause in ('higher', 'equal', 'lower', 'occupied') and depth > 0:
                for c, d, late in inverted(truth, thread, by, a, b):
                    late = late and owed
                    entry = sums.setdefault((by, 'inversion' if late else cause, vector), [0, 0])
                    entry[1] += d - c
                    if late:
                        inversions.append((c, d, other, by))
                continue
            entry = sums.setdefault((by, cause, vector), [0, 0])
            entry[0 if depth == 0 and state.lower() == 'ready' else 1] += b - a
    joined = []
    for entry in inversions:
        if joined and joined[-1][1] == entry[0] and joined[-1][2:] == entry[2:]:
            joined[-1] = (joined[-1][0],) + entry[1:]
        else:
            joined.append(entry)
    return sums, joined, unfinished


def inverted(truth, thread, by, start, end):
    """Cuts a piece where the thread becomes more urgent than the one that has the CPU, or no longer is."""
    own, other = truth.priorities.get(thread, Steps()), truth.priorities.get(by, Steps())
    cuts = sorted({start, end} | set(own.between(start, end)) | set(other.between(start, end)))
    for a, b in zip(cuts, cuts[1:]):
        known = own.at(a) is not None and other.at(a) is not None
        yield a, b, known and own.at(a) > other.at(a)


def merged(pieces):
    """Joins neighbours that are equal in everything but time."""
    joined = []
    for piece in pieces:
        if joined and joined[-1][2:] == piece[2:] and joined[-1][1] == piece[0]:
            joined[-1] = (joined[-1][0],) + piece[1:]
        else:
            joined.append(piece)
    return joined


# ---- delays and waits to explain ------------------------------------------------------------------

def expected(truth, what):
    """Every (thread, start, end) of a kind."""
    if what == 'message':
        return {m for thread in truth.messages if thread not in truth.idle for m in messages_of(truth, thread)}
    if what != 'wait':
        delays = truth.delays['sch' if what == 'delay' else what]
        return {key for key in delays if key[0] not in truth.idle}
    return {wait for thread in truth.threads if thread not in truth.idle for wait in waits_of(truth, thread)}


def messages_of(truth, thread, unseen=False):
    """From the send until the client runs again. `unseen`: those that only an answer may name."""
    for message in truth.messages[thread]:
        replied = message.get('replied')
        if replied is None or unseen != ('client_unseen' in message) or truth.gap(message['sent'], replied):
            continue
        i = max(bisect.bisect_right(truth.begins[thread], replied) - 1, 0)
        for interval in truth.threads[thread][i:]:
            if interval.klass == 'dead' or (interval.klass == 'unknown' and interval.start > replied):
                break
            if interval.klass == 'running' and interval.end > replied:
                run = max(interval.start, replied)
                if not truth.gap(replied, run):
                    yield thread, message['sent'], run
                break


def waits_of(truth, thread):
    """From the beginning of consecutive blocked states until the thread runs again."""
    intervals = truth.threads[thread]
    for i, run in enumerate(intervals):
        last = i - 1
        if run.klass == 'running' and last > 0 and follows(run, intervals[last]) and intervals[last].klass == 'ready':
            run_after, last = intervals[last], last - 1
        else:
            run_after = run
        if (run.klass != 'running' or not run.begin_known or last < 0 or not follows(run_after, intervals[last]) or
                intervals[last].klass not in WAITING):
            continue
        first = last
        while first > 0 and follows(intervals[first], intervals[first - 1]) and intervals[first - 1].klass in WAITING:
            first -= 1
        if intervals[first].begin_known:
            yield thread, intervals[first].start, run.start


def follows(interval, before):
    return before.end == interval.start


# ---- comparison -----------------------------------------------------------------------------------

class Comparison:
    def __init__(self, program, capture, truth_path):
        self.program, self.capture = program, capture
        self.truth = Truth(truth_path)
        self.wrong = 0
        self.elsewheres = 0  # compared CPUs

    def tell(self, text):
        self.wrong += 1
        if self.wrong <= SHOWN:
            print(text)

    def stats(self, by, *options):
        return self.lines('--by', by, *options, command='stats')

    def lines(self, *options, command='why'):
        clock = ['--clock', '1000000000'] if self.truth.format == 'trx' else []
        command = [self.program, command, *options, *clock, '--format', 'jsonl', self.capture]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode != 0:
            self.tell('%s: exit status %d: %s' % (' '.join(command), result.returncode, result.stderr[:200]))
        return [json.loads(line) for line in result.stdout.splitlines()]

    def wakes(self):
        """Every wake that the capture has, with its waker."""
        truth, explainer, expected_ = self.truth, Explainer(self.truth), {}
        for thread, wakes in truth.wakes.items():
            for at, wake in wakes.items():
                expected_[at, thread] = explainer.seen(wake)
        for thread, intervals in truth.threads.items():
            for i, (a, b) in enumerate(zip(intervals, intervals[1:]), 1):
                answer = truth.answered(thread, i)
                if answer is not None:
                    expected_[answer.get('replied', answer.get('error')), thread] = (
                        'thread', truth.server_of(answer), None, 'reply')
                if a.klass in WAITING and b.klass == 'running' and follows(b, a):
                    expected_.setdefault((b.start, thread), ('unknown', None, None, None))
        told = {}
        for line in self.lines('--wakes'):
            waker = truth.told(line, 'by_') if line['by'] == 'thread' else None
            vector = line['vector'] if line['by'] == 'interrupt' else None
            told[line['at_ns'], truth.told(line)] = (line['by'], waker, vector, line['kind'])
        for key in sorted(expected_.keys() | told.keys()):
            want, got = expected_.get(key), told.get(key)
            if key[0] > truth.horizon:
                continue
            if want is None or got is None or not self.same_wake(want, got, key):
                self.tell('wake of %s at %d: expected %s, got %s' % (key[1], key[0], want, got))
        return len(expected_)

    def same_wake(self, want, got, key):
        if want[:3] != got[:3]:
            return False
        if self.truth.format == 'fxt' and want[0] == 'thread':
            return self.same_flow(want, got[3], *key)
        # 8.0 has one state for creators and others.
        create = want[3] == 'create' and self.truth.kernel == '8.0' and got[3] is None
        return self.truth.format != 'kev' or want[3] == got[3] or create

    def same_flow(self, want, kind, at, thread):
        """Whether the kind of a wake is that of the flow; a flow may not be in the capture as a whole."""
        if want[3] in ('reply', 'error'):
            kinds, messages, step = ('reply',), self.truth.flows.get((thread, want[1]), []), 'replied'
        elif want[3] == 'message':
            kinds, messages, step = ('message',), self.truth.flows.get((want[1], thread), []), 'received'
        else:
            return kind == 'wake'
        for m in messages:
            done = m.get(step, m.get('error') if step == 'replied' else None)
            whole = 'sent' in m and done is not None and not self.truth.gap(m['sent'] - 1, max(at, done) + 1)
            if whole and (m['sent'] <= at <= done if step == 'received' else m['sent'] < at):
                last = max((x.get(step, 0) for x in messages if x.get(step, 0) <= at), default=0)
                if step == 'received' or done == last:
                    return kind in kinds
        return kind in kinds + ('wake',)

    def intervals(self, what):
        """Every interval of a kind, with its pieces."""
        explainer, told = Explainer(self.truth), {}
        for line in self.lines('--each', what):
            key = self.truth.told(line), line['from_ns'], line['to_ns']
            if key in told:
                self.tell('%s %s twice' % (what, key))
            told[key] = line['pieces']
            self.elsewhere(what, key, line)
            self.check_sum(what, key, line)
        wanted, optional = expected(self.truth, what), set()
        if what == 'message':
            optional = {m for t in self.truth.messages for m in messages_of(self.truth, t, unseen=True)}
        for key in sorted(wanted | told.keys(), key=lambda k: (k[1], k[2], k[0])):
            if key[2] > self.truth.horizon or key in optional:
                continue
            if key not in told or key not in wanted:
                self.tell('%s %s: %s' % (what, key, 'missing' if key in wanted else 'not in the truth'))
                continue
            self.same_pieces(what, key, explainer.explain(*key), told[key])
        return len(wanted)

    def window(self):
        """A part of the capture: options, and its beginning and end."""
        info = self.lines('--from', '#0', '--to', '#1', command='dump')
        begin, end = int(info[0]['ns']), min(self.truth.end, self.truth.horizon)
        span = end - begin
        a, b = span // 7, span * 6 // 7
        return ['--from', '%dns' % a, '--to', '%dns' % b], begin + a, begin + b

    def sums(self):
        """ready-by, blame and inversions of every thread in a window."""
        truth = self.truth
        options, start, end = self.window()
        cut, readies = set(), {}
        for line in self.stats('thread', *options):
            parts = {key: line['ready_%s_ns' % key] for key in READY_BY}
            if sum(parts.values()) != line['ready_ns']:
                self.tell('ready of %s is not the sum of its parts: %s' % (truth.told(line), line))
            if not line['idle']:  # the threads that had an id one after the other have a line each
                sums = readies.setdefault(truth.told(line), dict.fromkeys(READY_BY, 0))
                sums.update((key, sums[key] + parts[key]) for key in READY_BY)
        for thread, got in readies.items():
            if thread in truth.threads:
                want = ready_by(truth, thread, start, end)
                if want != got and self.cut_interrupt(want, got):
                    cut.add(thread)
                elif want != got:
                    self.tell('ready by of %s: expected %s, got %s' % (thread, want, got))
        blames, inversions = {}, {}
        for line in self.stats('blame', *options):
            by = truth.told(line, 'by_')
            entry = blames.setdefault(truth.told(line), {}).setdefault((by, line['cause'], line['vector']), [0, 0])
            entry[0] += line['ready_ns']
            entry[1] += line['blocked_ns']
        for line in self.stats('inversion', *options):
            if line.get('kind', 'chain') != 'chain':  # by the rules of TraceX
                continue
            inversions.setdefault(truth.told(line), []).append(
                (line['from_ns'], line['to_ns'], truth.told(line, 'holder_'), truth.told(line, 'by_')))
        found = 0
        for thread in sorted(truth.threads.keys() - truth.idle):
            want, late, unfinished = blame(truth, thread, start, end)
            got = blames.get(thread, {})
            if unfinished or thread in cut:  # the program follows the thread that is waited for
                continue
            if want != got:
                self.tell('blame of %s: expected %s, got %s' % (thread, want, got))
            if late != sorted(inversions.get(thread, [])):
                self.tell('inversions of %s: expected %s, got %s' % (thread, late, inversions.get(thread)))
            found += len(late)
        return found

    def cut_interrupt(self, want, got):
        """An interrupt that the capture shows and a loss cuts is not in the truth."""
        more = got['interrupt'] - want['interrupt']
        return (0 < more <= CUT_INTERRUPT * len(self.truth.losses) and sum(want.values()) == sum(got.values()) and
                all(got[key] <= want[key] for key in READY_BY if key != 'interrupt'))

    def check_sum(self, what, key, line):
        at = key[1]
        for piece in line['pieces']:
            if piece['from_ns'] != at:
                self.tell('%s %s: a gap at %d' % (what, key, at))
            at = piece['to_ns']
        if at != key[2]:
            self.tell('%s %s: the pieces end at %d' % (what, key, at))
        if sum(entry['ns'] for entry in line['late_by']) != key[2] - key[1]:
            self.tell('%s %s: late_by is not the sum' % (what, key))

    def elsewhere(self, what, key, line):
        """The time in which each other CPU was idle or had a less urgent thread, while the thread was ready."""
        truth, want = self.truth, {}
        if truth.losses or key[0] not in truth.threads:
            return
        ready = [(p['from_ns'], p['to_ns'], p['cpu']) for p in line['pieces']
                 if p['depth'] == 0 and p['state'].lower() == 'ready' and p['cpu'] is not None]
        for cpu in truth.on_cpu:
            explainer = Explainer(truth)
            explainer.pieces = []
            for start, end, own in ready:
                if own != cpu:
                    explainer.ready_for(cpu, key[0], 'ready', start, end, 0, None)
            sums = [sum(p[1] - p[0] for p in explainer.pieces if p[5] == cause) for cause in ('idle', 'lower')]
            if any(sums):
                want[cpu] = sums
        got = {entry['cpu']: [entry['idle_ns'], entry['lower_ns']] for entry in line['elsewhere']}
        self.elsewheres += len(want)
        if want != got:
            self.tell('%s %s: elsewhere: expected %s, got %s' % (what, key, want, got))

    def same_pieces(self, what, key, want, told):
        got = merged([self.of_line(piece) for piece in told if piece['to_ns'] > piece['from_ns']])
        want = merged([self.comparable(piece) for piece in want])
        if self.truth.format == 'btrace':  # it has the kinds of interrupts, no vectors
            want, got = (merged([piece[:7] + (None,) + piece[8:] for piece in list_]) for list_ in (want, got))
        if any(piece[8] == UNSURE for piece in want):
            want, got = (merged([piece[:8] for piece in list_]) for list_ in (want, got))
        if len(want) == len(got) and all(map(self.same_piece, want, got)):
            return
        for a, b in zip(want + [None] * len(got), got + [None] * len(want)):
            if a is None or b is None or not self.same_piece(a, b):
                self.tell('%s %s: expected %s, got %s' % (what, key, a, b))
                return

    def of_line(self, piece):
        thread, by = self.truth.told(piece), self.truth.told(piece, 'by_')
        return (piece['from_ns'], piece['to_ns'], piece['depth'], thread, piece['state'].lower(), piece['cause'], by,
                piece['vector'], piece['part'])

    @staticmethod
    def comparable(piece):
        return piece[:4] + (piece[4].lower(),) + piece[5:9]

    def same_piece(self, want, got):
        # A thread that waits until the capture ends may wait for one that it woke itself.
        if want[5] == 'unfinished' and got[5] == 'handover':
            got = got[:5] + want[5:]
        if self.truth.format == 'btrace':
            got = got[:4] + (OTHER_NAMES.get(got[4], got[4]),) + got[5:]
        return want == got


def main():
    program, capture = sys.argv[1:3]
    truth = sys.argv[3] if len(sys.argv) > 3 else capture + '.truth.jsonl'
    comparison = Comparison(program, capture, truth)
    counts = [comparison.wakes()] + [comparison.intervals(what) for what in ('delay', 'preempted', 'wait', 'message')]
    counts.append(comparison.sums())
    counts.append(comparison.elsewheres)
    print('%d wakes, %d delays, %d preempted waits, %d waits, %d messages, %d inversions, %d other CPUs; %d differ' %
          (*counts, comparison.wrong))
    return 1 if comparison.wrong else 0


if __name__ == '__main__':
    sys.exit(main())

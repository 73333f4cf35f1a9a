# SPDX-License-Identifier: Apache-2.0
"""Snapshots at random instants, from the simulator's truth alone.

    python3 at.py PROGRAM CAPTURE [INSTANTS [TRUTH]]

Compares `PROGRAM at` with the truth: of each thread its state, since and until, CPU, priority, run time of
the last millisecond, and the thread it waits for where the truth has a line blocked_on. Prints what differs; exit
status 1 if anything does. The clock of the capture must be 1 GHz: a tick is a nanosecond then.
"""
import bisect, json, os, random, subprocess, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from why import OTHER_NAMES, WAITING, Truth

SHOWN = 12
PIECE = 50  # instants of one run of the program


class Comparison:
    def __init__(self, program, capture, instants, truth_path):
        self.program, self.capture, self.instants = program, capture, instants
        self.truth = Truth(truth_path)
        self.wrong = self.links = self.open = 0
        base = 0
        lines = [json.loads(text) for text in open(truth_path)]
        if self.truth.format == 'trx':
            base = next(line['start'] for line in lines if line['t'] == 'sum_run')
        self.blocked_on, self.irqs = {}, {}
        for line in lines:
            if line['t'] == 'blocked_on':
                line['start'] -= base
                line['end'] -= base
                self.blocked_on.setdefault(self.truth.thread(line), []).append(line)
            elif line['t'] == 'interrupt':
                self.irqs.setdefault(line['cpu'], []).append((line['start'] - base, line['end'] - base))

    def tell(self, text):
        self.wrong += 1
        if self.wrong <= SHOWN:
            print(text)

    def run(self, *options):
        clock = ['--clock', '1000000000'] if self.truth.format == 'trx' else []
        result = subprocess.run([self.program, *options, *clock, '--format', 'jsonl', self.capture],
                                capture_output=True, text=True)
        if result.returncode != 0:
            self.tell('%s: exit status %d: %s' % (options, result.returncode, result.stderr[:200]))
        return [json.loads(line) for line in result.stdout.splitlines()]

    def interval(self, thread, at):
        begins = self.truth.begins[thread]
        i = bisect.bisect_right(begins, at) - 1
        intervals = self.truth.threads[thread]
        return intervals[i] if i >= 0 and at < intervals[i].end else None

    def compare(self):
        truth = self.truth
        first = self.run('dump', '--to', '#1')[0]
        origin = int(first['ticks'])
        chance = random.Random(os.path.basename(self.capture))
        last = int(min(truth.end, truth.horizon))
        times = [chance.randrange(truth.start, last) for _ in range(self.instants)]
        # Instants at which something happens.
        starts = sorted({i.start for v in truth.threads.values() for i in v if truth.start <= i.start < last})
        times += [chance.choice(starts) for _ in range(self.instants // 4)]
        for i in range(0, len(times), PIECE):
            piece = sorted(set(times[i:i + PIECE]))
            rows = self.run('at', *['%dt' % (t - origin) for t in piece])
            for at in piece:
                self.instant(at, [row for row in rows if row['at_ns'] == at])
        for at in (truth.start - origin - 1, truth.end - origin + 1000):
            if self.run('at', '%dt' % at if at >= 0 else '-%dt' % -at):
                self.tell('rows at %d, outside of the capture' % at)
        self.open_waits()
        return len(times)

    def open_waits(self):
        """The holders in waits for mutexes that do not end: those of the truth, and those of `at`."""
        truth = self.truth
        origin = int(self.run('dump', '--to', '#1')[0]['ticks'])
        for thread, intervals in truth.threads.items():
            last = intervals[-1]
            if truth.format != 'kev' or last.state != 'MUTEX' or last.end_known or last.end < truth.end:
                continue
            span = ['--from', '%dt' % (last.start - origin), '--to', '%dt' % (last.end - origin)]
            waits = self.run('why', '--thread', '%d/%d' % thread, '--depth', '2', *span)
            pieces = [p for wait in waits for p in wait['pieces']]
            for piece in pieces:
                middle = (piece['from_ns'] + piece['to_ns']) // 2
                by = (None, None) if piece['depth'] == 0 else (piece['pid'], piece['tid'])
                if piece['cause'] == 'cycle' and piece['depth'] == 0:
                    by = piece['by_pid'], piece['by_tid']
                self.open += by[1] is not None
                for line in self.blocked_on.get(thread, []):
                    if by[1] is not None and line['start'] <= middle < line['end'] and by != (line['by_pid'], line.get('by_tid')):
                        self.tell('holder for %s at %d: expected %s, got %s' % (thread, middle, line, piece))
                rows = self.run('at', '--thread', '%d/%d' % thread, '%dt' % (middle - origin))
                if by != (rows[0]['blocked_on_pid'], rows[0]['blocked_on_tid']):
                    self.tell('holder for %s at %d: why %s, at %s' % (thread, middle, piece, rows[0]))

    def instant(self, at, rows):
        told = {}
        for row in rows:
            told.setdefault(self.truth.told(row), []).append(row)
        for thread in self.truth.threads:
            if thread in self.truth.idle:
                continue
            want = self.interval(thread, at)
            rows_of = told.get(thread, [])
            if self.truth.format == 'btrace' and len(rows_of) == 1:
                self.server(thread, at, rows_of[0])
            got = [row for row in rows_of if row['state'].lower() != 'unknown']
            if want is None or want.klass == 'dead':
                if any(row['state'].lower() != 'dead' for row in got):
                    self.tell('%s at %d: expected none, got %s' % (thread, at, got[0]))
                continue
            if len(got) != 1:
                self.tell('%s at %d: %d rows, expected %s since %d' % (thread, at, len(got), want.state, want.start))
                continue
            self.row(thread, at, want, got[0])
        for thread in told:
            if thread not in self.truth.threads and told[thread][0]['state'].lower() != 'unknown':
                self.tell('%s at %d: not in the truth: %s' % (thread, at, told[thread][0]))

    def row(self, thread, at, want, got):
        state = got['state']
        if self.truth.format == 'btrace':
            state = OTHER_NAMES.get(state.lower(), state)
        since = want.start if want.begin_known else None
        if state.lower() != want.state.lower() or got['since_ns'] != since:
            self.tell('%s at %d: expected %s since %s, got %s' % (thread, at, want.state, since, got))
        if want.end_known and want.end < self.truth.end and got['until_ns'] != want.end:
            self.tell('%s at %d: until %d, got %s' % (thread, at, want.end, got))
        if want.klass == 'running' and got['cpu'] != want.cpu:
            self.tell('%s at %d: CPU %s, got %s' % (thread, at, want.cpu, got))
        steps = self.truth.priorities.get(thread)
        priority = steps.at(at) if steps else None
        if priority is not None and self.truth.format in ('kev', 'fxt') and got['priority'] != priority:
            self.tell('%s at %d: priority %s, got %s' % (thread, at, priority, got['priority']))
        if self.truth.format == 'kev' and want.klass in WAITING:
            self.link(thread, at, got)

    def server(self, thread, at, got):
        """The server of a client that is off the CPU until its message is completed."""
        truth = self.truth
        i = bisect.bisect_right(truth.begins[thread], at)
        message = truth.answered(thread, i) if truth.interval_end(thread, i - 1) <= at else None
        waits = message is not None and at < message.get('replied', message.get('error', float('inf')))
        want = truth.server_of(message) if waits else None
        by = truth.told(got, 'blocked_on_') if got['waits_for'] == 'thread' else None
        if got['state'].lower() == 'unknown' and by != want:
            self.tell('%s at %d: server %s, got %s' % (thread, at, want, got))
        self.links += want is not None

    def link(self, thread, at, got):
        """Whom the thread waits for, where the program has an answer that is not from the wake."""
        lines = [l for l in self.blocked_on.get(thread, []) if l['start'] <= at < l['end']]
        if not lines or got['waits_for'] != 'thread':
            return
        line = lines[0]
        by = got['blocked_on_pid'], got['blocked_on_tid']
        want = line['by_pid'], line.get('by_tid')
        self.links += 1
        if by[0] != want[0] or (want[1] is not None and by != want):
            self.tell('%s at %d: %s of %s, got %s: %s' % (thread, at, line['on'], want, by, got))


def main():
    program, capture = sys.argv[1:3]
    instants = int(sys.argv[3]) if len(sys.argv) > 3 else 40
    truth = sys.argv[4] if len(sys.argv) > 4 else capture + '.truth.jsonl'
    comparison = Comparison(program, capture, instants, truth)
    count = comparison.compare()
    print('%d instants, %d links, %d holders in waits without an end; %d differ' %
          (count, comparison.links, comparison.open, comparison.wrong))
    return 1 if comparison.wrong else 0


if __name__ == '__main__':
    sys.exit(main())

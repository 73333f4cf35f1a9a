# SPDX-License-Identifier: Apache-2.0
"""A second implementation of jobs, from the simulator's truth alone.

    python3 jobs.py PROGRAM CAPTURE [TRUTH]

Folds the truth's intervals into jobs by the rules of docs/jobs.md, and compares every job with `PROGRAM
dump --jobs`, the rows of `PROGRAM stats --by job` with the jobs, and some ranges with the whole. Prints what
differs; exit status 1 if anything does. The clock of the capture must be 1 GHz: a tick is a nanosecond then.
"""
import json, os, random, subprocess, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from why import Explainer, Truth

ENDS = {
    'kev': 'RECEIVE NANOSLEEP SIGWAITINFO SIGSUSPEND INTR CONDVAR SEM MQ_RECEIVE BARRIER',
    'trx': 'SLEEP SUSPENDED QUEUE_SUSP EVENT_FLAG SEMAPHORE_SUSP COMPLETED',
    'fxt': 'blocked',
    'btrace': 'FAST_MUTEX MUTEX SEM CONDVAR',
}
DEADLINE = 50000
SHOWN = 12


class Fold:
    """The jobs of one thread. Every interval has known ends, or says which one is not."""

    def __init__(self, truth, thread, irqs, births):
        self.truth, self.thread, self.irqs, self.births = truth, thread, irqs, births
        self.explainer = Explainer(truth)
        self.ends = set(ENDS[truth.format].split())

    def jobs(self):
        found, job, between = [], None, False
        last_end = last_start = None
        before = None
        for i, interval in enumerate(self.truth.threads[self.thread]):
            whole = before is None or (before.end == interval.start and before.end_known)
            after_gap = before is None or before.end < interval.start
            known = interval.begin_known and (whole or after_gap)
            born = (self.thread, interval.start) in self.births
            if before is not None and (not whole or not interval.begin_known or born):
                job, between, last_start, last_end = None, False, None, None
            before = interval
            if interval.state in self.ends:
                if job and 'start' in job and known:
                    self.finish(job, interval, last_end, last_start)
                    found.append(job)
                    last_end, last_start = interval.start, job['start']
                elif not between and not job:
                    last_end, last_start = interval.start if known else None, None
                job, between = None, True
            elif interval.klass in ('unknown', 'dead') or not interval.begin_known:
                job, between, last_start, last_end = None, False, None, None
            else:
                if between and interval.klass in ('ready', 'running'):
                    job, between = self.new(interval), False
                if job:
                    self.add(job, i, interval)
        return found

    def new(self, interval):
        sums = ('run', 'irq', 'ready_sum', 'blocked', 'fragments', 'higher', 'equal', 'lower', 'other')
        return {'ready': interval.start, **{key: 0 for key in sums}}

    def add(self, job, i, interval):
        length = interval.end - interval.start
        if interval.klass == 'running':
            irq = self.irqs.get((self.thread, interval.start), 0)
            job['irq'] += irq
            job['run'] += length - irq
            job['fragments'] += 1
            job.setdefault('start', interval.start)
        elif interval.klass == 'ready':
            job['ready_sum'] += length
            self.classes(job, i, interval)
        else:
            job['blocked'] += length

    def classes(self, job, i, interval):
        self.explainer.pieces = []
        self.explainer.ready(self.thread, self.truth.threads[self.thread], i, interval.start, interval.end, 0, None)
        for start, end, _, _, _, cause, *_ in self.explainer.pieces:
            job[cause if cause in ('higher', 'equal', 'lower') else 'other'] += end - start

    def finish(self, job, interval, last_end, last_start):
        job['end'], job['state'] = interval.start, interval.state
        job['response'], job['startup'] = job['end'] - job['ready'], job['start'] - job['ready']
        job['separation'] = None if last_end is None else job['start'] - last_end
        job['period'] = None if last_start is None else job['start'] - last_start


class Comparison:
    def __init__(self, program, capture, truth_path):
        self.program, self.capture = program, capture
        self.truth = Truth(truth_path)
        self.irqs, self.births = {}, set()
        base = 0
        lines = [json.loads(text) for text in open(truth_path)]
        if self.truth.format == 'trx':
            base = next(line['start'] for line in lines if line['t'] == 'sum_run')
        for line in lines:
            if line['t'] == 'interval' and 'irq' in line:
                self.irqs[self.truth.thread(line), line['start'] - base] = line['irq']
            elif line['t'] == 'life' and 'begin_unknown' not in line:
                self.births.add((self.truth.thread(line), line['begin'] - base))
        self.wrong = 0

    def tell(self, text):
        self.wrong += 1
        if self.wrong <= SHOWN:
            print(text)

    def lines(self, *options):
        clock = ['--clock', '1000000000'] if self.truth.format == 'trx' else []
        command = [self.program, *options, *clock, '--format', 'jsonl', self.capture]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode != 0:
            self.tell('%s: exit status %d: %s' % (' '.join(command), result.returncode, result.stderr[:200]))
        return [json.loads(line) for line in result.stdout.splitlines()]

    def jobs(self):
        truth = self.truth
        told = self.lines('dump', '--jobs', '--deadline', '/./=%dns' % DEADLINE)
        got, order = {}, []
        for line in told:
            job = {key.replace('_ns', ''): value for key, value in line.items()}
            if job['response'] != job['run'] + job['irq'] + job['ready_sum'] + job['blocked']:
                self.tell('%s: the parts are not the response' % line)
            if job['ready_sum'] != job['higher'] + job['equal'] + job['lower'] + job['other']:
                self.tell('%s: the classes are not the ready time' % line)
            if job['deadline_missed'] != (job['response'] > DEADLINE):
                self.tell('%s: deadline' % line)
            got[truth.told(line), job['ready']] = job
            order.append(job['ready'])
        if order != sorted(order):
            self.tell('not in the order of their beginning')
        want = {}
        for thread in truth.threads:
            if thread not in truth.idle:
                for job in Fold(truth, thread, self.irqs, self.births).jobs():
                    want[thread, job['ready']] = job
        for key in sorted(want.keys() | got.keys(), key=lambda k: (k[1], k[0])):
            end = (want.get(key) or got[key])['end']
            if end <= truth.horizon:
                self.same_job(key, want.get(key), got.get(key))
        return told

    def same_job(self, key, want, got):
        if not want or not got:
            self.tell('job %s: %s' % (key, 'missing: %s' % want if want else 'not in the truth: %s' % got))
            return
        names = {'FAST_MUTEX': 'MUTEX', 'SEMAPHORE': 'SEM'} if self.truth.format == 'btrace' else {}
        for name, value in want.items():
            other = names.get(got[name], got[name]) if name == 'state' else got[name]
            if other != value:
                self.tell('job %s: %s is %s, expected %s' % (key, name, got[name], value))

    def rows(self, told):
        """stats --by job has the numbers of the list."""
        lists = {}
        for line in told:
            lists.setdefault((line['pid'], line['tid'], line['thread']), []).append(line)
        rows = self.lines('stats', '--by', 'job', '--deadline', '/./=%dns' % DEADLINE)
        seen = {}
        for row in rows:
            key = row['pid'], row['tid'], row['thread']
            seen.setdefault(key, []).append(row)
        for key in lists:
            if key not in seen:
                self.tell('stats has no row of %s' % (key,))
        for key, of_key in seen.items():
            if len(of_key) == 1:
                self.same_row(of_key[0], lists.get(key, []))
            elif sum(row['count'] for row in of_key) != len(lists.get(key, [])):
                self.tell('rows of %s: other counts' % (key,))

    def same_row(self, row, jobs):
        want = {'count': len(jobs), 'misses': sum(j['response_ns'] > DEADLINE for j in jobs)}
        ends = {name: [j['end_ns'] for j in jobs] for name in ('response', 'run')}
        values = {'response': [j['response_ns'] for j in jobs], 'run': [j['run_ns'] for j in jobs],
                  'period': [j['period_ns'] for j in jobs if j['period_ns'] is not None]}
        for name, v in values.items():
            s = sorted(v)
            for p in (50, 95, 99):
                want['%s_p%d_ns' % (name, p)] = s[-(-len(s) * p // 100) - 1] if s else None
            want['%s_mean_ns' % name] = sum(s) // len(s) if s else None
            want['%s_min_ns' % name] = s[0] if s else None
            want['%s_max_ns' % name] = s[-1] if s else None
            if name in ends:
                want['%s_max_at_ns' % name] = ends[name][v.index(s[-1])] if s else None
        median = want['period_p50_ns']
        want['jitter_ns'] = max(abs(p - median) for p in values['period']) if values['period'] else None
        for name, value in row.items():
            if name in want and value != want[name]:
                self.tell('row %s: %s is %s, expected %s' % (row['thread'], name, value, want[name]))

    def origin(self):
        """The instant from which the options count: that of the first event."""
        command = [self.program, 'dump', '--to', '#1', '--format', 'jsonl', self.capture]
        first = subprocess.run(command, capture_output=True, text=True).stdout
        return int(json.loads(first.splitlines()[0])['ticks'])

    def ranges(self, told):
        """A range has the jobs that end in it."""
        chance = random.Random(os.path.basename(self.capture))
        ends = sorted(line['end_ns'] for line in told)
        origin = self.origin()
        for _ in range(3 if ends else 0):
            a, b = sorted(chance.choice(ends) for _ in range(2))
            got = self.lines('dump', '--jobs', '--from', '%dt' % (a - origin), '--to', '%dt' % (b - origin))
            want = [line for line in told if a <= line['end_ns'] < b]
            for line in want:
                line = dict(line)
            if [dict(l, deadline_missed=None) for l in want] != got:
                self.tell('range %d..%d: %d jobs, expected %d' % (a, b, len(got), len(want)))


def main():
    program, capture = sys.argv[1:3]
    truth = sys.argv[3] if len(sys.argv) > 3 else capture + '.truth.jsonl'
    comparison = Comparison(program, capture, truth)
    told = comparison.jobs()
    comparison.rows(told)
    comparison.ranges(told)
    print('%d jobs; %d differ' % (len(told), comparison.wrong))
    return 1 if comparison.wrong else 0


if __name__ == '__main__':
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""A second implementation of messages, from the simulator's truth alone.

    python3 messages.py PROGRAM CAPTURE [TRUTH]

Compares every message of `PROGRAM dump --messages` with the truth, to the tick: client, server, send,
receive, answer, the time at which the client runs again, and the parts of the service, which this
program takes from the `interval` lines. Prints what differs; exit status 1 if anything does. The clock
of the capture must be 1 GHz: a tick is a nanosecond then.

A message whose client the capture never names is not in the program's list: a receive without a send
that is not answered in the capture.
"""
import bisect, json, os, subprocess, sys

CLASSES = ('ready', 'ipc', 'lock', 'sleep', 'wait')
SHOWN = 12  # differences printed


class Truth:
    def __init__(self, path):
        self.threads, self.messages, self.pulses, self.entries = {}, [], [], []
        self.horizon = float('inf')  # a loss that the capture does not show begins here
        self.losses = []
        for line in map(json.loads, open(path)):
            kind = line['t']
            if kind == 'run':
                self.format = line['format']
                self.kev = self.format == 'kev'
                self.overwritten = 'overwritten' in line
                self.several_streams = line.get('kernel', '').startswith('8')
            elif kind == 'interval':
                self.threads.setdefault((line['pid'], line['tid']), []).append(line)
            elif kind == 'message':
                self.messages.append(line)
            elif kind == 'pulse':
                self.pulses.append(line)
            elif kind == 'entry':
                self.entries.append(line)
            elif kind == 'sum_run':
                self.end = line['end']
            elif kind == 'loss':
                self.losses.append((line['start'], line['end']))
            elif kind == 'lost_end':
                self.horizon = min(self.horizon, line['start'])
        for intervals in self.threads.values():
            intervals.sort(key=lambda i: (i['start'], i['end']))
        self.starts = {t: [i['start'] for i in list_] for t, list_ in self.threads.items()}

    def gap(self, start, end):
        """The earliest begin of a loss of any stream that ends after `start` and begins before `end`."""
        return min((a for a, b in self.losses if b > start and a < end), default=None)

    def is_late(self, first, replied):
        """Whether a loss that the capture does not show may have changed the message."""
        return max(first, replied or float('inf')) > self.horizon != float('inf')

    def from_time(self, thread, time):
        """The intervals of a thread, from the one that holds at `time` on."""
        starts = self.starts.get(thread, [])
        i = max(bisect.bisect_right(starts, time) - 1, 0)
        return self.threads.get(thread, [])[i:]

    def runs_again(self, thread, time):
        for interval in self.from_time(thread, time):
            if interval['end'] < time or (interval['end'] == time != interval['start']):
                continue
            if interval['class'] == 'dead' or (interval['class'] == 'unknown' and interval['start'] > time):
                return None
            if interval['class'] == 'running':
                again = max(interval['start'], time)
                return again if self.gap(time, again) is None else None
        return None

    def queue(self, thread, sent, received):
        """The parts of a queue time: the thread worked, then it was woken from RECEIVE; None: not known."""
        list_ = [i for i in self.from_time(thread, sent) if i['start'] <= received]
        while list_ and list_[-1]['class'] in ('running', 'ready') and list_[-1]['start'] > sent:
            if len(list_) < 2 or list_[-2]['end'] < list_[-1]['start']:
                return None  # unknown states have no lines in some formats
            list_.pop()
        if not list_ or list_[-1]['class'] == 'unknown' or list_[-1]['end'] < sent:
            return None
        wait = max(list_[-1]['start'], sent)
        busy = wait - sent if list_[-1]['state'] == 'RECEIVE' else received - sent
        return busy, received - sent - busy

    def parts(self, thread, start, end):
        """The service of a thread by class; interrupts only where they do not begin outside."""
        sums = dict.fromkeys(CLASSES, 0)
        sums['running'], sums['other'] = 0, 0
        for interval in self.from_time(thread, start):
            if interval['start'] >= end:
                break
            length = min(end, interval['end']) - max(start, interval['start'])
            if length > 0:
                key = interval['class'] if interval['class'] in sums else 'other'
                sums[key] += length
        sums['other'] = end - start - sum(v for k, v in sums.items() if k != 'other')
        return sums


def rename(truth, listed):
    """BTrace has addresses in place of ids: finds by the times of messages which threads they are, one life of one each."""
    steps = {(m.get('sent'), m.get('received'), m.get('replied')): m for m in truth.messages}
    names, lives = {}, {}
    for got in listed:
        m = steps.get((got['send_ns'], got['receive_ns'], got['reply_ns']))
        if m and m['server_tid'] != 0:
            names.setdefault((got['server_pid'], got['server_tid']), set()).add((m['server_pid'], m['server_tid']))
        if m:
            names.setdefault((got['client_pid'], got['client_tid']), set()).add((m['pid'], m['tid']))
            lives.setdefault(m.get('life'), set()).add((got['client_pid'], got['client_tid']))
    problems = ['%s is %s' % name for name in names.items() if len(name[1]) > 1]
    problems += ['life %s is %s' % life for life in lives.items() if len(life[1]) > 1]
    for got in listed:
        for side in ('client', 'server'):
            address = got[side + '_pid'], got[side + '_tid']
            got[side + '_pid'], got[side + '_tid'] = min(names.get(address, {address}))
    return problems


def compare_flows(truth, listed):
    """The simulator writes a message to .fxt as a flow: from the send to the receive, and on to the answer, which is
    a hop only if another thread answers."""
    wanted, answers, problems = {}, {}, []
    for m in truth.messages:
        if 'sent' in m and 'received' in m and not ('lost' in m and truth.losses):
            client, server = (m['pid'], m['tid']), (m['server_pid'], m['server_tid'])
            wanted[m['sent'], m['received']] = client, server
            if 'replied' in m:
                answers[m['received'], m['replied']] = server
    got = {(g['send_ns'], g['receive_ns']): ((g['client_pid'], g['client_tid']), (g['server_pid'], g['server_tid']))
           for g in listed if g['end'] == 'taken'}
    for hop in sorted(set(wanted) | set(got)):
        want, mine = wanted.get(hop), got.get(hop)
        if mine and hop in answers and mine[0] == answers[hop] != mine[1]:
            continue
        if want != mine:
            problems.append('hop %s: %s, not %s' % (hop, mine, want))
    for problem in problems[:SHOWN]:
        print(problem)
    print('%d hops, %d differ' % (len(wanted), len(problems)))
    return 1 if problems or not wanted else 0


def compare_entries(truth, listed, program, capture):
    """Entries of ThreadX queues: sender, receiver and both times. A .trx counts its time from its first entry."""
    text = subprocess.run([program, 'dump', '--no-cache', '--format', 'jsonl', capture], stdout=subprocess.PIPE, check=True).stdout
    last = int(json.loads(text.splitlines()[-1])['ticks'])
    base = truth.end - last
    thread = lambda slot: 0x20400000 + 0x100 * slot
    wanted = {(thread(e['slot']), e['sent'] - base): (thread(e['server_slot']), e['received'] - base)
              for e in truth.entries if base <= e['sent'] and e['received'] < truth.end}
    got = {(g['client_tid'], g['send_ticks']): (g['server_tid'], g['receive_ticks'])
           for g in listed if g['end'] == 'taken' and g['send_ticks'] is not None and g['connection'] & 0x8000 and g['receive_ticks'] < last}
    problems = ['entry %s: %s, not %s' % (key, got.get(key), wanted.get(key))
                for key in sorted(set(wanted) | set(got)) if wanted.get(key) != got.get(key)]
    for problem in problems[:SHOWN]:
        print(problem)
    waited = sum(1 for key, value in wanted.items() if value[1] - key[1] > 20000)
    print('%d entries, %d of them waited, %d differ' % (len(wanted), waited, len(problems)))
    return 1 if problems or not wanted else 0


def expected(truth):
    """The messages that the program must list, by (client, first known time)."""
    wanted = {}
    for m in truth.messages:
        client = m['pid'], m['tid']
        sent, received, replied = (m.get(k) for k in ('sent', 'received', 'replied'))
        end = ('error' if 'error' in m and truth.format != 'btrace' else 'reply' if replied is not None else
               next((how for how in ('lost', 'left', 'died') if how in m), 'open'))
        ended = m.get(end) if end in ('left', 'died') else replied
        maybe_sent = sent
        if 'client_unseen' in m:
            sent = None  # the program may find it, if an answer names the client
        if sent is None and (replied is None or truth.format == 'btrace'):
            continue  # its client is not known
        begin = sent if sent is not None else received
        gap = truth.gap(begin, max(v for v in (sent, received, ended) if v is not None)) if begin else None
        if gap is not None:
            received = None if received is not None and received > gap else received
            if sent is not None and ended is not None and ended > gap:
                replied, ended, end = None, None, 'lost'
        if sent is None and received is not None:
            received = False  # the program may find it: see docs/messages.md
        first = sent if sent is not None else received if received else replied
        wanted.setdefault(client, []).append(
            {'client': client, 'sent': sent, 'maybe_sent': maybe_sent, 'received': received, 'replied': replied, 'end': end,
             'ended': ended, 'errno': m.get('errno') if end == 'error' else None, 'chid': m.get('chid'),
             'server': (m['server_pid'], m['server_tid']), 'first': first,
             'maybe': m.get('received'), 'unseen': 'server_unseen' in m})
    return wanted


def differs(truth, want, got):
    """The first difference between a message of the truth and one of the program, or None."""
    for ours, theirs in (('sent', 'send_ns'), ('replied', 'reply_ns'), ('ended', 'ended_ns')):
        if want[ours] != got[theirs]:
            return '%s %s, not %s' % (theirs, got[theirs], want[ours])
    known = want['received'] if want['received'] is not False else want['maybe']
    if known != got['receive_ns'] and not (want['received'] is False and got['receive_ns'] is None):
        return 'receive %s, not %s' % (got['receive_ns'], want['received'])
    if want['end'] != got['end']:
        return 'end %s, not %s' % (got['end'], want['end'])
    if truth.kev and got['channel'] not in (want['chid'], None):
        return 'channel %s, not %s' % (got['channel'], want['chid'])
    if truth.kev and want['errno'] != got['errno'] and (got['errno'] or not (truth.losses or truth.overwritten)):
        return 'errno %s, not %s' % (got['errno'], want['errno'])
    server = got['server_pid'], got['server_tid']
    if want['received'] and not want['unseen'] and server != want['server']:
        return 'server %s, not %s' % (server, want['server'])
    if got['service_ns'] is not None:
        total = sum(got[k + '_ns'] for k in CLASSES + ('run', 'irq', 'other')) if got['run_ns'] is not None else None
        if total is not None and total != got['service_ns']:
            return 'parts sum to %s, service is %s' % (total, got['service_ns'])
    for key, a, b in (('queue_ns', 'send_ns', 'receive_ns'), ('service_ns', 'receive_ns', 'reply_ns'),
                      ('back_ns', 'reply_ns', 'return_ns'), ('round_ns', 'send_ns', 'return_ns')):
        value = got[b] - got[a] if got[a] is not None and got[b] is not None else None
        if got[key] != value:
            return '%s %s, not %s' % (key, got[key], value)
    if want['sent'] is not None and want['received'] and not want['unseen']:
        queue = truth.queue(want['server'], want['sent'], want['received'])
        mine = (got['queue_busy_ns'], got['queue_sched_ns']) if got['queue_busy_ns'] is not None else None
        if queue != mine:
            return 'queue %s, not %s' % (mine, queue)
    if want['ended'] is not None:
        again = truth.runs_again(want['client'], want['ended']) if want['end'] != 'died' else None
        if again != got['return_ns']:
            return 'runs again at %s, not %s' % (got['return_ns'], again)
    if want['replied'] is not None and want['received'] and not want['unseen']:
        parts = truth.parts(want['server'], want['received'], want['replied'])
        mine = {k: got[k + '_ns'] for k in CLASSES + ('other',)}
        mine['running'] = got['run_ns'] + got['irq_ns']
        if parts != mine:
            return 'parts %s, not %s' % (mine, parts)
    return None


AT_ONCE = 20000  # two threads receive within this time


def swapped(wanted, key, mine):
    """Whether two threads received from the queue at once: the order of their records is not that of the queue."""
    want = wanted[key]
    return any(other[:2] == key[:2] and p.get('received') == mine['receive_ns'] and p.get('server_tid') == mine['server_tid'] and
               p['server_tid'] != want.get('server_tid') and abs(p['received'] - want.get('received', 0)) < AT_ONCE
               for other, p in wanted.items())


def compare_pulses(truth, listed):
    """The differences between the pulses of the truth whose send it has and those of the program, and their number."""
    wanted = {}
    for p in truth.pulses:
        if 'sent' in p and p['sent'] <= truth.horizon:
            wanted[p['server_pid'], p['id'] & 0xffff, p['sent']] = p
    got = {(g['server_pid'], g['connection'], g['send_ns']): g for g in listed if g['send_ns'] <= truth.horizon}
    problems, unsure = [], 0
    for key in sorted(set(wanted) | set(got), key=lambda k: k[2]):
        want, mine = wanted.get(key), got.get(key)
        if not want or not mine:
            problems.append('pulse %s: %s, not %s' % (key, mine, want))
            continue
        received = want.get('received')
        received = None if received is not None and received > truth.horizon else received
        if received is not None and truth.gap(want['sent'], received) is not None:
            received = None
        if mine['receive_ns'] is None and mine['end'] == 'lost':
            unsure += received is not None
            continue  # pulses of before the capture or of a loss may be in the queue
        if (received, want.get('server_tid') if received else None) != (mine['receive_ns'], mine['server_tid']):
            if not (received and 'server_unseen' in want and mine['receive_ns'] == received) and not swapped(wanted, key, mine):
                problems.append('pulse %s: received %s by %s, not %s' % (key, mine['receive_ns'], mine['server_tid'], want))
        if 'client_unseen' not in want and (want.get('pid'), want.get('tid')) != (mine['client_pid'], mine['client_tid']):
            problems.append('pulse %s: from %s/%s, not %s' % (key, mine['client_pid'], mine['client_tid'], want))
        if mine['channel'] not in (want['chid'], None):
            problems.append('pulse %s: channel %s, not %s' % (key, mine['channel'], want['chid']))
    if unsure * 4 > len(wanted) * (3 if truth.losses else 1) + 20:
        problems.append('the receive of %d pulses is not known' % unsure)
    return problems, len(wanted)


def main():
    program, capture = sys.argv[1:3]
    truth = Truth(sys.argv[3] if len(sys.argv) > 3 else capture + '.truth.jsonl')
    text = subprocess.run([program, 'dump', '--messages', '--no-cache', '--format', 'jsonl', capture],
                          stdout=subprocess.PIPE, check=True).stdout
    wanted, listed, problems = expected(truth), {}, []
    lines = [json.loads(line) for line in text.splitlines()]
    if truth.format == 'fxt':
        return compare_flows(truth, lines)
    if truth.format == 'trx':
        return compare_entries(truth, lines, program, capture)
    if truth.format == 'btrace':
        problems = rename(truth, lines)
    for got in lines:
        if got['kind'] == 'message':
            listed.setdefault((got['client_pid'], got['client_tid']), []).append(got)
    pulses = 0
    if truth.kev:
        more, pulses = compare_pulses(truth, [g for g in lines if g['kind'] == 'post'])
        problems += more
    count = unsure = 0
    for client in sorted(set(wanted) | set(listed)):
        for want in wanted.get(client, []):
            if want['sent'] is None and want['maybe_sent'] in (g['send_ns'] for g in listed.get(client, [])):
                want['sent'] = want['maybe_sent']
        wants = {(w['sent'], w['replied'] if w['sent'] is None else 0): w for w in wanted.get(client, [])}
        gots = {(g['send_ns'], g['reply_ns'] if g['send_ns'] is None else 0): g for g in listed.get(client, [])}
        # What an unseen loss may have changed is not compared.
        late = {key for key, w in wants.items() if truth.is_late(w['first'], w['replied'])}
        late |= {key for key, g in gots.items() if truth.is_late(key[0] or key[1], g['reply_ns'])}
        for key in sorted((set(wants) | set(gots)) - late, key=lambda k: k[0] or k[1] or 0):
            count += 1
            if truth.several_streams and truth.losses and (key not in gots or key not in wants or gots[key]['end'] == 'lost'):
                unsure += 1  # beside a loss of one stream the program may know less
            elif key not in gots:
                problems.append('%s: no message %s' % (client, wants[key]))
            elif key not in wants:
                problems.append('%s: not in the truth: %s' % (client, gots[key]))
            else:
                problem = differs(truth, wants[key], gots[key])
                if problem:
                    problems.append('%s, message %s: %s' % (client, gots[key]['id'], problem))
    for problem in problems[:SHOWN]:
        print(problem[:300])
    print('%d messages, %d pulses, %d differ, %d beside losses not compared' % (count, pulses, len(problems), unsure))
    return 1 if problems or unsure * 2 > count + 8 else 0


if __name__ == '__main__':
    sys.exit(main())

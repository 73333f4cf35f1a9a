# SPDX-License-Identifier: Apache-2.0
"""Queries of the document against the same queries over exported CSV in plain SQLite.

    python3 sql_csv.py PROGRAM CAPTURE DOCUMENT FOLDER

FOLDER takes files. Events, messages and jobs are those of `dump`; states and the occupants of CPUs are the intervals
that `:write` exports; threads, pairs and processes are rows of `stats`. Views give them the columns of the document.
Prints the number of queries that these tables can answer; differences go to standard error. The capture has a clock
of 1 GHz.
"""
import csv, json, re, sqlite3, subprocess, sys

program, capture, document, folder = sys.argv[1:5]
plain = sqlite3.connect(':memory:')

CLASSES = {
    'running': ('RUNNING',), 'ready': ('READY',), 'ipc': ('SEND', 'RECEIVE', 'REPLY'), 'sleep': ('NANOSLEEP',),
    'lock': ('MUTEX',), 'condition': ('CONDVAR', 'SEM'), 'stopped': ('STOPPED',), 'dead': ('DEAD',),
    'wait': ('WAITTHREAD', 'INTR', 'WAITPAGE', 'SIGWAITINFO', 'JOIN', 'SIGSUSPEND'), 'unknown': ('unknown',),
}


def out(*arguments):
    return subprocess.run([program, *arguments, '--no-cache'], stdout=subprocess.PIPE, check=True).stdout.decode()


def value(text):
    """A field of CSV: a number, a text without the mark before a sign, or null."""
    if re.fullmatch(r'-?\d+', text):
        return int(text)
    return text[1:] if re.match(r"'[-=+@]", text) else text or None


def load(name, text):
    rows = list(csv.reader(text.splitlines()))
    columns = ', '.join(f'"{column}"' for column in rows[0])
    plain.execute(f'create table {name} (line integer primary key, {columns})')
    plain.executemany(f'insert into {name} values (null{", ?" * len(rows[0])})',
                      [[value(field) for field in row] for row in rows[1:]])


def intervals(view):
    path = f'{folder}/{view}.csv'
    out('render', view, capture, '--keys', f':write! {path}<Enter>')
    load(f'csv_{view}', open(path).read())
    begin = plain.execute('select min(ns) from csv_events').fetchone()[0]
    for column in ('from', 'to'):
        plain.create_function('ns', 1, lambda text: begin + int(text.replace('.', '')))
        plain.execute(f'alter table csv_{view} add column "{column}"')
        plain.execute(f'update csv_{view} set "{column}" = ns({column}_s)')


class Percentile:
    """Nearest rank."""
    def __init__(self):
        self.values = []

    def step(self, x, p):
        self.values += [] if x is None else [x]
        self.p = p

    def finalize(self):
        rank = -(-len(self.values) * self.p // 100)
        return sorted(self.values)[max(int(rank) - 1, 0)] if self.values else None


def load_all():
    load('csv_events', out('dump', capture, '--format', 'csv'))
    load('csv_messages', out('dump', '--messages', capture, '--format', 'csv'))
    load('csv_jobs', out('dump', '--jobs', capture, '--format', 'csv'))
    for by in ('thread', 'process'):
        load(f'csv_by_{by}', out('stats', '--by', by, capture, '--format', 'csv'))
    intervals('threads')
    intervals('cpus')
    plain.execute('create table classes (state primary key, class)')
    plain.executemany('insert into classes values (?, ?)',
                      [(state, name) for name, states in CLASSES.items() for state in states])
    plain.create_aggregate('percentile', 2, Percentile)


def make_threads():
    """Keys are in order of the first event, as are the rows of csv_threads."""
    plain.executescript('''
    create table threads as select row_number() over (order by min(e.line)) - 1 as utid, e.pid, e.tid, t.thread,
        t.process, t.thread in (select thread from csv_cpus where state = 'idle') as is_idle
        from csv_events e join csv_by_thread t using (pid, tid) group by e.pid, e.tid;
    create table processes as select row_number() over (order by min(utid)) - 1 as upid, pid, p.process
        from threads join csv_by_process p using (pid) group by pid;
    alter table threads add column upid;
    update threads set upid = (select upid from processes p where p.pid = threads.pid);
    create unique index thread_key on threads (pid, tid);
    alter table csv_threads add column utid;
    ''')
    utid, last = -1, (None, None)
    for row, thread, begin, end in plain.execute('select line, thread, "from", "to" from csv_threads').fetchall():
        utid += (thread, begin) != last  # threads of one name: there is a gap
        last = (thread, end)
        plain.execute('update csv_threads set utid = ? where line = ?', (utid, row))


def make_interrupts():
    plain.execute('create table irqs (ts_ns, dur_ns, dur_ticks, cpu, vector)')
    open_ones = {}
    for ts, cpu, event, args in plain.execute(
            "select ns, cpu, event, args from csv_events where event in ('INT_ENTR', 'INT_EXIT') order by line"):
        if event == 'INT_ENTR':
            open_ones.setdefault(cpu, []).append((ts, int(re.search('vector=(0x[0-9a-f]+)', args)[1], 16)))
        elif open_ones.get(cpu):
            begin, vector = open_ones[cpu].pop()
            plain.execute('insert into irqs values (?, ?, ?, ?, ?)', (begin, ts - begin, ts - begin, cpu, vector))
    for cpu, left in open_ones.items():
        plain.executemany('insert into irqs values (?, null, null, ?, ?)', [(ts, cpu, vector) for ts, vector in left])


VIEWS = '''
create view captures as select min(ns) as begin_ns from csv_events;
create view events as select ns as ts_ns, ns as ts_ticks, utid, e.* from csv_events e
    left join threads using (pid, tid);
create table states as select utid, s."from" as ts_ns, s."from" as ts_ticks, s."to" as end_ns, s."to" as end_ticks,
    s."to" - s."from" as dur_ns, s."to" - s."from" as dur_ticks, s.state, class, cpu, pid, tid, t.thread,
    s."from" = (select begin_ns from captures) as since_before, s."to" = (select max("to") from csv_threads) as is_open,
    lead(s.state) over (partition by utid order by s.line) as next, waker, cause
    from csv_threads s join threads t using (utid) left join classes using (state);
create index states_of on states (utid, ts_ns);
alter table states add column migrated;
update states set migrated = class = 'running' and cpu <> (select cpu from states b where b.utid = states.utid and
    b.class = 'running' and b.ts_ns < states.ts_ns order by b.ts_ns desc limit 1);
create view cpu_time as select cpu, "from" as ts_ns, "to" - "from" as dur_ticks,
    case state when 'busy' then 'thread' else state end as occupant from csv_cpus;
create view switches as select ts_ns, cpu, from_utid, utid as to_utid, from_state from (select *,
    lag(utid) over (partition by cpu order by ts_ns) as from_utid,
    lag(next) over (partition by cpu order by ts_ns) as from_state from states where class = 'running')
    where from_utid <> utid;
create view wakes as select utid, end_ns as ts_ns, end_ns as ts_ticks, cause as kind,
    case when waker like 'interrupt %' then 'interrupt' when waker is null then 'unknown' else 'thread' end as "by",
    case when waker like 'interrupt %' then cast(substr(waker, 11) as integer) end as vector
    from states where class not in ('running', 'ready', 'stopped', 'unknown', 'dead') and next in ('READY', 'RUNNING');
create view lock_waits as select utid, ts_ns, end_ticks, dur_ns, since_before, thread from states
    where class in ('lock', 'condition');
create view messages as select m.id as message_id, min(coalesce(send_ns, 1 << 62), coalesce(receive_ns, 1 << 62),
        coalesce(reply_ns, 1 << 62), coalesce(ended_ns, 1 << 62)) as ts_ns,
    min(coalesce(send_ns, 1 << 62), coalesce(receive_ns, 1 << 62), coalesce(reply_ns, 1 << 62),
        coalesce(ended_ns, 1 << 62)) as ts_ticks,
    c.utid as client_utid, client, s.utid as server_utid, server, p.upid as server_upid, kind, "end", errno, error,
    channel, connection, send_ns as send_ticks, receive_ns as receive_ticks, coalesce(reply_ns, ended_ns) as end_ticks,
    return_ns as return_ticks, queue_ns, queue_ns as queue_ticks, service_ns, service_ns as service_ticks, back_ns,
    back_ns as back_ticks, round_ns, round_ns as round_ticks, run_ns as run_ticks, ready_ns as ready_ticks,
    ipc_ns as ipc_ticks, lock_ns as lock_ticks
    from csv_messages m left join threads c on c.pid = client_pid and c.tid = client_tid
    left join threads s on s.pid = server_pid and s.tid = server_tid left join processes p on p.pid = server_pid;
create view jobs as select utid, pid, tid, j.thread, ready_ns as ts_ns, ready_ns as ts_ticks, start_ns, end_ns,
    end_ns as end_ticks, j.state as end_state, response_ns, response_ns as response_ticks, startup_ns, run_ns,
    run_ns as run_ticks, irq_ns as irq_ticks, ready_sum_ns as ready_ticks, blocked_ns as blocked_ticks, fragments,
    period_ns, (select cpu from states r where r.utid = t.utid and r.class = 'running' and r.end_ns = j.end_ns) as cpu
    from csv_jobs j join threads t using (pid, tid);
'''


def alike(a, b):
    if isinstance(a, float) or isinstance(b, float):
        return a is not None and b is not None and abs(a - b) <= 1e-9 * max(abs(a), abs(b))
    return a == b


def compare(text):
    """Returns whether the tables can answer the query."""
    try:
        expected = [list(row) for row in plain.execute(text)]
    except sqlite3.OperationalError as error:
        if not re.match('no such (table|column)|cannot join using column', str(error)):
            raise
        return False
    found = [list(json.loads(line).values())
             for line in out('sql', text, capture, '--format', 'jsonl').splitlines()]
    if len(expected) != len(found) or not all(
            len(x) == len(y) and all(map(alike, x, y)) for x, y in zip(expected, found)):
        print(f'{text}: expected {expected}, found {found}', file=sys.stderr)
    return True


load_all()
make_threads()
make_interrupts()
plain.executescript(VIEWS)
queries = re.findall(r'```sql\n(.*?);\n```', open(document).read(), re.S)
answered = [compare(text) for text in queries]
print(sum(answered))
if '-v' in sys.argv:
    print(*[text for text, known in zip(queries, answered) if not known], sep='\n\n')

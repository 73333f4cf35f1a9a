# SPDX-License-Identifier: Apache-2.0
"""Random queries over the tables of SQL, and the same queries in plain SQLite on a copy of the tables (`sql --to`).

    python3 sql_random.py PROGRAM SEED COUNT CAPTURE...     one session of the captures

Conditions are trees of AND, OR and NOT over comparisons, IN, BETWEEN, LIKE and IS, whose values are those of the
column, their neighbours, and values of other types and beyond its range. Queries add joins, subqueries, DISTINCT, ORDER BY and
GROUP BY. Differences go to standard error with their query; the number of compared queries to standard output.
"""
import json, os, random, sqlite3, subprocess, sys, tempfile

FAR = ['-1', '0', '1', '9223372036854775807', '-9223372036854775808', '9223372036854775808', '1e19', '-1e19', '9.1e18',
       '0.5', '-0.5', 'null', "''", "'x'", "x'00'", "' 7 '", "'1e3'", '1099511627776', '1099511627775', '4294967295']
MOST = 40  # values of a column that are sampled
SCRIPT = 500  # queries of a script


class Tables:
    def __init__(self, path):
        self.plain = sqlite3.connect(path)
        self.columns, self.values, self.counts = {}, {}, {}
        for (name,) in self.plain.execute("select name from sqlite_master where type = 'table' order by 1").fetchall():
            self.columns[name] = [(row[1], row[2]) for row in self.plain.execute(f'pragma table_info({name})')]
            self.counts[name] = self.plain.execute(f'select count(*) from {name}').fetchone()[0]
            for column, _ in list(self.columns[name]):
                rows = self.plain.execute(f'select distinct "{column}" from {name} order by 1').fetchall()
                step = max(1, len(rows) // MOST)
                if self.is_inexact(name, column):
                    self.columns[name].remove((column, 'INTEGER'))
                self.values[name, column] = [row[0] for row in rows[::step]] + [row[0] for row in rows[-1:]]

    def is_inexact(self, name, column):
        """Numbers of 2^63 and more are texts of digits in the tables and reals in the copy."""
        return (column, 'INTEGER') in self.columns[name] and self.plain.execute(
            f"select count(*) from {name} where typeof(\"{column}\") = 'real'").fetchone()[0] > 0


def literal(value):
    if value is None:
        return 'null'
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return repr(value)


class Queries:
    def __init__(self, tables, seed):
        self.tables, self.rng = tables, random.Random(seed)
        # Bounds of scans are on these columns, so they are preferred.
        self.preferred = ('_id', 'utid', 'upid', 'pid', 'tid', 'ts_ns', 'ts_ticks', 'cpu', 'capture', 'event')

    def value(self, table, column):
        rng, known = self.rng, self.tables.values[table, column]
        kind = rng.random()
        if kind < 0.12 or not known:
            return rng.choice(FAR)
        value = rng.choice(known)
        if isinstance(value, int):
            if kind < 0.30:
                value += rng.choice((-1, 1, -2, 1000, -1000))
            elif kind < 0.36:
                value += rng.choice((0.5, -0.25, 0.0))
            elif kind < 0.42:
                return f"'{value}'"
            elif kind < 0.46:
                other = rng.choice(known)
                value = (value + other) // 2 if isinstance(other, int) else value
            value = min(max(value, -2 ** 63), 2 ** 63 - 1) if isinstance(value, int) else value
        elif isinstance(value, str) and kind < 0.2:
            return literal(rng.choice((value.lower(), value[:-1], value + ' ')))
        return literal(value)

    def column(self, table):
        columns = [name for name, _ in self.tables.columns[table]]
        wanted = [name for name in columns if name.endswith(self.preferred)]
        return self.rng.choice(wanted if wanted and self.rng.random() < 0.8 else columns)

    def comparison(self, table, alias):
        rng, column = self.rng, self.column(table)
        name = f'{"+" if rng.random() < 0.06 else ""}{alias}."{column}"'
        value = lambda: self.value(table, column)
        kind = rng.randrange(20)
        if kind < 7:
            return f'{name} = {value()}'
        if kind < 11:
            return f'{name} {rng.choice(("<", "<=", ">", ">="))} {value()}'
        if kind < 13:
            return f'{name} between {value()} and {value()}'
        if kind < 16:
            return f'{name} {rng.choice(("in", "in", "not in"))} ({", ".join(value() for _ in range(rng.randint(1, 5)))})'
        if kind == 16:
            return f'{name} {rng.choice(("is", "is not", "<>"))} {value()}'
        if kind == 17:
            return f'{name} = {value()} collate nocase'
        if kind == 18:
            return f'{value()} {rng.choice(("=", "<", ">="))} {name}'
        other, far = rng.choice(list(self.tables.columns)), rng.randint(1, 30)
        return (f'{name} in (select "{self.column(other)}" from {other} limit {far})' if other in self.small()
                else f'{name} like {value()}')

    def small(self):
        """Tables whose order of rows is that of the copy: a subquery with a limit has the same rows."""
        return ('captures', 'processes', 'types', 'events')

    def condition(self, table, alias, depth=0):
        rng = self.rng
        if depth > 2 or rng.random() < 0.25 * depth:
            return self.comparison(table, alias)
        word = rng.choice((' or ', ' or ', ' and '))
        text = '(' + word.join(self.condition(table, alias, depth + 1) for _ in range(rng.randint(2, 3))) + ')'
        return f'not {text}' if rng.random() < 0.1 else text

    def sums(self, table, alias, most=12):
        """Sums that show lost, added and changed rows, in any order of rows."""
        parts = ['count(*)']
        columns = self.tables.columns[table]
        for name, kind in self.rng.sample(columns, min(most, len(columns))):
            column = f'{alias}."{name}"'
            parts.append(f'count({column})')
            parts.append(f'sum(length({column}))' if kind == 'TEXT' else f'sum(cast({column} as integer) % 1000003)')
        return ', '.join(parts)

    def table(self, most=None):
        names = [name for name, count in self.tables.counts.items() if count > 0 and (most is None or count <= most)]
        return self.rng.choice(names)

    def query(self):
        rng, table = self.rng, self.table()
        where = self.condition(table, 'a')
        kind = rng.randrange(12)
        if kind < 7:
            return f'select {self.sums(table, "a")} from {table} a where {where}'
        if kind == 7:  # of all scans of a table
            return f'select count(*), count(distinct a.rowid) from {table} a where {where}'
        if kind == 8:
            columns = ', '.join(f'a."{self.column(table)}" as c{i}' for i in range(2))
            return (f'select count(*), count(c0), sum(length(c1)) from '
                    f'(select distinct {columns} from {table} a where {where})')
        if kind == 9:
            column = self.column(table)
            order = ', '.join(f'a."{c}"{rng.choice(("", " desc"))}' for c in [column, self.column(table)][:rng.randint(1, 2)])
            return (f'select group_concat(c) from (select a."{column}" as c from {table} a where {where} '
                    f'order by {order} limit {rng.randint(1, 50)})')
        if kind == 10:
            column = self.column(table)
            return (f'select count(*), sum(n * n), count(c) from (select a."{column}" as c, count(*) as n from {table} a '
                    f'where {where} group by 1)')
        return self.join(table, where)

    def join(self, table, where):
        rng = self.rng
        table = table if self.tables.counts[table] < 3000 else self.table(3000)
        other = self.table(400)
        shared = [c for c, _ in self.tables.columns[table] if c in dict(self.tables.columns[other])]
        on = f'a."{rng.choice(shared)}" = b."{rng.choice(shared)}"' if shared else self.comparison(other, 'b')
        if rng.random() < 0.5:
            on = f'({on} or {self.comparison(other, "b")})'
        word = rng.choice(('join', 'left join', 'full join' if sqlite3.sqlite_version_info >= (3, 39) else 'join'))
        return (f'select {self.sums(table, "a", 3)}, {self.sums(other, "b", 3)} from {table} a {word} {other} b on {on} '
                f'where {self.condition(table, "a", 1)} {rng.choice(("or", "and"))} {self.condition(other, "b", 1)}')


def answers(program, captures, script, texts):
    """Runs the queries in one session."""
    with open(script, 'w') as file:
        file.write(''.join(f'{text};\n' for text in texts))
    done = subprocess.run([program, 'sql', '--no-cache', '--format', 'jsonl', '-f', script, *captures],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    lines = done.stdout.decode().splitlines()
    if len(lines) != len(texts):
        print(f'{captures}: {done.stderr.decode()} {texts[len(lines)]}', file=sys.stderr)
    return [[str(value) if isinstance(value, int) else value for _, value in json.loads(line, object_pairs_hook=list)]
            for line in lines]


def main():
    program, seed, count, *captures = sys.argv[1:]
    compared = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'copy.sqlite')
        subprocess.run([program, 'sql', '--no-cache', '--to', path, *captures], check=True, stdout=subprocess.DEVNULL)
        tables = Tables(path)
        queries = Queries(tables, int(seed))
        texts = [queries.query() for _ in range(int(count))]
        for first in range(0, len(texts), SCRIPT):
            part = texts[first:first + SCRIPT]
            for text, found in zip(part, answers(program, captures, os.path.join(folder, 'script.sql'), part)):
                expected = [str(value) if isinstance(value, int) else value for value in tables.plain.execute(text).fetchone()]
                if 'a.rowid' in text:  # of two equal numbers
                    found, expected = [found[0], found[1] == found[0]], [expected[0], True]
                if found != expected:
                    print(f'seed {seed}: {captures}: {text}: expected {expected}, found {found}', file=sys.stderr)
                compared += 1
    print(compared)


main()

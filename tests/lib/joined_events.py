# SPDX-License-Identifier: Apache-2.0
"""Random filters, and keys that join events, each as a text and as a function of a line of `dump --format jsonl`.

    expression, joins = joined_events.of(events)
    text, test = expression(chance)        # matches at least one event
    options, key = joins(chance)           # --same KEY, and its value; None: the event has none
"""


def of(events):
    with_n = [e for e in events if e['n'] is not None]

    def quoted(text):
        return '"%s"' % text.replace('\\', '\\\\').replace('"', '\\"')

    def term(chance, event):
        """A filter that at least this event matches, and a function that tests events in the same way."""
        kind = chance.randrange(6)
        if kind == 0 and event['cpu'] is not None:
            return 'cpu = %d' % event['cpu'], lambda e: e['cpu'] == event['cpu']
        if kind == 1 and event['pid'] is not None:
            return 'pid = %d' % event['pid'], lambda e: e['pid'] == event['pid']
        if kind == 2:
            return 'kind = %s' % event['kind'], lambda e: e['kind'] == event['kind']
        if kind == 3:
            return 'class = %s' % quoted(event['class']), lambda e: e['class'].lower() == event['class'].lower()
        return 'event = %s' % quoted(event['event']), lambda e: e['event'].lower() == event['event'].lower()

    def expression(chance):
        event = chance.choice(with_n)
        text, test = term(chance, event)
        for _ in range(chance.choice((0, 0, 1))):
            other, test2 = term(chance, event)
            text, test = '%s and %s' % (text, other), lambda e, a=test, b=test2: a(e) and b(e)
        return text, test

    def number(value):
        """An integer whatever its notation, else the value itself."""
        try:
            return int(value, 0) if isinstance(value, str) else value
        except ValueError:
            return value

    def process(event):
        """The process: a pid that is used again is another one, and its name shows that (process/tid name)."""
        if event['pid'] is None:
            return None
        name, _, thread = event['thread'].rpartition('/')
        return event['pid'], name if thread.split(' ')[0] == str(event['tid']) else ''

    def joins(chance):
        names = sorted({name for e in with_n for name in e['args'] if '~' not in name and '.' not in name})
        what = chance.choice(['any', 'thread', 'cpu', 'process'] + ['arg'] * 2 * bool(names))
        if what == 'any':
            return [], lambda e: ()
        if what == 'arg':
            name = chance.choice(names)
            return ['--same', 'arg:' + name], lambda e: None if e['args'].get(name) is None else number(e['args'][name])
        keys = {'thread': lambda e: e['pid'] is not None and (e['pid'], e['tid'], e['thread']) or None,
                'cpu': lambda e: e['cpu'], 'process': process}
        return ['--same', what], keys[what]

    return expression, joins

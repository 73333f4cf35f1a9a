# SPDX-License-Identifier: Apache-2.0
"""The events of a CTF capture as `babeltrace2` prints them: a second implementation, which shares nothing with the
decoder. Nothing here reads the capture itself."""

import re
import subprocess

NUMBER = re.compile(r'-?(0x[0-9A-Fa-f]+|0b[01]+|0[0-7]+(?![\d.])|\d+(\.\d+)?(e[-+]?\d+)?|inf|nan)')
ESCAPE = re.compile(r'\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)', re.S)
ESCAPES = {'n': '\n', 't': '\t', 'r': '\r', 'a': '\a', 'b': '\b', 'v': '\v', 'f': '\f', 'e': '\x1b'}
SCOPES = {'stream.event.context': 'ctx.', 'event.context': 'context.', 'event.fields': ''}


class Enumeration:
    """A number with the labels of an enumeration."""

    def __init__(self, number, labels):
        self.number, self.labels = number, labels

    def __repr__(self):
        return f'{self.number} {self.labels}'


class Event:
    __slots__ = ('time', 'cpu', 'tid', 'name', 'fields')

    def __init__(self, time, cpu, name, fields):
        self.time, self.cpu, self.tid, self.name, self.fields = time, cpu, 0, name, fields

    def __getitem__(self, key):
        return self.fields[key]


def unescape(text):
    def one(match):
        code = match[1]
        if code[0] == 'x':
            return chr(int(code[1:], 16))
        return chr(int(code, 8)) if code[0].isdigit() else ESCAPES.get(code, code)
    return ESCAPE.sub(one, text)


class Parser:
    """The values of one line: numbers, "texts", ( "label" : container = number ), { name = value, ... } and
    [ [0] = value, ... ]. A structure becomes a list of (name, value), an array a list of values."""

    def __init__(self, text):
        self.text, self.at = text, 0

    def skip(self, word):
        while self.text.startswith(' ', self.at):
            self.at += 1
        if self.text.startswith(word, self.at):
            self.at += len(word)
            return True
        return False

    def string(self):
        end = self.at
        while self.text[end] != '"':
            end += 2 if self.text[end] == '\\' else 1
        text, self.at = unescape(self.text[self.at:end]), end + 1
        return text

    def number(self):
        match = NUMBER.match(self.text, self.at)
        if not match:
            raise ValueError(f'no value at {self.text[self.at:self.at + 40]!r}')
        self.at = match.end()
        text = match[0]
        if text.startswith(('0x', '-0x')):
            return int(text, 16)
        if text.startswith('0b'):
            return int(text, 2)
        if '.' in text or 'e' in text or text.endswith(('inf', 'nan')):
            return float(text)
        return int(text, 8) if re.fullmatch('0[0-7]+', text) else int(text)

    def enumeration(self):
        labels = []
        while not self.skip(': container ='):
            if self.skip('"'):
                labels.append(self.string())
            elif not self.skip(',') and not self.skip('<unknown>'):
                raise ValueError(f'no label at {self.text[self.at:self.at + 40]!r}')
        self.skip(' ')
        found = Enumeration(self.number(), labels)
        self.skip(')')
        return found

    def members(self, end):
        found = []
        while not self.skip(end):
            name = re.compile(r'[^ ={}"\[\](),]+(?= = )').match(self.text, self.at)
            index = re.compile(r'\[\d+\](?= = )').match(self.text, self.at)
            match = name or index
            if match:
                self.at = match.end()
                self.skip('=')
            found.append((name[0] if name else None, self.value()))
            self.skip(',')
            self.skip('')
        return found

    def value(self):
        if self.skip('{'):
            self.skip('')
            return self.members('}')
        if self.skip('['):
            self.skip('')
            return [('[]', [value for _, value in self.members(']')])]
        if self.skip('('):
            return self.enumeration()
        if self.skip('"'):
            return self.string()
        return self.number()


def flat(name, value, into):
    """Adds the plain values of a field: y.a of a structure, b[0] of an array, the option of a variant by its name."""
    if not isinstance(value, list):
        into[name] = value
    elif value and value[0][0] == '[]':
        for index, item in enumerate(value[0][1]):
            flat(f'{name}[{index}]', item, into)
        if not value[0][1]:
            into[name] = ''
    else:
        for member, item in value:
            flat(name if member is None else f'{name}.{member}' if name else member, item, into)


def read(path):
    """(events, what babeltrace2 wrote on standard error)"""
    done = subprocess.run(['babeltrace2', '--clock-seconds', '--no-delta', '--names=all', path],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    events = []
    for line in done.stdout.decode('utf-8', 'replace').split('\n'):
        match = re.match(r'(?:timestamp = (-?)(\d+)\.(\d{9}), )?(?:trace:\S+ = .*?, )*name = (.*?)(?:, (?=(?:stream|event)\.[a-z.]+ = \{)|,? *$)', line)
        if not match:
            continue
        sign, seconds, rest, name = match.groups()
        time = None if seconds is None else (int(seconds) * 10**9 + int(rest)) * (-1 if sign else 1)
        fields, cpu = {}, None
        parser = Parser(line[match.end():] + '\n')
        for scope, value in parser.members('\n') if match.end() < len(line) else []:
            if scope == 'stream.packet.context':
                cpu = dict(value).get('cpu_id', cpu)
            elif scope in SCOPES:
                for member, item in value:
                    flat(SCOPES[scope] + member, item, fields)
        events.append(Event(time, cpu, name, fields))
    return events, done.stderr.decode('utf-8', 'replace')

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Any bytes in an option, an argument or a configuration file: the output never
# controls a terminal. The options are those of --help, which is generated from their table.
. tests/lib/case.sh

if ! command -v python3 >/dev/null 2>&1; then
    skip "hostile options" "no python3 here"
    exit 0
fi

cat >"$WORK/hostile.py" <<'PY'
import os, re, subprocess, sys, unicodedata

program, work = os.path.abspath(sys.argv[1]), sys.argv[2]
short = os.path.join(work, 'short.kev')
os.chdir(work)

hostile = {
    'escapes': b'\x1b[31m\x1b]0;title\x07\x1b[2J\x08\x7f\r\n\t\x0e',
    'C1': b'\xc2\x9b31m\xc2\x9d0;title\xc2\x9c\x9b31m\x85',
    'no UTF-8': b'\xff\xfe\xc0\x80\xed\xa0\x80\xf4\x90\x80\x80\xe2\x80',
    'directions': '\u202etxt.\u2066\u2069\u200f\u061c\u2028\u200b\ufeff\U000e0041'.encode(),
}
bad = re.compile('[\x00-\x09\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]')

def verdict(bytes_):
    try:
        text = bytes_.decode('utf-8')
    except UnicodeDecodeError as error:
        return 'no UTF-8: %r' % bytes_[max(0, error.start - 20):error.start + 10]
    found = bad.search(text)
    if not found:
        found = next((re.search(re.escape(c), text) for c in set(text)
                      if c != '\n' and unicodedata.category(c) in ('Cc', 'Cf', 'Co', 'Cs')), None)
    return '%r' % text[max(0, found.start() - 20):found.end() + 10] if found else ''

def run(words):
    done = subprocess.run([program] + words, stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
    out = b'' if words[:1] in (['export'], ['save']) else done.stdout  # not text, and refused on a terminal
    return done.returncode, verdict(out) or verdict(done.stderr), done.stderr

kept = os.listdir('.')

def case(name, runs):
    failures, refused = [], 0
    for words in runs:
        code, wrong, err = run(words)
        refused += code == 2
        if wrong:
            failures.append('%r: %s' % (words, wrong))
        elif code not in (0, 1, 2, 3, 4):
            failures.append('%r: status %d' % (words, code))
        elif code == 2 and (err.count(b'\n') != 1 if words[:1] != ['check'] else not err):
            # check reports the errors of all rules, one per line
            failures.append('%r: %d lines' % (words, err.count(b'\n')))
    print('not ok %s: %s' % (name, failures[0]) if failures else 'ok ' + name)
    # An output would be the input of later options: a report is a script of many keys.
    for file in set(os.listdir(os.fsencode('.'))) - {os.fsencode(name) for name in kept}:
        os.remove(file)
    return refused

help_ = subprocess.run([program, '--help'], capture_output=True, check=True).stdout.decode()
commands = [''] + re.findall(r'^  tracetui ([a-z]+) ', help_, re.M)
taken = {}
for command in commands:
    text = subprocess.run([program] + ([command] if command else []) + ['--help'],
                          capture_output=True, check=True).stdout.decode()
    for name, argument in re.findall(r'^  (?:-[a-z], |    )--([a-z-]+)(?: ([A-Z]\w*))?', text, re.M):
        taken.setdefault((name, bool(argument)), []).append(command)

def words_of(command, option):
    return ([command] if command else []) + (['events'] if command == 'render' else []) + option + [short]

options = refused = 0
for (name, has_argument), where in sorted(taken.items()):
    runs = []
    for command in where:
        for bytes_ in hostile.values():
            if not has_argument:
                runs.append(words_of(command, [b'--' + name.encode() + b'=' + bytes_]))
                continue
            # Alone, after a valid value, and as a path that does not exist.
            for value in (bytes_, b'1' + bytes_, b'nowhere/' + bytes_):
                runs.append(words_of(command, [b'--' + name.encode(), value]))
    options += 1
    refused += case('--%s with hostile bytes' % name, runs)
enough = 'enough options were tried, and enough of them refused'
print('ok ' + enough if options > 25 and refused > 200 else 'not ok %s: %d, %d' % (enough, options, refused))

values = list(hostile.values())
case('unknown options', [words_of(c, [p + v]) for c in commands for v in values for p in (b'--', b'-')])
case('files that are not there', [([c] if c else []) + (['events'] if c == 'render' else []) + [v]
                                  for c in commands for v in values])
case('views that are not there', [['render', v, short] for v in values])

def file_of(name, content):
    open(name, 'wb').write(content)
    return name

case('files with such names', [[c or 'dump', file_of(b'named' + v, b'no capture')]
                               for c in commands if c != 'render' for v in values])

runs = []
for i, v in enumerate(values):
    line = v.replace(b'\n', b'').replace(b'\r', b'')
    for k, content in enumerate((line, line + b' = 1', b'[' + line + b']\na = 1', b'[settings]\n' + line + b' = on',
                                 b'[settings]\ntheme = ' + line, b'[keys]\n' + line + b' = a',
                                 b'[keys]\nquit = ' + line, b'[user]\n' + line + b' = 1', b'[x' + line + b'\n',
                                 b'Start\n' + line + b'\nEnd', b'events ' + line, b'glyph ' + line + b' = ' + line)):
        name = file_of(b'file%d-%d' % (i, k) + line, content)
        for option in ('--config', '--theme', '--script', '--names'):
            runs.append(['render', 'events', option, name, short])
    for content in (b':' + line, b':set ' + line, b':theme ' + line, b':write nowhere/' + line, b'/' + line + b'<Enter>',
                    b'f' + line + b'<Enter>', b':' + line + b'<Enter>', b':view ' + line, b':goto ' + line):
        runs.append(['render', 'events', '--script', file_of(b'script', content), short])
case('keys, sections and values of files', runs)
PY
"$TTSIM" --events 300 -o "$WORK/short.kev" || exit 2
python3 "$WORK/hostile.py" "$TRACETUI" "$WORK"

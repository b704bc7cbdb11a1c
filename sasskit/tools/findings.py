#!/usr/bin/env python3
"""Reads JSON lines of --json (sasskit/docs/json.md) from standard input. Without an argument it
prints a line per finding that no other finding explains, which is what tests compare:

    KIND RULE[, ACTUAL of EXPECTED UNIT] @ TEXT OF THE LINE

RULE is - if no cause was found. TEXT is the line of the source or of the .sass text, or the
instruction if neither is known; - for a finding about the launch. An error of the program becomes
`error KIND @ MESSAGE`. With --first FILE... it reads these files instead, and prints one line per
file: its first line of this form, or an empty line.
"""
import json
import sys


def where(place):
    if not place:
        return '-'
    source = place['source'] or place['sass']
    return (source['text'] or '').strip() if source else place['instruction']


def heads(lines, notes=False):
    return [
        line for line in lines if line['type'] == 'report' and not line['caused_by'] and
        (notes or line['severity'] != 'note')
    ]


def comparable(lines):
    for line in lines:
        if line['type'] == 'error':
            yield f"error {line['kind']} @ {line['message']}"
    for found in heads(lines, notes=True):
        kind = found['kind'] if found[
            'severity'] == 'error' else found['severity'] + ' ' + found['kind']
        rule = found['cause']['rule'] if found['cause'] else '-'
        values = ''
        if found['expected'] and found['actual']:
            expected = found['expected']
            values = f", {found['actual']['value']} of {expected['value']} {expected['unit']}"
        yield f'{kind} {rule}{values} @ {where(found["place"])}'


def compare(lines):
    for finding in comparable(lines):
        print(finding)


def read(stream):
    lines = [json.loads(line) for line in stream]
    assert all(line['schema'] == 1 for line in lines)
    return lines


def main():
    if sys.argv[1:2] == ['--first']:
        for path in sys.argv[2:]:
            with open(path, encoding='utf-8') as stream:
                print(next(comparable(read(stream)), ''))
    else:
        compare(read(sys.stdin))


main()

"""Runs gnuplot on a script of plots/, and makes its SVG files smaller."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

from figures.command import Failure, PROJECT
from figures.script import text_of

PLOTS = os.path.join(PROJECT, 'plots')
# The group that gnuplot begins before most parts of a drawing.
PLAIN = b'<g fill="none" color="black" stroke="currentColor" stroke-width="1.20">'


class Folder:
    """A temporary folder with the scripts and their data; gnuplot runs in it, so that no path is
    part of a command."""

    def __init__(self):
        self.path = tempfile.mkdtemp()
        for name in os.listdir(PLOTS):
            if name.endswith('.gp'):
                shutil.copy(os.path.join(PLOTS, name), self.path)
        self.write('facts.gp', [])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)

    def write(self, name, rows, separator=','):
        """Writes a file of the folder, one row per line."""
        with open(os.path.join(self.path, name), 'w', encoding='utf-8', errors='surrogateescape',
                  newline='\n') as file:
            file.writelines(separator.join(map(text_of, row)) + '\n' for row in rows)

    def plot(self, form, script, settings=''):
        """Returns the chart that a script draws, as bytes; form: svg or png."""
        chart = os.path.join(self.path, 'chart')
        if os.path.exists(chart):
            os.unlink(chart)
        run = subprocess.run(['gnuplot', '-e', f"format = '{form}'; {settings}", script],
                             cwd=self.path, stdin=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, check=False)
        if run.returncode:
            said = run.stderr.decode('utf-8', 'replace').split('\n')
            print('\n'.join(line for line in said if line.strip() and 'warning:' not in line),
                  file=sys.stderr)
            raise Failure(f'gnuplot failed on plots/{script}', 1)
        drawn = b''
        if os.path.exists(chart):
            with open(chart, 'rb') as file:
                drawn = file.read()
        if form == 'svg':
            drawn = slim(drawn)
        if b'</svg>' not in drawn[-20:] and b'IEND' not in drawn[-20:]:
            raise Failure(f"gnuplot wrote no whole chart of plots/{script}: is there space in "
                          f"'{tempfile.gettempdir()}'?", 1)
        return drawn


def format_of(target):
    """Returns the format of a picture by its name, svg or png. Requires that its folder exists."""
    form = target.rpartition('.')[2]
    if form not in ('svg', 'png'):
        raise Failure(f"'{target}': the name of the picture ends in .svg or .png")
    folder = os.path.dirname(target) or '.'
    if not os.path.isdir(folder):
        raise Failure(f"no folder '{folder}' for the picture")
    return form


def text_setting(name, text):
    """Returns a line of gnuplot that sets a variable to a text. The text is escaped for the
    enhanced mode, and stands in single quotes, in which gnuplot expands nothing."""
    escaped = re.sub(r'[\\{}^_@&~]', r'\\\g<0>', text.replace('\n', ' ')).replace("'", "''")
    return f"{name} = '{escaped}'"


def plain_setting(name, text):
    """Returns a line of gnuplot that sets a variable to a text or to a list of words. Nothing is
    escaped, so the chart must show the text without the enhanced mode."""
    text = text.replace("'", "''")
    return f"{name} = '{text}'"


def hoisted(lines):
    """Returns the lines of an SVG; the canvas's first plain group goes on to the canvas's end, and
    further ones are left out unless they are inside groups with other attributes."""
    kept, opened, begun = [], [], False  # opened: first lines of the open groups
    for line in lines:
        group = opened.pop() if line == b'</g>' else line
        is_inside = any(not one.startswith(b'<g id=') for one in opened)
        if group != PLAIN or is_inside:
            if begun and line == b'</g>' and not opened:
                kept.append(line)
            kept.append(line)
        elif not begun and len(opened) == 1:
            kept.append(line)
            begun = True
        if line.startswith(b'<g'):
            opened.append(line)
    return kept


def joined(lines):
    """Returns the lines of an SVG; neighbouring groups with the same first line are merged."""
    kept, opened = [], []  # opened: first lines of the open groups
    closed = None  # first line of the group that the previous line closed
    for line in lines:
        if line.startswith(b'<g') and line == closed:
            kept.pop()
        else:
            kept.append(line)
        if line.startswith(b'<g'):
            opened.append(line)
        closed = opened.pop() if line == b'</g>' else None
    return kept


def boxes(lines):
    """Returns the lines of an SVG with neighbouring rectangles of one color and height as one
    path: a stroke as wide as they are high."""
    kept, before = [], None
    for line in lines:
        box = re.fullmatch(rb"<polygon fill = '([^']*)' points = '([^, ]+),([^, ]+) ([^, ]+),\3 "
                           rb"\4,([^, ]+) \2,\5 '/>", line)
        if not box:
            before = None
        else:
            ink = box.group(1)
            left, low, right, high = map(float, box.groups()[1:])
            thick = abs(low - high)
            shape = b'M%g,%gh%g' % tuple(round(number, 1) for number in
                                         (left, (low + high) / 2, right - left))
            if before and ink == before[0] and abs(thick - before[1]) < .15:
                kept[-1] = kept[-1].replace(b"'/>", shape + b"'/>")
                continue
            before = ink, thick
            line = b"<path stroke='%s' stroke-width='%g' d='%s'/>" % (ink, round(thick, 1), shape)
        kept.append(line)
    return kept


def path(line):
    """Returns a path of gnuplot's without blanks and needless zeros; a line along an axis becomes
    H or V."""
    at = ()

    def step(found):
        nonlocal at
        letter, *here = found.groups()
        before, at = at, here
        if letter == b'L' and here[0] == before[0]:
            return b'V' + here[1]
        if letter == b'L' and here[1] == before[1]:
            return b'H' + here[0]
        return letter + b','.join(here)

    line = re.sub(rb'(\.[0-9]*?)0+(?=[, ])', lambda digits: digits.group(1).rstrip(b'.'), line)
    return re.sub(rb' *([ML])([-0-9.]+),([-0-9.]+) *', step, line)


def slim(svg):
    """Returns gnuplot's SVG made smaller. Removes groups and paths that draw nothing, repeated
    groups, groups of one text, attributes with SVG's default values, the font of each text except
    the first, blanks at the ends of lines, the second decimal of polygons, titles that only number
    a plot, and definitions that nothing uses."""
    svg = re.sub(rb"<filter id='([a-z]+)'.*?</filter>\s*",
                 lambda found: found.group() if b'url(#' + found.group(1) in svg else b'', svg,
                 flags=re.S)
    svg = re.sub(rb'<desc>.*?</desc>\s*|<title>[Gg]nuplot[_a-z0-9]*</title>\s*', b'', svg)
    svg = re.sub(rb'(font-size="[0-9]+)\.00" +', rb'\1" ', svg)
    svg = svg.replace(b' stroke-linecap="butt" stroke-linejoin="miter"', b'')
    svg = re.sub(rb'rgb\( *([0-9]+), *([0-9]+), *([0-9]+)\)',
                 lambda color: b'#%02x%02x%02x' % tuple(map(int, color.groups())), svg)
    svg = re.sub(rb"<path stroke='[^']*' +d='M[-0-9., ]+'/>\s*", b'', svg)
    svg = re.sub(rb'[ \t]*\n[ \t]*|(?<=>)[ \t]*(?=</?g)', b'\n', svg)
    svg = re.sub(rb'<g fill="none"[^>]*>\n</g>\n', b'', svg)
    font = re.search(rb' font-family="[^"]*"', svg)
    if font:  # sets the font once, for the whole chart
        svg = svg.replace(font.group(), b'').replace(b'<g id="gnuplot_canvas">',
                                                     b'<g id="gnuplot_canvas"' +
                                                     font.group() + b'>')
    svg = re.sub(rb'<tspan[^>]*></tspan>', b'', svg)
    svg = re.sub(rb'<text><tspan *>([^<]*)</tspan></text>', rb'<text>\1</text>', svg)
    svg = svg.replace(b' text-anchor="start"', b'')
    svg = re.sub(rb'<g (transform=[^>]*)>\n<text>(.*)</text>\n</g>', rb'<text \1>\2</text>', svg)
    svg = re.sub(rb'<text transform="translate\(([-0-9.]*),([-0-9.]*)\)"',
                 rb'<text x="\1" y="\2"', svg)
    lines = [re.sub(rb'([0-9]\.[0-9])[0-9]([, ])', rb'\1\2', line) if line.startswith(b'<polygon')
             else path(line) if re.match(rb"<path [^>]* d='M[^a-z']*'/>", line)
             else line for line in svg.split(b'\n')]
    lines = boxes(joined(hoisted(lines)))
    kept, shown = [], set()
    for line in reversed(lines):  # backwards: uses come before their definition
        definition = re.search(rb'id=.(gp[A-Za-z]+[0-9]*)', line)
        if definition and definition.group(1) not in shown:
            continue
        shown.update(re.findall(rb'#(gp[A-Za-z]+[0-9]*)', line))
        if line:
            kept.append(line)
    svg = b'\n'.join(reversed(kept)) + b'\n'
    svg = re.sub(rb"<g stroke='none' (shape-rendering='crispEdges')>\n<path (stroke=.*)\n</g>",
                 rb'<path \1 \2', svg)
    return re.sub(rb'<defs>\s*</defs>\s*', b'', svg)

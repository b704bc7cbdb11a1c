"""What a marker in a page asks, and what the database answers.

    table: NAME ARGUMENTS   the view table_NAME; the arguments are compared with its first columns,
                            whose names are in capitals
    value: WHAT             one figure; the kinds of WHAT are the functions of VALUES
"""


from figures import script
from figures.cells import is_argument

METRICS_OF_RUNS = ('ms_median', 'ms_compute', 'ms_travel', 'tflops')
EXPECTED = ('METRIC STEP VARIANT SIZE [sustained|sim], ratio STEP VARIANT STEP VARIANT SIZE, lint '
            'METRIC STEP VARIANT, '
            'strassen METRIC STEP VARIANT SIZE [sustained], order VARIANT PARTS SIZE, machine '
            'GROUP WHAT VARIANT, '
            'traffic|clusters|gpus_safe METRIC VARIANT GPUS SIZE, '
            'timeline VARIANT GPUS SIZE NUMBER [predicted], peak or peak_fp64')


class Wrong(Exception):
    """The marker asks for something that cannot be answered; the text says why."""


class Answer:
    """One figure: its value as text, '' if it was not measured, and the format in which it is
    shown.

    doubt says why no page may state the figure, for example that cuBLAS was unusually slow or fast
    in that run.
    """

    def __init__(self, row=None, doubt=''):
        self.value, self.format = row or ('', '')
        self.doubt = doubt


class Answers:
    """Answers markers from the database, and keeps each answer."""

    def __init__(self, data):
        self.data = data
        self.steps = {}
        for name, step in data.execute('select name, step from named_step'):
            self.steps.setdefault(name, step)
        self.last = dict(data.execute("select step, variant from last_variant "
                                      "where source = 'times'"))
        self.known = {}
        for step, variant in data.execute('select step, variant from known_variant'):
            self.known.setdefault(step, set()).add(variant)
        self.measured_elsewhere = set(data.execute('select distinct step, variant '
                                                   'from reference_results'))
        self.tables = {}
        views = data.execute("select name, substr(name, 7) from sqlite_master where type = 'view' "
                             "and name glob 'table_*' order by name").fetchall()
        for view, name in views:
            columns = [column for column, in data.execute('select name from pragma_table_info(?)',
                                                          (view,))]
            self.tables[name] = [column for column in columns if is_argument(column)]
        self.values, self.rows = {}, {}

    def step(self, name):
        """Returns the folder name of a step that is given by name or number."""
        return self.steps.get(name, name)

    def variant(self, step, name):
        """Returns the name of a step's variant, which may be given as `last`."""
        return self.last.get(self.step(step)) if name == 'last' else name

    def check_variant(self, step, variant):
        """Raises Wrong for a misspelt variant: the step was measured, but no variant of this name,
        neither here nor on the H200."""
        step = self.step(step)
        if variant == 'last' or step == 'cublas' or step not in self.known:
            return
        if variant not in self.known[step] and (step, variant) not in self.measured_elsewhere:
            raise Wrong(f'no variant "{variant}" of {step} in the results')

    def first(self, statement, **values):
        """Returns the first row of a query as text, or None."""
        row = self.data.execute(statement, values).fetchone()
        return row and tuple(script.text_of(value) for value in row)

    # --- tables

    def table(self, text):
        """Returns the headings and the rows of the table that a marker names."""
        if text not in self.rows:
            self.rows[text] = self.ask_table(text)
        return self.rows[text]

    def ask_table(self, text):
        words = text.split()
        two = '_'.join(words[:2])  # the longer name wins: machine_banks, then machine
        name, given = ((two, words[2:]) if len(words) > 1 and two in self.tables
                       else (words[0] if words else '', words[1:]))
        if name not in self.tables or len(given) > len(self.tables[name]):
            raise Wrong(f'unknown table "{text}"; expected '
                        f'{", ".join(map(self.usage, self.tables))}')
        wanted = self.tables[name]
        given += [None] * (len(wanted) - len(given))
        self.data.execute('delete from asked_list')
        conditions, values = [], []
        for column, value in zip(wanted, given):
            if value is None and not column.startswith('['):
                raise Wrong(f'table "{text}"; expected {self.usage(name)}')
            if value and ',' in value:
                self.data.execute('insert into asked_list values (?)', (value,))
            conditions.append(f'"{column}" is ?')
            values.append(self.step(value) if column == 'STEP' and value else value)
        where = f' where {" and ".join(conditions)}' if conditions else ''
        return script.table(self.data, f'select * from table_{name}{where}', values)

    def usage(self, name):
        return ' '.join([name, *self.tables[name]])

    # --- values

    def value(self, text):
        """Returns the Answer to a value marker; raises Wrong."""
        if text not in self.values:
            try:
                self.values[text] = self.ask_value(text)
            except Wrong as wrong:
                self.values[text] = wrong
        if isinstance(self.values[text], Wrong):
            raise self.values[text]
        return self.values[text]

    def ask_value(self, text):
        words = text.split()
        ask, fewest, most = VALUES.get(words[0] if words else '', (figure, 4, 5))
        if not fewest <= len(words) <= most:
            raise Wrong(f'unknown value "{text}"; expected {EXPECTED}')
        answer = ask(self, words)
        if answer is None:
            raise Wrong(f'unknown value "{text}"; expected {EXPECTED}')
        return answer if isinstance(answer, Answer) else Answer(answer)


# --- the kinds of values: each function takes the words of a marker. It returns a row (value,
# format), () if nothing was measured, an Answer, or None if the words are not what it expects

FIGURE = ('from value where name = :name and step = :step and variant = :variant '
          'and shape = :shape and mode = :mode')


def one_figure(answers, name, step, variant, shape, mode='burst'):
    return answers.first(f'select value, format {FIGURE}', name=name, step=answers.step(step),
                         variant=answers.variant(step, variant),
                         shape=shape, mode=mode) or ()


def figure(answers, words):
    name, step, variant, shape = words[:4]
    mode = words[4] if len(words) > 4 else 'burst'
    answers.check_variant(step, variant)
    return one_figure(answers, name, step, variant, shape, mode)


def times_cublas(answers, words):
    _, step, variant, shape = words[:4]
    mode = words[4] if len(words) > 4 else 'burst'
    stray = answers.first('select 1 from timed where cublas_stray and step = :step '
                          'and variant = :variant and shape = :shape and mode = :mode',
                          step=answers.step(step), variant=answers.variant(step, variant),
                          shape=shape, mode=mode)
    return Answer(figure(answers, words),
                  f'cuBLAS was not itself in the run of {step} {variant} at {shape}'
                  if stray else '')


def ratio(answers, words):
    _, step, variant, other_step, other_variant, shape = words
    if (step == 'cublas') != (other_step == 'cublas'):
        raise Wrong(f'"{" ".join(words)}": beside cuBLAS the ratio is that of one run: vs_cublas '
                    'STEP VARIANT SIZE')
    answers.check_variant(step, variant)
    answers.check_variant(other_step, other_variant)
    return answers.first(
        f'select a.value / b.value, \'2\' from (select value {FIGURE}) as a, '
        '(select value '
        f'{FIGURE.replace(":step", ":other_step").replace(":variant", ":other_variant")}) as b',
        name='tflops', step=answers.step(step), variant=answers.variant(step, variant),
        other_step=answers.step(other_step),
        other_variant=answers.variant(other_step, other_variant), shape=shape, mode='burst') or ()


def machine(answers, words):
    return answers.first("select value, 'three' from probe where rtrim('machine ' || \"group\" || "
                         "' ' || what || ' ' || variant) = :text",
                         text=' '.join(words)) or ()


def lint(answers, words):
    _, name, step, variant = words
    return answers.first('select value, format from lint_value where name = :name and step = :step '
                         'and variant = :variant', name=name,
                         step=answers.step(step), variant=variant) or ()


def order(answers, words):
    _, variant, parts, shape = words
    return answers.first("select 1000 * ms_median, '1' from order_times where variant = :variant "
                         "and parts = :parts and shape = :shape "
                         'order by rowid desc', variant=variant, parts=parts, shape=shape) or ()


def strassen(answers, words):
    _, name, step, variant, shape = words[:5]
    return answers.first("select value, format from strassen_value where name = :name "
                         "and step glob :step || '*' and variant = :variant "
                         'and shape = :shape and mode = :mode', name=name, step=step,
                         variant=variant, shape=shape,
                         mode=words[5] if len(words) > 5 else 'burst') or ()


# Selects a run of step 14 with M = N = K.
SEVERAL = 'variant = :variant and gpus = :gpus and m = n and k = n and n = :size'


def several_gpus(answers, words):
    table, metric, variant, gpus, size = words
    if metric not in METRICS_OF_RUNS:
        return None
    default = '' if table == 'gpus_safe' else "and backend = 'gpu' and leave = 4"
    return answers.first(f"select {metric}, 'three' from {table} where {SEVERAL} {default} "
                         "order by rowid desc", variant=variant, gpus=gpus,
                         size=size) or ()


def timeline(answers, words):
    _, variant, gpus, size, number = words[:5]
    if words[5:] not in ([], ['predicted']):
        return None
    return answers.first(f"select end_ms - start_ms, 'three' from timeline where {SEVERAL} "
                         "and rank = 0 and number = :number "
                         'and backend = :backend order by rowid desc', variant=variant, gpus=gpus,
                         size=size, number=number,
                         backend='predicted' if words[5:] else 'gpu') or ()


def peak(answers, words):
    return (answers.first("select tflops, '1' from peak where fp64 = :fp64",
                          fp64=words == ['peak_fp64']) or ())


# The function for each first word of a marker, with the least and the largest number of words. Any
# other first word is the name of a figure.
VALUES = {
    'machine': (machine, 3, 99), 'lint': (lint, 4, 4), 'traffic': (several_gpus, 5, 5),
    'clusters': (several_gpus, 5, 5),
    'gpus_safe': (several_gpus, 5, 5), 'timeline': (timeline, 5, 6),
    'strassen': (strassen, 5, 6), 'order': (order, 4, 4),
    'peak': (peak, 1, 1), 'peak_fp64': (peak, 1, 1), 'vs_cublas': (times_cublas, 4, 5),
    'ratio': (ratio, 6, 6)}

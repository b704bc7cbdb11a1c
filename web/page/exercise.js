// The box of an exercise, in the order of the work: fields for the prediction, an editor for the
// kernel, a verdict beside each field. The kernel's requests are drawn only after a check of
// complete predictions, so they do not give the answer away. The hints below the box appear one
// after another.
import { button, el, later } from './dom.js';
import { clean, lineAt, visible } from './text.js';
import { asJson, decoded, find, has, isOff } from './programs.js';
import { ofType, reason, records, textOf } from './programs.js';
import { read, write } from './keep.js';
import { judge } from './judge.js';
import { fieldsOf, pointerAt, written } from './reading.js';
import { settingsOf } from './rules.js';
import { requestOf } from './explain.js';
import { figure, requestPicture } from './draw.js';
import { cards } from './cards.js';
import { inAssembly, lineOfPlace, placesOf } from './report.js';
import { addEditor, editorOf, markLine, onCtrlEnter, scrollToLine } from './area.js';
import { withRemedy } from './editing.js';

/** Returns the page's hints in order, and last the answer. */
const hintsOf = () =>
  /** @type {HTMLDetailsElement[]} */ ([...document.querySelectorAll('main details')]).filter(one =>
    /^(Hint|The answer)/.test(one.querySelector('summary')?.textContent || ''),
  );
/** Returns the link to an exercise's rule, in its task or its lesson's section; null if none. */
function ruleLink() {
  const rule = [...document.querySelectorAll('main > p')].find(one =>
    /^The rule: /.test(one.textContent || ''),
  );
  if (rule) {
    rule.id = 'rule';
    return el('a', { href: '#rule', textContent: 'the task' });
  }
  const lesson = [...document.querySelectorAll('main > p')].find(one =>
      /^Lesson: /.test(one.textContent || ''),
    ),
    link = /** @type {HTMLAnchorElement|null|undefined} */ (lesson?.querySelector('a'));
  if (!link) return null;
  const href = /\/\d\d_\w+\.html$/.test(link.href) ? `${link.href}#the-idea` : link.href,
    section = href.split('#')[1]?.replace(/-/g, ' ').replace(/^./, letter => letter.toUpperCase());
  return el('a', {
    href,
    textContent: `lesson ${link.textContent}${section ? `, “${section}”` : ''}`,
  });
}

/**
 * Returns the links on from a solved exercise; two if a lesson follows.
 * @param {HTMLAnchorElement} next
 */
function waysOn({ href, textContent: words }) {
  const step = /^step (\d+) (.*)/.exec(words || ''),
    textContent = step ? `Step ${step[1]}: ${step[2]}` : `Next: ${words}`,
    more = el('a', { href: '#others', textContent: 'more exercises of this lesson' });
  return [el('a', { className: 'button primary', href, textContent }), ...(step ? [more] : [])];
}

/**
 * Draws a request. The heading names the pointer that is read or written, if the text tells it.
 * @param {string} instruction
 * @param {string} text the kernel
 * @param {number} address of the instruction
 * @param {string} csv of `simrun --picture`
 */
function pictureOf(instruction, text, address, csv) {
  const pointer = pointerAt(text, lineAt(text, address)),
    [, kind, space] = /\b(LD|ST)([GS])/.exec(instruction) || [],
    [act, to] = kind === 'LD' ? ['Load', 'from'] : ['Store', 'to'],
    shared = space === 'S' ? `${act} ${to} shared memory` : '',
    where = pointer ? `${act} ${kind === 'LD' ? 'of' : to} ${pointer}` : shared,
    boxes = shared ? [] : ['Each box is a sector of 32 bytes.'],
    made = figure(where || instruction, requestPicture(requestOf(csv)), ...boxes);
  if (where)
    made.querySelector('.title')?.append(' ', el('code', { textContent: instruction }));
  return made;
}

class Exercise {
  /**
   * @param {HTMLElement} box
   * @param {string} folder
   * @param {{wishes: string, prediction: string, source: string|undefined}} given
   */
  constructor(box, folder, given) {
    this.box = box;
    this.folder = folder;
    this.given = given;
    this.key = `exercise ${folder}`;
    const settings = given.source === undefined ? settingsOf(given.wishes) : [];
    this.fields = [
      ...settings.map(({ name }) => ({ name, label: `${name}, in kernel.cu`, unit: '' })),
      ...fieldsOf(given.prediction),
    ];
    /** @type {object|null} */
    this.checking = null;
    // checked: true if complete predictions were checked; opened: the number of hints seen
    this.kept = {
      prediction: given.prediction,
      source: given.source,
      solved: false,
      checked: false,
      opened: 0,
      ...read(this.key),
    };
    this.inputs = this.fields.map(({ name, label }) =>
      el('input', {
        name,
        autocomplete: 'off',
        size: 9,
        ariaLabel: label || name,
        value: written(name, this.kept.prediction),
        oninput: () => this.edited(),
      }),
    );
    this.source =
      given.source === undefined
        ? null
        : el('textarea', {
            className: 'code',
            spellcheck: false,
            ariaLabel: 'kernel.sass',
            value: this.kept.source,
          });
    this.list = el('ul', { className: 'verdict' });
    this.below = el('div', { className: 'reports' });
    this.hints = hintsOf();
    this.drawn = el('div', { className: 'live' });
    this.redraw = later(500, () => this.picture());
    this.stop = button('Stop', () => Engine.stop(box));
    this.stop.hidden = true;
    onCtrlEnter(box, () => this.check());
    this.render();
  }

  get prediction() {
    return this.fields.map(({ name }, i) => `${name} = ${this.inputs[i].value.trim()}`).join('\n');
  }

  /** Returns the rows of the fields, and keeps their marks. */
  rows() {
    const marks = (this.marks = this.fields.map(() => el('span', { className: 'mark' })));
    return this.fields.flatMap(({ name, label, unit }, i) => {
      // Fields of one question have its words in common, up to a colon.
      const [, common = '', own = label] = /^(.*?): (.*)$/.exec(label) || [],
        group = this.fields.filter(one => one.label.startsWith(`${common}: `)),
        shared = common !== '' && group.length > 1,
        words = (shared ? own : label) || name;
      const row = el('div', { className: 'field' },
        el('label', {}, el('span', { textContent: words }), this.inputs[i]),
        el('span', { className: 'unit', textContent: unit }),
        marks[i],
      );
      return shared && group[0].name === name
        ? [el('p', { className: 'common', textContent: common }), row]
        : [row];
    });
  }
  render() {
    const { box, source } = this,
      own = settingsOf(this.given.wishes).length && !source,
      asked = own ? 'Your numbers' : 'Your prediction';
    box.replaceChildren(
      el('h2', { textContent: source ? `1. ${asked}` : asked }),
      el('div', { className: 'fields' }, ...this.rows()),
      ...(source ? [el('h2', { textContent: '2. Your kernel' }), source] : []),
      ...(box.dataset.needs
        ? [
            el('p', { className: 'needs' },
              `Here the page checks your ${asked.slice(5)} and shows why. The code is written in `,
              `a terminal, with ${box.dataset.needs === 'cc' ? 'a C compiler' : 'nvcc'}: `,
              el('code', { textContent: `make exercise EX=${box.dataset.ex}` }),
            ),
          ]
        : []),
      el('p', { className: 'row' },
        button('Check', () => this.check(), 'primary'),
        button('Start over', () => this.again()),
        this.stop,
      ),
      el('div', { role: 'status' }, this.list, this.below),
      this.drawn,
    );
    this.hints.forEach((hint, i) =>
      hint.querySelector('summary')?.addEventListener('click', () => {
        this.kept.opened = Math.max(this.kept.opened, i + 1);
        this.keep();
        this.showHints();
      }),
    );
    this.showHints();
    if (source) {
      source.oninput = () => this.edited();
      addEditor(source);
      this.redraw();
    }
    if (this.kept.solved) this.success(true);
    addEventListener('storage', event => this.another(event));
  }
  /** Stores what the reader wrote, for the next visit. */
  keep(solved = false) {
    this.kept.prediction = this.prediction;
    this.kept.source = this.source?.value;
    this.kept.solved ||= solved;
    write(this.key, this.kept);
  }
  /**
   * Takes over what the reader writes in another tab.
   * @param {StorageEvent} event
   */
  another({ key, newValue }) {
    if (key !== this.key || !newValue) return;
    const { source, prediction } = JSON.parse(newValue),
      same = this.prediction === prediction && (!this.source || this.source.value === source);
    if (same) return;
    this.kept = { ...this.kept, ...JSON.parse(newValue) };
    this.fields.forEach(({ name }, i) => {
      this.inputs[i].value = written(name, prediction);
    });
    if (this.source && this.source.value !== source) {
      this.source.value = source;
      this.source.oninput?.(new Event('input'));
    }
    this.edited();
  }
  /** Called after each edit: removes the verdict, because it is about the text before. */
  edited() {
    if (this.checking || this.box.dataset.verdict)
      this.list.replaceChildren(
        el('li', { textContent: 'edited: Check looks at it as it is now' }),
      );
    if (this.checking) Engine.stop(this.box);
    this.checking = null;
    this.stop.hidden = true;
    delete this.box.dataset.verdict;
    this.clearMarks();
    this.keep();
    if (this.source) this.redraw();
  }
  /** Shows the hints that were opened and the next one; the answer, too, if that is known. */
  showHints() {
    const { opened, solved } = this.kept;
    this.hints.forEach((hint, i) => {
      hint.hidden = i > opened && !(solved && i === this.hints.length - 1);
    });
  }
  clearMarks() {
    this.below.replaceChildren();
    document.getElementById('missing')?.remove();
    for (const input of this.inputs) input.removeAttribute('aria-describedby');
    this.marks?.forEach(mark => Object.assign(mark, { textContent: '', className: 'mark' }));
    if (this.source) editorOf(this.source)?.note([]);
  }
  again() {
    this.kept.checked = false;
    for (const input of this.inputs) input.value = '';
    if (this.source) {
      this.source.value = this.given.source || '';
      this.source.oninput?.(new Event('input'));
    }
    this.edited();
    this.list.replaceChildren();
  }

  /**
   * Draws the first requests of the kernel as it is now, once complete predictions were checked or
   * the reader asks for it. A text that does not assemble leaves the drawing as it is.
   */
  async picture() {
    const { given, source, drawn } = this,
      text = source?.value || '',
      rows = given.wishes.split('\n').map(line => line.split('|')),
      options = rows.find(([kind]) => kind === 'simrun')?.[1].split(' ');
    if (!options || !source) return;
    if (!this.kept.checked && !this.kept.solved)
      return void drawn.replaceChildren(
        el('p', { className: 'row soft' },
          'After a check of all predictions, its requests are drawn here as you edit. ',
          button('Draw them now', () => {
            this.kept.checked = true;
            this.keep();
            void this.picture();
          }),
        ),
      );
    /** @param {string[]} words @param {Run['files']} files */
    const run = async (words, files, file = '') =>
      decoded((await Engine.run(words, files, { wanted: [file], owner: drawn })).files[file]);
    const flags = rows.flatMap(([kind, words]) => (kind === 'flags' ? words.split(' ') : [])),
      made = await Engine.run(
        ['sass', 'asm', 'kernel.sass', ...flags, '-o', 'mine.cubin'],
        { 'kernel.sass': visible(text) },
        { wanted: ['mine.cubin'], owner: drawn },
      ),
      files = { 'mine.cubin': made.files['mine.cubin'] };
    if (made.status) return;
    const simrun = ['simrun', 'mine.cubin', ...options],
      per = [...simrun, '--per-line', ...asJson('simrun', 'r.json')],
      all = ofType(records(await run(per, files, 'r.json')), 'line').filter(
        ({ requests }) => requests,
      );
    const of = (/** @type {RegExp} */ wanted) =>
        all.filter(({ place }) => wanted.test(place.instruction)).slice(0, 4),
      loads = of(/^(@\S+ )?LD[GS]\b/),
      lines = loads.length ? loads : of(/^(@\S+ )?ST[GS]\b/);
    const pictures = await Promise.all(
      lines.map(async ({ place }) => {
        const at = place.address.toString(16),
          csv = await run([...simrun, '--picture', at, '--picture-file', 'p.csv'], files, 'p.csv');
        return csv
          ? [pictureOf(place.instruction.replace(/ ;$/, ''), text, place.address, csv)]
          : [];
      }),
    );
    drawn.replaceChildren(...pictures.flat());
  }
  /** Judges what the reader wrote, and shows the verdict. */
  async check() {
    if (this.checking) return;
    const { box, given, folder, source } = this,
      mine = (this.checking = {});
    this.clearMarks();
    this.stop.hidden = false;
    this.list.replaceChildren(el('li', { textContent: 'checking …' }));
    delete box.dataset.verdict;
    /** @type {import('./feedback.js').Line[]} */
    const lines = await judge(
      {
        wishes: given.wishes,
        key: () => textOf(`${folder}key.sass`),
        id: folder.split('/')[1],
        told: this.kept.solved || this.kept.opened >= this.hints.length,
      },
      this.prediction,
      source ? source.value : undefined,
      box,
    ).catch(run => [
      {
        right: false,
        words: `Nothing was found out: ${isOff(run) || run.err ? reason(run) : clean(String(run))}`,
      },
    ]);
    if (this.checking !== mine) return; // the reader has edited the text in the meantime
    this.checking = null;
    this.stop.hidden = true;
    const solved = lines.every(({ right }) => right);
    this.tell(lines);
    this.kept.checked ||= this.inputs.every(({ value }) => value.trim());
    this.keep(solved);
    if (source) this.redraw();
    box.dataset.verdict = solved ? 'solved' : 'not yet';
    if (!solved) return this.help(lines);
    dispatchEvent(new Event('progress'));
    this.success(false);
  }
  /**
   * Shows a verdict: a list, marks at the fields, and reports.
   * @param {import('./feedback.js').Line[]} lines
   */
  tell(lines) {
    const missing = lines.filter(line => line.empty);
    // The index of a prediction; that of lines about the kernel is behind them.
    const fieldOf = (/** @type {string|undefined} */ name) =>
      [...this.fields.map(one => one.name), name].indexOf(name);
    const items = lines
      .filter(line => !line.empty)
      .sort((a, b) => fieldOf(a.field) - fieldOf(b.field))
      .map(({ right, words, field }) => {
        const mark = this.marks?.[fieldOf(field)],
          className = right ? 'good' : 'bad',
          sign = right ? '✓' : '✗',
          textContent = `${right ? 'right' : 'not yet'}: ${words}`;
        if (mark) Object.assign(mark, { textContent: sign, className: `mark ${className}` });
        return el('li', { className, textContent });
      });
    this.list.replaceChildren(...items);
    const { source } = this,
      first = Math.min(...missing.map(({ field }) => fieldOf(field))),
      found = lines
        .flatMap(({ reports = [] }) => reports)
        .map(record => (source ? withRemedy(record, source.value) : record));
    // A prediction may need the kernel's report, which comes first.
    if (missing.length && !found.length) this.ask(first, missing[0].words, missing.length);
    const lineOf = (/** @type {Place} */ place) =>
      place.line ? place.line - 1 : lineOfPlace(place, source?.value || '', lineAt);
    const show = source
      ? async (/** @type {Place[]} */ places) => {
          await addEditor(source);
          editorOf(source)?.light(places.map(lineOf));
          markLine(source, lineOf(places[0]));
        }
      : undefined;
    // The reader writes machine code here, so reports quote its lines instead of lines of CUDA.
    const sourceText = (/** @type {Place} */ place) =>
      source?.value.split('\n')[lineOf(place)] ?? null;
    this.below.replaceChildren(
      ...cards(found.map(inAssembly), {
        ...(source ? { show, sourceText } : {}),
        folded: true,
      }),
    );
    if (!source || !found.length) return;
    this.below.scrollIntoView({ block: 'nearest' });
    const noted = found.flatMap(({ type, line, message, ...record }) => {
      const at = type === 'error' ? (line ? [line - 1] : []) : placesOf(record).map(lineOf);
      return at.map(one => /** @type {[number, string]} */ ([one, message]));
    });
    addEditor(source).then(() => {
      editorOf(source)?.note(noted);
      if (noted.length) scrollToLine(source, Math.max(0, noted[0][0] - 3));
    });
  }
  /**
   * Asks for a missing prediction: below its field, which gets the focus.
   * @param {number} at the field's index
   * @param {string} words
   * @param {number} count of fields that are empty
   */
  ask(at, words, count) {
    const some = count < this.fields.length,
      which = some ? ` ${count} ${count === 1 ? 'field is' : 'fields are'} empty.` : '',
      input = this.inputs[at];
    if (!input) return void this.list.prepend(el('li', { textContent: words }));
    input.setAttribute('aria-describedby', 'missing');
    this.marks?.[at].after(el('p', { id: 'missing', textContent: words + which }));
    input.focus();
  }
  /**
   * Puts ways on below a verdict: the lesson's section if a prediction is wrong, and the next hint.
   * @param {import('./feedback.js').Line[]} lines
   */
  help(lines) {
    const wrong = lines.some(({ right, empty, field }) => !right && !empty && field),
      link = wrong && ruleLink(),
      hint = this.hints.find(one => !one.hidden && !one.open);
    const name = hint?.querySelector('summary')?.textContent || '',
      show = button(`Show ${name.replace(/^./, letter => letter.toLowerCase())}`, () => {
        hint?.querySelector('summary')?.click();
        hint?.scrollIntoView({ block: 'nearest' });
        show.remove();
      });
    this.below.append(
      el('p', { className: 'row' },
        ...(link ? [el('span', {}, 'The rule is in ', link, '.')] : []),
        ...(hint ? [show] : []),
      ),
    );
  }
  /** Returns what is solved and open in the lesson, as the page itself shows it. */
  place() {
    const solved = document.querySelector('#others small')?.textContent,
      lesson = /** @type {HTMLElement|null} */ (document.querySelector('.steps [aria-current]')),
      state = lesson ? `; the lesson is ${lesson.title}` : '';
    return el('p', { className: 'soft', textContent: `${solved} exercises solved here${state}.` });
  }
  /**
   * Shows that the exercise is solved.
   * @param {boolean} before true if in an earlier visit
   */
  success(before) {
    const next = /** @type {HTMLAnchorElement|null} */ (document.querySelector('.pager .next')),
      answer = this.hints.at(-1),
      compiled = !this.source && this.box.dataset.needs;
    this.showHints();
    // The answer without the key, which follows under a heading, and without where to read on.
    const why = [];
    for (const part of answer?.children || [])
      if (part.tagName === 'H2' && why.length) break;
      else if (!/^(SUMMARY|H2)$/.test(part.tagName) && !/^Read on/.test(part.textContent || ''))
        why.push(part.cloneNode(true));
    const open = () => {
      if (!answer) return;
      answer.open = true;
      answer.scrollIntoView({ behavior: 'smooth' });
    };
    const made = el('div', { className: 'success' },
      el('h2', { textContent: '✓ Solved!' }),
      this.place(),
      ...why,
      ...(compiled ? [el('p', { className: 'soft' }, 'Its code is still to write.')] : []),
      el('p', { className: 'row' },
        ...(next ? waysOn(next) : []),
        ...(answer ? [button('Compare with the key', open)] : []),
      ),
    );
    this.below.replaceChildren(made);
    if (!before) made.scrollIntoView({ block: 'nearest' });
  }
}

/** @param {HTMLElement} box */
export async function openExercise(box) {
  const wishes = find(new RegExp(`^exercises/${box.dataset.ex}_[^/]*/wishes$`));
  if (!wishes) return void (box.dataset.ready = 'absent');
  const folder = wishes.replace('wishes', ''),
    given = {
      wishes: await textOf(wishes),
      prediction: await textOf(`${folder}prediction`),
      source: has(`${folder}kernel.sass`) ? await textOf(`${folder}kernel.sass`) : undefined,
    };
  new Exercise(box, folder, given);
  box.dataset.ready = 'yes';
}

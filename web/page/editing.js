// The pane of a box in which the reader edits machine code. It opens at the main loop, lints during
// typing, and lists the edits, each of which can be undone.
import { button, details, el, intoView, later } from './dom.js';
import {
  foreignLetter,
  lineAt,
  isInstruction,
  loopsOf,
  packText,
  visible,
  MOST_PACKED,
  MOST_TEXT,
} from './text.js';
import { asJson, decoded, ofType, reason, records } from './programs.js';
import { lineOfPlace, ofEdits, placesOf, ranked, reportsOf } from './report.js';
import { compared, edits, followed, takenBack } from './diff.js';
import * as Lines from './lines.js';
import { addEditor, editorOf, mark, markLine, scrollToLine } from './area.js';
import { cardOf, cards, codesOf } from './cards.js';

/** @typedef {import('./kernel.js').Kernel} Kernel */

/**
 * Returns a record of the assembler, with a remedy if the error is a known mistake.
 * @param {Report} record
 * @param {string} text the whole machine code
 * @returns {Report}
 */
export function withRemedy(record, text) {
  if (record.remedy || record.kind !== 'syntax' || !record.line) return record;
  const line = text.split('\n')[record.line - 1] || '';
  const remedy = remedyOf(line, record.column || 1);
  return remedy ? { ...record, text: line, remedy } : { ...record, text: record.text || line };
}
/**
 * Returns what to do about a line that does not assemble; '' if that is unknown.
 * @param {string} line
 * @param {number} column of the error, from 1
 */
function remedyOf(line, column) {
  const foreign = foreignLetter(line);
  if (foreign)
    return (
      `'${foreign.letter}' is not a letter of ASCII, though it may look like one: type ` +
      'it again.'
    );
  const [, uniform, number] = /^(U?)R(\d+)/.exec(line.slice(column - 1)) || [];
  const most = uniform ? 62 : 254;
  return Number(number) > most
    ? `Registers are ${uniform}R0 to ${uniform}R${most}, and ${uniform}RZ.`
    : '';
}

const MOST_UNDOS = 5; // most edits that have a button of their own above the editor

/**
 * @typedef {object} Owner what the pane calls in its box
 * @property {() => void} run runs the box's kernels
 * @property {(words: string[], files: Files, wanted?: string[]) => Promise<Run>} sass
 *   runs the program `sass`
 * @property {(kernel: Kernel) => Promise<string[]|null>} code returns the source line of each
 *   instruction
 * @property {(kernel: Kernel, addresses: string[]) => Promise<number>} reached returns the index of
 *   the first of the addresses to which a warp comes
 * @property {(kernel: Kernel, text: string|null) => void} changed called after each edit; null: all
 *   edits are undone
 * @property {(what: string, bad?: boolean) => void} say shows a message
 * @property {() => void} linted called after each lint
 */

export class EditorPane {
  /**
   * @param {HTMLElement} place
   * @param {Owner} box
   */
  constructor(place, box) {
    this.place = place;
    this.box = box;
    /** @type {Kernel|null} */
    this.kernel = null;
    /** @type {HTMLTextAreaElement|null} */
    this.area = null;
    /** @type {[number, string][]} lines (from 0) and messages of the last run's reports */
    this.ran = [];
    this.loop = 0; // index of the main loop among loopsOf()
    /** @type {Set<string>} reports of a run of this text (cardOf), which lint does not repeat */
    this.told = new Set();
  }

  /** Forgets the reports of the last run. */
  forget() {
    this.ran = [];
    this.told.clear();
  }
  isOf(/** @type {Kernel} */ kernel) {
    return this.kernel === kernel;
  }
  close() {
    this.kernel = null;
  }

  /**
   * Opens a kernel in the pane. If it is open already, only focuses the editor.
   * @param {Kernel} kernel
   */
  async open(kernel) {
    if (this.kernel === kernel && this.area) return void (editorOf(this.area) || this.area).focus();
    const { sass, say } = this.box,
      given = await kernel.disassembled(sass);
    if (kernel.text === null && given.status)
      return void say(`Nothing can be edited now: ${reason(given)}.`, true);
    if (this.kernel === kernel) return;
    this.kernel = kernel;
    this.forget();
    this.loop = 0;
    const area = el('textarea', {
      className: 'code',
      spellcheck: false,
      ariaLabel: 'machine code',
      value: kernel.text ?? given.out,
    });
    this.area = area;
    this.lint = el('div', { className: 'lint', role: 'status' });
    this.changed = el('div', { className: 'changed' });
    const source = el('p', { className: 'help' }),
      slot = el('div', { className: 'source-slot' });
    this.look = later(150, () => this.examine(kernel, area));
    const assemble = () => {
      this.forget();
      this.box.changed(kernel, visible(area.value));
      this.look?.();
    };
    area.oninput = assemble;
    const loops = loopsOf(area.value);
    Lines.away();
    this.place.replaceChildren(
      el(
        'p',
        { className: 'title' },
        'The machine code of ',
        el('code', { textContent: kernel.variant }),
      ),
      el(
        'p',
        { className: 'row' },
        this.breaker(area),
        button('Undo all', () => this.undoAll()),
        button('Link to this kernel', () => this.link(kernel, area.value)),
        ...(loops.length ? [button('To the main loop', () => this.toLoop())] : []),
      ),
      this.changed,
      el('div', { className: 'beside' }, el('div', {}, area), slot),
      source,
      this.lint,
    );
    this.showChanges(kernel, area);
    Lines.beside(slot, kernel.step);
    if (kernel.text !== null) this.look();
    await addEditor(area, this.beside(kernel, area, source));
    this.tint?.(); // the source lines may have been known before the editor was there
    this.showChanges(kernel, area);
    if (kernel.text === null) await this.toReached(kernel, area, loops);
  }
  /**
   * Opens at the loop with the most arithmetic among those to which a warp comes.
   * @param {Kernel} kernel
   * @param {HTMLTextAreaElement} area
   * @param {{first: number}[]} loops
   */
  async toReached(kernel, area, loops) {
    const lines = area.value.split('\n'),
      addresses = loops.map(({ first }) =>
        (16 * lines.slice(0, first).filter(isInstruction).length).toString(16),
      );
    this.loop = loops.length > 1 ? await this.box.reached(kernel, addresses) : 0;
    if (this.area === area && kernel.text === null) this.toLoop();
  }

  /**
   * Scrolls to the editor. Focuses it, too, except on touch screens, whose keyboard would cover it.
   */
  bring() {
    intoView(this.place);
    if (this.area && !matchMedia('(pointer: coarse)').matches)
      (editorOf(this.area) || this.area).focus();
  }
  /**
   * Opens a kernel that does not assemble, with the errors and the faulty line in view.
   * @param {Kernel} kernel
   * @param {Report} slip the assembler's record
   */
  async refused(kernel, slip) {
    await this.open(kernel);
    if (!this.area) return;
    await this.examine(kernel, this.area);
    this.gather(slip);
    const first = this.lint?.firstElementChild;
    if (first) intoView(first);
  }

  toLoop() {
    const area = this.area,
      loop = area && loopsOf(area.value)[this.loop];
    if (!area || !loop) return;
    editorOf(area)?.fold(loop.first, loop.last);
    scrollToLine(area, loop.first);
  }

  /**
   * Returns a button that breaks the kernel: it removes a barrier. If there is none, it removes the
   * wait of an FFMA, which then reads an operand too early.
   * @param {HTMLTextAreaElement} area
   */
  breaker(area) {
    const barrier = /BAR\.SYNC[^;]*;/,
      waiting = /^[0-9a-f]{2}(?=:.*FFMA)/m;
    const [at, put, label] = barrier.test(area.value)
      ? [barrier, 'NOP ;', 'Remove a barrier']
      : [waiting, '--', 'Remove a wait'];
    const broken = button(String(label), () => {
      const place = area.value.search(at);
      area.value = area.value.replace(at, String(put));
      area.oninput?.(new Event('input'));
      mark(area, place, place + String(put).length);
      broken.disabled = !(/** @type {RegExp} */ (at).test(area.value));
    });
    broken.disabled = !(/** @type {RegExp} */ (at).test(area.value));
    return broken;
  }

  undoAll() {
    const kernel = this.kernel;
    if (!kernel) return;
    this.box.changed(kernel, null);
    this.close();
    this.open(kernel);
  }

  /**
   * Puts the kernel's text into the page's address.
   * @param {Kernel} kernel
   * @param {string} text
   */
  async link(kernel, text) {
    const packed = text.length > MOST_TEXT ? '' : await packText(text);
    if (!packed || packed.length > MOST_PACKED)
      return void this.box.say(
        'It is too long for a link: shorten it, or send it as a file.',
        true,
      );
    history.replaceState(null, '', `#kernel=${kernel.variant}.${packed}`);
    this.box.say(
      'The address of this page now has the kernel in it: copy it to show it to somebody.',
    );
  }

  /**
   * Returns the line of a place in the text, from 1; 0: unknown.
   * @param {Place} place
   */
  lineOf(place) {
    return this.area ? lineOfPlace(place, this.area.value, lineAt) + 1 : 0;
  }
  /**
   * Returns the reader's edits for a card, each with a function that undoes it. If there are more
   * than three, returns one entry that undoes all.
   * @param {Kernel} kernel
   */
  undoes(kernel) {
    const area = this.area;
    if (!area || this.kernel !== kernel || kernel.given === undefined || kernel.text === null)
      return [];
    const all = edits(compared(kernel.given, area.value));
    return all.length > 3
      ? [{ line: 0, edit: null, label: `Undo all ${all.length} edits`, act: () => this.undoAll() }]
      : all.map(edit => ({
          line: edit.line + 1,
          edit: { ...edit, line: edit.line + 1 },
          label:
            `Put back line ${edit.line + 1}` +
            (edit.before.length ? `: ${codesOf(edit)[0].slice(0, 48)}` : ''),
          act: () => {
            area.value = takenBack(area.value, edit);
            area.oninput?.(new Event('input'));
            markLine(area, edit.line);
          },
        }));
  }

  /**
   * Returns the reports; where an edit of the reader explains one, it is its cause.
   * @param {Report[]} found
   * @param {{edit: import('./edits.js').Edit|null}[]} undo
   */
  blamed(found, undo) {
    const changed = undo.flatMap(({ edit }) => (edit ? [edit] : []));
    return ofEdits(found, changed, place => this.lineOf(place));
  }

  /**
   * Assembles and lints the text. Shows the reports, the loops and the edits.
   * @param {Kernel} kernel
   * @param {HTMLTextAreaElement} area
   */
  async examine(kernel, area) {
    const { sass, linted } = this.box,
      { files, slip, said, records: slips } = await kernel.assembled(sass),
      lint = /** @type {HTMLElement} */ (this.lint);
    let found = [],
      loops = '';
    if (slip) found = reportsOf(slips);
    else {
      const run = await sass(['lint', kernel.path, ...asJson('sass', 'r.json')], files, ['r.json']),
        all = records(decoded(run.files['r.json']));
      found = reportsOf(all).filter(record => record.severity !== 'note');
      loops = ofType(all, 'loop')
        .map(
          loop =>
            `loop 0x${loop.first.toString(16)}: ${loop.instructions} instructions, ` +
            `${loop.ffma || loop.dfma} FMA, ${loop.bank_conflicts} bank-conflict cycles`,
        )
        .join('\n');
    }
    if (kernel !== this.kernel) return;
    lint.dataset.found = String(slip ? Math.max(1, found.length) : found.length);
    const undo = this.undoes(kernel),
      remedied = found.map(record => withRemedy(record, area.value)),
      shown = this.blamed(remedied, undo),
      fresh = shown.filter(record => !this.told.has(cardOf(record)));
    lint.replaceChildren(
      ...(shown.length
        ? cards(fresh, { show: places => this.show(places), undo })
        : slip
          ? [el('pre', { className: 'bad', textContent: said })]
          : this.told.size
            ? []
            : [
                el(
                  'p',
                  { className: 'row fine' },
                  'It assembles, and no register is used too early. ',
                  ...(kernel.edited ? [button('Run it', () => this.box.run(), 'primary')] : []),
                ),
              ]),
      ...(loops
        ? [
            details(
              'Its loops, read from the code',
              el('pre', { className: 'listing', tabIndex: 0, textContent: loops }),
            ),
          ]
        : []),
    );
    this.note(shown, true);
    this.showChanges(kernel, area);
    linted();
  }

  /**
   * Shows how the text differs from the compiled kernel: the number of lines, a button that takes
   * each edit back, and the lines; in the editor also marks in the margin.
   * @param {Kernel} kernel
   * @param {HTMLTextAreaElement} area
   */
  showChanges(kernel, area) {
    const lines =
        kernel.given !== undefined && kernel.text !== null
          ? compared(kernel.given, area.value)
          : [],
      all = edits(lines),
      differing = all.reduce(
        (sum, { before, after }) => sum + Math.max(before.length, after.length),
        0,
      );
    const undo = all.slice(0, MOST_UNDOS).map(edit => {
      const one = button(`↶ line ${edit.line + 1}`, () => {
        area.value = takenBack(area.value, edit);
        area.oninput?.(new Event('input'));
        markLine(area, edit.line);
      });
      one.ariaLabel = `Put back line ${edit.line + 1}`;
      one.dataset.tip = edit.before.length ? `was: ${edit.before.join(' ')}` : 'is new';
      return one;
    });
    const signed = lines
      .filter(([sign]) => sign !== ' ')
      .map(([sign, line]) =>
        el('span', { className: sign === '+' ? 'good' : 'bad', textContent: `${sign} ${line}\n` }),
      );
    const open = this.changed?.querySelector('details')?.open || false,
      text = el('pre', { className: 'listing', tabIndex: 0 }, ...signed),
      list = details('What is changed', text);
    list.open = open;
    this.changed?.replaceChildren(
      el(
        'p',
        { className: 'row' },
        differing
          ? el('b', { textContent: `Changed: ${differing} line${differing === 1 ? '' : 's'}` })
          : el('span', { className: 'soft', textContent: 'Unchanged: the kernel as compiled' }),
        ...undo,
        ...(all.length > undo.length ? [`and ${all.length - undo.length} more edits`] : []),
      ),
      ...(differing ? [list] : []),
    );
    editorOf(area)?.changed(all);
  }

  /**
   * Marks the lines that reports name. Lint's marks are added to those of the last run or check.
   * @param {Report[]} found
   * @param {boolean} [byLint] true if the reports are lint's
   */
  note(found, byLint = false) {
    const area = this.area;
    if (!area) return;
    /** @type {[number, string][]} */
    const lines = ranked(found)
      .flatMap(({ record, rest }) => [record, ...rest])
      .flatMap(record =>
        record.type === 'error'
          ? record.line
            ? [/** @type {[number, string]} */ ([record.line - 1, record.message])]
            : []
          : placesOf(record).map(
              place =>
                /** @type {[number, string]} */ ([
                  lineOfPlace(place, area.value, lineAt),
                  record.message,
                ]),
            ),
      );
    if (!byLint) {
      this.ran = lines;
      this.lint?.querySelector('.fine')?.remove();
      this.told = new Set(found.map(cardOf));
      for (const of of this.told) this.lint?.querySelector(`.card[data-of="${of}"]`)?.remove();
      this.gather(ranked(found)[0]?.record);
    }
    editorOf(area)?.note(byLint ? [...this.ran, ...lines] : lines);
    area.dataset.noted = [
      ...new Set([...this.ran, ...lines].map(([line]) => line).filter(line => line >= 0)),
    ]
      .sort((a, b) => a - b)
      .join(' ');
  }

  /**
   * Shows the reader's edits and the places of a report in the editor. Scrolls, without the page,
   * to the edit that caused the report; if that is unknown, to the first place or else edit.
   * @param {Report} record
   */
  gather(record) {
    const area = this.area;
    if (!area || !this.kernel || !record || (record.type === 'error' && !record.line)) return;
    const places =
        record.type === 'error'
          ? [Number(record.line) - 1]
          : placesOf(record).map(place => lineOfPlace(place, area.value, lineAt)),
      edited = this.undoes(this.kernel).map(({ line }) => line - 1),
      blamed = record.edit ? [record.edit.line - 1] : [],
      lines = [...blamed, ...places, ...edited].filter(line => line >= 0);
    if (!lines.length) return;
    const editor = editorOf(area);
    if (edited.length && !places.length) editor?.light(edited.filter(line => line >= 0));
    if (editor) editor.gather(lines);
    else scrollToLine(area, lines[0]);
  }

  /**
   * Highlights places in the text, and scrolls to the first.
   * @param {Place[]} places
   */
  show(places) {
    const area = this.area;
    if (!area) return;
    const lines = places
      .map(place => (place.line ? place.line - 1 : lineOfPlace(place, area.value, lineAt)))
      .filter(line => line >= 0);
    if (!lines.length) return;
    editorOf(area)?.unfold();
    editorOf(area)?.light(lines);
    markLine(area, lines[0]);
  }

  /**
   * Connects the editor with the page's kernel.cu: a line of one highlights its lines in the other.
   * Returns the function to call when the cursor moves to another line.
   * @param {Kernel} kernel
   * @param {HTMLTextAreaElement} area
   * @param {HTMLElement} source shows the source line of the cursor's instruction
   */
  beside(kernel, area, source) {
    /** @type {string|null} */
    let text = null;
    /** @type {string[]} */
    let places = [];
    const now = () => {
      // `places` has the source line of each line of `text`.
      if (text !== area.value && kernel.given !== undefined && kernel.places)
        [text, places] = [area.value, followed(compared(kernel.given, area.value), kernel.places)];
      return places.map(place => Lines.lineOf(kernel.step, place));
    };
    const view = {
      box: area,
      lines: now,
      light: (/** @type {number} */ line) =>
        editorOf(area)?.light(
          now()
            .map((one, i) => (line && one === line ? i : -1))
            .filter(i => i >= 0),
          'linked',
        ),
      go: (/** @type {number} */ line) => {
        if (now().includes(line)) {
          editorOf(area)?.unfold();
          markLine(area, now().indexOf(line));
        }
      },
    };
    this.tint = () => editorOf(area)?.tint(now());
    this.box.code(kernel).then(found => {
      kernel.places = found;
      Lines.view(view);
      this.tint?.();
    });
    return (/** @type {number} */ at) => {
      Lines.show(now()[at] || 0);
      source.replaceChildren(...Lines.described(kernel.step, places[at] || ''));
    };
  }
}

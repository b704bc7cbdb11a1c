// The pane of a box in which the reader edits machine code. It opens at the main loop, lints during
// typing, and lists the edits, each of which can be undone.
import { button, coded, details, el, intoView, later } from './dom.js';
import {
  foreignLetter,
  lineAt,
  isInstruction,
  loopsOf,
  number,
  packText,
  visible,
  MOST_PACKED,
  MOST_TEXT,
} from './text.js';
import { asJson, decoded, reason, records } from './programs.js';
import { inEditor, inWords, lineOfPlace, ofEdits, placesOf, ranked, reportsOf } from './report.js';
import { compared, edits, followed, takenBack } from './diff.js';
import * as Lines from './lines.js';
import { firstEdits } from './edits.js';
import { addEditor, editorOf, markLine, scrollToLine } from './area.js';
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
  const remedy = remedyOf(line, record.column || 1, record.message);
  return remedy ? { ...record, text: line, remedy } : { ...record, text: record.text || line };
}
/**
 * Returns what to do about a line that does not assemble; '' if that is unknown.
 * @param {string} line
 * @param {number} column of the error, from 1
 * @param {string} message
 */
function remedyOf(line, column, message) {
  const foreign = foreignLetter(line);
  if (foreign)
    return (
      `'${foreign.letter}' is not a letter of ASCII, though it may look like one: type ` +
      'it again.'
    );
  const [, uniform, number] = /^(U?)R(\d+)/.exec(line.slice(column - 1)) || [];
  const most = Number(/beyond the kernel's (\d+)/.exec(message)?.[1] || (uniform ? 63 : 255)) - 1;
  if (Number(number) > most)
    return `use a register from ${uniform}R0 to ${uniform}R${most}, or ${uniform}RZ`;
  return column <= line.search(/\s[A-Z@]/)
    ? 'write waits, read scoreboard, write scoreboard, yield and stall, as in `02:-:3:Y:4`'
    : '';
}

/**
 * Says what taking an edit back does.
 * @param {import('./edits.js').Edit} edit its line is from 0
 */
function undoOf({ line, before, after }) {
  const lines = Math.max(before.length, after.length);
  return (
    (before.length ? 'Put back ' : 'Take out ') +
    (lines > 1 ? `${number(lines)} lines from line ${line + 1} on` : `line ${line + 1}`)
  );
}
const MOST_UNDOS = 5; // most edits that have a button of their own above the editor

export class EditorPane {
  /**
   * @param {HTMLElement} place
   * @param {import('./box.js').Box} box
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
    this.loop = -1; // index of the main loop among loopsOf(); -1: not known yet
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
    const given = await kernel.disassembled(this.box.sass);
    if (kernel.text === null && given.status)
      return void this.box.say(`Nothing can be edited now: ${reason(given)}.`, true);
    if (this.kernel === kernel) return;
    this.kernel = kernel;
    this.forget();
    this.loop = -1;
    const area = el('textarea', {
      className: 'code',
      spellcheck: false,
      ariaLabel: 'machine code',
      value: kernel.text ?? given.out,
    });
    this.area = area;
    this.lint = el('div', { className: 'lint', role: 'status' });
    this.changed = el('div', { className: 'changed' });
    this.guide = el('div', { className: 'guide' });
    const source = el('p', { className: 'help' }),
      slot = el('div', { className: 'source-slot' });
    this.look = later(150, () => this.examine(kernel, area));
    area.oninput = () => {
      this.forget();
      this.box.change(kernel, visible(area.value));
      this.look?.();
    };
    Lines.away();
    this.place.replaceChildren(
      el('p', { className: 'title' }, ...coded(`The machine code of \`${kernel.variant}\``)),
      el(
        'p',
        { className: 'row' },
        button('Undo all', () => this.undoAll()),
        button('Link to this kernel', () => this.link(kernel, area.value)),
        button('To the main loop', () => this.toLoop()),
      ),
      this.guide,
      this.changed,
      el(
        'div',
        { className: 'beside' },
        el('div', {}, area, source),
        el('div', { className: 'messages' }, this.box.reports, this.lint, slot),
      ),
    );
    this.showChanges(kernel, area);
    Lines.beside(slot, kernel.step);
    if (kernel.text !== null) this.look();
    await addEditor(area, this.beside(kernel, area, source));
    this.tint?.(); // the source lines may have been known before the editor was there
    this.showChanges(kernel, area);
    await this.toReached(kernel, area);
  }
  /**
   * Finds the loop with the most arithmetic among those to which a warp comes. A kernel as compiled
   * opens at it.
   * @param {Kernel} kernel
   * @param {HTMLTextAreaElement} area
   */
  async toReached(kernel, area) {
    const lines = String(kernel.given).split('\n'),
      addresses = loopsOf(String(kernel.given)).map(({ first }) =>
        (16 * lines.slice(0, first).filter(isInstruction).length).toString(16),
      );
    this.loop = addresses.length > 1 ? await this.box.reached(kernel, addresses) : 0;
    if (this.area !== area) return;
    this.showChanges(kernel, area);
    if (kernel.text === null) this.toLoop();
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
   * Says what the main loop has, with a button for each of the first edits.
   * @param {string} given the kernel as compiled
   * @param {HTMLTextAreaElement} area
   */
  suggest(given, area) {
    const loop = loopsOf(area.value)[this.loop],
      lines = area.value.split('\n').slice(loop?.first, loop && loop.last + 1),
      has = ['FFMA', 'DFMA', 'HMMA', 'HGMMA', 'LDS', 'LDG'].flatMap(opcode => {
        const { length } = lines.filter(line => RegExp(` ${opcode}\\b`).test(line));
        return length ? `${length} ${opcode}` : [];
      });
    const said = loop
      ? `The main loop is lines ${loop.first + 1} to ${loop.last + 1}: ` +
        `${lines.filter(isInstruction).length} instructions, among them ${has.join(', ')}. ` +
        'Click a line to read what it does, or begin with an edit:'
      : '';
    const buttons = firstEdits(given).map(({ label, act }) =>
      button(label, () => this.put(area, act(area.value, loopsOf(area.value)[this.loop]))),
    );
    this.guide?.replaceChildren(said, el('p', { className: 'row' }, ...buttons));
  }
  /**
   * Puts another text into the editor, and marks its first change.
   * @param {HTMLTextAreaElement} area
   * @param {string} text
   */
  put(area, text) {
    const [edit] = edits(compared(area.value, text));
    if (!edit) return;
    area.value = text;
    area.oninput?.(new Event('input'));
    markLine(area, edit.line);
  }

  undoAll() {
    const kernel = this.kernel;
    if (!kernel) return;
    this.box.change(kernel, null);
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
   * Returns the lines that a report names, from 0; -1: unknown.
   * @param {Report} record
   */
  linesOf(record) {
    return record.type === 'error'
      ? [(record.line || 0) - 1]
      : placesOf(record).map(place => this.lineOf(place) - 1);
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
    const all = edits(compared(kernel.given, area.value)),
      numbered = all.map(edit => ({ ...edit, line: edit.line + 1 }));
    return all.length > 3
      ? [
          {
            line: 0,
            edits: numbered,
            label: `Undo all ${all.length} edits`,
            act: () => this.undoAll(),
          },
        ]
      : all.map((edit, i) => ({
          line: edit.line + 1,
          edits: [numbered[i]],
          label:
            undoOf(edit) + (edit.before.length === 1 ? `: ${codesOf(edit)[0].slice(0, 48)}` : ''),
          act: () => this.put(area, takenBack(area.value, edit)),
        }));
  }

  /**
   * Returns the reports; where an edit of the reader explains one, it is its cause.
   * @param {Report[]} found
   * @param {{edits: import('./edits.js').Edit[]}[]} undo
   */
  blamed(found, undo) {
    return ofEdits(
      found,
      undo.flatMap(one => one.edits),
      place => this.lineOf(place),
    );
  }

  /**
   * Assembles and lints the text. Shows the reports and the edits.
   * @param {Kernel} kernel
   * @param {HTMLTextAreaElement} area
   */
  async examine(kernel, area) {
    const { sass, box: { dataset } } = this.box,
      { files, slip, said, records: slips } = await kernel.assembled(sass),
      lint = /** @type {HTMLElement} */ (this.lint);
    let found = reportsOf(slips);
    if (!slip) {
      const run = await sass(['lint', kernel.path, ...asJson('sass', 'r.json')], files, ['r.json']);
      found = reportsOf(records(decoded(run.files['r.json']))).filter(
        ({ severity }) => severity !== 'note',
      );
    }
    if (kernel !== this.kernel) return;
    lint.dataset.found = String(slip ? Math.max(1, found.length) : found.length);
    const undo = this.undoes(kernel),
      worded = inWords(found.map(record => withRemedy(record, area.value))).map(record =>
        inEditor(record, place => this.lineOf(place), area.value),
      ),
      shown = this.blamed(worded, undo),
      fresh = shown.filter(record => !this.told.has(cardOf(record)));
    lint.replaceChildren(...cards(fresh, { show: places => this.show(places), undo }));
    if (slip && !shown.length) lint.append(el('pre', { className: 'bad', textContent: said }));
    if (!slip && !shown.length && !this.told.size)
      lint.append(
        el(
          'p',
          { className: 'row fine' },
          'It assembles, and no register is used too early. ',
          ...(kernel.edited ? [button('Run it', () => this.box.run(), 'primary')] : []),
        ),
      );
    this.note(shown, true);
    this.showChanges(kernel, area);
    dataset.linted = String(Number(dataset.linted || 0) + 1);
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
    const undo = all.slice(0, MOST_UNDOS).map(edit =>
      el('button', {
        type: 'button',
        textContent: `↶ line ${edit.line + 1}`,
        ariaLabel: undoOf(edit),
        data: { tip: edit.before.length ? `was: ${edit.before.join(' ')}` : 'is new' },
        onclick: () => this.put(area, takenBack(area.value, edit)),
      }),
    );
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
    if (kernel.given !== undefined) this.suggest(kernel.given, area);
  }

  /**
   * Marks the lines that reports name. Lint's marks are added to those of the last run or check.
   * @param {Report[]} found
   * @param {boolean} [byLint] true if the reports are lint's
   */
  note(found, byLint = false) {
    const area = this.area;
    if (!area) return;
    const lines = ranked(found)
      .flatMap(({ record, rest }) => [record, ...rest])
      .flatMap(one =>
        this.linesOf(one).map(line => /** @type {[number, string]} */ ([line, one.message])),
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
    if (!area || !this.kernel || !record) return;
    const places = this.linesOf(record),
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
      .map(place => (place.line || this.lineOf(place)) - 1)
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
    this.box.codeOf(kernel).then(found => {
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

// Says why a kernel is still right though an edit took away a control field, a barrier or a reuse
// flag. `sass lint --was` finds what makes a control field unnecessary.
import { asJson, decoded, ofType, records } from './programs.js';
import { compared, edits } from './diff.js';
import { controlsOf, effectOf } from './edits.js';
import { inEditor, inWords } from './report.js';
import { isInstruction, lineAt, number } from './text.js';

/** @typedef {(words: string[], files: Files, wanted?: string[]) => Promise<Run>} Sass */

const MOST = 3; // edits that are explained

/**
 * Returns the address of a line of machine code, in hexadecimal.
 * @param {string} text
 * @param {number} line from 0
 */
const addressOf = (text, line) =>
  `0x${(16 * text.split('\n').slice(0, line).filter(isInstruction).length).toString(16)}`;

/**
 * Returns an edit that replaces lines by as many as an edit for each line that differs.
 * @param {import('./edits.js').Edit} edit
 */
const lineByLine = edit =>
  edit.before.length === edit.after.length
    ? edit.after.flatMap((after, i) => {
        const before = edit.before[i];
        return before === after ? [] : [{ line: edit.line + i, before: [before], after: [after] }];
      })
    : [edit];

/**
 * Says why a weaker control field was enough.
 * @param {number} line from 1
 * @param {Report[]} found lint's reports
 * @param {string} text the edited kernel
 */
export function controlSpared(line, found, text) {
  const said = inWords(found).map(
      record => inEditor(record, ({ address }) => lineAt(text, address) + 1, text).message,
    ),
    of = (/** @type {string} */ kind) => said.filter((_, i) => found[i].kind === kind),
    enough = of('enough'),
    [hazard] = of('hazard'),
    known = enough.filter(one => !one.startsWith('needed'));
  if (hazard)
    return (
      `This run did not need what you took from line ${line}, but another may: ${hazard} ` +
      '(found by lint).'
    );
  if (known.length) return `The edit of line ${line} does no harm: ${known.join('; ')}.`;
  return enough.length
    ? `This run did not need what you took from line ${line}: no register was used too early. ` +
        `It is ${enough.join(', and ')}.`
    : '';
}

/**
 * Says why the other kinds of edits did no harm, from the number of warps per block and lint's
 * register-bank conflicts in the loops, before and after.
 * @param {{kind: string, line: number}} edit
 * @param {{warps: number, conflicts: number[]}} facts
 * @returns {string}
 */
export function otherSpared({ kind, line }, { warps, conflicts: [before, after] }) {
  if (kind === 'reuse')
    return (
      'A reuse flag saves a read of a register bank and never changes a result. ' +
      (before === after
        ? `No operand waits longer for its bank: lint counts ${number(after)} conflict cycles in ` +
          'the loops, as before.'
        : `Lint counts ${number(after)} bank-conflict cycles in the loops, and before it was ` +
          `${number(before)}.`)
    );
  if (kind === 'wait')
    return `This run did not need the wait of line ${line}: nothing was used before it was there.`;
  if (kind !== 'barrier') return '';
  return warps === 1
    ? `A block has one warp here, so there is no other one to wait for in line ${line}.`
    : `This run did not need the barrier of line ${line}: the simulator compared all accesses to ` +
        'shared memory, and no warp read what another one stores, or stored what another one ' +
        'reads, without another barrier in between. Where one does, it is needed.';
}

/**
 * Returns why an edited kernel with a right result needs nothing of what its edits took away.
 * @param {import('./running.js').At} at
 * @param {Sass} sass
 * @param {() => Promise<number>} warps returns the number of warps per block
 */
export async function spared({ kernel, files }, sass, warps) {
  const { given = '', path, original } = kernel,
    text = kernel.text || '',
    all = edits(compared(given, text))
      .flatMap(lineByLine)
      .map(edit => ({ ...edit, ...effectOf(edit) })),
    lint = async (/** @type {Files} */ of, /** @type {string[]} */ words) =>
      records(
        decoded(
          (await sass(['lint', path, ...words, ...asJson('sass', 'r.json')], of, ['r.json'])).files[
            'r.json'
          ],
        ),
      ),
    conflicts = async (/** @type {Files} */ of) =>
      ofType(await lint(of, []), 'loop').reduce((sum, loop) => sum + loop.bank_conflicts, 0);
  /** @type {Set<string>} */
  const said = new Set();
  if (/^\s*\.(for|if|macro)/m.test(text)) return [];
  for (const edit of all.slice(0, MOST)) {
    const controls = controlsOf(edit),
      line = edit.line + 1;
    if (controls) {
      const [was, is] = controls,
        words = ['--was', `${addressOf(text, edit.line)}=${was}`],
        [hint, same] = [was, is].map(one => one.replace(/[Y-](?=:.$)/, ''));
      if (was === is) continue; // a comment
      if (hint === same)
        said.add('The yield field is a hint to the scheduler: it changes no result.');
      said.add(controlSpared(line, ofType(await lint(files, words), 'report'), text));
    } else if (/^(reuse|wait|barrier)$/.test(edit.kind)) {
      const counts =
        edit.kind === 'reuse'
          ? [await conflicts({ [path]: original }), await conflicts(files)]
          : [];
      said.add(otherSpared({ ...edit, line }, { warps: await warps(), conflicts: counts }));
    }
  }
  return [...said].filter(Boolean);
}

// A kernel of a lesson: as it was compiled, or as the reader edited it.
import { keeper } from './keep.js';
import { asJson, decoded, ideasOf, isOff, packed, reason, records, rows } from './programs.js';
import { clean, isInstruction } from './text.js';
import { compared, followed } from './diff.js';
import { countsOf } from './results.js';

/**
 * Returns a cubin without its table of source lines. Renames the section .debug_line, so that the
 * programs do not find it.
 * @param {Uint8Array} bytes
 */
function withoutLines(bytes) {
  const text = Array.from(bytes, byte => String.fromCharCode(byte)).join(''),
    cleared = bytes.slice();
  for (const { index } of text.matchAll(/\.debug_line/g))
    cleared[Number(index) + 1] = '-'.charCodeAt(0);
  return cleared;
}

export class Kernel {
  /**
   * @param {string} path cubin/sm_90/STEP/VARIANT.cubin
   * @param {string} [host] the number of the lesson whose box shows the kernel
   */
  constructor(path, host) {
    const [, , step, name] = path.split('/');
    this.path = path;
    this.step = step;
    this.variant = name.replace('.cubin', '');
    this.original = packed(path);
    // An edit belongs to this cubin, known by its last 32 characters. A newer one does not get it.
    // A lesson has its own edit of another lesson's kernel.
    this.guest = Boolean(host) && !step.startsWith(`${host}_`);
    this.kept = keeper(`edit ${this.guest ? `${host} ` : ''}${path}`, KERNELS[path].slice(-32));
    /** @type {string|null} the edited text; null: as compiled */
    this.text = this.kept.get();
    /** @type {string|undefined} the text of the kernel as compiled */
    this.given = undefined;
    /** @type {string[]|null} the source line of each instruction, as compiled */
    this.places = null;
    /**
     * The result of assembled(): `slip` says why the text does not assemble, or is ''; `said` and
     * `records` are the assembler's output.
     * @type {Promise<{files: Files, slip: string, said: string, records:
     *   Row[]}>|null}
     */
    this.made = null;
  }

  get edited() {
    return this.text !== null;
  }

  /**
   * The same kernel as it was compiled, whatever the reader edits.
   * @returns {Kernel}
   */
  get compiled() {
    return Object.assign(Object.create(this), { text: null, made: null });
  }

  /**
   * Sets and stores the text.
   * @param {string|null} text null: as compiled, as is a text whose edits are all taken back
   */
  change(text) {
    this.text = text === this.given ? null : text;
    this.made = null;
    this.kept.set(this.text);
  }

  /**
   * Assembles the current text, unless that was done before, and returns the kernel's files.
   * @param {(words: string[], files: Files, wanted?: string[]) => Promise<Run>} sass
   */
  assembled(sass) {
    return (this.made ||= (async () => {
      const { path, original, text } = this;
      if (text === null) return { files: { [path]: original }, slip: '', said: '', records: [] };
      const run = await sass(
        ['asm', 'edited.sass', '--into', path, '-o', 'made.cubin', ...asJson('sass', 'r.json')],
        { 'edited.sass': text, [path]: original },
        ['made.cubin', 'r.json'],
      );
      if (isOff(run)) this.made = null; // the text is not at fault: the next call tries again
      return {
        files: { [path]: run.files['made.cubin'] },
        said: run.err,
        records: records(decoded(run.files['r.json'])),
        slip: run.status
          ? `It ${isOff(run) ? 'could not be assembled' : 'does not assemble'}: ${reason(run)}`
          : '',
      };
    })());
  }

  /**
   * The source line of each instruction of the edited text; null if each address still has its
   * compiled source line. Empty if a line may make several instructions (.for, .if, .macro).
   * @returns {string[]|null}
   */
  get moved() {
    const { text, given, places } = this;
    if (text === null || given === undefined || !places) return null;
    if (/^\s*\.(for|if|macro)/m.test(text)) return [];
    const lines = text.split('\n'),
      origins = followed(compared(given, text), places).filter((_, i) => isInstruction(lines[i]));
    return origins.some((place, i) => place !== places[i]) ? origins : null;
  }

  /**
   * Returns the files for a run. If an edit moved instructions, the cubin has no table of source
   * lines, because that table is indexed by address.
   * @param {Files} files
   */
  lined(files) {
    const bytes = files[this.path];
    return this.moved && bytes instanceof Uint8Array
      ? { ...files, [this.path]: withoutLines(bytes) }
      : files;
  }

  /**
   * Returns what Nsight Compute counted on an H200 for the kernel at a size. Empty if there are no
   * such counters, or the kernel is edited.
   * @param {string} size
   */
  onH200(size) {
    const csv = KERNELS[`counters/${this.step}.csv`] || '';
    return countsOf(
      this.edited ? [] : rows(csv).filter(row => row[0] === this.variant && row[1] === size),
    );
  }

  /**
   * The variant's index in its lesson, from 0; 1 if the lesson has no other variant; in another
   * lesson's box 6.
   */
  get place() {
    if (this.guest) return 6;
    const names = Object.keys(ideasOf(this.step));
    return names.length < 2 ? 1 : Math.max(0, names.indexOf(this.variant));
  }

  /** A description of the variant in a few words. */
  get idea() {
    return ideasOf(this.step)[this.variant] || '';
  }

  /**
   * Returns the kernel as compiled, as machine code in `out`.
   * @param {(words: string[], files: Files, wanted?: string[]) => Promise<Run>} sass
   */
  async disassembled(sass) {
    if (this.given !== undefined) return { status: 0, out: this.given, err: '' };
    const run = await sass(['dis', this.path], { [this.path]: this.original });
    if (!run.status) this.given = clean(run.out);
    return { ...run, out: clean(run.out) };
  }
}

// Runs the course's programs, in Workers (runner.js), on the page's files.
import { clean } from './text.js';

/**
 * The page's files by name.
 * @returns {Record<string, string>}
 */
export const kernels = () => (typeof KERNELS === 'undefined' ? {} : KERNELS);
/** @type {Record<string, Promise<Uint8Array>>} */
const unpacked = {};
/** @param {string} name */
export const has = name => name in kernels();
/** @param {RegExp} pattern */
export const find = pattern => Object.keys(kernels()).find(name => pattern.test(name));
/** @param {RegExp} pattern */
export const findAll = pattern => Object.keys(kernels()).filter(name => pattern.test(name));
/** @param {string} name */
const bytesOf = name => (unpacked[name] ||= Engine.unpack(KERNELS[name]));
/** @param {string} name */
export const textOf = async name => new TextDecoder().decode(await bytesOf(name));
/** @param {string} name */
export const packed = name => ({ packed: KERNELS[name] });
/** @param {Uint8Array|undefined} bytes */
export const decoded = bytes => (bytes ? new TextDecoder().decode(bytes) : '');

/**
 * Returns the rows of a CSV without its header.
 * @param {string} csv
 */
export const rows = csv =>
  csv
    .trim()
    .split('\n')
    .slice(1)
    .map(line => line.split(','));
/**
 * Returns those JSON lines of a text (sasskit/docs/json.md) that can be parsed.
 * @param {string} text
 * @returns {any[]}
 */
export const records = text =>
  text.split('\n').flatMap(line => {
    try {
      return line.startsWith('{') ? [JSON.parse(line)] : [];
    } catch {
      return [];
    }
  });

/**
 * Returns true for a run that was ended or could not begin (runner.js).
 * @param {{status: number}} run
 */
export const isOff = run => run.status >= 124;
/**
 * Returns in one line why a run was ended or could not begin.
 * @param {any} run
 */
export const reason = run =>
  clean(run.err || String(run))
    .replace(/^\w+: /, '')
    .split('\n')[0];

/**
 * Runs the programs on one kernel at one size; an owner's runs can be stopped together.
 * @param {{step: string, variant: string, path: string}} kernel
 * @param {Record<string, any>} files
 * @param {string} size
 * @param {any} owner
 */
export function programsOf({ step, variant, path }, files, size, owner) {
  return {
    /**
     * @param {string[]} more
     * @param {string[]} [wanted]
     */
    ladder: (more, wanted) =>
      Engine.run(
        [
          'ladder',
          '--backend',
          'sim',
          '--step',
          step,
          '--variant',
          variant,
          '--size',
          size,
          ...more,
        ],
        files,
        {
          wanted,
          owner,
        },
      ),
    /**
     * @param {string[]} more
     * @param {string[]} [wanted]
     * @param {Record<string, any>} [besides]
     */
    async simrun(more, wanted, besides = {}) {
      const launch = await Engine.run(['launch', step, variant, size], {}, { owner });
      return Engine.run(
        ['simrun', path, ...launch.out.trim().split(' '), ...more],
        { ...files, ...besides },
        { wanted, owner },
      );
    },
    async warps() {
      const launch = await Engine.run(['launch', step, variant, size], {}, { owner });
      return Number((/--block (\d+)/.exec(launch.out) || [0, 32])[1]) / 32;
    },
  };
}

/** Programs with the option --json (sasskit/docs/json.md). @type {Record<string, boolean>} */
const PRINTS_JSON = { sass: true, simrun: true, ladder: true };
/**
 * Returns arguments that make a program write its records to a file of the run.
 * @param {string} program
 * @param {string} file
 */
export const asJson = (program, file) => (PRINTS_JSON[program] ? [`--json=${file}`] : []);

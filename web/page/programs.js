// Runs the course's programs (sass, simrun, ladder) on the page's files, through Engine
// (web/engine/runner.js).
import { clean } from './text.js';

/**
 * Returns the page's files by name: packed in base64, except the texts about/ and counters/
 * (web/engine/kernels.sh).
 * @returns {Record<string, string>}
 */
export const kernels = () => (typeof KERNELS === 'undefined' ? {} : KERNELS);
/** @type {Record<string, Promise<Uint8Array>>} */
const unpacked = {};
/** @param {string} name */
export const has = name => name in kernels();
/**
 * Returns the descriptions of a step's variants, in order.
 * @param {string} step
 * @returns {Record<string, string>}
 */
export const ideasOf = step =>
  Object.fromEntries(kernels()[`about/${step}`]?.split('\n').map(line => line.split('\t')) || []);
/** @param {RegExp} pattern */
export const find = pattern => Object.keys(kernels()).find(name => pattern.test(name));
/** @param {RegExp} pattern */
export const findAll = pattern => Object.keys(kernels()).filter(name => pattern.test(name));
/**
 * Returns the bytes of a packed file.
 * @param {string} name
 */
const bytesOf = name => (unpacked[name] ||= Engine.unpack(KERNELS[name]));
/**
 * Returns the text of a packed file.
 * @param {string} name
 */
export const textOf = async name => new TextDecoder().decode(await bytesOf(name));
/**
 * Returns a packed file as Engine.run() takes it.
 * @param {string} name
 */
export const packed = name => ({ packed: KERNELS[name] });
/**
 * Returns bytes as text; '' if there are none.
 * @param {Uint8Array|undefined} bytes
 */
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
 * Returns the records in a program's output: one per line of JSON (sasskit/docs/json.md).
 * @param {string} text
 * @returns {Row[]}
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
 * Returns the records of a type.
 * @template {keyof Rows} T
 * @param {Row[]} all
 * @param {T} type
 */
export const ofType = (all, type) =>
  /** @type {Rows[T][]} */ (all.filter(record => record.type === type));

/**
 * Returns true if a run was ended early or could not begin (web/engine/runner.js).
 * @param {{status: number}} run
 */
export const isOff = run => run.status >= 124;
/**
 * Returns in one line why a run was ended early or could not begin.
 * @param {unknown} run the run, or what it threw
 */
export const reason = run =>
  clean(/** @type {{err?: string}} */ (run).err || String(run))
    .replace(/^\w+: /, '')
    .split('\n')[0];

/** @type {Record<string, Promise<string>>} */
const launches = {};
/**
 * Returns the options of simrun for the launch that a lesson's program would make. They are always
 * the same, so the program that prints them runs once.
 * @param {string} step
 * @param {string} variant
 * @param {string} size
 * @param {object} owner
 */
const launchOptions = (step, variant, size, owner) =>
  (launches[[step, variant, size].join()] ||= (async () => {
    const run = await Engine.run(['launch', step, variant, size], {}, { owner });
    if (isOff(run)) delete launches[[step, variant, size].join()];
    return run.out.trim();
  })());

/**
 * Returns functions that run the programs on one kernel at one size. Engine.stop(owner) stops all
 * runs of an owner.
 * @param {{step: string, variant: string, path: string}} kernel
 * @param {Files} files
 * @param {string} size
 * @param {object} owner
 */
export function programsOf({ step, variant, path }, files, size, owner) {
  return {
    /**
     * Runs the lesson's program on the simulator.
     * @param {string[]} more further arguments
     * @param {string[]} [wanted] names of the files that the result shall have
     */
    ladder(more, wanted) {
      const words = `ladder --backend sim --step ${step} --variant ${variant} --size ${size}`;
      return Engine.run([...words.split(' '), ...more], files, { wanted, owner });
    },
    /**
     * Runs simrun with the launch that the lesson's program would make.
     * @param {string[]} more further arguments
     * @param {string[]} [wanted] names of the files that the result shall have
     * @param {Files} [besides] further files, by name
     */
    async simrun(more, wanted, besides = {}) {
      const launch = await launchOptions(step, variant, size, owner);
      return Engine.run(
        ['simrun', path, ...launch.split(' '), ...more],
        { ...files, ...besides },
        { wanted, owner },
      );
    },
    /** Returns the options of simrun for that launch. */
    launch: () => launchOptions(step, variant, size, owner),
    /** Returns the number of warps per block. */
    async warps() {
      const launch = await launchOptions(step, variant, size, owner);
      return Number((/--block (\d+)/.exec(launch) || [0, 32])[1]) / 32;
    },
  };
}

/**
 * Programs that have the option --json (sasskit/docs/json.md).
 * @type {Record<string, boolean>}
 */
const PRINTS_JSON = { sass: true, simrun: true, ladder: true };
/**
 * Returns arguments that make a program write its records to a file of the run.
 * @param {string} program
 * @param {string} file
 */
export const asJson = (program, file) => (PRINTS_JSON[program] ? [`--json=${file}`] : []);

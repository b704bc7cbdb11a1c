// What the engine's own trace has: when warps issue what (simrun --timeline), and where (simrun --step).
import { packed } from '../programs.js';
import { spansOf } from '../timeline.js';

export const LANES = 32;

// The programs on one kernel at N x N x N, on a grid of its own if `blocks` says so. run(...WORDS) is simrun, steps(COMMANDS) its stepper.
export async function begin([step, variant], N, owner, blocks) {
  const path = `cubin/sm_90/${step}/${variant}.cubin`;
  const engine = async (words, files, wanted) => {
    const done = await Engine.run(words, files, { wanted, owner });
    if (done.status) throw Error(done.err);
    return done;
  };
  const launch = (await engine(['launch', step, variant, `${N}`], {})).out.trim().split(' ');
  if (blocks) launch[launch.indexOf('--grid') + 1] = `${blocks}`;
  const run = (words, files = {}, wanted = []) => engine(['simrun', path, ...launch, ...words], { ...files, [path]: packed(path) }, wanted);
  return { N, run, steps: async commands => (await run(['--step', 'commands'], { commands: `${commands.join('\n')}\n` })).out };
}
// What the warps of the first scheduler issue: {warp, issued}.
export async function issues({ run }) {
  const spans = spansOf(new TextDecoder().decode((await run(['--time', '--timeline', 't.json', '--cycles', '0,30000'], {}, ['t.json'])).files['t.json'])).filter(span => span.cat === 'issue');
  return [...new Set(spans.map(span => span.tid))].map(warp => ({ warp, issued: spans.filter(span => span.tid === warp).sort((a, b) => a.ts - b.ts) }));
}
// An address of an instruction's text, [R4.U32+UR16+0x80]: the first is that of shared memory, the last that of device memory. As registers,
// of 64 bits or 32, and a number.
export function place(text, last) {
  const terms = [...text.matchAll(/(desc)?\[([^\]]*)\]/g)].filter(found => !found[1]).map(found => found[2]).at(last ? -1 : 0).split('+');
  const registers = terms.flatMap(term => {
    const [, kind, number, wide] = /^(U?R)(\d+)(\.64)?/.exec(term) || [];
    return !kind ? [] : wide || (last && kind === 'UR') ? [[kind + number, kind + (Number(number) + 1)]] : [[kind + number]];
  });
  return { registers, offset: terms.reduce((sum, term) => sum + (/^[-0]/.test(term) ? parseInt(term, 16) : 0), 0) };
}
export const ask = ({ registers }) => registers.flat().map(name => `registers ${name}`);
// What the stepper says at a stop: of the first lane, the address; the next instruction; how many are done.
export const readAt = (said, { registers, offset }) => offset + registers.reduce((sum, parts) => sum + parts.reduce((value, name, i) =>
  value + parseInt([...said.matchAll(RegExp(`^  ${name} +(?:lane  0|all lanes)[ *](\\w+)`, 'gm'))].at(-1)[1], 16) * 2 ** (32 * i), 0), 0);
export const stopsOf = said => said.split(/^(?=warp \d+ of )/m).filter(part => part.startsWith('warp'));
export const nextOf = said => (/^(?:next|waits|ready) +0x0*(\w+)/m.exec(said) || [])[1];
// The addresses of instructions of a warp, {at: how many it issues before, text, last}.
export async function addresses({ steps }, { warp, issued }, wanted) {
  const asked = wanted.map(({ at, last }) => place(issued[at].args.instruction, last));
  const stops = stopsOf(await steps([`warp ${warp}`, ...wanted.flatMap(({ at }, i) => [`step ${at - (i ? wanted[i - 1].at : 0)}`, ...ask(asked[i])])])).slice(1);
  if (stops.some((said, i) => nextOf(said) !== issued[wanted[i].at].args.address)) throw Error('the trace and the stepper disagree');
  return stops.map((said, i) => readAt(said, asked[i]));
}
export const indices = (issued, names) => issued.map((span, i) => i).filter(i => names.includes(issued[i].name.split('.')[0]));
export const inOrder = events => events.sort((a, b) => a.cycle - b.cycle || a.warp - b.warp);

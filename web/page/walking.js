// Opens the stepper of a box: on the chosen kernel, or at a place of the timeline.
import { intoView } from './dom.js';
import { asJson, decoded, programsOf, reason, records } from './programs.js';
import { spansOf } from './timeline/spans.js';
import { inspect } from './inspecting.js';
import { cards } from './cards.js';
import { reportsOf } from './report.js';
import * as Lines from './lines.js';

/**
 * Opens the stepper where a warp issues an instruction at a cycle of the timeline. The stepper
 * knows no cycles, so this counts the warp's instructions since its block began.
 * @param {import('./box.js').Box} box
 * @param {import('./running.js').At} at
 * @param {number} warp
 * @param {number} cycle
 */
export async function stepTo(box, at, warp, cycle) {
  const programs = box.programs(at),
    run = await programs.simrun(
      ['--time', '--timeline', 't.json', '--cycles', `0,${cycle}`],
      ['t.json'],
    );
  if (run.status) return void box.say(`It cannot be stepped: ${reason(run)}`, true);
  const warps = await programs.warps(),
    issued = spansOf(decoded(run.files['t.json'])).filter(
      span => span.tid === warp && span.cat === 'issue' && span.ts < cycle,
    );
  const done =
    issued.length - Math.max(0, issued.map(span => span.args.address).lastIndexOf('0'));
  [box.which.value, box.size.value] = [at.kernel.variant, at.size];
  await walk(box, [`warp ${warp % warps}`, ...(done ? [`step ${done}`] : [])]);
}
/**
 * Opens the stepper on the kernel that is chosen.
 * @param {import('./box.js').Box} box
 * @param {string[]} [first] commands to begin with; without them it begins at the main loop
 */
export async function walk(box, first = []) {
  const kernel = box.one,
    size = box.size.value,
    loaded = await inspect().catch(failed =>
      box.say(`It cannot be stepped: ${reason(failed)}`, true),
    );
  if (!loaded) return;
  box.stepping = loaded.openStepper({
    step: kernel.step,
    name: kernel.variant,
    where: `: block 0, N = ${size}`,
    run: async commands => {
      const { files, slip } = await kernel.assembled(box.sass);
      return slip
        ? { status: 1, out: '', err: slip, files: {} }
        : programsOf(kernel, { ...files, commands }, size, box.box).simrun(
            ['--step', 'commands', ...asJson('simrun', 'r.json')],
            ['r.json'],
          );
    },
    cardsOf: ({ files }) => cards(reportsOf(records(decoded(files['r.json'])))),
    Lines,
  });
  Lines.away();
  box.steps.replaceChildren(box.stepping.box);
  Lines.beside(
    /** @type {HTMLElement} */ (box.stepping.box.querySelector('.source-slot')),
    kernel.step,
  );
  await (first.length ? box.stepping.again(...first) : box.stepping.open());
  intoView(box.steps);
  box.stepping.box.focus({ preventScroll: true });
}

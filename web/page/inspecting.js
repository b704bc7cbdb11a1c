// Loads the stepper and the timeline (inspect.js) when one of them is first opened.
import { late } from './dom.js';

/**
 * Returns what inspect.js defines. Throws if the file cannot be loaded; the next call tries again.
 * @returns {Promise<{openStepper: typeof import('./stepper.js').openStepper,
 *   timelinePicture: typeof import('./timeline.js').timelinePicture}>}
 */
export async function inspect() {
  try {
    await late('inspect');
  } catch {
    throw Error('the file inspect.js could not be loaded: is there a network?');
  }
  return window.Inspect;
}

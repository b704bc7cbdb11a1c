// Shows the reports of a run in its box: as cards, and as marks in the editor.
import { intoView } from './dom.js';
import { cards } from './cards.js';
import { inWords, sourceOf, withOrigins } from './report.js';

/**
 * Returns the text of a line of the page's kernel.cu, if it is that step's kernel.
 * @param {string} step
 */
const sourceText = step => (/** @type {any} */ place) => {
  const pane = /** @type {HTMLElement|null} */ (document.querySelector('.changes')),
    [file, line] = sourceOf(place).split(':');
  return pane && pane.dataset.step === step && pane.dataset.file === file
    ? (document.getElementById(`k${line}`)?.textContent ?? null)
    : null;
};


/**
 * Shows the reports of a run or a check as cards, marks their lines, and scrolls to them.
 * @param {import('./box.js').Box} box
 * @param {import('./running.js').At} at
 * @param {any[]} reported
 * @param {string} where
 */
export async function showReports(box, at, reported, where) {
  const { kernel } = at;
  if (kernel.edited && !box.pane.isOf(kernel)) await box.pane.open(kernel);
  const undo = box.pane.undoes(kernel);
  const found = box.pane.blamed(inWords(withOrigins(reported, kernel.moved)), undo);
  const show = async (/** @type {any[]} */ places) => {
    await box.pane.open(kernel);
    box.pane.show(places);
  };
  box.reports.replaceChildren(
    ...cards(found, { show, sourceText: sourceText(box.step), undo, where }),
  );
  if (box.pane.isOf(kernel)) box.pane.note(found);
  if (box.reports.firstElementChild) intoView(box.reports.firstElementChild);
}

// Shows the reports of a run or a check in the box: as cards, and as marks in the editor.
import { intoView } from './dom.js';
import { cards } from './cards.js';
import { inEditor, inWords, sourceOf, withOrigins } from './report.js';

/**
 * Returns a function that returns the text of a place's line in the page's kernel.cu; null if the
 * page shows another step or file.
 * @param {string} step
 */
const sourceText = step => (/** @type {Place} */ place) => {
  const pane = /** @type {HTMLElement|null} */ (document.querySelector('.changes')),
    [file, line] = sourceOf(place).split(':');
  return pane && pane.dataset.step === step && pane.dataset.file === file
    ? (document.getElementById(`k${line}`)?.textContent ?? null)
    : null;
};


/**
 * Shows reports as cards, marks their lines in the editor, and scrolls to the first card. Opens the
 * editor if the kernel is edited.
 * @param {import('./box.js').Box} box
 * @param {import('./running.js').At} at
 * @param {Report[]} reported the reports
 * @param {string} where words for the run, e.g. "in the run at N = 64"
 */
export async function showReports(box, at, reported, where) {
  const { kernel } = at;
  if (kernel.edited && !box.pane.isOf(kernel)) await box.pane.open(kernel);
  const undo = box.pane.undoes(kernel);
  const worded = inWords(withOrigins(reported, kernel.moved)),
    found = box.pane.blamed(
      box.pane.isOf(kernel)
        ? worded.map(record =>
            inEditor(record, place => box.pane.lineOf(place), box.pane.area?.value),
          )
        : worded,
      undo,
    );
  const show = async (/** @type {any[]} */ places) => {
    await box.pane.open(kernel);
    box.pane.show(places);
  };
  box.reports.replaceChildren(
    ...cards(found, { show, sourceText: sourceText(kernel.step), undo, where }),
  );
  if (box.pane.isOf(kernel)) box.pane.note(found);
  if (box.reports.firstElementChild) intoView(box.reports.firstElementChild);
}

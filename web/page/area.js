// Text areas in which the reader edits machine code. If the site was built with the coloured editor
// (editor.js), it covers each text area. The page still reads and writes the text area.
import { late } from './dom.js';

/** @type {Map<HTMLTextAreaElement, any>} the coloured editor over each text area */
const editors = new Map();
const script =
  typeof document === 'undefined'
    ? null
    : /** @type {HTMLScriptElement|null} */ (document.currentScript);
const hasEditor = script !== null && 'editor' in script.dataset;

/**
 * Returns the coloured editor over an area, or undefined.
 * @param {HTMLTextAreaElement} area
 */
export const editorOf = area => editors.get(area);

/**
 * Puts the coloured editor over a text area, if the site has one.
 * @param {HTMLTextAreaElement} area
 * @param {(line: number) => void} [moved] called with the cursor's line, from 0
 */
export async function addEditor(area, moved) {
  area.onkeyup = area.onclick = () =>
    moved?.(area.value.slice(0, area.selectionStart).split('\n').length - 1);
  if (!hasEditor) return;
  try {
    await late('editor');
  } catch {
    return;
  } // the text area works without the editor
  for (const [other, editor] of editors)
    if (!editor.connected()) {
      editor.destroy();
      editors.delete(other);
    }
  if (area.isConnected && !editors.has(area))
    editors.set(area, window.Editor.dress(area, moved));
}

/**
 * Calls a function on Ctrl + Enter or Cmd + Enter in an element, before the editor there acts.
 * @param {HTMLElement} place
 * @param {() => void} act
 */
export function onCtrlEnter(place, act) {
  const pressed = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  place.addEventListener('keydown', pressed, true);
}
/**
 * Selects a part of the text and scrolls to it.
 * @param {HTMLTextAreaElement} area
 * @param {number} from
 * @param {number} to
 */
export function mark(area, from, to) {
  const editor = editors.get(area);
  if (editor) editor.mark(from, to);
  area.focus({ preventScroll: true });
  area.setSelectionRange(from, to);
  area.scrollTop =
    parseFloat(getComputedStyle(area).lineHeight) *
    (area.value.slice(0, from).split('\n').length - 6);
  if (editor) editor.reveal();
  else area.scrollIntoView({ block: 'nearest' });
}
/**
 * Selects a line and scrolls to it.
 * @param {HTMLTextAreaElement} area
 * @param {number} line from 0
 */
export function markLine(area, line) {
  const from = area.value.split('\n').slice(0, line).join('\n').length + (line ? 1 : 0);
  mark(area, from, from + area.value.slice(from).search(/\n|$/));
}
/**
 * Scrolls the text so that a line is near the top.
 * @param {HTMLTextAreaElement} area
 * @param {number} line from 0
 */
export function scrollToLine(area, line) {
  const editor = editors.get(area);
  if (editor) editor.scrollTo(line);
  area.scrollTop = parseFloat(getComputedStyle(area).lineHeight) * Math.max(0, line - 2);
}

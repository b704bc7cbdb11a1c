// Fits tables to a telephone. A table that is wider than the screen gets smaller gaps. If it is
// still wider and has only figures, it is folded: each row takes two or three lines. The head takes
// as many, so figures still stand below their names. A table that must scroll even so is marked.
const LINES = 3; // per row, at most
const LEAST = 46; // pixels per figure

/**
 * Writes the roles of a table's parts as attributes, because `display: grid` removes these roles.
 * @param {HTMLTableElement} table
 */
function roles(table) {
  table.setAttribute('role', 'table');
  for (const row of table.rows) {
    row.setAttribute('role', 'row');
    for (const cell of row.cells)
      cell.setAttribute(
        'role',
        cell.tagName === 'TD' ? 'cell' : row.closest('thead') ? 'columnheader' : 'rowheader',
      );
  }
}
/**
 * Returns the number of columns in which a folded table has its figures, so that the lines of a row
 * are few and equally long; 0 if more than LINES lines were needed.
 * @param {number} figures per row
 * @param {number} room in pixels
 */
export function columnsFor(figures, room) {
  const most = Math.floor(room / LEAST),
    lines = Math.ceil(figures / Math.max(1, most));
  return lines > LINES ? 0 : Math.ceil(figures / lines);
}
/** @param {HTMLElement} box */
export function fold(box) {
  const table = box.querySelector('table');
  if (!table?.rows.length || table.matches('.folded')) return;
  const own = table.matches('.counters, .lanes, .each'); // tables of results are never folded
  const isWide = () => box.scrollWidth > box.clientWidth + 1,
    figures = table.rows[0].cells.length - 1;
  if (isWide() && innerWidth < 560 && !own) table.classList.add('tight');
  const wide = isWide();
  box.classList.toggle('more', wide && innerWidth < 768);
  if (!wide || own || innerWidth >= 560) return;
  // A table with words is not folded, because its cells would be too narrow; nor one with less
  // than four figures per row.
  const rows = [...table.rows].slice(1);
  if (figures < 4 || rows.some(row => [...row.cells].slice(1).some(cell => !figure(cell)))) return;
  const columns = columnsFor(figures, 0.76 * box.clientWidth);
  if (!columns) return;
  roles(table);
  table.classList.add('folded');
  table.style.setProperty('--columns', String(columns));
  for (const row of table.rows)
    [...row.cells].forEach((cell, i) => cell.classList.toggle('low', i > columns));
  box.classList.toggle('more', isWide());
}
/**
 * True for a text as short as a figure.
 * @param {HTMLTableCellElement} cell
 */
const figure = cell => (cell.textContent || '').trim().length < 16;
/** Unfolds all tables, for a wider window and for print. */
export function unfold() {
  for (const table of document.querySelectorAll('main .table > table'))
    table.classList.remove('folded', 'tight');
}

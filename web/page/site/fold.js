// Tables on a telephone. One that is hardly wider than the screen has smaller gaps. A table of
// figures that is still wider is folded: each of its rows takes two or three lines, and the head's
// lines have the same columns, so that figures still stand below each other. A table that scrolls
// nevertheless says so.
const LINES = 3; // per row, at most
const LEAST = 46; // pixels per figure

/**
 * Gives a table its roles as attributes, which `display: grid` takes from it.
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
 * The columns of a folded table's figures: as few lines as fit, all of them equally long.
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
  const own = table.matches('.counters, .lanes'); // a box's tables keep their rows
  const isWide = () => box.scrollWidth > box.clientWidth + 1,
    figures = table.rows[0].cells.length - 1;
  if (isWide() && innerWidth < 560 && !own) table.classList.add('tight');
  const wide = isWide();
  box.classList.toggle('more', wide && innerWidth < 768);
  if (!wide || own || innerWidth >= 560) return;
  // Cells with words would be too narrow.
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
/** @param {HTMLTableCellElement} cell */
const figure = cell => (cell.textContent || '').trim().length < 16;
/** Unfolds all tables, for a wider window and for print. */
export function unfold() {
  for (const table of document.querySelectorAll('main .table > table'))
    table.classList.remove('folded', 'tight');
}

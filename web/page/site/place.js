// The sidebar: completed lessons, the heading in view, the menu on narrow screens. Also the marks
// of what the reader has done, in the list of exercises and in a lesson's list of things to do.
import { el } from '../dom.js';
import { read, write } from '../keep.js';
import { hasBet, lessonState, nextLesson, solvedOf } from '../progress.js';

const $ = (/** @type {string} */ selector, root = /** @type {ParentNode} */ (document)) => [
  .../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(selector)),
];
const pageOf = (/** @type {string} */ href) => href.replace(/\.html.*$/, '');

/** The lesson to which the page belongs; '' if to none. */
const lessonHere = () =>
  pageOf($('.steps a[aria-current]').map(({ dataset }) => dataset.lesson)[0] || '');

/** Marks lessons by their state in all lists, says what is open, and counts the done steps. */
function showProgress() {
  const lessonOf = (/** @type {HTMLElement} */ link) => pageOf(link.dataset.lesson || ''),
    /** @type {Record<string, number>} */
    count = { half: 0, done: 0 },
    main = $('.steps a').filter(link => /^0[1-9]_/.test(link.dataset.lesson || ''));
  for (const link of $('[data-lesson]')) {
    const { state, said } = lessonState(lessonOf(link));
    for (const one of ['half', 'done']) link.classList.toggle(one, state === one);
    link.title = said;
    if (main.includes(link)) count[state]++;
  }
  const { done, half } = count,
    next = nextLesson(main.map(lessonOf)),
    first = main.find(link => lessonOf(link) === next);
  for (const place of $('[data-steps-done]'))
    place.textContent =
      done || half ? `${done} of ${main.length} steps done${half ? `, ${half} half` : ''}` : '';
  for (const place of $('.progress-bar i'))
    place.style.width = `${(100 * (done + half / 2)) / Math.max(1, main.length)}%`;
  for (const link of $('.rung')) link.classList.toggle('here', lessonOf(link) === next);
  for (const place of $('a[data-continue]'))
    if ((done || half) && first)
      Object.assign(place, {
        href: /** @type {HTMLAnchorElement} */ (first).href,
        textContent: `${first.title ? 'Continue' : 'Go on with'} step ${Number(next?.slice(0, 2))}`,
      });
}

/** Marks the exercises that were begun or solved in this browser, and counts the solved ones. */
export function showExercises() {
  for (const place of $('[data-exercise]')) {
    const kept = read(`exercise ${place.dataset.exercise}`),
      state = kept?.solved ? 'solved' : kept ? 'begun' : '',
      entry = place.closest('li');
    if (entry) place.textContent = state;
    else place.title = state;
    for (const one of ['begun', 'solved'])
      (entry ?? place).classList.toggle(one, state === one);
  }
  for (const group of $('.tasks section')) {
    const [all, solved] = ['li', 'li.solved'].map(which => $(which, group).length);
    $('h2 small', group)[0].textContent = `${solved} of ${all}`;
    group.classList.toggle('solved', solved === all);
  }
  for (const place of $('[data-progress]'))
    place.textContent =
      `Solved in this browser: ${$('.tasks li.solved').length} of ${place.dataset.progress}.`;
}

/** Marks the done items and the next item of the list that leads through a lesson (`.way`). */
function showWay() {
  const lesson = lessonHere(),
    items = $('.way [data-way]'),
    { done } = lessonState(lesson),
    next = items.findIndex(({ dataset }) => !done[dataset.way || '']),
    solved = solvedOf(lesson);
  items.forEach((item, i) => {
    item.classList.toggle('done', done[item.dataset.way || '']);
    item.classList.toggle('next', i === next);
  });
  const [link] = $('[data-way=exercise] a'),
    [id] = solved;
  if (link && id && !solved.some(one => link.textContent?.endsWith(one)))
    Object.assign(link, { href: `exercise-${id}.html`, textContent: `Exercise ${id}` });
  // The line above the title hides the speed that the lesson reaches until its bet is settled.
  for (const gain of $('.kicker [data-gain]'))
    gain.textContent = done.bet ? gain.dataset.gain || '' : '?';
}

/** Makes inputs of a lesson's open cells; the settled bet shows their right numbers. */
function showCells() {
  const lesson = lessonHere(),
    { bet } = lessonState(lesson).done;
  $('body.lesson [data-right]').forEach((place, i) => {
    const { right = '' } = place.dataset,
      name = `cell ${lesson} ${i}`,
      at = /** @type {HTMLTableCellElement} */ (place.closest('td')),
      heads = /** @type {HTMLTableElement} */ (at.closest('table')).rows[0].cells,
      row = /** @type {HTMLElement} */ (at.parentElement).children[0];
    if (!place.children.length)
      place.replaceChildren(
        el('b', { role: 'status' }),
        el('input', {
          inputMode: 'decimal',
          placeholder: '?',
          value: read(name)?.value ?? '',
          ariaLabel: [row, heads[at.cellIndex]].map(one => one.textContent?.trim()).join(', '),
          oninput() {
            write(name, { value: this.value });
            showCells();
          },
        }),
      );
    const [mark, input] = /** @type {[HTMLElement, HTMLInputElement]} */ ([...place.children]),
      good = Math.abs(Number(input.value) - Number(right)) < 0.5;
    mark.textContent = good ? '\u2713' : bet ? right : '';
    place.classList.toggle('good', good);
  });
}

/** Remembers that the reader has scrolled to the lesson's box or, if it has none, to its end. */
function markLooked() {
  const lesson = lessonHere(),
    bet = hasBet(lesson),
    end = document.querySelector(`body.lesson ${bet ? '.try' : '.pager'}`),
    opened = Date.now();
  if (!lesson || !end) return;
  const seen = new IntersectionObserver(([{ isIntersecting }]) => {
    // A reader who reaches the end within 20 s has not read the lesson.
    if (!isIntersecting || (!bet && Date.now() - opened < 20000)) return;
    seen.disconnect();
    write(`looked ${lesson}`, 1);
    show();
  });
  seen.observe(end);
}

/** Shows everything that depends on what the reader has done. */
function show() {
  showProgress();
  showExercises();
  showWay();
  showCells();
}

/** Lists the page's headings below its entry in the sidebar and marks the one in view. */
function contents() {
  const list = document.querySelector('.on-page ul'),
    heads = $('main h2[id]').filter(head => !head.closest('details'));
  if (!list || heads.length < 2) return;
  list.replaceChildren(
    ...heads.map(head =>
      el('li', {}, el('a', { href: `#${head.id}`, textContent: head.textContent })),
    ),
  );
  const links = $('a', list);
  const mark = () => {
    const at = heads.filter(head => head.getBoundingClientRect().top < 140).length - 1;
    links.forEach((link, i) => {
      if (i === Math.max(0, at)) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    });
  };
  let waiting = false;
  addEventListener(
    'scroll',
    () => {
      if (!waiting) {
        waiting = true;
        requestAnimationFrame(() => {
          waiting = false;
          mark();
        });
      }
    },
    { passive: true },
  );
  requestAnimationFrame(mark); // not before the first frame, because mark() lays the page out
}

export function place() {
  show();
  contents();
  markLooked();
  for (const event of ['progress', 'answered', 'storage']) addEventListener(event, show);
  const here = document.querySelector('.steps a[aria-current]');
  requestAnimationFrame(() => here?.scrollIntoView({ block: 'nearest' }));
  menu();
}

/** The menu of narrow screens: while the sidebar covers the page, the text cannot be reached. */
function menu() {
  const [button] = $('#menu'),
    [side] = $('.side'),
    isOpen = () => document.body.classList.contains('menu-open');
  const show = (/** @type {boolean} */ open) => {
    document.body.classList.toggle('menu-open', open);
    button.setAttribute('aria-expanded', String(open));
    for (const part of $('.page > :not(.side)')) part.inert = open;
    const to = open ? ($('a[aria-current]', side)[0] ?? $('a', side)[0]) : button;
    to?.focus({ preventScroll: !open });
  };
  if (!button || !side) return;
  button.addEventListener('click', () => show(!isOpen()));
  side.addEventListener('click', ({ target }) => {
    const link = /** @type {Element} */ (target).closest('a[href^="#"]');
    if (link && isOpen()) show(false);
  });
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && isOpen()) show(false);
  });
  matchMedia('(min-width: 64.01rem)').addEventListener('change', () => isOpen() && show(false));
}

// The one rule for what a reader has done in a lesson. The sidebar, a lesson's list of things to
// do, the page of lessons and the first page's ladder ask here.
import { names, read } from './keep.js';

/** @type {Record<string, string>} what there is to do in a lesson */
const OPEN = { look: 'picture and idea', bet: 'the bet', exercise: 'an exercise' };

/**
 * Returns true if a lesson begins with a bet; most pages lack the questions (asked.js).
 * @param {string} lesson such as 01_naive
 */
export const hasBet = lesson => /^(0[1-9]|1[0-3])_/.test(lesson);

/**
 * Returns the numbers, such as 01d, of the solved exercises about a lesson.
 * @param {string} lesson
 */
export const solvedOf = lesson =>
  names()
    .filter(name => name.startsWith(`exercise exercises/${lesson.slice(0, 2)}`))
    .filter(name => read(name)?.solved)
    .map(name => name.slice(19, 22));

/**
 * Returns a lesson's state, what is done in it, and what is open, in words. 'read': only its
 * picture and idea were seen; 'half': its bet is settled, even if it was lost or the answer looked
 * at, or an exercise is solved; 'done': nothing is open.
 * @param {string} lesson
 */
export function lessonState(lesson) {
  const bet = Boolean(read(`guess ${lesson}`) || read(`seen ${lesson}`)),
    exercise = solvedOf(lesson).length > 0,
    look = bet || Boolean(read(`looked ${lesson}`));
  /** @type {Record<string, boolean>} */
  const done = hasBet(lesson) ? { look, bet, exercise } : { look, exercise };
  const open = Object.keys(done).flatMap(name => (done[name] ? [] : OPEN[name])),
    state = !open.length ? 'done' : bet || exercise ? 'half' : look ? 'read' : '',
    is = state === 'half' ? 'half done' : state;
  return { state, done, said: is && (open.length ? `${is}; still open: ${open.join(', ')}` : is) };
}

/**
 * Returns the lesson to go on with: the first without bet and exercise, or a half one before it if
 * nothing of the lesson behind that was read. If there is none, the first half one.
 * @param {string[]} lessons
 */
export const nextLesson = lessons => {
  const states = lessons.map(lesson => lessonState(lesson).state),
    isNext = (/** @type {string} */ state, /** @type {number} */ i) =>
      /^(read)?$/.test(state) || (state === 'half' && states[i + 1] === ''),
    at = states.findIndex(isNext);
  return lessons[at < 0 ? states.indexOf('half') : at];
};

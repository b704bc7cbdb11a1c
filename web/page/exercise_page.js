// Starts the box of an exercise's page. A lesson's page does not load this file.
import { expectEngine } from './arrive.js';
import { openExercise } from './exercise.js';

expectEngine();
if (typeof Engine !== 'undefined')
  for (const box of document.querySelectorAll('.exercise'))
    openExercise(/** @type {HTMLElement} */ (box));

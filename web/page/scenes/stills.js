// What web/site/posters.js draws with, while the pages are made.
export { SCENES, HEADINGS, costliest, variantsOf } from './player.js';
export { opening } from '../hero.js';

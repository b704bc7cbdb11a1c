// The functions with which web/site/posters.js draws while the pages are built.
export { SCENES, HEADINGS, costliest, variantsOf } from './player.js';
export { opening } from '../hero.js';

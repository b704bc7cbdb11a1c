// The functions with which web/site/posters.js draws while the pages are built.
import '../motions.js';
export { scenes, costliest, variantsOf } from './player.js';
export { opening } from '../hero.js';

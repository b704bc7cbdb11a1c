// The functions with which web/site/posters.js draws still frames when the site is built.
import '../motions.js';
export { scenes, costliest, variantsOf } from './player.js';
export { opening } from '../hero.js';

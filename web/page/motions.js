// The moving pictures that only one lesson each has. Their pages load this file before boxes.js
// (web/site/build.sh), so that a first visit to lesson 01 loads none of them.
import { bits } from './scenes/bits.js';
import { buffers } from './scenes/buffers.js';
import { ffma } from './scenes/ffma.js';
import { orders } from './scenes/orders.js';
import { outer } from './scenes/outer.js';
import { pieces } from './scenes/pieces.js';
import { tiles } from './scenes/tiles.js';
import { words } from './scenes/words.js';

window.Motions = {
  '02_shared_tiling': tiles,
  '03_outer_product': outer,
  '04_warp_tiling': orders,
  '05_float4': words,
  '06_conflict_free_transpose': orders,
  '07_z_order': orders,
  '08_double_buffer': buffers,
  '09_reuse_sass': ffma,
  '10_block_order': pieces,
  '13_tensor_cores': bits,
};

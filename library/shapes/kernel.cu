// Kernels for shapes that a tile of step 10 does not suit: a short side, a small K. Each has step 10's orders of tiles and, but for
// those of a small K, its sum over parts of K; how a block computes its tile is its own header's.
//
//   -DTHIN       few rows of C: thin.h
//   -DNARROW     few columns: narrow.h
//   -DSLIM       9 to 32 columns: slim.h
//   -DVECTOR     one row or one column: vector.h
//   -DFLAT       a small K: flat.h
//   -DPANEL      a K of 5 to 20: panel.h
//   -DSECTORS    a K of up to 8: sectors.h
//
//   -DRASTER -DSLOTS -DBM -DBN -DWARPS_M -DWARPS_N -DWARPS_K -DMIN_BLOCKS    as in step 10
#include "../../steps/10_block_order/block.h"
#include "../../steps/10_block_order/orders.h"

// With K in one part, and stores of their own.
#if defined FLAT
#include "flat.h"
#elif defined PANEL
#include "panel.h"
#elif defined SECTORS
#include "sectors.h"
#else
// A block finds its part of K as step 10's do.
#include "../../steps/10_block_order/parts.h"
#if defined THIN
#include "thin.h"
#elif defined NARROW
#include "narrow.h"
#elif defined SLIM
#include "slim.h"
#elif defined VECTOR
#include "vector.h"
#endif
#endif

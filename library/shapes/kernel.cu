// Kernels for shapes that do not suit the tiles of step 10: a short side, or a small K. They use
// step 10's orders of tiles. They also sum parts of K as step 10 does, except those for a small K.
// Each kernel has a header, which computes the tile of a block.
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

// These kernels do not split K, and store C themselves.
#if defined FLAT
#include "flat.h"
#elif defined PANEL
#include "panel.h"
#elif defined SECTORS
#include "sectors.h"
#else
// These kernels split K as step 10 does.
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

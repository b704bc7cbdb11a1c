// Includes list.def once per source type. SOURCE(type) stands before the conversions of a type,
// END(type) after them.
#define FROM_F32
SOURCE(F32)
#include "list.def"
END(F32)
#undef FROM_F32
#define FROM_F64
SOURCE(F64)
#include "list.def"
END(F64)
#undef FROM_F64
#define FROM_F16
SOURCE(F16)
#include "list.def"
END(F16)
#undef FROM_F16
#define FROM_BF16
SOURCE(BF16)
#include "list.def"
END(BF16)
#undef FROM_BF16
#define FROM_S8
SOURCE(S8)
#include "list.def"
END(S8)
#undef FROM_S8
#define FROM_U8
SOURCE(U8)
#include "list.def"
END(U8)
#undef FROM_U8
#define FROM_S16
SOURCE(S16)
#include "list.def"
END(S16)
#undef FROM_S16
#define FROM_U16
SOURCE(U16)
#include "list.def"
END(U16)
#undef FROM_U16
#define FROM_S32
SOURCE(S32)
#include "list.def"
END(S32)
#undef FROM_S32
#define FROM_U32
SOURCE(U32)
#include "list.def"
END(U32)
#undef FROM_U32
#define FROM_S64
SOURCE(S64)
#include "list.def"
END(S64)
#undef FROM_S64
#define FROM_U64
SOURCE(U64)
#include "list.def"
END(U64)
#undef FROM_U64
#define FROM_F16X2
SOURCE(F16X2)
#include "list.def"
END(F16X2)
#undef FROM_F16X2
#define FROM_E4M3X2
SOURCE(E4M3X2)
#include "list.def"
END(E4M3X2)
#undef FROM_E4M3X2
#define FROM_E5M2X2
SOURCE(E5M2X2)
#include "list.def"
END(E5M2X2)
#undef FROM_E5M2X2

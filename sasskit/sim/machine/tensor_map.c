// Encodes and decodes tensor maps, which describe a tensor in global memory to the copy engine
// (cuTensorMapEncodeTiled of the CUDA driver API).
#include "memory.h"

// The encoded map, in the layout of NVIDIA's maps. ptxas 13.0 shows the layout, because it expands
// tensormap.replace to stores of bit fields. Sizes, box and element strides (`steps`) are stored
// less 1. The strides of dimensions 1 to 4 are in units of 16 bytes, with their upper 4 bits in
// stride_high. Only `unknown` and `magic` are this project's own.
struct encoded {
    uint64_t address;
    uint32_t kinds;
    uint32_t stride[SIM_TENSOR_DIMENSIONS - 1], stride_high;
    uint32_t size[SIM_TENSOR_DIMENSIONS];
    uint8_t steps[3], box[SIM_TENSOR_DIMENSIONS];
    uint8_t unknown[60];
    uint64_t magic; // identifies a valid map
};
_Static_assert(sizeof(struct encoded) == SIM_TENSOR_MAP_BYTES &&
                   offsetof(struct encoded, steps) == 0x34,
               "a map");
static const uint64_t MAGIC = UINT64_C(0x70616d726f736e74);

// Bit positions of the fields of `kinds`.
enum {
    AT_RANK = 4,        // 3 bits: dimensions - 1
    AT_TYPE = 7,        // 4 bits
    AT_INTERLEAVE = 11, // 2 bits
    AT_SWIZZLE = 13,    // 2 bits: none, 32, 64, 128 bytes
    AT_FILL = 15,       // 1 bit: elements outside the tensor become NaNs
};
static uint32_t field(uint32_t word, int at, int width) {
    return word >> at & ((1u << width) - 1);
}

enum { UNIT = 16, MOST_BOX = 256 };

static bool dimension_fits(const struct sim_tensor *t, int i, struct error *error) {
    if (t->size[i] == 0 || t->size[i] > UINT64_C(1) << 32)
        return error_refuse(error,
                            "a tensor map: dimension %d has %llu elements, expected 1 to 2^32", i,
                            (unsigned long long)t->size[i]);
    if (t->box[i] == 0 || t->box[i] > MOST_BOX)
        return error_refuse(
            error, "a tensor map: the box has %u elements in dimension %d, expected 1 to %d",
            t->box[i], i, MOST_BOX);
    if (i > 0 && (t->stride[i] % UNIT || t->stride[i] == 0 || t->stride[i] >= UINT64_C(1) << 40))
        return error_refuse(
            error,
            "a tensor map: the stride of dimension %d is %llu bytes, expected a multiple of 16", i,
            (unsigned long long)t->stride[i]);
    return true;
}

static bool tensor_fits(const struct sim_tensor *t, struct error *error) {
    const uint32_t row = t->box[0] * (uint32_t)t->element_bytes;
    if (t->dimensions < 1 || t->dimensions > SIM_TENSOR_DIMENSIONS)
        return error_refuse(error, "a tensor map: expected 1 to 5 dimensions, not %d",
                            t->dimensions);
    if (t->address % UNIT)
        return error_refuse(
            error, "a tensor map: expected a tensor that begins at a multiple of 16 bytes");
    if (t->swizzle != 0 && t->swizzle != 32 && t->swizzle != 64 && t->swizzle != 128)
        return error_refuse(error,
                            "a tensor map: expected a swizzle of 0, 32, 64 or 128 bytes, not %d",
                            t->swizzle);
    for (int i = 0; i < t->dimensions; i++)
        if (!dimension_fits(t, i, error)) return false;
    if (row % UNIT)
        return error_refuse(
            error, "a tensor map: a row of the box has %u bytes, expected a multiple of 16", row);
    if (t->swizzle && row != (uint32_t)t->swizzle)
        return error_refuse(
            error, "a tensor map: a row of the box has %u bytes; with this swizzle it %s %d", row,
            row > (uint32_t)t->swizzle ? "may have" : "must have in this simulator", t->swizzle);
    return true;
}

// Bytes per element of each type: u8, u16, u32, s32, u64, s64, f16, f32, f32.ftz, f64, bf16, tf32,
// tf32.ftz. A map made here has the first type whose size matches.
static const uint8_t element_bytes[16] = {1, 2, 4, 4, 8, 8, 2, 4, 4, 8, 2, 4, 4};

bool sim_tensor_map(const struct sim_tensor *t, uint8_t map[SIM_TENSOR_MAP_BYTES],
                    struct error *error) {
    struct encoded e = {.magic = MAGIC, .address = t->address};
    uint32_t type = 0;
    if (!tensor_fits(t, error)) return false;
    while (element_bytes[type] && element_bytes[type] != t->element_bytes) type++;
    if (!element_bytes[type])
        return error_refuse(error, "a tensor map: expected elements of 1, 2, 4 or 8 bytes, not %d",
                            t->element_bytes);
    const uint32_t swizzle = t->swizzle == 0 ? 0 : t->swizzle == 32 ? 1 : t->swizzle == 64 ? 2 : 3;
    e.kinds = (uint32_t)(t->dimensions - 1) << AT_RANK | type << AT_TYPE | swizzle << AT_SWIZZLE;
    for (int i = 0; i < t->dimensions; i++) {
        e.size[i] = (uint32_t)(t->size[i] - 1);
        e.box[i] = (uint8_t)(t->box[i] - 1);
        if (i == 0) continue;
        e.stride[i - 1] = (uint32_t)(t->stride[i] / UNIT);
        e.stride_high |= (uint32_t)(t->stride[i] / UNIT >> 32) << 4 * (i - 1);
    }
    memcpy(map, &e, sizeof e);
    return true;
}

bool tensor_map_read(const uint8_t map[SIM_TENSOR_MAP_BYTES], struct sim_tensor *t,
                     struct error *error) {
    struct encoded e;
    memcpy(&e, map, sizeof e);
    const uint32_t swizzle = field(e.kinds, AT_SWIZZLE, 2),
                   steps = e.steps[0] | (uint32_t)e.steps[1] << 8;
    if (e.magic != MAGIC)
        return error_refuse(error, "there is no tensor map: --arg tma: makes one");
    *t = (struct sim_tensor){.address = e.address,
                             .dimensions = (int)field(e.kinds, AT_RANK, 3) + 1,
                             .element_bytes = element_bytes[field(e.kinds, AT_TYPE, 4)],
                             .swizzle = swizzle ? 16 << swizzle : 0};
    for (int i = 0; i < t->dimensions && i < SIM_TENSOR_DIMENSIONS; i++) {
        const uint64_t high = i > 0 ? field(e.stride_high, 4 * (i - 1), 4) : 0;
        t->size[i] = (uint64_t)e.size[i] + 1;
        t->stride[i] = i > 0 ? (high << 32 | e.stride[i - 1]) * UNIT : (uint64_t)t->element_bytes;
        t->box[i] = e.box[i] + 1u;
        if (field(steps, 3 * i, 3))
            return error_refuse(
                error, "a tensor map: the simulator supports no element strides other than 1");
    }
    if (field(e.kinds, AT_INTERLEAVE, 2))
        return error_refuse(error, "a tensor map: the simulator supports no interleaving");
    if (field(e.kinds, AT_FILL, 1))
        return error_refuse(error,
                            "a tensor map: the simulator fills with zeros only, not with NaNs");
    if (!t->element_bytes)
        return error_refuse(error, "a tensor map: its elements are of no known type");
    return tensor_fits(t, error);
}

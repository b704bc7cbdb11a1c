// Tensor maps, which describe a tensor in global memory to the copy engine (CUDA driver API,
// cuTensorMapEncodeTiled).
#include "memory.h"

static const uint64_t MAGIC = UINT64_C(0x70616d726f736e74); // marks a valid map

// The encoded map. stride[] has dimensions 1 to 4.
struct encoded {
    uint64_t magic, address, stride[SIM_TENSOR_DIMENSIONS - 1];
    uint32_t size[SIM_TENSOR_DIMENSIONS]; // size - 1, because a size may be 2^32
    uint16_t box[SIM_TENSOR_DIMENSIONS];
    uint8_t dimensions, element_bytes, swizzle;
};
_Static_assert(sizeof(struct encoded) <= SIM_TENSOR_MAP_BYTES, "a map has 128 bytes");

enum { UNIT = 16, MOST_BOX = 256 };

static bool dimension_fits(const struct sim_tensor *t, int i, struct sim_error *error) {
    if (t->size[i] == 0 || t->size[i] > UINT64_C(1) << 32)
        return sim_refuse(error, "a tensor map: dimension %d has %llu elements; 1 to 2^32 are allowed", i,
                          (unsigned long long)t->size[i]);
    if (t->box[i] == 0 || t->box[i] > MOST_BOX)
        return sim_refuse(error, "a tensor map: the box has %u elements in dimension %d; 1 to %d are allowed",
                          t->box[i], i, MOST_BOX);
    if (i > 0 && (t->stride[i] % UNIT || t->stride[i] == 0 || t->stride[i] >= UINT64_C(1) << 40))
        return sim_refuse(error, "a tensor map: the stride of dimension %d is %llu bytes; it must be a multiple of 16",
                          i, (unsigned long long)t->stride[i]);
    return true;
}

bool sim_tensor_map(const struct sim_tensor *t, uint8_t map[SIM_TENSOR_MAP_BYTES], struct sim_error *error) {
    struct encoded e = {.magic = MAGIC,
                        .address = t->address,
                        .dimensions = (uint8_t)t->dimensions,
                        .element_bytes = (uint8_t)t->element_bytes,
                        .swizzle = (uint8_t)t->swizzle};
    const uint32_t row = t->box[0] * (uint32_t)t->element_bytes;
    if (t->dimensions < 1 || t->dimensions > SIM_TENSOR_DIMENSIONS)
        return sim_refuse(error, "a tensor map has 1 to 5 dimensions, not %d", t->dimensions);
    if (t->address % UNIT) return sim_refuse(error, "a tensor map: the tensor must begin at a multiple of 16 bytes");
    if (t->swizzle != 0 && t->swizzle != 32 && t->swizzle != 64 && t->swizzle != 128)
        return sim_refuse(error, "a tensor map: a swizzle of 0, 32, 64 or 128 bytes, not %d", t->swizzle);
    for (int i = 0; i < t->dimensions; i++) {
        if (!dimension_fits(t, i, error)) return false;
        if (i > 0) e.stride[i - 1] = t->stride[i];
        e.size[i] = (uint32_t)(t->size[i] - 1);
        e.box[i] = (uint16_t)t->box[i];
    }
    if (row % UNIT)
        return sim_refuse(error, "a tensor map: a row of the box has %u bytes, which is no multiple of 16", row);
    if (t->swizzle && row != (uint32_t)t->swizzle)
        return sim_refuse(error, "a tensor map: a row of the box has %u bytes; with this swizzle it %s %d", row,
                          row > (uint32_t)t->swizzle ? "may have" : "must have in this simulator", t->swizzle);
    memset(map, 0, SIM_TENSOR_MAP_BYTES);
    memcpy(map, &e, sizeof e);
    return true;
}

bool tensor_map_read(const uint8_t map[SIM_TENSOR_MAP_BYTES], struct sim_tensor *t) {
    struct encoded e;
    memcpy(&e, map, sizeof e);
    if (e.magic != MAGIC) return false;
    *t = (struct sim_tensor){
        .address = e.address, .dimensions = e.dimensions, .element_bytes = e.element_bytes, .swizzle = e.swizzle};
    for (int i = 0; i < t->dimensions; i++) {
        t->size[i] = (uint64_t)e.size[i] + 1;
        t->stride[i] = i > 0 ? e.stride[i - 1] : e.element_bytes;
        t->box[i] = e.box[i];
    }
    return true;
}

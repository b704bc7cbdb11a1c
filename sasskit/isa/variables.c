// Reads the variables on a thread's stack from the tree of entries in .debug_info (DWARF 2 to 4).
//
// A variable in local memory has address class 6. Its location is an offset from the function's
// frame base: the stack pointer when the function begins.
// Limits: variables of inlined functions are left out, because another entry has their types.
#include "variables.h"
#include "dwarf.h"

#include <stdlib.h>

enum {
    ARRAY_TYPE = 0x01,
    CONST_TYPE = 0x26,
    VOLATILE_TYPE = 0x35,
    TYPEDEF = 0x16,
    SUBRANGE = 0x21,
    SUBPROGRAM = 0x2e,
    VARIABLE = 0x34
};
enum {
    LOCATION = 0x02,
    NAME = 0x03,
    BYTE_SIZE = 0x0b,
    UPPER_BOUND = 0x2f,
    ADDRESS_CLASS = 0x33,
    COUNT = 0x37,
    TYPE = 0x49
};
enum { LINKAGE_NAME = 0x6e, MIPS_LINKAGE_NAME = 0x2007 };
enum { OP_PLUS_CONSTANT = 0x23, OP_FRAME_BASE = 0x91, OP_NOP = 0x96 };
// Forms of attribute values (DWARF's DW_FORM_...).
enum {
    FORM_ADDRESS = 0x01,
    FORM_BLOCK2 = 0x03,
    FORM_BLOCK4 = 0x04,
    FORM_DATA2 = 0x05,
    FORM_DATA4 = 0x06,
    FORM_DATA8 = 0x07,
    FORM_STRING = 0x08,
    FORM_BLOCK = 0x09,
    FORM_BLOCK1 = 0x0a,
    FORM_DATA1 = 0x0b,
    FORM_FLAG = 0x0c,
    FORM_SDATA = 0x0d,
    FORM_STRP = 0x0e,
    FORM_UDATA = 0x0f,
    FORM_REF_ADDR = 0x10,
    FORM_REF1 = 0x11,
    FORM_REF2 = 0x12,
    FORM_REF4 = 0x13,
    FORM_REF8 = 0x14,
    FORM_REF_UDATA = 0x15,
    FORM_SEC_OFFSET = 0x17,
    FORM_EXPRLOC = 0x18,
    FORM_FLAG_PRESENT = 0x19
};
enum { LOCAL_CLASS = 6, MOST_ARRAYS = 4096, DEEPEST = 64 };

struct compilation_unit {
    const struct debug_sections *sections;
    const uint8_t *start, *end, *abbreviations;
    unsigned version, address_bytes;
};

struct debug_entry {
    uint64_t tag; // DWARF's tag; 0 for an entry that ends a list of children
    bool children;
    const char *name, *linkage_name;
    const uint8_t *type; // entry of the variable's type; NULL if it has none
    int64_t byte_size, count, address_class;
    struct cursor location;
};

// Finds abbreviation `wanted` of the unit. Sets *declaration to its attributes, and the entry's tag
// and `children`. Returns false if there is none.
static bool find_abbreviation(const struct compilation_unit *u, uint64_t wanted,
                              struct debug_entry *entry, struct cursor *declaration) {
    struct cursor at = {u->abbreviations,
                        u->sections->abbreviations + u->sections->abbreviation_size, false};
    for (uint64_t number_of; !at.bad && (number_of = leb(&at, false)) != 0;) {
        entry->tag = leb(&at, false);
        entry->children = number(&at, 1) != 0;
        *declaration = at;
        if (number_of == wanted) return !at.bad;
        for (uint64_t attribute = 1, form = 1; !at.bad && (attribute || form);)
            attribute = leb(&at, false), form = leb(&at, false);
    }
    return false;
}

// Reads a value of a form. Sets *block if the value is a block, otherwise *value; a string's value
// is its address. Returns false on failure.
static bool read_value(const struct compilation_unit *u, struct cursor *at, uint64_t form,
                       uint64_t *value, struct cursor *block) {
    int64_t length = -1;
    switch (form) {
    case FORM_ADDRESS:
        *value = number(at, u->address_bytes);
        break;
    case FORM_BLOCK2:
        length = (int64_t)number(at, 2);
        break;
    case FORM_BLOCK4:
        length = (int64_t)number(at, 4);
        break;
    case FORM_DATA2:
    case FORM_REF2:
        *value = number(at, 2);
        break;
    case FORM_DATA4:
    case FORM_REF4:
    case FORM_SEC_OFFSET:
        *value = number(at, 4);
        break;
    case FORM_DATA8:
    case FORM_REF8:
        *value = number(at, 8);
        break;
    case FORM_STRING:
        *value = (uint64_t)(uintptr_t)string(at);
        break;
    case FORM_BLOCK:
    case FORM_EXPRLOC:
        length = (int64_t)leb(at, false);
        break;
    case FORM_BLOCK1:
        length = (int64_t)number(at, 1);
        break;
    case FORM_DATA1:
    case FORM_FLAG:
    case FORM_REF1:
        *value = number(at, 1);
        break;
    case FORM_SDATA:
        *value = leb(at, true);
        break;
    case FORM_STRP: {
        const uint64_t offset = number(at, 4);
        if (!u->sections->strings || offset >= u->sections->string_size) return false;
        struct cursor text = {u->sections->strings + offset,
                              u->sections->strings + u->sections->string_size, false};
        *value = (uint64_t)(uintptr_t)string(&text);
        break;
    }
    case FORM_UDATA:
    case FORM_REF_UDATA:
        *value = leb(at, false);
        break;
    case FORM_REF_ADDR:
        *value = number(at, u->version == 2 ? u->address_bytes : 4);
        break;
    case FORM_FLAG_PRESENT:
        *value = 1;
        break;
    default:
        return false;
    }
    if (length < 0) return !at->bad;
    const uint8_t *const start = skip(at, length);
    *block = (struct cursor){start, at->at, false};
    return !at->bad;
}

// Reads the entry at the cursor and moves past it. Returns false at the end of the unit, and for an
// unknown abbreviation or form.
static bool read_entry(const struct compilation_unit *u, struct cursor *at,
                       struct debug_entry *entry) {
    struct cursor declaration;
    *entry = (struct debug_entry){.byte_size = -1, .count = -1, .address_class = -1};
    if (at->at >= at->end || at->bad) return false;
    const uint64_t number_of = leb(at, false);
    if (number_of == 0) return !at->bad;
    if (!find_abbreviation(u, number_of, entry, &declaration)) return false;
    for (;;) {
        const uint64_t attribute = leb(&declaration, false), form = leb(&declaration, false);
        uint64_t value = 0;
        struct cursor block = {NULL, NULL, false};
        if (declaration.bad || (!attribute && !form)) return !declaration.bad;
        if (!read_value(u, at, form, &value, &block)) return false;
        switch (attribute) {
        case NAME:
            entry->name = (const char *)(uintptr_t)value;
            break;
        case LINKAGE_NAME:
        case MIPS_LINKAGE_NAME:
            entry->linkage_name = (const char *)(uintptr_t)value;
            break;
        case TYPE:
            entry->type = value < (uint64_t)(u->end - u->start) ? u->start + value : NULL;
            break;
        case BYTE_SIZE:
            entry->byte_size = block.at ? -1 : (int64_t)value;
            break;
        case COUNT:
            entry->count = block.at ? -1 : (int64_t)value;
            break;
        case UPPER_BOUND:
            entry->count = block.at || entry->count >= 0 ? entry->count : (int64_t)value + 1;
            break;
        case ADDRESS_CLASS:
            entry->address_class = (int64_t)value;
            break;
        case LOCATION:
            entry->location = block;
            break;
        default:
            break;
        }
    }
}

// Returns the size of a type in bytes; -1 if unknown. Sets *is_array to true for an array.
static int64_t bytes_of(const struct compilation_unit *u, const uint8_t *type, bool *is_array,
                        int depth) {
    struct debug_entry entry, range;
    struct cursor at = {type, u->end, false};
    *is_array = false;
    if (!type || depth > DEEPEST || !read_entry(u, &at, &entry)) return -1;
    if (entry.tag == CONST_TYPE || entry.tag == VOLATILE_TYPE || entry.tag == TYPEDEF)
        return bytes_of(u, entry.type, is_array, depth + 1);
    if (entry.tag != ARRAY_TYPE) return entry.byte_size;
    bool inner;
    int64_t bytes = bytes_of(u, entry.type, &inner, depth + 1);
    while (entry.children && bytes >= 0 && read_entry(u, &at, &range) && range.tag) {
        if (range.tag != SUBRANGE || range.count < 0 || range.count > INT32_MAX ||
            bytes > INT32_MAX)
            return -1;
        bytes *= range.count;
    }
    *is_array = true;
    return bytes;
}

// Returns true and sets *distance (in bytes) if the location is the frame base plus a constant.
static bool distance_of(struct cursor location, int64_t *distance) {
    if (!location.at || number(&location, 1) != OP_FRAME_BASE) return false;
    *distance = (int64_t)leb(&location, true);
    while (!location.bad && location.at < location.end) {
        const uint64_t operation = number(&location, 1);
        if (operation == OP_PLUS_CONSTANT)
            *distance += (int64_t)leb(&location, false);
        else if (operation != OP_NOP)
            return false;
    }
    return !location.bad && *distance >= INT32_MIN && *distance <= INT32_MAX;
}

// Returns the kernel whose code contains the function `name`. Sets *address to the code address of
// the function's first byte.
static struct sass_kernel *find_function(struct sass_cubin *cubin, const char *name,
                                         uint32_t *address) {
    for (int k = 0; name && k < cubin->kernel_count; k++) {
        struct sass_kernel *kernel = &cubin->kernels[k];
        *address = 0;
        if (strcmp(kernel->name, name) == 0) return kernel;
        for (int i = 0; i < kernel->symbol_count; i++) {
            *address = kernel->symbols[i].address;
            if (strcmp(kernel->symbols[i].name, name) == 0) return kernel;
        }
    }
    return NULL;
}

static void add_array(struct sass_kernel *kernel, struct sass_array array) {
    if (!kernel || kernel->array_count >= MOST_ARRAYS) return;
    struct sass_array *more =
        realloc(kernel->arrays, ((size_t)kernel->array_count + 1) * sizeof *more);
    if (!more) return;
    kernel->arrays = more;
    kernel->arrays[kernel->array_count++] = array;
}

static void read_unit(const struct compilation_unit *u, struct cursor at,
                      struct sass_cubin *cubin) {
    struct sass_kernel *kernel = NULL;
    uint32_t function = 0;
    // `inside` is the depth of the current function's children in the tree; 0 outside of functions
    int depth = 0, inside = 0;
    for (struct debug_entry entry; read_entry(u, &at, &entry);) {
        int64_t distance;
        bool is_array;
        if (!entry.tag && --depth < inside) inside = 0, kernel = NULL;
        if (entry.tag == SUBPROGRAM && entry.children) {
            kernel = find_function(cubin, entry.linkage_name ? entry.linkage_name : entry.name,
                                   &function);
            inside = depth + 1;
        }
        if (entry.tag == VARIABLE && kernel && entry.address_class == LOCAL_CLASS &&
            distance_of(entry.location, &distance)) {
            const int64_t bytes = bytes_of(u, entry.type, &is_array, 0);
            if (bytes > 0 && bytes <= INT32_MAX)
                add_array(kernel,
                          (struct sass_array){entry.name ? entry.name : "?", function,
                                              (int32_t)distance, (uint32_t)bytes, is_array});
        }
        if (entry.tag) depth += entry.children;
    }
}

void read_arrays(const struct debug_sections *sections, struct sass_cubin *cubin) {
    struct cursor all = {sections->info, sections->info + sections->info_size, false};
    while (!all.bad && all.end - all.at > 11) {
        struct compilation_unit u = {.sections = sections, .start = all.at};
        const uint64_t length = number(&all, 4);
        if (length < 7 || length > (uint64_t)(all.end - all.at)) return;
        struct cursor unit = {all.at, all.at + length, false};
        u.end = all.at += length;
        u.version = (unsigned)number(&unit, 2);
        const uint64_t offset = number(&unit, 4);
        u.address_bytes = (unsigned)number(&unit, 1);
        if (u.version < 2 || u.version > 4 || offset >= sections->abbreviation_size ||
            u.address_bytes > 8)
            continue;
        u.abbreviations = sections->abbreviations + offset;
        read_unit(&u, unit, cubin);
    }
}

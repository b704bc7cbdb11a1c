// Names of branch targets.
#include "labels.h"

#include "base/near.h"
#include "chip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void labels_clear(struct label_list *list) {
    arena_clear(&list->memory);
    free(list->items);
    list->items = NULL;
    list->count = 0;
}

void labels_add(struct label_list *list, const char *name, size_t length, uint64_t address) {
    GROW(list->items, list->count);
    list->items[list->count++] = (struct label){arena_text(&list->memory, name, length), address};
}

static const struct label *labels_at(const struct label_list *list, uint64_t address) {
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].address == address) return &list->items[i];
    }
    return NULL;
}

static bool name_of(const void *context, uint64_t address, char *text, size_t size) {
    const struct label *label = labels_at(context, address);
    if (label) snprintf(text, size, "%s", label->name);
    return label;
}

static bool address_of(const void *context, const char *name, size_t length, uint64_t *address) {
    const struct label_list *list = context;
    for (size_t i = 0; i < list->count; i++) {
        if (strlen(list->items[i].name) != length || memcmp(list->items[i].name, name, length) != 0)
            continue;
        *address = list->items[i].address;
        return true;
    }
    return false;
}

static void offer(const void *context, struct near *near) {
    const struct label_list *list = context;
    for (size_t i = 0; i < list->count; i++)
        near_offer(near, list->items[i].name, strlen(list->items[i].name));
}

struct sass_labels labels_view(const struct label_list *list) {
    return (struct sass_labels){name_of, address_of, list, list->generation, offer};
}

// Sets *target to the index of the instruction to which the branch at `index` leads. Returns false
// if there is no branch, or if its target is outside the kernel.
static bool target_of(const struct sass_kernel *kernel, size_t index, size_t *target) {
    struct sass_instruction in;
    struct error error = {0};
    if (!sass_decode(cubin_word(kernel, index), index * SASS_BYTES, &in, &error)) return false;
    const struct sass_operand *operand = &in.operand[SASS_T];
    if (!sass_has_target(&in) || operand->value < 0 || operand->value % SASS_BYTES) return false;
    *target = (size_t)operand->value / SASS_BYTES;
    return *target < kernel->count;
}

static void name_functions(struct label_list *list, const struct sass_kernel *kernel, bool *named) {
    for (int i = 0; i < kernel->symbol_count; i++) {
        const struct sass_symbol *symbol = &kernel->symbols[i];
        const size_t index = symbol->address / SASS_BYTES;
        if (symbol->address % SASS_BYTES || index >= kernel->count || named[index]) continue;
        if (!symbol->name[0] || symbol->name[strcspn(symbol->name, ") \t\r\n:/")]) continue;
        labels_add(list, symbol->name, strlen(symbol->name), symbol->address);
        named[index] = true;
    }
}

// Numbers labels like nvdisasm, in the order of the first branch to each.
void labels_of_kernel(struct label_list *list, const struct sass_kernel *kernel) {
    bool *named;
    labels_clear(list);
    ARENA_NEW(&list->memory, named, kernel->count + 1);
    list->generation = kernel->chip->generation;
    name_functions(list, kernel, named);
    for (size_t i = 0, target = 0; i < kernel->count; i++) {
        char name[32];
        if (!target_of(kernel, i, &target) || named[target]) continue;
        named[target] = true;
        snprintf(name, sizeof name, ".L_x_%d", list->next++);
        labels_add(list, name, strlen(name), target * SASS_BYTES);
    }
}

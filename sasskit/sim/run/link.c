// Fills the addresses of functions and variables into code. The address of a function goes into a
// CALL or, as two halves, into two MOVs. The address of a variable is unknown before the launch, so
// its MOVs are changed to read a constant bank that nvcc never uses.
#include "link.h"

#include "isa/chip.h"
#include "isa/elf64.h"
#include "isa/encoding.h"
#include "system.h"

#include <stdio.h>
#include <stdlib.h>

// Types of relocations: R_CUDA_ABS32_LO_32, R_CUDA_ABS32_HI_32, R_CUDA_ABS56_16_34 and, before
// sm_90, R_CUDA_ABS47_34.
enum { LOW_HALF = 0x38, HIGH_HALF = 0x39, WHOLE = 0x4b, WHOLE_BEFORE = 0x3a };
enum { MOV = 0x802, MOV_CONSTANT = 0xa02, ALIGNMENT = 128 };
enum { WANTED = 4096 };       // most addresses of variables, of 8 bytes each
enum { MOST_CODE = 1 << 28 }; // maximal size of linked code in bytes

struct linker {
    const struct sass_cubin *cubin;
    struct elf_image elf;
    struct variables *variables;
    struct sass_kernel *kernel;      // the copy that sim/run executes
    const struct sass_kernel **part; // [parts] the kernel, then functions that it may call
    size_t *base;                    // [parts] offset of each in the linked code, in bytes
    size_t parts, wanted;            // `wanted`: number of variables' addresses in LINK_BANK so far
    struct error *error;
};

// Returns the kernel or function in a section; NULL if the section has none.
static const struct sass_kernel *code_of(const struct linker *l, size_t section) {
    const Elf64_Shdr header = elf_section(&l->elf, section < l->elf.section_count ? section : 0);
    const char *name = elf_string(&l->elf, &l->elf.names, header.sh_name);
    return name && strncmp(name, ".text.", 6) == 0 ? cubin_kernel(l->cubin, name + 6) : NULL;
}

// Returns the offset of a part in the linked code; appends the part if it is new.
static size_t place(struct linker *l, const struct sass_kernel *code, size_t section) {
    for (size_t i = 0; i < l->parts; i++) {
        if (l->part[i] == code) return l->base[i];
    }
    const size_t before =
        l->parts ? l->base[l->parts - 1] + l->part[l->parts - 1]->count * SASS_BYTES : 0;
    l->part[l->parts] = code;
    l->base[l->parts] = (before + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    variables_place_code(l->variables, section, l->base[l->parts]);
    return l->base[l->parts++];
}

// Puts the address of a symbol into the instruction at `bytes`.
static bool fill_in(struct linker *l, uint8_t *bytes, const Elf64_Rela *r, const Elf64_Sym *symbol,
                    const char *name) {
    const struct sass_kernel *code = code_of(l, symbol->st_shndx);
    const bool outside = symbol->st_shndx == SHN_UNDEF;
    struct sass_word word = {.generation = l->kernel->chip->generation};
    uint64_t address = outside ? system_address(name) : symbol->st_value + (uint64_t)r->r_addend;
    memcpy(&word, bytes, SASS_BYTES);
    if (code) address += place(l, code, symbol->st_shndx);
    if ((r->r_type == WHOLE || r->r_type == WHOLE_BEFORE) && (code || outside)) {
        // a CALL, which has the whole address
        const bool near = sass_before_hopper(word.generation);
        if (!near) word_put(&word, (struct field){16, 8}, address / 4);
        word_put(&word, (struct field){34, 48}, near ? address / 4 : address / 4 >> 8);
    } else if ((word.low & 0xfff) != MOV || (r->r_type != LOW_HALF && r->r_type != HIGH_HALF)) {
        return error_fail(l->error,
                          "%s: the address of %s goes where the simulator cannot put it (a "
                          "relocation of type %u)",
                          l->kernel->name, name, (unsigned)r->r_type);
    } else if (code || outside) {
        word_put(&word, (struct field){32, 32}, r->r_type == LOW_HALF ? address : address >> 32);
    } else {
        if (l->wanted == WANTED ||
            !variables_want(l->variables, LINK_BANK, 8 * l->wanted, symbol->st_shndx, address))
            return error_fail(
                l->error,
                "%s: the code takes more addresses of variables than the simulator supports, %d",
                l->kernel->name, WANTED);
        word_put(&word, (struct field){0, 12}, MOV_CONSTANT);
        word_put(&word, (struct field){32, 32}, 0);
        word_put(&word, (struct field){38, 16}, 8 * l->wanted++ + (r->r_type == HIGH_HALF ? 4 : 0));
        word_put(&word, (struct field){54, 5}, LINK_BANK);
    }
    cubin_store(word, bytes);
    return true;
}

// Returns true for a section with relocations of the kernel's code. Before sm_90, the relocations
// of CALLs are in .rel sections.
static bool is_relocations_of(const char *section, const char *kernel) {
    const bool added = strncmp(section, ".rela.text.", 11) == 0;
    return (added || strncmp(section, ".rel.text.", 10) == 0) &&
           strcmp(section + (added ? 11 : 10), kernel) == 0;
}

// Copies a part's code and relocates it. Functions that it calls become further parts.
static bool add_part(struct linker *l, size_t part) {
    const struct sass_kernel *from = l->part[part];
    struct sass_kernel *to = l->kernel;
    const size_t end = l->base[part] + from->count * SASS_BYTES;
    if (end > MOST_CODE)
        return error_fail(l->error, "kernel %s and its functions have more than %d MB of code",
                          to->name, MOST_CODE >> 20);
    uint8_t *more = realloc(to->code, end);
    if (!more) return error_fail(l->error, "not enough host memory");
    memset(more + to->count * SASS_BYTES, 0, end - to->count * SASS_BYTES);
    memcpy(more + l->base[part], from->code, from->count * SASS_BYTES);
    to->code = more;
    to->count = end / SASS_BYTES;
    if (from->registers > to->registers) to->registers = from->registers;
    if (part) to->local_bytes += from->local_bytes;
    for (size_t i = 0; i < l->elf.section_count; i++) {
        const Elf64_Shdr header = elf_section(&l->elf, i);
        const char *name = elf_string(&l->elf, &l->elf.names, header.sh_name);
        if (!name || !is_relocations_of(name, from->name) || !elf_contents(&l->elf, &header) ||
            header.sh_link >= l->elf.section_count)
            continue;
        const Elf64_Shdr symbols = elf_section(&l->elf, header.sh_link);
        for (size_t k = 0; k < elf_relocations(&header); k++) {
            const char *symbol_name;
            Elf64_Rela r = elf_relocation(&l->elf, &header, k);
            if (header.sh_type == SHT_REL) r.r_addend = 0; // REL entries have no addend
            const Elf64_Sym symbol = elf_symbol(&l->elf, &symbols, r.r_symbol, &symbol_name);
            if (r.r_offset % SASS_BYTES || r.r_offset >= from->count * SASS_BYTES)
                return error_fail(l->error,
                                  "%s: the cubin is damaged: a relocation lies outside the code",
                                  from->name);
            if (!fill_in(l, to->code + l->base[part] + r.r_offset, &r, &symbol,
                         symbol_name ? symbol_name : "?"))
                return false;
        }
    }
    return true;
}

// Merges the lists of spills. If one part's spills are unknown, all are.
static bool join_spills(struct linker *l) {
    struct sass_kernel *to = l->kernel;
    int count = 0;
    for (size_t i = 0; i < l->parts; i++)
        count = count < 0 || l->part[i]->spill_count < 0 ? -1 : count + l->part[i]->spill_count;
    to->spills = calloc((size_t)(count > 0 ? count : 0) + 1, sizeof *to->spills);
    to->spill_count = count < 0 ? -1 : 0;
    if (!to->spills) return error_fail(l->error, "not enough host memory");
    for (size_t i = 0; i < l->parts && count > 0; i++)
        for (int k = 0; k < l->part[i]->spill_count; k++)
            to->spills[to->spill_count++] = l->part[i]->spills[k] + (uint32_t)l->base[i];
    return true;
}

// Merges the source lines, function names and variables on the stack of all parts.
static bool join_tables(struct linker *l) {
    struct sass_kernel *to = l->kernel;
    size_t lines = 0, symbols = 0, arrays = 0;
    for (size_t i = 0; i < l->parts; i++)
        lines += (size_t)l->part[i]->line_count, symbols += (size_t)l->part[i]->symbol_count,
            arrays += (size_t)l->part[i]->array_count;
    to->lines = calloc(lines + 1, sizeof *to->lines);
    to->symbols = calloc(symbols + 1, sizeof *to->symbols);
    to->arrays = calloc(arrays + 1, sizeof *to->arrays);
    if (!to->lines || !to->symbols || !to->arrays)
        return error_fail(l->error, "not enough host memory");
    for (size_t i = 0; i < l->parts; i++) {
        for (int k = 0; k < l->part[i]->line_count; k++) {
            to->lines[to->line_count] = l->part[i]->lines[k];
            to->lines[to->line_count++].address += (uint32_t)l->base[i];
        }
        for (int k = 0; k < l->part[i]->symbol_count; k++) {
            to->symbols[to->symbol_count] = l->part[i]->symbols[k];
            to->symbols[to->symbol_count++].address += (uint32_t)l->base[i];
        }
        for (int k = 0; k < l->part[i]->array_count; k++) {
            to->arrays[to->array_count] = l->part[i]->arrays[k];
            to->arrays[to->array_count++].function += (uint32_t)l->base[i];
        }
    }
    to->constant_bytes[LINK_BANK] = 8 * l->wanted;
    return true;
}

struct sass_kernel *link_kernel(const struct sass_cubin *cubin, const struct sass_kernel *kernel,
                                struct variables *variables, struct error *error) {
    struct linker l = {.cubin = cubin, .variables = variables, .error = error};
    const size_t most = (size_t)cubin->kernel_count + 1;
    l.kernel = calloc(1, sizeof *l.kernel);
    l.part = calloc(most, sizeof *l.part);
    l.base = calloc(most, sizeof *l.base);
    bool good = l.kernel && l.part && l.base && elf_open(&l.elf, cubin->bytes, cubin->size) &&
                elf_find_sections(&l.elf);
    if (good) {
        *l.kernel = *kernel;
        l.kernel->code = NULL;
        l.kernel->count = 0;
        l.kernel->lines = NULL;
        l.kernel->symbols = NULL;
        l.kernel->spills = NULL;
        l.kernel->arrays = NULL;
        l.kernel->line_count = l.kernel->symbol_count = l.kernel->array_count = 0;
        l.part[l.parts++] = kernel;
    }
    // Adds functions that are called by pointer.
    for (size_t i = 1; good && i < l.elf.section_count; i++) {
        const struct sass_kernel *code = variables_point_to(variables, i) ? code_of(&l, i) : NULL;
        if (code) place(&l, code, i);
    }
    for (size_t i = 0; good && i < l.parts; i++) good = add_part(&l, i);
    good = good && join_tables(&l) && join_spills(&l);
    free(l.part);
    free(l.base);
    if (good) return l.kernel;
    link_close(l.kernel);
    return NULL;
}

void link_close(struct sass_kernel *kernel) {
    if (!kernel) return;
    free(kernel->code);
    free(kernel->lines);
    free(kernel->arrays);
    free(kernel->symbols);
    free(kernel->spills);
    free(kernel);
}

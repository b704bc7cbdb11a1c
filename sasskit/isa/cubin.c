// Reads and writes cubins, which are ELF64 files of machine 190. Checks every offset and size
// against the file before use.
#include "cubin.h"

#include "base/file.h"
#include "chip.h"
#include "elf64.h"
#include "encoding.h"
#include "lines.h"
#include "variables.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SECTIONS = 1 << 16, MAX_FILE = 1 << 30 };

struct section {
    const char *name;
    Elf64_Shdr header;
    const uint8_t *bytes; // NULL if the section has no bytes in the file (NOBITS)
    int kernel;           // number (from 1) of the kernel whose code it has; 0 for other sections
};

struct cubin_image {
    struct sass_cubin *cubin;
    struct elf_image elf;
    struct section *sections;
    size_t count;
    // a hash table with linear probing: for each section name, the first section of that name
    const struct section **by_name;
    uint32_t name_mask;
    Elf64_Shdr symbols; // header of the symbol table; its size is 0 if there is none
    // symbol-table indices of functions, grouped by section: section s begins at first_function[s]
    uint32_t *functions, *first_function;
    bool marks_spills;
    struct error *error;
};

// --- raw access ----------------------------------------------------------------------------------

static uint64_t little(const uint8_t *bytes, unsigned count) {
    uint64_t value = 0;
    for (unsigned i = 0; i < count; i++) value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

static bool broken(const struct cubin_image *image, const char *what) {
    return error_fail(image->error, "%s: not a whole cubin: %s", image->cubin->path, what);
}

// Returns the slot of by_name for the section named `prefix` + `kernel`; the slot has NULL if there
// is no such section. The table is hashed because a cubin may have hundreds of kernels.
static const struct section **place_of(const struct cubin_image *image, const char *prefix,
                                       const char *kernel) {
    const size_t before = strlen(prefix);
    uint32_t hash = 2166136261; // FNV-1a hash
    for (const char *c = prefix; *c; c++) hash = (hash ^ (uint8_t)*c) * 16777619;
    for (const char *c = kernel; *c; c++) hash = (hash ^ (uint8_t)*c) * 16777619;
    for (;; hash++) {
        const struct section **s = &image->by_name[hash & image->name_mask];
        if (!*s ||
            (strncmp((*s)->name, prefix, before) == 0 && strcmp((*s)->name + before, kernel) == 0))
            return s;
    }
}

static const struct section *section_of(const struct cubin_image *image, const char *prefix,
                                        const char *kernel) {
    return *place_of(image, prefix, kernel);
}

static const struct section *find_section(const struct cubin_image *image, const char *name) {
    return section_of(image, name, "");
}

static size_t symbol_count(const struct cubin_image *image) {
    return image->symbols.sh_size / sizeof(Elf64_Sym);
}

static Elf64_Sym symbol_at(const struct cubin_image *image, size_t index, const char **name) {
    const Elf64_Sym symbol = elf_symbol(&image->elf, &image->symbols, index, name);
    if (!*name) *name = "";
    return symbol;
}

static unsigned type_of(Elf64_Sym symbol) {
    return symbol.st_info & 15;
}

// --- headers -------------------------------------------------------------------------------------

static bool read_sections(struct cubin_image *image) {
    const struct sass_cubin *cubin = image->cubin;
    struct elf_image *elf = &image->elf;
    if (!elf_find_sections(elf) || elf->section_count > MAX_SECTIONS)
        return broken(image, "section table cut short");
    image->count = elf->section_count;
    while (image->name_mask <= 2 * image->count) image->name_mask = 2 * image->name_mask + 1;
    image->sections = calloc(image->count + 1, sizeof *image->sections);
    image->by_name = calloc(image->name_mask + 1, sizeof *image->by_name);
    if (!image->sections || !image->by_name)
        return error_fail(image->error, "%s: not enough host memory", cubin->path);
    if (!elf_contents(elf, &elf->names)) return broken(image, "no section names");
    for (size_t i = 0; i < image->count; i++) {
        struct section *section = &image->sections[i];
        section->header = elf_section(elf, i);
        section->bytes = elf_contents(elf, &section->header);
        const char *name = elf_string(elf, &elf->names, section->header.sh_name);
        section->name = name ? name : "";
        const struct section **place = place_of(image, section->name, "");
        if (!*place) *place = section;
        const uint32_t type = section->header.sh_type;
        if (!section->bytes && type != SHT_NOBITS && type != SHT_NULL)
            return broken(image, "a section lies beyond the file's end");
        if (type == SHT_SYMTAB) image->symbols = section->header;
    }
    return true;
}

static bool holds(const struct sass_cubin *cubin, const char *word) {
    return memmem(cubin->bytes, cubin->size, word, strlen(word)) != NULL;
}

// Reports what the file is instead of a cubin, and how to make a cubin of it.
static bool name_foreign(const struct sass_cubin *cubin, struct error *error) {
    static const uint8_t fatbin[] = {0x50, 0xed, 0x55, 0xba};
    const char *what = "not an ELF file, so no cubin: nvcc -arch=sm_90 -cubin FILE.cu makes one";
    if (cubin->size >= sizeof fatbin && memcmp(cubin->bytes, fatbin, sizeof fatbin) == 0)
        what = "a fatbin: cuobjdump -xelf all FILE takes the cubins out of it";
    else if (holds(cubin, ".version") && holds(cubin, ".target"))
        what = "PTX: ptxas -arch=sm_90 FILE -o FILE.cubin makes a cubin of it";
    else if (holds(cubin, "__global__"))
        what = "CUDA source: nvcc -arch=sm_90 -lineinfo -cubin FILE makes a cubin of it";
    else if (holds(cubin, ".kernel "))
        what = "assembler text: sass asm FILE -o FILE.cubin makes a cubin of it";
    else if (cubin->size >= 8 && memcmp(cubin->bytes, "!<arch>\n", 8) == 0)
        what = "a library of object files: cuobjdump -xelf all FILE takes the cubins out of it";
    return error_fail(error, "%s: %s", cubin->path, what);
}

static bool read_header(struct cubin_image *image) {
    struct sass_cubin *cubin = image->cubin;
    const Elf64_Ehdr *header = &image->elf.header;
    if (!elf_open(&image->elf, cubin->bytes, cubin->size)) return name_foreign(cubin, image->error);
    if (header->e_machine != MACHINE_CUDA || header->e_ident[EI_CLASS] != ELFCLASS64 ||
        header->e_ident[EI_DATA] != ELFDATA2LSB) {
        return error_fail(image->error,
                          "%s: a program or object file (ELF machine %d), no cubin: cuobjdump "
                          "-xelf all FILE takes the cubins out of it",
                          cubin->path, header->e_machine);
    }
    int arch = (int)(header->e_flags >> 8 & 0xff);
    // Toolkits before 13 have the architecture in bits 0 to 7.
    if (arch < 75) arch = (int)(header->e_flags & 0xff);
    cubin->chip = sass_chip(arch);
    return cubin->chip ||
           error_fail(image->error, "%s: code for sm_%d: expected one of %s", cubin->path, arch,
                      sass_chip_names(false, (char[SASS_CHIP_NAMES]){0}));
}

// --- kernels and variables -----------------------------------------------------------------------

struct info {
    struct cubin_image *image;
    struct sass_kernel *kernel;
};

static void read_parameter(struct sass_kernel *kernel, const uint8_t *data, size_t size) {
    if (size < 12) return;
    const unsigned ordinal = (unsigned)little(data + 4, 2);
    if (ordinal >= 4096) return;
    if ((int)ordinal >= kernel->parameter_count) {
        struct sass_parameter *grown = realloc(kernel->parameters, (ordinal + 1) * sizeof *grown);
        if (!grown) return;
        for (unsigned i = (unsigned)kernel->parameter_count; i <= ordinal; i++)
            grown[i] = (struct sass_parameter){0};
        kernel->parameters = grown;
        kernel->parameter_count = (int)ordinal + 1;
    }
    kernel->parameters[ordinal] = (struct sass_parameter){
        (uint16_t)ordinal, (uint16_t)little(data + 6, 2), (uint16_t)(little(data + 8, 4) >> 18)};
}

// Reads annotations: pairs of a kind and a code address in bytes. Kind 1 marks a load or store that
// spills a register. nvcc 13.0 marks exactly those that ptxas -v counts.
static void read_annotations(struct sass_kernel *kernel, const uint8_t *data, size_t size) {
    enum { SPILL = 1 };
    uint32_t *spills = realloc(kernel->spills, (size / 8 + 1) * sizeof *spills);
    if (!spills) return;
    kernel->spills = spills;
    kernel->spill_count = 0;
    for (size_t i = 0; i < size / 8; i++)
        if (little(data + 8 * i, 4) == SPILL)
            spills[kernel->spill_count++] = (uint32_t)little(data + 8 * i + 4, 4);
}

// Reads an attribute of the kernel's own section (.nv.info.NAME).
static void own_attribute(struct info *info, unsigned id, const uint8_t *data, size_t size) {
    struct sass_kernel *kernel = info->kernel;
    if (id == INFO_PARAM_CBANK && size >= 8) kernel->param_base = (int)little(data + 4, 2);
    if (id == INFO_PARAM_CBANK && size >= 8) kernel->param_bytes = (int)little(data + 6, 2);
    if (id == INFO_KPARAM_INFO) read_parameter(kernel, data, size);
    if (id == INFO_MAX_THREADS && size >= 12) {
        const uint64_t threads = little(data, 4) * little(data + 4, 4) * little(data + 8, 4);
        kernel->max_threads = threads <= 1024 ? (int)threads : 0;
    }
    for (int i = 0; i < 3 && id == INFO_CTA_PER_CLUSTER && size >= 12; i++) {
        const uint64_t blocks = little(data + 4 * i, 4);
        kernel->cluster[i] = blocks <= 16 ? (int)blocks : 16;
    }
    if (id == INFO_ANNOTATIONS) read_annotations(kernel, data, size);
    if (id == INFO_NUM_BARRIERS && size >= 1) kernel->barriers = data[0];
}

// Reads an attribute of the common section (.nv.info): `data` begins with the kernel's symbol.
static void common_attribute(struct info *info, unsigned id, const uint8_t *data, size_t size) {
    if (size < 8) return;
    const char *name;
    const Elf64_Sym symbol = symbol_at(info->image, little(data, 4), &name);
    const int number =
        symbol.st_shndx < info->image->count ? info->image->sections[symbol.st_shndx].kernel : 0;
    struct sass_kernel *kernel = number ? &info->image->cubin->kernels[number - 1] : NULL;
    if (!kernel || strcmp(kernel->name, name) != 0) return;
    if (id == INFO_REGCOUNT) kernel->registers = (int)(little(data + 4, 4) & 0xffff);
    if (id == INFO_REGCOUNT) kernel->regcount_at = (uint64_t)(data + 4 - info->image->cubin->bytes);
    if (id == INFO_FRAME_SIZE) kernel->local_bytes = (int)(little(data + 4, 4) & 0xffffff);
}

static void read_info(const struct section *section, struct info *info,
                      void (*attribute)(struct info *, unsigned, const uint8_t *, size_t)) {
    if (!section || !section->bytes) return;
    const uint8_t *at = section->bytes, *const end = at + section->header.sh_size;
    while (end - at >= 4) {
        const unsigned format = at[0], id = at[1];
        size_t size = format == INFO_BYTE ? 1 : format == INFO_SHORT ? 2 : 0;
        const uint8_t *data = at + 2;
        if (format == INFO_BYTES) {
            size = little(at + 2, 2);
            data = at + 4;
            if (size > (size_t)(end - data)) return;
        }
        attribute(info, id, data, size);
        at += 4 + (format == INFO_BYTES ? size : 0);
    }
}

static void read_constants(const struct cubin_image *image, struct sass_kernel *kernel) {
    for (unsigned bank = 0; bank < 8; bank++) {
        char prefix[32];
        snprintf(prefix, sizeof prefix, ".nv.constant%u.", bank);
        const struct section *section = section_of(image, prefix, kernel->name);
        prefix[strlen(prefix) - 1] = 0;
        if (!section) section = find_section(image, prefix);
        if (!section || !section->bytes) continue;
        kernel->constant[bank] = section->bytes;
        kernel->constant_bytes[bank] = section->header.sh_size;
    }
}

static bool sort_functions(struct cubin_image *image) {
    const size_t all = symbol_count(image);
    uint32_t *first = image->first_function = calloc(image->count + 2, sizeof *first);
    image->functions = calloc(all + 1, sizeof *image->functions);
    if (!first || !image->functions)
        return error_fail(image->error, "%s: not enough host memory", image->cubin->path);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < all; i++) {
            const char *name;
            const Elf64_Sym symbol = symbol_at(image, i, &name);
            if (type_of(symbol) != STT_FUNC || symbol.st_shndx >= image->count) continue;
            if (pass == 0)
                first[symbol.st_shndx + 2]++;
            else
                image->functions[first[symbol.st_shndx + 1]++] = (uint32_t)i;
        }
        for (size_t i = 2; pass == 0 && i < image->count + 2; i++) first[i] += first[i - 1];
    }
    return true;
}

static void read_symbols(const struct cubin_image *image, struct sass_kernel *kernel, size_t text) {
    const uint32_t first = image->first_function[text], end = image->first_function[text + 1];
    kernel->symbols = calloc(end - first + 1, sizeof *kernel->symbols);
    for (uint32_t i = first; kernel->symbols && i < end; i++) {
        const char *name;
        const Elf64_Sym symbol = symbol_at(image, image->functions[i], &name);
        if (strcmp(name, kernel->name) == 0) kernel->entry = symbol.st_other & OTHER_ENTRY;
        if (symbol.st_value > UINT32_MAX) continue;
        kernel->symbols[kernel->symbol_count++] =
            (struct sass_symbol){name, (uint32_t)symbol.st_value, (uint32_t)symbol.st_size};
    }
}

// Returns true if the compiler marks spills: ptxas does so from release 13 on. A note in the cubin
// names the release.
static bool marks_spills(const struct cubin_image *image) {
    static const char word[] = "release ";
    const struct section *note = find_section(image, ".note.nv.tkinfo");
    const size_t length = sizeof word - 1;
    for (size_t i = 0; note && note->bytes && i + length + 2 < note->header.sh_size; i++) {
        const char *text = (const char *)note->bytes + i;
        if (strncmp(text, word, length) == 0) return text[length] > '1' || text[length + 1] >= '3';
    }
    return false;
}

static bool read_kernel(struct cubin_image *image, size_t index) {
    struct section *section = &image->sections[index];
    struct sass_cubin *cubin = image->cubin;
    struct sass_kernel *kernel = &cubin->kernels[cubin->kernel_count];
    if (!section->bytes || section->header.sh_size % SASS_BYTES != 0) {
        return broken(image, "a code section is no multiple of 16 bytes");
    }
    *kernel = (struct sass_kernel){.name = section->name + strlen(".text."),
                                   .chip = cubin->chip,
                                   .file_offset = section->header.sh_offset,
                                   .count = section->header.sh_size / SASS_BYTES,
                                   .code = cubin->bytes + section->header.sh_offset,
                                   .param_base = cubin->chip->bank0->param_base,
                                   .spill_count = image->marks_spills ? 0 : -1};
    section->kernel = ++cubin->kernel_count;
    const struct section *shared = section_of(image, ".nv.shared.", kernel->name);
    const struct section *relocations = section_of(image, ".rela.text.", kernel->name);
    if (shared && shared->header.sh_size < INT32_MAX)
        kernel->shared_bytes = (int)shared->header.sh_size;
    kernel->relocated = relocations && relocations->header.sh_size > 0;
    if (sass_before_hopper(cubin->chip->generation)) {
        kernel->registers = (int)(section->header.sh_info >> 24);
        kernel->registers_at = little(cubin->bytes + offsetof(Elf64_Ehdr, e_shoff), 8) +
                               index * sizeof(Elf64_Shdr) + offsetof(Elf64_Shdr, sh_info) + 3;
    }
    read_symbols(image, kernel, index);
    read_constants(image, kernel);
    struct info info = {image, kernel};
    read_info(section_of(image, ".nv.info.", kernel->name), &info, own_attribute);
    return true;
}

static bool read_kernels(struct cubin_image *image) {
    struct sass_cubin *cubin = image->cubin;
    cubin->kernels = calloc(image->count + 1, sizeof *cubin->kernels);
    if (!cubin->kernels) return error_fail(image->error, "%s: not enough host memory", cubin->path);
    if (!sort_functions(image)) return false;
    image->marks_spills = marks_spills(image);
    cubin->debugged = find_section(image, ".debug_info") != NULL;
    for (size_t i = 0; i < image->count; i++) {
        const bool code =
            strncmp(image->sections[i].name, ".text.", 6) == 0 && image->sections[i].name[6];
        if (code && image->sections[i].header.sh_type == SHT_PROGBITS && !read_kernel(image, i))
            return false;
    }
    struct info info = {image, NULL};
    read_info(find_section(image, ".nv.info"), &info, common_attribute);
    return true;
}

static bool read_variables(struct cubin_image *image) {
    struct sass_cubin *cubin = image->cubin;
    cubin->variables = calloc(symbol_count(image) + 1, sizeof *cubin->variables);
    if (!cubin->variables)
        return error_fail(image->error, "%s: not enough host memory", cubin->path);
    for (size_t i = 0; i < symbol_count(image); i++) {
        const char *name;
        const Elf64_Sym symbol = symbol_at(image, i, &name);
        if (type_of(symbol) != STT_OBJECT || symbol.st_shndx >= image->count) continue;
        const struct section *section = &image->sections[symbol.st_shndx];
        const uint64_t size = section->header.sh_size;
        if (symbol.st_value > size || symbol.st_size > size - symbol.st_value) continue;
        cubin->variables[cubin->variable_count++] =
            (struct sass_variable){name,
                                   section->name,
                                   symbol.st_shndx,
                                   symbol.st_value,
                                   symbol.st_size,
                                   section->bytes ? section->bytes + symbol.st_value : NULL};
    }
    return true;
}

// --- debugging data ------------------------------------------------------------------------------

// Returns the kernel into which the relocation at `offset` of .debug_line points; NULL if there is
// none. Sets *address to the code address to which it points.
static struct sass_kernel *line_owner(const void *context, uint64_t offset, uint64_t *address) {
    const struct cubin_image *image = context;
    const struct section *relocations = find_section(image, ".rela.debug_line");
    // The section has another name before sm_90.
    if (!relocations) relocations = find_section(image, ".rel.debug_line");
    for (size_t i = 0;
         relocations && relocations->bytes && i < elf_relocations(&relocations->header); i++) {
        const Elf64_Rela r = elf_relocation(&image->elf, &relocations->header, i);
        const char *name;
        if (r.r_offset != offset) continue;
        const Elf64_Sym symbol = symbol_at(image, r.r_symbol, &name);
        *address = symbol.st_value + (uint64_t)r.r_addend;
        if (symbol.st_shndx >= image->count) return NULL;
        const uint8_t *code = image->sections[symbol.st_shndx].bytes;
        for (int k = 0; k < image->cubin->kernel_count; k++) {
            if (code && image->cubin->kernels[k].code == code) return &image->cubin->kernels[k];
        }
    }
    return NULL;
}

struct kept_name {
    struct kept_name *next;
    char text[];
};

static const char *keep_name(void *storage, const char *directory, const char *name) {
    struct sass_cubin *cubin = storage;
    const size_t size = strlen(name) + (directory ? strlen(directory) + 1 : 0) + 1;
    struct kept_name *kept = malloc(sizeof *kept + size);
    if (!kept) return "?";
    snprintf(kept->text, size, "%s%s%s", directory ? directory : "", directory ? "/" : "", name);
    kept->next = (struct kept_name *)cubin->names;
    cubin->names = (char *)kept;
    return kept->text;
}

static void read_stack(struct cubin_image *image) {
    const struct section *info = find_section(image, ".debug_info"),
                         *short_forms = find_section(image, ".debug_abbrev"),
                         *text = find_section(image, ".debug_str");
    if (!info || !info->bytes || !short_forms || !short_forms->bytes) return;
    const bool has_text = text && text->bytes;
    read_arrays(&(struct debug_sections){.info = info->bytes,
                                         .info_size = info->header.sh_size,
                                         .abbreviations = short_forms->bytes,
                                         .abbreviation_size = short_forms->header.sh_size,
                                         .strings = has_text ? text->bytes : NULL,
                                         .string_size = has_text ? text->header.sh_size : 0},
                image->cubin);
}

static void read_source(struct cubin_image *image) {
    const struct section *section = find_section(image, ".debug_line");
    if (!section || !section->bytes) return;
    read_lines(&(struct line_reader){section->bytes, section->header.sh_size, line_owner, image,
                                     keep_name, image->cubin});
    for (int i = 0; i < image->cubin->kernel_count; i++) sort_lines(&image->cubin->kernels[i]);
}

// --- opening, closing, writing -------------------------------------------------------------------

static bool read_image(struct sass_cubin *cubin, struct error *error) {
    struct cubin_image image = {.cubin = cubin, .error = error};
    const bool good = read_header(&image) && read_sections(&image) && read_kernels(&image) &&
                      read_variables(&image);
    if (good) read_source(&image);
    if (good) read_stack(&image);
    free(image.sections);
    free(image.by_name);
    free(image.functions);
    free(image.first_function);
    return good;
}

bool cubin_open_memory(struct sass_cubin *cubin, const char *path, const void *bytes, size_t size,
                       struct error *error) {
    *cubin = (struct sass_cubin){.path = strdup(path), .bytes = malloc(size + 1), .size = size};
    if (!cubin->path || !cubin->bytes) {
        cubin_close(cubin);
        return error_fail(error, "%s: not enough host memory", path);
    }
    memcpy(cubin->bytes, bytes, size);
    if (read_image(cubin, error)) return true;
    cubin_close(cubin);
    return false;
}

bool cubin_open(struct sass_cubin *cubin, const char *path, struct error *error) {
    size_t size;
    *cubin = (struct sass_cubin){0};
    char *bytes = file_read(path, MAX_FILE, &size);
    if (!bytes && errno == EFBIG)
        return error_fail(error, "%s: expected a regular file of at most 1 GiB", path);
    if (!bytes) return error_fail(error, "%s: cannot be opened: %s", path, strerror(errno));
    const bool good = cubin_open_memory(cubin, path, bytes, size, error);
    free(bytes);
    return good;
}

void cubin_close(struct sass_cubin *cubin) {
    for (int i = 0; i < cubin->kernel_count; i++) {
        free(cubin->kernels[i].parameters);
        free(cubin->kernels[i].symbols);
        free(cubin->kernels[i].lines);
        free(cubin->kernels[i].arrays);
        free(cubin->kernels[i].spills);
    }
    for (struct kept_name *name = (struct kept_name *)cubin->names, *next; name; name = next) {
        next = name->next;
        free(name);
    }
    free(cubin->kernels);
    free(cubin->variables);
    free(cubin->bytes);
    free(cubin->path);
    *cubin = (struct sass_cubin){0};
}

bool cubin_write(const struct sass_cubin *cubin, const char *path, struct error *error) {
    return file_write(path, cubin->bytes, cubin->size, error->message, sizeof error->message);
}

const struct sass_kernel *cubin_kernel(const struct sass_cubin *cubin, const char *name) {
    for (int i = 0; i < cubin->kernel_count; i++) {
        if (strcmp(cubin->kernels[i].name, name) == 0) return &cubin->kernels[i];
    }
    return NULL;
}

struct sass_word cubin_word(const struct sass_kernel *kernel, size_t index) {
    const uint8_t *bytes = kernel->code + index * SASS_BYTES;
    return (struct sass_word){little(bytes, 8), little(bytes + 8, 8), kernel->chip->generation};
}

void cubin_store(struct sass_word word, uint8_t bytes[16]) {
    for (int i = 0; i < 8; i++) {
        bytes[i] = (uint8_t)(word.low >> (8 * i));
        bytes[8 + i] = (uint8_t)(word.high >> (8 * i));
    }
}

const struct sass_line *cubin_line(const struct sass_kernel *kernel, uint32_t address) {
    int low = 0, high = kernel->line_count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (kernel->lines[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &kernel->lines[low - 1] : NULL;
}

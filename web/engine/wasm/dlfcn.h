// dlopen() always fails: WebAssembly loads no libraries at run time.
#ifndef WASM_DLFCN_H
#define WASM_DLFCN_H

enum { RTLD_NOW, RTLD_LOCAL };

static inline void *dlopen(const char *name, int flags) {
    return 0;
}
static inline void *dlsym(void *library, const char *name) {
    return 0;
}

#endif

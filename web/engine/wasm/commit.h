// The modules are the same bytes at every commit with the same code: their size in brotli depends on each of them.
#define COMMIT "none"

// The commit that modules contain: a constant, so that commits with equal code give equal modules.
// A real one would change the compressed size, which depends on every byte.
#define COMMIT "none"

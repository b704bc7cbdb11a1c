// A constant, so that commits with equal code give equal modules: the compressed size depends on
// every byte.
#define COMMIT "none"

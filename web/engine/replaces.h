// Defines REPLACES, for functions that take the place of the C library's.
#pragma once

// Begins the definition of web_NAME, which the linker uses wherever a program calls NAME.
#ifndef REPLACES
#define REPLACES(type, name, ...) \
    type web_##name(__VA_ARGS__) __asm__(#name); \
    type web_##name(__VA_ARGS__)
#endif

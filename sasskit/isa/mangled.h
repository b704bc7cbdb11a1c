// Mangled C++ names (Itanium ABI): the name of a kernel or variable in its source.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Sets `text` to the qualified name without return type and parameters: "ns::scale<float>" for
// "_ZN2ns5scaleIfEEvPT_". A template argument other than a built-in type, a number or a class
// outside of namespaces becomes "..." and ends the name. A name that is not mangled is copied.
void name_of_mangled(const char *mangled, char *text, size_t size);

// Returns true if `wanted` names the kernel or variable `mangled`: either the mangled name, or the
// name in the source, with or without namespaces, template arguments, a leading "void" and
// parameters.
bool name_fits(const char *mangled, const char *wanted);

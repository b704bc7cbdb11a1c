// Names as C++ mangles them (Itanium ABI): what a kernel or a variable was called in its source.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// "ns::scale<float>" of "_ZN2ns5scaleIfEEvPT_": the qualified name without return type and parameters; template arguments that
// are neither built-in types nor numbers are "..."; a name that is not mangled as it is.
void name_of_mangled(const char *mangled, char *text, size_t size);

// Whether `wanted` names it: as mangled, or as written in the source, with or without namespaces, template arguments, "void" in
// front and parameters behind.
bool name_fits(const char *mangled, const char *wanted);

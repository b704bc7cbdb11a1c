// flock() does nothing, because no other program writes to the page's files.
#ifndef WASM_SYS_FILE_H
#define WASM_SYS_FILE_H

enum { LOCK_EX, LOCK_UN };
#define flock(file, operation) ((void)(file), 0)

#endif

// Locks do nothing, because a page's programs have one thread.
#ifndef WASM_PTHREAD_H
#define WASM_PTHREAD_H

typedef int pthread_mutex_t;
#define PTHREAD_MUTEX_INITIALIZER            0
#define pthread_mutex_init(lock, attributes) (void)(lock)
#define pthread_mutex_destroy(lock)          (void)(lock)
#define pthread_mutex_lock(lock)             (void)(lock)
#define pthread_mutex_unlock(lock)           (void)(lock)

#endif

/* libclang as a table of functions: the process is not linked to it. */
#ifndef FRONTENDS_CLANG_LIBRARY_H
#define FRONTENDS_CLANG_LIBRARY_H

#include <clang-c/CXCompilationDatabase.h>
#include <clang-c/Index.h>

#include "frontends/clang/clang.h"

struct clang {
    void *handle;
    char version[16];   /* its major number */
    char path[512];     /* where it lies; empty: it does not say */
    char resource[512]; /* the folder of the compiler's own headers; empty: not found */
#define CLANG_FUNCTION(name) __typeof__(clang_##name) *name;
#include "frontends/clang/functions.def"
#undef CLANG_FUNCTION
};

/* apart.c: what is parsed may overflow the stack and crash. */
void clang_survive(const struct clang *c); /* once, before anything is parsed */
void clang_run_apart(void (*work)(void *data), void *data);

/* guard.c: in between, libclang opens only files in this thread. May be nested. */
void clang_guard(void);
void clang_guard_counting(void);  /* and not without end */
void clang_guard_arguments(void); /* nor says anything: while it reads files of arguments */
void clang_unguard(void);

/* memory.c */
void clang_use_large_pages_here(void); /* at the beginning of a thread, if they are wanted */

/* The text of a libclang string in the arena, and the string disposed of. Never NULL. */
char *clang_text(const struct clang *c, struct arena *a, CXString s);

#endif

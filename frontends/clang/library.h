/* libclang as a table of functions: the process is not linked to it. */
#ifndef FRONTENDS_CLANG_LIBRARY_H
#define FRONTENDS_CLANG_LIBRARY_H

#include <clang-c/CXCompilationDatabase.h>
#include <clang-c/Index.h>

#include "frontends/clang/clang.h"

struct clang {
    void *handle;
    char version[16];   /* its major number */
    char path[512];     /* where it is; empty: unknown */
    char resource[512]; /* the folder of the compiler's own headers; empty: not found */
#define CLANG_FUNCTION(name) __typeof__(clang_##name) *name;
#include "frontends/clang/functions.def"
#undef CLANG_FUNCTION
};

/* crash_recovery.c: parsing may overflow the stack. */
void clang_survive(const struct clang *c); /* once, before anything is parsed */
void clang_run_apart(void (*work)(void *data), void *data);

/* file_guard.c: in between, libclang opens only regular files in this thread. May be nested. */
void clang_guard(void);
void clang_guard_counting(void);  /* and a limited number of them */
void clang_guard_arguments(void); /* and prints nothing: while it reads response files */
void clang_unguard(void);

/* huge_pages.c */
void clang_use_large_pages_here(void); /* at the start of a thread, if wanted */

/* The text of a libclang string in the arena; disposes of the string. Never NULL. */
char *clang_text(const struct clang *c, struct arena *a, CXString s);

#endif

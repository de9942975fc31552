/* How files are compiled: from a project's compile_commands.json or compile_flags.txt to a file's
 * flags, as clang_lower takes them. Nothing in a database is ever executed or loaded. */
#ifndef FRONTENDS_CLANG_DATABASE_H
#define FRONTENDS_CLANG_DATABASE_H

#include "frontends/clang/clang.h"

#define CPP_UNITS   ".cpp .cc .cxx .c++ .cp .C .CPP"
#define CPP_HEADERS ".hpp .hh .hxx .h++"

/* The database in the directory; if that is NULL, the nearest one: in the file's folder and its
 * parents, in build/ of each, and in build* and out* of the topmost folder of the project (where
 * .git or the like is). compile_commands.json comes first. *d is NULL if there is none. False: e
 * says why the requested one cannot be read. */
bool database_open(struct database **d, const struct clang *c, const char *directory,
                   const char *file, struct error *e);
/* Its two steps: finding the file, NULL if there is none, and reading it. Only the second needs
 * libclang. */
bool database_find(struct arena *a, const char *directory, const char *file, const char **path,
                   struct error *e);
bool database_read(struct database **d, const struct clang *c, const char *path, struct error *e);
void database_close(struct database *d);             /* NULL is fine */
const char *database_path(const struct database *d); /* the file it was read from, absolute */

/* Whether it lists its files; compile_flags.txt is for any. */
bool database_lists_files(const struct database *d);

/* How the file is compiled: by the database; a header or an unlisted file like the unit that
 * matches best. d may be NULL: the defaults. */
struct compile database_compile(const struct database *d, struct arena *a, const char *file);

/* How a file is compiled with the words of a command line, without the compiler's name, in the
 * current folder. */
struct compile compile_with(struct arena *a, const char *file, const char *const *words, int count);
/* Adds words to a file's flags; folders in them are relative to the directory. */
void compile_add(struct arena *a, struct compile *how, const char *directory,
                 const char *const *words, int count);

/* tensor_header.c: adds the folder of <miscast/tensor.h> to flags that do not find it. */
struct headers *headers_new(struct arena *a, const char *folder); /* NULL: there is none */
void headers_add(struct headers *h, struct compile *how);

/* Every file of the database whose language is known, once, sorted by name. The array is in the
 * arena. */
struct compile *database_all(const struct database *d, struct arena *a, int *count);

#endif

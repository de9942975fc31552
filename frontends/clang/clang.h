/* frontends/clang: from C source to IR, by way of libclang. One file and the flags it is compiled
 * with come in, a unit (analyzer/ir/ir.h) goes out. Nothing of libclang shows through.
 *
 * What C says and the IR cannot is lowered to "anything", with a note in the unit. A file with
 * errors is lowered as far as the compiler could follow it; the unit counts them. */
#ifndef FRONTENDS_CLANG_H
#define FRONTENDS_CLANG_H

#include "analyzer/ir/ir.h"

/* libclang, loaded into the process: 10 ms, so only when there is something to parse. Several
 * threads may lower with one at a time. */
struct clang;

/* Before that, in a process that parses and ends: it gets its memory sooner, and keeps it. */
void clang_use_large_pages(void);

/* NULL after error_set. Version 17 is the oldest that says which operator an expression has. */
struct clang *clang_open(struct error *e);
void clang_close(struct clang *c);
const char *clang_version(const struct clang *c); /* "19" */
const char *clang_path(const struct clang *c);    /* of the library; "": it does not say */

/* Lowers a file. The flags are a compiler's, without its name and the file's, as database.h gives
 * them; relative paths in them are below the directory (NULL: the current one). NULL only when
 * nothing at all could be parsed; e says why. The caller frees the unit. */
struct ir_unit *clang_lower(struct clang *c, const char *file, const char *const *flags,
                            int flag_count, const char *directory, struct error *e);

/* A file that was read for a unit, and what it contained. */
struct clang_read {
    const char *path; /* absolute, as it was found */
    struct digest digest;
};

/* All that a unit was made of. In one of the folders, which need not be there, a file could appear
 * that would be read instead of one that was. */
struct clang_reads {
    struct arena *arena; /* the caller's */
    LIST(struct clang_read) files;
    LIST(const char *) folders; /* absolute */
    bool whole;                 /* false: it depends on more, such as a file that was not found */
};

/* The same of files that are taken to contain other texts, and says what was read; overlay and
 * reads may be NULL. The file and what it includes may be overlaid, be they there or not. */
struct ir_unit *clang_lower_noting(struct clang *c, const char *file, const struct overlay *overlay,
                                   const char *const *flags, int flag_count, const char *directory,
                                   struct clang_reads *reads, struct error *e);

/* ---- units that stay open, for an editor ----------------------------------------------------- */

/* Takes some 2 MB, and what libclang precompiled of its headers on the disk. */
struct clang_unit;
struct clang_unit *clang_unit_open(struct clang *c, const char *file, const char *const *flags,
                                   int flag_count, const char *directory);
void clang_unit_close(struct clang_unit *u);
/* Whether it was opened with these. */
bool clang_unit_is(const struct clang_unit *u, const char *file, const char *const *flags,
                   int flag_count, const char *directory);
/* Whether what it was lowered from last is as it was. It was opened by its real path. */
bool clang_unit_is_current(struct clang_unit *u, const struct overlay *overlay);
/* Gives back all that libclang holds of it; what it was lowered from is still known. */
void clang_unit_rest(struct clang_unit *u);
bool clang_unit_is_parsed(const struct clang_unit *u);
/* Whether the next time will be as quick as it gets. */
bool clang_unit_is_warm(const struct clang_unit *u);
/* What clang_lower_noting gives; from the second time on only what stands behind the headers is
 * parsed again, as long as they stay as they are. file: by the name it was opened, or another of
 * the same file. NULL after error_at; it may be tried again. */
struct ir_unit *clang_unit_lower(struct clang_unit *u, const char *file,
                                 const struct overlay *overlay, struct error *e);

/* The same, where since the whole was lowered, which gave base, only the body of one function
 * changed, or comments and blanks did: that alone is lowered, and the rest is base's, which must
 * stay for as long, on the lines it is on now. NULL: more changed, or it cannot be told. changed,
 * as long as the unit: by function, whether it is more than moved. */
struct ir_unit *clang_unit_lower_piece(struct clang_unit *u, const struct ir_unit *base,
                                       const struct overlay *overlay, const bool **changed);

/* Only parses, and keeps nothing: what the rest is measured against. */
void clang_parse(struct clang *c, const char *file, const char *const *flags, int flag_count,
                 const char *directory);

#endif

/* frontends/clang: from C source to IR, using libclang. One file and its compiler flags come in, a
 * unit (analyzer/ir/ir.h) goes out. Nothing of libclang is visible to the rest.
 *
 * What the IR cannot express is lowered to "unknown", with a note in the unit. A file with errors
 * is lowered as far as the compiler could parse it; the unit counts them.
 *
 * libclang, and what goes into it:
 *   library.c          loads libclang: a table of functions
 *   crash_recovery.c   a signal stack, so that stack overflow in the parser is an error of one file
 *   file_guard.c       restricts what libclang may open
 *   huge_pages.c       memory for the parser
 *   database.c         compile_commands.json and compile_flags.txt: which flags a file has
 *   check_commands.c   whether compile_commands.json is well-formed
 *   flags.c            which flags are passed on
 *   overlay.c          texts that replace files: unsaved buffers, staged contents
 *   tensor_header.c    finds <miscast/tensor.h> for flags that do not
 *   clang_frontend.c   all of this as a struct frontend
 *
 * Lowering, in order of reading (lower.h):
 *   parse.c            the entry point: parses, counts errors, lowers
 *   beginnings.c, precompiled.c   #includes that several files begin with are parsed once
 *   errors.c           the compiler's errors
 *   doubtful.c         names declared with errors
 *   conditional.c      branches that depend on an include that is missing
 *   encoding.c         files that are not UTF-8
 *   lower.c            the unit: functions, globals and their initialisers
 *   start.c            functions that run before and after main
 *   stmt.c, cond.c     statements and conditions become blocks
 *   expr.c, operator.c, call.c, variadic.c, atomic.c, init.c, constant.c   expressions
 *   emit.c             instructions and labels; folds constants
 *   symbols.c, types.c what names and types stand for
 *   tree.c             our copy of the syntax tree
 *   sources.c, spans.c, scan.c   files, spans, and source text
 *   dependencies.c     the files a unit was made from
 *
 * Units that stay open in an editor (open_unit.h):
 *   open_unit.c        parses again after the headers
 *   text_change.c      what changed in the text
 *   trivial_change.c   changes of comments and whitespace
 *   line_dependence.c  whether a unit depends on its line numbers
 *   relower.c          lowers one function again */
#ifndef FRONTENDS_CLANG_H
#define FRONTENDS_CLANG_H

#include "frontends/frontend.h"

extern const struct frontend clang_frontend;

/* libclang, loaded into the process, which takes 10 ms: so only when there is something to parse.
 * Several threads may use one, one at a time. */
struct clang;

/* Called before that in a process that parses and exits: allocates its memory in huge pages. */
void clang_use_large_pages(void);

/* NULL after error_set. Version 17 is the oldest that exposes which operator an expression has. */
struct clang *clang_open(struct error *e);
void clang_close(struct clang *c);
const char *clang_version(const struct clang *c); /* "19" */
const char *clang_path(const struct clang *c);    /* of the library; "": unknown */

/* Lowers a file. The flags are a compiler's, without its name and the file's, as database.h gives
 * them; relative paths in them are below the directory (NULL: the current one). NULL only when
 * nothing at all could be parsed; e says why. The caller frees the unit. */
struct ir_unit *clang_lower(struct clang *c, const char *file, const char *const *flags,
                            int flag_count, const char *directory, struct error *e);

/* The same with overlaid files, and reports what was read; overlay and reads may be NULL. The file
 * and its includes may be overlaid whether or not they exist. */
struct ir_unit *clang_lower_noting(struct clang *c, const char *file, const struct overlay *overlay,
                                   const char *const *flags, int flag_count, const char *directory,
                                   struct unit_reads *reads, struct error *e);

/* ---- files that begin alike ------------------------------------------------------------------ */

/* What the files share that are about to be lowered, in this process or in its forks; NULL:
 * nothing. It is passed on as frontend_input.shared. */
struct beginnings;
struct beginnings *beginnings_find(const struct frontend_input *files, int count);
void beginnings_free(struct beginnings *all); /* NULL is fine */
/* A process crashed with the file: its beginning is no longer used. False: it had none. */
bool beginnings_distrust(struct beginnings *all, const struct frontend_input *in);
/* Like clang_lower_noting; gives the same with and without what is shared. */
struct ir_unit *clang_lower_sharing(struct clang *c, const struct frontend_input *in,
                                    struct unit_reads *reads, struct error *e);

/* ---- units that stay open, for an editor ----------------------------------------------------- */

/* Takes about 2 MB of memory, and the precompiled headers on disk. */
struct clang_unit;
struct clang_unit *clang_unit_open(struct clang *c, const char *file, const char *const *flags,
                                   int flag_count, const char *directory);
void clang_unit_close(struct clang_unit *u);
/* Whether it was opened with these. */
bool clang_unit_is(const struct clang_unit *u, const char *file, const char *const *flags,
                   int flag_count, const char *directory);
/* Whether what it was last lowered from is unchanged. It was opened by its real path. */
bool clang_unit_is_current(struct clang_unit *u, const struct overlay *overlay);
/* Releases everything libclang holds for it; what it was lowered from is still known. */
void clang_unit_rest(struct clang_unit *u);
bool clang_unit_is_parsed(const struct clang_unit *u);
/* Whether the next call will be as fast as it gets. */
bool clang_unit_is_warm(const struct clang_unit *u);
/* Like clang_lower_noting; from the second call on only what follows the headers is parsed again,
 * as long as they do not change. file: the name it was opened by, or another of the same file. NULL
 * after error_at; it may be called again. */
struct ir_unit *clang_unit_lower(struct clang_unit *u, const char *file,
                                 const struct overlay *overlay, struct error *e);

/* Lowers only what changed since the whole file was lowered into base: the body of one function, or
 * nothing if only comments and whitespace changed. The rest is taken from base, moved to its
 * current lines; base must outlive the result. NULL: more changed, or it is not certain. changed,
 * as long as the unit: by function, whether it is more than moved. */
struct ir_unit *clang_unit_lower_piece(struct clang_unit *u, const struct ir_unit *base,
                                       const struct overlay *overlay, const bool **changed);

/* Only parses, and keeps nothing: the yardstick for benchmarks. */
void clang_parse(struct clang *c, const char *file, const char *const *flags, int flag_count,
                 const char *directory);

#endif

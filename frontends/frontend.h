/* What a language has to bring: a struct of functions. The driver holds a table of these
 * (frontends/driver/project/languages.c) and knows neither a parser nor its flags.
 *
 *   clang/   C and C++, using libclang
 *   ir/      the text form of the IR
 *   python/  Python, using tree-sitter
 *
 * To add a language: its folder here with a struct frontend, a row in languages.c, and how its text
 * looks (analyzer/source/language.h). */
#ifndef FRONTENDS_FRONTEND_H
#define FRONTENDS_FRONTEND_H

#include "analyzer/ir/ir.h"

/* ---- files ---------------------------------------------------------------------------------- */

/* How one file is compiled. Everything is in the arena passed in. */
struct compile {
    const char *file;      /* absolute, without . and .. */
    const char *directory; /* relative paths in the flags are below it; absolute */
    const char *const *flags;
    int flag_count;
    const char *language; /* as -x names it: "c", "c++"; "": nothing says */
    int foreign;          /* flags left out because only GCC knows them */
    int refused; /* flags left out because they load code, or run a program around the compiler */
    bool found;  /* false: not in a database; the flags are defaults */
};

/* A file to lower. */
struct frontend_input {
    const char *file;      /* as spans name it */
    const char *directory; /* NULL: the current one */
    const char *const *flags;
    int flag_count;
    const struct overlay *overlay; /* contents that replace those of files; NULL: none */
    void *shared;                  /* with other files, see frontend_sharing; NULL: nothing */
};

/* A file that was read for a unit, and its contents. */
struct unit_read {
    const char *path; /* absolute, as found */
    struct digest digest;
};

/* Everything a unit depends on. In one of the folders, which need not exist, a file could appear
 * that would be read instead of another. */
struct unit_reads {
    struct arena *arena; /* the caller's */
    LIST(struct unit_read) files;
    LIST(const char *) folders; /* absolute */
    bool whole;                 /* false: it depends on more, such as a file that was not found */
};

/* Of a unit that depends on nothing but its file. */
static inline void unit_reads_only(struct unit_reads *reads, const char *file, const char *text,
                                   size_t length)
{
    struct unit_read r = {path_resolve(reads->arena, file), digest_bytes(text, length)};
    LIST_ADD(reads->arena, &reads->files, r);
    reads->whole = true;
}

/* ---- flags ---------------------------------------------------------------------------------- */

struct database; /* which files there are, and the flags of each; the frontend's own */
struct headers;  /* the frontend's own */

struct frontend_flags {
    /* The file of the database in the directory; if that is NULL, the nearest one to the file.
     * *path NULL: there is none. False: e says why the requested one cannot be read. */
    bool (*find)(struct arena *a, const char *directory, const char *file, const char **path,
                 struct error *e);
    bool (*read)(struct database **d, const void *parser, const char *path, struct error *e);
    void (*close)(struct database *d); /* NULL is fine */
    /* Every file of the database, once, sorted by name; also those in languages that it does not
     * read. */
    struct compile *(*all)(const struct database *d, struct arena *a, int *count);
    /* Whether it lists files, or has flags for all. */
    bool (*lists_files)(const struct database *d);
    /* Of a file, listed or not; d NULL: the defaults. */
    struct compile (*of_file)(const struct database *d, struct arena *a, const char *file);
    /* With the words of a command line, without the compiler's name, in the current folder. */
    struct compile (*of_words)(struct arena *a, const char *file, const char *const *words,
                               int count);
    /* Adds the words to a file's flags; folders in them are relative to the directory. */
    void (*add_words)(struct arena *a, struct compile *how, const char *directory,
                      const char *const *words, int count);
    /* The file that a compiler's command compiles; NULL: none. other: an earlier one, if any. */
    const char *(*command_file)(struct arena *a, const char *const *words, int count,
                                const char **other);
    /* Whether the frontend reads the language of such a command. */
    bool (*reads)(const struct compile *how);
    /* Whether rules may edit a file that is compiled with these flags; NULL: all. */
    bool (*has_fixes)(const char *file, const char *const *flags, int count);
    /* Adds the folder of our own headers to flags that do not find them. */
    struct headers *(*headers_new)(struct arena *a, const char *folder); /* NULL: there is none */
    void (*headers_add)(struct headers *h, struct compile *how);
};

/* ---- units that stay open in an editor ------------------------------------------------------- */

struct frontend_editing {
    void *(*open)(void *parser, const struct frontend_input *in);
    void (*close)(void *unit);
    /* Whether it was opened with these. */
    bool (*is)(const void *unit, const struct frontend_input *in);
    /* Whether what it was last lowered from is unchanged. It was opened by its real path. */
    bool (*is_current)(void *unit, const struct overlay *overlay);
    /* Releases the memory of the parser; what it was lowered from is still known. */
    void (*rest)(void *unit);
    bool (*is_parsed)(const void *unit);
    /* Whether the next call will be as fast as it gets. */
    bool (*is_warm)(const void *unit);
    /* All of it. file: the name it was opened by, or another of the same file. */
    struct ir_unit *(*lower)(void *unit, const char *file, const struct overlay *overlay,
                             struct error *e);
    /* Only what changed since the whole file was lowered into base, which must outlive the result.
     * NULL: more than one function changed, or it is not certain. changed: by function. */
    struct ir_unit *(*lower_changed)(void *unit, const struct ir_unit *base,
                                     const struct overlay *overlay, const bool **changed);
};

/* ---- work that files have in common ---------------------------------------------------------- */

struct frontend_sharing {
    /* Of files that are about to be lowered, in this process or in its forks. NULL: nothing. */
    void *(*find)(const struct frontend_input *files, int count);
    void (*free)(void *shared);
    /* A process crashed with the file; returns whether it may go better in another try. */
    bool (*distrust)(void *shared, const struct frontend_input *in);
};

/* ---- a language ------------------------------------------------------------------------------ */

struct frontend {
    const char *name; /* for people: "C" */

    /* Which files are its own, as path_ends_in has them. */
    const char *units;   /* ".c" */
    const char *headers; /* ".h"; "": none */
    const char *texts;   /* all that units may be made of, with the above */
    bool is_looked_for;  /* below folders and among changes; false: only files that are named */
    bool has_fixes;      /* rules may edit its files */
    bool is_dynamic;     /* what is called is only known when it is run */
    /* What this program was built without, so that it cannot read these files, and what one of them
     * is called: "Python file". NULL: it reads them. */
    const char *missing, *unread_name;

    /* The parser, loaded once into the process. prepare: called before, in a process that parses
     * and exits; NULL: nothing to do. library: the file it was loaded from, which results depend
     * on; NULL: it is part of this program. */
    void (*prepare)(void);
    void *(*open)(struct error *e); /* NULL after error_set */
    void (*close)(void *parser);
    const char *(*version)(const void *parser);
    const char *(*library)(const void *parser);

    const struct frontend_flags *flags;     /* NULL: files have none, and there is no database */
    const struct frontend_editing *editing; /* NULL: every change lowers the whole file */
    const struct frontend_sharing *sharing; /* NULL: each file is lowered for itself */

    /* Lowers a file; reads, unless NULL, is what it was made of. NULL: e says why. The caller frees
     * the unit. Several threads may use one parser, one at a time. */
    struct ir_unit *(*lower)(void *parser, const struct frontend_input *in,
                             struct unit_reads *reads, struct error *e);
};

#endif

/* From the words of a compile command to the flags that clang_lower takes. */
#ifndef FRONTENDS_CLANG_FLAGS_H
#define FRONTENDS_CLANG_FLAGS_H

#include "analyzer/base/base.h"

struct flags {
    LIST(const char *) list; /* the words are the caller's */
    int foreign;             /* left out: only GCC knows them */
    int refused;             /* left out: they load code, or run it */
};

/* The file that a command compiles: the last word that is neither a flag nor the value of one, nor
 * an object; NULL: there is none. other: an earlier one, if any. The first word is the compiler. */
const char *flags_file(struct arena *a, const char *const *words, int n, const char **other);
/* The first word is the compiler. */
struct flags flags_of_command(struct arena *a, const char *const *words, int n, const char *file);
/* The language that the command compiles the file as, by the name that -x has for it; "": neither
 * the command nor the file's name says. The first word is the compiler. */
const char *flags_language(struct arena *a, const char *const *words, int n, const char *file);
/* The same of flags that were kept: whether it is C++. */
bool flags_are_cpp(const char *file, const char *const *flags, int count);
/* The value of the flag at *i, joined to it or in the next word, to which *i then advances; NULL:
 * it is another flag. */
const char *flags_value(const char *const *flags, int count, int *i, const char *flag);

#endif

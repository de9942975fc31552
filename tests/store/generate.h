/* Generates a realistic project from templates: families of layers, models, loaders, training and
 * tests, with shared headers and headers of a family, calls across files, fields set in one file
 * and used in another, globals, tables of functions, and an occasional mistake. The same seed gives
 * the same files. */
#ifndef TESTS_STORE_GENERATE_H
#define TESTS_STORE_GENERATE_H

#include "analyzer/base/base.h"

struct made_unit {
    const char *path; /* from the project's folder */
    const char *flags;
    const char *planted; /* the rule that its mistake is for; NULL: it has none */
    int lines;
};

struct made_project {
    struct arena *arena;
    const char *folder;
    const char *include; /* the tensor API's headers */
    LIST(struct made_unit) units;
    LIST(const char *) headers; /* from the folder; the first is included by all */
};

/* Writes so many units, their headers and compile_commands.json into the folder, which is made. */
bool generate(struct made_project *p, const char *folder, const char *include, int units,
              uint64_t seed, struct error *e);
/* compile_commands.json alone, of the units as they are now. */
bool generate_commands(const struct made_project *p, struct error *e);

/* The file with its folders, in place and at once. */
bool put_file(struct arena *a, const char *path, const char *text, size_t length, struct error *e);

/* Random numbers: 0 <= x < n. */
struct dice {
    uint64_t state;
};
int roll(struct dice *d, int n);

#endif

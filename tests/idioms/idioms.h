/* tests/idioms: small programs as people write them, and what a check has to find in each.
 *
 *   FOLDER/NAME.c   a program; the folder names the idiom
 *   manifest.tsv    whether each is right, and the lines where the others fail
 *   lower.c         the IR of a program, kept in the build folder
 *   idioms.c        checks the programs and compares
 *   settings.py     runs them, to see that the manifest is true (not a test) */
#ifndef TESTS_IDIOMS_H
#define TESTS_IDIOMS_H

#include "analyzer/ir/ir.h"

struct lowering; /* opens libclang when it first needs it */
struct lowering *lowering_new(struct arena *a, const char *kept);
void lowering_close(struct lowering *l);
/* A file that will be lowered: before any of them, so that they share what they begin with. */
void lowering_expect(struct lowering *l, const char *file);
/* The file, below the current folder. NULL: e says why. The caller frees the unit. */
struct ir_unit *lowering_unit(struct lowering *l, const char *file, struct error *e);

#endif

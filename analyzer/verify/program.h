/* Programs: units that run together. Which ones those are is known by the runner; the rest is read
 * from the IR. */
#ifndef ANALYZER_VERIFY_PROGRAM_H
#define ANALYZER_VERIFY_PROGRAM_H

#include "analyzer/verify/verifier.h"

struct program {
    const struct verify_unit *entry;        /* where the program starts, or a harness calls into */
    LIST(const struct verify_unit *) units; /* the entry first */
};

bool program_holds(const struct program *p, const struct verify_unit *u);
/* Whether calls or references lead from one function to another. */
bool program_leads(struct verifier *v, const struct program *p, const char *from, const char *to);
/* The unit that defines the function of a finding; NULL: none does. */
const struct verify_unit *unit_of(struct verifier *v, const struct finding *f);
/* The definition in a unit; NULL: it has none. */
const struct ir_function *function_of(const struct verify_unit *u, const char *name);
/* Whether the instruction names a function or a variable that may be defined elsewhere. */
/* The file that a compiler was given under that name, wherever it ran. */
const char *source_path(struct verifier *v, const char *file);
bool is_reference(const struct ir_inst *i);

#endif

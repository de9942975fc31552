/* What the files of analyzer/verify/python share. */
#ifndef ANALYZER_VERIFY_PYTHON_PRIVATE_H
#define ANALYZER_VERIFY_PYTHON_PRIVATE_H

#include "analyzer/verify/python/python.h"
#include "analyzer/verify/runner.h"

typedef LIST(const char *) word_list;

static inline const struct python_tools *python_tools(const struct verifier *v)
{
    return v->in->tools;
}

/* A program, with what is to be reported of it. */
struct build {
    const struct program *program;
    const char *plan; /* a file */
};

/* imports.c */
struct program *python_program_of(struct verifier *v, const struct verify_unit *entry);
/* Whether the unit is started by itself: it asks for its name, or no other imports it. */
bool python_is_entry(struct verifier *v, const struct verify_unit *u);

/* options.c */
bool python_choices_of(struct verifier *v, const struct program *p, choice_list *out);

/* plan.c: writes the plan of a build into a file; NULL: e says why. */
const char *plan_write(struct verifier *v, const struct build_plan *plan, struct error *e);

/* error.c: the kind of an error, as the analysis names them; NULL: of none that it knows. */
const char *python_error_kind(const struct event *e);

#endif

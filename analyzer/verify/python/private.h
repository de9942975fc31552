/* What the files of analyzer/verify/python share. */
#ifndef ANALYZER_VERIFY_PYTHON_PRIVATE_H
#define ANALYZER_VERIFY_PYTHON_PRIVATE_H

#include "analyzer/verify/python/python.h"
#include "analyzer/verify/runner.h"

static inline const struct python_tools *python_tools(const struct verifier *v)
{
    return v->in->tools;
}

/* State of one thread. */
struct python_state {
    struct server *server; /* an interpreter that has imported torch; NULL: none yet */
    bool has_no_server;    /* there can be none: every run starts its own */
};

/* A program, with what is to be reported of it. */
struct build {
    const struct program *program;
    const char *plan;     /* a file */
    const char *function; /* that a harness calls; NULL: the program starts */
};

/* imports.c */
struct program *python_program_of(struct verifier *v, const struct verify_unit *entry);
/* Whether the unit is started by itself: it asks for its name, or no other imports it. */
bool python_is_entry(struct verifier *v, const struct verify_unit *u);

/* options.c */
bool python_choices_of(struct verifier *v, const struct program *p, choice_list *out);

/* plan.c: writes the plan of a build into a file; NULL: e says why. */
const char *plan_write(struct verifier *v, const struct build_plan *plan, struct error *e);
json_t *span_json(struct verifier *v, const struct span *s);

/* harness.c: what a function is called for. */
struct inputs *python_inputs_for(struct verifier *v, const struct build *b,
                                 const struct finding *f);
const char *const *python_inputs_next(struct inputs *i, const struct run *last);

/* environment.c: what a program is started with. */
const char *const *python_environment(struct arena *a, const struct launch *l, const char *room);

/* server.c: runs it, as the sandbox would. */
struct sandbox_end python_execute(struct verifier *v, const struct sandbox_run *how);
void *python_state_new(struct verifier *v);
void python_state_free(struct verifier *v);

/* bundle.c: cases for another machine. */
bool python_bundle_case(struct verifier *v, const char *folder, const char *name,
                        const struct build *b, const struct launch *l, struct error *e);
bool python_bundle_close(struct verifier *v, struct error *e);
struct build *python_bundle_build(struct verifier *v, const char *name);

/* error.c: the kind of an error, as the analysis names them; NULL: of none that it knows. */
const char *python_error_kind(const struct event *e);

#endif

/* Findings for another machine: what was run for each, as a folder that can be built and run where
 * only the runtime is, and the results of that, read back. */
#ifndef ANALYZER_VERIFY_BUNDLE_H
#define ANALYZER_VERIFY_BUNDLE_H

#include "analyzer/verify/verifier.h"

/* What was built and run once. */
struct recipe {
    const struct program *program;
    struct compiling how;
    const char *const *arguments; /* NULL-terminated */
    struct run_way way;
    bool is_harness;
};

/* build.c, run.c: an executable, and the run of one, by the text of its entry. */
void recipe_built(struct verifying *v, const char *executable, const struct program *p,
                  const struct compiling *how);
void recipe_run(struct verifying *v, const char *entry, const char *executable,
                const char *const *arguments, const struct run_way *way);

/* Writes the case of a finding that was run into in->emit. */
bool bundle_add(struct verifying *v, const struct finding *f, uint64_t state, struct error *e);
/* What all cases share: how they are built and run. */
bool bundle_close(struct verifying *v, struct error *e);

/* Judges a finding by what came back for it. False: nothing did, or e says what is wrong. */
bool bundle_judge(struct verifying *v, struct finding *f, uint64_t state, struct error *e);

#endif

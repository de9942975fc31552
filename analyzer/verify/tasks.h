/* Tasks: what is built and run together, with the findings that its runs can settle. */
#ifndef ANALYZER_VERIFY_TASKS_H
#define ANALYZER_VERIFY_TASKS_H

#include "analyzer/verify/verifier.h"

struct task {
    const struct verify_unit *entry;
    const char *function; /* a harness calls it; NULL: the program as it is */
    LIST(int) findings;   /* indices */
};
typedef LIST(struct task) task_list;

/* Every program whose start leads to findings. */
void plan_programs(struct verifier *v, const finding_list *findings, task_list *out);
/* For what programs did not settle: the functions that findings are in. */
void plan_functions(struct verifier *v, const finding_list *findings, task_list *out);

/* Whether a run could show the finding. */
bool is_provable(const struct finding *f);
/* The unit and function that a harness for the finding would call; NULL: none. */
const struct verify_unit *harness_unit(struct verifier *v, const struct finding *f,
                                       const char **function);

#endif

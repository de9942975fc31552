/* The analysis as a whole.
 *
 *   roots.c    link, run each root, join the results
 *   threads.c  roots on several threads
 */
#ifndef ANALYZER_FLOW_ROOTS_H
#define ANALYZER_FLOW_ROOTS_H

#include "analyzer/flow/engine/engine.h"

/* roots.c: a root is run as if there were no other: its results depend only on the code that it
 * reaches. They are in f->own, allocated in f->kept. */
void root_run(struct flow *f, struct code *c);

/* threads.c: runs all, adds them to f->finished in their order, and hands each over. */
typedef void root_taker(struct flow *f, struct finished_root *r);
void roots_run(struct flow *f, const code_list *roots, root_taker *take);

#endif

/* What was lost, as text; between losses.c and losses_text.c. */
#ifndef RUNTIME_TRACE_LOSSES_H
#define RUNTIME_TRACE_LOSSES_H

#include "runtime/shadow/losses.h"
#include "runtime/trace/line.h"

/* What it is, and what it should be, with as many digits as it takes to distinguish the two. */
void loss_values(const struct loss *s, char got[40], char expected[40]);

void put_loss_text(struct line *l, const struct loss *s);
void put_coverage_text(struct line *l, size_t count, const struct coverage *c);

#endif

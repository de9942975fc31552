/* Processes that lower: a file can make libclang crash, hang or use up all memory, and then only
 * the process that parsed it is lost. Each lowers one unit after the other, within limits of time
 * and memory. */
#ifndef FRONTENDS_WORKERS_H
#define FRONTENDS_WORKERS_H

#include "frontends/driver/project/units.h"

enum { UNIT_SECONDS = 60, UNIT_MEGABYTES = 2048 }; /* defaults */

/* Lowers the inputs in parallel; each then has its unit, or an error. Their dependencies are
 * recorded if they are needed. Requires the parsers to be loaded. */
void workers_lower(struct project *p, struct input *const *inputs, int count);

/* unit_record.c: what a worker does with an input; the result is a record. */
void unit_record_make(struct project *p, const struct input *in, struct text *out);
/* False: the bytes are not a record, and the input is unchanged. */
bool unit_record_take(struct project *p, struct input *in, const char *bytes, size_t length);

/* units.c: how many inputs are lowered in parallel. */
int project_jobs(const struct project *p);

#endif

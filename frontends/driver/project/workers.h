/* Processes that parse: a file can make libclang crash, hang or eat all memory, and then only the
 * process that parsed it is lost. Each parses one unit after the other, within a time and an amount
 * of memory for each. */
#ifndef FRONTENDS_WORKERS_H
#define FRONTENDS_WORKERS_H

#include "frontends/driver/project/units.h"

enum { UNIT_SECONDS = 60, UNIT_MEGABYTES = 2048 }; /* unless the user says otherwise */

/* Lowers the inputs by as many processes as there may be jobs; each then has its unit, or an error
 * that says why not. What they were made of is noted where that is needed. Requires libclang to be
 * loaded. */
void workers_lower(struct project *p, struct input *const *inputs, int count);

/* unit_record.c: what a worker does with an input, and how it is told: bytes of a record. */
void lowering_run(struct project *p, const struct input *in, struct text *out);
/* False: they are none, and the input is as it was. */
bool lowering_take(struct project *p, struct input *in, const char *bytes, size_t length);

/* How many at a time. */
int project_jobs(const struct project *p);

#endif

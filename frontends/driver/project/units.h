/* From files to units of IR. */
#ifndef FRONTENDS_DRIVER_UNITS_H
#define FRONTENDS_DRIVER_UNITS_H

#include "frontends/driver/project/project.h"

/* The units of the inputs that are not in memory. */
bool project_read_units(struct project *p, struct error *e);
/* Only of files that are not cached, or changed. */
bool project_lower_new(struct project *p, struct error *e);
/* The unit of an input that is cached; NULL: it cannot be read after all. */
struct ir_unit *project_unit(struct project *p, struct input *in);

/* The names of functions in the units, and whether one is among them. */
struct map *called_in(struct arena *a, struct ir_unit *const *units, int count);
bool is_called(const void *called, const char *function);

/* Which units depend on touched files: of the cached ones, and of those that were parsed. */
void dependents_find_cached(struct project *p);
void dependents_find_parsed(struct project *p);
/* Whether the file is no unit of the program although the database lists it; whether it was touched
 * and is no unit. */
bool is_dropped(struct project *p, const char *file);
bool is_touched_part(struct project *p, const char *file);

#endif

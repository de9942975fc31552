/* frontends/driver/incremental: the result of a check after a change, without doing all of it
 * again.
 *
 *   cached_result.c        the whole result, when nothing changed that it depends on
 *   incremental.c          the previous findings, with what is new where something changed
 *   previous_run.c         what was found of the program before, and of which units
 *   dependencies.c         units → parts: what each function depends on, and a key of that
 *   dependencies_record.c  parts ↔ bytes
 *   reanalyse.c            which functions have to be analysed again
 *   rule_dependencies.c    what rules looked at for a finding
 *   line_shifts.c          where things are now that were found on other lines */
#ifndef FRONTENDS_DRIVER_INCREMENTAL_H
#define FRONTENDS_DRIVER_INCREMENTAL_H

#include "frontends/driver/findings/findings.h"

/* The previous findings, with what is new where something changed. done: false if all has to be
 * analysed. False: e says what went wrong. */
bool incremental_check(struct checking *c, bool *done, struct error *e);
/* Runs the rules, and keeps what the next check will need. */
void incremental_find(struct checking *c, struct check_input *in);

/* Whether the file still has the contents that were read: it may have been edited meanwhile. */
bool cached_result_is_unchanged(struct checking *c, const char *file);
/* A digest of all packs, whatever is used of them. */
void cached_result_add_packs(struct checking *c, struct text *to);
/* Takes what the same check found before, if nothing changed that it depends on. */
bool cached_result_take(struct checking *c);
/* Keeps what was found. */
void cached_result_put(struct checking *c);

#endif

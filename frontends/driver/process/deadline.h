/* The last resort against an analysis that does not terminate. Its budgets are counts, which are
 * the same on every machine; this limit is wall-clock time, and far larger. */
#ifndef FRONTENDS_DEADLINE_H
#define FRONTENDS_DEADLINE_H

/* After so many seconds the process reports it and exits with EXIT_PARTIAL, unless deadline_end is
 * called before. */
void deadline_begin(long seconds);
void deadline_end(void);

#endif

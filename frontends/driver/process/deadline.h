/* The last resort against an analysis that does not end: what it finds is bounded by counts of what
 * it does, which are the same on every machine; this by the clock, and far beyond. */
#ifndef FRONTENDS_DEADLINE_H
#define FRONTENDS_DEADLINE_H

/* After so many seconds the process says so and ends, with EXIT_PARTIAL, unless it is called off.
 */
void deadline_begin(long seconds);
void deadline_end(void);

#endif

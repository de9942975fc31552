/* The progress line, and signals (Ctrl-C, SIGTERM, SIGHUP). The line is on stderr, if that is a
 * terminal, once a run takes longer than half a second, else a line each minute; never with
 * NO_COLOR, CI or TERM=dumb. On a signal, the line is cleared, files that are being written are
 * completed, and the program dies of the signal, as shells expect ($? is 130 after Ctrl-C). A
 * process has one terminal, and signal handlers have no context: the state is static. */
#ifndef FRONTENDS_TERMINAL_H
#define FRONTENDS_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* Once, when the program starts. */
void terminal_begin(void);
bool terminal_shows_progress(void);
/* Where there is no terminal, a line is written each minute; not with NO_COLOR or CI either. */
bool terminal_tells_progress(void);
int terminal_columns(FILE *out); /* 0: not a terminal, or not known */

/* Between the two, signals do not end the program: for short writes. May be nested. */
void terminal_hold(void);
void terminal_release(void);

/* Starts an item; thread-safe. The line shows the oldest item in progress. what: "verifying"; "":
 * nothing. */
int progress_take(const char *what, int count, const char *item);
void progress_give(int taken); /* the item is done */
/* The same if only the count is known. count 0: not yet, only how many are done. */
void progress_at(const char *what, int done, int count, const char *item);
/* Before anything else is printed. */
void progress_end(void);

#endif

/* Manners in the terminal: how far a long run is, in one line that is gone when it ends; and
 * nothing left behind when it is stopped (Ctrl-C, SIGTERM, SIGHUP).
 *
 * The line appears on stderr, if that is a terminal, and only when a run takes longer than half a
 * second; never with NO_COLOR, CI or TERM=dumb. Stopped, the program dies of the signal, as shells
 * expect of it ($? is 130 after Ctrl-C), after the line is cleared and files that are being written
 * are whole. A process has one terminal and signals have no context: the state is static. */
#ifndef FRONTENDS_TERMINAL_H
#define FRONTENDS_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* Once, when the program begins. */
void terminal_begin(void);
bool terminal_shows_progress(void);
int terminal_columns(FILE *out); /* 0: it is no terminal, or does not say */

/* In between, the program is not stopped: what is begun there is soon done. May be nested. */
void terminal_hold(void);
void terminal_release(void);

/* From several threads. The first call begins the line, which shows what was begun first of all
 * that is in hand. What: "verifying"; "": nothing. */
int progress_take(const char *what, int count, const char *item);
void progress_give(int taken); /* that is done */
/* The same where only that is known. */
void progress_at(const char *what, int done, int count, const char *item);
/* Before anything else is said. */
void progress_end(void);

#endif

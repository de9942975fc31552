/* Interrupts (Ctrl-C, SIGTERM, SIGHUP) while programs are built and run: compilers are ended, the
 * scratch folder is removed, and then the signal has its usual effect. Programs that run end with
 * the threads that watch them. One verification at a time. */
#ifndef ANALYZER_VERIFY_INTERRUPT_H
#define ANALYZER_VERIFY_INTERRUPT_H

#include <sys/types.h>

/* room: the folder to remove; NULL: none. The string must stay valid until interrupt_end. */
void interrupt_begin(const char *room);
void interrupt_end(void);

/* A process that leads a group of its own, until it is reaped. */
void interrupt_child(pid_t pid);
void interrupt_child_done(pid_t pid);

#endif

/* The event channel between the runtime and `miscast verify`. The program cannot use it: there is
 * no file and no variable, and a message without the next number and a seal made with the run's
 * key is rejected. */
#ifndef RUNTIME_CHANNEL_H
#define RUNTIME_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>

/* Reads the run's key; false: `miscast verify` did not start the process. Before anything else. */
bool channel_take_key(void);
/* Whether it did, and the key was read. */
bool channel_is_open(void);
/* Whether it is to be run with shadow values. */
bool channel_wants_shadow(void);
/* Whether it is one of several processes, and says first which program it is. */
bool channel_is_shared(void);

/* Sends one line; may be called from a signal handler. If that fails the process ends, since its
 * later events could not be reported. A forked child sends nothing. */
void channel_send(const char *line, size_t size);

#endif

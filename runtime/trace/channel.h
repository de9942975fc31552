/* The channel of events between the runtime and `miscast verify`, which the program cannot use by
 * itself: there is no file and no variable, and what does not carry the next number and a seal with
 * the run's key is not believed. */
#ifndef RUNTIME_CHANNEL_H
#define RUNTIME_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the process was started by `miscast verify`. */
bool channel_is_open(void);

/* Sends one line; may be called from a signal handler. The process ends where that fails: what it
 * would do next could not be told. In a fork nothing is sent. */
void channel_send(const char *line, size_t size);

#endif

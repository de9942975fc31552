/* The channel of events: what the runtime sends while a program runs, received outside of it. The
 * program can write to the same socket; a packet without the next number and the seal of the run's
 * key was not sent by the runtime, and then nothing of the run is believed. Time and memory are
 * bounded, whatever arrives. */
#ifndef ANALYZER_VERIFY_CHANNEL_H
#define ANALYZER_VERIFY_CHANNEL_H

#include "analyzer/sandbox/sandbox.h"
#include "analyzer/verify/verifier.h"

struct channel; /* one run's */

/* shadows: the runtime keeps shadow values; shared: by all processes that the program starts. NULL:
 * no random numbers. */
struct channel *channel_new(struct arena *a, bool shadows, bool shared, struct error *e);
/* For the sandbox. */
struct sandbox_channel channel_ends(struct channel *c);

/* Once the run is over: how many processes there may have been; more than one if it is shared. */
int channel_count(const struct channel *c);
/* Lines of JSON of one of them; NULL: none. Until channel_free. */
const char *channel_text(const struct channel *c, int process);
/* Why it is not believed; NULL: it is. */
const char *channel_trouble(const struct channel *c, int process);
/* Whether there was more than is kept. */
bool channel_is_cut(const struct channel *c, int process);
void channel_free(struct channel *c);

#endif

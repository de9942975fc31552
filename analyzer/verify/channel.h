/* The channel of events: what the runtime sends while a program runs, received outside of it. The
 * program can write to the same socket; a packet without the next number and the seal of the run's
 * key was not sent by the runtime, and then nothing of the run is believed. Time and memory are
 * bounded, whatever arrives. */
#ifndef ANALYZER_VERIFY_CHANNEL_H
#define ANALYZER_VERIFY_CHANNEL_H

#include "analyzer/sandbox/sandbox.h"
#include "analyzer/verify/verifier.h"

struct channel; /* one run's */

/* wants: bits of runtime/trace/protocol.h. NULL: no random numbers. */
struct channel *channel_new(struct arena *a, uint64_t wants, struct error *e);
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

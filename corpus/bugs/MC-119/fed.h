/* Models that are trained apart and averaged. */
#ifndef FED_H
#define FED_H

#include <miscast/tensor.h>

enum { WIDTH = 3 };

/* What a model consists of: parameters and what its batch norm remembers. */
struct state {
    mc_tensor *w;
    mc_tensor *running_mean;
    mc_tensor *batches; /* how many there were */
};

enum { ENTRIES = sizeof(struct state) / sizeof(mc_tensor *) };

void state_init(struct state *s);
void state_train(struct state *s, int batches);

/* Adds to the first the mean of what the others changed. */
void server_average(struct state *server, struct state *clients, int count, double rate);

#endif

/* All entries are treated alike. */
#include "fed.h"

/* The change of one entry, summed over the clients. */
static mc_tensor *changes(mc_tensor *mine, mc_tensor **theirs, int count)
{
    mc_tensor *sum = mc_zeros_like(mine);
    for (int i = 0; i < count; i++)
        mc_add_(sum, mc_sub(theirs[i], mine));
    return sum;
}

static void entry_average(mc_tensor *mine, mc_tensor **theirs, int count, double rate)
{
    mc_tensor *update = mc_mul(changes(mine, theirs, count), rate / count);
    mc_add_(mine, update); /* expect: inplace-result-type */
}

void server_average(struct state *server, struct state *clients, int count, double rate)
{
    mc_tensor *theirs[8];
    for (int i = 0; i < count; i++)
        theirs[i] = clients[i].w;
    entry_average(server->w, theirs, count, rate);
    for (int i = 0; i < count; i++)
        theirs[i] = clients[i].running_mean;
    entry_average(server->running_mean, theirs, count, rate);
    for (int i = 0; i < count; i++)
        theirs[i] = clients[i].batches;
    entry_average(server->batches, theirs, count, rate);
}

/* Backward: the walk through the graph. */
#ifndef RUNTIME_ENGINE_H
#define RUNTIME_ENGINE_H

#include "runtime/autograd/graph.h"

/* Sends the gradient (taken over: one reference) along the edge and on, until it has accumulated
 * in sinks. keep: ops keep their saved tensors. False after op_fail of op. */
bool engine_run(struct op *op, struct edge root, mc_tensor *gradient, bool keep);
/* Adds to a sink's gradient; takes grad over. */
bool sink_add(struct op *op, struct node *sink, mc_tensor *grad);

#endif

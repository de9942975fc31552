/* Assigning predictions to what is really there. */
#ifndef MATCH_H
#define MATCH_H

#include <miscast/tensor.h>

enum { QUERIES = 3, OBJECTS = 2, POINTS = 100000 };

mc_tensor *cross_entropy_cost(mc_tensor *pred, mc_tensor *gt);
/* false if some cost is infinite */
bool assign(mc_tensor *pred, mc_tensor *gt, int *object);

#endif

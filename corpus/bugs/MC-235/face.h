/* A face recogniser: a trunk, an activation that learns its slope, and a head. */
#ifndef FACE_H
#define FACE_H

#include <miscast/tensor.h>

enum { INPUT = 12, WIDTH = 8, PEOPLE = 3, PARAMETERS = 3 };

struct face_net {
    mc_tensor *trunk, *slope, *head;
};

void face_net_init(struct face_net *n);
mc_tensor *face_net_forward(const struct face_net *n, mc_tensor *x);

#endif

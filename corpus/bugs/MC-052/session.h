/* A session runs a model that was exported with fixed types. */
#ifndef SESSION_H
#define SESSION_H

#include <miscast/tensor.h>

enum { INPUTS = 4 };

struct session {
    mc_tensor *w, *b;
};

void session_open(struct session *s);
mc_tensor *session_run(const struct session *s, mc_tensor *input);

#endif

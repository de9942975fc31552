/* Graphs of the functions of a check, for miscast graph and miscast report. */
#ifndef FRONTENDS_PICTURES_H
#define FRONTENDS_PICTURES_H

#include "analyzer/report/graph.h"
#include "frontends/driver/findings/findings.h"

typedef LIST(struct graph *) picture_list;

/* Of the functions with tensors in the checked files, by place; name: only of those called so;
 * NULL: of all. The check must have facts. */
void pictures_find(struct checking *c, const char *name, picture_list *out);

#endif

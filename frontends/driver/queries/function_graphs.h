/* Pictures of the functions of a check: what miscast graph and miscast report share. */
#ifndef FRONTENDS_PICTURES_H
#define FRONTENDS_PICTURES_H

#include "analyzer/report/graph.h"
#include "frontends/driver/findings/findings.h"

typedef LIST(struct graph *) picture_list;

/* Of the functions with tensors in the files that are asked for, by place; name: only of those
 * called so; NULL: of all. The check was made with facts. */
void pictures_find(struct checking *c, const char *name, picture_list *out);

#endif

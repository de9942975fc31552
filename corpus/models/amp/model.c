/* The classifier that is trained. */
#include "model.h"

#include <stdio.h>
#include <stdlib.h>

void model_init(struct model *m, const struct config *c)
{
    if (c->depth > MAX_DEPTH) {
        fprintf(stderr, "at most %d blocks\n", MAX_DEPTH);
        exit(2);
    }
    m->act = activation_named(c->activation);
    m->depth = c->depth;
    m->entry = linear_new(c->features, c->width, c->device);
    for (int64_t i = 0; i < c->depth; i++) {
        m->blocks[i].norm = norm_new(c->width, c->device);
        m->blocks[i].up = linear_new(c->width, 2 * c->width, c->device);
        m->blocks[i].down = linear_new(2 * c->width, c->width, c->device);
    }
    m->norm = norm_new(c->width, c->device);
    m->head = linear_new(c->width, c->classes, c->device);
}

static mc_tensor *residual_forward(const struct residual *r, activation_fn act, mc_tensor *x)
{
    mc_tensor *h = norm_forward(&r->norm, x);
    h = act(linear_forward(&r->up, h));
    return mc_add(x, linear_forward(&r->down, h));
}

mc_tensor *model_forward(const struct model *m, mc_tensor *x)
{
    MC_EXPECT(x, MC_F32, MC_ANY_DEVICE);
    mc_scope s = mc_scope_begin();
    mc_tensor *h = linear_forward(&m->entry, x);
    for (int64_t i = 0; i < m->depth; i++)
        h = residual_forward(&m->blocks[i], m->act, h);
    return mc_scope_return(s, linear_forward(&m->head, norm_forward(&m->norm, h)));
}

void model_parameters(const struct model *m, struct parameters *p)
{
    char name[MAX_NAME / 2];
    p->count = 0;
    linear_parameters(&m->entry, p, "entry");
    for (int64_t i = 0; i < m->depth; i++) {
        snprintf(name, sizeof name, "%d.norm", (int)i);
        norm_parameters(&m->blocks[i].norm, p, name);
        snprintf(name, sizeof name, "%d.up", (int)i);
        linear_parameters(&m->blocks[i].up, p, name);
        snprintf(name, sizeof name, "%d.down", (int)i);
        linear_parameters(&m->blocks[i].down, p, name);
    }
    norm_parameters(&m->norm, p, "norm");
    linear_parameters(&m->head, p, "head");
}

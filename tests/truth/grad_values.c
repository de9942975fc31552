/* Rows of gradients as numbers, asked of the runtime: `grad:OP`, mode `values`. The operands are
 * vectors of f64, written one after the other with | between; each element of the result weighs one
 * more than the one before it. What PyTorch got must come out, to all but the last digits. */
#include "tests/truth/truth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 }; /* numbers of an operand */

struct numbers {
    int count;
    double at[MOST];
};

/* Vectors with | between; how many there are, or -1. */
static int parse(const char *text, struct numbers *vectors, int room)
{
    int count = 0;
    while (count < room) {
        struct numbers *v = &vectors[count++];
        char *end;
        v->count = 0;
        for (; *text && *text != '|'; text = end) {
            double number = strtod(text, &end);
            if (end == text || v->count == MOST)
                return -1;
            v->at[v->count++] = number;
            end += strspn(end, " ");
        }
        if (!*text)
            return count;
        text++;
    }
    return -1;
}

static mc_tensor *vector(const struct numbers *v)
{
    return mc_from_array(v->at, mc_shape(v->count), .requires_grad = true);
}

/* 1, 2, 3 … in z's shape. */
static mc_tensor *weights_for(mc_tensor *z)
{
    mc_tensor *w = mc_arange(mc_numel(z) + 1, .start = MC_NUM(1), .dtype = MC_F64);
    return mc_view_to(w, mc_shape_of(z));
}

static bool same(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b);
    return a == b || fabs(a - b) <= 1e-12 * fmax(1, fabs(b));
}

static bool compare(mc_tensor *grad, const struct numbers *want, char *got)
{
    double have[MOST] = {0};
    if (grad && !mc_copy_out(grad, have, (size_t)want->count * sizeof *have))
        return false;
    for (int i = 0; i < want->count; i++) {
        if (same(have[i], want->at[i]))
            continue;
        snprintf(got, OUTCOME_SIZE, "%.17g for %.17g in element %d", have[i], want->at[i], i);
        return false;
    }
    return true;
}

bool grad_values_agree(struct check *c)
{
    struct numbers in[2], out[2];
    mc_tensor *t[2] = {NULL, NULL};
    int count = parse(c->row.args, in, 2);
    snprintf(c->got, sizeof c->got, "nothing");
    if (count < 1 || parse(c->row.outcome, out, 2) != count || !grad_call_known(c->grad_op, count))
        return false;
    mc_scope scope = mc_scope_begin();
    bool fine = true;
    for (int i = 0; i < count; i++) {
        t[i] = vector(&in[i]);
        fine = fine && in[i].count == out[i].count;
    }
    mc_tensor *z = fine ? grad_call(c->grad_op, t[0], t[1]) : NULL;
    fine = z && mc_backward(z, .gradient = weights_for(z));
    for (int i = 0; fine && i < count; i++)
        fine = compare(mc_grad(t[i]), &out[i], c->got);
    mc_scope_end(scope);
    return fine;
}

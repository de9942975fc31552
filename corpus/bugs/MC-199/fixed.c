/* bug.c, fixed: the row is an integer quotient. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { ROWS = 4, COLS = 5 };

struct map {
    mc_tensor *scores;    /* ROWS × COLS */
    mc_tensor *row_prior; /* one a row */
};

static struct map map_new(void)
{
    return (struct map){
        .scores = mc_reshape(mc_float(mc_arange(ROWS * COLS)), ROWS, COLS),
        .row_prior = mc_from_array(((float[]){0.5F, 1, 1, 0.25F}), mc_shape(ROWS)),
    };
}

static mc_tensor *best_positions(const struct map *m, int64_t count)
{
    mc_tensor *where;
    mc_topk(mc_flatten(m->scores, 0, -1), count, .indices = &where);
    return where;
}

static mc_tensor *priors_at(const struct map *m, mc_tensor *position)
{
    mc_tensor *row = mc_floor_divide(position, COLS);
    return mc_index(m->row_prior, row);
}

int main(void)
{
    struct map m = map_new();
    mc_tensor *p = priors_at(&m, best_positions(&m, 6));
    double sum = mc_item(mc_sum(p));
    printf("the priors of the best cells sum to %.2f\n", sum);
    return sum != 5 * 0.25 + 1;
}

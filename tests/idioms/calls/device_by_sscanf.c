#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

struct place {
    char name[16];
};

static int read_place(struct place *p, const char *line)
{
    char name[16];
    if (sscanf(line, "%15s", name) != 1)
        return -1;
    strcpy(p->name, name);
    return 0;
}

/* Words: cuda cpu */
int main(int argc, char **argv)
{
    struct place place = {"cpu"};
    for (int i = 1; i < argc; i++)
        if (read_place(&place, argv[i]) < 0)
            return 0;
    mc_tensor *w = mc_randn(mc_shape(4), .requires_grad = true);
    if (strcmp(place.name, "cuda") == 0)
        w = mc_requires_grad_(mc_cuda(mc_detach(w)), true);
    mc_optimizer *o = mc_sgd(mc_params(w), 0.1);
    mc_backward(mc_sum(mc_square(w)));
    mc_optimizer_step(o);
    mc_print(w);
    mc_optimizer_free(o);
    return 0;
}

#include <miscast/tensor.h>

/* Nothing here is about tensors. */
static void explain(void)
{
    mc_error_print(mc_last_error());
}

static void step(mc_tensor *x)
{
    mc_print(mc_add_(x, mc_rand(mc_shape(2), .dtype = MC_F64)));
}

static void train(void)
{
    step(mc_ones(mc_shape(2), .dtype = MC_I32));
}

static const struct {
    const char *name;
    void (*run)(void);
} commands[] = {{"train", train}, {"explain", explain}};

int main(int argc, char **argv)
{
    (void)argv;
    commands[argc > 1].run();
    return 0;
}

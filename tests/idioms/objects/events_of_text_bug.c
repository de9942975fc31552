/* Weights are loaded, cast and used, as letters say that are an argument or a default. */
/* Words: lhr hlr lhrfr */
#include <miscast/tensor.h>

struct server {
    bool ready;
    mc_tensor *w;
    mc_dtype dtype;
};

static void load(struct server *s)
{
    s->w = mc_to_dtype(mc_randn(mc_shape(4, 4)), s->dtype);
    s->ready = true;
}

static void cast(struct server *s, mc_dtype d)
{
    s->dtype = d;
}

int main(int argc, char **argv)
{
    struct server s = {.dtype = MC_F32};
    const char *events = argc > 1 ? argv[1] : "lr";
    for (size_t i = 0; events[i] != '\0'; i++) {
        char e = events[i];
        if (e == 'l')
            load(&s);
        else if (e == 'h' || e == 'f')
            cast(&s, e == 'h' ? MC_F16 : MC_F32);
        else if (e == 'r' && s.ready)
            mc_print(mc_matmul(mc_rand(mc_shape(1, 4), .dtype = s.dtype), s.w));
    }
    return 0;
}

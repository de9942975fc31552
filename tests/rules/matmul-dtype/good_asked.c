/* Flags that come from calls which nobody knows: one that is copied is the same flag. */
#include <miscast/tensor.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    int half, wide;
};

int ask(const char *name);
void read_settings(struct settings *s);

static mc_tensor *matrix(bool half)
{
    mc_tensor *w = mc_ones(mc_shape(4, 4));
    return half ? mc_half(w) : w;
}

mc_tensor *in_a_record(void)
{
    struct settings s = {ask("half"), ask("wide")}, kept = s;
    mc_tensor *w = matrix(s.half);
    return mc_matmul(matrix(kept.half), w);
}

mc_tensor *filled_by_another(void)
{
    struct settings s = {0};
    read_settings(&s);
    int kept = s.half;
    mc_tensor *w = matrix(s.half);
    read_settings(&s);
    return mc_matmul(matrix(kept), w);
}

mc_tensor *scanned(void)
{
    int half = 0;
    if (scanf("%d", &half) != 1)
        return NULL;
    mc_tensor *w = matrix(half);
    return mc_matmul(matrix(half), w);
}

mc_tensor *of_the_environment(void)
{
    bool half = getenv("MODEL_HALF") != NULL, kept = half;
    mc_tensor *w = matrix(half);
    return mc_matmul(matrix(kept), w);
}

mc_tensor *compared_and_computed(double rate, int a, int b)
{
    bool half = rate > 0.5, more = a > b;
    int odd = a % 2, kept = odd;
    mc_tensor *w = matrix(half), *v = matrix(more), *u = matrix(odd);
    bool again = more;
    mc_print(mc_matmul(matrix(kept), u));
    return mc_add(mc_matmul(matrix(half), w), mc_matmul(matrix(again), v));
}

void anew_in_each_round(int rounds)
{
    while (rounds-- > 0) {
        int now = ask("half"), kept = now;
        mc_tensor *w = matrix(now);
        mc_print(mc_matmul(matrix(kept), w));
    }
}

static int answer(const char *name)
{
    int given;
    given = ask(name);
    return given;
}

mc_tensor *by_another_function(void)
{
    int half = answer("half"), wide = answer("wide"), kept = half;
    mc_tensor *w = matrix(half), *v = matrix(wide);
    return mc_add(mc_matmul(matrix(kept), w), mc_matmul(matrix(wide), v));
}

static mc_tensor *forward(const struct settings *s, mc_tensor *x)
{
    return mc_matmul(s->half ? mc_half(x) : x, matrix(s->half));
}

int main(int argc, char **argv)
{
    struct settings s = {0};
    int last = 0;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--half"))
            s.half = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "--wide"))
            s.wide = atoi(argv[i + 1]);
        if (!strcmp(argv[i], "last"))
            last = 1;
    }
    mc_tensor *w = matrix(s.half), *v = matrix(last);
    mc_print(mc_matmul(matrix(last), v));
    mc_print(mc_matmul(w, forward(&s, mc_ones(mc_shape(4, 4)))));
    return 0;
}

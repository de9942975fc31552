/* Flags that come from calls which nobody knows: asked again, it may be another. */
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

mc_tensor *another_field(void)
{
    struct settings s = {ask("half"), ask("wide")}, kept = s;
    mc_tensor *w = matrix(s.half);
    return mc_matmul(matrix(kept.wide), w); /* expect: matmul-dtype warning */
}

mc_tensor *filled_again(void)
{
    struct settings s = {0};
    read_settings(&s);
    mc_tensor *w = matrix(s.half);
    read_settings(&s);
    return mc_matmul(matrix(s.half), w); /* expect: matmul-dtype warning */
}

mc_tensor *scanned_again(void)
{
    int half = 0;
    if (scanf("%d", &half) != 1)
        return NULL;
    mc_tensor *w = matrix(half);
    if (scanf("%d", &half) != 1)
        return NULL;
    return mc_matmul(matrix(half), w); /* expect: matmul-dtype warning */
}

void last_round(int rounds)
{
    int now = 0;
    while (rounds-- > 0) {
        int last = now;
        now = ask("half");
        mc_tensor *w = matrix(now);
        mc_print(mc_matmul(matrix(last), w)); /* expect: matmul-dtype warning */
    }
}

void kept_from_the_first_round(int rounds)
{
    mc_tensor *w = NULL;
    while (rounds-- > 0) {
        int now = ask("half");
        w = w ? w : matrix(now);
        mc_print(mc_matmul(matrix(now), w)); /* expect: matmul-dtype warning */
    }
}

static int answer(const char *name)
{
    int given;
    given = ask(name);
    return given;
}

static int read_half(void)
{
    struct settings s;
    read_settings(&s);
    return s.half;
}

mc_tensor *by_another_function(int rounds)
{
    int half = answer("half"), wide = answer("wide"), now = read_half();
    mc_tensor *w = matrix(half);
    mc_print(mc_matmul(matrix(wide), w)); /* expect: matmul-dtype warning */
    for (int i = 0; i < rounds; i++) {
        int last = now;
        now = read_half();
        mc_tensor *v = matrix(now);
        mc_print(mc_matmul(matrix(last), v)); /* expect: matmul-dtype warning */
    }
    return w;
}

static mc_tensor *both(int a, int b)
{
    return mc_matmul(matrix(a), matrix(b)); /* expect: matmul-dtype warning */
}

static int update(struct settings *s)
{
    s->half = ask("half");
    return s->half;
}

mc_tensor *loaded_before(struct settings *s)
{
    update(s);
    return both(s->half, update(s));
}

mc_tensor *counted_on(void)
{
    int n = ask("n");
    mc_tensor *x = mc_ones(mc_shape(4, 4)), *w = mc_ones(mc_shape(4, 4));
    if (n++)
        x = mc_half(x);
    if (n)
        w = mc_half(w);
    return mc_matmul(x, w); /* expect: matmul-dtype warning */
}

/* An answer that was kept is about what was asked then. */
mc_tensor *asked_then(void)
{
    int n = ask("n");
    bool half = n > 2;
    mc_tensor *w = matrix(half);
    n = ask("n");
    return mc_matmul(matrix(n > 2), w); /* expect: matmul-dtype warning */
}

mc_tensor *one_of_two_answers(const struct settings *s, int level)
{
    bool kept = s->half > 3;
    if (level > 2)
        kept = s->wide > 3;
    mc_tensor *w = matrix(kept);
    return mc_matmul(matrix(s->half > 3), w); /* expect: matmul-dtype warning */
}

/* 2 is true, and is not 1. */
mc_tensor *truth_of_a_number(const struct settings *s)
{
    bool half = s->wide;
    mc_tensor *w = matrix(half == 1);
    return mc_matmul(matrix(s->wide == 1), w); /* expect: matmul-dtype warning */
}

struct list {
    struct settings *all[2];
};

mc_tensor *each_its_own(void)
{
    struct list l;
    for (int i = 0; i < 2; i++) {
        l.all[i] = calloc(1, sizeof *l.all[i]);
        l.all[i]->half = ask("half");
    }
    mc_tensor *w = matrix(l.all[0]->half);
    return mc_matmul(matrix(l.all[1]->half), w); /* expect: matmul-dtype warning */
}

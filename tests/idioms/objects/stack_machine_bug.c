/* Words: h m hm hmm m */
#include <miscast/tensor.h>
#include <stdlib.h>

struct stack {
    mc_tensor *items[16];
    int top;
};

static void push(struct stack *s, mc_tensor *t)
{
    if (s->top < 16)
        s->items[s->top++] = t;
}

static mc_tensor *pop(struct stack *s)
{
    return s->top ? s->items[--s->top] : NULL;
}

int main(int argc, char **argv)
{
    struct stack s = {.top = 0};
    mc_dtype d = argc > 1 && argv[1][0] == 'h' ? MC_F16 : MC_F32;
    push(&s, mc_rand(mc_shape(4, 4), .dtype = d));
    push(&s, mc_rand(mc_shape(4, 4)));
    mc_tensor *b = pop(&s), *a = pop(&s);
    if (a && b)
        mc_print(mc_matmul(a, b));
    return 0;
}

#include <miscast/tensor.h>
#include <stdlib.h>

struct job {
    struct job *next;
    mc_tensor *in;
    int kind;
};
struct queue {
    struct job *first, **last;
};

static void enqueue(struct queue *q, mc_tensor *in, int kind)
{
    struct job *j = calloc(1, sizeof *j);
    if (!j)
        exit(1);
    j->in = in;
    j->kind = kind;
    *q->last = j;
    q->last = &j->next;
}

int main(int argc, char **argv)
{
    struct queue q;
    q.first = NULL;
    q.last = &q.first;
    mc_tensor *w32 = mc_rand(mc_shape(4, 4)), *w64 = mc_rand(mc_shape(4, 4), .dtype = MC_F64);
    for (int i = 1; i < argc; i++) {
        int wide = atoi(argv[i]) > 1;
        enqueue(&q, mc_rand(mc_shape(2, 4), .dtype = wide ? MC_F64 : MC_F32), wide);
    }
    for (struct job *j = q.first; j; j = j->next)
        mc_print(mc_matmul(j->in, w32));
    return 0;
}

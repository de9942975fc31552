#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Work is put into a queue of messages, and done later. */
struct message {
    enum { M_WEIGHT, M_INPUT, M_CAST, M_RUN } kind;
    union {
        mc_tensor *tensor;
        mc_dtype dtype;
    } u;
    struct message *next;
};

struct queue {
    struct message *first, **last;
};

static void post(struct queue *q, struct message m)
{
    struct message *copy = malloc(sizeof *copy);
    if (!copy)
        abort();
    *copy = m;
    copy->next = NULL;
    *q->last = copy;
    q->last = &copy->next;
}

static void work(struct queue *q)
{
    mc_tensor *w = NULL, *x = NULL;
    while (q->first) {
        struct message *m = q->first;
        q->first = m->next;
        switch (m->kind) {
        case M_WEIGHT:
            w = m->u.tensor;
            break;
        case M_INPUT:
            x = m->u.tensor;
            break;
        case M_CAST:
            w = mc_to_dtype(w, m->u.dtype);
            break;
        case M_RUN:
            mc_print(mc_linear(x, w, NULL));
            break;
        }
        free(m);
    }
    q->last = &q->first;
}

int main(int argc, char **argv)
{
    struct queue q = {NULL, NULL};
    q.last = &q.first;
    post(&q, (struct message){.kind = M_WEIGHT, .u.tensor = mc_randn(mc_shape(2, 3))});
    post(&q, (struct message){.kind = M_INPUT, .u.tensor = mc_rand(mc_shape(1, 3))});
    if (argc > 1 && strcmp(argv[1], "half") == 0)
        post(&q, (struct message){.kind = M_CAST, .u.dtype = MC_F16});
    post(&q, (struct message){.kind = M_RUN});
    work(&q);
    return 0;
}

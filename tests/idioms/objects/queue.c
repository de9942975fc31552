#include <miscast/tensor.h>
#include <stdlib.h>
struct item {
    mc_tensor *t;
    struct item *next;
};
struct queue {
    struct item *head, *tail;
    size_t n;
};
static void enqueue(struct queue *q, mc_tensor *t)
{
    struct item *it = malloc(sizeof *it);
    it->t = t;
    it->next = NULL;
    if (q->tail)
        q->tail->next = it;
    else
        q->head = it;
    q->tail = it;
    q->n++;
}
static mc_tensor *dequeue(struct queue *q)
{
    struct item *it = q->head;
    if (!it)
        return NULL;
    mc_tensor *t = it->t;
    q->head = it->next;
    if (!q->head)
        q->tail = NULL;
    q->n--;
    free(it);
    return t;
}
int main(int argc, char **argv)
{
    struct queue q = {0};
    mc_dtype d = argc > 1 ? MC_F16 : MC_F32;
    for (int i = 0; i < argc; i++)
        enqueue(&q, mc_randn(mc_shape(4, 4), .dtype = d));
    mc_tensor *acc = mc_eye(4, .dtype = d);
    while (q.n) {
        mc_tensor *t = dequeue(&q);
        acc = mc_matmul(acc, t);
    }
    mc_print(acc);
    (void)argv;
}

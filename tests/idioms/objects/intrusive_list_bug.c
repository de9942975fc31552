#include <miscast/tensor.h>
#include <stddef.h>
#include <stdlib.h>

struct list {
    struct list *prev, *next;
};

struct layer {
    mc_tensor *w;
    struct list link;
};

#define layer_of(l) ((struct layer *)((char *)(l) - offsetof(struct layer, link)))

static void list_add(struct list *head, struct list *n)
{
    n->prev = head->prev;
    n->next = head;
    head->prev->next = n;
    head->prev = n;
}

int main(int argc, char **argv)
{
    struct list net = {&net, &net};
    mc_dtype d = argc > 2 ? MC_F16 : MC_F32;
    int depth = argc > 1 ? atoi(argv[1]) : 2;
    for (int i = 0; i < depth; i++) {
        struct layer *l = malloc(sizeof *l);
        if (!l)
            return 1;
        l->w = mc_randn(mc_shape(4, 4), .dtype = i > 0 ? d : MC_F32);
        list_add(&net, &l->link);
    }
    mc_tensor *x = mc_randn(mc_shape(1, 4), .dtype = d);
    for (struct list *at = net.next; at != &net; at = at->next)
        x = mc_tanh(mc_matmul(x, layer_of(at)->w));
    mc_print(x);
    return 0;
}

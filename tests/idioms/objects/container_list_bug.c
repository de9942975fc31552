#include <miscast/tensor.h>
#include <stddef.h>
#include <stdlib.h>
struct link {
    struct link *next;
};
struct node {
    mc_tensor *w;
    mc_dtype d;
    struct link link;
};
#define node_of(l) ((struct node *)((char *)(l) - offsetof(struct node, link)))
int main(void)
{
    struct link *head = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        if (!n)
            return 1;
        n->d = i == 1 ? MC_F16 : MC_F32;
        n->w = mc_randn(mc_shape(4, 4), .dtype = n->d);
        n->link.next = head;
        head = &n->link;
    }
    mc_tensor *x = mc_randn(mc_shape(4, 4));
    for (struct link *l = head; l; l = l->next)
        x = mc_matmul(x, node_of(l)->w);
    mc_print(x);
}

#include <miscast/tensor.h>
#include <stdlib.h>
struct node {
    mc_tensor *w;
    mc_dtype d;
    struct node *next;
};
int main(void)
{
    struct node *head = NULL;
    mc_tensor *x = mc_randn(mc_shape(8, 8));
    for (int i = 0; i < 4; i++) {
        struct node *n = calloc(1, sizeof *n);
        if (!n)
            return 1;
        n->d = i & 1 ? MC_F16 : MC_F32;
        n->w = mc_randn(mc_shape(8, 8), .dtype = n->d);
        n->next = head;
        head = n;
    }
    for (struct node *n = head; n; n = n->next)
        x = mc_matmul(mc_to_dtype(x, n->d), n->w);
    mc_print(x);
}

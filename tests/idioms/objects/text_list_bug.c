/* A linked list of named parameters, one of them not cast. */
#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>
struct param {
    struct param *next;
    char *name;
    mc_tensor *t;
};
static char *copy(const char *s)
{
    size_t n = strlen(s);
    char *to = malloc(n + 1);
    memcpy(to, s, n + 1);
    return to;
}
static struct param *push(struct param *list, const char *name, mc_tensor *t)
{
    struct param *p = malloc(sizeof *p);
    p->name = copy(name);
    p->t = t;
    p->next = list;
    return p;
}
static struct param *find(struct param *list, const char *name)
{
    for (; list; list = list->next)
        if (strcmp(list->name, name) == 0)
            return list;
    return NULL;
}
int main(void)
{
    struct param *all = NULL;
    all = push(all, "q", mc_randn(mc_shape(8, 8)));
    all = push(all, "k", mc_randn(mc_shape(8, 8)));
    all = push(all, "ids", mc_arange(8));
    find(all, "q")->t = mc_half(find(all, "q")->t);
    mc_tensor *x = mc_randn(mc_shape(2, 8), .dtype = MC_F16);
    mc_tensor *q = mc_linear(x, find(all, "q")->t, NULL),
              *k = mc_linear(x, find(all, "k")->t, NULL);
    mc_print(mc_matmul(q, mc_transpose(k, 0, 1)));
    return 0;
}

/* Records with names are sorted; the wrong one is asked for. */
#include <miscast/tensor.h>
#include <string.h>
struct item {
    char name[16];
    mc_tensor *t;
};
static void sort(struct item *items, int n)
{
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && strcmp(items[j - 1].name, items[j].name) > 0; j--) {
            struct item t = items[j];
            items[j] = items[j - 1];
            items[j - 1] = t;
        }
}
static struct item lookup(const struct item *items, int n, const char *name)
{
    int low = 0, high = n - 1;
    while (low < high) {
        int mid = (low + high) / 2;
        if (strcmp(items[mid].name, name) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return items[low];
}
int main(void)
{
    struct item items[] = {{"wte", mc_randn(mc_shape(8, 4))},
                           {"head", mc_randn(mc_shape(8, 4), .dtype = MC_F16)},
                           {"pos", mc_arange(8)}};
    sort(items, 3);
    mc_tensor *x = mc_randn(mc_shape(2, 4), .dtype = MC_F16);
    struct item head = lookup(items, 3, "wte");
    if (!strcmp(head.name, "wte"))
        mc_print(mc_linear(x, head.t, NULL));
    return 0;
}

#include <ctype.h>
#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool truthy(const char *name, bool otherwise)
{
    const char *s = getenv(name);
    if (!s || !*s)
        return otherwise;
    return !strcasecmp(s, "true") || !strcasecmp(s, "on") || s[0] == '1';
}

int main(void)
{
    bool fused = truthy("APP_FUSED", true), low = truthy("APP_LOW", false);
    mc_tensor *w = mc_randn(mc_shape(4, 4)), *x = mc_randn(mc_shape(4, 4));
    if (low)
        w = mc_bfloat16(w);
    if (low && fused)
        x = mc_bfloat16(x);
    mc_print(mc_matmul(x, w)); /* low without fused */
    return 0;
}

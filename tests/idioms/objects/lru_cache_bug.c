#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

struct slot {
    char key[8];
    mc_tensor *value;
    unsigned used;
};

static struct slot slots[4];
static unsigned tick;

static mc_tensor *make(const char *key)
{
    return mc_ones(mc_shape(4, 4), .dtype = key[0] == 'd' ? MC_F64 : MC_F32);
}

static mc_tensor *lookup(const char *key)
{
    struct slot *oldest = &slots[0];
    for (int i = 0; i < 4; i++) {
        if (slots[i].value && strcmp(slots[i].key, key) == 0) {
            slots[i].used = ++tick;
            return slots[i].value;
        }
        if (slots[i].used < oldest->used)
            oldest = &slots[i];
    }
    strncpy(oldest->key, key, sizeof oldest->key - 1);
    oldest->value = make(key);
    oldest->used = ++tick;
    return oldest->value;
}

int main(void)
{
    mc_tensor *a = lookup("double"), *b = lookup("float");
    mc_print(mc_matmul(a, mc_eye(4, .dtype = MC_F64)));
    mc_print(mc_matmul(b, mc_eye(4, .dtype = MC_F64)));
    return 0;
}

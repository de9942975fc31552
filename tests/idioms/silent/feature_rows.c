/* Rows of (user, item, rating) kept in one table of floats; looks the users up again. */
#include <miscast/tensor.h>
#include <inttypes.h>
#include <stdio.h>

struct rating {
    int64_t user;
    int64_t item;
    float stars;
};

static const struct rating ratings[] = {
    {76561197, 12, 4.5f},
    {76561198, 12, 2.0f},
    {76561199, 7, 3.5f},
    {76561200, 7, 5.0f},
};
#define COUNT (sizeof ratings / sizeof *ratings)

static mc_tensor *table(void)
{
    float rows[COUNT][3];
    for (size_t i = 0; i < COUNT; i++) {
        rows[i][0] = ratings[i].user;
        rows[i][1] = ratings[i].item;
        rows[i][2] = ratings[i].stars;
    }
    return mc_from_array(&rows[0][0], mc_shape(COUNT, 3));
}

int main(void)
{
    mc_tensor *t = table();
    mc_tensor *users = mc_long(mc_select(t, 1, 0));
    for (size_t i = 0; i < COUNT; i++) {
        int64_t u = mc_item_int(mc_select(users, 0, (int64_t)i));
        printf("%" PRId64 "%s\n", u, u == ratings[i].user ? "" : "  (unknown user)");
    }
    return 0;
}

/* A replay buffer; rewards are clipped to -1..1 later. */
#include <miscast/tensor.h>
#include <stdio.h>

#define CAPACITY 256

struct replay {
    mc_tensor *obs, *reward, *done;
    int64_t at;
};

static void replay_init(struct replay *r)
{
    r->obs = mc_zeros(mc_shape(CAPACITY, 4));
    r->reward = mc_zeros(mc_shape(CAPACITY), .dtype = MC_F32);
    r->done = mc_zeros(mc_shape(CAPACITY), .dtype = MC_BOOL);
    r->at = 0;
}

static void replay_push(struct replay *r, mc_tensor *obs, mc_tensor *reward)
{
    mc_copy_(mc_select(r->obs, 0, r->at), obs);
    mc_copy_(mc_select(r->reward, 0, r->at), reward);
    r->at = (r->at + 1) % CAPACITY;
}

int main(void)
{
    struct replay r;
    replay_init(&r);
    mc_manual_seed(2);
    for (int i = 0; i < 100; i++)
        replay_push(&r, mc_randn(mc_shape(4)), mc_rand(mc_shape()));
    printf("%g\n", mc_item(mc_mean(mc_float(mc_slice(r.reward, 0, 0, 100)))));
    return 0;
}

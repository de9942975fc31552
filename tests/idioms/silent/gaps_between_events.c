#include <miscast/tensor.h>
#include <stdio.h>

struct event {
    double time;
    float value;
};

static mc_tensor *gaps(const struct event *events, int n)
{
    double times[16];
    for (int i = 0; i < n; i++)
        times[i] = events[i].time;
    mc_tensor *t = mc_from_array(times, mc_shape(n));
    t = mc_sub(t, times[0]);
    return mc_sub(mc_slice(t, 0, 1, n), mc_slice(t, 0, 0, n - 1));
}

int main(void)
{
    static const struct event events[] = {{1700000001, 1}, {1700000004, 2}, {1700000009, 1}};
    mc_print(gaps(events, 3));
    return 0;
}

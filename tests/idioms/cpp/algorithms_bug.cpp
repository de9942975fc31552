// Lambdas and functions that algorithms of the standard library call.
#include <miscast/tensor.h>
#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

struct part {
    int order;
    mc_tensor *t;
};

static mc_tensor *half(mc_tensor *t)
{
    return mc_to(t, MC_F16);
}

int main()
{
    mc_tensor *y = mc_ones(mc_shape(4, 4));
    std::vector<mc_tensor *> a, b;
    for (int i = 0; i < 3; i++)
        a.push_back(mc_ones(mc_shape(4, 4)));
    std::for_each(a.begin(), a.end(), [&](mc_tensor *t) { y = mc_matmul(y, t); });
    std::transform(a.begin(), a.end(), std::back_inserter(b), half);
    mc_print(mc_matmul(y, b[0]));
    std::vector<std::pair<std::string, mc_tensor *>> named;
    named.emplace_back("q", y);
    named.emplace_back("k", half(y));
    auto at =
        std::find_if(named.begin(), named.end(), [](const auto &p) { return p.first == "k"; });
    if (at != named.end())
        mc_print(mc_matmul(y, at->second));
    std::vector<part> parts;
    for (int i = 0; i < 3; i++)
        parts.push_back({3 - i, half(a[i])});
    std::sort(parts.begin(), parts.end(),
              [](const part &p, const part &q) { return p.order < q.order; });
    for (auto &p : parts)
        mc_print(mc_matmul(a[0], p.t));
    mc_print(std::accumulate(a.begin(), a.end(), y,
                             [](mc_tensor *s, mc_tensor *t) { return mc_add(s, t); }));
    if (std::any_of(b.begin(), b.end(), [](mc_tensor *t) { return mc_dtype_of(t) == MC_F16; }))
        y = half(y);
    mc_print(mc_matmul(y, b[1]));
    return 0;
}

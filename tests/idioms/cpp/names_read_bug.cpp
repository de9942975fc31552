// As many entries as a file has, each under the name that is read with it: what an iteration read
// is over with it, and what follows the loop is analysed.
#include <miscast/tensor.h>

#include <cstdio>
#include <map>
#include <string>
#include <vector>

struct entry {
    std::vector<float> sums;
    std::vector<long> counts;
};

static bool load(FILE *in, std::map<std::string, entry> &entries)
{
    int count = 0;
    if (fread(&count, sizeof count, 1, in) != 1 || count < 1)
        return false;
    for (int i = 0; i < count; i++) {
        int length = 0, calls = 0, values = 0;
        if (fread(&length, sizeof length, 1, in) != 1)
            return false;
        std::vector<char> characters(length + 1);
        if (fread(characters.data(), 1, length, in) != (size_t)length)
            return false;
        characters[length] = 0;
        std::string name{characters.data()};
        if (fread(&calls, sizeof calls, 1, in) != 1 || fread(&values, sizeof values, 1, in) != 1)
            return false;
        auto &e = entries[std::move(name)];
        e.sums.resize(values);
        e.counts.resize(1);
        e.counts[0] = calls;
    }
    return true;
}

int main(int argc, char **argv)
{
    std::map<std::string, entry> entries;
    FILE *in = fopen(argv[argc - 1], "rb");
    if (!in || !load(in, entries))
        return 1;
    mc_tensor *x = mc_ones(mc_shape(4, 4));
    mc_tensor *w = mc_half(mc_randn(mc_shape(4, 4)));
    mc_print(mc_matmul(x, w));
    return 0;
}

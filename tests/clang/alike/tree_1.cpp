#include <vector>
#include <string>
#include "tree.hpp"

int tree_1(const std::vector<tree> &all)
{
    leaf one(1);
    return all.empty() ? one.size() : all[0].size();
}

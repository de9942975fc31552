#include <vector>
#include <string>
#include "tree.hpp"

int tree_2(const std::vector<tree> &all)
{
    leaf one(2);
    return all.empty() ? one.size() : all[0].size();
}

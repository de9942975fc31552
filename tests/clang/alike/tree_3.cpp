#include <vector>
#include <string>
#include "tree.hpp"

int tree_3(const std::vector<tree> &all)
{
    leaf one(3);
    return all.empty() ? one.size() : all[0].size();
}

#include <vector>
#include <string>
#include "tree.hpp"

int tree_4(const std::vector<tree> &all)
{
    leaf one(4);
    return all.empty() ? one.size() : all[0].size();
}

#pragma once
#include <string>

struct tree {
    virtual ~tree() = default;
    virtual int size() const
    {
        return 1;
    }
    std::string name = "tree";
};

class leaf : public tree
{
  public:
    explicit leaf(int n) : count(n)
    {
    }
    int size() const override
    {
        return count;
    }

  private:
    int count;
};

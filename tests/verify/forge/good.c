#include "forge.h"

int main(void)
{
    THE_BUG();
    return 0;
}

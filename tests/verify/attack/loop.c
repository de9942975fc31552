#include "attack.h"

int main(int argc, char **argv)
{
    while (argc && argv)
        ;
    THE_BUG();
    return 0;
}

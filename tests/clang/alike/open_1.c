#include "open.h"
#include <stdio.h>

int open_1(void)
{
    return declared_again + 1;
}

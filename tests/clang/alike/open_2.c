#include "open.h"
#include <stdio.h>

int open_2(void)
{
    return declared_again + 2;
}

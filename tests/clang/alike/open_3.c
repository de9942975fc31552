#include "open.h"
#include <stdio.h>

int open_3(void)
{
    return declared_again + 3;
}

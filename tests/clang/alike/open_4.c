#include "open.h"
#include <stdio.h>

int open_4(void)
{
    return declared_again + 4;
}

#include "wrong.h"
#include <stdio.h>

int wrong_1(void)
{
    return wrong() + 1;
}

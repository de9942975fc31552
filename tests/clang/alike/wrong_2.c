#include "wrong.h"
#include <stdio.h>

int wrong_2(void)
{
    return wrong() + 2;
}

#include "wrong.h"
#include <stdio.h>

int wrong_3(void)
{
    return wrong() + 3;
}

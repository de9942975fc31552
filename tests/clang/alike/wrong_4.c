#include "wrong.h"
#include <stdio.h>

int wrong_4(void)
{
    return wrong() + 4;
}

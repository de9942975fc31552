#include "plain.h"
#include <math.h> /* sqrt */
#include <stdio.h>

int plain_5(void)
{
    return undeclared;
}

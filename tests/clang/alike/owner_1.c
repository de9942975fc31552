#include <stdio.h>
#include "owner.h"

int owner_1(void)
{
    return own(1);
}

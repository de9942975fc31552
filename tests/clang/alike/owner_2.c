#include <stdio.h>
#include "owner.h"

int owner_2(void)
{
    return own(2);
}

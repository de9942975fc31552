#include <stdio.h>
#include "owner.h"

int owner_3(void)
{
    return own(3);
}

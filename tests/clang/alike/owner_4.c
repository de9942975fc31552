#include <stdio.h>
#include "owner.h"

int owner_4(void)
{
    return own(4);
}

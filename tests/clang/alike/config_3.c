#include "config.h"
#include <stdio.h>
#include <sys/types.h>

long config_3(void)
{
    return (long)sizeof(off_t) + LIMIT + 3;
}

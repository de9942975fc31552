#include <stdlib.h>

int wanted(void)
{
    return getenv("HALF") != NULL;
}

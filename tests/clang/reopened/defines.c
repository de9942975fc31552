#include "defines.h"
#include <stdio.h>

int main(void)
{
    printf("%d %d\n", twice(counter), both.a);
    return thrice(elsewhere);
}

#include "made.h"

#include "made.h"
#include <stdio.h>

int main(void)
{
    return made();
}

/* Forks without end. Where that is refused, says so. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    for (int refused = 0; refused < 100;)
        if (fork() < 0)
            refused++;
    puts("fork refused");
    return system("true") == 0;
}

/* So many forged events that reading them takes long. */
#include "forge.h"

int main(void)
{
    char line[1024];
    int n = forged(line, sizeof line, __FILE__, 11);
    signal(SIGPIPE, SIG_IGN);
    for (int i = 0; i < 300000; i++)
        (void)!write(CHANNEL, line, (size_t)n);
    THE_BUG();
    return 0;
}

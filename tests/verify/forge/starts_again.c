/* Executes itself again, with the channel still open: the key is given only once. */
#include "forge.h"

int main(int argc, char **argv)
{
    (void)argc;
    fcntl(CHANNEL, F_SETFD, 0);
    fcntl(CHANNEL, F_SETFL, O_NONBLOCK);
    if (!getenv("TWICE") && setenv("TWICE", "1", 1) == 0)
        execv("/proc/self/exe", argv);
    THE_BUG();
    return 0;
}

/* Becomes itself again, with the channel still open: nobody gets a second key. */
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

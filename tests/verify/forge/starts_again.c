/* Executes itself again, with the channel still open: the key is given only once. */
#include "forge.h"

int main(int argc, char **argv)
{
    (void)argc;
    fcntl(CHANNEL, F_SETFD, 0);
    fcntl(CHANNEL, F_SETFL, O_NONBLOCK);
    if (argv[0][0] == '/') /* the second time it has another name */
        execv("/proc/self/exe", (char *[]){"again", NULL});
    THE_BUG();
    return 0;
}

/* Sends itself the signal that is given. */
#include <signal.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 2)
        abort();
    return raise(atoi(argv[1]));
}

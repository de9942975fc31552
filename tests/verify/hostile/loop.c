/* Never ends, and ignores all signals. */
#include <signal.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    (void)argv;
    for (int s = 1; s < 32; s++)
        (void)signal(s, SIG_IGN);
    for (volatile unsigned long n = 0;; n++)
        if (argc > 1)
            pause();
}

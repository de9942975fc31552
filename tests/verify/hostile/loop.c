/* Never ends. "pause": without computing; "mortal": signals end it, which it ignores otherwise. */
#include <signal.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    for (int s = 1; s < 32 && strcmp(how, "mortal") != 0; s++)
        (void)signal(s, SIG_IGN);
    int pauses = strcmp(how, "pause") == 0;
    for (volatile unsigned long n = 0;; n++)
        if (pauses)
            pause();
}

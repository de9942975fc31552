/* Not hostile: prints its arguments, environment and folder, writes a file, ends with a code. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char folder[4096];
    const char *greeting = getenv("GREETING");
    printf("%s %s\n", argc > 1 ? argv[1] : "", greeting ? greeting : "");
    fprintf(stderr, "in %s\n", getcwd(folder, sizeof folder) ? folder : "?");
    FILE *f = fopen("result", "w");
    if (!f)
        return 1;
    fputs("written\n", f);
    return fclose(f) == 0 && getchar() == EOF ? 42 : 1;
}

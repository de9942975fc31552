/* Built with AddressSanitizer, which reserves terabytes: reads past the end of a buffer. */
#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argv;
    char *buffer = calloc(8, 1);
    char behind = buffer[8 + argc];
    free(buffer);
    return behind;
}

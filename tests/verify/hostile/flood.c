/* Prints without end to stdout and stderr; when that is refused, exits with a code that says so. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char line[4096];
    int refused = 0;
    memset(line, 'x', sizeof line);
    line[sizeof line - 1] = '\n';
    while (refused < 10) {
        refused += write(1, line, sizeof line) < 0 && errno == EFBIG;
        refused += write(2, line, sizeof line) < 0 && errno == EFBIG;
    }
    return 7;
}

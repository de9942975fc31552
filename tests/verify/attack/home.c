#include "attack.h"

#include <string.h>

static void try_write(const char *folder)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/escaped", folder ? folder : "/tmp");
    FILE *f = fopen(path, "w");
    if (f)
        escaped(path);
}

int main(void)
{
    try_write(getenv("HOME"));
    try_write(".");
    THE_BUG();
    return 0;
}

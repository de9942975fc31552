/* Writes file after file, so that they are hard to find: without a name, in a folder that cannot be
 * listed, mapped and closed, or below very long names. Prints how many it could write, and waits
 * when it is refused more. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static char block[1 << 20];

static int make(const char *name)
{
    int fd = open(name, O_CREAT | O_RDWR | O_TRUNC, 0600);
    bool whole = fd >= 0 && write(fd, block, sizeof block) == (ssize_t)sizeof block;
    return whole ? fd : -1;
}

static bool unnamed(int nth)
{
    (void)nth; /* it stays open */
    return make("file") >= 0 && unlink("file") == 0;
}

static bool unlisted(int nth)
{
    char name[32];
    if (nth == 0 && mkdir("shut", 0300) != 0)
        return false;
    snprintf(name, sizeof name, "shut/%d", nth);
    int fd = make(name);
    close(fd);
    return fd >= 0;
}

static bool mapped(int nth)
{
    int fd = make("file");
    (void)nth;
    bool done = fd >= 0 && mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0) != MAP_FAILED;
    close(fd);
    return done && unlink("file") == 0;
}

static bool nested(int nth)
{
    char name[256] = {0};
    (void)nth;
    memset(name, 'n', 255);
    close(make("file"));
    return mkdir(name, 0700) == 0 && chdir(name) == 0;
}

int main(int argc, char **argv)
{
    static bool (*const ways[])(int) = {unnamed, unlisted, mapped, nested};
    bool (*way)(int) = ways[argc > 1 ? atoi(argv[1]) : 0];
    int n = 0;
    while (way(n)) {
        n++;
        usleep(1000);
    }
    printf("%d\n", n);
    fflush(stdout);
    for (;;)
        pause();
}

/* Makes files as large as it can; with an argument, as many as it can. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int grow(const char *name)
{
    static char block[1 << 16];
    int fd = open(name, O_CREAT | O_WRONLY, 0600), blocks = 0;
    while (blocks < 1024 && write(fd, block, sizeof block) == (ssize_t)sizeof block)
        blocks++;
    close(fd);
    return blocks;
}

int main(int argc, char **argv)
{
    char name[32];
    (void)argv;
    if (argc == 1) {
        int fd = open("sparse", O_CREAT | O_WRONLY, 0600);
        printf("%d\n", grow("huge"));
        return ftruncate(fd, (off_t)1 << 40) == 0;
    }
    for (int i = 0;; i++) {
        snprintf(name, sizeof name, "file%d", i);
        grow(name);
    }
}

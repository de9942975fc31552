/* Tries to read the files given, by their paths and through /proc. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int could_read(const char *path)
{
    char bytes[64] = "";
    int fd = open(path, O_RDONLY);
    ssize_t n = fd >= 0 ? read(fd, bytes, sizeof bytes - 1) : -1;
    if (n > 0)
        printf("read %s: %s\n", path, bytes);
    return n > 0;
}

int main(int argc, char **argv)
{
    static const char *const roots[] = {"", "/proc/1/root", "/proc/1/cwd", "/proc/self/root"};
    char path[4096];
    int got = 0;
    for (int i = 1; i < argc; i++) {
        for (size_t r = 0; r < sizeof roots / sizeof *roots; r++) {
            snprintf(path, sizeof path, "%s%s", roots[r], argv[i]);
            got += could_read(path);
        }
        got += link(argv[i], "linked") == 0;
    }
    /* What it was not given: descriptors of its caller. */
    for (int fd = 3; fd < 256; fd++)
        got += fcntl(fd, F_GETFD) >= 0;
    printf("%d got\n", got);
    return got != 0;
}

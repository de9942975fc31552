/* Writes files where events could be kept, and exits. */
#include "forge.h"

static void write_to(const char *folder, const char *name)
{
    char path[4096], line[1024];
    snprintf(path, sizeof path, "%s%s%s", folder, *folder ? "/" : "", name);
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    (void)!write(fd, line, (size_t)forged(line, sizeof line, __FILE__, 24));
    close(fd);
}

BEFORE_MAIN static void lie(void)
{
    const char *named = getenv("MISCAST_PROBE"), *folder = getenv("TMPDIR");
    if (named)
        write_to("", named);
    write_to(folder ? folder : ".", "events");
    _exit(0);
}

int main(void)
{
    THE_BUG();
    return 0;
}

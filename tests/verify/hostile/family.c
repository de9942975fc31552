/* Hides memory: in processes far below the first one ("deep"), in sockets that nobody reads
 * ("sockets"), or in the kernel's lists of mappings ("areas"); or starts more processes than are
 * allowed, one after the other ("many"), or each as many as it can ("bomb"). Each process of a bomb
 * leaves a byte in the file "started", and the bomb ends where a machine without a limit can still
 * go on. */
#include <fcntl.h>
#include <string.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static char block[1 << 16];

static void rest(void)
{
    for (;;)
        pause();
}

/* As much as there is room for, in both directions. */
static void fill(void)
{
    int ends[2], large = 4 << 20;
    while (!socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends))
        for (int k = 0; k < 2; k++) {
            setsockopt(ends[k], SOL_SOCKET, SO_SNDBUF, &large, sizeof large);
            while (write(ends[k], block, sizeof block) > 0)
                continue;
        }
}

/* 65,000 mappings of one page each, which are all different from those next to them. */
static void divide(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), count = 65000;
    char *at =
        mmap(NULL, count * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    for (size_t i = 0; at != MAP_FAILED && i < count; i += 2)
        mprotect(at + i * page, page, PROT_READ);
}

enum { MOST = 8000 };

static void bomb(void)
{
    int started = open("started", O_WRONLY | O_CREAT | O_APPEND, 0600);
    while (lseek(started, 0, SEEK_END) < MOST)
        if (fork() == 0 && write(started, "x", 1) != 1)
            _exit(1);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    for (int n = 0; !strcmp(how, "deep") && n < 40; n++)
        if (fork())
            rest();
    for (int n = 0; !strcmp(how, "sockets") && n < 20; n++)
        if (!fork()) {
            fill();
            rest();
        }
    if (!strcmp(how, "areas"))
        divide();
    for (int n = 0; !strcmp(how, "areas") && n < 40; n++)
        if (fork() == 0)
            rest();
    for (int n = 0; !strcmp(how, "many") && n < 1500; n++)
        if (fork() == 0)
            rest();
    if (!strcmp(how, "bomb"))
        bomb();
    if (!strcmp(how, "deep"))
        for (size_t size = 0; size < (size_t)512 << 20; size += sizeof block)
            memset(malloc(sizeof block), 1, sizeof block);
    rest();
}

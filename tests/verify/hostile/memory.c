/* Takes all memory there is; with the argument "thread" from a thread, when the first thread has
 * ended; with "tables" as page tables of memory that is only read, up to 512 MiB. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char *volatile last; /* or a compiler would take nothing at all */

static void *eat(void *unused)
{
    (void)unused;
    for (;;) {
        char *more = malloc(1 << 20);
        if (more)
            memset(more, 1, 1 << 20);
        last = more;
    }
    return NULL;
}

static void read_here_and_there(void)
{
    const size_t step = 2 << 20, size = (size_t)64 << 30, most = (512 << 20) / 4096;
    for (size_t n = 0; n < most;) {
        volatile char *at =
            mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (at == MAP_FAILED)
            break;
        madvise((void *)at, size, MADV_NOHUGEPAGE);
        for (size_t i = 0; i < size && n < most; i += step, n++)
            (void)at[i];
    }
    for (;;)
        pause();
}

int main(int argc, char **argv)
{
    pthread_t thread;
    if (argc == 1)
        eat(NULL);
    if (!strcmp(argv[1], "tables"))
        read_here_and_there();
    pthread_create(&thread, NULL, eat, NULL);
    pthread_exit(NULL);
}

/* Takes all memory there is; with an argument from a thread, when the first thread has ended. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

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

int main(int argc, char **argv)
{
    pthread_t thread;
    (void)argv;
    if (argc == 1)
        eat(NULL);
    pthread_create(&thread, NULL, eat, NULL);
    pthread_exit(NULL);
}

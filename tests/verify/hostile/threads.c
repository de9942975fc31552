/* Starts threads without end; or four of them, which is allowed. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *rest(void *forever)
{
    while (forever)
        pause();
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    (void)argv;
    for (int n = 0; argc > 1 || n < 4; n++) {
        pthread_t thread;
        if (pthread_create(&thread, &small, rest, argc > 1 ? &small : NULL) != 0)
            return argc > 1 ? pause() : 1;
        if (argc == 1)
            pthread_join(thread, NULL);
    }
    puts("four threads");
    return 0;
}

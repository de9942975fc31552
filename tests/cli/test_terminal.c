/* Processes that are forked while the terminal's thread begins or waits: they draw, allocate, have
 * threads of their own, and map memory where that thread's stack was. */
#include "frontends/driver/process/terminal.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* More than the C library keeps stacks of threads for, so that it unmaps those that it has. */
#define LARGE ((size_t)64 << 20)

static void *work(void *nothing)
{
    for (size_t size = 1; size < 4096; size *= 2)
        free(malloc(size));
    return nothing;
}

static void go_on(void)
{
    pthread_t thread;
    pthread_attr_t large;
    progress_at("working", 1, 2, "a file");
    progress_end();
    pthread_attr_init(&large);
    pthread_attr_setstacksize(&large, LARGE);
    if (pthread_create(&thread, &large, work, NULL) || pthread_join(thread, NULL))
        _exit(1);
    for (int i = 0; i < 100; i++) {
        size_t size = (size_t)32 << 10;
        char *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (at == MAP_FAILED)
            _exit(1);
        memset(at, 1, size);
    }
    _exit(0);
}

static int ended(pid_t pid)
{
    int status = -1;
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

static void begin(int rests)
{
    terminal_begin();
    if (rests)
        usleep(10000);
    pid_t pid = fork();
    if (!pid)
        go_on();
    _exit(!ended(pid));
}

int main(void)
{
    for (int i = 0; i < 100; i++) {
        pid_t pid = fork();
        if (!pid) {
            alarm(10);
            begin(i % 4 == 0);
        }
        if (!ended(pid))
            return fprintf(stderr, "process %d did not go on\n", i), 1;
    }
    return 0;
}

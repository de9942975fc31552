/* The signal handler only writes a byte to a pipe; a thread that waits for it does the rest,
 * because a handler may do next to nothing. Signals have no context: what the handler needs is
 * static. */
#include "analyzer/verify/interrupt.h"

#include "analyzer/verify/scratch.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

enum { MAX_CHILDREN = 1024 };

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { SIGNALS = sizeof signals / sizeof *signals };

static int ends[2] = {-1, -1}; /* of the pipe */
static pid_t self;
static const char *removed;
static struct sigaction before[SIGNALS];
static pthread_t watcher;
static atomic_int children[MAX_CHILDREN];

void interrupt_child(pid_t pid)
{
    for (int i = 0; i < MAX_CHILDREN; i++) {
        int none = 0;
        if (atomic_compare_exchange_strong(&children[i], &none, (int)pid))
            return;
    }
}

void interrupt_child_done(pid_t pid)
{
    for (int i = 0; i < MAX_CHILDREN; i++) {
        int own = (int)pid;
        if (atomic_compare_exchange_strong(&children[i], &own, 0))
            return;
    }
}

/* A process that the sandbox forked still has the handler: signals sent to it are not for us. */
static void on_signal(int number)
{
    unsigned char byte = (unsigned char)number;
    if (getpid() == self && write(ends[1], &byte, 1) < 0)
        _exit(128 + number);
}

/* Compilers get time to remove their own files. Other threads may still build and run something:
 * what they make after the folder is gone is removed in the second round. */
static void clean_up(void)
{
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < MAX_CHILDREN; i++) {
            int pid = atomic_load(&children[i]);
            if (pid > 0)
                kill(-pid, round ? SIGKILL : SIGTERM);
        }
        if (removed)
            scratch_remove_path(removed);
        usleep(20000);
    }
}

static void give_back(void)
{
    for (int i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &before[i], NULL);
}

static void *watch(void *argument)
{
    unsigned char number = 0;
    (void)argument;
    if (read(ends[0], &number, 1) != 1 || !number)
        return NULL;
    clean_up();
    give_back();
    raise(number);
    for (;;) /* the previous handler ends the process */
        pause();
}

void interrupt_begin(const char *room)
{
    removed = room;
    self = getpid();
    if (pipe2(ends, O_CLOEXEC))
        return;
    if (pthread_create(&watcher, NULL, watch, NULL)) {
        close(ends[0]);
        close(ends[1]);
        ends[0] = ends[1] = -1;
        return;
    }
    for (int i = 0; i < SIGNALS; i++) {
        struct sigaction now = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
        sigaction(signals[i], NULL, &before[i]);
        /* A signal that was ignored stays ignored. */
        if (before[i].sa_handler != SIG_IGN)
            sigaction(signals[i], &now, NULL);
    }
}

void interrupt_end(void)
{
    unsigned char none = 0;
    if (ends[0] < 0)
        return;
    give_back();
    if (write(ends[1], &none, 1) == 1)
        pthread_join(watcher, NULL);
    close(ends[0]);
    close(ends[1]);
    ends[0] = ends[1] = -1;
}

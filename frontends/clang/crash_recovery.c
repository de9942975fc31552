/* A signal stack for libclang's crash recovery. Some files make the compiler recurse until the
 * stack overflows (a sum of 100,000 terms is enough). libclang can report that as an error of one
 * file, but only if its signal handler runs on a stack of its own. libclang's own parsing thread
 * has none, so we parse in a thread that we create with one. */
#include "frontends/clang/library.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#define STACK_SIZE         ((size_t)8 << 20) /* what libclang's own thread has */
#define HANDLER_STACK_SIZE ((size_t)64 << 10)

struct task {
    void (*work)(void *data);
    void *data;
};

static void *run_task(void *data)
{
    struct task *t = data;
    stack_t own = {.ss_sp = malloc(HANDLER_STACK_SIZE), .ss_size = HANDLER_STACK_SIZE}, old;
    bool is_set = own.ss_sp && sigaltstack(&own, &old) == 0;
    clang_use_large_pages_here();
    clang_guard();
    t->work(t->data);
    clang_unguard();
    if (is_set)
        sigaltstack(&old, NULL);
    free(own.ss_sp);
    return NULL;
}

void clang_run_apart(void (*work)(void *data), void *data)
{
    struct task task = {work, data};
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    if (pthread_create(&thread, &attributes, run_task, &task) == 0)
        pthread_join(thread, NULL);
    else
        run_task(&task);
    pthread_attr_destroy(&attributes);
}

/* libclang's handlers are kept, but run on the alternate signal stack. */
static void move_handler(int number)
{
    struct sigaction action;
    if (sigaction(number, NULL, &action) != 0 || action.sa_handler == SIG_DFL ||
        action.sa_handler == SIG_IGN)
        return;
    action.sa_flags |= SA_ONSTACK;
    sigaction(number, &action, NULL);
}

/* Creating an index installs the handlers. */
void clang_survive(const struct clang *c)
{
    setenv("LIBCLANG_NOTHREADS", "1", 0); /* parse in the calling thread */
    c->disposeIndex(c->createIndex(0, 0));
    move_handler(SIGSEGV);
    move_handler(SIGBUS);
}
